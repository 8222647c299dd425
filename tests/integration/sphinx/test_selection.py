"""Which built pages are listed, and why others are not."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.cli import docs_sitemap
from support.coverage import write_coverage_report
from support.repository import noon
from support.sphinx import BASE_URL, SphinxSite, days, document

PAGES = {
    "index.rst": "Home\n====\n\n.. toctree::\n   :glob:\n\n   *\n",
    "a.rst": "A\n=\n",
    "b.py.txt": "This is not a document.",
    "secret.rst": ".. meta::\n   :robots: noindex\n\nSecret\n======\n",
    "moved.rst": "Moved\n=====\n",
    "requested.rst": ":sitemap: true\n\n.. meta::\n   :robots: none\n\nRequested\n=========\n",
}


@pytest.mark.parametrize("builder", ["html", "dirhtml"])
def test_noindex_pages_and_redirects_are_excluded_and_the_log_says_why(
    project: Path, builder: str
) -> None:
    site = SphinxSite.create(
        project,
        PAGES,
        extensions=["sphinx_reredirects"],
        redirects={"moved": "a.html", "gone": "a.html"},
    )
    log = site.log(builder, verbosity=1)
    assert not log.warnings
    listed = {
        "html": ["a.html", "index.html", "requested.html"],
        "dirhtml": ["", "a/", "requested/"],
    }
    assert list(site.read(builder)) == listed[builder]
    assert "excluded: secret.rst: " in log.status
    assert "excluded: moved.rst: " in log.status


def test_a_template_with_the_canonical_link_of_the_home_page(project: Path) -> None:
    pages = {name: PAGES[name] for name in ("index.rst", "a.rst")}
    site = SphinxSite.create(
        project, {**pages, "b.rst": "B\n=\n"}, templates_path=["templates"]
    )
    link = f'<link rel="canonical" href="{BASE_URL}">'
    site.repository.write({"docs/templates/layout.html": link})
    log = site.log()
    assert list(site.read()) == ["index.html"]
    assert log.number_of_warnings == 1
    assert "correct the template" in log.warnings


def test_redirects_without_a_document_are_not_listed(project: Path) -> None:
    pages = {name: PAGES[name] for name in ("index.rst", "a.rst")}
    site = SphinxSite.create(
        project, pages, extensions=["sphinx_reredirects"], redirects={"old": "a.html"}
    )
    assert list(site.build()) == ["a.html", "index.html"]
    assert (site.out() / "old.html").exists()


def test_pages_of_sphinx_can_be_included(project: Path) -> None:
    site = SphinxSite.create(
        project,
        PAGES,
        extensions=["sphinx_reredirects"],
        redirects={"gone": "a.html"},
        sitemap_include=["genindex", "search.html", "gone.html"],
    )
    assert {"genindex.html", "search.html", "gone.html"} < site.build().keys()


def test_the_exclusion_of_pages_of_sphinx_can_be_ignored(project: Path) -> None:
    site = SphinxSite.create(project, PAGES, sitemap_ignore_reasons=["generator-page"])
    entries = site.build()
    assert "genindex.html" in entries
    assert "search.html" not in entries, "Sphinx's template declares noindex"


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
def test_incorrect_canonical_links_of_sphinx_exclude_no_page(
    project: Path, theme: str, builder: str, options: dict[str, str]
) -> None:
    pages = {name: PAGES[name] for name in ("index.rst", "a.rst")}
    site = SphinxSite.create(project, pages, **options)
    # `SphinxTestApp` would replace alabaster if `conf.py` named it.
    log = site.log(builder, overrides={"html_theme": theme})
    assert ": 2 URLs," in log.status


def test_a_pattern_that_matches_no_page_is_a_warning_that_can_be_suppressed(
    project: Path,
) -> None:
    site = SphinxSite.create(
        project,
        PAGES,
        sitemap_url_scheme="{link}",
        sitemap_excludes=["genindex.html", "a", "a/b"],
    )
    log = site.log()
    assert log.number_of_warnings == 1
    assert "the pattern 'a/b'" in log.warnings
    site.build(overrides={"suppress_warnings": "sitemap.pattern"})


@pytest.mark.parametrize("builder", ["html", "dirhtml"])
def test_patterns_for_generated_pages_that_are_not_built_are_no_warning(
    project: Path, builder: str
) -> None:
    names = ["search", "genindex", "py-modindex", "404"]
    patterns = [f"{name}.html" for name in names] + ["_modules/*", "_modules/**"]
    patterns += ["search/", "genindex/index.html", "genindex-*", "py-modindex"]
    site = SphinxSite.create(
        project,
        PAGES,
        sitemap_url_scheme="{link}",
        sitemap_excludes=patterns,
        html_use_index=False,
    )
    site.build(builder)


def test_file_wide_metadata(project: Path) -> None:
    fields = {
        "out": ":sitemap: false",
        "all": ":sitemap-lastmod: 2020-02-03\n:sitemap-changefreq: never\n:sitemap-priority: 1",
        "excluded": ":sitemap-exclude: yes\n:sitemap-priority: 0.3",
        "both": ":sitemap: true\n:sitemap-priority: 0.3",
        "search": ":sitemap: true",
        "listed": ":sitemap: false\n:sitemap-exclude: no",
    }
    pages = {
        f"{name}.rst": document("X", fields=f":orphan:\n{text}")
        for name, text in fields.items()
    }
    entries = SphinxSite.create(
        project, {"index.rst": document("Home")} | pages
    ).build()
    names = ["all", "both", "index", "listed", "search"]
    assert list(entries) == [f"{name}.html" for name in names]
    complete = entries["all.html"]
    assert complete.lastmod == "2020-02-03"
    assert (complete.changefreq, complete.priority) == ("never", "1.0")
    assert entries["both.html"].priority == "0.3"


def test_myst_front_matter_is_the_same_as_in_mkdocs(project: Path) -> None:
    site = SphinxSite.create(
        project,
        {
            "index.md": "# Home\n",
            "out.md": "---\norphan: true\nsitemap: false\n---\n# Out\n",
            "in.md": "---\norphan: 1\nsitemap: {priority: 0.8, lastmod: '2020-02-03'}\n---\n# In\n",
            "null.md": "---\norphan: 1\nsitemap:\n---\n# Null\n",
            "field.md": "---\norphan: true\nsitemap-priority: 0.7\n---\n# Field\n",
        },
        extensions=["myst_parser"],
    )
    entries = site.build()
    assert list(entries) == ["field.html", "in.html", "index.html", "null.html"]
    assert (entries["in.html"].priority, entries["in.html"].lastmod) == (
        "0.8",
        "2020-02-03",
    )
    assert entries["field.html"].priority == "0.7"
    assert entries["field.html"].lastmod == noon(1)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        (
            ":sitemap: perhaps",
            "a.rst: sitemap is ignored: 'perhaps' is not true, false, or a mapping",
        ),
        (
            ":sitemap: {priority",
            "a.rst: sitemap is ignored: '{priority' is not true, false, or a mapping",
        ),
        (
            ":sitemap: perhaps\n:sitemap-priority: 0.3",
            "a.rst: sitemap is ignored: 'perhaps' is not true, false, or a mapping",
        ),
        (
            ":sitemap-color: red",
            "a.rst: the sitemap setting 'color' is ignored: it is not one of ",
        ),
    ],
)
def test_invalid_metadata_is_one_warning(
    project: Path, fields: str, message: str
) -> None:
    pages = {
        "index.rst": document("Home", toctree=("a",)),
        "a.rst": document("A", fields=fields),
    }
    site = SphinxSite.create(project, pages)
    log = site.log()
    assert log.number_of_warnings == 1
    assert message in log.warnings
    assert list(site.read()) == ["a.html", "index.html"]


def test_lists_of_sphinx_gallery_are_excluded(project: Path) -> None:
    gallery = {
        "examples_dirs": "../examples",
        "gallery_dirs": "gallery",
        "show_api_usage": True,
    }
    without_matplotlib = {"image_scrapers": (), "reset_modules": ()}
    site = SphinxSite.create(
        project,
        {"index.rst": "Home\n====\n\n.. toctree::\n\n   gallery/index\n"},
        extensions=["sphinx_gallery.gen_gallery"],
        sphinx_gallery_conf=gallery | without_matplotlib,
    )
    example = '"""\nExample\n=======\n"""\nprint(1)\n'
    readme = document("Gallery")
    site.repository.write(
        {"examples/README.rst": readme, "examples/plot_one.py": example}
    )
    site.log()  # It warns about the page that it writes.
    assert set(site.read()) == {
        "index.html",
        "gallery/index.html",
        "gallery/plot_one.html",
    }
    assert (site.out() / "gallery/sg_execution_times.html").exists()
    assert (site.out() / "sg_api_usage.html").exists()


@pytest.mark.parametrize("folder", ["", "htmlcov/"])
def test_a_copied_coverage_report_is_not_part_of_the_site(
    project: Path, folder: str
) -> None:
    # Sphinx copies the content of the folder. The home page replaces the start of the
    # report.
    path = "../reports" if folder else "../reports/htmlcov"
    site = SphinxSite.create(
        project, {"index.rst": document("Home")}, html_extra_path=[path]
    )
    (site.path / "reports").mkdir()
    write_coverage_report(site.path / "reports")
    site.build()
    assert list(site.read()) == ["index.html"]
    done = docs_sitemap("check", "--strict", site.out(), cwd=site.path)
    assert done.code == 0
    assert (site.out() / folder / "program_py.html").exists()
    shown = docs_sitemap(
        "explain", site.out(), f"{folder}program_py.html", cwd=site.path
    ).out
    assert "coverage.py" in shown


def test_a_copied_page_is_listed_or_excluded_by_name(project: Path) -> None:
    site = SphinxSite.create(
        project, {"index.rst": document("Home")}, html_extra_path=["../extra"]
    )
    site.repository.write({"extra/demo.html": "<title>Demo</title>"})
    site.build()
    done = docs_sitemap("check", site.out(), cwd=site.path)
    assert "demo.html: warning missing: " in done.out
    for option, listed in (
        ("sitemap_excludes", []),
        ("sitemap_include", ["demo.html"]),
    ):
        site.configure(html_extra_path=["../extra"], **{option: ["demo.html"]})
        assert [*site.build()] == [*listed, "index.html"]
        done = docs_sitemap("check", "--strict", site.out(), cwd=site.path)
        assert done.code == 0, done.out


def test_copied_pages_have_the_date_of_their_file(project: Path) -> None:
    html = "<title>Demo</title>"
    site = SphinxSite.create(
        project,
        {"index.rst": document("Home")},
        html_extra_path=["../extra", "../more", "../one.html"],
        html_static_path=["../static"],
        sitemap_include=["demo/*", "one.html", "genindex.html", "_static/game.html"],
    )
    site.repository.commit(
        {
            "extra/demo/a.html": html,
            "extra/demo/b.html": html,
            "more/demo/b.html": f"{html}More",
            "one.html": html,
            "static/game.html": html,
        },
        day=2,
    )
    site.repository.commit({"extra/demo/b.html": f"{html}\nHidden"}, day=3)
    site.repository.commit({"extra/demo/a.html": f"{html}\nNew"}, day=4)
    site.repository.commit({"one.html": f"{html}\nNew"}, day=5)
    assert days(site.build()) == {
        "index": 1,
        "demo/a": 4,
        "demo/b": 2,
        "_static/game": 2,
        "genindex": None,
        "one": 5,
    }


def test_files_of_any_type_have_the_date_of_their_file(project: Path) -> None:
    site = SphinxSite.create(
        project,
        {"index.rst": document("Home")},
        html_extra_path=["../extra"],
        sitemap_include=["files/*.pdf", "_static/language_data.js"],
    )
    site.repository.commit({"extra/files/a.pdf": "1", "extra/b.pdf": "1"}, day=2)
    assert days(site.build()) == {
        "index": 1,
        "files/a.pdf": 2,
        "_static/language_data.js": None,
    }


def test_handlers_of_an_event_change_and_exclude_entries(project: Path) -> None:
    site = SphinxSite.create(project, PAGES)
    site.extend_configuration(
        "from dataclasses import replace\ndef exclude(app, page, url):\n    return "
        "None if page.name == 'a.rst' else url\ndef change(app, page, url):\n    "
        "return replace(url, priority='0.7')\ndef change_last(app, page, url):\n    "
        "return replace(url, priority='0.2') if page.name == 'moved.rst' else url\n"
        "def setup(app):\n    "
        "for handler in (change, change_last, exclude):\n        "
        "app.connect('sitemap-url', handler)\n"
    )
    entries = site.build()
    assert {url: entry.priority for url, entry in entries.items()} == {
        "index.html": "0.7",
        "requested.html": "0.7",
        "moved.html": "0.2",
    }
