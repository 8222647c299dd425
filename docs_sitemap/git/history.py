"""Find the newest commit of each file, in one or several repositories."""

from __future__ import annotations

import os
import shlex
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime

from docs_sitemap.date_status import DateStatus
from docs_sitemap.git.file_date import FileDate, Fragment, HistoryOptions, HistoryResult, Tracked
from docs_sitemap.git.location import (
    FileLocation,
    FileLocator,
    RepositoryFile,
    is_possible,
    match_copies,
    resolve_links,
)
from docs_sitemap.git.repository import RepositorySnapshot, open_repository
from docs_sitemap.git.repository_history import RepositoryHistory
from docs_sitemap.git.run import Git, GitError, GitMissingError


class History:
    """The git history of files. It keeps all results for its lifetime.

    Args:
        cache_dir: A folder for results that later processes can use; `None` for no cache.
        timeout: Seconds without output after which a git command is stopped.
    """

    def __init__(
        self, cache_dir: str | os.PathLike[str] | None = None, *, timeout: float = 60.0
    ) -> None:
        self._cache_dir = cache_dir
        self._timeout = timeout
        self._results: defaultdict[HistoryOptions, HistoryResult] = defaultdict(HistoryResult)

    def find_dates(self, files: Iterable[Tracked], options: HistoryOptions) -> HistoryResult:
        """Find the date of each file: the date of the newest commit that changed its fragment.

        A file belongs to the repository that contains it after all symbolic links are resolved.
        If a link is newer than the file, the result is the newest commit of the link.

        Args:
            files: Files by their absolute paths. Files that were passed before have the same date
                as before.
            options: Which commits are ignored, and where the commits are.

        Returns:
            The results for these files and all others that were passed with the same options.
        """
        result = self._results[options]
        lookup = _Lookup(options, self._cache_dir, self._timeout)
        new = [file for file in dict.fromkeys(files) if file not in result.dates]
        # No commit can contain a file with an impossible path.
        result.dates.update(dict.fromkeys(new, FileDate(DateStatus.UNTRACKED)))
        if new := [file for file in new if is_possible(file.path)]:
            result.dates.update(lookup.copies(new) if options.repository else lookup.files(new))
        result.errors.extend(error for error in lookup.errors if error not in result.errors)
        result.notices.extend(note for note in lookup.notices if note not in result.notices)
        return result


class _Lookup:
    """Looks up files in all of their repositories, and collects errors and notices."""

    def __init__(
        self, options: HistoryOptions, cache_dir: str | os.PathLike[str] | None, timeout: float
    ) -> None:
        self._options = options
        self._cache_dir = cache_dir
        self._timeout = timeout
        self.errors: list[str] = []
        self.notices: list[str] = []

    def files(self, files: Iterable[Tracked]) -> dict[Tracked, FileDate]:
        """Look up files where they are."""
        locator = FileLocator()
        return self._find({file: locator.locate(file.path) for file in files})

    def copies(self, files: Collection[Tracked]) -> dict[Tracked, FileDate]:
        """Look up files that are copies of those in the repository of the options."""
        options = self._options
        try:
            snapshot = _read_copied(options, self._timeout)
            tree = snapshot.files()
        except (GitError, OSError, ValueError) as error:
            self._report(error, options.repository or "")
            return dict.fromkeys(files, FileDate(DateStatus.GIT_FAILED))
        git = snapshot.git
        resolved = {file: resolve_links(file.path) for file in files}
        matches = match_copies(
            {path for real, links in resolved.values() for path in (real, *links)}, tree
        )
        if not matches:
            self.errors.append(
                f"{options.ref} of {git.folder} contains none of the source files. "
                "Fix: correct the option repository or the option ref"
            )
        copies = {path: RepositoryFile(git.folder, match) for path, match in matches.items()}
        locations = {
            file: FileLocation(
                copies.get(real), tuple(copies[link] for link in links if link in copies)
            )
            for file, (real, links) in resolved.items()
        }
        return self._find(locations)

    def _find(self, locations: Mapping[Tracked, FileLocation]) -> dict[Tracked, FileDate]:
        wanted: defaultdict[str, set[Tracked]] = defaultdict(set)
        for file, location in locations.items():
            if location.file is not None:
                wanted[location.file.top].add(Tracked(location.file.path, file.fragment))
            for link in location.links:
                wanted[link.top].add(Tracked(link.path))
        dates = {top: self._find_in_repository(top, files) for top, files in wanted.items()}

        def date_of(file: RepositoryFile, fragment: Fragment | None = None) -> FileDate:
            return dates[file.top][Tracked(file.path, fragment).key]

        found = {}
        for file, location in locations.items():
            found[file] = FileDate(DateStatus.NO_REPOSITORY)
            if location.file is not None:
                links = map(date_of, location.links)
                found[file] = _newer_of_links(date_of(location.file, file.fragment), links)
        return found

    def _find_in_repository(self, top: str, files: set[Tracked]) -> dict[str, FileDate]:
        """Return the date of each file, by its key."""
        history = RepositoryHistory(Git(top, self._timeout), self._options, self._cache_dir)
        try:
            dates = history.find(files)
        except (GitError, OSError) as error:
            self._report(error, top)
            failed = FileDate(DateStatus.GIT_FAILED)
            dates = dict.fromkeys((file.key for file in files), failed)
        self.errors += history.warnings
        return dates

    def _report(self, error: Exception, folder: str) -> None:
        is_notice = isinstance(error, GitMissingError) or _is_untrusted(error)
        lines = self.notices if is_notice else self.errors
        lines.append(_describe(error, folder, self._options))


