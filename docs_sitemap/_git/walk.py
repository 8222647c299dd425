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
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import closing

from docs_sitemap._git.commit_reader import ADDED, Changes, CommitReader, CommitRecord, DatedCommit
from docs_sitemap._git.content_views import ContentComparer
from docs_sitemap._git.git_command import GitError
from docs_sitemap._git.ignored_commits import IgnoreRules


class HistoryWalk:
    """One walk over the history.

    Args:
        reader: Reads the commits.
        rules: The commits that do not count. Each file of such a commit moves to the first parent
            that contains it. If no parent does, the commit counts for this file.
        comparer: Compares files by what readers see. A file that is the same for them in a parent
            moves to this parent. `None` if every change counts.
        first_parent: Whether to follow first parents only. A change then has the date of the merge.
    """

    def __init__(
        self,
        reader: CommitReader,
        rules: IgnoreRules,
        comparer: ContentComparer | None,
        *,
        first_parent: bool,
    ) -> None:
        self._reader = reader
        self._rules = rules
        self._comparer = comparer
        self._first_parent = first_parent
        self._known_head: bytes | None = None
        self._known: dict[bytes, DatedCommit] = {}
        self._pending: dict[bytes, set[bytes]] = {}
        self._newest: dict[bytes, DatedCommit] = {}
        self._number_of_files = 0
        self._files_seen: Counter[bytes] = Counter()

    def run(
        self,
        head: str,
        paths: Iterable[str],
        *,
        known_head: str | None,
        known: Mapping[str, DatedCommit],
    ) -> dict[str, DatedCommit]:
        """Return the newest commit of each file.

        Args:
            head: The full name of the commit to start at.
            paths: Files in that commit.
            known_head: The full name of a commit for which the result is known, if there is
                one. It may be unrelated to `head`, or no longer exist.
            known: The result for `known_head`.

        Raises:
            GitError: Git failed, or parts of the history are missing.
        """
        self._known_head = known_head.encode() if known_head is not None else None
        self._known = {os.fsencode(path): commit for path, commit in known.items()}
        files = {os.fsencode(path) for path in paths}
        self._number_of_files = len(files)
        self._move(files, head.encode())
        if self._pending:
            start = head.encode()
            if known_head is not None and known_head != head:
                start = self._follow_first_parents(start, exclude=known_head)
            self._follow_first_parents(start)
            self._follow_one_by_one()
        return {os.fsdecode(path): commit for path, commit in self._newest.items()}

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
        paths = self._pending.pop(commit.name)
        self._files_seen[commit.name] += len(paths)
        # Each file reaches a commit only once, unless grafts or replaced commits form a cycle.
        if self._files_seen[commit.name] > self._number_of_files:
            raise GitError(
                f"commit {commit.dates.name} is its own ancestor",
                fix="correct refs/replace and .git/info/grafts",
            )
        compared: list[tuple[bytes, Changes]] = []
        for parent in commit.parents[:1] if self._first_parent else commit.parents:
            if not paths:
                break
            changes = self._reader.changes(commit, parent)
            compared.append((parent, changes))
            changed = paths.intersection(changes)
            paths -= changed
            self._move(paths, parent)
            paths = changed
        for parent, changes in compared if self._comparer is not None else ():
            same = {path for path in paths if self._is_same(path, changes)}
            self._move(same, parent)
            paths -= same
        if paths and self._rules.match(commit.dates.name, commit.author, commit.message):
            for parent, changes in compared:
                added = {path for path in paths if changes[path].status == ADDED}
                self._move(paths - added, parent)
                paths = added
        # Git prints all files of a root commit as added. If not, its output is incomplete.
        if not commit.parents and not paths <= commit.changes.keys():
            raise GitError(f"git did not print the files of the root commit {commit.dates.name}")
        self._newest |= dict.fromkeys(paths, commit.dates)
        return [parent for parent, _ in compared if parent in self._pending]

    def _is_same(self, path: bytes, changes: Changes) -> bool:
        return self._comparer is not None and self._comparer.is_same(path, changes[path])

    def _move(self, paths: set[bytes], commit: bytes) -> None:
        if commit == self._known_head:
            known = paths.intersection(self._known)
            self._newest |= {path: self._known[path] for path in known}
            paths = paths - known
        if commit in self._pending:
            self._pending[commit] |= paths
        elif paths:
            self._pending[commit] = paths
