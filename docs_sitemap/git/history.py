"""Find the newest commit of each file, in one or several repositories."""

import os
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from typing import NamedTuple

from docs_sitemap.diagnostics import DateStatus
from docs_sitemap.shown.front_matter import FrontMatterKeys
from docs_sitemap.tools.files import StrPath, is_path, real_path

from .cache import CachedDates, DateCache, file_key
from .commits import CommitReader
from .file_date import FileDate, GitFailure, HistoryOptions, HistoryResult, WantedFile
from .ignored import read_ignored_revs
from .location import FileLocator, RepositoryFile, match_copies
from .repository import (
    RepositorySnapshot,
    common_folders,
    find_ignored,
    find_repository,
)
from .run import Git, GitError
from .unshallow import FetchError, fetch_full_history
from .versions import WalkedFile
from .walk import HistoryWalk

# No system allows more characters in a path.
_MAX_PATH = 2**15


class NoCopiesError(Exception):
    """None of the files is a copy of a file in the named repository."""


class History:
    """The git history of files. It keeps all results for its lifetime.

    Args:
        cache_dir: A folder for results that later processes can use; `None` for no
            cache.
    """

    def __init__(self, cache_dir: StrPath | None = None) -> None:
        self._cache_dir = cache_dir
        self._dates: dict[HistoryOptions, dict[WantedFile, FileDate]] = {}

    def find_dates(
        self,
        files: Iterable[WantedFile],
        options: HistoryOptions,
        front_matter: FrontMatterKeys | None = None,
    ) -> HistoryResult:
        """Find the date of each file: the date of the newest commit that changed its
        fragment.

        A file belongs to the repository that contains it after all symbolic links are
        resolved.

        Args:
            files: Files by their absolute paths. Files that were passed before have the
                same date as before.
            options: Which commits are ignored, and where the commits are.
            front_matter: Decides which keys of front matter the pages show. By default,
                these are all that are not for navigation or layout.

        Returns:
            The dates of these files and all others that were passed with the same
            options, and what went wrong for files that were not passed before.
        """
        result = HistoryResult(self._dates.setdefault(options, {}), [])
        new = []
        for file in files:
            if file in result.dates:
                continue
            # No commit can contain a file with an impossible path.
            result.dates[file] = FileDate(DateStatus.UNTRACKED)
            if is_path(file.path) and len(file.path) < _MAX_PATH:
                new.append(file)
        if options.repository and new:
            locations = _locate_copies(new, options.repository, options.ref, result)
        else:
            locator = FileLocator()
            locations = {file: locator.locate(file.path) for file in new}
        repositories: defaultdict[str, dict[WantedFile, str]] = defaultdict(dict)
        for file, location in locations.items():
            if location is None:
                result.dates[file] = FileDate(DateStatus.NO_REPOSITORY)
            else:
                repositories[location.top][file] = location.path
        for top, paths in repositories.items():
            cache = DateCache(self._cache_dir, top, options)
            repository = _Repository(
                Git(top),
                options,
                front_matter or FrontMatterKeys(),
                cache,
                result.failures,
            )
            result.dates.update(repository.find_dates(paths))
        return result


def _locate_copies(
    files: Sequence[WantedFile], repository: str, ref: str, result: HistoryResult
) -> dict[WantedFile, RepositoryFile | None]:
    """Locate files that are copies of those in a commit of a repository."""
    try:
        git = find_repository(repository)
        snapshot = RepositorySnapshot.read(git, ref=ref, is_top=False)
        tree = snapshot.files()
    except (GitError, OSError, ValueError) as error:
        result.failures.append(GitFailure(repository, error))
        for file in files:
            result.dates[file] = FileDate(DateStatus.GIT_FAILED)
        return {}
    real_paths = {file: real_path(file.path) for file in files}
    copies = match_copies(set(real_paths.values()), tree)
    if not copies:
        result.failures.append(GitFailure(git.folder, NoCopiesError()))
    locations: dict[WantedFile, RepositoryFile | None] = {}
    for file, path in real_paths.items():
        locations[file] = None
        if path in copies:
            locations[file] = RepositoryFile(git.folder, copies[path])
    return locations


