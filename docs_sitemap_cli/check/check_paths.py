"""Check built sites and sitemaps by their paths: the entry point of the command."""

import os
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from docs_sitemap.built.robots_txt import ROBOTS_FILE, is_robots_effective
from docs_sitemap.diagnostics import Diagnostic
from docs_sitemap.saved_report import SavedReport
from docs_sitemap.sitemap.rules import FileDiagnostics
from docs_sitemap.sitemap.urls import BaseUrl, NormalizedUrl, quote_path
from docs_sitemap_cli.site.address import Origin, find_address, guess_base_url
from docs_sitemap_cli.site.find_report import is_current
from docs_sitemap_cli.site.folder import SiteFolder
from docs_sitemap_cli.site.folder_sitemaps import (
    USUAL_NAMES,
    FolderSitemaps,
    find_sitemaps,
)
from docs_sitemap_cli.site.walk import walk_sitemaps

from .date_checks import check_dates
from .result import CheckResult, PathResult
from .robots_rules import check_robots, read_robots
from .site import SiteChecker
from .site_rules import SiteRule
from .sitemaps import SitemapGroup, check_compressed_copies


def check_paths(
    paths: Sequence[str],
    *,
    now: datetime,
    base_url: BaseUrl | None = None,
    reports: Mapping[str, SavedReport | None] | None = None,
) -> CheckResult:
    """Check built sites and sitemaps.

    Args:
        paths: Folders of built sites, whose sitemaps are compared with their pages, and
            sitemaps, which are checked on their own, with the sitemaps that they list.
        now: The current time with its zone.
        base_url: Where each path is published. By default, it is guessed from the
            sitemap.
        reports: The reports of the builds of the folders, by path, as far as they are
            known.
    """
    results = []
    for path in paths:
        if os.path.isdir(path):
            report = (reports or {}).get(path)
            results.append(_check_folder(path, base_url, report, now))
        else:
            results.append(_check_file(path, base_url, now))
    return CheckResult(paths=tuple(results))


def _check_file(path: str, base_url: BaseUrl | None, now: datetime) -> PathResult:
    """Check a sitemap on its own, without the files next to it."""
    parent, name = os.path.split(path)
    folder = SiteFolder(parent)
    result = PathResult(path)
    name = folder.uncompressed(name)
    is_guessed = base_url is None
    base_url = base_url or guess_base_url(folder, [name])
    group = SitemapGroup(now, folder.user_path, is_guessed=is_guessed)
    _check_sitemaps(group, FolderSitemaps(folder, base_url), [name], None, result)
    result.is_base_url_known = group.fits_base_url
    if group.is_complete:
        result.diagnostics += check_dates(folder, path, group.inventory.urls)
    return result


def _check_folder(
    path: str,
    base_url: BaseUrl | None,
    report: SavedReport | None,
    now: datetime,
) -> PathResult:
    """Check the sitemaps of a built site, its pages, and its robots.txt."""
    result = PathResult(path)
    folder = SiteFolder(path)
    sitemaps = find_sitemaps(folder, () if report is None else report.files)
    if not sitemaps:
        message = f"it contains none of {', '.join(USUAL_NAMES)}"
        result.diagnostics.append(SiteRule.NO_SITEMAP.diagnostic(message, path))
        return result
    address = find_address(folder, sitemaps, option=base_url, report=report)
    result.is_base_url_known = address is not None
    site = None
    if address is not None:
        base_url = address.base_url
        if address.origin not in (Origin.OPTION, Origin.REPORT):
            result.assumed_base_url = base_url
        result.contradictions = list(map(str, address.contradictions))
        site = _read_site(folder, base_url, sitemaps, result)
    group = SitemapGroup(now, folder.user_path)
    if site is not None:
        group.robots = site.robots
        group.check_page = site.check_entry
    source = FolderSitemaps(folder, base_url)
    _check_sitemaps(group, source, sitemaps, site, result)
    dates = group.inventory.urls
    if group.is_complete and not _has_own_dates(dates, report):
        file = folder.user_path(sitemaps[0])
        result.diagnostics += check_dates(folder, file, dates)
    if site is not None:
        if group.is_complete and site.is_complete:
            result.diagnostics += _missing_pages(site, group, folder, report)
        result.pages = site.pages_read
        result.separate_sites = list(site.separate_sites)
    return result


def _check_sitemaps(
    group: SitemapGroup,
    source: FolderSitemaps,
    sitemaps: Sequence[str],
    site: SiteChecker | None,
    result: PathResult,
) -> None:
    """Check the sitemaps of a folder with those of their indexes and with their
    compressed copies.
    """
    group.check(walk_sitemaps(source, sitemaps, nested=False))
    if group.is_complete:
        for link in group.inventory.report_one_sided():
            if site is not None:
                site.check_unlisted_alternate(link)
    group.add_to(result)
    result.diagnostics += check_compressed_copies(source.folder, group.complete)


def _read_site(
    folder: SiteFolder, base_url: BaseUrl, sitemaps: Sequence[str], result: PathResult
) -> SiteChecker:
    """Return the checker of a site, and check its robots.txt, if crawlers read it."""
    robots = None
    if is_robots_effective(base_url):
        diagnostics = FileDiagnostics(folder.user_path(ROBOTS_FILE))
        robots = read_robots(folder, diagnostics)
        if robots is not None:
            urls = [NormalizedUrl(base_url + quote_path(file)) for file in sitemaps]
            check_robots(robots, folder, urls, diagnostics)
        result.add(diagnostics)
    return SiteChecker(folder, base_url, robots)


def _has_own_dates(
    dates: Mapping[NormalizedUrl, int | None], report: SavedReport | None
) -> bool:
    """Return whether docs-sitemap wrote all dates of a site."""
    if report is None or not report.files:
        return False
    listed = [date for date in dates.values() if date is not None]
    written = [page for page in report.pages if page.lastmod is not None]
    return 0 < len(listed) <= len(written)


def _missing_pages(
    site: SiteChecker,
    group: SitemapGroup,
    folder: SiteFolder,
    report: SavedReport | None,
) -> Iterator[Diagnostic]:
    """Yield the diagnostics about the pages that no sitemap lists."""
    excluded: set[str | None] = set()
    built: set[str | None] | None = None
    if report is not None:
        excluded = {page.output for page in report.pages if page.reason is not None}
        # A report that the user named may be the report of another build.
        if is_current(report, folder.path):
            built = {page.output for page in report.pages}
    for file, url in site.find_missing(excluded, group.names):
        message = "no sitemap lists it"
        if built is not None and file not in built:
            message += ", and it is not a page of the last build"
        yield SiteRule.MISSING.diagnostic(message, folder.user_path(file), url=url)
