"""The pages of real sites of other generators have the dates of their sources, or none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.cli import invoke
from support.readers import read
from support.sitemaps import check
from support.sites import (
    SITES,
    Project,
    build_project,
    built_file,
    make_project,
    site_names,
)

BUILT_HERE = ("pdoc", "zensical")
# The largest number of listed pages without a date that have a source.
MAX_MISSING = {"pdoc": 1, "starlight": 4, "typedoc": 5}
# Pages with sources that declare another canonical URL or `noindex`.
UNLISTED = {
    "antora": {"renamer/1.0/guide/install.html", "renamer/1.0/index.html"},
    "docusaurus": {"manual/reference/internal.html"},
    "docusaurus-plain": {"manual/reference/internal.html"},
}


@pytest.mark.parametrize("name", [*site_names(), *BUILT_HERE])
def test_no_page_has_a_wrong_date(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if name in BUILT_HERE:
        pytest.importorskip(name)
    project = (build_project if name in BUILT_HERE else make_project)(tmp_path, name)
    monkeypatch.chdir(project.path)
    # Some sites do not contain their URL.
    done = invoke("generate", project.site, "--base-url", project.base_url)
    assert (done.code, "Warning" in done.err) == (0, False), done.err
    found = dates(project)
    right = {page: project.lastmod(page) for page in found}
    assert {
        page: date for page, date in found.items() if date not in (None, right[page])
    } == {}
    missing = [
        page for page, date in found.items() if date is None and right[page] is not None
    ]
    assert len(missing) <= MAX_MISSING.get(name, 0), missing
    with_sources = {page for page, sources in project.pages.items() if sources} - {
        "404.html"
    }
    assert with_sources - found.keys() == UNLISTED.get(name, set())
    diagnostics = check(project.site).diagnostics
    assert [
        one for one in diagnostics if one.severity == "error" or name in BUILT_HERE
    ] == []


def test_almost_all_pages_with_sources_have_dates() -> None:
    """The numbers above allow no more than 6 % of all sites together."""
    expected = [
        json.loads(file.read_bytes())["pages"] for file in SITES.glob("*/expected.json")
    ]
    with_sources = sum(
        bool(sources) for pages in expected for sources in pages.values()
    )
    assert sum(MAX_MISSING.values()) <= 0.06 * with_sources


def test_myst_records_sources_without_edit_links(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = make_project(tmp_path, "myst")
    for page in project.site.rglob("*.html"):
        page.write_text(page.read_text("utf-8").replace("/edit/", "/none/"), "utf-8")
    monkeypatch.chdir(project.path)
    assert "9 by the data of the generator" in invoke("generate", project.site).out
    assert dates(project) == {page: project.lastmod(page) for page in project.pages}


def dates(project: Project) -> dict[str, str | None]:
    """Return the dates in the sitemap of a site by HTML file."""
    found = {}
    for entry in read((project.site / "sitemap.xml").read_bytes()):
        file = built_file(project.site, entry.loc.removeprefix(project.base_url))
        found[file] = entry.lastmod
    return found
