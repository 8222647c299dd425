"""The option `sitemap_page_dates`: pages show the dates of the sitemap."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from support.page_dates import shown_dates
from support.repository import noon
from support.sphinx import SphinxSite, document

PAGES = {
    "index.rst": document("Home", toctree=("a", "b")),
    "a.rst": document("A") + "\n.. include:: ../part.txt\n",
    "b.rst": document("B", fields=":sitemap-lastmod: 2020-02-02"),
}


def make_site(project: Path, **config: Any) -> SphinxSite:
    values = {"sitemap_page_dates": True, "html_theme": "alabaster"} | config
    site = SphinxSite.create(project, PAGES, **values)
    site.repository.commit({"part.txt": "Part.\n"}, day=2)
    return site


def listed_and_shown(site: SphinxSite) -> dict[str, tuple[str | None, str | None]]:
    """Return the date in the sitemap and the date on the page, by URL."""
    dates = {}
    for url, entry in site.read().items():
        page = site.out() / url
        shown = shown_dates(page)
        meta = page.read_text().count('property="article:modified_time"')
        assert len(shown) == meta <= 1
        for timestamp, _ in shown:
            assert f'article:modified_time" content="{timestamp}"' in page.read_text()
        dates[url] = entry.lastmod, shown[0][0] if shown else None
    return dates


@pytest.mark.parametrize("theme", ["alabaster", "classic", "furo"])
def test_themes_show_the_date_in_the_language_of_the_site(
    project: Path, theme: str
) -> None:
    site = make_site(project, language="de")
    site.repository.write({"docs/new.rst": ":orphan:\n\n" + document("New")})
    site.log(overrides={"html_theme": theme})
    assert listed_and_shown(site) == {
        "a.html": (noon(2), noon(2)),
        "b.html": ("2020-02-02", "2020-02-02"),
        "index.html": (noon(1), noon(1)),
        "new.html": (None, None),
    }
    assert shown_dates(site.out() / "a.html") == [(noon(2), "02.01.2024")]
    # No label without a date, and no date of the build on generated pages.
    label = re.compile("Zuletzt aktualisiert|Last updated")  # Furo translates nothing.
    has_label = label.search((site.out() / "a.html").read_text()) is not None
    assert has_label is (theme != "alabaster")
    for name in ("new.html", "search.html", "genindex.html"):
        assert not label.search((site.out() / name).read_text())


PYDATA = {
    "docs/_themes/pydata_sphinx_theme/theme.toml": (
        '[theme]\ninherit = "basic"\nstylesheets = ["basic.css"]\n'
    ),
    "docs/_themes/pydata_sphinx_theme/layout.html": (
        '{% extends "basic/layout.html" %}{% block extrahead %}'
        '<meta name="docbuild:last-update" content="{{ last_updated | e }}"/>'
        "{% endblock %}"
    ),
}


def test_themes_can_write_the_date_into_attributes(project: Path) -> None:
    site = make_site(
        project,
        html_theme="pydata_sphinx_theme",
        html_theme_path=["_themes"],
        html_last_updated_fmt='"%d" & %m',
    )
    site.repository.write(PYDATA)
    site.build()
    text = (site.out() / "a.html").read_text()
    escaped = re.compile(r"&(?:quot|#34);02&(?:quot|#34); &amp; 01")
    assert re.search(f'docbuild:last-update" content="{escaped.pattern}"/>', text)
    assert "docs-sitemap-" not in text


def test_the_format_is_the_one_of_sphinx(project: Path) -> None:
    site = make_site(project, html_last_updated_fmt="%d.%m.%Y")
    site.build()
    assert shown_dates(site.out() / "a.html") == [(noon(2), "02.01.2024")]


@pytest.mark.parametrize("parallel", [0, 2])
def test_an_incremental_build_writes_pages_with_new_dates_again(
    project: Path, parallel: int
) -> None:
    site = make_site(project)
    site.build(parallel=parallel)
    unchanged = (site.out() / "b.html").stat().st_mtime_ns
    # Sphinx does not read the document again: its text is the same.
    site.repository.commit({"docs/index.rst": PAGES["index.rst"] + "\n"}, day=3)
    site.repository.git("commit", "--quiet", "--amend", "--no-edit", day=4)
    site.repository.commit({"part.txt": "New part.\n"}, day=5)
    site.build(parallel=parallel)
    dates = listed_and_shown(site)
    assert dates["a.html"] == (noon(5), noon(5))
    assert all(listed == shown for listed, shown in dates.values())
    assert (site.out() / "b.html").stat().st_mtime_ns == unchanged


def test_a_commit_after_the_build_changes_the_date_of_the_page(project: Path) -> None:
    site = make_site(project)
    site.repository.write({"docs/a.rst": document("New")})
    site.build()
    site.repository.commit({}, day=6)
    site.build()
    assert listed_and_shown(site)["a.html"] == (noon(6), noon(6))


def test_dates_disappear_when_the_option_is_turned_off(project: Path) -> None:
    site = make_site(project)
    site.build()
    site.configure(html_theme="alabaster")
    site.build()
    assert shown_dates(site.out() / "a.html") == []


def test_local_builds_without_an_address_show_dates(project: Path) -> None:
    site = make_site(project, html_baseurl="")
    site.log()
    assert shown_dates(site.out() / "a.html") == [(noon(2), "Jan 02, 2024")]


def test_templates_can_use_the_date(project: Path) -> None:
    site = make_site(project, templates_path=["_templates"])
    layout = (
        '{% extends "!layout.html" %}{% block extrahead %}'
        "{% if sitemap_lastmod %}<i>{{ sitemap_lastmod }}</i>{% endif %}{% endblock %}"
    )
    site.repository.write({"docs/_templates/layout.html": layout})
    site.build()
    assert f"<i>{noon(2)}</i>" in (site.out() / "a.html").read_text()
    assert "<i>" not in (site.out() / "search.html").read_text()


HANDLER = """
def edit(app, page, url):
    with open(os.path.join(app.confdir, "../calls.txt"), "a") as file:
        print(page.name, file=file)
    return url

