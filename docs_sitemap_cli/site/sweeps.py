"""Sweeps: single commits from which many pages have their date."""

from collections import defaultdict
from collections.abc import Mapping

import msgspec

from docs_sitemap.tools.printing import shorten

from .commits import ReportedCommit

# Somebody may well have edited fewer pages one by one, and they are quickly listed.
_MIN_PAGES = 10

# A smaller share of the pages hardly moves their median age. A site has at most ten
# sweeps, so all of them can be shown.
_MIN_SHARE = 0.1

PageDate = tuple[str | None, str | None]
"""The `lastmod` of a page, and the hash of the commit from which it is, if these are
known.
"""


class Sweep(msgspec.Struct, frozen=True):
    """Pages that have their date from one commit, such as one that reformatted all
    documents: at least ten, and a tenth of all pages with a date.

    Attributes:
        lastmod: The date of the pages in the sitemap; `None` if they have none.
        hash: The hash of the commit. If it is unknown, pages with the same date are a
            sweep.
        commit: The commit; `None` if the repository does not contain it.
        urls: The URLs of the pages.
    """

    lastmod: str | None
    hash: str | None
    commit: ReportedCommit | None
    urls: list[str]

    @property
    def name(self) -> str:
        """The subject of the commit, or the start of its hash."""
        subject = self.commit.subject if self.commit else ""
        return subject or (self.hash or "")[:10]

    @property
    def day(self) -> str:
        """The day of the date."""
        return (self.lastmod or "")[:10]

    def describe(self) -> str:
        """Return the date of the pages in words: `the date of one commit, 'Restructure
        docs' (2026-05-31): ` and the link of the commit, or its hash.
        """
        if self.hash is None:
            return self.lastmod or "none"
        link = self.commit.url if self.commit else None
        return (
            f"the date of one commit, {shorten(self.name)} ({self.day}): "
            f"{link or self.hash}"
        )


def find_sweeps(
    dates: Mapping[str, PageDate], commits: Mapping[str, ReportedCommit]
) -> list[Sweep]:
    """Return the sweeps among some pages, the largest first.

    Args:
        dates: The dates of the pages, by their URLs.
        commits: The commits that the repository contains, by their hashes.
    """
    groups: defaultdict[PageDate, list[str]] = defaultdict(list)
    for url, date in dates.items():
        groups[date].append(url)
    sweeps = []
    for (lastmod, commit), urls in groups.items():
        if len(urls) >= max(_MIN_PAGES, len(dates) * _MIN_SHARE):
            found = commits.get(commit or "")
            sweeps.append(Sweep(lastmod, commit, found, urls))
    return sorted(sweeps, key=lambda sweep: -len(sweep.urls))
