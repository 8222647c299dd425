"""Templates of the user, and files with the name of the sitemap."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.mkdocs import MkDocsSite

PAGES = {
    "index.md": "# Home",
    "a&b.md": "# A",
    "hidden.md": "---\nsitemap: false\n---\n",
}

TEMPLATE = """\
<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
{% for url in urls %}<url><loc>{{ url.loc }}</loc>
{% if url.lastmod %}<lastmod>{{ url.lastmod }}</lastmod>{% endif %}
<priority>0.1</priority></url>{% endfor %}
</urlset>
"""


def test_pages_that_the_template_leaves_out_are_excluded(project: Path) -> None:
    sitemap = {"template": "mine.xml", "report": "report.json"}
    site = MkDocsSite.create(project, PAGES, sitemap=sitemap)
    some = TEMPLATE.replace("in urls", "in urls if 'a%26b/' not in url.loc")
    site.repository.write({"mine.xml": some})
    site.run("build", "--strict")
    assert list(site.read()) == [""]
    report = json.loads((project / "report.json").read_bytes())
    assert [page["reason"] for page in report["pages"] if "reason" in page] == [
        "template",
        "front-matter",
    ]


def test_an_unused_template_in_custom_dir_is_a_warning(project: Path) -> None:
    site = MkDocsSite.create(
        project, PAGES, theme={"name": "mkdocs", "custom_dir": "overrides"}
    )
    site.repository.write({"overrides/sitemap.xml": TEMPLATE})
    log = site.run("build")
    assert log.count("WARNING") == 1
    override = Path("overrides/sitemap.xml")
    assert f"{override} is not used" in log
    assert {entry.priority for entry in site.read().values()} == {None}
    # This is the fix.
    site.replace_in_config("sitemap: {}", "sitemap: {template: overrides/sitemap.xml}")
    site.run("build", "--strict")
    assert {entry.priority for entry in site.read().values()} == {"0.1"}


def test_a_custom_template(project: Path) -> None:
    site = MkDocsSite.create(project, PAGES, sitemap={"template": "etc/mine.xml"})
    site.repository.write({"etc/mine.xml": TEMPLATE})
    assert {entry.priority for entry in site.build().values()} == {"0.1"}


@pytest.mark.parametrize("option", ["exclude_docs", "draft_docs"])
def test_an_excluded_file_with_the_same_name_is_not_a_conflict(
    project: Path, option: str
) -> None:
    site = MkDocsSite.create(
        project, PAGES | {"sitemap.xml": "<urlset/>"}, **{option: "sitemap.xml"}
    )
    assert list(site.build()) == ["", "a%26b/"]


def test_replacing_a_sitemap_in_docs_dir_is_a_warning(project: Path) -> None:
    site = MkDocsSite.create(project, PAGES | {"sitemap.xml": "<urlset/>"})
    log = site.run("build")
    assert "own sitemap.xml is replaced" in log
    assert "Fix: remove it" in log
    assert list(site.read()) == ["", "a%26b/"]


def test_replacing_an_extra_template_is_a_warning(project: Path) -> None:
    site = MkDocsSite.create(
        project, PAGES | {"sitemap.xml": "<urlset/>"}, extra_templates=["sitemap.xml"]
    )
    log = site.run("build")
    assert log.count("WARNING") == 1
    assert "own sitemap.xml is replaced" in log
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
