"""W3C datetimes: <https://www.w3.org/TR/NOTE-datetime>."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone

_FORM = re.compile(
    r"""(?P<year>[0-9]{4}) (?: -(?P<month>[0-9]{2}) (?: -(?P<day>[0-9]{2})
        (?: T (?P<hour>[0-9]{2}):(?P<minute>[0-9]{2}) (?: :(?P<second>[0-9]{2}) (?:\.[0-9]+)? )?
            (?P<zone> Z | (?P<sign>[+-]) (?P<hours>[0-9]{2}):(?P<minutes>[0-9]{2}) )? )? )? )?""",
    re.X,
)
# https://www.w3.org/TR/xmlschema-2/#dateTime-timezones
_MAX_ZONE = timedelta(hours=14)


def parse_datetime(text: str) -> tuple[datetime, bool]:
    """Return the moment, or the first one of the day, month or year, in UTC; and whether the
    text is in a form that the protocol's schema has, too: a day, or a time with its seconds.

    Raises:
        ValueError: it is no W3C datetime; the message says why.
    """
    found = _FORM.fullmatch(text)
    if found is None:
        raise ValueError("it is not of the form 2026-05-31 or 2026-05-31T08:30:00+00:00")
    part = found.groupdict()
    if part["hour"] is not None and part["zone"] is None:
        raise ValueError("it has a time without a time zone")
    names = ("year", "month", "day", "hour", "minute", "second")
    numbers = [int(part[name] or (name in ("month", "day"))) for name in names]
    zone = timedelta(hours=int(part["hours"] or 0), minutes=int(part["minutes"] or 0))
    if int(part["minutes"] or 0) > 59 or zone > _MAX_ZONE:
        raise ValueError(f"there is no time zone {part['zone']}")
    try:
        moment = datetime(*numbers, tzinfo=timezone(-zone if part["sign"] == "-" else zone))  # type: ignore[arg-type, misc]
    except ValueError as error:
        raise ValueError(f"there is no such date ({error})") from None
    in_schema = part["second"] is not None or (part["day"] is not None and part["hour"] is None)
    try:
        return moment.astimezone(UTC), in_schema
    except OverflowError:  # at the ends of the calendar
        return moment.replace(tzinfo=UTC), in_schema
