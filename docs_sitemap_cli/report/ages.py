"""Ages in days: how they are written on the command line, and how people say them."""

import re
from bisect import bisect_right

import click

from docs_sitemap.tools.printing import count

BANDS = (
    "under 6 months",
    "6 to 12 months",
    "1 to 2 years",
    "2 years or older",
    "no date",
)
"""The groups of pages in charts, the newest first."""

# The ages in days at which the second band and the next ones start.
_STARTS = (183, 365, 730)

_UNITS = {"d": 1.0, "w": 7.0, "mo": 365 / 12, "y": 365.0}
_AGE = re.compile("([0-9]{1,5})(d|w|mo|y)")


def parse_age_option(
    ctx: click.Context, param: click.Parameter, value: str | None
) -> int | None:
    """Return the value of an option such as `--older-than` in days."""
    if value is None:
        return None
    match = _AGE.fullmatch(value)
    if match is None:
        raise click.BadParameter(
            f"{value!r} is not an age. Fix: write a number and its unit: 90d for "
            "days, 8w for weeks, 18mo for months, or 2y for years"
        )
    return round(int(match[1]) * _UNITS[match[2]])


def format_age(days: int) -> str:
    """Return an age for people: in days below two months, in months below two years."""
    months = days * 12 // 365
    if months < 2:
        return count(days, "day")
    if months < 24:
        return count(months, "month")
    return count(days // 365, "year")


def find_band(days: int | None) -> int:
    """Return the index in `BANDS` of an age; `None` is a page without a date."""
    if days is None:
        return len(BANDS) - 1
    return bisect_right(_STARTS, days)
