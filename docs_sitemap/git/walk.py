"""Find the newest commits of many files in one walk over the history.

The result for each file is the commit that `git log -1 -- FILE` prints, whatever the
shape of the history. Git starts at a commit, and goes to the first of its parents in
which the file is the same. If the file differs in every parent, git stops: this commit
is the newest one that changed the file (see "History Simplification" in git-log(1)).

The walk follows this rule for all files at once. `_pending` maps commits to the files
that have reached them. Each visit takes one commit. A file that is the same in a parent
is passed on to the first such parent. A file that differs in every parent has found its
newest commit. At the commit of the cache, files take the cached result. The path of
each file through the history is fixed, so the order of the visits affects only the time
that the walk takes:

1. Most files never leave the line of first parents. One `git log` reads that line until
   no file is left there.
2. A merge passes the files that it took from another branch on to the other parent. The
   commits that are left are looked up one by one, the newest first, so that a common
   ancestor is usually visited after the files of all branches have arrived there.

Readers see a change when it arrives on the published branch, which is the line of first
parents. A change on this line arrives with its own commit. A change on a branch arrives
with a merge: the oldest commit of the line that has the change in its history. The walk
knows this merge: a file that is passed on to a parent other than the first leaves the
line there.

For a complete file without ignored commits, the arrival is the commit that `git log -1
--first-parent -- FILE` prints, whatever the shape of the history: both walks move to
the first parent if the file is the same there, and end or leave the line if it is not.

A merge may have brought nothing but an ignored commit to a file. At such a commit, the
walk forgets the merge: an older change on the same branch has the date of its own
commit.

If only a part of a file dates it, all of this is true for this part: the walk goes to
the first parent in which the part is the same.

If the options follow moves, where a file is makes no difference: a parent without the
path contains the same file if the commit removes one with the same content from another
path. The walk goes on at the old path.
"""

import heapq
from collections import defaultdict
from collections.abc import Collection, Iterable
from contextlib import closing
from datetime import timedelta
from itertools import islice

from msgspec.structs import replace

from docs_sitemap.diagnostics import CommitDate, DateStatus
from docs_sitemap.shown.front_matter import FrontMatterKeys

from .commits import ADDED, BATCH, Changes, Commit, CommitReader, parse_change
from .file_changes import VersionReader, Versions, WalkedFile
from .history_types import FileDate, HistoryOptions
from .repository import RepositorySnapshot

# Clocks differ a little, and rebased commits can be older than their parents.
_CLOCK_TOLERANCE = timedelta(days=1)


