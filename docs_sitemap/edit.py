"""Sixth step: let a function of the user change or exclude entries."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from docs_sitemap.date_status import DateStatus
from docs_sitemap.entry import Candidate
from docs_sitemap.page import Page
from docs_sitemap.result import (
    ExclusionReason,
    Lastmod,
    Listed,
    Problem,
    ProblemKind,
    Url,
)
from docs_sitemap.sitemap.protocol import ChangeFreq, is_hreflang, parse_w3c_datetime
from docs_sitemap.sitemap.urls import BaseUrl, check_url
from docs_sitemap.text import describe_error, shorten, shorten_value
from docs_sitemap.values import parse_priority

EditUrl = Callable[[Page, Url], Url | None]
"""Receives a page and its entry, and returns the entry to write, or `None` to exclude the page."""


def edit_entries(
    candidates: Sequence[Candidate],
    entries: Sequence[Listed],
    edit_url: EditUrl,
    base_url: BaseUrl,
    problems: list[Problem],
) -> list[Listed]:
    """Return the entries as the function returns them, sorted by URL.

    Args:
        candidates: The listed pages. Excluded ones receive the reason `hook`.
        entries: The entry of each candidate, in the same order.
        edit_url: The function. If it fails or returns an invalid entry, the entry stays unchanged.
        base_url: The URL that all URLs must start with.
        problems: Receives one warning for each entry that stays unchanged.
    """
    locs = {entry.url.loc for entry in entries}
    edited: dict[str, Listed] = {}
    for candidate, entry in zip(candidates, entries, strict=True):
        page = entry.page
        try:
            url = edit_url(page, entry.url)
            if url is not None and url != entry.url:
                _check(url, base_url)
                if url.loc != entry.url.loc and url.loc in locs:
                    raise ValueError(f"another page has the URL {shorten(url.loc)}")
        except Exception as error:  # The function may raise any exception.
            reason = str(error) if isinstance(error, ValueError) else describe_error(error)
            message = f"{page.name}: the hook for entries has no effect: {reason}. Fix: correct it."
            problems.append(Problem(ProblemKind.HOOK, message))
            url = entry.url
        if url is None:
            candidate.exclude(ExclusionReason.HOOK)
            continue
        locs.add(url.loc)
        if url.lastmod != entry.url.lastmod:
            entry = replace(entry, lastmod=Lastmod(DateStatus.HOOK))
        edited[url.loc] = replace(entry, url=url)
    removed = locs - edited.keys()
    return [_without_dead_links(edited[loc], removed) for loc in sorted(edited)]


def _without_dead_links(entry: Listed, removed: Collection[str]) -> Listed:
    """Remove the links to translations that are not listed any more."""
    alternates = tuple(one for one in entry.url.alternates if one.href not in removed)
    if len(alternates) == len(entry.url.alternates):
        return entry
    hrefs = {one.href for one in alternates}
    # Search engines ignore the links of a page that is not linked with itself.
    if len(hrefs) == 1 or entry.url.loc not in hrefs:
        alternates = ()
    return replace(entry, url=replace(entry.url, alternates=alternates))


def _check(url: object, base_url: BaseUrl) -> None:
    """Check an entry against the protocol.

    Raises:
        ValueError: It is invalid. The message is the reason.
    """
    if not isinstance(url, Url):
        raise ValueError(f"it returned {shorten_value(url)} instead of a Url or None")
    for text in (url.loc, *(alternate.href for alternate in url.alternates)):
        faults = check_url(text).faults
        if faults:
            raise ValueError(", ".join(message for _, message in faults))
    if not url.loc.startswith(base_url):
        raise ValueError(f"{shorten(url.loc)} does not start with {base_url}")
    if url.lastmod is not None:
        parse_w3c_datetime(url.lastmod)
    if url.changefreq is not None:
        ChangeFreq(url.changefreq)
    if url.priority is not None:
        parse_priority(url.priority)
    for alternate in url.alternates:
        if not is_hreflang(alternate.hreflang):
            raise ValueError(f"hreflang {shorten(alternate.hreflang)} is not a language tag")
