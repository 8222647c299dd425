"""Commits: the one that is built, those that date pages, and dates that many pages
share.
"""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import NamedTuple

import msgspec

from docs_sitemap.git.remotes import Remote, read_remotes
from docs_sitemap.git.repository import RepositorySnapshot, find_repository
from docs_sitemap.git.run import Git, GitError
from docs_sitemap.result import SavedPage
from docs_sitemap.tools.printing import shorten


class BuiltCommit(NamedTuple):
    """The commit that is built.

    Attributes:
        committed: The committer date, in UTC.
        is_shallow: Whether the clone may not contain all earlier commits.
    """

    committed: datetime
    is_shallow: bool


def read_commit(folder: str, ref: str = "HEAD") -> BuiltCommit:
    """Read a commit of the repository that contains a folder. By default, it is the one
    that is checked out.

    Raises:
        GitError: Git failed, or there is no such commit.
        OSError: The repository cannot be read.
        ValueError: The path cannot be a path.
    """
    git = find_repository(folder)
    snapshot = RepositorySnapshot.read(git, ref=ref)
    output = git.output(
        ["log", "-1", "--no-show-signature", "--format=%ct", snapshot.head]
    )
    try:
        committed = datetime.fromtimestamp(int(output), UTC)
    except (ValueError, OverflowError, OSError):
        raise GitError(f"the commit {snapshot.head} has an invalid date") from None
    return BuiltCommit(committed, bool(snapshot.boundary))


def find_git_fault(folder: str) -> str:
    """Return how to let git read the repository of a folder, and why it cannot; empty
    if it can, or the fix is unknown.
    """
    try:
        read_commit(folder)
    except GitError as error:
        if error.fix:
            return f"{error.fix}: {error}"
    except (OSError, ValueError):
        return ""
    return ""


_HASH = re.compile("[0-9a-f]{40}|[0-9a-f]{64}")

_LOG = [
    "log",
    "--no-walk=unsorted",
    "--ignore-missing",
    "--stdin",
    "--encoding=UTF-8",
    "--format=%H%x00%s",
]


class ReportedCommit(msgspec.Struct, frozen=True):
    """A commit that decides the date of a page.

    Attributes:
        subject: The first line of the message.
        url: Its page at the hosting service; `None` if the repository has no remote.
    """

    subject: str
    url: str | None


def read_commits(hashes: Iterable[str], folder: str) -> dict[str, ReportedCommit]:
    """Return the commits that the repository of a folder contains, by their hashes."""
    commits: dict[str, ReportedCommit] = {}
    # Git would read other texts as options.
    valid = "\n".join(filter(_HASH.fullmatch, hashes))
    if not valid:
        return commits
    with suppress(GitError):
        git = find_repository(folder)
        output = git.output(_LOG, stdin=valid.encode())
        remote = find_remote(git)
        for line in output.decode("utf-8", "replace").split("\n")[:-1]:
            text, _, subject = line.partition("\0")
            url = None
            if remote is not None:
                url = remote.commit_url(text)
            commits[text] = ReportedCommit(subject, url)
    return commits


def find_remote(git: Git) -> Remote | None:
    """Return the repository at its hosting service; `None` if no remote has a host.

    Raises:
        GitError: Git failed.
    """
    for remote in sorted(read_remotes(git)):
        if "." in remote.host:  # not a name in the settings of SSH
            return remote
    return None


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
    documents: at least ten and a tenth of all pages with a date. Pages whose source the
    commit added are left out.

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


def find_sweep_date(page: SavedPage) -> PageDate:
    """Return the date of a page, with the commit only if it changed files that existed
    before.
    """
    for source in page.sources:
        date = source.date
        if date is not None and date.added and date.hash == page.commit:
            return page.lastmod, None
    return page.lastmod, page.commit


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


# Fewer pages may have changed together.
MIN_PAGES = 5
# In seconds. No build needs longer to write its pages.
_BUILD = 600


def largest_group(dates: Sequence[int]) -> tuple[int, int]:
    """Return where the largest group of sorted dates within the time of a build starts,
    and how many dates it has.
    """
    best = (0, 0)
    for start, date in enumerate(dates):
        number = bisect_right(dates, date + _BUILD) - start
        if number > best[1]:
            best = start, number
    return best
