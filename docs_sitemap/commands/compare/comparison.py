"""Compare two sitemaps, such as those of two tools: which URLs appear, disappear, or change."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import takewhile
from urllib.parse import unquote

from docs_sitemap.options import use_sphinx_names
from docs_sitemap.report import SavedReport
from docs_sitemap.site_folder import SiteFolder
from docs_sitemap.site_sitemaps import (
    SitemapLine,
    find_sitemaps,
    guess_base_url,
    open_url,
    read_all_entries,
    read_complete,
)
from docs_sitemap.sitemap.protocol import parse_w3c_datetime
from docs_sitemap.sitemap.rules import UnusableFileError
from docs_sitemap.sitemap.urls import PAGE_SUFFIX, BaseUrl, normalize_url, strip_index

Dates = Mapping[str, str | None]
"""The text of `<lastmod>` by the text of `<loc>`."""


class UnreadableSitemapError(Exception):
    """The URLs of a sitemap cannot be read. The message is one line with a fix."""


@dataclass(frozen=True, slots=True)
class RemovedUrl:
    """A URL that only the first sitemap lists.

    Attributes:
        url: The URL.
        reason: Why the build excluded the page, in one line; `None` if that is unknown.
    """

    url: str
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class ChangedUrl:
    """A page that has another URL in each sitemap.

    Attributes:
        before: The URL in the first sitemap.
        after: The URL in the second sitemap.
    """

    before: str
    after: str


@dataclass(frozen=True, slots=True)
class DateChanges:
    """The numbers of pages in both sitemaps whose `lastmod` differs.

    Attributes:
        added: The pages that have a date only in the second sitemap.
        removed: The pages that have a date only in the first sitemap.
        changed: The pages that have another date in each sitemap.
    """

    added: int
    removed: int
    changed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """The differences of two sitemaps.

    Attributes:
        urls_before: The number of URLs in the first sitemap.
        urls_after: The number of URLs in the second sitemap.
        added: The URLs that only the second sitemap lists.
        removed: The URLs that only the first sitemap lists.
        changed: The pages that have another URL in each sitemap.
        dates: How many dates differ.
    """

    urls_before: int
    urls_after: int
    added: tuple[str, ...]
    removed: tuple[RemovedUrl, ...]
    changed: tuple[ChangedUrl, ...]
    dates: DateChanges


def read_dates(path: str) -> Dates:
    """Return the URLs and dates of a sitemap, or of the sitemaps of a site.

    Args:
        path: A sitemap, a sitemap index, or the folder of a site. The sitemaps that an index names
            are read if they are in the same folder.

    Raises:
        UnreadableSitemapError: There are no URLs, or not all of them can be read.
    """
    if os.path.isdir(path):
        folder = SiteFolder(path)
        sitemaps = find_sitemaps(folder)
    else:
        folder = SiteFolder(os.path.dirname(path))
        sitemaps = [os.path.basename(path)]
    base_url = guess_base_url(folder, sitemaps)
    entries = read_all_entries(folder, sitemaps, base_url, partial(_read_complete, base_url))
    dates = {entry.loc: entry.lastmod for entry in entries}
    if not dates:
        raise UnreadableSitemapError(
            f"{path} contains no sitemap with URLs. Fix: name a sitemap or the folder of a site."
        )
    return dates


def _read_complete(
    base_url: BaseUrl | None, folder: SiteFolder, file: str
) -> Iterator[SitemapLine]:
    """Yield all entries of a sitemap: the others would seem to disappear or appear."""
    try:
        for entry in read_complete(folder, file):
            part = open_url(folder, base_url, normalize_url(entry.loc)) if entry.is_index else ""
            if part is None or not folder.exists(part):
                raise UnreadableSitemapError(
                    f"{folder.user_path(file)}, line {entry.line}: the sitemap {entry.loc} is not "
                    "in the same folder. Fix: copy it there."
                )
            yield entry
    except UnusableFileError as error:
        line = "" if error.line is None else f", line {error.line}"
        raise UnreadableSitemapError(
            f"{folder.user_path(file)}{line}: {error}. Fix: {error.rule.fix}."
        ) from None


def compare_sitemaps(
    before: Dates, after: Dates, *, report: SavedReport | None = None
) -> Comparison:
    """Compare two sitemaps.

    Args:
        before: The first sitemap.
        after: The second sitemap.
        report: The report of the build that wrote the second sitemap.
    """
    folder_before, folder_after = _common_folder(before), _common_folder(after)
    added, removed = after.keys() - before.keys(), before.keys() - after.keys()
    # Pages keep their name if only the ends of the URLs or the address of the site change.
    changed = _pair(removed, "", added, "")
    left = removed - changed.keys()
    changed |= _pair(left, folder_before, added - {*changed.values()}, folder_after)
    reasons = {} if report is None else _exclusion_reasons(report)
    pairs = [(url, url) for url in before.keys() & after.keys()] + [*changed.items()]
    return Comparison(
        urls_before=len(before),
        urls_after=len(after),
        added=tuple(sorted(added - {*changed.values()})),
        removed=tuple(
            RemovedUrl(
                url, reasons.get(_page_name(url, "")) or reasons.get(_page_name(url, folder_before))
            )
            for url in sorted(removed - changed.keys())
        ),
        changed=tuple(ChangedUrl(url, changed[url]) for url in sorted(changed)),
        dates=_compare_dates([(before[one], after[other]) for one, other in pairs]),
    )


def _exclusion_reasons(report: SavedReport) -> dict[str, str]:
    """Return why the build excluded pages, by their names with and without the base URL."""
    reasons = {}
    for page in report.pages:
        if page.reason is not None:
            meaning = page.reason.meaning
            if report.generator == "sphinx":
                meaning = use_sphinx_names(meaning)
            detail = f" ({page.detail})" if page.detail else ""
            for folder in ("", report.base_url):
                reasons[_page_name(f"{folder}{page.url}", "")] = f"{meaning}{detail}"
    return reasons


def _common_folder(urls: Collection[str]) -> str:
    """Return the longest URL of a folder that all URLs start with."""
    folders = sorted(url.split("/")[:-1] for url in urls)
    # What the first and the last one have in common, those between them have in common, too.
    same = takewhile(lambda pair: pair[0] == pair[1], zip(folders[0], folders[-1], strict=False))
    return "".join(f"{name}/" for name, _ in same)


def _page_name(url: str, folder: str) -> str:
    """Return what the URL of a page has in common with its URLs in other forms."""
    path = unquote(url).removeprefix(unquote(folder))
    return PAGE_SUFFIX.sub("", strip_index(path)).rstrip("/")


def _pair(
    removed: Collection[str], folder_before: str, added: Collection[str], folder_after: str
) -> dict[str, str]:
    """Return the URLs of pages with the same name, the first by the second."""
    names = {_page_name(url, folder_after): url for url in sorted(added)}
    changed = {}
    for url in sorted(removed):
        after = names.pop(_page_name(url, folder_before), None)
        if after is not None:
            changed[url] = after
    return changed


def _same_date(before: str | None, after: str | None) -> bool:
    """Return whether two dates are equal, whatever the time zones in which they are written."""
    if before is None or after is None or before == after:
        return before == after
    try:
        return parse_w3c_datetime(before)[0] == parse_w3c_datetime(after)[0]
    except ValueError:
        return False


def _compare_dates(pairs: Collection[tuple[str | None, str | None]]) -> DateChanges:
    different = [pair for pair in pairs if not _same_date(*pair)]
    added = sum(before is None for before, _ in different)
    removed = sum(after is None for _, after in different)
    return DateChanges(added, removed, len(different) - added - removed)
