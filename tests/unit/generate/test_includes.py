"""Pages are as new as the files that their sources include or document."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.small_sites import newest_sources

PAGES = ("index.html", "part/index.html")
MODULES = {"src/renamer/__init__.py": "", "src/renamer/rules.py": "def rename(): ..."}


@pytest.fixture(autouse=True)
def _in_project(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project.mkdir()
    monkeypatch.chdir(project)


def newest(project: Path, text: str, files: dict[str, str]) -> str | None:
    """Return the source that dates a page whose Markdown file has a text."""
    # Files are committed in the order of their names.
    sources = {"docs/index.md": "# Home", "docs/part.md": text}
    return newest_sources(project, sources | files, PAGES)["part/index.html"]


@pytest.mark.parametrize(
    "text",
    [
        "{! ../parts/one.md !}",
        "{!> parts/one.md !}",
        "{* ../parts/one.md ln[1:8] hl[5] *}",
        '{% include-markdown "../parts/one.md" %}',
        '--8<-- "one.md:section"',
        "--8<--\nparts/none.md\n\nparts/one.md:1:2\n--8<--",
        "--8<--\n; no.md\n\none.md",
    ],
)
def test_included_files(project: Path, text: str) -> None:
    assert (
        newest(project, f"# Page\n\n{text}\n", {"parts/one.md": "One"})
        == "parts/one.md"
    )


def test_the_folder_of_sources_in_paths_of_vitepress(project: Path) -> None:
    files = {"docs/parts/one.ts": "1", "demo/parts/one.ts": "2"}
    assert (
        newest(project, "# Page\n\n<<< @/parts/one.ts\n", files) == "docs/parts/one.ts"
    )


def test_a_notation_in_a_docstring_includes_nothing(project: Path) -> None:
    module = 'def f():\n    """Write `x`:\n\n        {% include "one.md" %}\n    """\n'
    files = {
        "src/renamer/__init__.py": "",
        "src/renamer/rules.py": module,
        "z/one.md": "One",
    }
    assert (
        newest(project, "# API\n\n::: renamer.rules\n", files) == "src/renamer/rules.py"
    )


def test_each_included_file_is_read_once(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers = range(30)
    sources = {f"docs/{n}.md": f'--8<-- "docs/{n + 1}.md"\n' for n in numbers}
    read: list[str] = []

    def read_regular(path: str, limit: int) -> bytes:
        read.append(path)
        return Path(path).read_bytes()

    monkeypatch.setattr(
        "docs_sitemap_cli.generate.project_files.read_regular", read_regular
    )
    found = newest_sources(project, sources, [f"{n}/index.html" for n in numbers])
    assert found["0/index.html"] == "docs/9.md"  # the last name
    assert len(read) == len({*read}) == len(numbers)


@pytest.mark.parametrize(
    "text",
    [
        "::: renamer.rules",
        "### ::: renamer.rules.rename",
        "::: renamer.rules.Rule.apply\r\n",
    ],
)
def test_documented_modules(project: Path, text: str) -> None:
    assert newest(project, f"# API\n\n{text}\n", MODULES) == "src/renamer/rules.py"


@pytest.mark.parametrize(
    "text", ["::: renamer", "::: renamer.rename", "::: other.rules.rename"]
)
def test_objects_that_may_be_defined_anywhere(project: Path, text: str) -> None:
    assert newest(project, f"# API\n\n{text}\n", MODULES) is None


def test_objects_whose_files_the_user_names(project: Path) -> None:
    config = '[dependencies]\n"part/*" = ["src/**/*.py"]\n'
    files = MODULES | {"docs-sitemap.toml": config}
    assert newest(project, "::: renamer.rename", files) == "src/renamer/rules.py"


def test_containers_are_no_modules(project: Path) -> None:
    text = "::: tip\n::: info Version 1.0\n::: renamer.rules in a text\n"
    assert newest(project, text, MODULES | {"src/tip.py": ""}) == "docs/part.md"