class HistoryWalk:
    """One walk over the history.

    Args:
        reader: Reads the commits.
        snapshot: The repository at the commit to start at.
        ignored_revs: The hashes of commits to ignore. Each file of such a commit is
            passed on to the first parent that contains it. If no parent does, the
            commit dates this file.
        options: Which date of a commit to use.
        front_matter: Decides which keys of front matter the pages show.
        cached_head: The hash of the commit of the cache, which may be unrelated to the
            walk, or no longer exist; `None` if there is none.
    """

    def __init__(
        self,
        reader: CommitReader,
        snapshot: RepositorySnapshot,
        ignored_revs: Iterable[str],
        options: HistoryOptions,
        front_matter: FrontMatterKeys,
        cached_head: str | None = None,
    ) -> None:
        self._reader = reader
        self._versions = VersionReader(reader, front_matter)
        self._snapshot = snapshot
        self._ignored_revs = frozenset(map(str.encode, ignored_revs))
        self._commit_date = options.commit_date
        self._follow_moves = options.follow_moves
        self._cached_head = (cached_head or "").encode()
        # A page can show a part of a file, and another page another part.
        self._by_path: defaultdict[bytes, list[WalkedFile]] = defaultdict(list)
        self._pending: dict[bytes, set[WalkedFile]] = {}

    def run(self, files: Collection[WalkedFile]) -> None:
        """Set the date of each file.

        Args:
            files: Files in the commit to start at.

        Raises:
            GitError: Git failed, or parts of the history are missing.
        """
        for file in files:
            self._by_path[file.path].append(file)
        self._wait(set(files), self._snapshot.head.encode())
        self._follow_line()
        self._follow_branches()

    def _follow_line(self) -> None:
        """Visit the commit to start at and the line of its first parents, as long as
        files are on the line.
        """
        with closing(self._reader.first_parents(self._snapshot.head)) as line:
            commits = list(islice(line, BATCH))
            while commits:
                self._look_ahead(commits)
                names = [commit.hash for commit in commits]
                for number, name in enumerate(names):
                    if name not in self._pending:
                        return
                    # A visit may have added the old path of a file to the reader.
                    if not self._reader.has_read(name):
                        self._reader.read_commits(names[number:])
                    self._visit(self._reader.commit(name))
                commits = list(islice(line, BATCH))

    def _look_ahead(self, commits: Iterable[Commit]) -> None:
        """Find out at once what visits to commits of the line will need: how the newest
        change of each file changes what the page shows, and how merges differ from
        their second parents. To ask git for each commit by itself takes longer.
        """
        versions: list[Versions] = []
        merges = []
        waiting: set[WalkedFile] = set()
        for commit in commits:
            waiting |= self._pending.get(commit.hash, set())
            if commit.hash == self._cached_head:
                break
            changed = self._find_changed(waiting, commit.changes)
            waiting -= changed
            if changed and commit.parents:
                versions += self._versions.find(changed, commit, commit.parents[0])
                merges += [(commit, other) for other in commit.parents[1:2]]
        self._versions.compare(versions)
        self._reader.read_changes(merges)

    def _follow_branches(self) -> None:
        """Visit all commits at which files wait, the newest first."""
        while self._pending:
            self._reader.read_commits(self._pending)
            queue = [self._priority(name) for name in self._pending]
            heapq.heapify(queue)
            while queue:
                _, name = heapq.heappop(queue)
                if name not in self._pending:
                    continue
                commit = self._reader.commit(name)
                self._visit(commit)
                for parent in commit.parents:
                    if parent in self._pending and self._reader.has_read(parent):
                        heapq.heappush(queue, self._priority(parent))

    def _priority(self, name: bytes) -> tuple[float, bytes]:
        committed = self._reader.commit(name).committed
        if committed is None:
            return 0, name
        return -committed.timestamp(), name

    def _visit(self, commit: Commit) -> None:
        """Pass each file of a commit on to the first parent that shows the same. If no
        parent does, pass it on from an ignored commit, and otherwise date it.
        """
        files = self._pending.pop(commit.hash)
        for parent in commit.parents:
            if files:
                files = self._pass_on_same(files, commit, parent)
        if commit.hash in self._ignored_revs:
            for parent in commit.parents:
                if files:
                    files = self._pass_on_contained(files, commit, parent)
        if files:
            # A commit that the clone does not contain may have changed them instead.
            is_truncated = self._snapshot.is_truncated(commit.hash.decode())
            for file in files:
                date = self._date(file, commit)
                file.date = self._remove_date(date) if is_truncated else date

    def _pass_on_same(
        self, files: set[WalkedFile], commit: Commit, parent: bytes
    ) -> set[WalkedFile]:
        """Pass on the files that show the same in a parent, and return the others."""
        changed = self._find_changed(files, self._reader.changes(commit, parent))
        if not changed:  # as in most commits
            self._pass_on(files, commit, parent)
            return changed
        files -= changed
        same = self._versions.find_same(changed, commit, parent)
        same |= self._find_moved(changed, commit, parent)
        for file in same:
            file.skipped += 1
        files |= same
        changed -= same
        self._pass_on(files, commit, parent)
        return changed

    def _pass_on_contained(
        self, files: set[WalkedFile], commit: Commit, parent: bytes
    ) -> set[WalkedFile]:
        """Pass on the files that a parent of an ignored commit contains, and return the
        others.
        """
        changes = self._reader.changes(commit, parent)
        contained = set()
        for file in files:
            if parse_change(changes[file.path]).status != ADDED:
                contained.add(file)
                file.skipped += 1
                # The merge has brought the ignored commit.
                file.merge = None
        self._pass_on(contained, commit, parent)
        return files - contained

    def _find_changed(
        self, files: set[WalkedFile], changes: Changes
    ) -> set[WalkedFile]:
        changed = set()
        for path in changes:
            changed |= files.intersection(self._by_path[path])
        return changed

    def _find_moved(
        self, files: Iterable[WalkedFile], commit: Commit, parent: bytes
    ) -> set[WalkedFile]:
        """Return the files that a commit moves without a change, at their old paths."""
        moved = {}
        if self._follow_moves:
            moved = self._versions.find_old_paths(files, commit, parent)
        for file, path in moved.items():
            self._reader.add_path(path)
            self._by_path[file.path].remove(file)
            self._by_path[path].append(file)
            file.path = path
        return set(moved)

    def _pass_on(self, files: set[WalkedFile], commit: Commit, parent: bytes) -> None:
        """Pass files on from a commit to a parent. If it is not the first parent, they
        leave the line.
        """
        if parent != commit.parents[0]:
            for file in files:
                if file.merge is None:
                    file.merge = commit
        self._wait(files, parent)

    def _wait(self, files: set[WalkedFile], name: bytes) -> None:
        """Let files wait at a commit until the walk visits it. At the commit of the
        cache, files take their cached dates.
        """
        if name == self._cached_head:
            files = {file for file in files if not self._take_cached(file)}
        if name in self._pending:
            self._pending[name] |= files
        elif files:
            self._pending[name] = files

    def _take_cached(self, file: WalkedFile) -> bool:
        """Give a file at the commit of the cache its cached date. Return whether that
        is possible.
        """
        # With skipped commits, or on a branch, the result would be another one.
        if file.cached is None or file.skipped or file.merge is not None:
            return False
        # A date in the future of that commit may be in the past of this one.
        if file.cached.status is DateStatus.FUTURE_DATE:
            return False
        file.date = self._check_clock(file.cached)
        return True

    def _date(self, file: WalkedFile, commit: Commit) -> FileDate:
        """Return the date of a file whose newest commit is known."""
        arrival = file.merge or commit
        if self._commit_date is CommitDate.MERGED:
            changed = arrival.committed
        elif self._commit_date is CommitDate.COMMITTED:
            changed = commit.committed
        else:
            changed = commit.authored
        date = FileDate(
            DateStatus.COMMIT if changed else DateStatus.INVALID_DATE,
            commit.hash.decode(),
            changed,
            committed=commit.committed,
            authored=commit.authored,
            added=self._is_added(file, commit),
            skipped=file.skipped,
            hidden_keys=tuple(sorted(file.hidden_keys)),
            shown_keys=tuple(sorted(file.shown_keys)),
        )
        if file.merge is not None:
            merge = file.merge.hash.decode()
            date = replace(date, merge=merge, merged=file.merge.committed)
        return self._check_clock(date)

    def _is_added(self, file: WalkedFile, commit: Commit) -> bool:
        """Return whether no parent of a commit contains a file."""
        for parent in commit.parents:
            change = self._reader.changes(commit, parent)[file.path]
            if parse_change(change).status != ADDED:
                return False
        return True

    def _remove_date(self, date: FileDate) -> FileDate:
        """Return the date of a file that may have changed before a shallow clone
        starts.
        """
        not_after = date.date
        # Author dates are not in the order of the history.
        if self._commit_date is CommitDate.AUTHORED:
            not_after = None
        return FileDate(
            DateStatus.SHALLOW,
            date.hash,
            not_after=not_after,
            hidden_keys=date.hidden_keys,
            shown_keys=date.shown_keys,
        )

    def _check_clock(self, date: FileDate) -> FileDate:
        """Remove a date that is later than the built commit: a clock was wrong."""
        latest = self._reader.commit(self._snapshot.head.encode()).committed
        if date.date is None or latest is None:
            return date
        if date.date - latest <= _CLOCK_TOLERANCE:
            return date
        return replace(date, status=DateStatus.FUTURE_DATE, date=None)
