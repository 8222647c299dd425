"""Slugs with meanings: the words of reports, options, and diagnostics."""

from enum import StrEnum
from typing import Self


class Described(StrEnum):
    """A set of slugs, each with its meaning in one line for people. It names an option
    as `{lastmod}`: `OptionNames.describe` writes what the reader types.
    """

    meaning: str

    def __new__(cls, slug: str, meaning: str = "") -> Self:
        member = str.__new__(cls, slug)
        member._value_ = slug
        member.meaning = meaning
        return member
