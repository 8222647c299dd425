"""Check built sites and sitemaps by their paths: the entry point of the command."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from docs_sitemap.commands.check.codes import Code
from docs_sitemap.commands.check.discovery import (
    USUAL_NAMES,
    find_nested_sitemaps,
    guess_base_url,
    select_sitemaps,
)
from docs_sitemap.commands.check.entry_rules import DateLimits
from docs_sitemap.commands.check.finding import (
    MAX_FINDINGS_PER_FILE,
    FileFindings,
    Finding,
    UnusableFileError,
)
from docs_sitemap.commands.check.index_rules import Progress, SitemapGroup
from docs_sitemap.commands.check.lint_result import LintResult, PathResult
from docs_sitemap.commands.check.robots_rules import (
    ROBOTS_FILE,
    RobotsTxt,
    check_robots,
    is_robots_effective,
    read_robots,
)
from docs_sitemap.commands.check.site_rules import SiteRules
from docs_sitemap.commands.check.sitemap_rules import Inventory, SitemapLocation
from docs_sitemap.site_folder import SiteFolder
from docs_sitemap.sitemap.urls import BaseUrl, normalize_url, quote_path
from docs_sitemap.text import join_some, printable, shell_word

# Fewer dates may have the same day by chance.
_MIN_DATES = 10
_DAY = timedelta(days=1)

_MAX_NAMED = 3


@dataclass(frozen=True, slots=True)
class BuildInfo:
    """The part of a saved report that the check uses.

    Attributes:
        files: The files of the sitemap relative to the site's folder, the sitemap itself first.
        excluded: The pages that were excluded, relative to the site's folder.
        base_url: Where the site is published.
        has_exact_dates: Whether all dates come from commits or front matter.
        known: All pages of the build, relative to the site's folder; `None` if they are unknown.
    """

    files: tuple[str, ...] = ()
    excluded: frozenset[str] = frozenset()
    base_url: BaseUrl | None = None
    has_exact_dates: bool = False
    known: frozenset[str] | None = None


def lint_paths(
    paths: Sequence[str],
    *,
    now: datetime,
    base_url: BaseUrl | None = None,
    builds: Mapping[str, BuildInfo] | None = None,
    progress: Progress = lambda *_: None,
) -> LintResult:
    """Check built sites and sitemaps.

    Args:
        paths: Folders of built sites, whose sitemaps are compared with their pages, and sitemaps,
            which are checked on their own, with the sitemaps that they list.
        now: The current time with its zone.
        base_url: Where each path is published. By default, it is guessed from the sitemap.
        builds: What the builds of some of the folders reported, by path.
        progress: Is called regularly with the current file, and either the bytes that are done
            and their total, or the number of pages that are done and `None`.
    """
    results = []
    for path in paths:
        if os.path.isdir(path):
            build = (builds or {}).get(path, BuildInfo())
            known_base_url = base_url or build.base_url
            results.append(_lint_folder(path, known_base_url, build, now, progress))
        else:
            results.append(_lint_file(path, base_url, now, progress))
    return LintResult(tuple(results))


def _lint_file(
    path: str, base_url: BaseUrl | None, now: datetime, progress: Progress
) -> PathResult:
    """Check a sitemap on its own, without the files next to it."""
    parent, name = os.path.split(path)
    folder = SiteFolder(parent, trusted_file=name)
    location = None if base_url is None else _locate(name, base_url)
    result = PathResult(path)
    base_url = base_url or guess_base_url(folder, [name])
    group = SitemapGroup(result, folder, base_url, None, DateLimits(now), progress)
    group.check({name: location})
    _check_build_day(result, folder.user_path(name), group.inventory, now)
    return result


def _lint_folder(
    path: str, base_url: BaseUrl | None, build: BuildInfo, now: datetime, progress: Progress
) -> PathResult:
    result = PathResult(path)
    folder = SiteFolder(path)
    robots_findings = FileFindings(folder.user_path(ROBOTS_FILE))
    robots = None
    try:
        robots = read_robots(folder)
    except UnusableFileError as error:
        robots_findings.add_only(error)
    sitemaps = select_sitemaps(folder, build.files, robots.sitemaps if robots else ())
    if not sitemaps:
        result.findings.append(_no_sitemap(folder))
        result.add(robots_findings)
        return result
    if base_url is None:
        base_url = result.assumed_base_url = guess_base_url(folder, sitemaps)
    result.is_base_url_known = base_url is not None
    if base_url is None or not is_robots_effective(base_url):
        robots = None
        robots_findings = FileFindings(folder.user_path(ROBOTS_FILE))
    locations = {file: _locate(file, base_url, robots) for file in sitemaps} if base_url else {}
    site = SiteRules(folder, base_url, robots) if base_url else None
    dates = DateLimits(now, build.has_exact_dates)
    group = SitemapGroup(result, folder, base_url, site, dates, progress)
    group.check({file: locations.get(file) for file in sitemaps})
    if not build.has_exact_dates:
        _check_build_day(result, folder.user_path(sitemaps[0]), group.inventory, now)
    if robots is not None:
        check_robots(robots, folder, list(locations.values()), robots_findings)
    result.add(robots_findings)
    if site is not None:
        if group.is_complete:
            _add_missing_pages(result, site, folder, group, build, progress)
        result.pages = site.pages_read
        result.separate_sites = list(site.separate_sites)
    return result


def _locate(file: str, base_url: BaseUrl, robots: RobotsTxt | None = None) -> SitemapLocation:
    """Return where a sitemap is published."""
    url = normalize_url(base_url + quote_path(file))
    listed = set() if robots is None else robots.sitemap_urls
    return SitemapLocation(url, is_in_robots=not listed.isdisjoint((url, f"{url}.gz")))


def _no_sitemap(folder: SiteFolder) -> Finding:
    message = f"it contains none of {', '.join(USUAL_NAMES)}"
    nested = find_nested_sitemaps(folder)
    if nested:
        noun = "folder" if len(nested) == 1 else "folders"
        folders = [shell_word(folder.user_path(posixpath.dirname(file))) for file in nested]
        message += f"; check the {noun} {join_some(folders, _MAX_NAMED)}"
    return Finding(Code.NO_SITEMAP, message, folder.path)


def _check_build_day(result: PathResult, file: str, inventory: Inventory, now: datetime) -> None:
    """Check whether all dates are the day of the build: today, or the day on which the sitemap
    was written. The time zone of the build may have been another one.
    """
    number = inventory.days.total()
    if number < _MIN_DATES or len(inventory.days) != 1:
        return
    (day,) = inventory.days
    try:
        written = os.stat(file).st_mtime
        builds = [now.astimezone(UTC).date(), datetime.fromtimestamp(written, UTC).date()]
    except (OSError, ValueError, OverflowError):
        return
    if any(abs(day - build) <= _DAY for build in builds):
        message = f"all {number:,} dates are {day.isoformat()}, within a day of the build"
        result.findings.append(Finding(Code.LASTMOD_ALL_SAME, message, file))


def _add_missing_pages(
    result: PathResult,
    site: SiteRules,
    folder: SiteFolder,
    group: SitemapGroup,
    build: BuildInfo,
    progress: Progress,
) -> None:
    """Report the pages that no sitemap lists, up to one limit for all pages."""
    missing = 0
    pages = site.find_missing(group.inventory, build.excluded, group.files)
    for number, (file, url) in enumerate(pages, start=1):
        name = folder.user_path(file)
        progress(name, number, None)
        if url is None:
            continue
        missing += 1
        if missing <= MAX_FINDINGS_PER_FILE:
            code, message = Code.MISSING, "no sitemap lists it"
            if build.known is not None and file not in build.known:
                code = Code.LEFT_OVER
                message += ", and the last build does not know it"
            result.findings.append(Finding(code, message, name, url=url))
    if missing > MAX_FINDINGS_PER_FILE:
        result.truncated_files.append(printable(folder.path))
