"""Find the newest commits of many files in one walk over the history.

The result for each file is the commit that `git log -1 -- FILE` prints, whatever the
shape of the history. Git starts at a commit, and goes to the first of its parents in
which the file is the same. If the file differs in every parent, git stops: this commit
is the newest one that changed the file (see "History Simplification" in git-log(1)).

The walk follows this rule for all files at once. `_pending` maps commits to the files
that have reached them. Each step takes one commit. A file that is the same in a parent
moves to the first such parent. A file that differs in every parent has found its newest
commit. At the commit of the cache, files take the cached result. The path of each file
through the history is fixed, so the order of the steps affects only the time that the
walk takes:

1. Most files never leave the line of first parents. One `git log` reads that line until
   no file is left there.
2. A merge moves the files that it took from another branch to the other parent. The
   commits that are left are looked up one by one, the newest first, so that a common
   ancestor is usually visited after the files of all branches have arrived there.

Readers see a change when it arrives on the published branch, which is the line of first
parents. A change on this line arrives with its own commit. A change on a branch arrives
with a merge: the oldest commit of the line that has the change in its history. The walk
knows this merge: a file that moves to a parent other than the first leaves the line
there.

For a complete file without ignored commits, the arrival is the commit that `git log -1
--first-parent -- FILE` prints, whatever the shape of the history: both walks move to
the first parent if the file is the same there, and end or leave the line if it is not.

A branch may contain only ignored commits to a file. The file then comes back to the
line where the branch started, and the walk forgets the merge. Without ignored commits,
a file that comes back has its old content again since the merge.

If only a part of a file dates it, all of this is true for this part: the walk goes to
the first parent in which the part is the same.

A commit can move a file to another folder without a change. If the caller wants it, the
walk then goes on at the old path, after all other files have their dates: a second walk
reads these paths.
"""

import heapq
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property

import msgspec

from docs_sitemap.date_status import CommitDate, DateStatus
from docs_sitemap.shown import COMPLETE_FILE, Shown, ShownKind

from .cache import CachedDates
from .commits import ADDED, MODIFIED, Change, Changes, Commit, CommitReader
from .file_date import FileDate, HistoryOptions
from .repository import RepositorySnapshot

# Enough for any history, and each takes a walk. Then, a move dates the file.
_MAX_MOVES = 20

# So many files are read at once, two versions of each.
_BATCH = 50

# Clocks differ a little, and rebased commits can be older than their parents.
_CLOCK_TOLERANCE = timedelta(days=1)


@dataclass(eq=False, slots=True)
class WalkedFile:
    """A file on its way through the history.

    Attributes:
        key: What decides the date, from `file_key`.
        path: The path, which changes with the moves that the file follows.
        shown: What the page shows of the file.
        kept_names: How many names at the end of the path stay the same when the file
            moves.
        skipped: The number of commits that changed the file, but are skipped.
        merge: The commit at which the file left the line of first parents; `None` on
            this line.
        date: The result.
    """

    key: str
    path: bytes
    shown: Shown
    kept_names: int
    skipped: int = 0
    merge: Commit | None = None
    date: FileDate | None = None

    def split(self) -> tuple[bytes, bytes]:
        """Return the folder from which the file may have moved elsewhere, and the path
        below it.
        """
        end = b"/".join(self.path.split(b"/")[-self.kept_names :])
        return self.path.removesuffix(end), end


