"""The commit that is built."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import NamedTuple

from docs_sitemap.git.file_date import HistoryOptions
from docs_sitemap.git.repository import RepositorySnapshot, find_repository
from docs_sitemap.git.run import Git, GitError


class BuiltCommit(NamedTuple):
    """The commit that is built.

    Attributes:
        name: The hash.
        committed: The committer date, in UTC.
        is_shallow: Whether the clone may not contain all earlier commits.
        git: Git in a folder of the repository.
    """

    name: str
    committed: datetime
    is_shallow: bool
    git: Git

    @classmethod
    def read(cls, folder: str, options: HistoryOptions) -> BuiltCommit:
        """Read the commit that is checked out in a folder, or that the options name.

        Raises:
            GitError: Git failed, or there is no such commit.
            OSError: The repository cannot be read.
            ValueError: The path cannot be a path.
        """
        git = find_repository(options.repository or folder)
        is_top = options.repository is None
        snapshot = RepositorySnapshot.read(git, ref=options.ref, is_top=is_top)
        output = git.output(
            ["log", "-1", "--no-show-signature", "--format=%ct", snapshot.head]
        )
        try:
            committed = datetime.fromtimestamp(int(output), UTC)
        except (ValueError, OverflowError, OSError):
            raise GitError(f"the commit {snapshot.head} has an invalid date") from None
        return cls(snapshot.head, committed, bool(snapshot.boundary), git)
