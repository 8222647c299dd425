"""What a report says: everything that its formats show."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from datetime import date
from statistics import median_low

import msgspec

from docs_sitemap.result import SavedReport
from docs_sitemap_cli.advice import how_to_date
from docs_sitemap_cli.console import JSON_VERSION
from docs_sitemap_cli.dating_commits import (
    ReportedCommit,
    Sweep,
    find_sweeps,
    read_commits,
)
from docs_sitemap_cli.published.folder import SiteFolder

from .outdated import OutdatedText, find_outdated_texts
from .pages import BANDS, ReportedPage, describe_pages, find_band


class AgeSummary(msgspec.Struct, frozen=True):
    """The ages of some pages.

    Attributes:
        section: The first folder of their URLs; empty for all pages, and for those at
            the top of the site.
        pages: The number of pages.
        dated: The number of pages with a date.
        median: The median age in days; `None` if no page has a date.
        oldest: The largest age in days; `None` if no page has a date.
        bands: The numbers of pages under 6 months, of 6 to 12 months, of 1 to 2 years,
            of 2 years or older, and without a date.
    """

    section: str
    pages: int
    dated: int
    median: int | None
    oldest: int | None
    bands: list[int]


class UndatedPages(msgspec.Struct, frozen=True):
    """Pages that have no date for the same reason.

    Attributes:
        reason: Why they have no date.
        fix: How to date them.
        pages: The pages.
    """

    reason: str
    fix: str
    pages: list[ReportedPage]


class FreshnessReport(msgspec.Struct, frozen=True, kw_only=True):
    """How fresh a site is: the document that `docs-sitemap report --format json`
    prints.

    Attributes:
        version: The version of this format.
        base_url: The URL of the site.
        today: The day from which ages are computed.
        older_than: The value of `--older-than` in days; `None` without this option.
        listed: The number of pages in the sitemap.
        total: The ages of the reported pages: with `--older-than`, only the older ones.
        sweeps: The commits that date many of the reported pages, the one with the most
            pages first.
        sections: The ages in each section, the largest median first.
        quarters: The number of pages by the quarter of their last change.
        months: The number of commits by month. They are the latest ones that changed
            what pages show of their source files.
        outdated: The pages whose text is older than what they document.
        undated: The pages without a date.
        pages: The reported pages, the oldest first, and those without a date last.
    """

    version: int = JSON_VERSION
    base_url: str
    today: date
    older_than: int | None
    listed: int
    total: AgeSummary
    sweeps: list[Sweep]
    sections: list[AgeSummary]
    quarters: dict[str, int]
    months: dict[str, int]
    outdated: list[OutdatedText]
    undated: list[UndatedPages]
    pages: list[ReportedPage]


def collect_facts(
    report: SavedReport,
    site_dir: str,
    project: str,
    today: date,
    older_than: int | None,
) -> FreshnessReport:
    """Return what a report says about the pages in the sitemap.

    Args:
        report: The report of the build.
        site_dir: The folder of the site, which has the titles.
        project: The folder of the project, which has the documents and commits.
        today: The day from which ages are computed.
        older_than: The age in days of the newest page that is left out; `None` to
            report all pages.
    """
    listed = [page for page in report.pages if page.loc is not None]
    commits = read_commits([page.commit or "" for page in listed], project)
    pages = describe_pages(listed, SiteFolder(site_dir), commits, today)
    texts = find_outdated_texts(pages, SiteFolder(project))
    if older_than is not None:
        pages = [page for page in pages if _is_older(page, older_than)]
        texts = [text for text in texts if _is_older(text.page, older_than)]
    pages.sort(key=lambda page: page.day or date.max)
    return FreshnessReport(
        base_url=report.base_url,
        today=today,
        older_than=older_than,
        listed=len(listed),
        total=_sum_up("", pages),
        sweeps=_find_sweeps(pages, commits),
        sections=_sum_up_sections(pages),
        quarters=_count_quarters(pages, today),
        months=_count_months(pages),
        outdated=texts,
        undated=_group_undated(pages, report, project),
        pages=pages,
    )


def _is_older(page: ReportedPage, days: int) -> bool:
    return page.age is not None and page.age > days


def _find_sweeps(
    pages: Sequence[ReportedPage], commits: Mapping[str, ReportedCommit]
) -> list[Sweep]:
    dates = {}
    for page in pages:
        if page.page.loc is not None and page.page.commit is not None:
            dates[page.page.loc] = page.page.lastmod, page.page.commit
    return find_sweeps(dates, commits)


def _sum_up(section: str, pages: Sequence[ReportedPage]) -> AgeSummary:
    ages = []
    bands = [0] * len(BANDS)
    for page in pages:
        bands[find_band(page.age)] += 1
        if page.age is not None:
            ages.append(page.age)
    median = median_low(ages) if ages else None
    return AgeSummary(
        section,
        len(pages),
        len(ages),
        median,
        max(ages, default=None),
        bands,
    )


def _sum_up_sections(pages: Sequence[ReportedPage]) -> list[AgeSummary]:
    sections: defaultdict[str, list[ReportedPage]] = defaultdict(list)
    for page in pages:
        sections[page.section].append(page)
    summaries = [_sum_up(section, members) for section, members in sections.items()]
    summaries.sort(key=lambda summary: (-(summary.median or 0), summary.section))
    return summaries


def _count_quarters(pages: Sequence[ReportedPage], today: date) -> dict[str, int]:
    """Return the number of pages by the quarter of their last change."""
    quarters: Counter[str] = Counter()
    for page in pages:
        if page.day is not None:
            # The front matter of a page may contain a day in the future.
            day = min(page.day, today)
            quarters[f"{day.year:04}-Q{(day.month + 2) // 3}"] += 1
    return dict(sorted(quarters.items()))


def _count_months(pages: Sequence[ReportedPage]) -> dict[str, int]:
    """Return the number of commits by month, each once."""
    months = {}
    for page in pages:
        for source in page.page.sources:
            if source.date is not None and source.date.date is not None:
                months[source.date.hash] = f"{source.date.date:%Y-%m}"
    return dict(sorted(Counter(months.values()).items()))


def _group_undated(
    pages: Sequence[ReportedPage], report: SavedReport, project: str
) -> list[UndatedPages]:
    """Return the pages without a date, by the reason."""
    groups: dict[tuple[str, str], UndatedPages] = {}
    for page in pages:
        if page.day is not None:
            continue
        reason = "the date is unknown"
        if page.page.date_status is not None:
            reason = report.names.describe(page.page.date_status)
        fix = how_to_date(page.page, report.names, project)
        if fix is None:
            fix = "explain the page with docs-sitemap explain"
        group = groups.setdefault((reason, fix), UndatedPages(reason, fix, []))
        group.pages.append(page)
    return list(groups.values())
