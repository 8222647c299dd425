"""What a report says: everything that its formats show."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import date

import msgspec

from docs_sitemap.result import SavedReport
from docs_sitemap_cli.advice import how_to_date
from docs_sitemap_cli.console import JSON_VERSION
from docs_sitemap_cli.dating_commits import (
    ReportedCommit,
    Sweep,
    find_sweep_date,
    find_sweeps,
    read_commits,
)
from docs_sitemap_cli.published.folder import SiteFolder

from .charts import name_quarter, quarter_of
from .freshness import Freshness, judge_pages
from .outdated import OutdatedText, find_outdated_texts
from .pages import AgeSummary, ReportedPage, describe_pages, is_old, sum_up
from .source_links import SourceLinks
from .trend import Trend, find_trend, read_previous


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
        freshness: How many of the listed pages are fresh.
        verdict: The same in one sentence.
        trend: What has changed since an earlier report; `None` without `--previous`.
        commit: The hash of the commit that is checked out; `None` without a repository.
        commit_url: Its page at the hosting service; `None` if it is unknown.
        total: The ages of the reported pages: with `--older-than`, only the older ones.
        sweeps: The commits that date many of the reported pages, the one with the most
            pages first.
        sections: The ages in each section, the largest median first.
        quarters: The number of pages by the quarter of their last change.
        months: The number of commits by month. They are the latest ones that changed
            what pages show of their source files.
        outdated: The pages whose text is older than what they document.
        undated: The pages without a date.
        source_urls: The pages of source files at the hosting service, by their paths
            relative to the project.
        pages: The reported pages, the oldest first, and those without a date last.
    """

    version: int = JSON_VERSION
    base_url: str
    today: date
    older_than: int | None
    listed: int
    freshness: Freshness
    verdict: str
    trend: Trend | None
    commit: str | None
    commit_url: str | None
    total: AgeSummary
    sweeps: list[Sweep]
    sections: list[AgeSummary]
    quarters: dict[str, int]
    months: dict[str, int]
    outdated: list[OutdatedText]
    undated: list[UndatedPages]
    source_urls: dict[str, str]
    pages: list[ReportedPage]


def collect_facts(
    report: SavedReport,
    site_dir: str,
    project: str,
    today: date,
    *,
    older_than: int | None,
    min_fresh: float | None,
    previous: str | None,
) -> FreshnessReport:
    """Return what a report says about the pages in the sitemap.

    Args:
        report: The report of the build.
        site_dir: The folder of the site, which has the titles.
        project: The folder of the project, which has the documents and commits.
        today: The day from which ages are computed.
        older_than: The age in days of the newest page that is left out; `None` to
            report all pages.
        min_fresh: The percentage of pages that must be fresh; `None` if any may be.
        previous: The file with an earlier report; `None` without one.

    Raises:
        click.UsageError: This file is not a complete report of this site in JSON.
    """
    listed = [page for page in report.pages if page.loc is not None]
    hashes = [page.commit for page in listed if page.commit is not None]
    commits = read_commits(hashes, project)
    # Without one of these commits, it is another repository.
    is_repository = bool(commits) or not hashes
    links = SourceLinks(project if is_repository else None)
    pages = describe_pages(listed, SiteFolder(site_dir), commits, today)
    texts = find_outdated_texts(pages, SiteFolder(project))
    freshness = judge_pages(pages, texts, older_than, min_fresh)
    trend = None
    if previous is not None:
        earlier = read_previous(previous, report.base_url)
        trend = find_trend(earlier, pages, texts, older_than)
    if older_than is not None:
        pages = [page for page in pages if is_old(page, older_than)]
        texts = [text for text in texts if is_old(text.page, older_than)]
    pages.sort(key=lambda page: page.day or date.max)
    return FreshnessReport(
        base_url=report.base_url,
        today=today,
        older_than=older_than,
        listed=len(listed),
        freshness=freshness,
        verdict=freshness.verdict,
        trend=trend,
        commit=links.commit,
        commit_url=links.commit_url,
        total=sum_up("", pages),
        sweeps=_find_sweeps(pages, commits),
        sections=_sum_up_sections(pages),
        quarters=_count_quarters(pages, today),
        months=_count_months(pages),
        outdated=texts,
        undated=_group_undated(pages, report, project),
        source_urls=links.find_urls(_find_files(pages, texts)),
        pages=pages,
    )


def _find_files(
    pages: Sequence[ReportedPage], texts: Sequence[OutdatedText]
) -> Iterator[str | None]:
    """Yield the source files that the report shows."""
    for page in pages:
        yield page.page.document
        yield page.page.source
    for text in texts:
        yield text.source


def _find_sweeps(
    pages: Sequence[ReportedPage], commits: Mapping[str, ReportedCommit]
) -> list[Sweep]:
    dates = {}
    for page in pages:
        if page.page.loc is not None and page.page.commit is not None:
            dates[page.page.loc] = find_sweep_date(page.page)
    return [sweep for sweep in find_sweeps(dates, commits) if sweep.hash is not None]


def _sum_up_sections(pages: Sequence[ReportedPage]) -> list[AgeSummary]:
    sections: defaultdict[str, list[ReportedPage]] = defaultdict(list)
    for page in pages:
        sections[page.section].append(page)
    summaries = [sum_up(section, members) for section, members in sections.items()]
    summaries.sort(key=lambda summary: (-(summary.median or 0), summary.section))
    return summaries


def _count_quarters(pages: Sequence[ReportedPage], today: date) -> dict[str, int]:
    """Return the number of pages by the quarter of their last change."""
    quarters: Counter[str] = Counter()
    for page in pages:
        if page.day is not None:
            # The front matter of a page may contain a day in the future.
            quarters[name_quarter(quarter_of(min(page.day, today)))] += 1
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
