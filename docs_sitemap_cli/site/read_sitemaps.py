"""Read all entries of the sitemaps of a site, in a file or in a folder."""

import os
from collections.abc import Mapping

import click

from docs_sitemap.saved_report import SavedReport
from docs_sitemap.sitemap.urls import BaseUrl

from .address import guess_base_url
from .folder import SiteFolder
from .sitemaps import find_sitemaps
from .walk import (
    FolderSitemaps,
    IncompleteError,
    SitemapLine,
    read_all_pages,
)

Entries = Mapping[str, SitemapLine]
"""The entries by the text of `<loc>`."""


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
    elif os.path.isdir(place):
        folder = SiteFolder(place)
    elif os.path.lexists(place):
        folder = SiteFolder(os.path.dirname(place))
        sitemaps = [os.path.basename(place)]
    else:
        raise click.UsageError(
            f"{place} does not exist. Fix: name a sitemap or the folder of a site."
        )
    if not sitemaps:
        sitemaps = find_sitemaps(folder, () if report is None else report.files)
    if not sitemaps:
        raise click.UsageError(
            f"{folder.path} contains no sitemap. Fix: name a sitemap or the folder of "
            "a site."
        )
    base_url = guess_base_url(folder, sitemaps)
    source = FolderSitemaps(folder, base_url)
    try:
        pages = read_all_pages(source, sitemaps)
    except IncompleteError as error:
        raise click.UsageError(source.describe_fault(error.sitemap)) from None
    return folder, base_url, pages
