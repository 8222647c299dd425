"""Find the newest commit of each file, in one or several repositories."""

import json
import os
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from contextlib import closing, suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import msgspec

from docs_sitemap.diagnostics import DateStatus
from docs_sitemap.shown.front_matter import FrontMatterKeys
from docs_sitemap.tools.files import RealPaths, StrPath, find_top, is_path
from docs_sitemap.tools.json_store import JsonStore

from .commits import CommitReader
from .file_changes import WalkedFile
from .history_types import CommitHash, FileDate, HistoryOptions, WantedFile
from .repository import (
    FetchError,
    NoCopiesError,
    RepositorySnapshot,
    common_folders,
    fetch_full_history,
    find_ignored,
    find_repository,
    read_ignored_revs,
)
from .run import Git, GitError
from .walk import HistoryWalk

# No system allows more characters in a path.
_MAX_PATH = 2**15

# Increase this if the meaning of the cached dates changes.
_CACHE_VERSION = 13


class GitFailure(NamedTuple):
    """Why files have no dates.

    Attributes:
        folder: The folder in which git failed.
        error: The reason.
    """

    folder: str
    error: Exception


class HistoryResult(msgspec.Struct, frozen=True):
    """The dates of some files.

    Attributes:
        dates: The date of each file. The keys are the files as they were passed in.
        failures: What went wrong in each repository.
    """

    dates: dict[WantedFile, FileDate]
    failures: list[GitFailure]


class CachedDates(msgspec.Struct, frozen=True):
    """The dates of files at one commit of a repository, and what they depend on.

    Attributes:
        head: The hash of the commit; `None` if nothing is cached.
        shape: What else changed the history before the commit, from
            `RepositorySnapshot`.
        ignored_revs: The commits in the file of ignored commits, sorted.
        dates: The date of each file, by its path and what the page shows of it; `None`
            if the file is not in the commit.
    """

    head: CommitHash | None = None
    shape: str = ""
    ignored_revs: tuple[str, ...] = ()
    dates: dict[str, FileDate | None] = {}


class History:
    """The git history of files. It keeps all results for its lifetime.

    Args:
        cache_dir: A folder for results that later processes can use; `None` for no
            cache.

    Attributes:
        object_names: For the top level of each work tree, the object names of the dated
            files by their paths below it, if they had to be read.
    """

    def __init__(self, cache_dir: StrPath | None = None) -> None:
        self._cache_dir = cache_dir
        self._dates: dict[HistoryOptions, dict[WantedFile, FileDate]] = {}
        self.object_names: dict[str, Mapping[str, str]] = {}

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
        dates = self._dates.setdefault(options, {})
        failures: list[GitFailure] = []
        new = []
        for file in files:
            if file in dates:
                continue
            # No commit can contain a file with an impossible path.
            dates[file] = FileDate(DateStatus.UNTRACKED)
            if is_path(file.path) and len(file.path) < _MAX_PATH:
                dates[file] = FileDate(DateStatus.NO_REPOSITORY)
                new.append(file)
        located: Mapping[str, dict[WantedFile, str]] = {}
        if not options.repository:
            located = locate(new)
        elif new:
            try:
                located = _locate_copies(new, options.repository, options.ref)
                if not located:
                    failures.append(GitFailure(options.repository, NoCopiesError()))
            except (GitError, OSError, ValueError) as error:
                failures.append(GitFailure(options.repository, error))
                dates |= dict.fromkeys(new, FileDate(DateStatus.GIT_FAILED))
        front_matter = front_matter or FrontMatterKeys()
        for top, paths in located.items():
            repository = _Repository(top, options, front_matter, self._cache_dir)
            dates |= repository.find_dates(paths)
            failures += repository.failures
            if not options.repository and options.ref == "HEAD":
                self.object_names[top] = repository.object_names
        return HistoryResult(dates, failures)


def locate(files: Iterable[WantedFile]) -> Mapping[str, dict[WantedFile, str]]:
    """Return the paths of files below the top levels of their repositories, after all
    symbolic links are resolved.
    """
    real_paths = RealPaths()
    find_cached_top = cache(find_top)
    located: defaultdict[str, dict[WantedFile, str]] = defaultdict(dict)
    for file in files:
        path = real_paths.resolve(file.path)
        top = find_cached_top(os.path.dirname(path))
        if top is not None:
            located[top][file] = _below(path, top)
    return located


def _locate_copies(
    files: Iterable[WantedFile], repository: str, ref: str
) -> Mapping[str, dict[WantedFile, str]]:
    """Return the paths of the files that are copies of those in a commit of a
    repository, below its top level.

    The root of the copied tree is the folder with which the most paths match, and of
    several such folders the outermost.
    """
    git = find_repository(repository)
    tree = RepositorySnapshot.read(git, ref=ref, is_top=False).files()
    real_paths = RealPaths()
    paths = {file: real_paths.resolve(file.path) for file in files}
    numbers = Counter[str]()
    for path in paths.values():
        folder = path
        while folder != os.path.dirname(folder):
            folder = os.path.dirname(folder)
            if _below(path, folder) in tree:
                numbers[folder] += 1
    if not numbers:
        return {}
    root = max(sorted(numbers, key=len), key=lambda folder: numbers[folder])
    located = {}
    for file, path in paths.items():
        if path.startswith(os.path.join(root, "")) and _below(path, root) in tree:
            located[file] = _below(path, root)
    return {git.folder: located}


