"""Checks of the values that users write, in options and on pages, into the protocol's types.

Each check returns the value in its one normal form, or raises `ValueError` with a message
that says what is allowed.
"""

from __future__ import annotations

import math
import reprlib
from collections.abc import Callable
from datetime import UTC, date, datetime
from enum import StrEnum
from pathlib import PurePath
from typing import TypeVar

from docs_sitemap.model import OVERRULABLE, ChangeFreq, LastmodFormat, Reason

_Choice = TypeVar("_Choice", bound=StrEnum)

_REPR = reprlib.Repr()
_REPR.maxlevel = 1
_REPR.maxstring = _REPR.maxother = 80


def shown(value: object) -> str:
    """Return the value for a message: short, whatever it is (YAML can make a few bytes huge)."""
    try:
        return _REPR.repr(value)
    except ValueError:  # an integer of more than 4,300 digits
        return f"<{type(value).__name__}>"


# The words of YAML 1.1, and the numbers that MkDocs' `!ENV [NAME, true]` can give: metadata that
# is not YAML (docinfo fields, MultiMarkdown) arrives as text.
_BOOLEANS = dict.fromkeys(("true", "yes", "on", "1"), True) | dict.fromkeys(
    ("false", "no", "off", "0"), False
)


def check_bool(value: object) -> bool:
    if isinstance(value, (bool, str)) or value in (0, 1):
        word = str(value).strip().lower()
        if word in _BOOLEANS:
            return _BOOLEANS[word]
    raise ValueError(f"{shown(value)} is not true or false")


def check_choice(choices: type[_Choice]) -> Callable[[object], _Choice]:
    def check(value: object) -> _Choice:
        if isinstance(value, str) and value in {*choices}:
            return choices(value)
        raise ValueError(f"{shown(value)} is not one of {', '.join(choices)}")

    return check


check_changefreq = check_choice(ChangeFreq)


def check_priority(value: object) -> float:
    try:
        number = math.nan if isinstance(value, bool) else float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not 0.0 <= number <= 1.0:
        raise ValueError(f"{shown(value)} is not a number from 0.0 to 1.0")
    return abs(number)  # no -0.0


def check_lastmod(value: object) -> date | datetime:
    """Accept a day, or a moment; a moment without a zone is UTC, as YAML has it."""
    parsed = _parse_lastmod(value) if isinstance(value, str) else value
    if isinstance(parsed, datetime):
        try:
            return (parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)).astimezone(UTC)
        except OverflowError:
            pass
    elif isinstance(parsed, date):
        return parsed
    raise ValueError(
        f"{shown(value)} is not a date (2026-05-31) or a time (2026-05-31T08:30:00+00:00)"
    )


def _parse_lastmod(text: str) -> object:
    for parse in (date.fromisoformat, datetime.fromisoformat):
        try:
            return parse(text.strip())
        except ValueError:
            pass
    return text


def check_texts(value: object, what: str) -> tuple[str, ...]:
    """Accept one text or several, none of them empty; `what` they are is for the message."""
    texts = (value,) if isinstance(value, str) else value
    if not isinstance(texts, (list, tuple)) or not all(
        isinstance(text, str) and text for text in texts
    ):
        raise ValueError(f"{shown(value)} is not a list of {what}")
    return tuple(texts)


def check_reasons(value: object) -> tuple[Reason, ...]:
    what = ", ".join(OVERRULABLE)
    reasons = check_texts(value, what)
    if not {*OVERRULABLE}.issuperset(reasons):
        raise ValueError(f"{shown(value)} is not a list of {what}")
    return tuple(Reason(reason) for reason in reasons)


def check_patterns(value: object) -> tuple[str, ...]:
    return check_texts(value, "patterns such as 'drafts/*'")


def check_files(value: object) -> tuple[str, ...]:
    what = "relative paths such as 'src/**/*.py'"
    patterns = check_texts(value, what)
    if any(PurePath(pattern).anchor for pattern in patterns):
        raise ValueError(f"{shown(value)} is not a list of {what}")
    return patterns


def lastmod_text(value: date | datetime, form: LastmodFormat = LastmodFormat.DATETIME) -> str:
    """The W3C Datetime of a day, or of a moment in UTC: <https://www.w3.org/TR/NOTE-datetime>."""
    if not isinstance(value, datetime):
        return value.isoformat()
    if form is LastmodFormat.DATE:
        return value.date().isoformat()
    return value.isoformat(timespec="seconds")


def priority_text(value: float) -> str:
    """The priority as an XML decimal, which knows no exponents."""
    return str(round(value, 3))
