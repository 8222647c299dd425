"""Templates of the user and of the theme, and files with the name of the sitemap."""

from __future__ import annotations

import json
from pathlib import Path

from support.mkdocs import MkDocsSite

PAGES = {"index.md": "# Home", "a&b.md": "# A", "hidden.md": "---\nsitemap: false\n---\n"}

THEME_TEMPLATE = """\
<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
{% for file in pages %}<url><loc>{{ file.page.canonical_url }}</loc>
{% if file.page.update_date %}<lastmod>{{ file.page.update_date }}</lastmod>{% endif %}
<priority>0.1</priority></url>{% endfor %}
<!-- {{ config.site_name }} {{ nav|length }} {{ urls|length }} -->
</urlset>
"""


def test_template_theme_uses_the_template_in_custom_dir(project: Path) -> None:
    site = MkDocsSite.create(
        project,
        PAGES,
        sitemap={"template": "theme"},
        theme={"name": "mkdocs", "custom_dir": "overrides"},
        site_name="A & <B>",
    )
    site.repository.write({"overrides/sitemap.xml": THEME_TEMPLATE})
    entries = site.build()
    assert list(entries) == ["", "a%26b/"]
    assert {entry.priority for entry in entries.values()} == {"0.1"}
    assert entries[""].lastmod == "2024-01-01T10:00:00+00:00"
    assert b"A &amp; &lt;B&gt; 3 2" in (site.site / "sitemap.xml").read_bytes(), "it is escaped"


def test_pages_that_the_theme_template_leaves_out_are_excluded(project: Path) -> None:
    site = MkDocsSite.create(
        project,
        PAGES,
        sitemap={"template": "theme", "report": "report.json"},
        theme={"name": "mkdocs", "custom_dir": "overrides"},
    )
    some = THEME_TEMPLATE.replace("in pages", "in pages if file.url != 'a%26b/'")
    site.repository.write({"overrides/sitemap.xml": some})
    log = site.run("build", "--strict")
    assert list(site.read()) == [""]
    assert (
        "sitemap.xml: 1 URL, 1 with lastmod, 2 pages excluded (1: the custom template leaves the "
        "page out; 1: the front matter or metadata of the page excludes it)" in log
    )
    report = json.loads((project / "report.json").read_bytes())
    assert [page["reason"] for page in report["pages"] if "reason" in page] == [
        "template",
        "front-matter",
    ]


def test_the_theme_template_has_the_navigation_in_dirty_builds(project: Path) -> None:
    site = MkDocsSite.create(
        project,
        PAGES,
        sitemap={"template": "theme"},
        theme={"name": "mkdocs", "custom_dir": "overrides"},
    )
    template = THEME_TEMPLATE.replace("file in pages", "page in nav.pages")
    template = template.replace("file.page", "page")
    site.repository.write({"overrides/sitemap.xml": template})
    site.run("build")
    pages = set(site.read())
    site.run("build", "--dirty")
    assert set(site.read()) == pages == {"", "a%26b/", "hidden/"}


def test_an_unused_template_in_custom_dir_is_a_warning(project: Path) -> None:
    site = MkDocsSite.create(project, PAGES, theme={"name": "mkdocs", "custom_dir": "overrides"})
    site.repository.write({"overrides/sitemap.xml": THEME_TEMPLATE})
    log = site.run("build")
    assert log.count("WARNING") == 1
    override = Path("overrides/sitemap.xml")
    assert f"{override} is not used: the sitemap plugin has its own template." in log
    assert {entry.priority for entry in site.read().values()} == {None}


def test_template_theme_uses_the_built_in_template_of_mkdocs(project: Path) -> None:
    site = MkDocsSite.create(project, PAGES, sitemap={"template": "theme"})
    entries = site.build()
    assert list(entries) == ["", "a%26b/"]
    assert entries[""].lastmod == "2024-01-01T10:00:00+00:00"


def test_a_broken_theme_template_is_a_warning(project: Path) -> None:
    site = MkDocsSite.create(
        project,
        PAGES,
        sitemap={"template": "theme"},
        theme={"name": "mkdocs", "custom_dir": "overrides"},
    )
    site.repository.write({"overrides/sitemap.xml": "{% for %}"})
    log = site.run("build")
    fault = "no new sitemap is written: the template 'sitemap.xml', line 1: "
    assert f"WARNING -  mkdocs_sitemap: {fault}" in log
    site.repository.write({"overrides/sitemap.xml": "{{ 1 / 0 }}"})
    assert "division by zero" in site.run("build")
    assert not (site.site / "sitemap.xml").exists()


def test_a_custom_template(project: Path) -> None:
    template = THEME_TEMPLATE.replace("file in pages", "url in urls")
    template = template.replace("file.page.canonical_url", "url.loc")
    template = template.replace("file.page.update_date", "url.lastmod").split("<!--")[0]
    site = MkDocsSite.create(project, PAGES, sitemap={"template": "etc/mine.xml"})
    site.repository.write({"etc/mine.xml": template + "</urlset>"})
    assert {entry.priority for entry in site.build().values()} == {"0.1"}


def test_an_excluded_file_with_the_same_name_is_not_a_conflict(project: Path) -> None:
    site = MkDocsSite.create(
        project, PAGES | {"sitemap.xml": "<urlset/>"}, exclude_docs="sitemap.xml"
    )
    assert list(site.build()) == ["", "a%26b/"]


def test_replacing_a_sitemap_in_docs_dir_is_a_warning(project: Path) -> None:
    site = MkDocsSite.create(project, PAGES | {"sitemap.xml": "<urlset/>"})
    log = site.run("build")
    assert "your own sitemap.xml is replaced: the sitemap plugin writes a file with this n" in log
    assert "Fix: remove it from docs or extra_templates, or set the option filename" in log
    assert list(site.read()) == ["", "a%26b/"]


def test_replacing_an_extra_template_is_a_warning(project: Path) -> None:
    site = MkDocsSite.create(
        project, PAGES | {"sitemap.xml": "<urlset/>"}, extra_templates=["sitemap.xml"]
    )
    log = site.run("build")
    assert log.count("WARNING") == 1
    assert "your own sitemap.xml is replaced: " in log
    assert list(site.read()) == ["", "a%26b/"]


def test_a_file_of_the_user_stays_if_no_sitemap_is_written(project: Path) -> None:
    site = MkDocsSite.create(project, PAGES | {"sitemap.xml": "<urlset/>"}, site_url="")
    site.run("build")
    assert (site.site / "sitemap.xml").read_text() == "<urlset/>"


def test_a_file_of_the_user_stays_if_the_filename_differs(project: Path) -> None:
    site = MkDocsSite.create(
        project, PAGES | {"sitemap.xml": "<urlset/>"}, sitemap={"filename": "pages.xml"}
    )
    site.run("build", "--strict")
    assert (site.site / "sitemap.xml").read_text() == "<urlset/>"
    assert (site.site / "pages.xml").exists()