class HistoryWalk:
    """One walk over the history.

    Args:
        reader: Reads the commits.
        snapshot: The repository at the commit to start at.
        ignored_revs: The hashes of commits to ignore. Each file of such a commit moves
            to the first parent that contains it. If no parent does, the commit dates
            this file.
        options: Which date of a commit to use.
        cached: The dates of files at a commit, which may be unrelated to the walk, or
            no longer exist.
    """

    def __init__(
        self,
        reader: CommitReader,
        snapshot: RepositorySnapshot,
        ignored_revs: Iterable[str],
        options: HistoryOptions,
        cached: CachedDates,
    ) -> None:
        self._reader = reader
        self._snapshot = snapshot
        self._ignored_revs = frozenset(ignored_revs)
        self._options = options
        self._cached = cached
        # A page can show a part of a file, and another page another part.
        self._by_path: defaultdict[bytes, list[WalkedFile]] = defaultdict(list)
        self._pending: dict[bytes, set[WalkedFile]] = {}
        self._ignored_on_branch: set[WalkedFile] = set()
        self._digests: dict[tuple[str, bytes], bytes | None] = {}
        # The old paths of files, by the parent of the commit that moved them.
        self._moved: defaultdict[bytes, dict[WalkedFile, bytes]] = defaultdict(dict)
        self._moves = 0

    def run(self, files: Collection[WalkedFile]) -> dict[str, FileDate]:
        """Return the date of each file, by its key.

        Args:
            files: Files in the commit to start at.

        Raises:
            GitError: Git failed, or parts of the history are missing.
        """
        for file in files:
            self._by_path[file.path].append(file)
        self._move(set(files), self._snapshot.head.encode())
        self._follow_first_parents(self._snapshot.head)
        self._follow_one_by_one()
        while self._moved:
            self._follow_moves()
        dates = {file.key: file.date for file in files if file.date is not None}
        # A commit that the clone does not contain may have changed the file instead.
        hashes = {date.hash for date in dates.values()}
        truncated = self._snapshot.without_parents(hashes)
        for key, date in dates.items():
            if date.hash not in truncated or date.status is DateStatus.SHALLOW:
                continue
            not_after = date.date
            # Author dates are not in the order of the history.
            if self._options.commit_date is CommitDate.AUTHORED:
                not_after = None
            dates[key] = FileDate(DateStatus.SHALLOW, date.hash, not_after=not_after)
        return dates

    def _follow_first_parents(self, start: str) -> None:
        """Visit a commit and the line of its first parents, as long as files are on
        the line.
        """
        with closing(self._reader.first_parents(start)) as commits:
            for commit in commits:
                if commit.hash not in self._pending:
                    break
                self._visit(commit)

    def _follow_one_by_one(self) -> None:
        queue = [self._priority(commit) for commit in self._pending]
        heapq.heapify(queue)
        while queue:
            _, commit = heapq.heappop(queue)
            if commit in self._pending:
                for parent in self._visit(self._reader.commit(commit)):
                    heapq.heappush(queue, self._priority(parent))

    def _follow_moves(self) -> None:
        """Walk on from the commits that moved files, at the old paths."""
        moved = self._moved
        self._moved = defaultdict(dict)
        self._moves += 1
        old_paths = set()
        for parent, paths in moved.items():
            for file, path in paths.items():
                self._by_path[file.path].remove(file)
                self._by_path[path].append(file)
                file.path = path
                old_paths.add(path)
            self._move(set(paths), parent)
        original = self._reader
        with closing(original.for_paths(old_paths)) as reader:
            self._reader = reader
            for start in sorted(moved, key=self._priority):
                if start in self._pending:
                    self._follow_first_parents(start.decode())
            self._follow_one_by_one()
        self._reader = original

    @cached_property
    def _line(self) -> frozenset[bytes]:
        """The line of first parents. Only files with ignored commits on a branch need
        it.
        """
        return frozenset(self._reader.line(self._snapshot.head))

    def _priority(self, commit: bytes) -> tuple[float, bytes]:
        committed = self._reader.commit(commit).committed
        if committed is None:
            return 0, commit
        return -committed.timestamp(), commit

    def _visit(self, commit: Commit) -> list[bytes]:
        """Move the files of a commit to its parents.

        Returns:
            The parents that files were moved to.
        """
        files = self._pending.pop(commit.hash)
        compared: list[tuple[bytes, Changes]] = []
        for parent in commit.parents:
            if not files:
                break
            changes = self._reader.changes(commit, parent)
            compared.append((parent, changes))
            changed = set()
            for path in changes:
                changed |= files.intersection(self._by_path[path])
            same = self._find_same(changed, changes)
            self._skip(same, may_come_back=False)
            changed -= same
            files -= changed
            self._move(files, parent, commit)
            files = changed
        if files and commit.hash.decode() in self._ignored_revs:
            for parent, changes in compared:
                moved = {file for file in files if changes[file.path].status != ADDED}
                self._skip(moved, may_come_back=True)
                self._move(moved, parent, commit)
                files -= moved
        for file in files - self._find_moved(files, commit):
            file.date = self._date(commit, file)
        return [parent for parent, _ in compared if parent in self._pending]

    def _find_moved(
        self, files: Iterable[WalkedFile], commit: Commit
    ) -> set[WalkedFile]:
        """Return the files that a commit moves without a change. They leave this
        walk.
        """
        if len(commit.parents) != 1 or self._moves == _MAX_MOVES:
            return set()
        added = {}
        for file in files:
            change = commit.changes[file.path]
            if file.kept_names and change.status == ADDED:
                added[file] = change.new
        if not added:
            return set()
        removed = self._reader.removed(commit, set(added.values()))
        old_paths = {}
        for file, blob in added.items():
            path = _find_old_path(file, removed.get(blob, ()))
            if path is not None:
                old_paths[file] = path
        moved = _moved_with_root(old_paths)
        for file in moved:
            self._moved[commit.parents[0]][file] = old_paths[file]
        # The old path can be on the line of first parents again.
        self._skip(moved, may_come_back=True)
        return moved

    def _find_same(
        self, files: Iterable[WalkedFile], changes: Changes
    ) -> set[WalkedFile]:
        """Return the files whose shown parts are the same in a parent. A version that
        cannot be read or parsed differs from all others.
        """
        compared: list[tuple[WalkedFile, Change]] = []
        for file in files:
            change = changes[file.path]
            if change.status == MODIFIED and file.shown != COMPLETE_FILE:
                compared.append((file, change))
        same = set()
        for start in range(0, len(compared), _BATCH):
            batch = compared[start : start + _BATCH]
            blobs = set()
            for _, change in batch:
                blobs |= {change.old, change.new}
            contents = self._reader.contents(sorted(blobs))
            for file, change in batch:
                if self._is_same(file, change, contents):
                    same.add(file)
        return same

    def _is_same(
        self, file: WalkedFile, change: Change, contents: Mapping[bytes, bytes]
    ) -> bool:
        shown = file.shown
        if shown.kind is not ShownKind.TEXT:
            old_digest = self._digest(shown, change.old, contents)
            new_digest = self._digest(shown, change.new, contents)
            return old_digest is not None and old_digest == new_digest
        old = contents.get(change.old)
        new = contents.get(change.new)
        if old is None or new is None:
            return False
        return shown.is_same(file.path, old, new)

    def _digest(
        self, shown: Shown, blob: bytes, contents: Mapping[bytes, bytes]
    ) -> bytes | None:
        key = shown.key, blob
        if key not in self._digests:
            content = contents.get(blob)
            self._digests[key] = None if content is None else shown.digest(content)
        return self._digests[key]

    def _skip(self, files: Iterable[WalkedFile], *, may_come_back: bool) -> None:
        """Note that a commit that changed files does not date them. Files may come back
        to the line of first parents if the commit changed what they show.
        """
        for file in files:
            file.skipped += 1
            if may_come_back and file.merge is not None:
                self._ignored_on_branch.add(file)

    def _move(
        self, files: set[WalkedFile], commit: bytes, child: Commit | None = None
    ) -> None:
        """Move files to a commit from one of its children; from none at the start."""
        if child is not None and commit != child.parents[0]:
            for file in files:
                if file.merge is None:
                    file.merge = child
        for file in files & self._ignored_on_branch:
            if commit in self._line:
                file.merge = None
                self._ignored_on_branch.remove(file)
        if commit.decode() == self._cached.head:
            files = files - self._take_cached(files)
        if commit in self._pending:
            self._pending[commit] |= files
        elif files:
            self._pending[commit] = files

    def _take_cached(self, files: Iterable[WalkedFile]) -> set[WalkedFile]:
        """Give files at the commit of the cache their cached dates, and return the
        files that have one.
        """
        dated = set()
        for file in files:
            # With skipped commits, or on a branch, the result would be another one.
            if file.skipped or file.merge is not None:
                continue
            date = self._cached.dates.get(file.key)
            # A date in the future of that commit may be in the past of this one.
            if date is not None and date.status is not DateStatus.FUTURE_DATE:
                file.date = self._check_clock(date)
                dated.add(file)
        return dated

    def _date(self, commit: Commit, file: WalkedFile) -> FileDate:
        commit_hash = commit.hash.decode()
        date = commit.committed
        merge = None
        merged = None
        if file.merge is not None:
            merge = file.merge.hash.decode()
            merged = file.merge.committed
        if self._options.commit_date is CommitDate.AUTHORED:
            date = commit.authored
        elif self._options.commit_date is CommitDate.MERGED and merge is not None:
            date = merged
            # In the missing history, the file may come back to the line of first
            # parents.
            may_come_back = self._snapshot.boundary and file in self._ignored_on_branch
            if date is not None and may_come_back:
                return FileDate(DateStatus.SHALLOW, commit_hash, not_after=date)
        status = DateStatus.COMMIT
        if date is None:
            status = DateStatus.INVALID_DATE
        file_date = FileDate(
            status,
            commit_hash,
            date,
            committed=commit.committed,
            authored=commit.authored,
            merge=merge,
            merged=merged,
            skipped=file.skipped,
        )
        return self._check_clock(file_date)

    def _check_clock(self, date: FileDate) -> FileDate:
        """Remove a date that is later than the built commit: a clock was wrong."""
        latest = self._reader.commit(self._snapshot.head.encode()).committed
        if date.date is None or latest is None:
            return date
        if date.date - latest <= _CLOCK_TOLERANCE:
            return date
        status = DateStatus.FUTURE_DATE
        return msgspec.structs.replace(date, status=status, date=None)


def _find_old_path(file: WalkedFile, removed: Sequence[bytes]) -> bytes | None:
    """Return the only removed path that has the same names at its end as the path of a
    file.
    """
    root, end = file.split()
    same = [path for path in removed if (b"/" + path).endswith(b"/" + end)]
    # A file that moves up from a folder of this root has another URL.
    if len(same) != 1 or same[0].startswith(root):
        return None
    return same[0]


def _moved_with_root(old_paths: Mapping[WalkedFile, bytes]) -> set[WalkedFile]:
    """Return the files whose URLs stay the same, because the folder above their URLs
    moves. A single file may come from another section, so that two files or two names
    must agree.
    """
    old_roots: defaultdict[bytes, Counter[bytes]] = defaultdict(Counter)
    for file, old_path in old_paths.items():
        root, end = file.split()
        old_roots[root][old_path.removesuffix(end)] += 1
    moved = set()
    for file, old_path in old_paths.items():
        root, end = file.split()
        [(old_root, number)] = old_roots[root].most_common(1)
        if old_path == old_root + end and (number > 1 or file.kept_names > 1):
            moved.add(file)
    return moved
