"""Text for messages: always one printable line, however long or hostile the input."""

from __future__ import annotations

import reprlib
from collections.abc import Sequence

_MAX_SHOWN = 80

_REPR = reprlib.Repr()
_REPR.maxlevel = 1
_REPR.maxstring = _REPR.maxother = _MAX_SHOWN


def printable(line: str) -> str:
    """Escape line breaks and terminal control codes, which file names may contain."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in line)


def shorten(text: str) -> str:
    """Quote a text of any length for a message."""
    return repr(text if len(text) <= _MAX_SHOWN else f"{text[: _MAX_SHOWN - 1]}…")


def shorten_value(value: object) -> str:
    """Return a short representation of any value. A few bytes of YAML can make a huge one."""
    try:
        return _REPR.repr(value)
    except ValueError:  # an integer with more than 4,300 digits
        return f"<{type(value).__name__}>"


def join_some(names: Sequence[str], limit: int) -> str:
    """Join the first names with commas, and count the rest."""
    rest = f" and {len(names) - limit:,} more" if len(names) > limit else ""
    return f"{', '.join(names[:limit])}{rest}"


def count(number: int, noun: str) -> str:
    """Return a number and its noun: `1 page`, `2,000 pages`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