def setup(app):
    app.connect("sitemap-url", edit)

import os
"""


def calls(project: Path) -> list[str]:
    """Return the names of the pages that the handler has received."""
    file = project / "calls.txt"
    names = sorted(file.read_text().split())
    file.unlink()
    return names


def test_the_handler_receives_each_page_once(project: Path) -> None:
    config = {
        "html_additional_pages": {"extra": "page.html"},
        "html_extra_path": ["static"],
        "sitemap_include": ["x.html"],
        "sitemap_excludes": ["extra.html", "no"],
    }
    site = make_site(project, **config)
    site.extend_configuration(HANDLER)
    hidden = ":orphan:\n:sitemap: false\n\n" + document("Hidden")
    files = {"docs/hidden.rst": hidden, "docs/static/x.html": "<title>x</title>"}
    site.repository.write(files)
    log = site.log()
    # What the build has not written yet is dated afterwards.
    assert calls(project) == sorted([*PAGES, "hidden.rst", "x.html"])
    assert "the pattern 'no' of sitemap_excludes matches no page" in log.warnings
    assert log.number_of_warnings == 1
    assert set(site.read()) == {"a.html", "b.html", "index.html", "x.html"}
    site.log(overrides={"sitemap_page_dates": False})
    assert calls(project) == sorted([*PAGES, "x.html"])


@pytest.mark.parametrize("builder", ["html", "dirhtml"])
def test_the_sitemap_is_the_same_if_pages_show_its_dates(
    project: Path, builder: str
) -> None:
    config = {
        "html_additional_pages": {"extra": "page.html"},
        "sitemap_dependencies": {"extra": ["../part.txt"], "{name}": ["{name}.txt"]},
        "sitemap_rules": [{"match": ["extra*", "b*"], "priority": 0.3}],
        "extensions": ["sphinx.ext.viewcode"],
    }
    site = make_site(project, **config)
    files = {
        "docs/search.rst": ":orphan:\n\n" + document("Overwritten by Sphinx"),
        "docs/moved.rst": ":orphan:\n\n.. meta::\n   :robots: noindex\n\nMoved\n=====\n",
    }
    site.repository.commit(files | {"docs/b.txt": "", "docs/extra.txt": ""}, day=4)
    sitemaps = []
    for page_dates in (False, True):
        overrides = {"sitemap_page_dates": page_dates}
        site.log(builder, overrides=overrides, force_all=True)
        sitemaps.append((site.out(builder) / "sitemap.xml").read_bytes())
        names = {url.strip("/").removesuffix(".html") for url in site.read(builder)}
        assert names - {"", "index"} == {"a", "b", "extra"}
    assert sitemaps[0] == sitemaps[1]


def test_other_builders_show_no_dates(project: Path) -> None:
    site = make_site(project)
    assert not site.log("text").warnings
