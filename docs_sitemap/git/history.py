"""One walk through the history of each repository: the newest commit of every file."""

from __future__ import annotations

import os
import re
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
    NO_VALID_DATE = "the commit has no valid date"
    NO_ANSWER = "no answer from git"


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
        except (GitError, OSError) as error:
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
            git = os.path.join(folder, ".git")
            # A worktree and a submodule have a file of this name, other repositories a folder.
            # Git does not stop at a folder that is no repository.
            if os.path.isfile(git) or os.path.lexists(os.path.join(git, "HEAD")):
                self._tops[folder] = folder
            else:
                self._tops[folder] = None if parent == folder else self._top(parent)
        return self._tops[folder]


# What `--format=%H %ct` prints; a commit whose date is garbled has none. SHA-256 has 64 digits.
_HEADER = re.compile(rb"([0-9a-f]{40}|[0-9a-f]{64}) (-?[0-9]*)")


def _walk(top: str, wanted: set[str]) -> dict[str, Commit | Unknown]:
    boundary = _shallow_boundary(top)
    found: dict[str, Commit | Unknown] = {}
    remaining = {os.fsencode(path): path for path in wanted}
    for name, seconds, changes in _commits(
        top, os.path.commonpath([*map(os.path.dirname, wanted)])
    ):
        for deleted, raw in changes:
            path = remaining.pop(raw, None)
            if path is None:
                continue
            if deleted:
                found[path] = Unknown.UNTRACKED  # the file lies there, but is no longer known
            else:
                found[path] = Unknown.SHALLOW if name in boundary else _dated(name, seconds)
        if not remaining:
            break
    return found


def _dated(name: str, seconds: bytes) -> Commit | Unknown:
    try:
        return Commit(name, datetime.fromtimestamp(int(seconds), UTC))
    except (ValueError, OverflowError, OSError):
        return Unknown.NO_VALID_DATE


def _commits(top: str, folder: str) -> Iterator[tuple[str, bytes, list[tuple[bool, bytes]]]]:
    """Yield each commit that touched the folder, newest first: its name, its date in seconds,
    and the paths it changed, each with whether it deleted it.
    """
    arguments = ["log", "-c", "--raw", "-z", "--no-renames", "--no-color", "--no-notes"]
    arguments += [f"-O{os.devnull}"]  # no order of files from the configuration
    arguments += ["--encoding=UTF-8", "--format=%H %ct", "HEAD", "--", folder or "."]
    with closing(git_pieces(arguments, cwd=top)) as pieces:
        name, seconds = "", b""
        changes: list[tuple[bool, bytes]] = []
        for piece in pieces:
            # A record of `--raw` starts with a colon and is followed by its path, whatever that
            # looks like; git-log(1) puts a line end before the first record of a commit.
            if name and piece.lstrip(b"\n").startswith(b":"):
                changes.append((piece.endswith(b"D"), next(pieces, b"")))
            elif header := _HEADER.fullmatch(piece):
                if name:
                    yield name, seconds, changes
                name, seconds, changes = header[1].decode("ascii"), header[2], []
            elif piece:
                raise GitError(f"git log printed something unexpected: {piece[:40]!r}")
        if name:
            yield name, seconds, changes


def _shallow_boundary(top: str) -> frozenset[str]:
    """The commits whose parents a shallow clone lacks: git blames them for all older changes."""
    arguments = ["rev-parse", "--show-toplevel", "--git-path", "shallow"]
    output = b"\0".join(git_pieces(arguments, cwd=top)).removesuffix(b"\n")
    git_top, _, path = output.rpartition(b"\n")
    if not path or b"\0" in output or not os.path.samefile(git_top, top):
        raise GitError(f"git takes {os.fsdecode(git_top)!r} for the top of its work tree")
    try:
        with open(os.path.join(top, os.fsdecode(path)), "rb") as lines:
            return frozenset(lines.read().decode("ascii", "replace").split())
    except FileNotFoundError:
        return frozenset()


def _explain(message: str, top: str) -> str:
    if "dubious ownership" in message:
        return (
            f"git does not trust {top}, which belongs to another user; if you do, run: "
            f"git config --global --add safe.directory {shlex.quote(top)}"
        )
    if "does not have any commits yet" in message or "bad revision 'HEAD'" in message:
        return f"HEAD of {top} names no commit; commit the pages, or check out a branch"
    return (
        f"git gave no dates for {top}: {message}; mend that (git fsck helps), "
        "or switch the dates off"
    )
