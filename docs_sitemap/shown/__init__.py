"""What a page shows of a source file."""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256


class ShownKind(StrEnum):
    """Which changes of a source file count for a page."""

    FILE = "file"
    PYTHON = "python"
    LINES = "lines"
    MESSAGES = "messages"
    TEXT = "text"

    @property
    def meaning(self) -> str:
        """Return one line for people."""
        return _MEANINGS[self]

    @property
    def other_changes(self) -> str:
        """Return what a commit that does not count changed."""
        return _OTHER_CHANGES[self]


_MEANINGS = {
    ShownKind.FILE: "any change counts",
    ShownKind.PYTHON: "only changes that its documentation can show count",
    ShownKind.LINES: "only changes to the lines that the page shows count",
    ShownKind.MESSAGES: "only changes to translations of the page count",
    ShownKind.TEXT: "only changes to its text count",
}

_OTHER_CHANGES = {
    ShownKind.FILE: "nothing",
    ShownKind.PYTHON: "only code that the page does not show",
    ShownKind.LINES: "only lines that the page does not show",
    ShownKind.MESSAGES: "no translation of the page",
    ShownKind.TEXT: "only white space, comments, or front matter",
}


@dataclass(frozen=True, slots=True)
class Shown:
    """What a page shows of a source file.

    Attributes:
        kind: Which changes count.
        parts: The parts of the file that the page shows; empty if it shows all of them:

            - `python`: the objects, named from the module on, such as `Class.method`, or `__doc__`
              and `Class.__doc__` for docstrings. With `?` at the end, the object need not be
              defined: only adding and removing it count. An empty name stands for the complete
              module, to which names that it imports can be added.
            - `lines`: the lines that each inclusion selects, as JSON: the options of Sphinx's
              directives `literalinclude` and `include`, `section` and `ranges` as in
              `pymdownx.snippets`, `imported` for the imports of a name in a Python file, or
              `definition` for the start of a definition in Markdown, such
              as `*[HTML]`.
            - `messages`: the original texts of the messages.
    """

    kind: ShownKind = ShownKind.FILE
    parts: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """Return a short name; empty if any change counts."""
        if self.kind is ShownKind.FILE:
            return ""
        digest = sha256(json.dumps(self.parts).encode()).hexdigest()[:32] if self.parts else ""
        return f"{self.kind}:{digest}"


COMPLETE_FILE = Shown()
"""Any change counts."""


def selected_lines(**selection: str | int | None) -> str:
    """Return a part of a view in which lines count: one inclusion of a file.

    Args:
        selection: The names and values of its options, with `_` for `-`. `None` is left out.
    """
    options = {name.replace("_", "-"): value for name, value in selection.items()}
    chosen = {name: value for name, value in options.items() if value is not None}
    return json.dumps(chosen, sort_keys=True)
