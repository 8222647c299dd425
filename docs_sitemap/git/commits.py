"""Read commits, the files that they change, and versions of files from git."""

import os
import re
from collections.abc import Generator, Iterable, Iterator, Sequence, Set
from contextlib import closing
from datetime import UTC, datetime
from itertools import starmap
from typing import NamedTuple

from .repository import common_folders
from .run import Git, GitError, InteractiveGit

# In bytes. Larger files are data.
_MAX_CONTENT = 2**23

# In bytes that git prints: about 600,000 removed files.
_MAX_REMOVED = 2**26

# So many commits or files are asked for at once: pipes of all systems have space for
# their names.
BATCH = 50

# --sparse: with commits that change none of the folders, so that the line has no gaps.
_LOG = ["--literal-pathspecs", "log", "--first-parent", "--sparse", "--no-notes"]
_DIFF_TREE = ["--literal-pathspecs", "diff-tree", "--stdin", "-r", "--root", "--always"]
_REMOVED = ["diff-tree", "--stdin", "-r", "--diff-filter=D", "--no-commit-id"]
_RAW = ["--raw", "--no-abbrev", "-z", "--no-renames"]
_OPTIONS = [
    *_RAW,
    "--diff-merges=first-parent",
    "--no-color",
    "--ignore-submodules=none",
    # The configuration may encode the output, for example as UTF-16.
    "--encoding=UTF-8",
    # The configuration may sort files by patterns.
    f"-O{os.devnull}",
    # An invalid date is printed as an empty string.
    "--format=%H %ct %at %P",
]

_HASH = rb"(?:[0-9a-f]{64}|[0-9a-f]{40})"
_CHANGE = re.compile(rb"\n?:[0-7]{6} [0-7]{6} (%b) (%b) ([A-Z])" % (_HASH, _HASH))
# What `git cat-file --batch` prints before the content of an object.
_OBJECT = re.compile(rb"%b ([a-z]+) ([0-9]+)\n" % _HASH)
_HEADER = re.compile(rb"(%b) (-?[0-9]+|) (-?[0-9]+|) ?((?:%b ?)*)" % (_HASH, _HASH))

ADDED, MODIFIED = b"A", b"M"


class Change(NamedTuple):
    """How a commit changes a file, compared with a parent.

    Attributes:
        status: The status as git-diff(1) prints it: `A` for added, and so on.
        old: The hash of the content in the parent; zeros if there is none.
        new: The hash of the content in the commit; zeros if there is none.
    """

    status: bytes
    old: bytes
    new: bytes


Changes = dict[bytes, bytes]
"""What git prints of the change of each changed path, for `parse_change`. Few of the
changes are needed.
"""


class Commit(NamedTuple):
    """A commit as git prints it.

    Attributes:
        hash: The hash.
        parents: The hashes of the parents.
        times: The committer date and the author date as git prints them. Only few of
            them are needed.
        changes: The changes of the wanted files compared with the first parent. In a
            root commit, all files are added.
    """

    hash: bytes
    parents: list[bytes]
    times: tuple[bytes, bytes]
    changes: Changes

    @property
    def committed(self) -> datetime | None:
        """The committer date in UTC; `None` if it is invalid."""
        return _parse_date(self.times[0])

    @property
    def authored(self) -> datetime | None:
        """The author date in UTC; `None` if it is invalid."""
        return _parse_date(self.times[1])


