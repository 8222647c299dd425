"""Ignored commits, which change files but not the content that readers see."""

import re

from .run import Git, GitError

# In bytes: more than 400,000 commits.
_MAX_FILE = 2**24

_LINE = re.compile(r"([0-9a-f]{64}|[0-9a-f]{40})(\s*#.*)?", re.IGNORECASE)


class IgnoreRevsError(GitError):
    """A line of the file of ignored commits is invalid."""


def read_ignored_revs(git: Git, object_name: str | None, path: str) -> tuple[str, ...]:
    """Read a committed file of ignored commits, as for `git blame --ignore-revs-file`.

    Args:
        git: Git in a folder of the repository.
        object_name: The object name of the file; `None` if it is not in the commit.
        path: The path of the file, for messages.

    Returns:
        The hashes, sorted.

    Raises:
        IgnoreRevsError: A line is invalid.
        GitError: Git failed.
    """
    if object_name is None:
        return ()
    content = git.output(["cat-file", "blob", object_name], limit=_MAX_FILE)
    return parse_ignored_revs(content, path)


def parse_ignored_revs(content: bytes, path: str) -> tuple[str, ...]:
    """Parse a file of ignored commits: full hashes, one per line, and comments.

    Args:
        content: The content of the file.
        path: The path of the file, for messages.

    Returns:
        The hashes, sorted.

    Raises:
        IgnoreRevsError: A line is invalid.
    """
    revs = set()
    lines = content.decode("utf-8", "replace").split("\n")
    for number, line in enumerate(lines, start=1):
        text = line.strip().lstrip("\ufeff")
        if not text or text.startswith("#"):
            continue
        match = _LINE.fullmatch(text)
        if match is None:
            raise IgnoreRevsError(
                f"line {number} of {path} is not the full hash of a commit"
            )
        revs.add(match[1].lower())
    return tuple(sorted(revs))
