"""What a page shows of a source file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from docs_sitemap.diagnostics import Described

if TYPE_CHECKING:
    from .shown_objects import ShownObject

RULES_VERSION = 14
"""The version of all rules for what pages show. Cached dates of other versions are not
used.
"""

# The documents that have a text.
DOCUMENT_SUFFIXES = (".md", ".markdown", ".rst")


class ShownKind(Described):
    """What a page shows of a source file. Other changes to the file do not date the
    page.
    """

    FILE = "file", "dated by what readers see"
    PYTHON = "python", "dated by its documentation"
    LINES = "lines", "dated by the part that the page uses"
    MESSAGES = "messages", "dated by the translations of the page"
    TEXT = "text", "dated by its text"


class Shown(NamedTuple):
    """What a page shows of a source file.

    Attributes:
        kind: What the page shows.
        parts: The parts of the file that the page shows:

            - `lines`: the lines that each inclusion selects, from `selected_lines`.
            - `messages`: the suffix of the document, and the original texts of its
              messages.
            - `text`: the same, if the document is translated.
        objects: For `python`, the objects that the page shows.
        end: For `text`, the separator below the excerpt that the page shows; empty for
            the complete document.
    """

    kind: ShownKind = ShownKind.FILE
    parts: tuple[str, ...] = ()
    objects: tuple[ShownObject, ...] = ()
    end: str = ""

    @property
    def name(self) -> str:
        """Return a short name; empty for the complete file."""
        if self.kind is ShownKind.FILE:
            return ""
        return _name(self.kind, self.parts, self.objects, self.end)

    @property
    def with_every_change(self) -> Shown:
        """The same, with every change to texts, as in `git log`."""
        if self.kind is ShownKind.TEXT and not self.end:
            return COMPLETE_FILE
        if self.kind is not ShownKind.LINES:
            return self
        parts = []
        for part in self.parts:
            selection = json.loads(part)
            selection.pop("notation", None)
            if not selection:
                return COMPLETE_FILE
            parts.append(json.dumps(selection, sort_keys=True))
        return self._replace(parts=tuple(parts))

    def digest(self, content: bytes) -> bytes | None:
        """Return a digest of the lines that the page shows of a version of the file;
        `None` if it does not contain them.
        """
        from . import lines

        try:
            return lines.digest(content, self.parts)
        except ValueError:
            return None

    def changed_keys(
        self,
        path: bytes,
        old: bytes,
        new: bytes,
        replaced: Mapping[str, str] = MappingProxyType({}),
    ) -> set[str] | None:
        """Return the keys of front matter that differ in two versions of the file;
        `None` if the page shows another change.

        Args:
            path: The path of the file.
            old: The content of one version.
            new: The content of the other.
            replaced: The messages of the old version that some of the new one replace,
                with the same translations.
        """
        # Builds load only what they compare.
        try:
            match self.kind:
                case ShownKind.FILE:
                    return None
                case ShownKind.TEXT:
                    from . import documents

                    if self.end:
                        old, _, _ = old.partition(self.end.encode())
                        new, _, _ = new.partition(self.end.encode())
                    unchanged = set(self.parts[1:]).difference(replaced)
                    if unchanged:
                        from . import messages

                        if not messages.keeps_messages(old, new, unchanged):
                            return None
                    return documents.changed_keys(path, old, new, replaced)
                case ShownKind.MESSAGES:
                    from . import messages

                    is_same = messages.show_same(old, new, self.parts, {})
                case ShownKind.PYTHON:
                    from . import python

                    is_same = python.shows_same(old, new, self.objects)
                case ShownKind.LINES:
                    from . import lines

                    digest = lines.digest(old, self.parts)
                    is_same = digest == lines.digest(new, self.parts)
        except ValueError:
            return None
        return set() if is_same else None

    def find_replaced(self, old: bytes, new: bytes, document: bytes) -> dict[str, str]:
        """Return which messages of a catalog replace which: for each new one, the old
        one with the same translation.

        Args:
            old: The content of one version of the catalog.
            new: The content of the other.
            document: The content of the old version of the document.
        """
        from . import messages

        try:
            return messages.find_replaced(old, new, self.parts, document)
        except ValueError:
            return {}


@cache
def _name(kind: ShownKind, *parts: object) -> str:
    digest = sha256(json.dumps(parts).encode()).hexdigest()[:32]
    return f"{kind}{RULES_VERSION}:{digest}"


COMPLETE_FILE = Shown()
"""The page shows the complete file."""

PRESENCE = Shown(ShownKind.LINES)
"""The page shows only that the file exists, for example in a list of modules."""


def selected_lines(**selection: str | int | None) -> str:
    """Return a part of a file that is shown by lines: one inclusion of the file.

    Args:
        selection: The names and values of its options, with `_` for `-`; `None` is left
            out. These are the options of Sphinx's directives `literalinclude` and, with
            `text`, `include`; `section` and `ranges` as in `pymdownx.snippets`;
            `start` and `end` as in mkdocs-include-markdown; `definition`, how a
            definition in a glossary starts, such as `*[HTML]`; `author`, an entry in a
            file of authors, and a `field` of it; `entry`, the full name of an object in
            a table of autosummary; or `functions`, the names of functions whose code
            runs. Without any, all lines are shown. `notation` is how the page reads the
            lines: `.md` or `.rst`, `myst` for `.md` without front matter, or `code`. If
            it is unknown, every change counts.
    """
    chosen = {}
    for name, value in selection.items():
        if value is not None:
            chosen[name.replace("_", "-")] = value
    return json.dumps(chosen, sort_keys=True)
