"""Check built sites and sitemaps by their paths: the entry point of the command."""

import os
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from docs_sitemap.build_report import SavedReport
from docs_sitemap.built.robots_txt import ROBOTS_FILE, is_robots_effective
from docs_sitemap.built.site_folder import SiteFolder
from docs_sitemap.built.site_sitemaps import (
    USUAL_NAMES,
    find_sitemaps,
    guess_base_url,
)
from docs_sitemap.date_status import DateStatus
from docs_sitemap.diagnostics import Diagnostic
from docs_sitemap.sitemap.rules import FileDiagnostics
from docs_sitemap.sitemap.urls import BaseUrl, NormalizedUrl, normalize_url, quote_path
from docs_sitemap.sitemap.validation import DateLimits
from docs_sitemap.tools.printing import count, shorten

from .date_checks import check_dates, describe_other_dates
from .result import CheckResult, PathResult
from .robots_rules import check_robots, read_robots
from .site import SiteChecker
from .site_rules import SiteRule
from .sitemaps import SitemapGroup

# Generators leave out complete kinds of pages, such as tags. Fewer pages are reported
# one by one.
_MIN_KIND = 5


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
    folder = SiteFolder(parent, trusted_file=name)
    result = PathResult(path)
    is_guessed = base_url is None
    base_url = base_url or guess_base_url(folder, [name])
    group = SitemapGroup(result, folder, base_url, None, DateLimits(now), is_guessed)
    group.check([name])
    if group.is_complete:
        result.diagnostics += check_dates(folder, path, group.inventory.urls, "", now)
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
    if report is not None:
        base_url = base_url or report.base_url
    elif base_url is None:
        base_url = result.assumed_base_url = guess_base_url(folder, sitemaps)
    if not sitemaps:
        message = f"it contains none of {', '.join(USUAL_NAMES)}"
        result.diagnostics.append(SiteRule.NO_SITEMAP.diagnostic(message, path))
        return result
    result.is_base_url_known = base_url is not None
    site = None
    if base_url is not None:
        site = _read_site(folder, base_url, sitemaps, result)
    group = SitemapGroup(result, folder, base_url, site, DateLimits(now))
    group.check(sitemaps)
    file = folder.user_path(sitemaps[0])
    if group.is_complete and not _has_all_dates(group, report):
        generator = _find_generator(group, report)
        result.diagnostics += check_dates(
            folder, file, group.inventory.urls, generator, now
        )
    if site is not None:
        if group.is_complete and site.is_complete:
            _add_missing_pages(result, site, group, report)
        _add_other_dates(result, site, file)
        result.diagnostics += _outdated_links(site, folder)
        result.pages = site.pages_read
        result.separate_sites = list(site.separate_sites)
    return result


def _find_generator(group: SitemapGroup, report: SavedReport | None) -> str:
    """Return the generator that wrote the dates of a site; empty if it is unknown."""
    if _is_own(report) and not any(group.inventory.urls.values()):
        return "docs-sitemap"
    return "" if group.site is None else group.site.generator


def _add_other_dates(result: PathResult, site: SiteChecker, file: str) -> None:
    """Report the pages that show other dates than the sitemap."""
    if site.other_dates:
        message = describe_other_dates(site.other_dates)
        result.diagnostics.append(SiteRule.LASTMOD_NOT_SHOWN.diagnostic(message, file))


def _outdated_links(site: SiteChecker, folder: SiteFolder) -> Iterator[Diagnostic]:
    """Yield a warning for each unlisted version with canonical links to nothing."""
    for version, pages in site.dead_links.items():
        file, target = pages[0]
        message = (
            f"{count(len(pages), 'page')} of {version} with a canonical URL that does "
            f"not exist, such as {shorten(target)}"
        )
        path = folder.user_path(file)
        yield SiteRule.CANONICAL_OUTDATED.diagnostic(message, path)


def _read_site(
    folder: SiteFolder, base_url: BaseUrl, sitemaps: Sequence[str], result: PathResult
) -> SiteChecker:
    """Return the checker of a site, and check its robots.txt, if crawlers read it."""
    robots = None
    if is_robots_effective(base_url):
        diagnostics = FileDiagnostics(folder.user_path(ROBOTS_FILE))
        robots = read_robots(folder, diagnostics)
        if robots is not None:
            urls = [normalize_url(base_url + quote_path(file)) for file in sitemaps]
            check_robots(robots, folder, urls, diagnostics)
        result.add(diagnostics)
    return SiteChecker(folder, base_url, robots)


def _is_own(report: SavedReport | None) -> bool:
    """Return whether docs-sitemap wrote a sitemap. After a failed run, it is the
    generator's.
    """
    return report is not None and bool(report.files)


def _has_all_dates(group: SitemapGroup, report: SavedReport | None) -> bool:
    """Return whether docs-sitemap wrote all dates, and wrote some unless the build
    wanted none.
    """
    if report is None or not _is_own(report):
        return False
    dates = [date for date in group.inventory.urls.values() if date is not None]
    written = 0
    statuses = {DateStatus.DISABLED}
    for page in report.pages:
        if page.lastmod is not None:
            written += 1
        if page.date_status is not None:
            statuses.add(page.date_status)
    if not dates:
        return len(statuses) == 1
    return len(dates) <= written


def _add_missing_pages(
    result: PathResult,
    site: SiteChecker,
    group: SitemapGroup,
    report: SavedReport | None,
) -> None:
    """Report the pages that no sitemap lists."""
    excluded: set[str | None] = set()
    built: set[str | None] | None = None
    if report is not None:
        excluded = {page.output for page in report.pages if page.reason is not None}
        # A report that the user named may be the report of another build.
        if report.matches(result.path):
            built = {page.output for page in report.pages}
    by_folder: defaultdict[str, list[tuple[str, NormalizedUrl]]] = defaultdict(list)
    for file, url in site.find_missing(excluded, group.names):
        by_folder[_top_folder(file)].append((file, url))
    listed = Counter(map(_top_folder, site.listed_files))
    for folder, missing in by_folder.items():
        message = "no sitemap lists it"
        total = len(missing) + listed[folder]
        if len(missing) >= max(_MIN_KIND, total / 2):
            others = len(missing) - 1
            message += f" and {others:,} others of {total:,} pages below {folder}/"
            del missing[1:]
        for file, url in missing:
            text = message
            if built is not None and file not in built:
                text += ", and it is not a page of the last build"
            name = os.path.join(result.path, file)
            result.diagnostics.append(SiteRule.MISSING.diagnostic(text, name, url=url))


def _top_folder(file: str) -> str:
    return file.partition("/")[0]
