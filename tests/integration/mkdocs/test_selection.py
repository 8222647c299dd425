"""Which built pages are listed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.mkdocs import BASE_URL, MAIN, MkDocsSite, build_days

PAGES = {
    "index.md": "# Home",
    "a.md": "# A",
    "secret.md": "---\nrobots: noindex, nofollow\n---\n# Secret",
    "moved.md": "---\nmoved: ../a/\n---\n# Moved",
    "asked.md": "---\nrobots: none\nsitemap: true\n---\n# Asked",
    "static/index.html": "<title>Static</title>",
}


def make(path: Path, theme: str = "mkdocs", **sitemap: object) -> MkDocsSite:
    site = MkDocsSite.create(
        path,
        PAGES,
        sitemap=sitemap,
        theme={"name": theme, "custom_dir": "overrides"},
        plugins=[{"redirects": {"redirect_maps": {"old.md": "a.md"}}}],
    )
    site.repository.write({"overrides/main.html": MAIN})
    return site


@pytest.mark.parametrize("theme", ["mkdocs", "readthedocs", "material"])
def test_noindex_and_redirects_are_excluded_and_explained(
    project: Path, theme: str
) -> None:
    site = make(project, theme)
    log = site.run("build", "--strict", "--verbose")
    assert list(site.read()) == ["", "a/", "asked/"]
    assert "2 pages left out" in log
    assert "(robots: noindex, nofollow)" in log
    assert f" URL ({BASE_URL}a/)" in log


def test_a_template_with_the_canonical_link_of_the_home_page(project: Path) -> None:
    theme = {"name": "mkdocs", "custom_dir": "overrides"}
    site = MkDocsSite.create(project, dict.fromkeys(("a.md", "b.md"), ""), theme=theme)
    link = '<link rel="canonical" href="{{ config.site_url }}">'
    site.repository.write({"docs/index.md": "", "overrides/main.html": link})
    log = site.run("build")
    assert list(site.read()) == [""]
    assert log.count("WARNING") == 1
    assert "correct the template" in log


def test_broken_markup_in_a_title_does_not_stop_the_build(project: Path) -> None:
    title = "---\ntitle: The <![foo and <!-- marks\nrobots: none\n---\n# x"
    site = MkDocsSite.create(
        project, {"index.md": "# Home", "t.md": title, "u.md": title[:34]}
    )
    site.repository.write({"docs/u.md": title.replace("robots: none\n", "")})
    assert list(site.build()) == ["", "t/", "u/"]


def test_repeated_slashes_in_site_url_are_merged_as_mkdocs_does(project: Path) -> None:
    site = MkDocsSite.create(
        project, {"index.md": "", "a.md": ""}, site_url="https://ex.org//d/"
    )
    site.run("build", "--strict")
    assert "<loc>https://ex.org/d/a/</loc>" in (site.site / "sitemap.xml").read_text()


def test_other_html_files_can_be_included(project: Path) -> None:
    site = make(project, include=["404.html", "old/", "static/*", "secret.md"])
    assert list(site.build()) == [
        "",
        "404.html",
        "a/",
        "asked/",
        "old/",
        "secret/",
        "static/",
    ]


def test_other_html_files_can_be_listed(project: Path) -> None:
    site = make(project, include=["404.html"])
    entries = site.build()
    assert list(entries) == ["", "404.html", "a/", "asked/"]
    assert entries["404.html"].lastmod is None


@pytest.mark.parametrize("page_dates", [False, True])
def test_copied_html_files_have_the_date_of_their_file(
    project: Path, page_dates: bool
) -> None:
    html = "<title>Demo</title>"
    site = MkDocsSite.create(
        project,
        {"index.md": "", "demo/a.html": html, "demo/b.html": html, "c.html": html},
        sitemap={
            "include": ["demo/*", "made.html", "404.html"],
            "dependencies": {"demo/b.html": ["data.csv"]},
            "page_dates": page_dates,
        },
        plugins=[{"gen-files": {"scripts": ["generate.py"]}}],
    )
    generate = (
        "import mkdocs_gen_files\nmkdocs_gen_files.open('made.html', 'w').close()\n"
    )
    site.repository.commit({"generate.py": generate, "data.csv": "1"}, day=2)
    site.repository.commit({"docs/demo/a.html": f"{html}\nNew"}, day=3)
    site.repository.commit({"data.csv": "2"}, day=4)
    assert build_days(site) == {
        "": 1,
        "404.html": None,
        "demo/a.html": 3,
        "demo/b.html": 4,
        "made.html": None,
    }


def test_files_of_any_type_have_the_date_of_their_file(project: Path) -> None:
    pages = {"index.md": "", "files/a.pdf": "1", "files/b.odt": "1", "data.json": "1"}
    options = {"include": ["files/*.pdf", "data.json", "index.md"]}
    site = MkDocsSite.create(project, pages, sitemap=options)
    site.repository.commit({"docs/files/a.pdf": "2"}, day=2)
    assert build_days(site) == {"": 1, "data.json": 1, "files/a.pdf": 2}


def test_a_pattern_without_a_match_is_a_warning(project: Path) -> None:
    site = make(project, exclude=["a.md", "a/b.md"])
    log = site.run("build")
    assert log.count("WARNING -") == 1
    assert "the pattern 'a/b.md'" in log


def test_patterns_for_generated_pages_that_are_not_built_are_no_warning(
    project: Path,
) -> None:
    make(project, exclude=["404.html", "search.html", "search/"]).build()


def test_the_report_option_writes_the_report(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = make(project, report="build/report.json")
    (site.path / "build").mkdir()
    site.build()
    report = json.loads((site.path / "build/report.json").read_text())
    pages = {page["name"]: page for page in report["pages"]}
    assert report["base_url"] == BASE_URL
    assert report["files"] == ["sitemap.xml"]
    assert [source["path"] for source in pages["a.md"]["sources"]] == ["docs/a.md"]
    assert pages["a.md"]["date_status"] == "commit"
    assert pages["a.md"]["sources"][0]["date"]["authored"] == "2020-02-02T02:02:02Z"
    assert (pages["secret.md"]["reason"], pages["moved.md"]["reason"]) == (
        "noindex",
        "redirect",
    )
    assert not list(site.site.rglob("*.json*report*"))
    before = (site.path / "build/report.json").read_bytes()
    site.build()
    assert (site.path / "build/report.json").read_bytes() == before


def test_hooks_change_and_exclude_entries(project: Path) -> None:
    site = MkDocsSite.create(
        project,
        {"index.md": "# Home", "a.md": "# A", "b.md": "# B"},
        hooks=["one.py", "two.py"],
    )
    one = "def edit_sitemap_url(page, url):\n    return None if page.name == 'a.md' else url\n"
    two = (
        "from dataclasses import replace\n"
        "def edit_sitemap_url(page, url):\n    return replace(url, priority='0.7')\n"
    )
    site.repository.write({"one.py": one, "two.py": two})
    entries = site.build()
    assert {url: entry.priority for url, entry in entries.items()} == {
        "": "0.7",
        "b/": "0.7",
    }
