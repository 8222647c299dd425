"""Find the newest commits of files in one repository, in the cache or with a walk."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from contextlib import closing, suppress
from dataclasses import asdict, replace

from docs_sitemap.date_status import DateStatus
from docs_sitemap.git.cache import CachedDates, DateCache
from docs_sitemap.git.commits import CommitReader
from docs_sitemap.git.file_date import FileDate, HistoryOptions, Tracked
from docs_sitemap.git.ignored import IgnoreRules, parse_ignore_revs
from docs_sitemap.git.repository import RepositorySnapshot
from docs_sitemap.git.run import Git, GitError
from docs_sitemap.git.shallow import fetch_full_history
from docs_sitemap.git.walk import HistoryWalk

# Git compares each path with each folder on the command line.
_MAX_FOLDERS = 16

# In bytes: more than 400,000 commits.
_MAX_IGNORE_REVS = 2**24


class RepositoryHistory:
    """The history of one repository.

    Args:
        git: Git in a folder of the repository.
        options: Which commits are ignored.
        cache_dir: The folder of the cache; `None` for no cache.

    Attributes:
        warnings: Problems that do not affect all files, one line each.
    """

    def __init__(
        self, git: Git, options: HistoryOptions, cache_dir: str | os.PathLike[str] | None
    ) -> None:
        self._git = git
        self._options = options
        # The files are either in a work tree or copies of a commit.
        self._is_work_tree = not options.repository
        # With or without a fetch, the same repository has the same dates.
        self._cache = DateCache(cache_dir, [git.folder, asdict(replace(options, fetch=False))])
        self.warnings: list[str] = []

    def find(self, files: Set[Tracked], *, may_fetch: bool = True) -> dict[str, FileDate]:
        """Return the date of each file, by its key.

        Args:
            files: Files below the top level, with `/` as separator.
            may_fetch: Whether to fetch missing history, if the options ask for it.

        Raises:
            GitError: Git failed for all files.
            OSError: A file of the repository cannot be read.
        """
        snapshot = self._snapshot()
        wanted = {file.key: file for file in files}
        try:
            cached = self._find_cached(snapshot, wanted)
        except GitError as error:
            clone_filter = snapshot.clone_filter()
            if not clone_filter.startswith("tree:"):
                raise
            message = f"the clone lacks the folders of old commits (--filter={clone_filter})"
            raise GitError(message, fix="clone with --filter=blob:none") from error
        dates = {key: date for key in wanted if (date := cached[key]) is not None}
        if self._options.fetch and may_fetch:
            truncated = {date.hash for date in dates.values() if date.status is DateStatus.SHALLOW}
            if truncated and self._fetch(snapshot, {*filter(None, truncated)}):
                return self.find(files, may_fetch=False)
        untracked = {key: file.path for key, file in wanted.items() if key not in dates}
        ignored: Set[str] = frozenset()
        if self._is_work_tree and untracked:
            with suppress(GitError):  # All files are reported as untracked instead.
                ignored = snapshot.ignored(untracked.values())
        for key, path in untracked.items():
            status = DateStatus.IGNORED if path in ignored else DateStatus.UNTRACKED
            dates[key] = FileDate(status)
        return dates

    def _snapshot(self) -> RepositorySnapshot:
        return RepositorySnapshot.read(self._git, ref=self._options.ref, is_top=self._is_work_tree)

    def _find_cached(
        self, snapshot: RepositorySnapshot, requested: dict[str, Tracked]
    ) -> Mapping[str, FileDate | None]:
        """Return the date of each file, by its key; `None` if the file is not in the snapshot."""
        cached = self._cache.load()
        if cached.state != snapshot.state:
            cached = CachedDates()
        if cached.head == snapshot.head and requested.keys() <= cached.dates.keys():
            return cached.dates
        # Update the other cached files as well, because the next build may need them. Their
        # fragments are unknown.
        wanted = {key: Tracked(key) for key in cached.dates if "\0" not in key} | requested
        folders = common_folders({file.path for file in wanted.values()})
        revs_file = self._options.ignore_revs_file
        files = snapshot.files([*folders, revs_file] if folders and revs_file else folders)
        ignored_revs, is_valid = self._read_ignored_revs(snapshot, files.get(revs_file))
        if cached.ignored_revs != ignored_revs:
            cached = CachedDates()
        committed = [file for file in wanted.values() if file.path in files]
        found = self._walk(snapshot.head, folders, committed, ignored_revs, cached)
        hashes = {date.hash for date in found.values() if date.hash is not None}
        truncated = snapshot.without_parents(hashes)
        dates: dict[str, FileDate | None] = dict.fromkeys(wanted)
        for key, date in found.items():
            dates[key] = self._unknown(date) if date.hash in truncated else date
        if is_valid:  # Otherwise, the next build repeats the warning.
            self._cache.save(CachedDates(snapshot.head, snapshot.state, ignored_revs, dates))
        return dates

    def _read_ignored_revs(
        self, snapshot: RepositorySnapshot, object_name: str | None
    ) -> tuple[tuple[str, ...], bool]:
        """Return the sorted hashes in the file of ignored commits, and whether all of its
        lines are valid.
        """
        if object_name is None:
            return (), True
        revs_file = self._options.ignore_revs_file
        try:
            content = snapshot.content(object_name, limit=_MAX_IGNORE_REVS)
        except GitError as error:
            message = f"{revs_file} cannot be read ({error})"
            raise GitError(message, fix="set the option ignore_revs_file to false") from error
        revs, invalid_lines = parse_ignore_revs(content)
        if invalid_lines:
            self.warnings.append(
                f"{revs_file} of {self._git.folder}: line {invalid_lines[0]} is not the full hash "
                "of a commit. Fix: correct the line, or set the option ignore_revs_file to false"
            )
        return tuple(sorted(revs)), not invalid_lines

    def _walk(
        self,
        head: str,
        folders: Sequence[str],
        files: Collection[Tracked],
        ignored_revs: Sequence[str],
        cached: CachedDates,
    ) -> dict[str, FileDate]:
        options = self._options
        rules = IgnoreRules(ignored_revs, options.ignore_messages, options.ignore_authors)
        paths = {file.path for file in files}
        reader = CommitReader(self._git, folders, paths, with_texts=rules.need_texts)
        with closing(reader):
            return HistoryWalk(reader, rules, options, cached).run(head, files)

    def _unknown(self, date: FileDate) -> FileDate:
        """Return the date of a file whose newest commit is not in the shallow clone."""
        if date.status is DateStatus.SHALLOW:
            return date
        # Author dates are not in the order of the history.
        not_after = None if self._options.author_date else date.date
        return replace(
            date, status=DateStatus.SHALLOW, date=None, authored=None, not_after=not_after
        )

    def _fetch(self, snapshot: RepositorySnapshot, truncated: Collection[str]) -> bool:
        """Fetch the missing history. Return whether the repository has changed."""
        try:
            fetch_full_history(self._git, truncated)
        except GitError as error:
            # Another process may have fetched the history at the same time.
            if self._snapshot() == snapshot:
                self.warnings.append(
                    f"the missing history of {self._git.folder} cannot be fetched: {error}. "
                    "Fix: check the remote and your access to it"
                )
                return False
        return True


def common_folders(paths: Iterable[str]) -> tuple[str, ...]:
    """Return up to 16 folders or files that contain all paths; none if more are necessary."""
    parts = [path.split("/") for path in paths]
    for depth in range(max(map(len, parts), default=0), 0, -1):
        folders = {"/".join(names[:depth]) for names in parts}
        if len(folders) <= _MAX_FOLDERS:
            return tuple(sorted(folders))
    return ()
