"""What `docs-sitemap generate` says about pages for which no source was found."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.cli import invoke
from support.sitemaps import BASE, write_site
from support.sites import commit_files
from support.small_sites import generate, html, unique_text

from docs_sitemap.build import plan_sitemap
from docs_sitemap.config.read_options import read_options
from docs_sitemap.diagnostics import Diagnostics
from docs_sitemap.page import NoSource, Page
from docs_sitemap.site import Site
from docs_sitemap_cli.generate.no_source import report_missing_sources

VERSIONS = ("docs/a/b.md", "versioned_docs/version-10.x/a/b.md")
LANGUAGES = ("de/long-name.md", "ro/long-name.md")
SAME_FOLDER = ("docs/a.md", "docs/a.rst")


def plan(folder: Path, **reasons: NoSource | None) -> tuple[list[str], list[str]]:
    """Return the details of pages, and what is said about all of them."""
    pages = [
        Page(url=name, name=name.replace("__", "/") + ".html", no_source=reason)
        for name, reason in reasons.items()
    ]
    options = read_options({"base_url": "https://example.org/"}, str(folder))
    result = plan_sitemap(Site(pages=pages, options=options, out_dir=folder))
    notes = Diagnostics()
    report_missing_sources(result.listed, notes)
    return [entry.detail for entry in result.listed], [note.message for note in notes]


@pytest.mark.parametrize(
    ("page", "candidates", "first", "second"),
    [
        (
            "10__a__b",
            VERSIONS,
            '"10/" = "docs/"',
            '"10/" = "versioned_docs/version-10.x/"',
        ),
        (
            "de__long_name",
            ("de/long_name.md", "ro/long_name.md"),
            '"de/" = "de/"',
            '"de/" = "ro/"',
        ),
        (
            "long",
            LANGUAGES,
            '"long.html" = "de/long-name.md"',
            '"long.html" = "ro/long-name.md"',
        ),
        ("a", SAME_FOLDER, '"a.html" = "docs/a.md"', '"a.html" = "docs/a.rst"'),
    ],
)
def test_two_files_that_fit_equally_well(
    tmp_path: Path, page: str, candidates: tuple[str, str], first: str, second: str
) -> None:
    [detail], [message] = plan(tmp_path, **{page: NoSource(candidates)})
    for file in candidates:
        assert file in detail
        assert file in message
    assert f"sources = {{ {first} }} or sources = {{ {second} }}" in message
    assert "--source-dir" not in message


def test_lists_are_reported_apart_from_other_pages(tmp_path: Path) -> None:
    details, messages = plan(
        tmp_path,
        a=NoSource(("docs/b.md",), 0.314),
        b=NoSource(),
        tags=NoSource(is_list=True),
        unknown=None,
    )
    assert "docs/b.md, score 0.31" in details[0]
    assert "similar" in details[1]
    assert "list" in details[2]
    assert details[3] == ""
    missing, lists = messages
    assert "found for 3 pages." in missing
    assert "list" not in missing
    assert "(tags.html)" in lists


def test_each_page_has_its_reason(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sources = {name: unique_text(name) for name in ("a", "b", "tie", "part")}
    files = {f"docs/{name}.md": f"# {name}\n\n{sources[name]}\n" for name in "ab"}
    files |= {f"{folder}/tie.md": sources["tie"] for folder in ("old", "new")}
    other = " ".join(map(unique_text, "cdefghi"))
    files["docs/part.md"] = f"{sources['part']} {other}"
    pages = {f"{name}.html": html(name, sources[name]) for name in "ab"}
    pages["tie.html"] = html("Tie", sources["tie"])
    pages["list.html"] = html("List", sources["a"] + "<p>" + sources["b"])
    pages["new.html"] = html("New", unique_text("new"))
    texts = " ".join(map(unique_text, "klmnopqrstuvw"))
    pages["weak.html"] = html("Weak", f"{sources['part']} {texts}")
    write_site(project, files)
    commit_files(project)
    write_site(project / "site", pages)
    monkeypatch.chdir(project)
    done = generate("site", "--base-url", BASE, "--verbose")
    for page, words in {
        "tie.html": ("new/tie.md", "old/tie.md"),
        "list.html": ("repeats other pages",),
        "new.html": ("no file in git is similar",),
        "weak.html": ("docs/part.md, score 0.",),
    }.items():
        (line,) = [line for line in done.out.splitlines() if f"  {page}  " in line]
        explained = invoke("explain", "site", page).out
        for word in words:
            assert word in line
            assert word in explained
