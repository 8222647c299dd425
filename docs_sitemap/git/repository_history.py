"""Find the newest commits of files in one repository, in the cache or with a walk."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Sequence, Set
from contextlib import closing, suppress
from datetime import UTC, datetime

from docs_sitemap.git.cache import CachedCommits, CommitCache
from docs_sitemap.git.commit_reader import CommitReader
from docs_sitemap.git.fetch import fetch_full_history
from docs_sitemap.git.git_command import Git, GitError
from docs_sitemap.git.ignored_commits import IgnoreRules, parse_ignore_revs
from docs_sitemap.git.interface import Commit, HistoryOptions, NoCommit, ViewedFile
from docs_sitemap.git.repository import RepositorySnapshot, list_refs
from docs_sitemap.git.walk import HistoryWalk, NewestCommit, file_key
from docs_sitemap.result import DateStatus
from docs_sitemap.shown.compare import ContentComparer
from docs_sitemap.text import join_some

# Git compares each path with each folder on the command line.
_MAX_FOLDERS = 16

_MAX_NAMES = 3

# In bytes: more than 400,000 commits.
_MAX_IGNORE_REVS = 2**24


class RepositoryHistory:
    """The history of one repository.

    Args:
        git: Git in a folder of the repository.
        options: Which commits count.
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
        self._ref = "HEAD" if self._is_work_tree else options.ref
        key = [git.folder, self._ref, options.first_parent, options.ignore_revs]
        key += [options.ignore_revs_file, options.ignore_messages, options.ignore_authors]
        self._cache = CommitCache(cache_dir, key)
        self.warnings: list[str] = []

    def find(
        self, files: Set[ViewedFile], *, may_fetch: bool = True
    ) -> dict[ViewedFile, Commit | NoCommit]:
        """Return the newest commit of each file, or why there is none.

        Args:
            files: Files below the top level, with `/` as separator.
            may_fetch: Whether to fetch missing history, if the options ask for it.

        Raises:
            GitError: Git failed for all files.
            OSError: A file of the repository cannot be read.
        """
        snapshot = self._snapshot()
        try:
            commits = self._newest_commits(snapshot, files)
        except GitError as error:
            clone_filter = snapshot.clone_filter()
            if not clone_filter.startswith("tree:"):
                raise
            message = f"the clone lacks the folders of old commits (--filter={clone_filter})"
            raise GitError(message, fix="clone with --filter=blob:none") from error
        found = {file: commit for file in files if (commit := commits.get(file_key(file)))}
        truncated = snapshot.without_parents(newest.commit.name for newest in found.values())
        if self._options.fetch and may_fetch and truncated and self._fetch(snapshot, truncated):
            return self.find(files, may_fetch=False)
        untracked = files - found.keys()
        reasons = self._explain_untracked(snapshot, {file.path for file in untracked})
        result: dict[ViewedFile, Commit | NoCommit] = {
            file: reasons[file.path] for file in untracked
        }
        for file, newest in found.items():
            result[file] = self._date(newest, is_truncated=newest.commit.name in truncated)
        return result

    def _snapshot(self) -> RepositorySnapshot:
        return RepositorySnapshot.read(self._git, ref=self._ref, is_top=self._is_work_tree)

    def _newest_commits(
        self, snapshot: RepositorySnapshot, requested: Set[ViewedFile]
    ) -> dict[str, NewestCommit | None]:
        """Return the newest commit of each file, by its key; `None` if the file is not in the
        snapshot.
        """
        cached = self._cache.load()
        if cached.view != snapshot.view:
            cached = CachedCommits()
        if cached.head == snapshot.head and {*map(file_key, requested)} <= cached.commits.keys():
            return cached.commits
        # Update the other cached files as well, because the next build may need them. Their views
        # are unknown.
        paths = (key for key in cached.commits if "\0" not in key)
        wanted = {*requested, *map(ViewedFile, paths)}
        folders = common_folders({file.path for file in wanted})
        revs_file = self._options.ignore_revs_file
        files = snapshot.files([*folders, revs_file] if folders and revs_file else folders)
        ignored_revs, is_valid = self._read_ignored_revs(snapshot, files.get(revs_file))
        if cached.ignored_revs != ignored_revs:
            cached = CachedCommits()
        commits: dict[str, NewestCommit | None] = dict.fromkeys(map(file_key, wanted))
        committed = {file for file in wanted if file.path in files}
        commits |= self._walk(snapshot.head, folders, committed, ignored_revs, cached)
        if is_valid:  # Otherwise, the next build repeats the warning.
            self._cache.save(CachedCommits(snapshot.head, snapshot.view, ignored_revs, commits))
        return commits

    def _read_ignored_revs(
        self, snapshot: RepositorySnapshot, object_name: str | None
    ) -> tuple[tuple[str, ...], bool]:
        """Return the sorted commit names in the file of ignored commits, and whether all of its
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
                f"{revs_file} of {self._git.folder}: line {invalid_lines[0]} is not the full name "
                "of a commit. Fix: correct the line, or set the option ignore_revs_file to "
                "false"
            )
        return tuple(sorted(revs)), not invalid_lines

    def _walk(
        self,
        head: str,
        folders: Sequence[str],
        files: Set[ViewedFile],
        ignored_revs: Sequence[str],
        cached: CachedCommits,
    ) -> dict[str, NewestCommit]:
        options = self._options
        rules = IgnoreRules(
            {*ignored_revs, *options.ignore_revs}, options.ignore_messages, options.ignore_authors
        )
        known = {key: commit for key, commit in cached.commits.items() if commit is not None}
        paths = {file.path for file in files}
        reader = CommitReader(self._git, folders, paths, with_texts=rules.need_texts)
        with closing(reader), closing(ContentComparer(self._git)) as comparer:
            walk = HistoryWalk(reader, rules, comparer, first_parent=options.first_parent)
            try:
                return walk.run(head, files, known_head=cached.head, known=known)
            except GitError:
                if not cached.head:
                    raise
        # Git may have deleted parts of the history of the cached commit.
        return self._walk(head, folders, files, ignored_revs, CachedCommits())

    def _fetch(self, snapshot: RepositorySnapshot, truncated: Collection[str]) -> bool:
        """Fetch the missing history. Return whether the repository has changed."""
        refs = list_refs(self._git)
        has_changed = True
        try:
            fetch_full_history(self._git, snapshot.head, truncated)
        except (GitError, OSError) as error:
            # Another process may have fetched the history at the same time.
            has_changed = self._snapshot() != snapshot
            if not has_changed:
                self.warnings.append(
                    f"the missing history of {self._git.folder} cannot be fetched: {error}. "
                    "Fix: check the remote and your access to it"
                )
        if changed_refs := list_refs(self._git) ^ refs:
            names = sorted({os.fsdecode(ref).partition(" ")[0] for ref in changed_refs})
            self.warnings.append(
                f"refs of {self._git.folder} changed while missing history was fetched: "
                f"{join_some(names, _MAX_NAMES)}. Fix: check these refs with git reflog"
            )
        return has_changed

    def _explain_untracked(
        self, snapshot: RepositorySnapshot, paths: Set[str]
    ) -> dict[str, NoCommit]:
        ignored: Set[str] = frozenset()
        if self._is_work_tree and paths:
            with suppress(GitError):  # All files are reported as untracked instead.
                ignored = snapshot.ignored(paths)
        return {
            path: NoCommit(DateStatus.IGNORED if path in ignored else DateStatus.UNTRACKED)
            for path in paths
        }

    def _date(self, newest: NewestCommit, *, is_truncated: bool) -> Commit | NoCommit:
        commit = newest.commit
        authored = _timestamp(commit.authored)
        date = authored if self._options.author_date else _timestamp(commit.committed)
        if is_truncated:
            # Author dates are not in the order of the history.
            limit = None if self._options.author_date else date
            return NoCommit(DateStatus.SHALLOW, limit)
        if date is None:
            return NoCommit(DateStatus.INVALID_DATE)
        return Commit(commit.name, date, authored, newest.passed, newest.is_limit)


def common_folders(paths: Iterable[str]) -> tuple[str, ...]:
    """Return up to 16 folders or files that contain all paths; none if more are necessary."""
    parts = [path.split("/") for path in paths]
    for depth in range(max(map(len, parts), default=0), 0, -1):
        folders = {"/".join(names[:depth]) for names in parts}
        if len(folders) <= _MAX_FOLDERS:
            return tuple(sorted(folders))
    return ()


def _timestamp(seconds: int | None) -> datetime | None:
    try:
        return None if seconds is None else datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError):
        return None
