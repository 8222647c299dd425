"""The configuration of sphinx-sitemap, with the real sphinx-sitemap for comparison."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lxml import etree
from support.sphinx import SphinxSite, document

from docs_sitemap.diagnostics import Severity
from sphinx_sitemap_ext.earlier_urls import decide

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
            str(link.get("hreflang")): str(link.get("href"))
            for link in url.iterfind("{*}link")
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
        (
            {"sitemap_locales": ["en", "de"], "language": "de", "version": "1.0"},
            {"de", "en"},
        ),
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
    site = SphinxSite.create(
        project, PAGES, html_baseurl=ROOT, sitemap_url_scheme=SCHEME
    )
    now, _ = build_with_docs_sitemap(site)
    assert now[f"{ROOT}en/a.html"] == {
        "en": f"{ROOT}en/a.html",
        "de": f"{ROOT}de/a.html",
        "sr-Latn": f"{ROOT}sr%40latin/a.html",
    }


@pytest.mark.parametrize(
    ("compact", "names"),
    [
        (
            True,
            {"de": "sub.po", "fr": "index.mo", "es": "sphinx.po", "it": "sub/other.po"},
        ),
        (False, {"de": "sub/b.po", "fr": "a.po", "es": "sphinx.po", "it": "other.po"}),
        ("all", {"de": "all.po", "fr": "all.mo", "es": "sphinx.po", "it": "blog.po"}),
    ],
)
def test_catalogs_of_the_interface_are_no_languages(
    project: Path, compact: bool | str, names: dict[str, str]
) -> None:
    pages = {
        name: text for name, text in PAGES.items() if not name.startswith("locales")
    }
    pages |= {
        f"locales/{language}/LC_MESSAGES/{name}": "" for language, name in names.items()
    }
    config = {"sitemap_url_scheme": SCHEME, "gettext_compact": compact}
    site = SphinxSite.create(project, pages, html_baseurl=ROOT, **config)
    now, _ = build_with_docs_sitemap(site)
    assert now[f"{ROOT}en/a.html"].keys() == {"de", "en", "fr"}


@pytest.mark.parametrize(
    ("language", "folder"), [("en", "en"), ("zh_CN", "zh-cn"), ("pt_BR", "pt-br")]
)
@pytest.mark.parametrize(
    "config",
    [
        {"html_baseurl": ""},
        {
            "html_baseurl": ROOT,
            "sitemap_url_scheme": "{lang}{version}{link}",
            "version": "latest",
        },
    ],
)
def test_all_builds_on_read_the_docs_link_to_its_folders(
    project: Path, monkeypatch: Any, language: str, folder: str, config: dict[str, Any]
) -> None:
    monkeypatch.setenv("READTHEDOCS_CANONICAL_URL", f"{ROOT}{folder}/latest/")
    site = SphinxSite.create(
        project,
        PAGES,
        language=language,
        sitemap_locales=["pt_BR", "zh_CN", "en"],
        suppress_warnings=["sitemap.base_url"],
        **config,
    )
    now, warnings = build_with_docs_sitemap(site)
    assert not warnings
    assert now[f"{ROOT}{folder}/latest/a.html"] == {
        "en": f"{ROOT}en/latest/a.html",
        "pt-BR": f"{ROOT}pt-br/latest/a.html",
        "zh-CN": f"{ROOT}zh-cn/latest/a.html",
    }


def test_other_hosts_have_no_folders_of_read_the_docs(
    project: Path, monkeypatch: Any
) -> None:
    monkeypatch.setenv(
        "READTHEDOCS_CANONICAL_URL", "https://p.readthedocs.io/en/latest/"
    )
    config = {"html_baseurl": f"{ROOT}en/", "sitemap_locales": ["en", "pt_BR"]}
    site = SphinxSite.create(
        project, PAGES, suppress_warnings=["sitemap.base_url"], **config
    )
    now, _ = build_with_docs_sitemap(site)
    assert now[f"{ROOT}en/a.html"]["pt-BR"] == f"{ROOT}pt_BR/a.html"


def test_a_build_at_another_address_than_the_others_link_to_is_a_warning(
    project: Path,
) -> None:
    config = {"html_baseurl": f"{ROOT}pt-br/", "language": "pt_BR"}
    site = SphinxSite.create(project, PAGES, sitemap_locales=["en", "pt_BR"], **config)
    _, warnings = build_with_docs_sitemap(site)
    assert warnings.count("WARNING: ") == 1
    assert "/pt_BR/" in warnings
    assert f"at {ROOT}pt-br/" in warnings
    overrides = {"sitemap_locales": {"en": None, "pt_BR": {"path": "pt-br"}}}
    assert not site.log(overrides=overrides).warnings
    english = overrides | {"html_baseurl": f"{ROOT}en/", "language": "en"}
    assert not site.log(overrides=english, force_all=True).warnings
    assert read_alternates(site)[f"{ROOT}en/a.html"]["pt-BR"] == f"{ROOT}pt-br/a.html"


def test_the_only_translation_at_the_root_is_a_notice(project: Path) -> None:
    """sphinx-sitemap finds its catalogs, and lists its pages below `/de/`."""
    pages = {
        name: text for name, text in PAGES.items() if "/" not in name or "/de/" in name
    }
    site = SphinxSite.create(project, pages, html_baseurl=ROOT, language="de")
    earlier = build_with_sphinx_sitemap(site)
    assert earlier[f"{ROOT}de/a.html"].keys() == {"de"}
    log = site.log(force_all=True)
    assert "languages are not linked" in log.status
    moved = site.log(overrides={"html_baseurl": f"{ROOT}de/"}, force_all=True)
    assert "languages" not in moved.status


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
    assert "languages are not linked" in log.status
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
    assert 'sitemap_url_scheme = "{link}"' in warnings
    assert f'html_baseurl = "{ROOT}en/1.0/"' in warnings
    new = site.log(overrides={"sitemap_url_scheme": "{link}"}, force_all=True)
    assert "sphinx-sitemap lists" not in new.warnings
    kept = site.log(overrides={"html_baseurl": f"{ROOT}en/1.0/"}, force_all=True)
    assert not kept.warnings
    assert before in read_alternates(site)


@pytest.mark.parametrize("earlier_sitemaps", [(), ("the report",)])
@pytest.mark.parametrize("is_published", [False, True])
@pytest.mark.parametrize("leftovers", [(), ("sitemap_indent",)])
@pytest.mark.parametrize("hints", [(), ("it is installed",)])
def test_all_signs_of_sphinx_sitemap_decide_together(
    earlier_sitemaps: tuple[str, ...],
    is_published: bool,
    leftovers: tuple[str, ...],
    hints: tuple[str, ...],
) -> None:
    decision = decide(earlier_sitemaps, is_published, leftovers, hints)
    if earlier_sitemaps:
        expected = (Severity.WARNING, "the report")
    elif is_published or not (leftovers or hints):
        assert decision is None
        return
    elif leftovers:
        expected = (Severity.WARNING, "sitemap_indent")
    else:
        expected = (Severity.NOTICE, "is installed")
    assert decision is not None
    assert decision[0] is expected[0]
    assert expected[1] in decision[1]


def test_signs_of_sphinx_sitemap(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = {"index.rst": document("Home"), "de/LC_MESSAGES/index.po": ""}
    site = SphinxSite.create(project, pages, html_baseurl=ROOT, locale_dirs=["."])
    sitemap = site.out() / "sitemap.xml"

    def level(**overrides: Any) -> str:
        log = site.log(overrides=overrides, force_all=True)
        if "sphinx-sitemap lists" in log.warnings:
            return "warning"
        return "notice" if "sphinx-sitemap lists" in log.status else ""

    # No project needs these options, but any may have the package.
    assert level(sitemap_locales=[None]) == "notice"
    assert level(sitemap_excludes=["a.html"]) == "notice"
    find_spec = "sphinx_sitemap_ext.earlier_urls.find_spec"
    monkeypatch.setattr(find_spec, lambda name: None)
    assert level(sitemap_locales=[None]) == ""
    assert level(sitemap_excludes=["a.html"], sitemap_show_lastmod=False) == ""
    assert level(sitemap_locales={"en": {"path": ""}, "de": None}) == ""
    assert level(sitemap_excludes=["genindex.html"]) == "warning"
    assert level(sitemap_locales=["en", "de"]) == "notice"
    assert level(sitemap_indent=2) == "warning"
    current = sitemap.read_bytes()
    # What was listed decides. The sitemap of this build is no sign of anything.
    build_with_sphinx_sitemap(site)
    earlier = sitemap.read_bytes()
    assert level(sitemap_locales=[None]) == "warning"
    assert level(sitemap_locales=[None]) == ""
    level(html_baseurl=f"{ROOT}en/")
    sitemap.unlink()
    assert level() == "warning"
    for content, expected in ((earlier, "warning"), (current, "")):
        sitemap.write_bytes(content)
        site.repository.git("add", "--force", str(sitemap))
        site.repository.git("commit", "--message", "Publish")
        sitemap.unlink()
        assert level(sitemap_indent=2) == expected


def test_the_message_about_changed_urls_names_the_setting_that_counts(
    project: Path,
) -> None:
    config = {"html_baseurl": "", "site_url": ROOT, "sitemap_show_lastmod": True}
    site = SphinxSite.create(project, PAGES, **config)
    _, warnings = build_with_docs_sitemap(site)
    assert f'site_url = "{ROOT}en/"' in warnings
    kept = site.log(overrides={"site_url": f"{ROOT}en/"}, force_all=True)
    assert not kept.warnings


@pytest.mark.parametrize("base_url", [f"{ROOT}en/", f"{ROOT}en/1.0/", f"{ROOT}1.0/en/"])
def test_a_base_url_with_the_language_needs_no_warning(
    project: Path, base_url: str
) -> None:
    site = SphinxSite.create(
        project, PAGES, html_baseurl=base_url, version="1.0", sitemap_show_lastmod=True
    )
    log = site.log()
    assert not log.warnings
    assert "sphinx-sitemap" not in log.status