def find_invalid_option(options: HistoryOptions) -> tuple[str, str] | None:
    """Return the name of the option `repository` or `ref` if it is unusable, and a message
    without a full stop; `None` if both are usable, or if git is missing.
    """
    try:
        _read_copied(options)
    except GitMissingError:  # The options may be valid.
        return None
    except (GitError, OSError, ValueError) as error:
        option = "ref" if _is_unknown_ref(error) else "repository"
        return option, _describe(error, options.repository or "", options)
    return None


def _read_copied(options: HistoryOptions, timeout: float = 60.0) -> RepositorySnapshot:
    """Return the commit that the files are copies of.

    Raises:
        GitError: Git failed, or there is no such commit.
        OSError: The repository cannot be read.
        ValueError: The path cannot be a path.
    """
    git = open_repository(options.repository or "", timeout)
    return RepositorySnapshot.read(git, ref=options.ref, is_top=False)


def _is_unknown_ref(error: Exception) -> bool:
    return "unknown revision" in str(error) or "bad revision" in str(error)


def _is_untrusted(error: Exception) -> bool:
    return "dubious ownership" in str(error)


def _describe(error: Exception, folder: str, options: HistoryOptions) -> str:
    """Return what failed and how to fix it, without a full stop."""
    if _is_untrusted(error):
        folder = os.path.realpath(folder)
        return (
            f"git does not trust {folder}: the folder belongs to another user. Fix: if you "
            f"trust it, run git config --global --add safe.directory {shlex.quote(folder)}"
        )
    if _is_unknown_ref(error):
        return (
            f"{options.ref} of {folder} is not a commit. Fix: commit the pages, or correct "
            "the option ref"
        )
    fix = "correct the option repository" if options.repository else "repair the repository"
    if isinstance(error, GitError) and error.fix:
        fix = error.fix
    return (
        f"git cannot find the dates of files in {folder}: {error}. "
        f"Fix: {fix}, or set the option lastmod to false"
    )


def _newer_of_links(newest: FileDate, links: Iterable[FileDate]) -> FileDate:
    """Return the newest date of a file and of the links that lead to it."""
    for link in links:
        if newest.date is None:
            break
        is_newer = link.date is not None and link.date > newest.date
        if is_newer or _may_be_newer(link, newest.date):
            newest = link
    return newest


def _may_be_newer(link: FileDate, date: datetime) -> bool:
    if link.status is DateStatus.SHALLOW:
        return link.not_after is None or link.not_after > date
    return link.status is DateStatus.GIT_FAILED
