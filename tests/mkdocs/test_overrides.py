"""A user's own sitemap, beside the plugin's or instead of its template."""

from __future__ import annotations

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


def test_a_template_in_custom_dir_is_used_if_the_option_says_so(project: Path) -> None:
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


def test_the_navigation_is_there_even_if_no_page_is_built(project: Path) -> None:
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


def test_otherwise_it_is_replaced_and_a_warning_says_so(project: Path) -> None:
    site = MkDocsSite.create(project, PAGES, theme={"name": "mkdocs", "custom_dir": "overrides"})
    site.repository.write({"overrides/sitemap.xml": THEME_TEMPLATE})
    log = site.run("build")
    assert log.count("WARNING") == 1
    assert "overrides/sitemap.xml is not used; set the sitemap plugin's option template" in log
    assert {entry.priority for entry in site.read().values()} == {None}


def test_mkdocs_own_template_can_be_kept(project: Path) -> None:
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
    assert "WARNING -  mkdocs_sitemap: no new sitemap is written: the theme's sitemap.xml" in log
    site.repository.write({"overrides/sitemap.xml": "{{ 1 / 0 }}"})
    assert "division by zero" in site.run("build")
    assert not (site.site / "sitemap.xml").exists()


def test_a_template_of_ones_own(project: Path) -> None:
    template = THEME_TEMPLATE.replace("file in pages", "url in urls")
    template = template.replace("file.page.canonical_url", "url.loc")
    template = template.replace("file.page.update_date", "url.lastmod").split("<!--")[0]
    site = MkDocsSite.create(project, PAGES, sitemap={"template": "etc/mine.xml"})
    site.repository.write({"etc/mine.xml": template + "</urlset>"})
    assert {entry.priority for entry in site.build().values()} == {"0.1"}


def test_a_template_that_lies_among_the_pages_or_in_the_theme_is_not_published(
    project: Path,
) -> None:
    template = THEME_TEMPLATE.split("{%")[0] + "{% for url in urls %}<url><loc>{{ url.loc }}</loc>"
    template += "</url>{% endfor %}</urlset>"
    for name, theme in (
        ("docs/etc/mine.xml", "mkdocs"),
        ("docs/sitemap.xml", "mkdocs"),
        ("overrides/mine.xml", {"name": "mkdocs", "custom_dir": "overrides"}),
    ):
        path = project / name.replace("/", "-")
        site = MkDocsSite.create(path, PAGES, sitemap={"template": name}, theme=theme)
        index = f"{name.rpartition('/')[0]}/sitemapindex.xml"
        site.repository.write({name: template, index: "{{ sitemaps }}"})
        assert list(site.build()) == ["", "a%26b/"]
        published = {path.name for path in site.site.rglob("*.xml")}
        assert published == {"sitemap.xml"}


def test_a_file_that_is_not_published_is_no_conflict(project: Path) -> None:
    site = MkDocsSite.create(
        project, PAGES | {"sitemap.xml": "<urlset/>"}, exclude_docs="sitemap.xml"
    )
    assert list(site.build()) == ["", "a%26b/"]


def test_a_twin_among_the_pages_does_not_vanish_without_a_word(project: Path) -> None:
    log = MkDocsSite.create(project, PAGES | {"sitemap.xml.gz": "x"}).run("build")
    assert "docs holds a file sitemap.xml.gz" in log


def test_a_sitemap_among_the_pages_is_replaced_and_a_warning_says_so(project: Path) -> None:
    site = MkDocsSite.create(project, PAGES | {"sitemap.xml": "<urlset/>"})
    log = site.run("build")
    assert "docs holds a file sitemap.xml, which the sitemap plugin replaces by its own" in log
    assert list(site.read()) == ["", "a%26b/"]


def test_so_is_one_among_the_extra_templates(project: Path) -> None:
    site = MkDocsSite.create(
        project, PAGES | {"sitemap.xml": "<urlset/>"}, extra_templates=["sitemap.xml"]
    )
    log = site.run("build")
    assert log.count("WARNING") == 1
    assert "extra_templates lists sitemap.xml, which the sitemap plugin replaces" in log
    assert list(site.read()) == ["", "a%26b/"]


def test_ones_own_file_stays_where_the_plugin_writes_none(project: Path) -> None:
    site = MkDocsSite.create(project, PAGES | {"sitemap.xml": "<urlset/>"}, site_url="")
    site.run("build")
    assert (site.site / "sitemap.xml").read_text() == "<urlset/>"


def test_ones_own_file_stays_beside_another_filename(project: Path) -> None:
    site = MkDocsSite.create(
        project, PAGES | {"sitemap.xml": "<urlset/>"}, sitemap={"filename": "pages.xml"}
    )
    site.run("build", "--strict")
    assert (site.site / "sitemap.xml").read_text() == "<urlset/>"
    assert (site.site / "pages.xml").exists()
