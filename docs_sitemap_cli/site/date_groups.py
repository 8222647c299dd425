"""Dates that are probably those of one build, and not those of changes."""

from bisect import bisect_right
from collections.abc import Sequence

# Fewer pages may have changed together.
MIN_PAGES = 5
# In seconds. No build needs longer to write its pages.
_BUILD = 600


def largest_group(dates: Sequence[int]) -> tuple[int, int]:
    """Return where the largest group of sorted dates within the time of a build starts,
    and how many dates it has.
    """
    best = (0, 0)
    for start, date in enumerate(dates):
        number = bisect_right(dates, date + _BUILD) - start
        if number > best[1]:
            best = start, number
    return best
