"""Select the pages to list, and find the reason for each excluded page."""

import os
from collections import Counter
from collections.abc import Iterator, Sequence, Set

from docs_sitemap.built.html import read_head
from docs_sitemap.built.verdict import Head, find_shared_canonical, judge
from docs_sitemap.diagnostics import (
    FIRM_REASONS,
    BuildCode,
    Diagnostics,
    ExclusionReason,
    UrlError,
)
from docs_sitemap.entry import Entry
from docs_sitemap.site import Site
from docs_sitemap.sitemap.urls import NormalizedUrl, make_loc
from docs_sitemap.tools.printing import shorten


def select_pages(
    entries: Sequence[Entry], site: Site, diagnostics: Diagnostics
) -> None:
    """Set the URL of each page, or the reason why it is excluded. Of pages with the
    same URL, the last is listed, unless only an earlier one is requested. Invalid URLs,
    unreadable pages, duplicates, and a canonical link in most pages are reported.
    """
    ignored = set(site.options.ignore_reasons)
    ignored_if_requested = ignored | (set(ExclusionReason) - FIRM_REASONS)
    by_loc: dict[str, Entry] = {}
    for entry in entries:
        reasons = ignored_if_requested if entry.is_requested else ignored
        _select_page(entry, site, reasons, diagnostics)
        if entry.reason is not None:
            continue
        first = by_loc.get(entry.loc)
        if first is not None and first.is_requested and not entry.is_requested:
            entry.exclude(ExclusionReason.DUPLICATE_URL, first.page.name)
            continue
        if first is not None:
            first.exclude(ExclusionReason.DUPLICATE_URL, entry.page.name)
            _report_duplicate(first, entry, diagnostics)
        by_loc[entry.loc] = entry
    if ExclusionReason.DUPLICATE_CONTENT not in ignored:
        _exclude_copies(entries)
    _report_shared_canonical(entries, diagnostics)


def _exclude_copies(entries: Sequence[Entry]) -> None:
    """Exclude the pages whose originals are listed, unless they are requested."""
    listed = {entry.page.name for entry in entries if entry.reason is None}
    for entry in entries:
        original = entry.page.original
        if entry.reason is None and original in listed and not entry.is_requested:
            entry.exclude(ExclusionReason.DUPLICATE_CONTENT, original)


def _select_page(
    entry: Entry, site: Site, ignored: Set[ExclusionReason], diagnostics: Diagnostics
) -> None:
    """Set the URL of a page, or the first reason to exclude it that is not ignored."""
    page = entry.page
    for reason, detail in _build_reasons(entry):
        if reason not in ignored:
            entry.exclude(reason, detail)
            return
    try:
        if not entry.loc:  # A page that was dated before has its URL.
            entry.loc = make_loc(site.base_url, page.url)
    except UrlError as error:
        message = f"{page.name} is excluded: {error}. Fix: rename the page."
        diagnostics.warn(BuildCode.URL, message, page=page.name)
        entry.exclude(ExclusionReason.INVALID_URL, str(error))
        return
    if not page.is_translated and ExclusionReason.UNTRANSLATED not in ignored:
        entry.exclude(ExclusionReason.UNTRANSLATED)
        return
    head = _read_head(entry, diagnostics)
    if head is None:
        return
    verdict = judge(head, entry.loc, ignored=ignored, known_canonicals=page.canonicals)
    if verdict is not None:
        entry.exclude(verdict.reason, verdict.detail)


def _build_reasons(entry: Entry) -> Iterator[tuple[ExclusionReason, str]]:
    """Yield the reasons that are known before the URL and the HTML file, each with a
    detail.
    """
    output = entry.page.output
    if entry.settings.exclude:
        yield ExclusionReason.FRONT_MATTER, ""
    if entry.page.generator_page:
        yield ExclusionReason.GENERATOR_PAGE, ""
    if entry.page.is_fragment:
        yield ExclusionReason.NO_TITLE, ""
    if entry.page.is_shell:
        yield ExclusionReason.APP_SHELL, ""
    if entry.excluded_by is not None:
        yield ExclusionReason.EXCLUDE_PATTERN, entry.excluded_by
    if output is not None and not os.path.isfile(output):
        yield ExclusionReason.NOT_WRITTEN, output


def _read_head(entry: Entry, diagnostics: Diagnostics) -> Head | None:
    """Return the head of a page; `None` if there is no file, or it cannot be read."""
    page = entry.page
    if page.head is not None:
        return page.head
    if page.output is None:
        return None
    try:
        return read_head(page.output, entry.loc)
    except FileNotFoundError:  # the reason `not-written` is ignored
        return None
    except OSError as error:
        message = (
            f"{page.name} is listed although its HTML file cannot be read: {error}. "
            "Fix: correct the permissions of the file."
        )
        diagnostics.warn(BuildCode.PAGE, message, page=page.name)
        return None


def _report_duplicate(first: Entry, second: Entry, diagnostics: Diagnostics) -> None:
    name = second.page.name
    message = (
        f"{name} and {first.page.name} have the same URL, {second.loc}: {name} is "
        "listed. Fix: rename one of them or change the title or slug in its URL."
    )
    diagnostics.warn(BuildCode.DUPLICATE, message, page=name)


def _report_shared_canonical(
    entries: Sequence[Entry], diagnostics: Diagnostics
) -> None:
    targets: Counter[NormalizedUrl] = Counter()
    listed = 0
    for entry in entries:
        if entry.reason is ExclusionReason.CANONICAL:
            targets[NormalizedUrl(entry.detail).page] += 1
        elif entry.reason is None:
            listed += 1
    url = find_shared_canonical(targets, listed)
    if url is not None:
        message = (
            f"{targets[url]:,} pages are left out and {listed:,} listed, because the "
            f"canonical link of most pages is {shorten(url)}. Fix: correct the "
            "template with this link so that each page has its own URL or none; "
            "ignore this if that page contains all others."
        )
        diagnostics.warn(BuildCode.PAGE, message)
