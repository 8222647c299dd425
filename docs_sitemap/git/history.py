"""Find the newest commit of each file, in one or several repositories."""

from __future__ import annotations

import os
import shlex
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from docs_sitemap.git.file_location import (
    FileLocation,
    FileLocator,
    RepositoryFile,
    is_possible,
    match_copies,
    resolve_links,
)
from docs_sitemap.git.git_command import Git, GitError, GitMissingError, ending_on_signals
from docs_sitemap.git.interface import (
    Commit,
    HistoryOptions,
    HistoryResult,
    NoCommit,
    ViewedFile,
)
from docs_sitemap.git.repository import RepositorySnapshot, find_top
from docs_sitemap.git.repository_history import RepositoryHistory
from docs_sitemap.result import DateStatus
from docs_sitemap.shown import COMPLETE_FILE, Shown

Commits = dict[tuple[RepositoryFile, Shown], Commit | NoCommit]


class History:
    """The git history of files. It keeps all results for its lifetime.

    Args:
        cache_dir: A folder for results that later processes can use; `None` for no cache.
        patience: Seconds without output after which a git command is stopped.
    """

    def __init__(
        self, cache_dir: str | os.PathLike[str] | None = None, *, patience: float = 60.0
    ) -> None:
        self._cache_dir = cache_dir
        self._patience = patience
        self._results: defaultdict[HistoryOptions, HistoryResult] = defaultdict(HistoryResult)

    def newest_commits(self, files: Iterable[ViewedFile], options: HistoryOptions) -> HistoryResult:
        """Find the newest commit of each file that changed what a page shows of the file.

        A file belongs to the repository that contains it after all symbolic links are resolved.
        If a link is newer than the file, the result is the newest commit of the link.

        Args:
            files: Files by their absolute paths. Files that were passed before have the same result
                as before.
            options: Which commits count, and where they are.

        Returns:
            The results for these files and all others that were passed with the same options.
        """
        result = self._results[options]
        lookup = _Lookup(options, self._cache_dir, self._patience)
        new = [file for file in dict.fromkeys(files) if file not in result.commits]
        result.commits.update(dict.fromkeys(new, NoCommit(DateStatus.NO_REPOSITORY)))
        if new := [file for file in new if is_possible(file.path)]:
            with ending_on_signals():
                commits = lookup.copies(new) if options.repository else lookup.files(new)
            result.commits.update(commits)
        result.errors.extend(error for error in lookup.errors if error not in result.errors)
        result.notices.extend(note for note in lookup.notices if note not in result.notices)
        return result


class _Lookup:
    """Looks up files in all of their repositories, and collects errors and notices."""

    def __init__(
        self, options: HistoryOptions, cache_dir: str | os.PathLike[str] | None, patience: float
    ) -> None:
        self._options = options
        self._cache_dir = cache_dir
        self._patience = patience
        self.errors: list[str] = []
        self.notices: list[str] = []

    def files(self, files: Iterable[ViewedFile]) -> dict[ViewedFile, Commit | NoCommit]:
        """Look up files where they are."""
        locator = FileLocator()
        return self._newest({file: locator.locate(file.path) for file in files})

    def copies(self, files: Collection[ViewedFile]) -> dict[ViewedFile, Commit | NoCommit]:
        """Look up files that are copies of those in the repository of the options."""
        options = self._options
        try:
            snapshot = _read_copied(options, self._patience)
            tree = snapshot.files()
        except (GitError, OSError, ValueError) as error:
            self._report(error, options.repository or "")
            return dict.fromkeys(files, NoCommit(DateStatus.GIT_FAILED))
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
        return self._newest(locations)

    def _newest(
        self, locations: Mapping[ViewedFile, FileLocation]
    ) -> dict[ViewedFile, Commit | NoCommit]:
        wanted: defaultdict[str, set[ViewedFile]] = defaultdict(set)
        for file, location in locations.items():
            if location.file is not None:
                wanted[location.file.top].add(ViewedFile(location.file.path, file.view))
            for link in location.links:
                wanted[link.top].add(ViewedFile(link.path))
        commits: Commits = {}
        for top, files in wanted.items():
            for found, commit in self._in_repository(top, files).items():
                commits[RepositoryFile(top, found.path), found.view] = commit
        return {
            file: _newer_of_links(location, file.view, commits)
            for file, location in locations.items()
        }

    def _in_repository(
        self, top: str, files: set[ViewedFile]
    ) -> dict[ViewedFile, Commit | NoCommit]:
        history = RepositoryHistory(Git(top, self._patience), self._options, self._cache_dir)
        try:
            commits = history.find(files)
        except (GitError, OSError) as error:
            self._report(error, top)
            commits = dict.fromkeys(files, NoCommit(DateStatus.GIT_FAILED))
        self.errors += history.warnings
        return commits

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


def _read_copied(options: HistoryOptions, patience: float = 60.0) -> RepositorySnapshot:
    """Return the commit that the files are copies of.

    Raises:
        GitError: Git failed, or there is no such commit.
        OSError: The repository cannot be read.
        ValueError: The path cannot be a path.
    """
    git = Git(os.path.realpath(options.repository or ""), patience)
    git = replace(git, folder=find_top(git))
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


def _newer_of_links(location: FileLocation, view: Shown, commits: Commits) -> Commit | NoCommit:
    """Return the newest commit of a file and of the links that lead to it."""
    if location.file is None:
        return NoCommit(DateStatus.NO_REPOSITORY)
    newest = commits[location.file, view]
    for link in location.links:
        commit = commits[link, COMPLETE_FILE]
        if not isinstance(newest, Commit):
            break
        if isinstance(commit, Commit):
            newest = max(newest, commit, key=lambda commit: commit.date)
        elif _may_be_newer(commit, newest):
            newest = commit
    return newest


def _may_be_newer(unknown: NoCommit, commit: Commit) -> bool:
    if unknown.status is DateStatus.SHALLOW:
        return unknown.limit is None or unknown.limit > commit.date
    return unknown.status is DateStatus.GIT_FAILED
