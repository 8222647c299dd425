"""The languages of a site: their tags, their folders, and their addresses."""

from contextlib import suppress

from docs_sitemap.diagnostics import UrlError
from docs_sitemap.sitemap.language_tags import to_hreflang
from docs_sitemap.sitemap.urls import BaseUrl, parse_base_url, quote_path

from .options import Options
from .parsers import Locale
from .published_address import name_folder


def page_base_url(options: Options) -> BaseUrl:
    """Return the URL that the URLs of all pages start with: `base_url` and
    `url_scheme`.

    Raises:
        UrlError: `url_scheme` makes the URL invalid or too long.
    """
    # The scheme can be validated before the base URL is known.
    base_url = options.base_url or "https://example.org/"
    return _in_scheme(options, base_url, options.language)


def language_base_urls(options: Options) -> dict[str, BaseUrl]:
    """Return the URL that the URLs of all pages start with in each language.

    The languages are `language` and `locales`. Their URLs differ in `{lang}` of
    `url_scheme` or in the folder of `base_url` that is named after `language`. If
    `language` is at the root, the others are in folders of `base_url`. If there is
    neither, nothing is returned.
    """
    if not options.locales:
        return {}
    if folder_of(options, options.language) and not language_folder(options):
        return {}
    urls: dict[str, BaseUrl] = {}
    for code in (options.language, *(locale.code for locale in options.locales)):
        with suppress(UrlError):  # The URL is too long.
            urls[code] = _in_scheme(options, _base_url_in(options, code), code)
    return urls


def hreflang_of(options: Options, code: str) -> str:
    """Return the language tag of a language.

    Raises:
        ValueError: It has none. The message is the reason.
    """
    locale = _find_locale(options, code)
    if locale is None:
        return to_hreflang(code)
    return locale.hreflang


def folder_of(options: Options, code: str) -> str:
    """Return the percent-encoded folder of a language; empty for the root."""
    locale = _find_locale(options, code)
    if locale is None or locale.path is None:
        return quote_path(name_folder(code, options.base_url))
    return locale.path


def language_folder(options: Options) -> str:
    """Return the last folder in the URL of all pages that is named after `language`, or
    has the path that `locales` sets for it; empty if there is none. `/zh-cn/` is named
    after `zh_CN`.
    """
    path = folder_of(options, options.language)
    url = page_base_url(options)
    after_host = url.find("/", len("https://"))
    index = _folded(url).rfind(f"/{_folded(path)}/", after_host)
    if not path or index < 0:
        return ""
    return url[index + 1 :][: len(path)]


def _find_locale(options: Options, code: str) -> Locale | None:
    for locale in options.locales:
        if locale.code == code:
            return locale
    return None


def _folded(name: str) -> str:
    return name.replace("_", "-").lower()


def _base_url_in(options: Options, code: str) -> str:
    """Return the address of the site in another language, before `url_scheme`."""
    base_url = options.base_url or ""
    name = folder_of(options, code)
    if "{lang}" in options.url_scheme or code == options.language:
        return base_url
    if not folder_of(options, options.language):
        return f"{base_url}{name}/"
    before, _, after = base_url.rpartition(f"/{language_folder(options)}/")
    if not name:
        return f"{before}/{after}"
    return f"{before}/{name}/{after}"


def _in_scheme(options: Options, base_url: str, language: str) -> BaseUrl:
    """Return a base URL with the path of `url_scheme` for a language."""
    # Each is empty if it is not set.
    lang = f"{folder_of(options, language)}/"
    version = f"{quote_path(options.version)}/"
    path = options.url_scheme.format(lang=lang, version=version, link="")
    return parse_base_url(base_url + path.lstrip("/"))
