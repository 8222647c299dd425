"""Fifth step: link the languages of each page.

Source: <https://developers.google.com/search/docs/specialty/international/localized-versions>.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

from docs_sitemap._errors import UrlError
from docs_sitemap._options import Options
from docs_sitemap._pipeline.candidate import Candidate
from docs_sitemap._protocol import is_hreflang
from docs_sitemap._result import Alternate
from docs_sitemap._urls import BaseUrl, make_loc


def find_alternates(candidates: Sequence[Candidate], options: Options) -> None:
    """Set the alternates of each page: the listed pages that name each other, and the page itself.
    For other pages, they are the pages that builds in other languages list.

    Args:
        candidates: The listed pages.
        options: The options of the sitemap, with the base URL.
    """
    base_url = options.page_base_url()
    elsewhere = options.language_base_urls()
    named = {
        candidate.loc: _named_alternates(candidate, base_url)
        for candidate in candidates
        if candidate.page.lang and candidate.page.alternates
    }
    for candidate in candidates:
        mutual = []
        for lang, href in sorted(named.get(candidate.loc, {}).items()):
            hreflang = lang.replace("_", "-")
            if is_hreflang(hreflang) and candidate.loc in named.get(href, {}).values():
                mutual.append(Alternate(hreflang, href))
        if len(mutual) > 1:
            candidate.alternates = tuple(mutual)
        elif elsewhere:
            candidate.alternates = tuple(_alternates_elsewhere(candidate, elsewhere))


def _alternates_elsewhere(
    candidate: Candidate, base_urls: Mapping[str, BaseUrl]
) -> Iterator[Alternate]:
    for hreflang, base_url in sorted(base_urls.items()):
        with suppress(UrlError):  # The URL in this language is too long.
            yield Alternate(hreflang, make_loc(base_url, candidate.page.url))


def _named_alternates(candidate: Candidate, base_url: BaseUrl) -> dict[str, str]:
    """Return the URLs that a page names, by language. Its own language has its own URL."""
    page = candidate.page
    named = {page.lang or "": candidate.loc}
    for lang, url in page.alternates.items():
        with suppress(UrlError):
            named.setdefault(lang, make_loc(base_url, url))
    return named
