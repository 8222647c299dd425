"""The pages of a site that no sitemap lists."""

from collections import defaultdict
from collections.abc import Container, Iterator

from docs_sitemap.diagnostics import Diagnostic
from docs_sitemap.result import SavedReport
from docs_sitemap.sitemap.urls import NormalizedUrl
from docs_sitemap_cli.published.find_report import is_current
from docs_sitemap_cli.published.folder import SiteFolder

from .site import SiteChecker
from .site_rules import SiteRule
from .sitemaps import SitemapGroup

# So many pages of one folder were left out on purpose, such as tags, or forgotten for
# one reason.
_MIN_GROUP = 10


def find_missing_pages(
    site: SiteChecker,
    group: SitemapGroup,
    folder: SiteFolder,
    report: SavedReport | None,
) -> Iterator[Diagnostic]:
    """Yield the diagnostics about the pages that no sitemap lists: one for all pages of
    a folder without listed pages.

    Args:
        site: The pages, after all sitemaps were checked.
        group: The sitemaps.
        folder: The folder of the site.
        report: The report of the build, if it is known.
    """
    excluded: set[str | None] = set()
    built: set[str | None] | None = None
    if report is not None:
        excluded = {page.output for page in report.pages if page.reason is not None}
        # A report that the user named may be the report of another build.
        if is_current(report, folder.path):
            built = {page.output for page in report.pages}
    sitemaps = {name.removesuffix(".gz") for name in group.files}
    listed_folders = site.listed_folders()
    missing: defaultdict[tuple[str, bool], dict[str, NormalizedUrl]] = defaultdict(dict)
    for file, url in site.find_missing(excluded, sitemaps):
        is_unknown = built is not None and file not in built
        place = _find_unlisted_folder(file, listed_folders)
        missing[place, is_unknown][file] = url
    for (place, is_unknown), pages in missing.items():
        if len(pages) >= _MIN_GROUP and place:
            message = f"no sitemap lists its {len(pages):,} pages"
            if is_unknown:
                message += ", and a plugin or an earlier build wrote them"
            yield SiteRule.MISSING.diagnostic(message, folder.user_path(place))
            continue
        for file, url in pages.items():
            message = "no sitemap lists it"
            if is_unknown:
                message += ", and a plugin or an earlier build wrote it"
            yield SiteRule.MISSING.diagnostic(message, folder.user_path(file), url=url)


def _find_unlisted_folder(file: str, listed_folders: Container[str]) -> str:
    """Return the first folder in the path of a file without a listed page; empty if
    there is none.
    """
    end = file.find("/")
    while end != -1:
        if file[:end] not in listed_folders:
            return file[:end]
        end = file.find("/", end + 1)
    return ""
