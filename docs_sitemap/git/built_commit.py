"""The commit that is built, and how it relates to the commit of an earlier build."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import Enum, auto
from hashlib import sha1, sha256

from docs_sitemap.files import read_regular
from docs_sitemap.git.file_date import HistoryOptions
from docs_sitemap.git.location import FileLocator
from docs_sitemap.git.repository import (
    RepositorySnapshot,
    common_folders,
    find_commit,
    merge_base,
    open_repository,
)
from docs_sitemap.git.run import Git, GitError

# In bytes. Larger files are not compared.
_MAX_FILE = 2**27

# Git LFS commits a pointer instead of the file:
# https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md
_POINTER = b"version https://git-lfs.github.com/spec/"
_MAX_POINTER = 1_024

_SHA1_LENGTH = 40

# The exit codes of git-rev-parse(1) if there is no object with a name.
_NOT_FOUND = (0, 1, 128)


class Relation(Enum):
    """How an earlier commit relates to the commit that is built."""

    SAME = auto()
    ANCESTOR = auto()
    DESCENDANT = auto()
    DIVERGED = auto()
    UNKNOWN_IN_SHALLOW_CLONE = auto()
    UNKNOWN = auto()


@dataclass(frozen=True, slots=True)
class CommitDates:
    """The dates of a commit, in UTC.

    Attributes:
        committed: The committer date.
        authored: The author date.
    """

    committed: datetime
    authored: datetime


class BuiltCommit:
    """The commit that is built. All methods raise `GitError` if git fails.

    Attributes:
        name: The hash.
        dates: The dates.
    """

    def __init__(self, snapshot: RepositorySnapshot, *, has_files: bool) -> None:
        self.name = snapshot.head
        self.dates = _read_dates(snapshot.git, snapshot.head)
        self._git = snapshot.git
        self._is_shallow = bool(snapshot.boundary)
        self._has_files = has_files

    @classmethod
    def read(cls, folder: str, options: HistoryOptions, timeout: float = 60.0) -> BuiltCommit:
        """Read the commit that is checked out in a folder, or that the options name.

        Raises:
            GitError: Git failed, or there is no such commit.
            OSError: The repository cannot be read.
            ValueError: The path cannot be a path.
        """
        is_copy = options.repository is not None
        git = open_repository(options.repository or folder, timeout)
        ref = options.ref if is_copy else "HEAD"
        snapshot = RepositorySnapshot.read(git, ref=ref, is_top=not is_copy)
        return cls(snapshot, has_files=not is_copy)

    def relation(self, name: str) -> tuple[Relation, CommitDates | None]:
        """Return how an earlier commit relates to this one, and the dates of the newest commit that
        belongs to the history of both, if that is known.
        """
        if name == self.name:
            return Relation.SAME, self.dates
        unknown = Relation.UNKNOWN_IN_SHALLOW_CLONE if self._is_shallow else Relation.UNKNOWN
        if find_commit(self._git, name, accept=_NOT_FOUND) is None:
            return unknown, None
        base = merge_base(self._git, name, self.name)
        if not base:
            return unknown, None
        relation = {name: Relation.ANCESTOR, self.name: Relation.DESCENDANT}
        return relation.get(base, Relation.DIVERGED), _read_dates(self._git, base)

    def commits_since(self, name: str) -> frozenset[str]:
        """Return the commits in the history of this commit that another one does not contain."""
        lines = self._git.output(["rev-list", self.name, f"^{name}"])
        return frozenset(lines.decode("ascii", "replace").split())

    def uncommitted(self, files: Collection[str]) -> frozenset[str]:
        """Return the files that git tracks, and that differ from their last commit.

        Args:
            files: Absolute paths.
        """
        if not self._has_files:
            return frozenset()
        locator = FileLocator()
        names: defaultdict[str, defaultdict[str, list[str]]] = defaultdict(
            lambda: defaultdict(list)
        )
        for file in files:
            location = locator.locate(file)
            for found in filter(None, (location.file, *location.links)):
                names[found.top][found.path].append(file)
        changed: set[str] = set()
        for top, paths in names.items():
            snapshot = RepositorySnapshot.read(replace(self._git, folder=top))
            committed = snapshot.files(common_folders(paths))
            for path, users in paths.items():
                if path in committed and _is_modified(snapshot, path, committed[path]):
                    changed.update(users)
        return frozenset(changed)


def read_from_ref(folder: str, ref: str, paths: Collection[str], *, limit: int) -> bytes | None:
    """Return the content of a file at a commit; `None` if there is no such commit or file.

    Args:
        folder: A folder of the repository.
        ref: The branch, tag, or commit.
        paths: The possible paths of the file below the top level. The first that exists is used.
        limit: The largest size of the file, in bytes.

    Raises:
        GitError: Git failed, for example because the folder is not in a repository.
    """
    git = Git(os.path.realpath(folder))
    git.output(["rev-parse", "--git-dir"])
    for path in paths:
        name = git.output(["rev-parse", "--verify", "--quiet", f"{ref}:{path}"], accept=_NOT_FOUND)
        if name:
            return git.output(["cat-file", "blob", name.decode().strip()], limit=limit)
    return None


def has_commit(folder: str, ref: str) -> bool:
    """Return whether a repository contains a branch, tag, or commit.

    Args:
        folder: A folder of the repository.
        ref: The branch, tag, or commit.

    Raises:
        GitError: Git failed.
    """
    return find_commit(Git(os.path.realpath(folder)), ref, accept=_NOT_FOUND) is not None


def _is_modified(snapshot: RepositorySnapshot, path: str, object_name: str) -> bool:
    """Return whether a file differs from its committed version, regardless of its line breaks.

    `git diff` would run programs that the configuration of the repository names as filters.
    """
    file = os.path.join(snapshot.git.folder, path)
    try:
        is_link = os.path.islink(file)
        data = os.fsencode(os.readlink(file)) if is_link else read_regular(file, _MAX_FILE)
    except FileNotFoundError:
        return True
    except OSError:  # for example, a large file
        return False
    if object_name in (
        _blob_name(version, object_name) for version in (data, data.replace(b"\r\n", b"\n"))
    ):
        return False
    size = snapshot.git.output(["cat-file", "-s", object_name])
    is_small = int(size) <= _MAX_POINTER
    return not (is_small and snapshot.content(object_name, limit=_MAX_POINTER).startswith(_POINTER))


def _blob_name(data: bytes, like: str) -> str:
    """Return the name of an object with this content, in the format of another name."""
    new_hash = sha1 if len(like) == _SHA1_LENGTH else sha256
    return new_hash(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def _read_dates(git: Git, name: str) -> CommitDates:
    output = git.output(["log", "-1", "--no-show-signature", "--format=%ct %at", name])
    try:
        committed, authored = (datetime.fromtimestamp(int(text), UTC) for text in output.split())
    except (ValueError, OverflowError, OSError):
        raise GitError(f"the commit {name} has an invalid date") from None
    return CommitDates(committed, authored)
