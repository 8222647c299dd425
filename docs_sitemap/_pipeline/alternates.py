"""Fifth step: link the languages of each page.

Source: <https://developers.google.com/search/docs/specialty/international/localized-versions>.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from docs_sitemap._errors import UrlError
from docs_sitemap._pipeline.candidate import Candidate
from docs_sitemap._protocol import is_hreflang
from docs_sitemap._result import Alternate
from docs_sitemap._urls import BaseUrl, make_loc


def find_alternates(candidates: Sequence[Candidate], base_url: BaseUrl) -> None:
    """Set the alternates of each page: the listed pages that name each other, and the page itself.

    Args:
        candidates: The listed pages.
        base_url: The URL that the URLs of all pages start with.
    """
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


def _named_alternates(candidate: Candidate, base_url: BaseUrl) -> dict[str, str]:
    """Return the URLs that a page names, by language. Its own language has its own URL."""
    page = candidate.page
    named = {page.lang or "": candidate.loc}
    for lang, url in page.alternates.items():
        with suppress(UrlError):
            named.setdefault(lang, make_loc(base_url, url))
    return named
