"""Check built sites and sitemaps by their paths: the entry point of the command."""

import os
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from glob import glob

from docs_sitemap.any_site.config_file import SiteSettings
from docs_sitemap.date_status import DateStatus
from docs_sitemap.diagnostics import Diagnostic
from docs_sitemap.report import SavedReport
from docs_sitemap.robots import ROBOTS_FILE, is_robots_effective
from docs_sitemap.site_folder import SiteFolder
from docs_sitemap.site_sitemaps import (
    USUAL_NAMES,
    find_sitemaps,
    guess_base_url,
    read_entries,
)
from docs_sitemap.sitemap.protocol import is_part_name
from docs_sitemap.sitemap.rules import FileDiagnostics
from docs_sitemap.sitemap.urls import BaseUrl, NormalizedUrl, normalize_url, quote_path
from docs_sitemap.sitemap.validation import DateLimits

from .date_checks import DateChecker
from .result import CheckResult, PathResult
from .robots import check_robots, read_robots
from .site import SiteChecker
from .site_rules import SiteRule
from .sitemaps import SitemapGroup

# Generators leave out complete kinds of pages, such as tags. Fewer pages are reported one by one.
_MIN_KIND = 5


def check_paths(
    paths: Sequence[str],
    *,
    now: datetime,
    base_url: BaseUrl | None = None,
    reports: Mapping[str, SavedReport] | None = None,
    settings: SiteSettings | None = None,
) -> CheckResult:
    """Check built sites and sitemaps.

    Args:
        paths: Folders of built sites, whose sitemaps are compared with their pages, and sitemaps,
            which are checked on their own, with the sitemaps that they list.
        now: The current time with its zone.
        base_url: Where each path is published. By default, it is guessed from the sitemap.
        reports: The reports of the builds of some of the folders, by path.
        settings: How to find the sources of pages; `None` to compare no dates with them.

    Raises:
        SitemapError: The settings do not fit the project.
    """
    results = []
    for path in paths:
        if os.path.isdir(path):
            report = (reports or {}).get(path)
            results.append(_check_folder(path, base_url, report, now, settings))
        else:
            results.append(_check_file(path, base_url, now))
    return CheckResult(paths=tuple(results))


def _check_file(path: str, base_url: BaseUrl | None, now: datetime) -> PathResult:
    """Check a sitemap on its own, without the files next to it."""
    parent, name = os.path.split(path)
    folder = SiteFolder(parent, trusted_file=name)
    result = PathResult(path)
    is_guessed = base_url is None
    base_url = base_url or guess_base_url(folder, [name])
    group = SitemapGroup(result, folder, base_url, None, DateLimits(now), is_guessed)
    group.check([name])
    if group.is_complete:
        result.diagnostics += DateChecker(folder, path, group.inventory.urls).check_spread(now)
    return result


def _check_folder(
    path: str,
    base_url: BaseUrl | None,
    report: SavedReport | None,
    now: datetime,
    settings: SiteSettings | None,
) -> PathResult:
    """Check the sitemaps of a built site, its pages, and its robots.txt."""
    result = PathResult(path)
    folder = SiteFolder(path)
    sitemaps = find_sitemaps(folder, () if report is None else report.files)
    if report is not None:
        base_url = base_url or report.base_url
    elif base_url is None:
        base_url = result.assumed_base_url = guess_base_url(folder, sitemaps)
    if not sitemaps:
        message = f"it contains none of {', '.join(USUAL_NAMES)}"
        result.diagnostics.append(SiteRule.NO_SITEMAP.diagnostic(message, path))
        return result
    result.is_base_url_known = base_url is not None
    about_robots = FileDiagnostics(folder.user_path(ROBOTS_FILE))
    robots = None
    if base_url is not None and is_robots_effective(base_url):
        robots = read_robots(folder, about_robots)
    site = None if base_url is None else SiteChecker(folder, base_url, robots)
    limits = DateLimits(now, _has_exact_dates(report))
    group = SitemapGroup(result, folder, base_url, site, limits)
    group.check(sitemaps)
    _check_dates(result, group, sitemaps[0], report, settings, now)
    if robots is not None and base_url is not None:
        urls = [normalize_url(base_url + quote_path(file)) for file in sitemaps]
        check_robots(robots, folder, urls, about_robots)
    result.add(about_robots)
    if site is not None:
        if group.is_complete and site.is_complete:
            _add_missing_pages(result, site, group, report)
        result.pages = site.pages_read
        result.separate_sites = list(site.separate_sites)
    result.diagnostics += _unlisted_parts(folder, group)
    return result


