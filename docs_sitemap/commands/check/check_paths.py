"""Check built sites and sitemaps by their paths: the entry point of the command."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from docs_sitemap.commands.check.result import CheckResult, PathResult
from docs_sitemap.commands.check.robots import check_robots, read_robots
from docs_sitemap.commands.check.rules import SiteRule
from docs_sitemap.commands.check.site import SiteChecker
from docs_sitemap.commands.check.sitemaps import Progress, SitemapGroup
from docs_sitemap.report import SavedReport
from docs_sitemap.robots import ROBOTS_FILE, is_robots_effective
from docs_sitemap.site_folder import SiteFolder
from docs_sitemap.site_sitemaps import USUAL_NAMES, find_sitemaps, guess_base_url
from docs_sitemap.sitemap.rules import (
    MAX_DIAGNOSTICS_PER_FILE,
    FileDiagnostics,
)
from docs_sitemap.sitemap.urls import BaseUrl, normalize_url, quote_path
from docs_sitemap.sitemap.validation import DateLimits
from docs_sitemap.text import join_some, printable, shell_word

# Fewer dates may have the same day by chance.
_MIN_DATES = 10
_DAY = timedelta(days=1)

_MAX_NAMED = 3


def check_paths(
    paths: Sequence[str],
    *,
    now: datetime,
    base_url: BaseUrl | None = None,
    reports: Mapping[str, SavedReport] | None = None,
    progress: Progress = lambda _: None,
) -> CheckResult:
    """Check built sites and sitemaps.

    Args:
        paths: Folders of built sites, whose sitemaps are compared with their pages, and sitemaps,
            which are checked on their own, with the sitemaps that they list.
        now: The current time with its zone.
        base_url: Where each path is published. By default, it is guessed from the sitemap.
        reports: The reports of the builds of some of the folders, by path.
        progress: Is called regularly with the file that is being checked.
    """
    results = []
    for path in paths:
        if os.path.isdir(path):
            report = (reports or {}).get(path)
            results.append(_check_folder(path, base_url, report, now, progress))
        else:
            results.append(_check_file(path, base_url, now, progress))
    return CheckResult(tuple(results))


def _check_file(
    path: str, base_url: BaseUrl | None, now: datetime, progress: Progress
) -> PathResult:
    """Check a sitemap on its own, without the files next to it."""
    parent, name = os.path.split(path)
    folder = SiteFolder(parent, trusted_file=name)
    result = PathResult(path)
    is_guessed = base_url is None
    base_url = base_url or guess_base_url(folder, [name])
    group = SitemapGroup(result, folder, base_url, None, DateLimits(now), progress, is_guessed)
    group.check([name])
    _check_build_day(result, path, group, now)
    return result


def _check_folder(
    path: str,
    base_url: BaseUrl | None,
    report: SavedReport | None,
    now: datetime,
    progress: Progress,
) -> PathResult:
    """Check the sitemaps of a built site, its pages, and its robots.txt."""
    result = PathResult(path)
    folder = SiteFolder(path)
    sitemaps = find_sitemaps(folder, () if report is None else report.files)
    if report is not None:
        base_url = base_url or report.base_url
    elif base_url is None:
        base_url = result.assumed_base_url = guess_base_url(folder, sitemaps)
    is_exact = report is not None and all(page.fallback is None for page in report.pages)
    dates = DateLimits(now, is_exact)
    if not sitemaps:
        result.diagnostics.append(SiteRule.NO_SITEMAP.diagnostic(_no_sitemap(folder), path))
        return result
    result.is_base_url_known = base_url is not None
    about_robots = FileDiagnostics(folder.user_path(ROBOTS_FILE))
    robots = None
    if base_url is not None and is_robots_effective(base_url):
        robots = read_robots(folder, about_robots)
    site = None if base_url is None else SiteChecker(folder, base_url, robots)
    group = SitemapGroup(result, folder, base_url, site, dates, progress)
    group.check(sitemaps)
    if not is_exact:
        _check_build_day(result, folder.user_path(sitemaps[0]), group, now)
    if robots is not None and base_url is not None:
        urls = [normalize_url(base_url + quote_path(file)) for file in sitemaps]
        check_robots(robots, folder, urls, about_robots)
    result.add(about_robots)
    if site is not None:
        if group.is_complete and site.is_complete:
            _add_missing_pages(result, site, group, report, progress)
        result.pages = site.pages_read
        result.separate_sites = list(site.separate_sites)
    return result


def _no_sitemap(folder: SiteFolder) -> str:
    """Return a message that names the folders of versions and languages that have sitemaps."""
    message = f"it contains none of {', '.join(USUAL_NAMES)}"
    patterns = (f"{start}{name}" for start in ("*/", "*/*/") for name in USUAL_NAMES)
    parents = {path.parent for pattern in patterns for path in Path(folder.root).glob(pattern)}
    names = sorted(one.relative_to(folder.root).as_posix() for one in parents)
    if names:
        paths = [shell_word(folder.user_path(name)) for name in names]
        message += f"; check the folders with sitemaps: {join_some(paths, _MAX_NAMED)}"
    return message


def _check_build_day(result: PathResult, file: str, group: SitemapGroup, now: datetime) -> None:
    """Check whether all dates are the day of the build: today, or the day on which the sitemap
    was written. The time zone of the build may have been another one.
    """
    days = group.inventory.days
    if not group.is_complete or days.total() < _MIN_DATES or len(days) != 1:
        return
    ((day, number),) = days.items()
    try:
        written = os.stat(file).st_mtime
        builds = [now.astimezone(UTC).date(), datetime.fromtimestamp(written, UTC).date()]
    except (OSError, ValueError, OverflowError):
        return
    if any(abs(day - build) <= _DAY for build in builds):
        message = f"all {number:,} dates are {day.isoformat()}, within a day of the build"
        result.diagnostics.append(SiteRule.LASTMOD_ALL_SAME.diagnostic(message, file))


def _add_missing_pages(
    result: PathResult,
    site: SiteChecker,
    group: SitemapGroup,
    report: SavedReport | None,
    progress: Progress,
) -> None:
    """Report the pages that no sitemap lists, up to one limit for all pages."""
    pages = () if report is None else report.pages
    excluded = {page.output for page in pages if page.reason is not None and page.output}
    # A report that the user named may be the report of another build.
    is_current = report is not None and report.matches(result.path)
    known = {page.output for page in pages} if is_current else None
    missing = 0
    for file, url in site.find_missing(excluded, group.names):
        name = os.path.join(result.path, file)
        progress(name)
        if url is None:
            continue
        missing += 1
        if missing <= MAX_DIAGNOSTICS_PER_FILE:
            rule, message = SiteRule.MISSING, "no sitemap lists it"
            if known is not None and file not in known:
                rule = SiteRule.LEFT_OVER
                message += ", and the last build does not know it"
            result.diagnostics.append(rule.diagnostic(message, name, url=url))
    if missing > MAX_DIAGNOSTICS_PER_FILE:
        result.truncated_files.append(printable(result.path))