class CommitReader:
    """Reads the commits of one repository, each only once. Close it after use.

    Args:
        git: Git in a folder of the repository.
        paths: The wanted files. Changes of other files are not kept in memory: a commit
            can add any number of files with a few objects.

    Attributes:
        is_complete: Whether git could read everything so far. In a partial clone, it
            may read more later.
    """

    def __init__(self, git: Git, paths: Iterable[bytes]) -> None:
        self._git = git
        self._paths = set(paths)
        self._folders = common_folders(map(os.fsdecode, self._paths))
        self._commits: dict[bytes, Commit] = {}
        # For commits, and for commits with one of their parents. A process forgets the
        # other parents, so that it cannot do both.
        self._diff_tree: dict[bool, InteractiveGit] = {}
        self._diff_removed: InteractiveGit | None = None
        self._cat_file: InteractiveGit | None = None
        self._has_contents = True
        self.is_complete = True

    def add_path(self, path: bytes) -> None:
        """Read the changes of another file, too, from now on."""
        if path in self._paths:
            return
        self._paths.add(path)
        self._commits.clear()  # They were read without it.
        if not self._compares(path):
            self._folders = common_folders(map(os.fsdecode, self._paths))
            for process in self._diff_tree.values():
                process.close()
            self._diff_tree.clear()

    def _compares(self, path: bytes) -> bool:
        """Return whether git compares the folder of a file."""
        for folder in map(os.fsencode, self._folders):
            if path == folder or path.startswith(folder + b"/"):
                return True
        return not self._folders

    def first_parents(self, head: str) -> Generator[Commit]:
        """Yield a commit, its first parent, the first parent of that commit, and so on.

        Args:
            head: The hash of the commit to start at.
        """
        starts = [head]
        while starts:
            folders = self._folders
            arguments = [*_LOG, *_OPTIONS, starts[0], "--", *folders]
            starts = []
            with closing(self._git.fields(arguments)) as fields:
                for commit in self._parse(fields):
                    self._commits[commit.hash] = commit
                    yield commit
                    # Start again with the folder of a path that was added.
                    if folders != self._folders:
                        starts = list(map(bytes.decode, commit.parents[:1]))
                        break

    def commit(self, commit_hash: bytes) -> Commit:
        """Return a commit."""
        if commit_hash not in self._commits:
            self.read_commits([commit_hash])
        return self._commits[commit_hash]

    def has_read(self, commit_hash: bytes) -> bool:
        """Return whether a commit is known without git."""
        return commit_hash in self._commits

    def read_commits(self, hashes: Iterable[bytes]) -> None:
        """Read commits before they are needed: git needs less time for many at once."""
        self._read(hashes, with_parent=False)

    def changes(self, commit: Commit, parent: bytes) -> Changes:
        """Return the changes of a commit compared with any of its parents."""
        if parent == commit.parents[0]:
            return commit.changes
        self.read_changes([(commit, parent)])
        return self._commits[_name(commit, parent)].changes

    def read_changes(self, merges: Iterable[tuple[Commit, bytes]]) -> None:
        """Read the changes of commits compared with one of their parents, before they
        are needed.
        """
        self._read(list(starmap(_name, merges)), with_parent=True)

    def contents(self, blobs: Sequence[bytes]) -> dict[bytes, bytes]:
        """Return the contents of files. Those that are large, or not in the repository,
        for example in a partial clone, are left out.

        Args:
            blobs: The hashes of the contents. Git reads all of them before it answers.
        """
        if not blobs or not self._has_contents:
            return {}
        try:
            if self._cat_file is None:
                arguments = ["cat-file", "--batch"]
                self._cat_file = InteractiveGit(self._git, arguments, " missing\n")
            answer = self._cat_file.ask(b"\n".join(blobs))
        except GitError:
            self._has_contents = False
            self.is_complete = False
            return {}
        contents: dict[bytes, bytes] = {}
        position = 0
        for blob in blobs:
            start = answer.index(b"\n", position) + 1
            header = _OBJECT.fullmatch(answer, position, start)
            position = start
            if header is None:
                self.is_complete = False
            else:
                end = start + int(header[2])
                if header[1] == b"blob" and end - start <= _MAX_CONTENT:
                    contents[blob] = answer[start:end]
                position = end + 1
        return contents

    def removed(
        self, commit: Commit, parent: bytes, blobs: Set[bytes], names: Set[bytes]
    ) -> dict[bytes, bytes]:
        """Return the hashes of the contents of files that a commit removes, by path. If
        git cannot read them all, for example in a partial clone, there are none.

        Args:
            commit: The commit.
            parent: The parent that has the files.
            blobs: The hashes of the wanted contents.
            names: The wanted names of files. Other files are not kept in memory, unless
                their content is wanted.
        """
        removed = {}
        if self._diff_removed is None:
            self._diff_removed = InteractiveGit(self._git, [*_REMOVED, *_RAW])
        try:
            question = _name(commit, parent)
            fields = self._diff_removed.fields(question, _MAX_REMOVED)
            for field in fields:
                path = next(fields, b"")
                blob = parse_change(field).old
                if blob in blobs or path.rpartition(b"/")[2] in names:
                    removed[path] = blob
        except GitError:
            self._diff_removed.close()
            self._diff_removed = None
            self.is_complete = False
            return {}
        return removed

    def close(self) -> None:
        for process in (*self._diff_tree.values(), self._diff_removed, self._cat_file):
            if process is not None:
                process.close()

    def _read(self, names: Iterable[bytes], *, with_parent: bool) -> None:
        """Read commits by their hashes, or by `HASH PARENT`."""
        unread = [name for name in names if name not in self._commits]
        for start in range(0, len(unread), BATCH):
            batch = unread[start : start + BATCH]
            if with_parent not in self._diff_tree:
                arguments = [*_DIFF_TREE, *_OPTIONS, "--", *self._folders]
                self._diff_tree[with_parent] = InteractiveGit(self._git, arguments)
            fields = self._diff_tree[with_parent].fields(b"\n".join(batch))
            commits = list(self._parse(fields))
            if len(commits) != len(batch):
                listed = b", ".join(batch).decode()
                raise GitError(f"git diff-tree did not print all of {listed}")
            self._commits |= zip(batch, commits, strict=True)

    def _parse(self, fields: Iterator[bytes]) -> Iterator[Commit]:
        """Parse what `--raw -z` prints: for each commit the fields of the format, then
        pairs of a change and a path. The first change follows a line feed.
        """
        commit: Commit | None = None
        for field in fields:
            if commit is not None and field.startswith((b":", b"\n:")):
                path = next(fields, b"")
                if path in self._paths:
                    commit.changes[path] = field
                continue
            header = _HEADER.fullmatch(field)
            if header is not None:
                if commit is not None:
                    yield commit
                commit_hash, committed, authored, parents = header.groups()
                times = committed, authored
                commit = Commit(commit_hash, parents.split(), times, {})
            elif field:
                raise GitError(f"git printed unexpected output: {field[:40]!r}")
        if commit is not None:
            yield commit


def _name(commit: Commit, parent: bytes) -> bytes:
    """Return what git reads as a commit that has only this parent."""
    return commit.hash + b" " + parent


def parse_change(field: bytes) -> Change:
    """Parse the first field that `git log --raw -z` prints of a changed path.

    Raises:
        GitError: It is another text.
    """
    change = _CHANGE.fullmatch(field)
    if change is None:
        raise GitError(f"git printed unexpected output: {field[:40]!r}")
    old, new, status = change.groups()
    return Change(status, old, new)


def _parse_date(seconds: bytes) -> datetime | None:
    """Parse a date. Git prints all digits of the commit, however many there are."""
    try:
        return datetime.fromtimestamp(int(seconds), UTC)
    except (ValueError, OverflowError, OSError):
        return None
