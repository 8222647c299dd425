"""Check a built site or a sitemap by its path."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from docs_sitemap.diagnostics import Diagnostic
from docs_sitemap.result import SavedReport
from docs_sitemap.sitemap.rules import error
from docs_sitemap.sitemap.urls import BaseUrl, NormalizedUrl
from docs_sitemap_cli.console import shell_word
from docs_sitemap_cli.published.address import (
    Address,
    Origin,
    find_address,
    guess_base_url,
)
from docs_sitemap_cli.published.find_report import find_saved_reports, is_current
from docs_sitemap_cli.published.folder import (
    ADDRESS_OPTIONS,
    Generator,
    SiteFolder,
    find_generator,
)
from docs_sitemap_cli.published.sitemap_sources import (
    USUAL_NAMES,
    FolderSitemaps,
    find_other_site,
    find_sitemaps,
)
from docs_sitemap_cli.published.sitemaps import walk_sitemaps

from .dates import check_dates
from .folder_pages import FolderPages, find_missing_pages
from .path_result import PathResult
from .robots import read_robots
from .sitemaps import SitemapGroup, check_compressed_copies, find_unlisted_parts

NO_SITEMAP = error(
    "no-sitemap",
    "the folder contains no sitemap",
    "build it with site_url or html_baseurl, run docs-sitemap generate, or "
    "pass another folder",
)

# How to write a sitemap with each generator.
_SITEMAP_FIXES = {
    generator: f"build it with {option}, or pass another folder"
    for generator, option in ADDRESS_OPTIONS.items()
}
_SITEMAP_FIXES[Generator.OTHER] = (
    "run docs-sitemap generate, or docs-sitemap index if the folder contains versions"
)

BASE_URL = error(
    "base-url",
    "the base URL contradicts the file CNAME",
    "correct the URL and the base path of the site in the configuration of the "
    "generator; if the site is published elsewhere, set --base-url",
)


def check_path(
    path: str,
    *,
    now: datetime,
    base_url: BaseUrl | None = None,
    report: SavedReport | None = None,
    project: str = os.curdir,
) -> PathResult:
    """Check a built site or a sitemap.

    Args:
        path: The folder of a built site, whose sitemaps are compared with its pages, or
            a sitemap, which is checked on its own, with the sitemaps that it lists.
        now: The current time with its zone.
        base_url: Where the path is published. By default, it is guessed.
        report: The report of the build of a folder, if it is known.
        project: The folder of the project that the report is about.
    """
    if os.path.isdir(path):
        return _check_folder(path, base_url, report, now, project)
    return _check_file(path, base_url, now)


def _find_documents(report: SavedReport | None, project: str) -> dict[str, str]:
    """Return the paths of the documents of pages, by their HTML files."""
    documents: dict[str, str] = {}
    if report is None:
        return documents
    for page in report.pages:
        if page.output is not None and page.document is not None:
            documents[page.output] = os.path.join(project, page.document)
    return documents


def _check_file(path: str, base_url: BaseUrl | None, now: datetime) -> PathResult:
    """Check a sitemap on its own, without the files next to it."""
    parent, name = os.path.split(path)
    folder = SiteFolder(parent)
    result = PathResult(path)
    name = folder.uncompressed(name)
    is_guessed = base_url is None
    base_url = base_url or guess_base_url(folder, [name])
    group = SitemapGroup(result, now, folder.user_path, is_guessed=is_guessed)
    _check_sitemaps(group, FolderSitemaps(folder, base_url), [name], None)
    result.is_base_url_known = group.fits_base_url
    if group.is_complete:
        result.diagnostics += check_dates(folder, path, group.inventory.urls)
    return result


def _check_folder(
    path: str,
    option: BaseUrl | None,
    report: SavedReport | None,
    now: datetime,
    project: str,
) -> PathResult:
    """Check the address of a built site, its robots.txt, its sitemaps with the pages
    that they list, its dates, and the pages that no sitemap lists.
    """
    result = PathResult(path)
    folder = SiteFolder(path)
    sitemaps = find_sitemaps(folder, report)
    if not sitemaps:
        result.diagnostics.append(_report_no_sitemap(folder))
        return result
    address = find_address(folder, sitemaps, option=option, report=report)
    source = FolderSitemaps(folder, None if address is None else address.base_url)
    group = SitemapGroup(result, now, folder.user_path)
    pages = None
    if address is None:
        result.is_base_url_known = False
    else:
        _check_address(address, folder.user_path(sitemaps[0]), result)
        robots = read_robots(source, sitemaps, result)
        documents = _find_documents(report, project)
        pages = FolderPages(folder, address.base_url, robots, result, documents)
        group = SitemapGroup(result, now, folder.user_path, robots, pages.check_listed)
    _check_sitemaps(group, source, sitemaps, pages)
    if not group.is_complete:
        return result
    subfolders = set() if pages is None else pages.listed_folders()
    dates = group.inventory.urls
    first = folder.user_path(sitemaps[0])
    found = list(check_dates(folder, first, dates, report))
    reports = _find_reports(folder, sorted(subfolders), report)
    if found and not _has_own_dates(dates, reports):
        result.diagnostics += found
    result.diagnostics += find_unlisted_parts(source, group)
    # If no URL opens a file, all pages are missing for the same reason.
    if pages is not None and pages.is_complete and pages.opens_files:
        result.diagnostics += find_missing_pages(pages, group.files, report, project)
        result.separate_sites = list(pages.separate_sites)
    if pages is not None:
        result.diagnostics += pages.check_shared_canonical(first)
    return result


def _report_no_sitemap(folder: SiteFolder) -> Diagnostic:
    """Return the diagnostic about a folder without a sitemap."""
    message = f"it contains none of {', '.join(USUAL_NAMES)}"
    diagnostic = NO_SITEMAP.diagnostic(message, folder.path)
    fix = _SITEMAP_FIXES.get(find_generator(folder), diagnostic.fix)
    other = find_other_site(folder.path)
    if other is not None:
        fix = f"pass {shell_word(other)}, which has a sitemap"
    return replace(diagnostic, fix=fix)


def _check_address(address: Address, file: str, result: PathResult) -> None:
    """Check that nothing contradicts the address of a site."""
    if address.origin not in (Origin.OPTION, Origin.REPORT):
        result.assumed_base_url = address.base_url
    # The rules for pages report canonical links, because some may be intended.
    others = []
    for evidence in address.contradictions:
        if evidence.origin is not Origin.CANONICAL_LINKS:
            others.append(str(evidence))
    if others:
        message = f"{address.evidence[0]} contradicts {' and '.join(others)}"
        result.diagnostics.append(BASE_URL.diagnostic(message, file))


def _check_sitemaps(
    group: SitemapGroup,
    source: FolderSitemaps,
    sitemaps: Sequence[str],
    pages: FolderPages | None,
) -> None:
    """Check the sitemaps of a folder with those of their indexes and with their
    compressed copies.
    """
    for sitemap in walk_sitemaps(source, sitemaps, group.read, nested=False):
        group.check(sitemap)
    unlisted = group.inventory.check_one_sided() if group.is_complete else []
    if pages is not None:
        for link in unlisted:
            pages.check_unlisted_alternate(link)
    group.finish()
    copies = check_compressed_copies(source.folder, group.complete)
    group.result.diagnostics += copies


def _find_reports(
    folder: SiteFolder, subfolders: Iterable[str], report: SavedReport | None
) -> Iterator[SavedReport]:
    """Yield the report of a site, and those of the builds in its subfolders, such as
    languages or versions.
    """
    if report is not None:
        yield report
    for subfolder in subfolders:
        path = folder.user_path(subfolder)
        for saved in find_saved_reports(path):
            if is_current(saved, path):
                yield saved
                break


def _has_own_dates(
    dates: Mapping[NormalizedUrl, int | None], reports: Iterable[SavedReport]
) -> bool:
    """Return whether docs-sitemap wrote all dates of a site."""
    listed = sum(date is not None for date in dates.values())
    written = 0
    for report in reports:
        if report.files:
            written += sum(page.lastmod is not None for page in report.pages)
    return 0 < listed <= written
