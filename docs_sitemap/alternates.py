"""Link the languages of each page.

Source: <https://developers.google.com/search/docs/specialty/international/localized-versions>.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from docs_sitemap.entry import Entry
from docs_sitemap.errors import UrlError
from docs_sitemap.options import Options
from docs_sitemap.site import Site
from docs_sitemap.sitemap.hreflang import X_DEFAULT
from docs_sitemap.sitemap.protocol import Alternate
from docs_sitemap.sitemap.urls import BaseUrl, make_loc


def link_languages(entries: Sequence[Entry], site: Site) -> None:
    """Set the alternates of each page: the listed pages that name each other, and the page itself.
    For other pages, they are the pages that builds in other languages list.
    """
    options, languages = site.options, site.languages
    base_url = options.page_base_url()
    elsewhere = options.language_base_urls() if languages is None else languages
    named = {
        entry.loc: _named_alternates(entry, base_url)
        for entry in entries
        if entry.page.is_translated and entry.page.lang and entry.page.alternates
    }
    for entry in entries:
        if not entry.page.is_translated or entry.url.alternates:  # set by the hook
            continue
        mutual = {
            code: href
            for code, href in named.get(entry.loc, {}).items()
            if entry.loc in named.get(href, {}).values()
        }
        alternates = _make_alternates(entry.loc, mutual, options)
        if not alternates:
            hrefs = _alternates_elsewhere(entry, elsewhere)
            alternates = _make_alternates(entry.loc, hrefs, options)
        entry.url = replace(entry.url, alternates=alternates)


def _make_alternates(loc: str, hrefs: Mapping[str, str], options: Options) -> tuple[Alternate, ...]:
    """Return the alternates of a page, sorted by language tag. There are none unless the page has
    at least two languages, its own among them: search engines ignore other links.

    Args:
        loc: The URL of the page.
        hrefs: The URLs of the page, by the names of languages.
        options: The options with the language tags.
    """
    by_hreflang: dict[str, str] = {}
    for code, href in sorted(hrefs.items()):
        if code != X_DEFAULT:
            with suppress(ValueError):  # It is not a language.
                by_hreflang.setdefault(options.hreflang_of(code), href)
    default = hrefs.get(X_DEFAULT if options.x_default is None else options.x_default)
    if len(by_hreflang) < 2 or loc not in by_hreflang.values():
        return ()
    alternates = [Alternate(hreflang, href) for hreflang, href in sorted(by_hreflang.items())]
    if default is not None:
        alternates.append(Alternate(X_DEFAULT, default))
    return tuple(alternates)


def _alternates_elsewhere(entry: Entry, base_urls: Mapping[str, BaseUrl]) -> dict[str, str]:
    hrefs = {}
    for code, base_url in base_urls.items():
        with suppress(UrlError):  # The URL in this language is too long.
            hrefs[code] = make_loc(base_url, entry.page.url)
    return hrefs


def _named_alternates(entry: Entry, base_url: BaseUrl) -> dict[str, str]:
    """Return the URLs that a page names, by language. Its own language has its own URL."""
    page = entry.page
    named = {page.lang or "": entry.loc}
    for lang, url in page.alternates.items():
        with suppress(UrlError):
            named.setdefault(lang, make_loc(base_url, url))
    return named
