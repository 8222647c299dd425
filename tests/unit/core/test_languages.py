"""The languages of locales, and the base URLs of languages."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.builds import BASE_URL, build, build_site

from docs_sitemap import (
    Alternate,
    OptionError,
    Page,
    Severity,
    Url,
    parse_base_url,
    read_options,
)

ROOT = "https://example.org/"


def find_languages(out: Path, **options: Any) -> tuple[str, dict[str, str]]:
    """Return the URL of the home page, and its links to all languages by their tags."""
    (entry,) = build(out, Page(url="", name="index"), **options).listed
    return entry.url.loc, {one.hreflang: one.href for one in entry.url.alternates}


@pytest.mark.parametrize(
    ("locale", "hreflang"),
    [
        ("de", "de"),
        ("pt_BR", "pt-BR"),
        ("pt-br", "pt-BR"),
        ("zh_hans_cn", "zh-Hans-CN"),
        ("EN", "en"),
        ("es_419", "es-419"),
        ("sr@latin", "sr-Latn"),
        ("sr_RS@latin", "sr-Latn-RS"),
        ("ca@valencia", "ca"),
    ],
)
def test_a_locale_has_a_language_tag(
    tmp_path: Path, locale: str, hreflang: str
) -> None:
    _, links = find_languages(
        tmp_path, url_scheme="{lang}{link}", language=locale, locales=["ja"]
    )
    assert links.keys() == {hreflang, "ja"}


@pytest.mark.parametrize(
    "locale",
    ["", "C", "en.UTF-8", "xx", "en_XX", "zh_Hans_XX", "@latin", "de\n", "d\0e"],
)
def test_other_names_have_none(locale: str) -> None:
    with pytest.raises(OptionError, match=r"^locales: "):
        read_options({"locales": [locale]})


@pytest.mark.parametrize(
    ("base_url", "scheme", "language", "urls"),
    [
        ("", "{lang}{link}", "en", {"en": "en/", "de": "de/"}),
        ("en/1.0/", "{link}", "en", {"en": "en/1.0/", "de": "de/1.0/"}),
        ("en/en/", "{link}", "en", {"en": "en/en/", "de": "en/de/"}),
        ("EN/en/", "{link}", "en", {"en": "EN/en/", "de": "EN/de/"}),
        ("en-us/", "{link}", "en", {}),
        ("zh-CN/", "{link}", "zh-CN", {"zh-CN": "zh-CN/", "de": "de/"}),
    ],
)
def test_languages_have_base_urls(
    tmp_path: Path, base_url: str, scheme: str, language: str, urls: dict[str, str]
) -> None:
    _, links = find_languages(
        tmp_path,
        base_url=ROOT + base_url,
        url_scheme=scheme,
        language=language,
        locales=["de"],
    )
    assert links == {code: ROOT + path for code, path in urls.items()}


def test_a_host_is_not_the_folder_of_a_language(tmp_path: Path) -> None:
    _, links = find_languages(
        tmp_path, base_url="https://en/docs/", language="en", locales=["de"]
    )
    assert links == {}


SITE: dict[str, Any] = {
    "en": {"path": ""},
    "zh_CN": {"hreflang": "zh-Hans", "path": "cn/"},
    "pt_BR": None,
    "sr@latin": "sr",
}
AT_THE_ROOT = {"en": "", "zh_CN": "cn/", "pt_BR": "pt_BR/", "sr@latin": "sr%40latin/"}
TAGS = ("en", "zh-Hans", "pt-BR", "sr")


@pytest.mark.parametrize("language", list(SITE))
def test_each_build_gives_the_same_urls_if_one_language_is_at_the_root(
    tmp_path: Path, language: str
) -> None:
    own = ROOT + AT_THE_ROOT[language]
    paths = zip(TAGS, AT_THE_ROOT.values(), strict=True)
    expected = own, {tag: ROOT + path for tag, path in paths}
    options: dict[str, Any] = {"language": language, "locales": SITE}
    assert find_languages(tmp_path, base_url=own, **options) == expected
    options["url_scheme"] = "{lang}{link}"
    assert find_languages(tmp_path, base_url=ROOT, **options) == expected


@pytest.mark.parametrize(
    ("language", "base_url"),
    [("en", "docs/english/1.0/"), ("de", "docs/Deutsch/neu/1.0/")],
)
def test_a_path_replaces_the_folder_of_the_language(
    tmp_path: Path, language: str, base_url: str
) -> None:
    locales = {"en": {"path": "english"}, "de": {"path": "Deutsch/neu"}}
    loc, links = find_languages(
        tmp_path, base_url=ROOT + base_url, language=language, locales=locales
    )
    assert loc == ROOT + base_url
    assert links == {
        "en": f"{ROOT}docs/english/1.0/",
        "de": f"{ROOT}docs/Deutsch/neu/1.0/",
    }


def test_alternates_of_the_hook_stay(tmp_path: Path) -> None:
    own = (Alternate("fr", "https://example.com/"), Alternate("en", f"{ROOT}en/"))

    def edit(page: Page, entry: Url) -> Url:
        if page.name == "en":
            return replace(entry, alternates=own)
        return entry

    pages = [Page(url=f"{name}/", name=name) for name in ("en", "de")]
    languages = {name: parse_base_url(f"{ROOT}{name}/") for name in ("en", "de")}
    options = read_options({"base_url": ROOT, "lastmod": False})
    report = build_site(pages, options, tmp_path, languages=languages, edit_url=edit)
    links = {entry.page.name: entry.url.alternates for entry in report.listed}
    assert links["en"] == own
    assert [link.hreflang for link in links["de"]] == ["de", "en"]


@pytest.mark.parametrize(
    ("urls", "languages", "groups"),
    [
        # One language is at the root, or in the folder of another one.
        ("a/ de/a/", {"en": "", "de": "de/"}, ["a/ de/a/"]),
        (
            "en/a/ en/us/a/ en/us/b/ en/b/",
            {"en": "en/", "en_US": "en/us/"},
            ["en/a/ en/us/a/", "en/b/ en/us/b/"],
        ),
        # Pages that would only be linked with themselves.
        ("en/a/ en/b/ de/b/", {"en": "en/", "de": "de/"}, ["en/b/ de/b/"]),
        ("en/a/ de/b/", {"en": "en/", "de": "de/"}, []),
        # Another build has the pages of a language, so it has all of them.
        ("en/a/", {"en": "en/", "fr": "fr/"}, ["en/a/ fr/a/"]),
        # Pages that are not listed, and copies that are not translated.
        ("en/a/ de/a/? de/b/", {"en": "en/", "de": "de/"}, []),
        ("en/a/ de/a/* de/b/", {"en": "en/", "de": "de/"}, []),
    ],
)
def test_the_translations_of_one_build_are_linked(
    tmp_path: Path, urls: str, languages: dict[str, str], groups: list[str]
) -> None:
    """Pages with `?` are excluded, and pages with `*` are not translated."""
    pages = []
    for url in urls.split():
        path = url.rstrip("?*")
        overrides = False if url.endswith("?") else None
        is_translated = not url.endswith("*")
        pages.append(
            Page(url=path, name=path, overrides=overrides, is_translated=is_translated)
        )
    options = read_options(
        {
            "base_url": ROOT,
            "lastmod": False,
            "x_default": "en",
            "ignore_reasons": ["untranslated"],
        }
    )
    addresses = {code: parse_base_url(ROOT + one) for code, one in languages.items()}
    report = build_site(pages, options, tmp_path, languages=addresses)
    for entry in report.listed:
        (targets,) = [
            set(group.split()) for group in groups if entry.page.url in group.split()
        ] or [set()]
        linked = {one.href.removeprefix(ROOT) for one in entry.url.alternates}
        assert linked == targets, entry.page.url


def test_the_first_language_with_a_tag_is_linked(tmp_path: Path) -> None:
    options = {
        "url_scheme": "{lang}{link}",
        "language": "ca",
        "locales": ["ca@valencia", "de"],
    }
    report = build(tmp_path, Page(url="a/", name="a"), **options)
    assert {one.hreflang: one.href for one in report.listed[0].url.alternates} == {
        "ca": f"{BASE_URL}ca/a/",
        "de": f"{BASE_URL}de/a/",
    }


@pytest.mark.parametrize(
    ("options", "messages"),
    [
        (
            {"language": "en", "locales": ["de"]},
            ["BASE is not the address of any of them"],
        ),
        ({"language": "en"}, []),
        ({"language": "en", "locales": ["en"], "url_scheme": "{lang}{link}"}, []),
        (
            {"language": "x_y", "locales": ["de"], "url_scheme": "{lang}{link}"},
            [
                "BASEx_y/ is not linked: 'x_y' is not a language",
                "BASEx_y/ is not the address of",
            ],
        ),
    ],
)
def test_languages_that_cannot_be_linked_are_reported(
    tmp_path: Path, options: dict[str, Any], messages: list[str]
) -> None:
    report = build(tmp_path, Page(url="a/", name="a"), **options)
    assert len(report.diagnostics) == len(messages)
    for diagnostic, message in zip(report.diagnostics, messages, strict=True):
        assert message.replace("BASE", BASE_URL) in diagnostic.message
        assert diagnostic.severity is Severity.NOTICE
