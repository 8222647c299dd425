"""Read all pages that sitemaps list, in a folder or on a server, or none."""

import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import click

from docs_sitemap.result import SavedReport
from docs_sitemap.sitemap.urls import BaseUrl
from docs_sitemap_cli.arguments import check_folder

from .address import guess_base_url
from .folder import SiteFolder
from .http_answers import ContentError, FetchError
from .sitemap_sources import FolderSitemaps, LiveSitemaps, find_sitemaps
from .sitemaps import Sitemap, SitemapLine, SitemapSource, Skip, walk_sitemaps

if TYPE_CHECKING:
    from .client import HttpClient

Entries = Mapping[str, SitemapLine]
"""The pages by the text of `<loc>`."""


def read_entries(
    place: str | SiteFolder, report: SavedReport | None = None
) -> tuple[SiteFolder, BaseUrl | None, Entries]:
    """Return the folder of some sitemaps, its base URL if there are any URLs, and all
    entries.

    Args:
        place: A sitemap, a sitemap index, or the folder of a site. The sitemaps that an
            index names are read if they are in the same folder.
        report: The report of the build of the site, if it is known.

    Raises:
        click.UsageError: There is no sitemap, or not all URLs can be read.
    """
    sitemaps: list[str] = []
    if isinstance(place, SiteFolder):
        folder = place
    elif os.path.isfile(place):
        folder = SiteFolder(os.path.dirname(place))
        sitemaps = [os.path.basename(place)]
    else:
        folder = SiteFolder(check_folder(place))
    if not sitemaps:
        sitemaps = find_sitemaps(folder, report)
    if not sitemaps:
        raise click.UsageError(
            f"{folder.path} contains no sitemap. Fix: pass a sitemap or the folder of "
            "a site that has one"
        )
    base_url = guess_base_url(folder, sitemaps)
    source = FolderSitemaps(folder, base_url)
    pages, incomplete = _read_pages(source, sitemaps)
    if incomplete is not None:
        raise click.UsageError(source.describe_fault(incomplete))
    return folder, base_url, pages


def read_live_dates(client: "HttpClient", url: str) -> dict[str, str | None]:
    """Return the dates of all pages that a sitemap lists, as written, by the text of
    `<loc>`. The sitemaps that an index lists are included.

    Raises:
        FetchError: There is no answer.
        ContentError: A sitemap cannot be read to its end, or is on another host.
    """
    source = LiveSitemaps(client, url)
    pages, incomplete = _read_pages(source, [url])
    if incomplete is None:
        return {loc: page.lastmod for loc, page in pages.items()}
    if isinstance(incomplete.error, FetchError):
        raise incomplete.error
    if incomplete.error is not None:
        reason = str(incomplete.error)
    elif incomplete.skip is Skip.ELSEWHERE:
        reason = f"the sitemap is not on {source.root}"
    elif incomplete.skip is not None:
        reason = incomplete.skip.value
    else:
        reason = f"it lists more than {source.max_sitemaps:,} sitemaps"
    raise ContentError(incomplete.name, reason)


def _read_pages(
    source: SitemapSource, starts: Iterable[str]
) -> tuple[Entries, Sitemap | None]:
    """Return the pages that sitemaps list, and the first sitemap that hides others: it
    cannot be read to its end, is skipped, or lists too many sitemaps. Without such a
    sitemap, these are all pages. Feeds that an index lists are skipped.
    """
    pages: dict[str, SitemapLine] = {}
    for sitemap in walk_sitemaps(source, starts):
        if sitemap.skip is Skip.REPEATED:
            continue
        for page in sitemap.pages:
            pages[page.loc] = page
        if sitemap.is_feed:
            continue
        is_too_long = len(sitemap.children) >= source.max_sitemaps
        if sitemap.skip is not None or sitemap.error is not None or is_too_long:
            return pages, sitemap
    return pages, None
