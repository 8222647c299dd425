"""Find the newest commit of each file, in one or several repositories."""

import os
import shlex
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import closing, suppress
from typing import NamedTuple

from docs_sitemap.date_status import CommitDate, DateStatus
from docs_sitemap.tools.files import StrPath, is_path, real_path

from .cache import CachedDates, open_cache
from .commits import CommitReader
from .file_date import FileDate, HistoryOptions, HistoryResult, Tracked
from .ignored import parse_ignore_revs
from .location import FileLocator, RepositoryFile, match_copies
from .repository import RepositorySnapshot, common_folders, find_repository
from .run import Git, GitError, GitMissingError
from .shallow import fetch_full_history
from .walk import HistoryWalk

# No system allows more characters in a path.
_MAX_PATH = 2**15

# In bytes: more than 400,000 commits.
_MAX_IGNORE_REVS = 2**24


class History:
    """The git history of files. It keeps all results for its lifetime.

    Args:
        cache_dir: A folder for results that later processes can use; `None` for no
            cache.
    """

    def __init__(self, cache_dir: StrPath | None = None) -> None:
        self._cache_dir = cache_dir
        self._results: dict[HistoryOptions, dict[Tracked, FileDate]] = {}

    def find_dates(
        self, files: Iterable[Tracked], options: HistoryOptions
    ) -> HistoryResult:
        """Find the date of each file: the date of the newest commit that changed its
        fragment.

        A file belongs to the repository that contains it after all symbolic links are
        resolved.

        Args:
            files: Files by their absolute paths. Files that were passed before have the
                same date as before.
            options: Which commits are ignored, and where the commits are.

        Returns:
            The dates of these files and all others that were passed with the same
            options, and what went wrong for files that were not passed before.
        """
        result = HistoryResult(self._results.setdefault(options, {}))
        new = []
        for file in files:
            if file in result.dates:
                continue
            # No commit can contain a file with an impossible path.
            result.dates[file] = FileDate(DateStatus.UNTRACKED)
            if is_path(file.path) and len(file.path) < _MAX_PATH:
                new.append(file)
        if new:
            _Search(options, self._cache_dir, result).find(new)
        return result


