"""Ignored commits, which change files but not the content that readers see."""

import re

from .run import GitError

_LINE = re.compile(r"([0-9a-f]{64}|[0-9a-f]{40})(\s*#.*)?", re.IGNORECASE)


def parse_ignore_revs(content: bytes, path: str) -> tuple[str, ...]:
    """Parse a file for the option `--ignore-revs-file` of git-blame(1): full hashes of
    commits, one per line, and comments.

    Args:
        content: The content of the file.
        path: The path of the file, for messages.

    Returns:
        The hashes, sorted.

    Raises:
        GitError: A line is invalid.
    """
    revs = set()
    lines = content.decode("utf-8", "replace").split("\n")
    for number, line in enumerate(lines, start=1):
        text = line.strip().lstrip("\ufeff")
        if not text or text.startswith("#"):
            continue
        match = _LINE.fullmatch(text)
        if match is None:
            raise GitError(
                f"line {number} of {path} is not the full hash of a commit",
                fix="correct the line, or set the option ignore_revs_file to false",
            )
        revs.add(match[1].lower())
    return tuple(sorted(revs))
