"""The configuration of sphinx-sitemap, with the real sphinx-sitemap for comparison."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lxml import etree
from support.sphinx import SphinxSite, document

PAGES = {
    "index.rst": document("Home", toctree=("a", "sub/b")),
    "a.rst": document("A"),
    "sub/b.rst": document("B"),
    "locales/de/LC_MESSAGES/a.po": "",
    "locales/sr@latin/LC_MESSAGES/a.po": "",
    "locales/pot/a.pot": "",
    "locales/C/LC_MESSAGES/a.po": "",
}
ROOT = "https://example.org/"
SCHEME = "{lang}{version}{link}"


Alternates = dict[str, dict[str, str]]


def read_alternates(site: SphinxSite) -> Alternates:
    """Return the languages and URLs of the alternates of each listed URL."""
    root = etree.parse(site.out() / "sitemap.xml").getroot()
    return {
        str(url.findtext("{*}loc")): {
            str(link.get("hreflang")): str(link.get("href")) for link in url.iterfind("{*}link")
        }
        for url in root
    }


def build_with_sphinx_sitemap(site: SphinxSite) -> Alternates:
    site.log(overrides={"extensions": ["sphinx_sitemap"]}, force_all=True)
    return read_alternates(site)


def build_with_docs_sitemap(site: SphinxSite) -> tuple[Alternates, str]:
    log = site.log(force_all=True)
    return read_alternates(site), log.warnings


@pytest.mark.parametrize(
    ("config", "languages"),
    [
        ({"sitemap_locales": ["en", "pt_BR"]}, {"en", "pt-BR"}),
        ({"sitemap_locales": [None]}, set()),
        ({"sitemap_locales": ["en"]}, set()),
        ({"sitemap_locales": ["en", "de"], "language": "de", "version": "1.0"}, {"de", "en"}),
    ],
)
def test_the_same_urls_and_languages_are_listed(
    project: Path, config: dict[str, Any], languages: set[str]
) -> None:
    excludes = ["search.html", "genindex.html", "sub/*"]
    config = config | {"sitemap_url_scheme": SCHEME, "sitemap_excludes": excludes}
    site = SphinxSite.create(project, PAGES, html_baseurl=ROOT, **config)
    earlier = build_with_sphinx_sitemap(site)
    now, _ = build_with_docs_sitemap(site)
    assert [*now] == sorted(earlier)
    for loc, alternates in now.items():
        assert alternates.keys() == languages
        # sphinx-sitemap also links a page that has no other language with itself.
        assert not languages or alternates == earlier[loc]


def test_folders_of_catalogs_are_languages(project: Path) -> None:
    site = SphinxSite.create(project, PAGES, html_baseurl=ROOT, sitemap_url_scheme=SCHEME)
    now, _ = build_with_docs_sitemap(site)
    assert now[f"{ROOT}en/a.html"] == {
        "en": f"{ROOT}en/a.html",
        "de": f"{ROOT}de/a.html",
        "sr-Latn": f"{ROOT}sr%40latin/a.html",
    }


def test_the_folders_of_read_the_docs_are_named_after_languages(project: Path) -> None:
    site = SphinxSite.create(
        project,
        PAGES,
        html_baseurl=f"{ROOT}zh-cn/latest/",
        language="zh_CN",
        sitemap_locales=["pt_BR", "zh_CN", "de"],
        sitemap_show_lastmod=True,
    )
    now, warnings = build_with_docs_sitemap(site)
    assert not warnings
    assert now[f"{ROOT}zh-cn/latest/a.html"] == {
        "de": f"{ROOT}de/latest/a.html",
        "pt-BR": f"{ROOT}pt-br/latest/a.html",
        "zh-CN": f"{ROOT}zh-cn/latest/a.html",
    }


def test_languages_are_found_in_the_base_url(project: Path) -> None:
    site = SphinxSite.create(
        project, PAGES, html_baseurl=f"{ROOT}en/1.0", sitemap_locales=["en", "de"]
    )
    now, warnings = build_with_docs_sitemap(site)
    assert not warnings
    assert now[f"{ROOT}en/1.0/a.html"] == {
        "en": f"{ROOT}en/1.0/a.html",
        "de": f"{ROOT}de/1.0/a.html",
    }


def test_languages_without_an_effect_are_a_notice(project: Path) -> None:
    config = {"sitemap_locales": ["de"], "sitemap_url_scheme": "{link}"}
    site = SphinxSite.create(project, PAGES, html_baseurl=ROOT, **config)
    log = site.log()
    assert not log.warnings
    assert f"the languages are not linked: {ROOT} is not the address of any of" in log.status
    assert read_alternates(site)[f"{ROOT}a.html"] == {}


@pytest.mark.parametrize(
    "config", [{"sitemap_show_lastmod": True}, {"sitemap_locales": ["en", "de"]}]
)
def test_changed_urls_are_one_warning_until_the_scheme_is_set(
    project: Path, config: dict[str, Any]
) -> None:
    site = SphinxSite.create(project, PAGES, html_baseurl=ROOT, version="1.0", **config)
    earlier = build_with_sphinx_sitemap(site)
    now, warnings = build_with_docs_sitemap(site)
    assert warnings.count("WARNING: ") == 1
    before, after = f"{ROOT}en/1.0/sub/b.html", f"{ROOT}sub/b.html"
    assert before in earlier
    assert after in now
    assert f"sphinx-sitemap lists {before}, but docs-sitemap lists {after}" in warnings
    assert 'to list the second URL, set sitemap_url_scheme = "{link}"' in warnings
    assert f'to list the first, set html_baseurl = "{ROOT}en/1.0/"' in warnings
    new = site.log(overrides={"sitemap_url_scheme": "{link}"}, force_all=True)
    assert "sphinx-sitemap lists" not in new.warnings
    kept = site.log(overrides={"html_baseurl": f"{ROOT}en/1.0/"}, force_all=True)
    assert not kept.warnings
    assert before in read_alternates(site)


def test_the_message_about_changed_urls_names_the_setting_that_counts(project: Path) -> None:
    config = {"html_baseurl": "", "site_url": ROOT, "sitemap_show_lastmod": True}
    site = SphinxSite.create(project, PAGES, **config)
    _, warnings = build_with_docs_sitemap(site)
    assert f'to list the first, set site_url = "{ROOT}en/"' in warnings
    kept = site.log(overrides={"site_url": f"{ROOT}en/"}, force_all=True)
    assert not kept.warnings


@pytest.mark.parametrize("base_url", [f"{ROOT}en/", f"{ROOT}en/1.0/", f"{ROOT}1.0/en/"])
def test_a_base_url_with_the_language_needs_no_warning(project: Path, base_url: str) -> None:
    site = SphinxSite.create(
        project, PAGES, html_baseurl=base_url, version="1.0", sitemap_show_lastmod=True
    )
    log = site.log()
    assert not log.warnings
    assert "sphinx-sitemap" not in log.status
