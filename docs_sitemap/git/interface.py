"""The arguments and results of `History`."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from docs_sitemap.git.commit_reader import CommitName
from docs_sitemap.git.ignored_commits import IGNORE_REVS_FILE
from docs_sitemap.result import DateStatus
from docs_sitemap.shown import COMPLETE_FILE, Shown


class ViewedFile(NamedTuple):
    """A file, and what a page shows of it.

    Attributes:
        path: The path.
        view: Which changes count.
    """

    path: str
    view: Shown = COMPLETE_FILE


@dataclass(frozen=True, slots=True)
class HistoryOptions:
    """Which commits count, and where they are.

    Attributes:
        author_date: Whether to use the author date of a commit instead of the committer date.
        first_parent: Whether to follow first parents only. A change then has the date of the merge.
        ignore_revs: The full names of commits that do not count.
        ignore_revs_file: A committed file with such names, relative to the top level of the
            repository; empty to read no file.
        ignore_messages: Regular expressions. A commit does not count if its message matches one.
        ignore_authors: Regular expressions. A commit does not count if its author, as
            `Name <address>`, matches one.
        fetch: Whether to fetch the missing history of a shallow clone.
        repository: The repository with the history of all files, if the files are copies outside
            a repository.
        ref: The commit of `repository` that the files are copies of.
    """

    author_date: bool = False
    first_parent: bool = False
    ignore_revs: tuple[str, ...] = ()
    ignore_revs_file: str = IGNORE_REVS_FILE
    ignore_messages: tuple[str, ...] = ()
    ignore_authors: tuple[str, ...] = ()
    fetch: bool = False
    repository: str | None = None
    ref: str = "HEAD"


@dataclass(frozen=True, slots=True)
class PassedCommits:
    """Newer commits that changed a file, but do not count.

    Attributes:
        number: The number of these commits.
        unseen: How many of them changed nothing that the page shows. The others are ignored.
        newest: The full name of the newest one.
        is_ignored: Whether the newest one is ignored.
    """

    number: int
    unseen: int
    newest: CommitName
    is_ignored: bool


@dataclass(frozen=True, slots=True)
class Commit:
    """The newest commit of a file that counts.

    Attributes:
        name: The full name of the commit.
        date: The author date or committer date in UTC, depending on the options.
        authored: The author date in UTC; `None` if it is invalid.
        passed: The newer commits that do not count; `None` if there are none.
        is_limit: Whether the commit only counts because no more versions are compared.
    """

    name: str
    date: datetime
    authored: datetime | None = None
    passed: PassedCommits | None = None
    is_limit: bool = False


@dataclass(frozen=True, slots=True)
class NoCommit:
    """Why a file has no date.

    Attributes:
        status: The reason.
        limit: In a shallow clone, the latest date in UTC at which the file may have changed.
    """

    status: DateStatus
    limit: datetime | None = None


@dataclass(frozen=True, slots=True)
class HistoryResult:
    """The newest commits of some files.

    Attributes:
        commits: The newest commit of each file, or why there is none. The keys are the files as
            they were passed in.
        errors: What went wrong, one line per problem.
        notices: Why the environment of the build gives no access to git: it is not installed, or
            does not trust a repository. One line per problem.
    """

    commits: dict[ViewedFile, Commit | NoCommit] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)
