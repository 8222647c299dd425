"""The files that `History` is asked for, and their dates."""

from datetime import UTC, datetime
from typing import Annotated, NamedTuple

import msgspec

from docs_sitemap.diagnostics import CommitDate, DateStatus
from docs_sitemap.shown import COMPLETE_FILE, Shown

CommitHash = Annotated[
    str, msgspec.Meta(pattern=r"^[0-9a-f]{40}(?:[0-9a-f]{24})?(?!\n)$")
]
"""The hash of a commit."""

# Without a time zone, a time would mean something else on each machine.
_KnownTime = Annotated[datetime, msgspec.Meta(tz=True)]

_UNLIMITED = datetime.max.replace(tzinfo=UTC)


class WantedFile(NamedTuple):
    """A file whose date is wanted, and what dates it.

    Attributes:
        path: The absolute path.
        shown: What the page shows of the file.
    """

    path: str
    shown: Shown = COMPLETE_FILE


class FileDate(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """The date of a file: its newest commit that is not skipped, or why there is none.

    In JSON, dates are W3C datetimes in UTC, and values that are `None` or have their
    default are omitted.

    Attributes:
        status: `commit`, or why the date is unknown.
        hash: The hash of the commit.
        date: The date of the change in UTC, which `HistoryOptions` choose; `None` if it
            is unknown.
        committed: The committer date in UTC; `None` if it is unknown.
        authored: The author date in UTC; `None` if it is unknown.
        merge: The hash of the commit that brought the commit to the line of first
            parents; `None` if the commit is on this line itself.
        merged: The committer date of that commit in UTC.
        added: Whether the commit added the file, or moved it with a change: to ignore
            the commit would not change the date.
        not_after: In a shallow clone, the latest date in UTC at which the file may have
            changed.
        skipped: The number of newer commits that changed the file, but are skipped.
        hidden_keys: The keys of front matter that these commits changed, and that the
            page does not show.
        shown_keys: The keys of front matter that the page shows, and that a commit
            changed without changing the text.
    """

    status: DateStatus
    hash: CommitHash | None = None
    date: _KnownTime | None = None
    committed: _KnownTime | None = None
    authored: _KnownTime | None = None
    merge: CommitHash | None = None
    merged: _KnownTime | None = None
    added: bool = False
    not_after: _KnownTime | None = None
    skipped: int = 0
    hidden_keys: tuple[str, ...] = ()
    shown_keys: tuple[str, ...] = ()

    def latest(self) -> tuple[datetime, bool]:
        """Return the latest time at which the file may have changed, and whether it is
        known.
        """
        return self.date or self.not_after or _UNLIMITED, self.date is not None


class HistoryOptions(NamedTuple):
    """Which commits are ignored, which of their dates are used, and where the commits
    are.

    Attributes:
        commit_date: Which date of a commit is the date of a change.
        ignore_revs_file: A committed file with the hashes of commits to ignore,
            relative to the top level of the repository; empty to read no file.
        follow_moves: Whether the history of a file that a commit moves goes on at the
            old path. Otherwise, a move is a change, as for git.
        fetch: Whether to fetch the missing history of a shallow clone.
        repository: The repository with the history of all files, if the files are
            copies outside a repository.
        ref: The commit of `repository` that the files are copies of.
    """

    commit_date: CommitDate = CommitDate.MERGED
    ignore_revs_file: str = ".git-blame-ignore-revs"
    follow_moves: bool = False
    fetch: bool = False
    repository: str | None = None
    ref: str = "HEAD"
