"""One walk through the history of each repository: the newest commit of every file."""

from __future__ import annotations

import os
import shlex
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum

from docs_sitemap.git.run import GitError, git_pieces


class Unknown(StrEnum):
    """Why git has no date for a file."""

    NO_REPOSITORY = "no repository"
    UNTRACKED = "untracked"
    SHALLOW = "shallow"
    NO_ANSWER = "no answer"


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit: its full name, and when it was committed, in UTC."""

    name: str
    date: datetime


@dataclass(frozen=True, slots=True)
class Answer:
    """What git knows of some files.

    Attributes:
        commits: for each file asked for, its newest commit, or why there is none.
        errors: what went wrong, one line for each repository that gave no answer.
    """

    commits: dict[str, Commit | Unknown]
    errors: tuple[str, ...]


def newest_commits(files: Iterable[str]) -> Answer:
    """Find, for each file, the newest commit at HEAD that changed it.

    Files are looked up where they really are: in the repository that holds them once all
    symbolic links are followed.

    Args:
        files: absolute paths.
    """
    commits: dict[str, Commit | Unknown] = {}
    by_repository: defaultdict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    locate = _Locator()
    for file in files:
        top, path = locate(file)
        if top is None:
            commits[file] = Unknown.NO_REPOSITORY
        else:
            by_repository[top][path].append(file)
    errors = []
    for top, wanted in by_repository.items():
        try:
            found = _walk(top, set(wanted))
        except GitError as error:
            errors.append(_explain(str(error), top))
            found = dict.fromkeys(wanted, Unknown.NO_ANSWER)
        for path, asked in wanted.items():
            commits |= dict.fromkeys(asked, found.get(path, Unknown.UNTRACKED))
    return Answer(commits, tuple(errors))


class _Locator:
    """Finds the repository of a file, asking the file system once for each folder."""

    def __init__(self) -> None:
        self._folders: dict[str, tuple[str | None, str]] = {}
        self._tops: dict[str, str | None] = {}

    def __call__(self, file: str) -> tuple[str | None, str]:
        """Return the top level of the file's repository, and the file's path below it."""
        if os.path.islink(file):
            file = os.path.realpath(file)
        folder, name = os.path.split(file)
        if folder not in self._folders:
            real = os.path.realpath(folder)
            top = self._top(real)
            below = "" if top in (None, real) else os.path.relpath(real, top)
            self._folders[folder] = top, below
        top, below = self._folders[folder]
        return top, os.path.join(below, name)

    def _top(self, folder: str) -> str | None:
        if folder not in self._tops:
            parent = os.path.dirname(folder)
            # A worktree and a submodule have a file of this name, other repositories a folder.
            if os.path.lexists(os.path.join(folder, ".git")):
                self._tops[folder] = folder
            else:
                self._tops[folder] = None if parent == folder else self._top(parent)
        return self._tops[folder]


def _walk(top: str, wanted: set[str]) -> dict[str, Commit | Unknown]:
    boundary = _shallow_boundary(top)
    found: dict[str, Commit | Unknown] = {}
    remaining = {os.fsencode(path): path for path in wanted}
    for name, seconds, paths in _commits(top, os.path.commonpath([*map(os.path.dirname, wanted)])):
        for raw in paths:
            path = remaining.pop(raw, None)
            if path is not None:
                found[path] = (
                    Unknown.SHALLOW
                    if name in boundary
                    else Commit(name, datetime.fromtimestamp(seconds, UTC))
                )
        if not remaining:
            break
    return found


def _commits(top: str, folder: str) -> Iterator[tuple[str, int, list[bytes]]]:
    """Yield each commit that touched the folder, newest first, with the paths it changed."""
    arguments = ["log", "-c", "--raw", "-z", "--no-renames", "--no-color", "--no-notes"]
    arguments += [f"-O{os.devnull}"]  # no order of files from the configuration
    arguments += ["--format=%H %ct", "HEAD", "--", folder or "."]
    with closing(git_pieces(arguments, cwd=top)) as pieces:
        header: list[str] = []
        paths: list[bytes] = []
        for piece in pieces:
            # A record of `--raw` starts with a colon and is followed by its path, whatever that
            # looks like; git-log(1) puts a line end before the first record of a commit.
            if piece.lstrip(b"\n").startswith(b":"):
                paths.append(next(pieces))
            elif piece:
                if header:
                    yield header[0], int(header[1]), paths
                header, paths = piece.decode("ascii").split(), []
        if header:
            yield header[0], int(header[1]), paths


def _shallow_boundary(top: str) -> frozenset[str]:
    """The commits whose parents a shallow clone lacks: git blames them for all older changes."""
    output = b"\0".join(git_pieces(["rev-parse", "--git-path", "shallow"], cwd=top))
    try:
        with open(os.path.join(top, os.fsdecode(output[:-1])), encoding="ascii") as lines:
            return frozenset(lines.read().split())
    except FileNotFoundError:
        return frozenset()


def _explain(message: str, top: str) -> str:
    if "dubious ownership" in message:
        return (
            f"git does not trust {top}, which belongs to another user; if you do, run: "
            f"git config --global --add safe.directory {shlex.quote(top)}"
        )
    if "does not have any commits yet" in message or "bad revision 'HEAD'" in message:
        return f"{top} has no commits yet; commit the pages to give them dates"
    return f"git gave no dates for {top}: {message}"
