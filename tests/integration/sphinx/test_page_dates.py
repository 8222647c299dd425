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
    assert label.search((site.out() / "a.html").read_text())
    for name in ("new.html", "search.html", "genindex.html"):
        assert not label.search((site.out() / name).read_text())


def make_own_theme(
    project: Path, layout: str, text: str = "", **config: Any
) -> SphinxSite:
    """Write a site with one page, whose theme has only one template."""
    theme = {"html_theme": "own", "html_theme_path": ["_themes"]}
    page = ":orphan:\n\nText.\n" + text
    site = SphinxSite.create(
        project, {"index.rst": page}, sitemap_page_dates=True, **theme, **config
    )
    files = {
        "docs/_themes/own/theme.toml": '[theme]\ninherit = "none"\nstylesheets = ["own.css"]\n',
        "docs/_themes/own/static/own.css": "",
    }
    for name in ("page", "search", "genindex", "layout"):
        files[f"docs/_themes/own/{name}.html"] = layout
    site.repository.write(files)
    return site


DATE = f'<time class="docs-sitemap-date" datetime="{noon(1)}">Jan 01, 2024</time>'
BELOW = f'<p class="docs-sitemap-date"><small>Last updated on {DATE}.</small></p>'


@pytest.mark.parametrize(
    ("layout", "shown"),
    [
        ("<div>{{ body }}</div>", "<div>{body}{below}</div>"),
        ("{{ body }}<i>{{ last_updated }}</i>", "{body}<i>{date}</i>"),
        ("<i>{{ last_updated | e }}</i>{{ body }}", "<i>{date}</i>{body}"),
        # As in PyData: outside of the text, this is no date for readers.
        (
            '<meta content="{{ last_updated | e }}"/>{{ body }}',
            '<meta content="Jan 01, 2024"/>{body}{below}',
        ),
        (
            '<meta content="{{ last_updated | e }}"/>{{ body }}<i>{{ last_updated | e }}</i>',
            '<meta content="Jan 01, 2024"/>{body}<i>{date}</i>',
        ),
    ],
)
def test_a_theme_is_recognized_by_what_it_shows(
    project: Path, layout: str, shown: str
) -> None:
    site = make_own_theme(project, layout)
    assert "has no effect" not in site.log().status
    body = "<p>Text.</p>\n"
    expected = shown.format(body=body, date=DATE, below=BELOW)
    assert squeeze((site.out() / "index.html").read_text()) == squeeze(expected)


def squeeze(page: str) -> str:
    return re.sub(r"\s+", " ", page).replace("> <", "><").strip()


def test_a_theme_that_cannot_show_dates_is_reported_once(project: Path) -> None:
    site = make_own_theme(project, "{{ title }}")
    log = site.log()
    assert log.status.count("sitemap_page_dates has no effect") == 1
    assert not log.warnings


def test_nothing_else_in_a_page_is_rewritten(project: Path) -> None:
    markup = f".. raw:: html\n\n   {BELOW} {38 * '1'}-below\n"
    site = make_own_theme(project, "<div>{{ body }}</div>", f"\n{markup}")
    site.log()
    page = (site.out() / "index.html").read_text()
    assert page.count(BELOW) == 2
    assert page.endswith(f"{BELOW}</div>")
    site.log(overrides={"sitemap_page_dates": False})
    unchanged = (site.out() / "index.html").read_text()
    assert unchanged == page.removesuffix(f"{BELOW}</div>") + "</div>"


def test_text_in_attributes_is_escaped(project: Path) -> None:
    layout = '<meta content="{{ last_updated | e }}"/>{{ body }}'
    site = make_own_theme(project, layout, html_last_updated_fmt='"%d" & %m')
    site.log()
    text = (site.out() / "index.html").read_text()
    assert 'content="&quot;01&quot; &amp; 01"' in text


def test_the_format_is_the_one_of_sphinx(project: Path) -> None:
    site = make_site(project, html_last_updated_fmt='<%d.%m.%Y> & "')
    site.build()
    shown = "&lt;02.01.2024&gt; &amp; &quot;"
    assert shown_dates(site.out() / "a.html") == [(noon(2), shown)]


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


def test_a_page_that_loses_its_date_is_written_again(project: Path) -> None:
    site = make_site(project)
    site.build()
    site.repository.git("rm", "--quiet", "--cached", "docs/a.rst")
    site.repository.git("commit", "--quiet", "--message", "untracked", day=6)
    site.build()
    assert shown_dates(site.out() / "a.html") == []


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
    assert "the pattern 'no'" in log.warnings
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