class _Repository(NamedTuple):
    """A repository in which files are dated.

    Attributes:
        git: Git in the top level.
        options: Which commits are ignored, and which commit the files are from.
        front_matter: Decides which keys of front matter the pages show.
        cache: The dates of earlier builds.
        failures: Receives what goes wrong.
    """

    git: Git
    options: HistoryOptions
    front_matter: FrontMatterKeys
    cache: DateCache
    failures: list[GitFailure]

    def find_dates(
        self, paths: Mapping[WantedFile, str]
    ) -> Mapping[WantedFile, FileDate]:
        """Return the date of each file. In a shallow clone, fetch the missing history
        if the options allow it.

        Args:
            paths: The path of each file below the top level.
        """
        try:
            dates = self._find_committed(paths)
            if self.options.fetch and self._fetch_missing(dates.values()):
                dates = self._find_committed(paths)
            untracked = set()
            for file, date in dates.items():
                if date.status is DateStatus.UNTRACKED:
                    untracked.add(paths[file])
            if untracked:
                ignored = find_ignored(self.git, untracked)
                for file, path in paths.items():
                    if path in ignored:
                        dates[file] = FileDate(DateStatus.IGNORED)
            return dates
        except (GitError, OSError) as error:
            self.failures.append(GitFailure(self.git.folder, error))
            return dict.fromkeys(paths, FileDate(DateStatus.GIT_FAILED))

    def _fetch_missing(self, dates: Iterable[FileDate]) -> bool:
        """Fetch the history before the commits at which it is cut off. Return whether
        there is more now.
        """
        truncated = set()
        for date in dates:
            if date.status is DateStatus.SHALLOW and date.hash is not None:
                truncated.add(date.hash)
        if not truncated:
            return False
        try:
            fetch_full_history(self.git, truncated)
        except FetchError as error:
            self.failures.append(GitFailure(self.git.folder, error))
            return False
        return True

    def _find_committed(
        self, paths: Mapping[WantedFile, str]
    ) -> dict[WantedFile, FileDate]:
        """Return the date of each file. Files that are not in the commit are untracked.

        If the cache is not from this commit or lacks a file, walk from this commit to
        the one of the cache.
        """
        ref = self.options.ref
        is_work_tree = not self.options.repository
        snapshot = RepositorySnapshot.read(self.git, ref=ref, is_top=is_work_tree)
        keys = {file: file_key(file, path) for file, path in paths.items()}
        cached = self.cache.load(snapshot, self.front_matter)
        dates = cached.dates
        if cached.head != snapshot.head or not dates.keys() >= set(keys.values()):
            folders = common_folders(set(paths.values()))
            listed = list(folders)
            revs_file = self.options.ignore_revs_file
            if folders and revs_file:
                listed.append(revs_file)
            tree = snapshot.files(listed)
            revs = read_ignored_revs(self.git, tree.get(revs_file), revs_file)
            if cached.ignored_revs != revs:
                cached = CachedDates()
            files = {}
            for file, key in keys.items():
                if paths[file] in tree:
                    path = os.fsencode(paths[file])
                    date = cached.dates.get(key)
                    files[key] = WalkedFile(path, file.shown, date)
            reader = CommitReader(self.git, {file.path for file in files.values()})
            with closing(reader):
                walk = HistoryWalk(
                    reader,
                    snapshot,
                    revs,
                    self.options,
                    self.front_matter,
                    cached.head,
                )
                walk.run(files.values())
            dates = dict.fromkeys(keys.values())
            for key, walked in files.items():
                dates[key] = walked.date
            if reader.is_complete:
                self.cache.save(snapshot, revs, dates)
        found = {}
        for file, key in keys.items():
            date = dates[key]
            found[file] = FileDate(DateStatus.UNTRACKED) if date is None else date
        return found
