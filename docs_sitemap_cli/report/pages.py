"""The pages of a report: their titles, sections, ages, and bands of ages."""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date

import msgspec

from docs_sitemap.result import SavedPage
from docs_sitemap_cli.dating_commits import ReportedCommit
from docs_sitemap_cli.published.folder import SiteFolder
from docs_sitemap_cli.published.lastmods import parse_lastmod

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

# The ages in days at which the second band and the next ones start.
_STARTS = (183, 365, 730)


class ReportedPage(msgspec.Struct, frozen=True):
    """A page of the sitemap.

    Attributes:
        title: The title without the name of the site, or the name of the page.
        section: The first folder of the URL; empty at the top of the site.
        day: The day of the last change in UTC; `None` if it is unknown.
        age: The age in days; `None` if the day is unknown.
        commit: The commit that decides the date; `None` if it is unknown.
        page: The page in the format of the saved report.
    """

    title: str
    section: str
    day: date | None
    age: int | None
    commit: ReportedCommit | None
    page: SavedPage


def describe_pages(
    pages: Sequence[SavedPage],
    folder: SiteFolder,
    commits: Mapping[str, ReportedCommit],
    today: date,
) -> list[ReportedPage]:
    """Return the pages of a sitemap as reports show them."""
    titles = []
    for page in pages:
        # The title of a page that cannot be read is empty.
        titles.append(folder.head(page.output or "").title or page.name)
    titles = _shorten(titles)
    parts = [page.url.rstrip("/").split("/") for page in pages]
    sections = {names[0] for names in parts if len(names) > 1}
    described = []
    for page, title, names in zip(pages, titles, parts, strict=True):
        section = names[0]
        if section not in sections:  # such as `about/`, a page at the top
            section = ""
        day = age = None
        changed = parse_lastmod(page.lastmod)
        if changed is not None:
            day = changed.date()
            age = max(0, (today - day).days)
        commit = commits.get(page.commit or "")
        described.append(ReportedPage(title, section, day, age, commit, page))
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
