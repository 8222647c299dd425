"""Pages that were built, but should not be found."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.sphinx import BASE_URL, SphinxSite

PAGES = {
    "index.rst": "Home\n====\n\n.. toctree::\n   :glob:\n\n   *\n",
    "a.rst": "A\n=\n",
    "b.py.txt": "no document",
    "secret.rst": ".. meta::\n   :robots: noindex\n\nSecret\n======\n",
    "moved.rst": "Moved\n=====\n",
    "asked.rst": ":sitemap: true\n\n.. meta::\n   :robots: none\n\nAsked\n=====\n",
}


@pytest.mark.parametrize("builder", ["html", "dirhtml"])
def test_noindex_and_redirects_are_left_out_and_the_log_says_why(
    project: Path, builder: str
) -> None:
    site = SphinxSite.create(
        project,
        PAGES,
        extensions=["sphinx_reredirects"],
        redirects={"moved": "a.html", "gone": "a.html"},
    )
    log = site.run(builder, "-W", "-v")
    listed = {"html": ["a.html", "asked.html", "index.html"], "dirhtml": ["", "a/", "asked/"]}
    assert list(site.read(builder)) == listed[builder]
    assert "secret.rst: left out, it tells search engines not to list it (robots: noindex)" in log
    assert "moved.rst: left out, it sends readers to another page (https://example.org/docs/" in log


def test_what_sphinx_keeps_for_itself_can_be_asked_in(project: Path) -> None:
    site = SphinxSite.create(
        project,
        PAGES,
        extensions=["sphinx_reredirects"],
        redirects={"gone": "a.html"},
        sitemap_include=["genindex", "search.html", "gone.html"],
    )
    assert {"genindex.html", "search.html", "gone.html"} < site.build().keys()
    site = SphinxSite.create(project / "all", PAGES, sitemap_overrule=["utility"])
    entries = site.build()
    assert "genindex.html" in entries
    assert "search.html" not in entries, "Sphinx' template says noindex"


@pytest.mark.parametrize("theme", ["furo", "alabaster"])
@pytest.mark.parametrize("builder", ["html", "dirhtml"])
@pytest.mark.parametrize(
    "options",
    [
        {"html_baseurl": "https://example.org/docs"},
        {"sitemap_url_scheme": "{lang}{link}", "html_baseurl": "https://example.org/"},
        {"site_url": BASE_URL, "html_baseurl": "https://elsewhere.example/"},
    ],
)
def test_canonical_links_that_sphinx_gets_wrong_keep_no_page_out(
    project: Path, theme: str, builder: str, options: dict[str, str]
) -> None:
    pages = {name: PAGES[name] for name in ("index.rst", "a.rst")}
    site = SphinxSite.create(project, pages, html_theme=theme, **options)
    log = site.run(builder)
    assert "2 URLs, 2 with lastmod" in log


def test_patterns_for_many_pages_are_no_matter_in_one(project: Path) -> None:
    pages = {name: PAGES[name] for name in ("index.rst", "a.rst")}
    site = SphinxSite.create(project, pages, sitemap_excludes=["search.html", "b/*", "a.html"])
    site.run("singlehtml", "-W", "--keep-going")


def test_a_pattern_that_matches_nothing_is_a_warning_of_its_own_kind(project: Path) -> None:
    patterns = ["genindex.html", "a", "a/b"]
    site = SphinxSite.create(project, PAGES, sitemap_excludes=patterns)
    log = site.run()
    assert log.count("WARNING") == 1
    assert "the pattern 'a/b' matches no page; correct it, or remove it" in log
    site.configure(
        extensions=["sphinx_sitemap_ext"],
        html_baseurl=BASE_URL,
        html_theme="basic",
        sitemap_excludes=patterns,
        suppress_warnings=["sitemap.pattern"],
    )
    site.build()


def test_a_misspelt_option_is_a_warning(project: Path) -> None:
    more = {"sitemap_exclude": ["a"], "sitemap_urls": 1, "sitemap_gzip": False}
    site = SphinxSite.create(project, PAGES, **more)
    conf = project / "docs/conf.py"
    conf.write_text(conf.read_text() + "\ndef sitemap_rule(): pass\n")
    log = site.run()
    assert log.count("WARNING") == 1
    assert "sitemap_exclude in conf.py is no option; did you mean sitemap_excludes?" in log
    site.run("html", "-D", "suppress_warnings=sitemap.option", "-W")


def test_the_report_is_written_where_the_option_says(project: Path) -> None:
    site = SphinxSite.create(project, PAGES, sitemap_report="../report.json")
    site.build()
    report = json.loads((site.path / "report.json").read_text())
    pages = {page["name"]: page for page in report["pages"]}
    assert pages["a.rst"]["sources"] == ["a.rst"]
    assert pages["a.rst"]["authored"] == "2020-02-02T02:02:02+00:00"
    assert pages["secret.rst"]["reason"] == "noindex"
    assert pages["search"]["reason"] == "utility"
