"""`git last-modified`, where git has it: the same answers, by its own walk."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Sequence

from docs_sitemap.git.run import GitError, git_pieces
from docs_sitemap.git.walk import Found

# Before, it read memory that was not initialised (2.52), and had other defaults (2.53).
SINCE = (2, 54)

# Git compares each name with each of these.
_MAX_PATHS = 200

_COMMIT = re.compile(rb"([0-9a-f]{64}|[0-9a-f]{40}) (-?[0-9]*) (-?[0-9]*)")


def last_modified(
    cwd: str, head: str, folders: Sequence[str], paths: Collection[str]
) -> dict[str, Found]:
    """Find the newest commit of each file; `head`, `folders` and `paths` are those of
    [`Walk`][docs_sitemap.git.walk.Walk].

    Raises:
        GitError: git gives no answer, or not for all files.
    """
    wanted = {os.fsencode(path): path for path in paths}
    commits: dict[str, bytes] = {}
    # It looks for all that it is told of, to the end of the history if need be.
    below = sorted(paths) if len(paths) <= _MAX_PATHS else folders
    arguments = ["--literal-pathspecs", "last-modified", "-r", "-z", head, "--", *below]
    for piece in git_pieces(arguments, cwd=cwd):
        name, _, raw = piece.partition(b"\t")
        if raw in wanted:
            commits[wanted[raw]] = name
    found = _dates(cwd, set(commits.values()))
    if len(commits) < len(wanted) or not found.keys() >= {*commits.values()}:
        raise GitError("git last-modified left something out")
    return {path: found[name] for path, name in commits.items()}


def _dates(cwd: str, names: Collection[bytes]) -> dict[bytes, Found]:
    arguments = ["log", "--no-walk=unsorted", "-z", "--no-color", "--no-notes", "--stdin"]
    arguments += ["--format=%H %ct %at"]
    stdin = b"".join(name + b"\n" for name in names)
    found = {}
    for piece in git_pieces(arguments, cwd=cwd, stdin=stdin):
        if match := _COMMIT.fullmatch(piece):
            found[match[1]] = Found.read(*match.groups())
    return found
