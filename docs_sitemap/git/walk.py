"""The walk through the history: exact in every history, in a small number of processes.

`git log -1 -- FILE` follows a file from a commit to the first of its parents that has it in the
same state, and names the commit where there is none (git-log(1), "History Simplification"). The
walk does so for all files at once: each commit hands its files on.
"""

from __future__ import annotations

import os
import re
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from typing import NamedTuple

from docs_sitemap.git.run import GitError, Questions, git_pieces
from docs_sitemap.git.significance import Significance

# So many commits of a branch are looked at before the line of first parents is followed further:
# what has not come to its end by then is often handed back to that line.
_FEW_LOOKS = 16

# So many are looked at in all, and one more for so many steps along the line: with more of them,
# one walk through everything is faster.
_LOOKS = 256
_STEPS_A_LOOK = 4


class Found(NamedTuple):
    """A commit as git prints it: its full name, and its dates in seconds, if they are numbers."""

    name: str
    committed: int | None
    authored: int | None

    @classmethod
    def read(cls, name: bytes, committed: bytes, authored: bytes) -> Found:
        return cls(name.decode(), _number(committed), _number(authored))


def _number(text: bytes) -> int | None:
    try:
        return int(text)
    except ValueError:
        return None


@dataclass(frozen=True, slots=True)
class Walk:
    """How to walk.

    Attributes:
        cwd: where to run git.
        folders: what to look at: folders and files below the top level; none stands for all.
        first_parent: whether to follow first parents only: files then have the date at which
            their change was merged.
        significance: which commits do not count.
    """

    cwd: str
    folders: tuple[str, ...]
    first_parent: bool
    significance: Significance

    def run(
        self, head: str, paths: Iterable[str], known_head: str, known: Mapping[str, Found]
    ) -> dict[str, Found]:
        """Find the newest commit of each file.

        Args:
            head: the commit to begin at.
            paths: files of that commit.
            known_head: another commit, at which the answers are known; it need not exist any
                more, nor be an ancestor. Empty: there is none.
            known: what is known there.

        Raises:
            GitError: git gives no answer.
        """
        chase = _Chase(known_head, known)
        chase.hand(head.encode(), set(map(os.fsencode, paths)))
        with closing(_Lookup(self)) as lookup:
            if chase.pending:
                self._along_first_parents(chase, lookup, known_head)
            if chase.pending:
                self._aside(chase, lookup, list(chase.pending), lookup.left)
            if chase.pending:
                self._everywhere(chase, lookup)
        if chase.pending:
            raise GitError("parts of the history are missing")
        return {os.fsdecode(path): found for path, found in chase.found.items()}

    def _along_first_parents(self, chase: _Chase, lookup: _Lookup, known_head: str) -> None:
        """Follow the line of first parents, which most files never leave; where a merge took
        files from another branch, look at the commits of that branch one by one.
        """
        limit = [f"^{known_head}"] if known_head else []
        with closing(self._log(chase, ["--first-parent", *limit])) as commits:
            for steps, commit in enumerate(commits, start=1):
                if (paths := chase.pending.pop(commit.name, None)) is not None:
                    aside = self._pass_on(chase, lookup, commit, paths)
                    self._aside(chase, lookup, aside, _FEW_LOOKS)
                    lookup.left += steps % _STEPS_A_LOOK == 0
                    if not chase.pending or lookup.left < 0:
                        return

    def _aside(self, chase: _Chase, lookup: _Lookup, names: list[bytes], most: int) -> None:
        end = lookup.left - most
        while names and lookup.left > end:
            if (paths := chase.pending.pop(name := names.pop(), None)) is not None:
                commit = lookup.commit(name)
                names += self._pass_on(chase, lookup, commit, paths)
                names += commit.parents[:1]

    def _everywhere(self, chase: _Chase, lookup: _Lookup) -> None:
        """Follow all parents, children before their parents whatever their dates."""
        with closing(self._log(chase, ["--full-history", "--topo-order"])) as commits:
            for commit in commits:
                if (paths := chase.pending.pop(commit.name, None)) is not None:
                    self._pass_on(chase, lookup, commit, paths)
                    if not chase.pending:
                        return

    def _log(self, chase: _Chase, order: list[str]) -> Generator[_Commit]:
        arguments = [
            "--literal-pathspecs",
            "log",
            "--ignore-missing",
            *order,
            "--sparse",
            "--diff-merges=first-parent",
            *self.output_options(),
        ]
        arguments += ["--no-notes", "--stdin", "--", *self.folders]
        begin = b"".join(name + b"\n" for name in chase.pending)
        with closing(git_pieces(arguments, cwd=self.cwd, stdin=begin)) as pieces:
            yield from _read(pieces, with_texts=self.significance.reads_texts)

    def output_options(self) -> list[str]:
        form = _TEXTS_FORM if self.significance.reads_texts else _FORM
        # No order of files from the configuration.
        return [
            *("--name-status", "-z", "--no-renames", "--no-color", f"-O{os.devnull}"),
            *("--ignore-submodules=none", "--encoding=UTF-8", f"--format={form}"),
        ]

    def _pass_on(
        self, chase: _Chase, lookup: _Lookup, commit: _Commit, paths: set[bytes]
    ) -> list[bytes]:
        """Hand each file to the first parent that has it as it is, or date it by the commit.

        Returns:
            The other parents than the first that were handed files.
        """
        changed = paths.intersection(commit.changes)
        paths -= changed
        if paths:
            if not commit.parents:
                raise GitError(f"git did not say what {commit.name.decode()} changed")
            chase.hand(commit.parents[0], paths)
        states = [commit.changes]
        aside = []
        for parent in () if self.first_parent else commit.parents[1:]:
            if not changed:
                break
            states.append(lookup.changes(commit, parent))
            if same := changed.difference(states[-1]):
                chase.hand(parent, same)
                aside.append(parent)
                changed -= same
        if changed and self.significance.ignores(commit.name, commit.author, commit.message):
            for parent, state in zip(commit.parents, states, strict=False):
                older = {path for path in changed if state[path] != b"A"}
                chase.hand(parent, older)
                changed -= older
        for path in changed:
            chase.found[path] = commit.found()
        return aside


