"""Which commits do not count: those that change how a page is written, not what it says."""

from __future__ import annotations

import re
from dataclasses import dataclass

# Where code hosts look for it, too.
IGNORE_REVS_FILE = ".git-blame-ignore-revs"

_LINE = re.compile(r"([0-9a-f]{64}|[0-9a-f]{40})(\s*#.*)?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Significance:
    """What makes a commit insignificant.

    Attributes:
        revs: full names of commits.
        messages: regular expressions, of which one is found in the message.
        authors: regular expressions, of which one is found in the author's `Name <address>`.
    """

    revs: frozenset[str] = frozenset()
    messages: tuple[re.Pattern[str], ...] = ()
    authors: tuple[re.Pattern[str], ...] = ()

    @property
    def reads_texts(self) -> bool:
        return bool(self.messages or self.authors)

    @property
    def counts_all(self) -> bool:
        return not (self.revs or self.reads_texts)

    def ignores(self, name: bytes, author: str, message: str) -> bool:
        return (
            name.decode() in self.revs
            or any(pattern.search(message) for pattern in self.messages)
            or any(pattern.search(author) for pattern in self.authors)
        )


def read_revs(content: bytes) -> tuple[frozenset[str], list[int]]:
    """Read a file of full commit names, one a line, with comments: that of git-blame(1)'s
    `--ignore-revs-file`.

    Returns:
        The names, and the numbers of the lines that are something else.
    """
    revs = set()
    wrong = []
    for number, line in enumerate(content.decode("utf-8", "replace").split("\n"), start=1):
        if (text := line.strip().lstrip("\ufeff")) and not text.startswith("#"):
            match = _LINE.fullmatch(text)
            if match is None:
                wrong.append(number)
            else:
                revs.add(match[1].lower())
    return frozenset(revs), wrong