class _Search(NamedTuple):
    """Finds the dates of files in all of their repositories.

    Attributes:
        options: Which commits are ignored, and where the commits are.
        cache_dir: The folder of the cache; `None` for no cache.
        result: Receives the dates and the problems.
    """

    options: HistoryOptions
    cache_dir: StrPath | None
    result: HistoryResult

    def find(self, files: Collection[Tracked]) -> None:
        """Find the dates of files, given by their absolute paths."""
        if self.options.repository:
            locations = self._locate_copies(files)
        else:
            locator = FileLocator()
            locations = {file: locator.locate(file.path) for file in files}
        wanted: defaultdict[str, dict[Tracked, Tracked]] = defaultdict(dict)
        for file, location in locations.items():
            if location is None:
                self.result.dates[file] = FileDate(DateStatus.NO_REPOSITORY)
            else:
                wanted[location.top][file] = file._replace(path=location.path)
        for top, tracked in wanted.items():
            dates = self._find_in_repository(top, {*tracked.values()})
            for file, in_repository in tracked.items():
                self.result.dates[file] = dates[in_repository.key]

    def _locate_copies(
        self, files: Collection[Tracked]
    ) -> dict[Tracked, RepositoryFile | None]:
        """Locate files that are copies of those in the repository of the options."""
        options = self.options
        repository = options.repository or ""
        try:
            git = find_repository(repository)
            snapshot = RepositorySnapshot.read(git, ref=options.ref, is_top=False)
            tree = snapshot.files()
        except (GitError, OSError, ValueError) as error:
            self._report(error, repository)
            for file in files:
                self.result.dates[file] = FileDate(DateStatus.GIT_FAILED)
            return {}
        top = snapshot.git.folder
        real_paths = {file: real_path(file.path) for file in files}
        matches = match_copies({*real_paths.values()}, tree)
        if not matches:
            self.result.errors.append(
                f"{options.ref} of {top} contains none of the source files. "
                "Fix: correct the option repository or the option ref"
            )
        copies = {path: RepositoryFile(top, match) for path, match in matches.items()}
        return {file: copies.get(path) for file, path in real_paths.items()}

    def _find_in_repository(
        self, top: str, files: Collection[Tracked]
    ) -> Mapping[str, FileDate]:
        """Return the date of each file of one repository, by its key."""
        git = Git(top)
        by_key = {file.key: file for file in files}
        try:
            dates = self._date(git, by_key)
            if self.options.fetch and self._fetch_missing(git, dates.values()):
                dates = self._date(git, by_key)
            return dates
        except (GitError, OSError) as error:
            self._report(error, top)
            return {file.key: FileDate(DateStatus.GIT_FAILED) for file in files}

    def _date(self, git: Git, files: Mapping[str, Tracked]) -> Mapping[str, FileDate]:
        # The files are either in a work tree or copies of a commit.
        is_work_tree = not self.options.repository
        ref = self.options.ref
        snapshot = RepositorySnapshot.read(git, ref=ref, is_top=is_work_tree)
        dates = {}
        untracked = {}
        committed = self._date_committed(snapshot, files)
        for key, file in files.items():
            date = committed[key]
            if date is None:
                untracked[key] = file.path
                date = FileDate(DateStatus.UNTRACKED)
            dates[key] = date
        if untracked and is_work_tree:
            ignored = snapshot.ignored(untracked.values())
            for key, path in untracked.items():
                if path in ignored:
                    dates[key] = FileDate(DateStatus.IGNORED)
        return dates

    def _fetch_missing(self, git: Git, dates: Iterable[FileDate]) -> bool:
        """Fetch the missing history of a shallow clone. Return whether there is more
        now.
        """
        truncated = set()
        for date in dates:
            if date.status is DateStatus.SHALLOW and date.hash is not None:
                truncated.add(date.hash)
        if not truncated:
            return False
        try:
            fetch_full_history(git, truncated)
        except GitError as error:
            self.result.errors.append(
                f"the missing history of {git.folder} cannot be fetched: {error}. "
                "Fix: check the remote and your access to it"
            )
            return False
        return True

    def _date_committed(
        self, snapshot: RepositorySnapshot, requested: Mapping[str, Tracked]
    ) -> Mapping[str, FileDate | None]:
        """Return the date of each file, by its key; `None` if the file is not in the
        commit.
        """
        cache = open_cache(self.cache_dir, snapshot.git.folder, self.options)
        boundary = tuple(sorted(snapshot.boundary))
        cached = None if cache is None else cache.load()
        if cached is None or cached.boundary != boundary:
            cached = CachedDates()
        if cached.head == snapshot.head and requested.keys() <= cached.dates.keys():
            return cached.dates
        folders = common_folders({file.path for file in requested.values()})
        listed = [*folders]
        revs_file = self.options.ignore_revs_file
        if folders and revs_file:
            listed.append(revs_file)
        tree = snapshot.files(listed)
        ignored_revs = self._read_ignored_revs(snapshot, tree.get(revs_file))
        if cached.ignored_revs != ignored_revs:
            cached = CachedDates()
        committed = [file for file in requested.values() if file.path in tree]
        dates: dict[str, FileDate | None] = dict.fromkeys(requested)
        dates |= self._walk(snapshot, folders, committed, ignored_revs, cached)
        if cache is not None:
            with suppress(OSError):  # The next build reads the history again.
                cache.save(CachedDates(snapshot.head, boundary, ignored_revs, dates))
        return dates

    def _read_ignored_revs(
        self, snapshot: RepositorySnapshot, object_name: str | None
    ) -> tuple[str, ...]:
        """Return the sorted hashes in the file of ignored commits.

        Raises:
            GitError: Git failed, or a line is invalid.
        """
        if object_name is None:
            return ()
        arguments = ["cat-file", "blob", object_name]
        content = snapshot.git.output(arguments, limit=_MAX_IGNORE_REVS)
        return parse_ignore_revs(content, self.options.ignore_revs_file)

    def _walk(
        self,
        snapshot: RepositorySnapshot,
        folders: Sequence[str],
        files: Collection[Tracked],
        ignored_revs: Collection[str],
        cached: CachedDates,
    ) -> dict[str, FileDate]:
        options = self.options
        paths = {file.path for file in files}
        reader = CommitReader(snapshot.git, folders, paths)
        with closing(reader):
            ignored = frozenset(ignored_revs)
            walk = HistoryWalk(reader, snapshot, ignored, options, cached)
            dates = walk.run(files)
        hashes = {date.hash for date in dates.values()}
        truncated = snapshot.without_parents(hashes)
        for key, date in dates.items():
            if date.hash not in truncated or date.status is DateStatus.SHALLOW:
                continue
            not_after = date.date
            # Author dates are not in the order of the history.
            if options.commit_date is CommitDate.AUTHORED:
                not_after = None
            dates[key] = FileDate(DateStatus.SHALLOW, date.hash, not_after=not_after)
        return dates

    def _report(self, error: Exception, folder: str) -> None:
        lines = self.result.errors
        if isinstance(error, GitMissingError) or _is_untrusted(error):
            lines = self.result.notices
        lines.append(describe_failure(error, folder, self.options))


def _is_unknown_ref(error: Exception) -> bool:
    return "unknown revision" in str(error) or "bad revision" in str(error)


def _is_untrusted(error: Exception) -> bool:
    return "dubious ownership" in str(error)


def describe_failure(error: Exception, folder: str, options: HistoryOptions) -> str:
    """Return what git cannot do in a folder, and how to fix it, without a full stop."""
    if _is_untrusted(error):
        folder = os.path.realpath(folder)
        return (
            f"git does not trust {folder}: the folder belongs to another user. Fix: if "
            "you trust it, run git config --global --add safe.directory "
            f"{shlex.quote(folder)}"
        )
    if _is_unknown_ref(error):
        return (
            f"{options.ref} of {folder} is not a commit. Fix: commit the pages, or "
            "correct the option repository or the option ref"
        )
    fix = "repair the repository, or clone it without --filter=tree"
    if isinstance(error, GitError) and error.fix:
        fix = error.fix
    elif options.repository:
        fix = "correct the option repository"
    return (
        f"git cannot find the dates of files in {folder}: {error}. "
        f"Fix: {fix}, or set the option lastmod to false"
    )
