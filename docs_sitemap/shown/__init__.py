"""What a page shows of a source file."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from hashlib import sha256

from . import lines, messages, python, text

RULES_VERSION = 2
"""The version of all rules for what pages show. Cached dates of other versions are not used."""

# The documents that have a text.
DOCUMENT_SUFFIXES = (".md", ".markdown", ".rst")


_UNSEEN = "only white space, comments, front matter, or its folder"


class ShownKind(StrEnum):
    """What a page shows of a source file. Other changes to the file do not date the page."""

    meaning: str
    """One line for people."""
    other_changes: str
    """What a skipped commit changed."""

    def __new__(cls, value: str, meaning: str, other_changes: str) -> ShownKind:
        member = str.__new__(cls, value)
        member._value_ = value
        member.meaning = meaning
        member.other_changes = other_changes
        return member

    FILE = "file", "dated by what readers see", _UNSEEN
    PYTHON = "python", "dated by its documentation", "only hidden code, or its folder"
    LINES = "lines", "dated by the lines that the page shows", "only other lines"
    MESSAGES = "messages", "dated by the translations of the page", "no translation of the page"
    TEXT = "text", "dated by its text", _UNSEEN


_DIGESTS = {
    ShownKind.PYTHON: python.digest,
    ShownKind.LINES: lines.digest,
    ShownKind.MESSAGES: messages.digest,
}


@dataclass(frozen=True, slots=True)
class Shown:
    """What a page shows of a source file.

    Attributes:
        kind: What the page shows.
        parts: The parts of the file that the page shows; empty if it shows all of them:

            - `python`: the names of objects, from the module on, such as `Class.method`, with their
              members; `""` is the complete module. `Class()` is a class without its members, and
              `__doc__` and `Class.__doc__` are docstrings. If the module does not define an object,
              the class that contains it is compared, or the complete module; nothing if `?` is at
              the end of the name. `shown_objects` gives further parts: how objects are shown.
            - `lines`: the lines that each inclusion selects, as JSON: the options of Sphinx's
              directives `literalinclude` and, with `text`, `include`, or `section` and `ranges` as
              in `pymdownx.snippets`.
            - `messages`: the original texts of the messages.
            - `text`: the parser of the document, from `find_parser`.
    """

    kind: ShownKind = ShownKind.FILE
    parts: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """Return a short name; empty for the complete file."""
        if self.kind is ShownKind.FILE:
            return ""
        return _key(self.kind, self.parts)

    @property
    def objects(self) -> tuple[str, ...]:
        """The names of the objects of a Python module; empty for other files."""
        if self.kind is not ShownKind.PYTHON:
            return ()
        return tuple(part for part in self.parts if not part.startswith("{"))

    @property
    def has_digest(self) -> bool:
        """Whether versions are compared by their digests, and not in pairs."""
        return self.kind is not ShownKind.TEXT

    def digest(self, path: bytes, content: bytes) -> bytes | None:
        """Return a digest of what the page shows of a version of the file; `None` if the version
        cannot be parsed, or does not contain the parts.

        Args:
            path: The path of the file, which decides how its content is read.
            content: The content.
        """
        if self.kind is ShownKind.FILE:
            return sha256(content).digest()
        try:
            return _DIGESTS[self.kind](path, content, self.parts)
        except ValueError:
            return None

    def is_same(self, path: bytes, old: bytes, new: bytes) -> bool:
        """Return whether the page shows the same in two versions of its document.

        Args:
            path: The path of the document.
            old: The content of one version.
            new: The content of the other.
        """
        try:
            return text.is_same(path, old, new, self.parts)
        except ValueError:
            return False


@cache
def _key(kind: ShownKind, parts: tuple[str, ...]) -> str:
    digest = sha256(json.dumps(parts).encode()).hexdigest()[:32] if parts else ""
    return f"{kind}{RULES_VERSION}:{digest}"


COMPLETE_FILE = Shown()
"""The page shows the complete file."""


def selected_lines(**selection: str | int | None) -> str:
    """Return a part of a file that is shown by lines: one inclusion of the file.

    Args:
        selection: The names and values of its options, with `_` for `-`. `None` is left out.
    """
    options = {name.replace("_", "-"): value for name, value in selection.items()}
    chosen = {name: value for name, value in options.items() if value is not None}
    return json.dumps(chosen, sort_keys=True)


def shown_objects(**rules: str | bool | Sequence[str]) -> str:
    """Return a part of a Python module: how pages show its objects.

    Args:
        rules: The names and values of attributes of `docs_sitemap.shown.python.Rules`.
    """
    return json.dumps(rules, sort_keys=True)
