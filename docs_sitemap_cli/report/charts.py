"""What the charts of a report show."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import NamedTuple

from .pages import BANDS, ReportedPage, find_band

# In years: fewer bars are no chart, and more are too narrow for their numbers.
_MIN_YEARS = 3
_MAX_YEARS = 6


class Bar(NamedTuple):
    """The pages that last changed in a quarter.

    Attributes:
        quarter: The quarter, such as `2026-Q1`.
        bands: The number of pages in each of `BANDS`.
        has_earlier: Whether the pages of all earlier quarters are among them.
    """

    quarter: str
    bands: list[int]
    has_earlier: bool


def count_by_quarter(pages: Sequence[ReportedPage], today: date) -> list[Bar]:
    """Return a bar for each quarter of the last years, also for those without pages."""
    days = [page.day for page in pages if page.day is not None]
    oldest = min(days, default=today)
    year = max(
        min(oldest.year, today.year - _MIN_YEARS + 1),
        today.year - _MAX_YEARS + 1,
    )
    first = 4 * year
    last = quarter_of(today)
    counts = [[0] * len(BANDS) for _ in range(first, last + 1)]
    for page in pages:
        if page.day is not None:
            # The front matter of a page may contain a day in the future.
            quarter = min(max(first, quarter_of(page.day)), last)
            counts[quarter - first][find_band(page.age)] += 1
    bars = []
    for number, bands in enumerate(counts, first):
        has_earlier = number == first and oldest.year < year
        bars.append(Bar(name_quarter(number), bands, has_earlier))
    return bars


def quarter_of(day: date) -> int:
    """Return the number of quarters from year 0 to a day."""
    return 4 * day.year + (day.month - 1) // 3


def name_quarter(number: int) -> str:
    """Return the name of a quarter by its number, such as `2026-Q1`."""
    return f"{number // 4:04}-Q{number % 4 + 1}"


def group_by_year(months: Mapping[str, int]) -> dict[str, list[int]]:
    """Return the numbers of the twelve months of each year that has any, the newest
    year first.

    Args:
        months: The numbers by month, such as `2026-05`.
    """
    years: dict[str, list[int]] = {}
    for month in sorted(months, reverse=True):
        year, _, number = month.partition("-")
        years.setdefault(year, [0] * 12)[int(number) - 1] = months[month]
    return years
