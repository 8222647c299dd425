"""The commit that is built."""

from datetime import UTC, datetime
from typing import NamedTuple

from docs_sitemap.git.repository import RepositorySnapshot, find_repository
from docs_sitemap.git.run import GitError


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
