"""Read commits and the files that they change from git."""

from __future__ import annotations

import os
import re
from collections.abc import Generator, Iterator, Sequence, Set
from contextlib import closing
from dataclasses import dataclass
from typing import Annotated

from msgspec import Meta

from docs_sitemap.git.git_command import Git, GitError, InteractiveGit

# Years have at most four digits. The limit leaves room for zeros at the start.
_MAX_DIGITS = 18

ADDED = b"A"

CommitName = Annotated[str, Meta(pattern=r"\A([0-9a-f]{40}|[0-9a-f]{64})\Z")]


@dataclass(frozen=True, slots=True)
class Change:
    """How a commit changes a file, compared with a parent.

    Attributes:
        status: The status as git-diff(1) prints it: `A` for added, and so on.
        old: The object name of the content in the parent; zeros if there is none.
        new: The object name of the content in the commit; zeros if there is none.
    """

    status: bytes
    old: bytes
    new: bytes


Changes = dict[bytes, Change]
"""The change of each changed path."""


@dataclass(frozen=True, slots=True)
class DatedCommit:
    """A commit and its dates, in seconds since 1970.

    Attributes:
        name: The full name of the commit.
        committed: The committer date; `None` if git cannot parse it.
        authored: The author date; `None` if git cannot parse it.
    """

    name: CommitName
    committed: int | None
    authored: int | None


@dataclass(frozen=True, slots=True)
class CommitRecord:
    """A commit as git prints it.

    Attributes:
        name: The full name.
        parents: The full names of the parents.
        dates: The dates.
        author: The author, as `Name <address>`; empty unless the texts were requested.
        message: The message; empty unless the texts were requested.
        changes: The changes of the wanted files compared with the first parent. In a root commit,
            all files are added.
    """

    name: bytes
    parents: list[bytes]
    dates: DatedCommit
    author: str
    message: str
    changes: Changes


class CommitReader:
    """Reads the commits of one repository, each only once. Close it after use.

    Args:
        git: Git in a folder of the repository.
        folders: The folders and files to compare, relative to the top level; none to compare all.
        paths: The wanted files in these folders. Changes of other files are not kept in memory: a
            commit can add any number of files with a few objects.
        with_texts: Whether to read authors and messages.
    """

    def __init__(
        self, git: Git, folders: Sequence[str], paths: Set[str], *, with_texts: bool
    ) -> None:
        self._git = git
        self._folders = folders
        self._paths = frozenset(map(os.fsencode, paths))
        self._with_texts = with_texts
        self._commits: dict[bytes, CommitRecord] = {}
        self._diff_tree: InteractiveGit | None = None

    def first_parents(self, head: str, *, exclude: str | None = None) -> Generator[CommitRecord]:
        """Yield a commit, its first parent, the first parent of that commit, and so on.

        Args:
            head: The full name of the commit to start at.
            exclude: The full name of a commit. This commit and its ancestors are not yielded. It is
                ignored if the repository does not contain it.
        """
        # --sparse: with commits that change none of the folders, so that the line has no gaps.
        arguments = ["--literal-pathspecs", "log", "--first-parent", "--sparse", "--no-notes"]
        arguments += ["--ignore-missing", *self._output_options(), head]
        arguments += [f"^{exclude}"] if exclude else []
        with closing(self._git.fields([*arguments, "--", *self._folders])) as fields:
            for commit in self._parse(fields):
                self._commits[commit.name] = commit
                yield commit

    def commit(self, name: bytes) -> CommitRecord:
        """Return a commit."""
        if name not in self._commits:
            self._commits[name] = self._ask(name)
        return self._commits[name]

    def changes(self, commit: CommitRecord, parent: bytes) -> Changes:
        """Return the changes of a commit compared with any of its parents."""
        if parent == commit.parents[0]:
            return commit.changes
        return self._ask(commit.name + b" " + parent).changes

    def close(self) -> None:
        if self._diff_tree is not None:
            self._diff_tree.close()

    def _ask(self, line: bytes) -> CommitRecord:
        if self._diff_tree is None:
            arguments = ["--literal-pathspecs", "diff-tree", "--stdin", "-r", "--root", "--always"]
            arguments += [*self._output_options(), "--", *self._folders]
            self._diff_tree = InteractiveGit(self._git, arguments)
        fields = self._diff_tree.ask(line).split(b"\0")[:-1]
        for commit in self._parse(iter(fields)):
            return commit
        raise GitError(f"git diff-tree did not print {line.decode()}")

    def _output_options(self) -> list[str]:
        # An invalid date is printed as an empty string.
        texts = "%x00%an <%ae>%x00%B" if self._with_texts else ""
        return [
            *("--diff-merges=first-parent", "--raw", "--no-abbrev", "-z", "--no-renames"),
            "--no-color",
            f"-O{os.devnull}",  # The configuration may sort files by patterns.
            *("--ignore-submodules=none", "--encoding=UTF-8", f"--format=%H %ct %at %P{texts}"),
        ]

    def _parse(self, fields: Iterator[bytes]) -> Iterator[CommitRecord]:
        """Parse what `--raw -z` prints: for each commit the fields of the format, then pairs of a
        change and a path. The first change follows a line feed.
        """
        commit: CommitRecord | None = None
        for field in fields:
            if header := _HEADER.fullmatch(field):
                if commit is not None:
                    yield commit
                commit = self._parse_commit(header, fields)
            elif commit is not None and (change := _CHANGE.fullmatch(field)):
                path = next(fields, b"")
                if path in self._paths:
                    old, new, status = change.groups()
                    commit.changes[path] = Change(status, old, new)
            elif field:
                raise GitError(f"git printed unexpected output: {field[:40]!r}")
        if commit is not None:
            yield commit

    def _parse_commit(self, header: re.Match[bytes], fields: Iterator[bytes]) -> CommitRecord:
        name, *date_texts, parents = header.groups()
        committed, authored = map(_seconds, date_texts)
        dates = DatedCommit(name.decode(), committed, authored)
        author = message = ""
        if self._with_texts:
            author = next(fields, b"").decode("utf-8", "replace")
            message = next(fields, b"").decode("utf-8", "replace")
        return CommitRecord(name, parents.split(), dates, author, message, {})


def _seconds(text: bytes) -> int | None:
    """Parse a date. Git prints all digits of the commit, however many there are."""
    return int(text) if 0 < len(text) <= _MAX_DIGITS else None


_NAME = rb"(?:[0-9a-f]{64}|[0-9a-f]{40})"
_CHANGE = re.compile(rb"\n?:[0-7]{6} [0-7]{6} (%b) (%b) ([A-Z])" % (_NAME, _NAME))
_HEADER = re.compile(rb"(%b) (-?[0-9]+|) (-?[0-9]+|) ?((?:%b ?)*)" % (_NAME, _NAME))
