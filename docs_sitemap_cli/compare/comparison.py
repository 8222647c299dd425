"""Compare the entries of two sitemaps."""

import os
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from urllib.parse import unquote

import msgspec

from docs_sitemap.saved_report import SavedReport
from docs_sitemap.sitemap.protocol import parse_w3c_datetime
from docs_sitemap.sitemap.urls import PAGE_SUFFIX, NormalizedUrl, strip_index
from docs_sitemap_cli.console import JSON_VERSION
from docs_sitemap_cli.site.read_sitemaps import Entries
from docs_sitemap_cli.site.sitemap_walk import SitemapLine

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
            nothing redirects.
        dates: The pages in both sitemaps whose `lastmod` differs, by their URLs in the
            second one. Each has two values: in the first sitemap, and in the second;
            `None` if there is none.
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
    folder_before = _common_folder(before)
    folder_after = _common_folder(after)
    added = after.keys() - before.keys()
    removed = before.keys() - after.keys()
    # Pages keep their name if only the ends of the URLs or the address of the site
    # change.
    changed = _pair(removed, added)
    changed |= _pair(removed, added, folder_before, folder_after)
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


def _common_folder(urls: Collection[str]) -> str:
    """Return the longest URL of a folder that all URLs start with."""
    start = os.path.commonprefix(list(urls))  # noqa: RUF071  # The start of a name is cut off.
    return f"{start.rpartition('/')[0]}/"


def _page_name(url: str, folder: str = "") -> str:
    """Return what the URL of a page has in common with its URLs in other forms."""
    path = unquote(url).removeprefix(unquote(folder))
    return PAGE_SUFFIX.sub("", strip_index(path)).rstrip("/")


def _pair(
    removed: set[str],
    added: set[str],
    folder_before: str = "",
    folder_after: str = "",
) -> dict[str, str]:
    """Remove the URLs of pages with the same name from both sets, and return them, the
    added ones by the removed ones.
    """
    pairs = {}
    names = {_page_name(url, folder_after): url for url in sorted(added)}
    for url in sorted(removed):
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
    if before is not None and after is not None:
        with suppress(ValueError):
            return parse_w3c_datetime(before) == parse_w3c_datetime(after)
    return before == after
