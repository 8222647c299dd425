"""Find the newest commits of many files in one walk over the history.

The result for each file is the commit that `git log -1 -- FILE` prints, whatever the shape of the
history. Git starts at a commit, and goes to the first of its parents in which the file is the same.
If the file differs in every parent, git stops: this commit is the newest one that changed the file
(see "History Simplification" in git-log(1)).

The walk follows this rule for all files at once. `_pending` maps commits to the files that have
reached them. Each step takes one commit. A file that is the same in a parent moves to the first
such parent. A file that differs in every parent has found its newest commit. At the commit of the
cache, files take the cached result. The path of each file through the history is fixed, so the
order of the steps affects only the time that the walk takes:

1. Most files never leave the line of first parents. One `git log` reads that line up to the commit
   of the cache. If files are left there, which the cache does not know, a second one continues.
2. A merge moves the files that it took from another branch to the other parent. The commits that
   are left are looked up one by one, the newest first, so that a common ancestor is usually visited
   after the files of all branches have arrived there.
"""

from __future__ import annotations

import heapq
import os
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, replace

from docs_sitemap.git.commit_reader import ADDED, Changes, CommitReader, CommitRecord, DatedCommit
from docs_sitemap.git.git_command import GitError
from docs_sitemap.git.ignored_commits import IgnoreRules
from docs_sitemap.git.interface import PassedCommits, ViewedFile
from docs_sitemap.shown import Shown, ShownKind
from docs_sitemap.shown.compare import ContentComparer

# Enough for the history of almost every file. Then, every change counts.
MAX_UNSEEN = 200


@dataclass(frozen=True, slots=True)
class NewestCommit:
    """The newest commit that changed what a page shows of a file.

    Attributes:
        commit: The commit.
        passed: The newer commits that do not count; `None` if there are none.
        is_limit: Whether the commit only counts because no more versions are compared.
    """

    commit: DatedCommit
    passed: PassedCommits | None = None
    is_limit: bool = False


