"""Files in a project or site that could make `docs-sitemap generate` fail, or take
minutes.
"""

from __future__ import annotations

from pathlib import Path
from time import process_time

import pytest
from support.cli import invoke
from support.small_sites import html, made_from, newest_sources, unique_text

PAGES = ("index.html", "a.html")

# In seconds of the processor. Files of these sizes take less than one second, or more
# than twenty.
LIMIT = 10


@pytest.fixture(autouse=True)
def _in_project(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project.mkdir()
    monkeypatch.chdir(project)


def check(
    project: Path, text: str = "A", page: str | None = None, **files: str
) -> None:
    """Check that a page is still dated, and in time, if its document and HTML file are
    hostile.
    """
    start = process_time()
    pages = {"index.html": html(), "a.html": html() if page is None else page} | files
    sources = {"docs/a.md": text, "docs/index.md": "# Home"}
    assert newest_sources(project, sources, pages)["a.html"] == "docs/a.md"
    assert process_time() - start < LIMIT


@pytest.mark.parametrize(
    "value",
    [
        *(
            "!!int ''",
            "!!float ''",
            "!!bool x",
            "!!timestamp x",
            "!!python/name:os.system",
        ),
        "1" + ":59" * 300 + ".5",
        "[" * 1_000,
    ],
)
def test_values_that_yaml_cannot_have(project: Path, value: str) -> None:
    check(project, f"---\nslug: a\nx: {value}\n---\n# A\n")


def test_nested_merge_keys(project: Path) -> None:
    nested = "".join(
        f"x{n}: &x{n} {{<<: [*x{n - 1}, *x{n - 1}]}}\n" for n in range(1, 40)
    )
    check(project, f"---\nslug: a\nx0: &x0 {{key: value}}\n{nested}---\n# A\n")


def test_settings_without_a_value(project: Path) -> None:
    check(project, "---\nsitemap:\n---\n# A\n")


@pytest.mark.parametrize(
    "text",
    [
        "import " + "from " * 30_000,
        "import " + "from-" * 30_000,
        "{% include" + "-" * 20_000,
        "{% raw" * 100_000,
        "{% raw %}" + "{% " * 100_000,
        "{%" + " " * 100_000,
    ],
)
def test_long_lines(project: Path, text: str) -> None:
    check(project, text)


@pytest.mark.parametrize(
    "body",
    ["generated from the following files:<ul>" * 20_000, "file:///" * 200_000],
)
def test_long_pages(project: Path, body: str) -> None:
    head = '<meta name="generator" content="Doxygen">'
    check(project, page=html("A", body, head=head))


def test_sources_in_very_many_folders(project: Path) -> None:
    """Each folder takes time. Two of many pages may agree by chance."""
    count = 300
    sources = [f"p{n}/{name}{n}.md" for n in range(count) for name in "ab"]
    pages = [f"{name}{n}.html" for n in range(count) for name in "ab"]
    start = process_time()
    assert {*newest_sources(project, sources, pages).values()} == {None}
    assert process_time() - start < LIMIT


@pytest.mark.parametrize("is_chain", [False, True])
def test_code_that_imports_all_other_code(project: Path, is_chain: bool) -> None:
    """Each file may be the document of a page, with what it imports."""
    count = 400
    source, page = made_from("docs/a.md")
    sources = {"docs/a.md": source, "src/index.ts": ""}
    for n in range(count):
        name = f"C{n + 1}" if is_chain else "index"
        text = unique_text(str(n))
        sources[f"src/C{n}.tsx"] = f"import {{ C }} from './{name}'\n// {text}\n"
        sources["src/index.ts"] += f"export {{ C{n} }} from './C{n}'\n"
    start = process_time()
    assert newest_sources(project, sources, {"a.html": page})["a.html"] == "docs/a.md"
    assert process_time() - start < LIMIT


def test_numbers_inside_names(project: Path) -> None:
    """Only a number at the start of a name is for the order of the pages."""
    sources = ["docs/index.md", "docs/b.md", "docs/python3-tips.md"]
    found = newest_sources(
        project, sources, ["index.html", "b.html", "python-tips.html"]
    )
    assert found["python-tips.html"] is None


def test_options_with_control_characters(project: Path) -> None:
    Path("site").mkdir()
    Path("docs-sitemap.toml").write_text('"x\\n::error::" = 1\n')
    done = invoke("generate", "site")
    assert done.code == 2
    assert "x\\n::error::: there is no such option" in done.err


def test_configuration_with_a_byte_order_mark(project: Path) -> None:
    Path("docs-sitemap.toml").write_text(
        'filename = "pages.xml"\n', encoding="utf-8-sig"
    )
    Path("site").mkdir()
    Path("site", "index.html").write_text(html())
    assert invoke("generate", "site", "--base-url", "https://example.org/").code == 0
    assert Path("site", "pages.xml").exists()
