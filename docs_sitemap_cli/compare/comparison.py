"""Compare the entries of two sitemaps, and find the URLs that a site loses."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import timedelta
from urllib.parse import unquote

import msgspec

from docs_sitemap.result import SavedReport
from docs_sitemap.sitemap.protocol import DAY_LENGTH
from docs_sitemap.sitemap.urls import BaseUrl, NormalizedUrl
from docs_sitemap_cli.console import JSON_VERSION
from docs_sitemap_cli.dating_commits import (
    Sweep,
    find_sweep_date,
    find_sweeps,
    read_commits,
)
from docs_sitemap_cli.published.folder import SiteFolder
from docs_sitemap_cli.published.lastmods import parse_lastmod
from docs_sitemap_cli.published.read_sitemaps import Entries
from docs_sitemap_cli.published.redirects import Redirects
from docs_sitemap_cli.published.sitemaps import SitemapLine

from .moves import common_folder, find_moved_folders, without_end

Difference = tuple[str | None, str | None]
"""The values in the first and in the second sitemap; `None` where there is none."""


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """The differences of two sitemaps: the document that `compare --format json`
    prints.

    Attributes:
        version: The version of this format.
        urls_before: The number of URLs in the first sitemap.
        urls_after: The number of URLs in the second sitemap.
        added: The URLs that only the second sitemap lists.
        removed: The URLs that only the first sitemap lists, each with the reason why
            the build excluded the page, in one line, if that is known.
        changed: The pages that have another URL in each sitemap: their URLs in the
            second sitemap by those in the first.
        lost: With `--fail-on-removed`, the URLs that disappear from the site, and that
            nothing redirects to a page.
        dates: The pages in both sitemaps whose `lastmod` differs, by their URLs in the
            second one. Each has two values: in the first sitemap, and in the second;
            `None` if there is none.
        sweeps: The commits that changed many of these dates, the one with the most
            pages first. Without the saved report of the second site, the commits are
            unknown, and pages with the same date are a sweep.
        alternates: The pages in both sitemaps whose `hreflang` links differ, by their
            URLs in the second one. Each has the languages that differ, with two URLs in
            the same form.
    """

    version: int = JSON_VERSION
    urls_before: int
    urls_after: int
    added: list[str]
    removed: dict[str, str | None]
    changed: dict[str, str]
    lost: list[str] = []
    dates: dict[str, Difference]
    sweeps: list[Sweep] = []
    alternates: dict[str, dict[str, Difference]]


def compare_sitemaps(
    before: Entries, after: Entries, *, report: SavedReport | None = None
) -> Comparison:
    """Compare two sitemaps. A URL in another spelling is the same URL.

    Args:
        before: The first sitemap.
        after: The second sitemap.
        report: The report of the build that wrote the second sitemap.
    """
    spellings = {NormalizedUrl(url): url for url in after}
    before = {
        spellings.get(NormalizedUrl(url), url): line for url, line in before.items()
    }
    folder_before = common_folder(before)
    folder_after = common_folder(after)
    added = after.keys() - before.keys()
    removed = before.keys() - after.keys()
    # Pages keep their name if only the ends of the URLs, or the address of the site or
    # of a folder change.
    changed = _pair(removed, added)
    changed |= _pair(removed, added, folder_before, folder_after)
    for folder, new_folder in find_moved_folders(removed, added):
        changed |= _pair(removed, added, folder, new_folder)
    kept = {}
    for url in before.keys() - removed:
        kept[changed.get(url, url)] = before[url]
    dates = {}
    alternates = {}
    for url, old in sorted(kept.items()):
        new = after[url]
        if not _same_date(old.lastmod, new.lastmod):
            dates[url] = old.lastmod, new.lastmod
        links = _compare_alternates(old, new, changed)
        if links:
            alternates[url] = links
    return Comparison(
        urls_before=len(before),
        urls_after=len(after),
        added=sorted(added),
        removed=_find_reasons(sorted(removed), report),
        changed=dict(sorted(changed.items())),
        dates=dates,
        alternates=alternates,
    )


def find_changed_sweeps(
    dates: Mapping[str, Difference], report: SavedReport | None, project: str
) -> list[Sweep]:
    """Return the sweeps among the pages whose dates changed.

    Args:
        dates: The dates that changed.
        report: The report of the build that wrote the second sitemap.
        project: The folder of the project, which has the commits.
    """
    hashes = {}
    if report is not None:
        for page in report.pages:
            if page.loc is not None:
                _, commit = find_sweep_date(page)
                hashes[NormalizedUrl(page.loc), page.lastmod] = commit
    found = {}
    for url, (_, lastmod) in dates.items():
        found[url] = lastmod, hashes.get((NormalizedUrl(url), lastmod))
    known = [commit for _, commit in found.values() if commit is not None]
    return find_sweeps(found, read_commits(known, project))


def find_earlier_sweeps(dates: Mapping[str, Difference]) -> list[Sweep]:
    """Return the pages that had the same day before their dates changed, such as the
    one of a build, or that had no date. Pages whose date is lost or invalid are left
    out.
    """
    days = {}
    for url, (before, after) in dates.items():
        is_readable = before is None or parse_lastmod(before) is not None
        if is_readable and parse_lastmod(after) is not None:
            day = None if before is None else before[:DAY_LENGTH]
            days[url] = day, None
    return find_sweeps(days, {})


def sort_dates(dates: Mapping[str, Difference]) -> list[tuple[str, Difference]]:
    """Return dates that changed, the most important first: those that are gone, and
    then the largest differences. Pages that have their first date are last.
    """

    def weight(item: tuple[str, Difference]) -> timedelta:
        _, difference = item
        if difference[1] is None:
            return timedelta.max
        return _distance(difference) or timedelta()

    return sorted(dates.items(), key=weight, reverse=True)


def _find_reasons(
    removed: Sequence[str], report: SavedReport | None
) -> dict[str, str | None]:
    """Return why the build excluded the pages with these URLs."""
    if report is None:
        return dict.fromkeys(removed)
    reasons = {}
    for page in report.pages:
        if page.reason is not None:
            reason = report.names.describe(page.reason)
            if page.detail:
                reason += f" ({page.detail})"
            reasons[_page_name(page.url)] = reason
    return {url: reasons.get(_page_name(url, report.base_url)) for url in removed}


def _page_name(url: str, folder: str = "") -> str:
    """Return what the URL of a page has in common with its URLs in other forms."""
    return without_end(unquote(url).removeprefix(unquote(folder)))


def _pair(
    removed: set[str],
    added: set[str],
    folder_before: str = "",
    folder_after: str = "",
) -> dict[str, str]:
    """Remove the URLs of pages with the same name in two folders from both sets, and
    return them, the added ones by the removed ones.
    """
    pairs = {}
    new = sorted(url for url in added if url.startswith(folder_after))
    names = {_page_name(url, folder_after): url for url in new}
    for url in sorted(url for url in removed if url.startswith(folder_before)):
        after = names.pop(_page_name(url, folder_before), None)
        if after is not None:
            pairs[url] = after
    removed.difference_update(pairs)
    added.difference_update(pairs.values())
    return pairs


def _compare_alternates(
    old: SitemapLine, new: SitemapLine, changed: Mapping[str, str]
) -> dict[str, Difference]:
    """Return the languages in which a page has another URL, with both URLs."""
    before = dict(old.alternates)
    after = dict(new.alternates)
    differences = {}
    for language in sorted({*before, *after}):
        url = before.get(language)
        other = after.get(language)
        expected = changed.get(url or "", url)
        if NormalizedUrl(other or "") != NormalizedUrl(expected or ""):
            differences[language] = url, other
    return differences


def _same_date(before: str | None, after: str | None) -> bool:
    """Return whether two dates are equal, whatever the time zones in which they are
    written.
    """
    if before == after:
        return True
    return _distance((before, after)) == timedelta()


def _distance(difference: Difference) -> timedelta | None:
    """Return the time between two dates; `None` if one is missing or invalid."""
    before, after = map(parse_lastmod, difference)
    if before is None or after is None:
        return None
    return abs(before - after)


def find_lost(
    urls: Iterable[str],
    old_base: BaseUrl | None,
    folder: SiteFolder,
    base_url: BaseUrl | None,
) -> Iterator[str]:
    """Yield the URLs that neither open a page of a site nor are redirected to one.

    Args:
        urls: The URLs of an earlier site.
        old_base: The URL of the folder of that site; `None` if it is unknown.
        folder: The folder of the site.
        base_url: The URL of the folder; `None` if it is unknown.
    """
    redirects = Redirects(folder)
    site = NormalizedUrl(base_url or old_base or "")
    for url in urls:
        path = NormalizedUrl(url).partition("?")[0]
        for base in (base_url, old_base):
            path = path.removeprefix(base or "")
        if not redirects.lead_to_page(f"{site}{path}", site):
            yield url
