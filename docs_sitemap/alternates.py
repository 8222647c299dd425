"""Fifth step: link the languages of each page.

Source: <https://developers.google.com/search/docs/specialty/international/localized-versions>.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress

from docs_sitemap.entry import Candidate
from docs_sitemap.errors import UrlError
from docs_sitemap.languages import X_DEFAULT
from docs_sitemap.options import Options
from docs_sitemap.sitemap.protocol import Alternate
from docs_sitemap.sitemap.urls import BaseUrl, make_loc


def find_alternates(
    candidates: Sequence[Candidate],
    options: Options,
    languages: Mapping[str, BaseUrl] | None = None,
) -> None:
    """Set the alternates of each page: the listed pages that name each other, and the page itself.
    For other pages, they are the pages that builds in other languages list.

    Args:
        candidates: The listed pages.
        options: The options of the sitemap, with the base URL.
        languages: The URL that the URLs of all pages start with in each language. By default, the
            options contain the languages.
    """
    base_url = options.page_base_url()
    elsewhere = options.language_base_urls() if languages is None else languages
    named = {
        candidate.loc: _named_alternates(candidate, base_url)
        for candidate in candidates
        if candidate.page.is_translated and candidate.page.lang and candidate.page.alternates
    }
    for candidate in candidates:
        if not candidate.page.is_translated:
            continue
        mutual = {
            code: href
            for code, href in named.get(candidate.loc, {}).items()
            if candidate.loc in named.get(href, {}).values()
        }
        alternates = _make_alternates(candidate.loc, mutual, options)
        if not alternates:
            hrefs = _alternates_elsewhere(candidate, elsewhere)
            alternates = _make_alternates(candidate.loc, hrefs, options)
        candidate.alternates = alternates


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


def _alternates_elsewhere(candidate: Candidate, base_urls: Mapping[str, BaseUrl]) -> dict[str, str]:
    hrefs = {}
    for code, base_url in base_urls.items():
        with suppress(UrlError):  # The URL in this language is too long.
            hrefs[code] = make_loc(base_url, candidate.page.url)
    return hrefs


def _named_alternates(candidate: Candidate, base_url: BaseUrl) -> dict[str, str]:
    """Return the URLs that a page names, by language. Its own language has its own URL."""
    page = candidate.page
    named = {page.lang or "": candidate.loc}
    for lang, url in page.alternates.items():
        with suppress(UrlError):
            named.setdefault(lang, make_loc(base_url, url))
    return named
