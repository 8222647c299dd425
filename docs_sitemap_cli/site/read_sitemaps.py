"""Read all entries of the sitemaps of a site: in a file, in a folder, or on a branch
that is not checked out.
"""

import os
from collections.abc import Mapping
from contextlib import ExitStack, closing

import click

from docs_sitemap.git.run import GitError
from docs_sitemap.saved_report import SavedReport
from docs_sitemap.sitemap.urls import BaseUrl

from .address import guess_base_url
from .branch import Branch
from .deployed_branch import DeployedBranch
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
    path: str, stack: ExitStack, report: SavedReport | None = None
) -> tuple[SiteFolder, BaseUrl | None, Entries]:
    """Return the folder of some sitemaps, its base URL if there are any URLs, and all
    entries.

    Args:
        path: A sitemap, a sitemap index, the folder of a site, or a branch, also with a
            folder after a colon. The sitemaps that an index names are read if they are
            in the same folder.
        stack: Closes the branch.
        report: The report of the build of the site, if it is known.

    Raises:
        click.UsageError: There is no sitemap, or not all URLs can be read.
    """
    sitemaps: list[str] = []
    if os.path.isdir(path):
        folder = SiteFolder(path)
    elif os.path.lexists(path):
        folder = SiteFolder(os.path.dirname(path))
        sitemaps = [os.path.basename(path)]
    else:
        folder = _open_branch(path, stack)
    if not sitemaps:
        sitemaps = find_sitemaps(folder, () if report is None else report.files)
    if not sitemaps:
        raise click.UsageError(
            f"{path} contains no sitemap. Fix: name a sitemap or the folder of a site."
        )
    base_url = guess_base_url(folder, sitemaps)
    source = FolderSitemaps(folder, base_url)
    try:
        pages = read_all_pages(source, sitemaps)
    except IncompleteError as error:
        raise click.UsageError(source.describe_fault(error.sitemap)) from None
    return folder, base_url, pages


def _open_branch(path: str, stack: ExitStack) -> SiteFolder:
    name, _, folder = path.partition(":")
    try:
        branch = Branch.find(os.curdir, name)
        tree = DeployedBranch(branch, folder.strip("/"))
    except GitError as error:
        fix = error.fix or "correct the name"
        raise click.UsageError(
            f"{path} is not a file, folder, or branch: {error}. Fix: {fix}."
        ) from None
    return stack.enter_context(closing(tree))
