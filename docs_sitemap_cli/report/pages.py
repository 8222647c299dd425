"""The pages of a report: their titles, sections, ages, and bands of ages."""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date
from statistics import median_low

import msgspec

from docs_sitemap.built.html import MAX_HEAD, parse_head
from docs_sitemap.result import SavedPage
from docs_sitemap.tools.printing import count
from docs_sitemap_cli.dating_commits import ReportedCommit
from docs_sitemap_cli.published.folder import SiteFolder
from docs_sitemap_cli.published.lastmods import parse_lastmod

from .source_links import find_edit_link

# The name of the site, as in `Set up - Example` and `Set up | Guide | Example`.
_TITLE_END = re.compile(r"\A.*(\s[-\u2013\u2014|\u00b7\u2022]\s.+)")

BANDS = (
    "under 6 months",
    "6 to 12 months",
    "1 to 2 years",
    "2 years or older",
    "no date",
)
"""The groups of pages in charts, the newest first."""

MAX_AGE = 730
"""The age in days from which pages are old, unless `--older-than` is set."""

# The ages in days at which the second band and the next ones start.
_STARTS = (183, 365, MAX_AGE)


class ReportedPage(msgspec.Struct, frozen=True):
    """A page of the sitemap.

    Attributes:
        title: The title without the name of the site, or the name of the page.
        section: The first folder of the URL; empty at the top of the site.
        day: The day of the last change in UTC; `None` if it is unknown.
        age: The age in days; `None` if the day is unknown.
        commit: The commit that decides the date; `None` if it is unknown.
        page: The page in the format of the saved report.
        edit_url: The link of the built page that opens its document in an editor;
            `None` if it has no such link.
    """

    title: str
    section: str
    day: date | None
    age: int | None
    commit: ReportedCommit | None
    page: SavedPage
    edit_url: str | None = None


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


def describe_pages(
    pages: Sequence[SavedPage],
    folder: SiteFolder,
    commits: Mapping[str, ReportedCommit],
    today: date,
) -> list[ReportedPage]:
    """Return the pages of a sitemap as reports show them."""
    titles = []
    edit_urls = []
    for page in pages:
        # A page that cannot be read is empty.
        data = folder.read(page.output or "", MAX_HEAD)
        titles.append(parse_head(data).title or page.name)
        edit_urls.append(find_edit_link(data, page.document))
    titles = _shorten(titles)
    parts = [page.url.rstrip("/").split("/") for page in pages]
    sections = {names[0] for names in parts if len(names) > 1}
    described = []
    rows = zip(pages, titles, parts, edit_urls, strict=True)
    for page, title, names, edit_url in rows:
        section = names[0]
        if section not in sections:  # such as `about/`, a page at the top
            section = ""
        day = age = None
        changed = parse_lastmod(page.lastmod)
        if changed is not None:
            day = changed.date()
            age = max(0, (today - day).days)
        commit = commits.get(page.commit or "")
        described.append(ReportedPage(title, section, day, age, commit, page, edit_url))
    return described


def _shorten(titles: Sequence[str]) -> list[str]:
    """Remove the name of the site, if most titles end in it."""
    if not titles:
        return []
    ends = Counter(_TITLE_END.sub(r"\1", title) for title in titles)
    [(end, number)] = ends.most_common(1)
    if 2 * number <= len(titles):
        return list(titles)
    return [title.removesuffix(end) or title for title in titles]


def find_band(days: int | None) -> int:
    """Return the index in `BANDS` of an age; `None` is a page without a date."""
    if days is None:
        return len(BANDS) - 1
    return bisect_right(_STARTS, days)


def is_old(page: ReportedPage, older_than: int | None) -> bool:
    """Return whether a page is older than a number of days; by default, whether it is
    in the last band of ages.
    """
    if page.age is None:
        return False
    if older_than is None:
        return page.age >= MAX_AGE
    return page.age > older_than


def sum_up(section: str, pages: Sequence[ReportedPage]) -> AgeSummary:
    """Return the ages of the pages of a section."""
    ages = []
    bands = [0] * len(BANDS)
    for page in pages:
        bands[find_band(page.age)] += 1
        if page.age is not None:
            ages.append(page.age)
    median = median_low(ages) if ages else None
    oldest = max(ages, default=None)
    return AgeSummary(section, len(pages), len(ages), median, oldest, bands)


def format_age(days: int) -> str:
    """Return an age for people: in days below two months, in months below two years."""
    months = days * 12 // 365
    if months < 2:
        return count(days, "day")
    if months < 24:
        return count(months, "month")
    return count(days // 365, "year")