class _Chase:
    """How far the files were followed: which wait at which commit, and which have arrived."""

    def __init__(self, known_head: str, known: Mapping[str, Found]) -> None:
        self.pending: dict[bytes, set[bytes]] = {}
        self.found: dict[bytes, Found] = {}
        self._known_head = known_head.encode()
        self._known = {os.fsencode(path): found for path, found in known.items()}

    def hand(self, commit: bytes, paths: set[bytes]) -> None:
        if commit == self._known_head:
            for path in paths.intersection(self._known):
                self.found[path] = self._known[path]
            paths = paths.difference(self._known)
        if waiting := self.pending.get(commit):
            # Most files go one way: many are never added to few.
            small, large = sorted((waiting, paths), key=len)
            large |= small
            paths = large
        if paths:
            self.pending[commit] = paths


class _Lookup:
    """Answers what a commit changed, one by one; `left` is how often that is worth it."""

    def __init__(self, walk: Walk) -> None:
        self.left = _LOOKS
        self._walk = walk
        self._questions: Questions | None = None
        self._merges: dict[bytes, _Commit] = {}

    def commit(self, name: bytes) -> _Commit:
        """Return a commit, with what it changed as compared to its first parent."""
        self.left -= 1
        return self._merges.get(name) or self._ask(name)

    def changes(self, commit: _Commit, parent: bytes) -> dict[bytes, bytes]:
        """Return what a merge changed as compared to one of its parents."""
        # From then on, git takes this parent for the only one.
        self._merges[commit.name] = commit
        return self._ask(commit.name + b" " + parent).changes

    def _ask(self, question: bytes) -> _Commit:
        if self._questions is None:
            arguments = ["--literal-pathspecs", "diff-tree", "--stdin", "-r", "--root", "--always"]
            arguments += ["--diff-merges=first-parent", *self._walk.output_options()]
            arguments += ["--", *self._walk.folders]
            self._questions = Questions(arguments, cwd=self._walk.cwd)
        pieces = iter(self._questions.ask(question))
        for commit in _read(pieces, with_texts=self._walk.significance.reads_texts):
            return commit
        raise GitError(f"git diff-tree said nothing of {question.decode()}")

    def close(self) -> None:
        if self._questions is not None:
            self._questions.close()


# The dates of a commit may be anything; those that are no numbers are printed as nothing.
_FORM = "%H %ct %at %P"
_TEXTS_FORM = "%H %ct %at %P%x00%an <%ae>%x00%B"
_NAME = rb"(?:[0-9a-f]{64}|[0-9a-f]{40})"
_HEADER = re.compile(rb"(%b) (-?[0-9]*) (-?[0-9]*) ?((?:%b ?)*)" % (_NAME, _NAME))
_STATES = frozenset([b"A", b"D", b"M", b"T", b"U", b"X"])


@dataclass(slots=True)
class _Commit:
    """A commit, and what it changed as compared to its first parent."""

    name: bytes
    committed: bytes
    authored: bytes
    parents: list[bytes]
    author: str
    message: str
    changes: dict[bytes, bytes]

    def found(self) -> Found:
        return Found.read(self.name, self.committed, self.authored)


def _read(pieces: Iterator[bytes], *, with_texts: bool) -> Iterator[_Commit]:
    """Read what `git log --name-status -z` prints: for each commit the format, then, with a line
    end before the first, a state and a path in turn.
    """
    commit: _Commit | None = None
    for piece in pieces:
        if len(piece) > 40 and (header := _HEADER.fullmatch(piece)):
            if commit is not None:
                yield commit
            author, message = (_text(pieces), _text(pieces)) if with_texts else ("", "")
            name, committed, authored, parents = header.groups()
            commit = _Commit(name, committed, authored, parents.split(), author, message, {})
        elif commit is not None and (state := piece.lstrip(b"\n")) in _STATES:
            commit.changes[next(pieces, b"")] = state
        elif piece:
            raise GitError(f"git log printed something unexpected: {piece[:40]!r}")
    if commit is not None:
        yield commit


def _text(pieces: Iterator[bytes]) -> str:
    return next(pieces, b"").decode("utf-8", "replace")
