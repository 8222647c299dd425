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

If the options follow moves, where a file is makes no difference: a parent without the
path contains the same file if the commit removes one with the same content, or one that
shows the same, from another path (see `removed_files`). The walk goes on at the old
path. If the path is in a folder that git does not compare for this walk, another walk
goes on there after all other files have their dates.
"""

import heapq
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from datetime import timedelta
from functools import cached_property
from itertools import islice
from typing import NamedTuple

import msgspec

from docs_sitemap.diagnostics import CommitDate, DateStatus
from docs_sitemap.shown import COMPLETE_FILE, PRESENCE, Shown, ShownKind
from docs_sitemap.shown.front_matter import FrontMatterKeys

from .cache import CachedDates
from .commits import (
    ADDED,
    MODIFIED,
    Change,
    Changes,
    Commit,
    CommitReader,
    parse_change,
)
from .file_date import FileDate, HistoryOptions
from .removed_files import RemovedFiles
from .repository import RepositorySnapshot

# Enough for any history, and each takes a walk. Then, a move dates the file.
_MAX_MOVES = 20

# So many commits are read at once, and so many files, two versions of each.
_BATCH = 50

# Clocks differ a little, and rebased commits can be older than their parents.
_CLOCK_TOLERANCE = timedelta(days=1)


class WalkedFile(msgspec.Struct, eq=False):
    """A file on its way through the history.

    Attributes:
        key: What decides the date, from `file_key`.
        path: The path, which changes with the moves that the file follows.
        shown: What the page shows of the file.
        skipped: The number of commits that changed the file, but are skipped.
        merge: The commit at which the file left the line of first parents; `None` on
            this line.
        hidden_keys: The keys of front matter that skipped commits changed.
        shown_keys: The keys that the page shows, in commits that changed nothing but
            front matter.
        date: The result.
    """

    key: str
    path: bytes
    shown: Shown
    skipped: int = 0
    merge: Commit | None = None
    hidden_keys: set[str] = set()
    shown_keys: set[str] = set()
    date: FileDate | None = None


class _Versions(NamedTuple):
    """Two versions of a file.

    Attributes:
        file: The file.
        path: Its path in the commit.
        old_path: Its path in the parent.
        change: What the commit changes.
    """

    file: WalkedFile
    path: bytes
    old_path: bytes
    change: Change


class HistoryWalk:
    """One walk over the history.

    Args:
        reader: Reads the commits.
        snapshot: The repository at the commit to start at.
        ignored_revs: The hashes of commits to ignore. Each file of such a commit moves
            to the first parent that contains it. If no parent does, the commit dates
            this file.
        options: Which date of a commit to use.
        front_matter: Decides which keys of front matter the pages show.
        cached: The dates of files at a commit, which may be unrelated to the walk, or
            no longer exist.
    """

    def __init__(
        self,
        reader: CommitReader,
        snapshot: RepositorySnapshot,
        ignored_revs: Iterable[str],
        options: HistoryOptions,
        front_matter: FrontMatterKeys,
        cached: CachedDates,
    ) -> None:
        self._reader = reader
        self._snapshot = snapshot
        self._ignored_revs = frozenset(ignored_revs)
        self._options = options
        self._front_matter = front_matter
        self._cached = cached
        self._cached_head = cached.head.encode()
        # A page can show a part of a file, and another page another part.
        self._by_path: defaultdict[bytes, list[WalkedFile]] = defaultdict(list)
        self._pending: dict[bytes, set[WalkedFile]] = {}
        self._ignored_on_branch: set[WalkedFile] = set()
        self._digests: dict[tuple[str, bytes], bytes | None] = {}
        # The keys of front matter that differ; `None` if pages show another change. A
        # merge changes the same versions as a commit on the merged branch.
        self._compared: dict[_Versions, set[str] | None] = {}
        self._removed: dict[tuple[bytes, bytes], RemovedFiles] = {}
        # The old paths of files, by the parent that contains them.
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
        self._arrive(set(files), self._snapshot.head.encode())
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
            dates[key] = FileDate(
                DateStatus.SHALLOW,
                date.hash,
                not_after=not_after,
                hidden_keys=date.hidden_keys,
                shown_keys=date.shown_keys,
            )
        return dates

    def _follow_first_parents(self, start: str) -> None:
        """Visit a commit and the line of its first parents, as long as files are on
        the line.
        """
        with closing(self._reader.first_parents(start)) as line:
            commits = list(islice(line, _BATCH))
            while commits:
                self._look_ahead(commits)
                names = [commit.hash for commit in commits]
                for number, name in enumerate(names):
                    if name not in self._pending:
                        return
                    # A visit may have added the old path of a file to the reader.
                    if not self._reader.has_read(name):
                        self._removed.clear()
                        self._reader.read_commits(names[number:])
                    self._visit(self._reader.commit(name))
                commits = list(islice(line, _BATCH))

    def _look_ahead(self, commits: Iterable[Commit]) -> None:
        """Find out at once what visits to commits of the line will need: how the newest
        change of each file changes what the page shows, and how merges differ from
        their second parents. To ask git for each commit by itself takes longer.
        """
        versions: list[_Versions] = []
        merges = []
        waiting: set[WalkedFile] = set()
        for commit in commits:
            waiting |= self._pending.get(commit.hash, set())
            if commit.hash == self._cached_head:
                break
            changed = self._find_changed(waiting, commit.changes)
            waiting -= changed
            if changed and commit.parents:
                parent, *others = commit.parents
                versions += self._find_versions(changed, commit.changes, commit, parent)
                merges += [(commit, other) for other in others[:1]]
        self._compare(versions)
        self._reader.read_changes(merges)

    def _follow_one_by_one(self) -> None:
        """Visit all commits at which files wait, and those that the files move to."""
        while self._pending:
            self._reader.read_commits(self._pending)
            queue = [self._priority(commit) for commit in self._pending]
            heapq.heapify(queue)
            while queue:
                _, commit = heapq.heappop(queue)
                if commit in self._pending:
                    for parent in self._visit(self._reader.commit(commit)):
                        if self._reader.has_read(parent):
                            heapq.heappush(queue, self._priority(parent))

    def _follow_moves(self) -> None:
        """Walk on from the commits that moved files, at the old paths."""
        moved = self._moved
        self._moved = defaultdict(dict)
        self._moves += 1
        old_paths = set()
        for parent, paths in moved.items():
            for file, path in paths.items():
                self._set_path(file, path)
                old_paths.add(path)
            self._arrive(set(paths), parent)
        original = self._reader
        with closing(original.for_paths(old_paths)) as reader:
            self._reader = reader
            for start in sorted(moved, key=self._priority):
                if start in self._pending:
                    self._follow_first_parents(start.decode())
            self._follow_one_by_one()
        if not reader.is_complete:
            original.is_complete = False
        self._reader = original

    @cached_property
    def _line(self) -> frozenset[bytes]:
        """The line of first parents. Only files with ignored commits on a branch need
        it.
        """
        return frozenset(self._reader.line(self._snapshot.head))

    @cached_property
    def _line_is_truncated(self) -> bool:
        """Whether the shallow clone lacks the first commits of this line."""
        line = map(bytes.decode, self._line)
        return len(self._snapshot.without_parents(line)) > 0

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
            changed = self._find_changed(files, changes)
            files -= changed
            versions = list(self._find_versions(changed, changes, commit, parent))
            for file, old_path in self._find_same(versions).items():
                file.skipped += 1
                changed.remove(file)
                if old_path == file.path:
                    files.add(file)
                else:
                    self._leave_line([file], parent, commit)
                    self._follow_move(file, old_path, parent)
            self._leave_line(files, parent, commit)
            self._arrive(files, parent)
            files = changed
        if files and commit.hash.decode() in self._ignored_revs:
            files = self._ignore(commit, files, compared)
        for file in files:
            file.date = self._date(commit, file)
        return [parent for parent, _ in compared if parent in self._pending]

    def _ignore(
        self,
        commit: Commit,
        files: set[WalkedFile],
        compared: Iterable[tuple[bytes, Changes]],
    ) -> set[WalkedFile]:
        """Move each file that an ignored commit changes to the first parent that
        contains it. Return the files that no parent contains.

        Args:
            commit: The ignored commit.
            files: The files that it changes.
            compared: The parents of the commit, and its changes compared with each.
        """
        for parent, changes in compared:
            moved = set()
            for file in files:
                if parse_change(changes[file.path]).status != ADDED:
                    moved.add(file)
                    file.skipped += 1
                    # The commit changed what the file shows.
                    if file.merge is not None:
                        self._ignored_on_branch.add(file)
            self._leave_line(moved, parent, commit)
            self._arrive(moved, parent)
            files = files - moved
        return files

    def _find_changed(
        self, files: set[WalkedFile], changes: Changes
    ) -> set[WalkedFile]:
        changed = set()
        for path in changes:
            changed |= files.intersection(self._by_path[path])
        return changed

    def _find_versions(
        self,
        files: Iterable[WalkedFile],
        changes: Changes,
        commit: Commit,
        parent: bytes,
    ) -> Iterator[_Versions]:
        """Yield the files that a parent also contains, perhaps at another path."""
        for file in files:
            change = parse_change(changes[file.path])
            if change.status == MODIFIED:
                yield _Versions(file, file.path, file.path, change)
            elif change.status == ADDED and self._follows_moves():
                removed = self._find_removed(commit, parent, changes)
                old = removed.find(file.path, change.new)
                if old is not None:
                    old_path, blob = old
                    yield _Versions(
                        file, file.path, old_path, change._replace(old=blob)
                    )

    def _follow_move(self, file: WalkedFile, old_path: bytes, parent: bytes) -> None:
        """Go on at the old path of a file: now, or in another walk."""
        if self._reader.add_path(old_path):
            self._set_path(file, old_path)
            self._arrive({file}, parent)
        else:
            self._moved[parent][file] = old_path

    def _set_path(self, file: WalkedFile, path: bytes) -> None:
        self._by_path[file.path].remove(file)
        self._by_path[path].append(file)
        file.path = path

    def _follows_moves(self) -> bool:
        return self._options.follow_moves and self._moves < _MAX_MOVES

    def _find_removed(
        self, commit: Commit, parent: bytes, changes: Changes
    ) -> RemovedFiles:
        key = commit.hash, parent
        if key not in self._removed:
            removed = self._reader.removed(commit, parent)
            parsed = map(parse_change, changes.values())
            added = {change.new for change in parsed if change.status == ADDED}
            self._removed[key] = RemovedFiles(removed, added)
        return self._removed[key]

    def _find_same(self, versions: Sequence[_Versions]) -> dict[WalkedFile, bytes]:
        """Return the files whose pages show no change, and their old paths."""
        self._compare(versions)
        same = {}
        for one in versions:
            if self._is_hidden(one.file, self._compared[one]):
                same[one.file] = one.old_path
        return same

    def _compare(self, versions: Iterable[_Versions]) -> None:
        """Compare versions that were not compared before. A version that cannot be read
        or parsed differs from all others.
        """
        unread = []
        for one in versions:
            file, path, old_path, change = one
            if one in self._compared:
                continue
            if old_path != path and change.old == change.new:
                self._compared[one] = set()
            elif file.shown == PRESENCE:
                self._compared[one] = set() if old_path == path else None
            elif file.shown == COMPLETE_FILE:
                self._compared[one] = None
            else:
                unread.append(one)
        for start in range(0, len(unread), _BATCH):
            batch = unread[start : start + _BATCH]
            blobs = set()
            for one in batch:
                blobs |= {one.change.old, one.change.new}
            contents = self._reader.contents(sorted(blobs))
            for one in batch:
                self._compared[one] = self._changed_keys(one, contents)

    def _changed_keys(
        self, versions: _Versions, contents: Mapping[bytes, bytes]
    ) -> set[str] | None:
        """Return the keys of front matter that differ; `None` if the page shows another
        change.
        """
        shown, change = versions.file.shown, versions.change
        if shown.kind is not ShownKind.TEXT:
            old_digest = self._digest(shown, change.old, contents)
            new_digest = self._digest(shown, change.new, contents)
            is_same = old_digest is not None and old_digest == new_digest
            return set() if is_same else None
        old = contents.get(change.old)
        new = contents.get(change.new)
        if old is None or new is None:
            return None
        return shown.changed_keys(versions.path, old, new)

    def _is_hidden(self, file: WalkedFile, keys: set[str] | None) -> bool:
        """Return whether the page of a file shows no change."""
        if keys is None:
            return False
        shown_keys = set(filter(self._front_matter.shows, keys))
        if shown_keys:
            file.shown_keys |= shown_keys
            return False
        file.hidden_keys |= keys
        return True

    def _digest(
        self, shown: Shown, blob: bytes, contents: Mapping[bytes, bytes]
    ) -> bytes | None:
        key = shown.key, blob
        if key not in self._digests:
            content = contents.get(blob)
            self._digests[key] = None if content is None else shown.digest(content)
        return self._digests[key]

    def _leave_line(
        self, files: Iterable[WalkedFile], parent: bytes, commit: Commit
    ) -> None:
        """Note the merge of files that move to a parent other than the first."""
        if parent != commit.parents[0]:
            for file in files:
                if file.merge is None:
                    file.merge = commit

    def _arrive(self, files: set[WalkedFile], commit: bytes) -> None:
        """Let files wait at a commit until the walk visits it."""
        for file in files & self._ignored_on_branch:
            if commit in self._line:
                file.merge = None
                self._ignored_on_branch.remove(file)
        if commit == self._cached_head:
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
        hidden_keys = tuple(sorted(file.hidden_keys))
        shown_keys = tuple(sorted(file.shown_keys))
        date = commit.committed
        merge = None
        merged = None
        if file.merge is not None:
            merge = file.merge.hash.decode()
            merged = file.merge.committed
        # In the missing history, the file may come back to the line of first parents.
        if file in self._ignored_on_branch and self._line_is_truncated:
            if self._options.commit_date is CommitDate.MERGED:
                return FileDate(
                    DateStatus.SHALLOW,
                    commit_hash,
                    not_after=merged,
                    hidden_keys=hidden_keys,
                    shown_keys=shown_keys,
                )
            merge = None
            merged = None
        if self._options.commit_date is CommitDate.AUTHORED:
            date = commit.authored
        elif self._options.commit_date is CommitDate.MERGED and merge is not None:
            date = merged
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
            hidden_keys=hidden_keys,
            shown_keys=shown_keys,
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
