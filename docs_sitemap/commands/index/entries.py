"""The entries of sitemaps: their valid values, and their links to other languages."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from datetime import datetime

from docs_sitemap.sitemap.hreflang import is_hreflang
from docs_sitemap.sitemap.protocol import (
    Alternate,
    ChangeFreq,
    Url,
    is_priority,
    parse_w3c_datetime,
)
from docs_sitemap.sitemap.reader import SitemapEntry
from docs_sitemap.sitemap.urls import check_url, normalize_url
from docs_sitemap.sitemap.validation import DateLimits

_CHANGEFREQS = frozenset(ChangeFreq)

Link = tuple[str, str]
"""The normalized URLs of a page, and of another page that it links to as a translation."""


def make_url(entry: SitemapEntry, loc: str, dates: DateLimits) -> Url:
    """Return the valid values of an entry.

    Args:
        entry: The entry.
        loc: Its URL, which is valid.
        dates: The dates that are kept.
    """
    lastmod, changefreq, priority = map(entry.text, ("lastmod", "changefreq", "priority"))
    alternates: dict[str, Alternate] = {}
    for one in entry.alternates:
        if is_hreflang(one.hreflang) and check_url(one.href).normalized is not None:
            alternate = Alternate(one.hreflang, _valid_url(one.href))
            alternates.setdefault(one.hreflang.lower(), alternate)
    return Url(
        loc=_valid_url(loc),
        lastmod=lastmod if _is_past(lastmod, dates) else None,
        changefreq=changefreq if changefreq in _CHANGEFREQS else None,
        priority=priority if priority is not None and is_priority(priority) else None,
        alternates=tuple(alternates.values()),
    )


def move_url(url: Url, move: Callable[[str], str]) -> Url:
    """Return an entry at the address at which its page is listed.

    Args:
        url: The entry.
        move: Returns the address at which a page is listed.
    """
    alternates = tuple(Alternate(one.hreflang, move(one.href)) for one in url.alternates)
    return replace(url, loc=move(url.loc), alternates=alternates)


def newest_date(texts: Iterable[str | None]) -> str | None:
    """Return the newest date, as it is written. Dates that the protocol's schema rejects are
    ignored.
    """
    dates: dict[str | None, datetime] = {}
    for text in dict.fromkeys(texts):
        with suppress(ValueError):
            date, in_schema = parse_w3c_datetime(text or "")
            if in_schema:
                dates[text] = date
    return max(dates, key=dates.__getitem__, default=None)


def links_of(url: Url) -> set[Link]:
    """Return the links of an entry to other pages."""
    page = normalize_url(url.loc)
    targets = {normalize_url(one.href) for one in url.alternates} - {page}
    return {(page, target) for target in targets}


def find_dead_links(urls: Iterable[Url], base: str) -> set[Link]:
    """Return the links to URLs below a base URL that are not listed, or do not link back."""
    links = {link for url in urls for link in links_of(url)}
    return {
        (page, target)
        for page, target in links
        if (target, page) not in links and target.startswith(base)
    }


def without_links(url: Url, links: set[Link]) -> Url:
    """Return an entry without some of its links. A page that is linked only with itself needs no
    links.
    """
    if links.isdisjoint(links_of(url)):
        return url
    page = normalize_url(url.loc)
    kept = [one for one in url.alternates if (page, normalize_url(one.href)) not in links]
    is_alone = all(normalize_url(one.href) == page for one in kept)
    return replace(url, alternates=() if is_alone else tuple(kept))


def _is_past(lastmod: str | None, dates: DateLimits) -> bool:
    """Return whether a text is a date that is not in the future."""
    try:
        return lastmod is not None and not dates.is_future(parse_w3c_datetime(lastmod)[0])
    except ValueError:
        return False


def _valid_url(text: str) -> str:
    """Return a URL as it is written, or its normalized form if that has faults."""
    return normalize_url(text) if check_url(text).faults else text
