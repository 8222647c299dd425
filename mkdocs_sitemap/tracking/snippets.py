"""`pymdownx.snippets`: the lines that a page inserts from a file."""

from __future__ import annotations

import re
from collections.abc import Iterable
from types import FrameType

from docs_sitemap import COMPLETE_FILE, Shown, ShownKind, selected_lines

# The end of the path in a statement such as `--8<-- "file.py:section"` or `file.py:1:9,12:15`:
# https://facelessuser.github.io/pymdown-extensions/extensions/snippets/#snippet-lines
_SELECTION = re.compile(
    r""":(?:(?P<ranges>-?[\d:][-\d:,]*)|(?P<section>[a-z][-\w]*))["']?\s*\Z""", re.I
)


def find_statement(reader: FrameType) -> str:
    """Return the line of Markdown that inserts the file that the extension opens; an empty string
    for other code.

    Args:
        reader: The frame of the code that opens the file.
    """
    for frame in (reader, reader.f_back):
        if frame is not None and frame.f_code.co_name == "parse_snippets":
            line = frame.f_locals.get("line")
            return line.strip() if isinstance(line, str) else ""
    return ""


def view_of(statements: Iterable[str]) -> Shown:
    """Return what a page shows of a file.

    Args:
        statements: The lines that insert the file into the page.
    """
    parts = set()
    for statement in statements:
        selection = _SELECTION.search(statement)
        if selection is None:
            return COMPLETE_FILE
        parts.add(selected_lines(**selection.groupdict()))
    return Shown(ShownKind.LINES, tuple(sorted(parts)))