def _has_exact_dates(report: SavedReport | None) -> bool:
    """Return whether docs-sitemap wrote the dates of a sitemap, and took them from git."""
    # After a failed run, the sitemap is that of the generator.
    if report is None or not report.files:
        return False
    return all(page.fallback is None for page in report.pages)


def _check_dates(
    result: PathResult,
    group: SitemapGroup,
    sitemap: str,
    report: SavedReport | None,
    settings: SiteSettings | None,
    now: datetime,
) -> None:
    """Check the dates of a site, unless docs-sitemap has written all of them.

    Args:
        result: Receives the diagnostics and notes.
        group: The sitemaps.
        sitemap: The first of them.
        report: The report of the build.
        settings: How to find the sources of pages; `None` to compare no dates with them.
        now: The current time with its zone.
    """
    listed = group.inventory.urls
    pages = () if report is None else report.pages
    number = sum(date is not None for date in listed.values())
    statuses = {page.date_status for page in pages if page.loc is not None}
    is_undated = number == 0 and bool(statuses - {DateStatus.DISABLED})
    has_others = number > sum(page.lastmod is not None for page in pages)
    if _has_exact_dates(report) and not is_undated and not has_others:
        if settings is not None:
            text = "no dates compared: docs-sitemap wrote them; see docs-sitemap explain"
            result.notes.append(text)
        return
    generator = "" if group.site is None else group.site.generator
    if is_undated or any(page.fallback is not None for page in pages):
        generator = "docs-sitemap"
    file = group.folder.user_path(sitemap)
    dates = DateChecker(group.folder, file, listed, group.base_url, generator, settings)
    if group.is_complete:
        result.diagnostics += dates.check_spread(now)
    if settings is not None:
        result.diagnostics += dates.check_sources(result.notes)


def _unlisted_parts(folder: SiteFolder, group: SitemapGroup) -> Iterator[Diagnostic]:
    """Yield the parts of earlier sitemaps, which no sitemap index lists."""
    for part in sorted(glob("*-[0-9]*.xml", root_dir=folder.root)):
        is_part = any(is_part_name(sitemap, part) for sitemap in group.names)
        is_unlisted = is_part and part not in group.names and group.is_complete
        if is_unlisted and next(read_entries(folder, part), None) is not None:
            message = "no sitemap index lists it"
            yield SiteRule.NOT_IN_INDEX.diagnostic(message, folder.user_path(part))


def _add_missing_pages(
    result: PathResult, site: SiteChecker, group: SitemapGroup, report: SavedReport | None
) -> None:
    """Report the pages that no sitemap lists."""
    pages = () if report is None else report.pages
    excluded = {page.output for page in pages if page.reason is not None and page.output}
    # A report that the user named may be the report of another build.
    is_current = report is not None and report.matches(result.path)
    known = {page.output for page in pages} if is_current else None
    by_folder: defaultdict[str, list[tuple[str, NormalizedUrl]]] = defaultdict(list)
    for file, url in site.find_missing(excluded, group.names):
        by_folder[file.partition("/")[0]].append((file, url))
    listed = Counter(file.partition("/")[0] for file in site.listed_files)
    for folder, missing in by_folder.items():
        number, total = len(missing), len(missing) + listed[folder]
        is_kind = number >= _MIN_KIND and 2 * number > total
        for file, url in missing[:1] if is_kind else missing:
            message = "no sitemap lists it"
            if is_kind:
                message += f" and {number - 1:,} others of {total:,} pages below {folder}/"
            if known is not None and file not in known:
                message += ", and it is not a page of the last build"
            name = os.path.join(result.path, file)
            result.diagnostics.append(SiteRule.MISSING.diagnostic(message, name, url=url))
