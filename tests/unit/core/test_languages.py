"""The languages of locales, and the base URLs of languages."""

from __future__ import annotations

import pytest

from docs_sitemap import Options, parse_base_url, to_hreflang

ROOT = "https://example.org/"

# Other spellings of the same language.
EQUAL = {"en": ("en",), "zh-CN": ("zh_cn",)}


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
def test_a_locale_has_a_language_tag(locale: str, hreflang: str) -> None:
    assert to_hreflang(locale) == hreflang


@pytest.mark.parametrize("locale", ["", "C", "en.UTF-8", "xx", "en_XX", "@latin", "de\n", "d\0e"])
def test_other_names_have_none(locale: str) -> None:
    with pytest.raises(ValueError, match=r"does not|is not"):
        to_hreflang(locale)


@pytest.mark.parametrize(
    ("base_url", "scheme", "language", "urls"),
    [
        ("", "{lang}{link}", "en", {"en": "en/", "de": "de/"}),
        ("en/1.0/", "{link}", "en", {"en": "en/1.0/", "de": "de/1.0/"}),
        ("en/en/", "{link}", "en", {"en": "en/en/", "de": "en/de/"}),
        ("en-us/", "{link}", "en", {}),
        ("x_custom/", "{link}", "x_custom", {}),
        ("", "{lang}{link}", "", {}),
        ("zh-CN/", "{link}", "zh-CN", {"zh-CN": "zh-CN/", "de": "de/"}),
    ],
)
def test_languages_have_base_urls(
    base_url: str, scheme: str, language: str, urls: dict[str, str]
) -> None:
    options = Options(
        base_url=parse_base_url(ROOT + base_url),
        url_scheme=scheme,
        language=language,
        locales=("de", *EQUAL.get(language, ())),
    )
    assert options.language_base_urls() == {tag: ROOT + path for tag, path in urls.items()}


def test_a_host_is_not_the_folder_of_a_language() -> None:
    options = Options(base_url="https://en/docs/", language="en", locales=("de",))
    assert options.language_base_urls() == {}
