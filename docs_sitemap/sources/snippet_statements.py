"""The statements of `pymdownx.snippets`, such as `--8<-- "file.md:3:8"`, and what a
page shows of the files that they insert.

Source: <https://facelessuser.github.io/pymdown-extensions/extensions/snippets/>.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from docs_sitemap.page import Source
from docs_sitemap.shown import Shown, ShownKind, selected_lines
from docs_sitemap.tools.files import read_text_file

from .included_text import Selection, included_files
from .shown_definitions import shown_definitions

MARKER = "8<-"
"""A text in each statement."""

# A marker with a path in quotes, or alone, above and below paths without quotes.
_STATEMENT = re.compile(
    r"[ \t]*(?P<escape>;*)-+8<-+"
    r"(?:[ \t]+(?P<quoted>\"(?:\\\"|[^\"\n\r])+\"|'(?:\\'|[^'\n\r])+'))?\r?"
)

# What selects lines, after the last colon or after several, as in `:1:3,5:`.
_SECTION = re.compile(r"[a-z][-\w]*", re.I)
_RANGES = "-0123456789:,"


class Statement(NamedTuple):
    """A statement that inserts a file.

    Attributes:
        line: The number of its line, from 0.
        name: The path of the file, as it is written.
        selection: What selects lines of it.
    """

    line: int
    name: str
    selection: Selection


def read_statements(lines: Iterable[str]) -> Iterator[Statement]:
    """Yield the statements in some lines: one in each line, or paths between two lines
    with only a marker.
    """
    is_block = False
    for index, line in enumerate(lines):
        match = _STATEMENT.fullmatch(line) if MARKER in line else None
        if match is None and is_block:
            path = line.strip()
            if path and not path.startswith(";"):
                yield Statement(index, *_parse(path))
        elif match is not None and match["escape"]:
            continue
        elif match is not None and match["quoted"] is None:
            is_block = not is_block
        elif match is not None and not is_block:
            yield Statement(index, *_parse(match["quoted"][1:-1].strip()))


def _parse(statement: str) -> tuple[str, Selection]:
    """Return the path in a statement, and what selects lines."""
    name, colon, section = statement.rpartition(":")
    if colon and _SECTION.fullmatch(section):
        return name.strip(), {"section": section}
    end = len(statement.rstrip(_RANGES))
    name, _, ranges = statement[end:].partition(":")
    name = statement[:end] + name
    return name.strip(), {"ranges": ranges} if ranges else {}


def snippet_sources(
    inserted: Iterable[tuple[str, Selection]], texts: Sequence[str], html: str
) -> Iterator[Source]:
    """Yield what a page shows of the files that it inserts: their text, or the
    definitions that it uses of a glossary.

    Args:
        inserted: The path of each file, and what selects lines of it.
        texts: The text of the page, and what it inserts of each file.
        html: The HTML of the page.

    Raises:
        OSError: A file cannot be read.
    """
    files = []
    for path, selection in inserted:
        definitions = None
        if not selection:
            definitions = shown_definitions(read_text_file(path), texts, html)
        if definitions is None:
            files.append((path, selection))
        elif definitions:
            parts = [selected_lines(definition=start) for start in definitions]
            yield Source(path, shows=Shown(ShownKind.LINES, tuple(parts)))
    yield from included_files(files, texts)
