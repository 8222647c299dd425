"""The values of options that are more than text, numbers, and booleans."""

from enum import StrEnum
from typing import NamedTuple

from docs_sitemap.sitemap.protocol import ChangeFreq


class DateFormat(StrEnum):
    """How much of a timestamp is written."""

    DATETIME = "datetime"
    DATE = "date"


class LastmodChanges(StrEnum):
    """Which changes to the document of a page give it a new date."""

    ANY = "any"
    TEXT = "text"


class ShallowAction(StrEnum):
    """What to do if a shallow clone does not contain the commits of some pages."""

    WARN = "warn"
    FETCH = "fetch"
    ERROR = "error"


class Locale(NamedTuple):
    """One language of a site.

    Attributes:
        code: The name of the language in the generator.
        path: The percent-encoded folder of the language in URLs; empty for the root of
            the site, and `None` for a folder that is named after the code.
        hreflang: The language tag.
    """

    code: str
    path: str | None
    hreflang: str


class Rule(NamedTuple):
    """The values of all pages that match a pattern, unless a page sets its own.

    Attributes:
        match: The patterns.
        changefreq: The change frequency; `None` to use the value of the site.
        priority: The priority from 0.0 to 1.0; `None` to use the value of the site.
    """

    match: tuple[str, ...]
    changefreq: ChangeFreq | None = None
    priority: float | None = None
