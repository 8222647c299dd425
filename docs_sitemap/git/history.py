"""Files in, the newest commit of each file out: the repositories are asked one after the other."""

from __future__ import annotations

import os
import re
import shlex
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum

from docs_sitemap.git.cache import Cache, Memory
from docs_sitemap.git.last_modified import SINCE, last_modified
from docs_sitemap.git.locate import Located, Locator, Place, follow
from docs_sitemap.git.repository import Repository, digest, work_tree
from docs_sitemap.git.run import GitError
from docs_sitemap.git.significance import IGNORE_REVS_FILE, Significance, read_revs
from docs_sitemap.git.unshallow import unshallow
from docs_sitemap.git.walk import Found, Walk

# Git compares each name with each of these.
_MAX_FOLDERS = 16


@dataclass(frozen=True, slots=True)
class Settings:
    """How to ask.

    Attributes:
        author_date: whether the date of a commit is that of its author, not of its committer.
        first_parent: whether a change has the date at which it was merged.
        ignore_revs: full names of commits that do not count.
        ignore_revs_file: a file with such names, below the top level; empty: none.
        ignore_messages: regular expressions for the messages of commits that do not count.
        ignore_authors: regular expressions for the authors of commits that do not count.
        fetch: whether the history that a shallow clone lacks may be fetched.
        repository: where the history of all files is, if they do not lie in their repository.
        ref: which commit of `repository` the files are of.
    """

    author_date: bool = False
    first_parent: bool = False
    ignore_revs: tuple[str, ...] = ()
    ignore_revs_file: str = IGNORE_REVS_FILE
    ignore_messages: tuple[str, ...] = ()
    ignore_authors: tuple[str, ...] = ()
    fetch: bool = False
    repository: str | None = None
    ref: str = "HEAD"


