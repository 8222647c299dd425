"""Files that are no pages: which the sitemap lists, and which it loses."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.cli import invoke
from support.readers import read
from support.repository import Repository, noon
from support.sitemaps import BASE, url, urlset, write_site
from support.small_sites import generate, html


@pytest.fixture
def site(project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The site of a project. Everything is in git except what its generator copied."""
    repository = Repository.create(project)
    repository.commit({"site/files/own.pdf": "own", "docs/index.md": "# A"}, day=1)
    repository.commit(
        {"static/copied.pdf": "copied", "static/x/data.json": "{}"}, day=2
    )
    monkeypatch.chdir(project)
    files = {
        "index.html": html("A"),
        "guide/a.html": html("G"),
        "guide/a.css": "p {}",
        "files/copied.pdf": "copied",
        "files/made.pdf": "made",
        "x/data.json": "{}",
        "files/page.html": html("P"),
    }
    return write_site(project / "site", files)


def listed(*patterns: str) -> dict[str, str | None]:
    lines = f"include = {list(patterns)!r}\n"
    Path("docs-sitemap.toml").write_text(lines)
    done = generate("site", "--base-url", BASE)
    assert "matches no page" not in done.err
    entries = read(Path("site/sitemap.xml").read_bytes())
    dates = {entry.loc.removeprefix(BASE): entry.lastmod for entry in entries}
    for page in ("", "guide/a.html", "files/page.html"):
        dates.pop(page)
    return dates


PDFS = {
    "files/own.pdf": noon(1),
    "files/copied.pdf": noon(2),
    "files/made.pdf": None,
}


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("files/*.pdf", PDFS),
        ("*.pdf", PDFS),
        ("files/copied.pdf", {"files/copied.pdf": noon(2)}),
        (f"{BASE}x/data.json", {"x/data.json": noon(2)}),
        ("x/*", {"x/data.json": noon(2)}),
        # A pattern of pages names no other files.
        ("guide/*", {}),
        ("files/*", {}),
    ],
)
def test_included_files(
    site: Path, pattern: str, expected: dict[str, str | None]
) -> None:
    assert listed(pattern) == expected
    done = invoke("check", "site", "--base-url", BASE, "--strict")
    assert done.code == 0, done
    for name in expected:
        assert "listed:     yes" in invoke("explain", "site", name).out


def test_patterns_without_files_are_a_warning(site: Path) -> None:
    Path("docs-sitemap.toml").write_text("include = ['*.pdf', '*.odt']\n")
    done = generate("site", "--base-url", BASE)
    assert "'*.odt' of the option include matches no page" in done.err
    assert "2 dated: 2 by their own file in git" in done.out


def test_dependencies_and_rules_of_included_files(site: Path) -> None:
    lines = 'sources = {}\n[dependencies]\n"files/{name}.pdf" = "docs/index.md"\n'
    Path("docs-sitemap.toml").write_text(f'include = ["*.pdf"]\n{lines}')
    generate("site", "--base-url", BASE)
    entries = read((site / "sitemap.xml").read_bytes())
    dates = {entry.loc.removeprefix(BASE): entry.lastmod for entry in entries}
    assert dates["files/made.pdf"] == noon(1)


def test_the_replaced_sitemap_lists_files(site: Path) -> None:
    names = ("", "guide/a.html", "files/own.pdf", "x/data.json", "files/gone.pdf")
    (site / "sitemap.xml").write_text(urlset(*(url(f"{BASE}{name}") for name in names)))
    options = ("site", "--base-url", BASE)
    for arguments in ((*options, "--dry-run"), options):
        done = generate(*arguments)
        assert "2 files of the replaced one" in done.err
        assert "files/own.pdf, x/data.json" in done.err
        assert '"*.pdf"' in done.err
    # The new sitemap lists only pages.
    assert "replaced" not in generate(*options).err
    (site / "sitemap.xml").write_text(urlset(*(url(f"{BASE}{name}") for name in names)))
    Path("docs-sitemap.toml").write_text("include = ['*.pdf', 'x/*']\n")
    assert "replaced" not in generate(*options).err