def _below(path: str, folder: str) -> str:
    """Return the path of a file below a folder, with `/` as separator."""
    return path[len(os.path.join(folder, "")) :].replace(os.sep, "/")


class _Repository:
    """A repository in which files are dated.

    Args:
        top: The top level, or a bare repository.
        options: Which commits are ignored, and which commit the files are from.
        front_matter: Decides which keys of front matter the pages show.
        cache_dir: The folder of the cache; `None` to save nothing.

    Attributes:
        failures: What went wrong.
        object_names: The object names of the files, by path, if they had to be read.
    """

    def __init__(
        self,
        top: str,
        options: HistoryOptions,
        front_matter: FrontMatterKeys,
        cache_dir: StrPath | None,
    ) -> None:
        self._git = Git(top)
        self._options = options
        self._front_matter = front_matter
        self._cache: JsonStore[CachedDates] | None = None
        if cache_dir is not None:
            # With or without a fetch, the same repository has the same dates. Some
            # modules can only be parsed by some versions of Python.
            same = options._replace(fetch=False)
            key = json.dumps([top, same, sys.version_info[:2]])
            name = f"sitemap-git-{sha256(key.encode()).hexdigest()[:32]}.json"
            path = Path(cache_dir, name)
            self._cache = JsonStore(
                path, CachedDates, version=_CACHE_VERSION, is_private=True
            )
        self.failures: list[GitFailure] = []
        self.object_names: dict[str, str] = {}

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
            if self._options.fetch and self._fetch_missing(dates.values()):
                dates = self._find_committed(paths)
            untracked = set()
            for file, date in dates.items():
                if date.status is DateStatus.UNTRACKED:
                    untracked.add(paths[file])
            if untracked:
                ignored = find_ignored(self._git, untracked)
                for file, path in paths.items():
                    if path in ignored:
                        dates[file] = FileDate(DateStatus.IGNORED)
            return dates
        except (GitError, OSError) as error:
            self.failures.append(GitFailure(self._git.folder, error))
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
            fetch_full_history(self._git, truncated)
        except FetchError as error:
            self.failures.append(GitFailure(self._git.folder, error))
            return False
        return True

    def _find_committed(
        self, paths: Mapping[WantedFile, str]
    ) -> dict[WantedFile, FileDate]:
        """Return the date of each file. Files that are not in the commit are untracked.

        If the cache is not from this commit or lacks a file, walk from this commit to
        the one of the cache.
        """
        is_work_tree = not self._options.repository
        snapshot = RepositorySnapshot.read(
            self._git, ref=self._options.ref, is_top=is_work_tree
        )
        cached = self._load(snapshot)
        keys = {file: f"{path}\0{file.shown.name}" for file, path in paths.items()}
        is_known = cached.dates.keys() >= set(keys.values())
        if cached.head != snapshot.head or not is_known:
            cached = self._walk(snapshot, paths, keys, cached)
        found = {}
        for file, key in keys.items():
            found[file] = cached.dates[key] or FileDate(DateStatus.UNTRACKED)
        return found

    def _walk(
        self,
        snapshot: RepositorySnapshot,
        paths: Mapping[WantedFile, str],
        keys: Mapping[WantedFile, str],
        cached: CachedDates,
    ) -> CachedDates:
        """Walk over the history, and save the dates that it finds.

        Args:
            snapshot: The repository at the commit to start at.
            paths: The path of each file below the top level.
            keys: The key of each file in the cache.
            cached: The dates at another commit.
        """
        revs_file = self._options.ignore_revs_file
        folders = common_folders(set(paths.values()))
        if folders and revs_file:
            folders += (revs_file,)
        tree = snapshot.files(folders)
        revs = read_ignored_revs(self._git, tree.get(revs_file), revs_file)
        if cached.ignored_revs != revs:
            cached = CachedDates()
        walked = {}
        for file, path in paths.items():
            if path in tree:
                self.object_names[path] = tree[path]
                key = keys[file]
                date = cached.dates.get(key)
                walked[key] = WalkedFile(os.fsencode(path), file.shown, date)
        files = walked.values()
        reader = CommitReader(self._git, {file.path for file in files})
        with closing(reader):
            walk = HistoryWalk(
                reader, snapshot, revs, self._options, self._front_matter, cached.head
            )
            walk.run(files)
        dates: dict[str, FileDate | None] = dict.fromkeys(keys.values())
        dates |= {key: file.date for key, file in walked.items()}
        found = CachedDates(snapshot.head, snapshot.shape, revs, dates)
        # If saving fails, the next build reads the history again.
        if reader.is_complete and self._cache is not None:
            with suppress(OSError):
                self._cache.save(found)
        return found

    def _load(self, snapshot: RepositorySnapshot) -> CachedDates:
        """Return the cached dates: none if the history had another shape, and without
        those of files whose pages show other keys of front matter now.
        """
        cached = None if self._cache is None else self._cache.load()
        if cached is None or cached.shape != snapshot.shape:
            return CachedDates()
        dates = {}
        agrees = self._front_matter.agrees
        for key, date in cached.dates.items():
            if date is None or agrees(date.hidden_keys, date.shown_keys):
                dates[key] = date
        return msgspec.structs.replace(cached, dates=dates)