class Unknown(StrEnum):
    """Why git has no date for a file."""

    NO_REPOSITORY = "no repository"
    UNTRACKED = "untracked"
    IGNORED = "ignored by git"
    SHALLOW = "shallow"
    NO_VALID_DATE = "the commit has no valid date"
    NO_ANSWER = "no answer from git"


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit: its full name, the date of it that counts and, if that is valid, when its author
    made it, both in UTC.
    """

    name: str
    date: datetime
    authored: datetime | None = None


@dataclass(frozen=True, slots=True)
class NoCommit:
    """Why there is no commit; in a shallow clone, the file is not newer than `limit`."""

    reason: Unknown
    limit: datetime | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """What git knows of some files.

    Attributes:
        commits: for each file asked for, its newest commit, or why there is none.
        errors: what went wrong, one line for each repository.
    """

    commits: dict[str, Commit | NoCommit] = field(default_factory=dict)
    errors: dict[str, None] = field(default_factory=dict)


class History:
    """Answers, and remembers what it answered: for its own lifetime, and in a cache.

    Args:
        cache_dir: a folder to remember in, from one process to the next; `None`: not at all.
    """

    def __init__(self, cache_dir: str | os.PathLike[str] | None = None) -> None:
        self._cache_dir = cache_dir
        self._answers: defaultdict[Settings, Answer] = defaultdict(Answer)

    def newest_commits(self, files: Iterable[str], settings: Settings) -> Answer:
        """Find, for each file, the newest commit that changed it.

        Files are looked up where they really are: in the repository that holds them once all
        symbolic links are followed. Where a link is newer than the file, it is the link's commit.
        A file that was asked for before gets the same answer again.

        Args:
            files: absolute paths.
            settings: how to ask.
        """
        answer = self._answers[settings]
        new = [file for file in dict.fromkeys(files) if file not in answer.commits]
        asker = _Asker(settings, self._cache_dir)
        answer.commits.update(asker.exported(new) if settings.repository else asker.located(new))
        answer.errors.update(dict.fromkeys(asker.errors))
        return answer


class _Asker:
    def __init__(self, settings: Settings, cache_dir: str | os.PathLike[str] | None) -> None:
        self._settings = settings
        self._cache_dir = cache_dir
        self.errors: list[str] = []

    def located(self, files: Collection[str]) -> dict[str, Commit | NoCommit]:
        locate = Locator()
        located = {file: locate(file) for file in files}
        wanted: defaultdict[str, set[str]] = defaultdict(set)
        for place, links in located.values():
            for top, path in (*([place] if place else []), *links):
                wanted[top].add(path)
        known = {
            Place(top, path): commit
            for top, paths in wanted.items()
            for path, commit in self._repository(top, paths).items()
        }
        return {file: _newest_on_the_way(found, known) for file, found in located.items()}

    def exported(self, files: Collection[str]) -> dict[str, Commit | NoCommit]:
        """Answer for files that lie outside the repository, in a tree that was made from it."""
        if not files:
            return {}
        top = os.path.realpath(self._settings.repository or "")
        followed = {file: follow(file) for file in files}
        try:
            top = work_tree(top)
            repository = Repository.open(top, ref=self._settings.ref, is_top=False)
            everywhere = {path for real, links in followed.values() for path in (real, *links)}
            paths = _match(everywhere, repository.tree(()))
        except (GitError, OSError) as error:
            self.errors.append(_explain(str(error), top, self._settings.ref))
            return dict.fromkeys(files, NoCommit(Unknown.NO_ANSWER))
        places = {path: Place(top, below) for path, below in paths.items()}
        if not places:
            self.errors.append(f"{self._settings.ref} of {top} holds none of the sources")
        known = {
            Place(top, below): commit
            for below, commit in self._repository(top, {*paths.values()}, is_top=False).items()
        }
        return {
            file: _newest_on_the_way(
                Located(places.get(real), tuple(places[link] for link in links if link in places)),
                known,
            )
            for file, (real, links) in followed.items()
        }

    def _repository(
        self, path: str, paths: Collection[str], *, is_top: bool = True
    ) -> dict[str, Commit | NoCommit]:
        try:
            return self._commits(path, paths, is_top, fetch=self._settings.fetch)
        except (GitError, OSError) as error:
            self.errors.append(_explain(str(error), path, self._settings.ref))
            return dict.fromkeys(paths, NoCommit(Unknown.NO_ANSWER))

    def _commits(
        self, path: str, paths: Collection[str], is_top: bool, *, fetch: bool
    ) -> dict[str, Commit | NoCommit]:
        ref = self._settings.ref if self._settings.repository else "HEAD"
        repository = Repository.open(path, ref=ref, is_top=is_top)
        try:
            found = self._found(repository, ref, set(paths))
        except GitError as error:
            if (left_out := repository.filter()).startswith("tree:"):
                message = (
                    f"the clone lacks the folders of old commits (--filter={left_out}); "
                    "clone with --filter=blob:none"
                )
                raise GitError(message) from error
            raise
        truncated = repository.truncated(item.name for item in found.values() if item)
        if fetch and truncated:
            message = ""
            try:
                unshallow(path, truncated)
            except (GitError, OSError) as error:
                message = f"the history that {path} lacks could not be fetched: {error}"
            # Another build may have fetched it at the same time.
            if not message or Repository.open(path, ref=ref, is_top=is_top) != repository:
                return self._commits(path, paths, is_top, fetch=False)
            self.errors.append(message)
        untracked = [path for path in paths if found[path] is None]
        ignored: Collection[str] = ()
        if is_top and untracked:
            with suppress(GitError):  # then why they are not tracked is not known
                ignored = repository.ignored(untracked)
        commits = {}
        for name in paths:
            if (item := found[name]) is not None:
                commits[name] = self._dated(item, shallow=item.name in truncated)
            else:
                state = Unknown.IGNORED if name in ignored else Unknown.UNTRACKED
                commits[name] = NoCommit(state)
        return commits

    def _found(
        self, repository: Repository, ref: str, paths: set[str]
    ) -> Mapping[str, Found | None]:
        """Return the newest commit of each file, `None` for those that the commit does not hold."""
        settings = self._settings
        asked = [settings.first_parent, settings.ignore_revs, settings.ignore_revs_file]
        asked += [settings.ignore_messages, settings.ignore_authors]
        cache = Cache(self._cache_dir, repository.path, ref, repr(asked))
        memory = cache.load()
        if memory.surroundings != repository.surroundings:
            memory = Memory()
        missing = paths - memory.found.keys()
        if memory.head == repository.head and not missing:
            return memory.found
        if memory.head != repository.head:
            missing = paths | memory.found.keys()
        folders = _folders(missing)
        files = filter(None, [*folders, settings.ignore_revs_file]) if folders else ()
        tree = repository.tree(files)
        revs, faults = self._ignored_revs(repository, tree)
        conditions = digest(sorted(rev.encode() for rev in revs))
        if memory.conditions != conditions:
            memory = Memory()
        significance = Significance(
            revs | set(settings.ignore_revs),
            tuple(re.compile(pattern) for pattern in settings.ignore_messages),
            tuple(re.compile(pattern) for pattern in settings.ignore_authors),
        )
        walk = Walk(repository.path, folders, settings.first_parent, significance)
        tracked = missing & tree.keys()
        found: dict[str, Found | None] = dict.fromkeys(missing)
        if memory.head == repository.head:
            found |= {**memory.found, **_cold(walk, repository, tracked)}
        elif memory.head:
            known = {path: item for path, item in memory.found.items() if item is not None}
            try:
                found |= walk.run(repository.head, tracked, memory.head, known)
            except GitError:  # what is remembered may be of a history that is gone
                found |= _cold(walk, repository, tracked)
        else:
            found |= _cold(walk, repository, tracked)
        if not faults:  # each build must say so
            cache.store(Memory(repository.head, conditions, repository.surroundings, found))
        return found

    def _ignored_revs(
        self, repository: Repository, tree: Mapping[str, str]
    ) -> tuple[frozenset[str], list[int]]:
        filename = self._settings.ignore_revs_file
        if filename not in tree:
            return frozenset(), []
        revs, faults = read_revs(repository.read(tree[filename]))
        if faults:
            self.errors.append(
                f"{filename} of {repository.path}: line {faults[0]} is not the full name of a "
                "commit and is left out; correct it, or set ignore_revs_file to false"
            )
        return revs, faults

    def _dated(self, found: Found, *, shallow: bool) -> Commit | NoCommit:
        authored = _moment(found.authored)
        date = authored if self._settings.author_date else _moment(found.committed)
        if shallow:
            return NoCommit(Unknown.SHALLOW, None if self._settings.author_date else date)
        if date is None:
            return NoCommit(Unknown.NO_VALID_DATE)
        return Commit(found.name, date, authored)


def _moment(seconds: int | None) -> datetime | None:
    try:
        return None if seconds is None else datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError):
        return None


def _cold(walk: Walk, repository: Repository, paths: Collection[str]) -> dict[str, Found]:
    """Find the newest commits with nothing to go by."""
    if walk.significance.counts_all and not walk.first_parent and repository.version >= SINCE:
        try:
            return last_modified(walk.cwd, repository.head, walk.folders, paths)
        except GitError:
            pass  # it is marked experimental; the walk says what is wrong, if something is
    return walk.run(repository.head, paths, "", {})


def _folders(paths: Collection[str]) -> tuple[str, ...]:
    """Return a few folders, or files, that hold all the files; none stands for all there are."""
    parts = [path.split("/") for path in paths]
    for depth in range(max(map(len, parts), default=0), 0, -1):
        folders = {"/".join(names[:depth]) for names in parts}
        if len(folders) <= _MAX_FOLDERS:
            return tuple(sorted(folders))
    return ()


def _newest_on_the_way(
    located: Located, known: Mapping[Place, Commit | NoCommit]
) -> Commit | NoCommit:
    newest = known[located.place] if located.place else NoCommit(Unknown.NO_REPOSITORY)
    for link in located.links:
        commit = known[link]
        if not isinstance(newest, Commit):
            break
        if isinstance(commit, Commit):
            if commit.date > newest.date:
                newest = commit
        elif commit.reason is Unknown.NO_ANSWER or (
            commit.reason is Unknown.SHALLOW
            and (commit.limit is None or commit.limit > newest.date)
        ):
            newest = commit  # it may be newer
    return newest


def _match(files: Iterable[str], tree: Collection[str]) -> dict[str, str]:
    """Return which file of a repository each file is a copy of, where it is one: below the folder
    that makes most of them so.
    """
    paths: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for file in files:
        parts = file.replace(os.sep, "/").split("/")
        for start in range(1, len(parts)):
            if (path := "/".join(parts[start:])) in tree:
                paths["/".join(parts[:start])][file] = path
    votes = Counter({root: len(found) for root, found in paths.items()})
    if not votes:
        return {}
    return paths[min(votes, key=lambda root: (-votes[root], len(root)))]


def _explain(message: str, top: str, ref: str) -> str:
    if "dubious ownership" in message:
        return (
            f"git does not trust {top}, which belongs to another user; if you do, run: "
            f"git config --global --add safe.directory {shlex.quote(top)}"
        )
    if "unknown revision" in message or "bad revision" in message:
        return f"{ref} of {top} names no commit; commit the pages, or name another"
    return f"git gave no dates for {top}: {message}; mend that, or switch the dates off"