class HistoryWalk:
    """One walk over the history.

    Args:
        reader: Reads the commits.
        rules: The commits that do not count. Each file of such a commit moves to the first parent
            that contains it. If no parent does, the commit counts for this file.
        comparer: Compares files by what pages show. If a page shows the same of a file in a parent,
            the file moves to this parent.
        first_parent: Whether to follow first parents only. A change then has the date of the merge.
    """

    def __init__(
        self,
        reader: CommitReader,
        rules: IgnoreRules,
        comparer: ContentComparer,
        *,
        first_parent: bool,
    ) -> None:
        self._reader = reader
        self._rules = rules
        self._comparer = comparer
        self._first_parent = first_parent
        self._known_head: bytes | None = None
        self._known: dict[bytes, NewestCommit] = {}
        # A page can show a part of a file, and another page another part. Sets contain the keys of
        # files: their path, with a NUL byte and the key of the view if not every change counts.
        self._views: dict[bytes, tuple[bytes, Shown]] = {}
        self._keys: defaultdict[bytes, list[bytes]] = defaultdict(list)  # by path
        self._pending: dict[bytes, set[bytes]] = {}
        self._passed: dict[bytes, PassedCommits] = {}
        self._newest: dict[bytes, NewestCommit] = {}
        self._files_seen: Counter[bytes] = Counter()

    def run(
        self,
        head: str,
        files: Iterable[ViewedFile],
        *,
        known_head: str | None,
        known: Mapping[str, NewestCommit],
    ) -> dict[str, NewestCommit]:
        """Return the newest commit of each file, by its key.

        Args:
            head: The full name of the commit to start at.
            files: Files in that commit.
            known_head: The full name of a commit for which the result is known, if there is
                one. It may be unrelated to `head`, or no longer exist.
            known: The result for `known_head`.

        Raises:
            GitError: Git failed, or parts of the history are missing.
        """
        self._known_head = known_head.encode() if known_head is not None else None
        self._known = {os.fsencode(key): commit for key, commit in known.items()}
        for file in files:
            key, path = os.fsencode(file_key(file)), os.fsencode(file.path)
            self._views[key] = path, file.view
            self._keys[path].append(key)
        self._move({*self._views}, head.encode())
        if self._pending:
            start = head.encode()
            if known_head is not None and known_head != head:
                start = self._follow_first_parents(start, exclude=known_head)
            self._follow_first_parents(start)
            self._follow_one_by_one()
        return {os.fsdecode(key): commit for key, commit in self._newest.items()}

    def _follow_first_parents(self, start: bytes, exclude: str | None = None) -> bytes:
        """Visit the line of first parents, as long as files are on it.

        Returns:
            The next commit of the line.
        """
        if start not in self._pending:
            return start
        with closing(self._reader.first_parents(start.decode(), exclude=exclude)) as commits:
            for commit in commits:
                if commit.name not in self._pending:
                    break
                self._visit(commit)
                start = commit.parents[0] if commit.parents else start
        return start

    def _follow_one_by_one(self) -> None:
        queue = [self._priority(name) for name in self._pending]
        heapq.heapify(queue)
        while queue:
            _, name = heapq.heappop(queue)
            if name in self._pending:
                for parent in self._visit(self._reader.commit(name)):
                    heapq.heappush(queue, self._priority(parent))

    def _priority(self, name: bytes) -> tuple[int, bytes]:
        return -(self._reader.commit(name).dates.committed or 0), name

    def _visit(self, commit: CommitRecord) -> list[bytes]:
        """Move the files of a commit to its parents.

        Returns:
            The parents that files were moved to.
        """
        files = self._pending.pop(commit.name)
        self._files_seen[commit.name] += len(files)
        # Each file reaches a commit only once, unless grafts or replaced commits form a cycle.
        if self._files_seen[commit.name] > len(self._views):
            raise GitError(
                f"commit {commit.dates.name} is its own ancestor",
                fix="correct refs/replace and .git/info/grafts",
            )
        compared: list[tuple[bytes, Changes]] = []
        for parent in commit.parents[:1] if self._first_parent else commit.parents:
            if not files:
                break
            changes = self._reader.changes(commit, parent)
            compared.append((parent, changes))
            changed = {key for path in changes for key in self._keys[path] if key in files}
            files -= changed
            self._move(files, parent)
            files = changed
        for parent, changes in compared:
            same = {key for key in files if self._is_same(key, changes)}
            self._pass_over(same, commit, is_ignored=False)
            self._move(same, parent)
            files -= same
        if files and self._rules.match(commit.dates.name, commit.author, commit.message):
            for parent, changes in compared:
                moved = {key for key in files if changes[self._path(key)].status != ADDED}
                self._pass_over(moved, commit, is_ignored=True)
                self._move(moved, parent)
                files -= moved
        # Git prints all files of a root commit as added. If not, its output is incomplete.
        if not commit.parents and not {*map(self._path, files)} <= commit.changes.keys():
            raise GitError(f"git did not print the files of the root commit {commit.dates.name}")
        for key in files:
            is_limit = bool(commit.parents) and self._is_limit(key)
            self._newest[key] = NewestCommit(commit.dates, self._passed.get(key), is_limit)
        return [parent for parent, _ in compared if parent in self._pending]

    def _path(self, key: bytes) -> bytes:
        return self._views[key][0]

    def _is_same(self, key: bytes, changes: Changes) -> bool:
        """Return whether a page shows the same of a file in a parent."""
        path, view = self._views[key]
        if view.kind is ShownKind.FILE or self._is_limit(key):
            return False
        return self._comparer.is_same(path, view, changes[path])

    def _is_limit(self, key: bytes) -> bool:
        passed = self._passed.get(key)
        return passed is not None and passed.unseen >= MAX_UNSEEN

    def _pass_over(self, files: Iterable[bytes], commit: CommitRecord, *, is_ignored: bool) -> None:
        passed = PassedCommits(1, 0 if is_ignored else 1, commit.dates.name, is_ignored)
        for key in files:
            newer = self._passed.get(key)
            self._passed[key] = passed if newer is None else _join(newer, passed)

    def _move(self, files: set[bytes], commit: bytes) -> None:
        if commit == self._known_head:
            known = dict(self._known_commits(files))
            self._newest |= known
            files = files - known.keys()
        if commit in self._pending:
            self._pending[commit] |= files
        elif files:
            self._pending[commit] = files

    def _known_commits(self, files: Iterable[bytes]) -> Iterator[tuple[bytes, NewestCommit]]:
        """Yield the known results for files that reach the commit for which they are known."""
        for key in files:
            known = self._known.get(key)
            if known is None:
                continue
            newer = self._passed.get(key)
            if newer is not None:
                known = replace(known, passed=_join(newer, known.passed))
            # The result must not depend on what was known.
            if known.passed is None or known.passed.unseen <= MAX_UNSEEN:
                yield key, known


def file_key(file: ViewedFile) -> str:
    """Return the key of a file: its path, with a NUL byte and the key of the view if not every
    change counts.
    """
    return f"{file.path}\0{file.view.key}" if file.view.key else file.path


def _join(newer: PassedCommits, older: PassedCommits | None) -> PassedCommits:
    if older is None:
        return newer
    return replace(newer, number=newer.number + older.number, unseen=newer.unseen + older.unseen)
