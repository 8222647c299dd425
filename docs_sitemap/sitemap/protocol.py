"""The sitemap protocol 0.9: namespaces, limits, and the elements with their values.

Source: <https://www.sitemaps.org/protocol.html>.
"""

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

# https://www.sitemaps.org/protocol.html#xmlTagDefinitions
SITEMAP_NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
XHTML_NAMESPACE = "http://www.w3.org/1999/xhtml"

# https://www.sitemaps.org/protocol.html#index: the limits of one file before
# compression. They apply to the URLs of a sitemap and to the sitemaps of an index.
MAX_ENTRIES = 50_000
MAX_BYTES = 52_428_800

# https://www.sitemaps.org/protocol.html#xmlTagDefinitions: "must be less than 2,048
# characters".
MAX_LOC_LENGTH = 2_047

# The number of characters of the day at the start of a W3C datetime: `2026-05-31`.
DAY_LENGTH = 10


class Alternate(NamedTuple):
    """The same page in another language: `<xhtml:link rel="alternate">`.

    Source:
    <https://developers.google.com/search/docs/specialty/international/localized-versions>.
    """

    hreflang: str
    href: str


@dataclass(frozen=True, slots=True)
class Url:
    """One `<url>` of a sitemap, or one `<sitemap>` of an index. Values are text, not
    yet escaped.

    Source: <https://www.sitemaps.org/protocol.html#xmlTagDefinitions>.
    """

    loc: str
    lastmod: str | None = None
    changefreq: str | None = None
    priority: str | None = None
    alternates: tuple[Alternate, ...] = ()


class ChangeFreq(StrEnum):
    """How often a page is likely to change.

    Source: <https://www.sitemaps.org/protocol.html#changefreqdef>.
    """

    ALWAYS = "always"
    HOURLY = "hourly"
    DAILY = "daily"
    WEEKLY = "weekly"
    MONTHLY = "monthly"
    YEARLY = "yearly"
    NEVER = "never"


def is_alternate(attributes: Mapping[str, str]) -> bool:
    """Return whether an `<xhtml:link>` is about a language. Links to feeds and mobile
    pages are not.
    """
    return "alternate" in link_relations(attributes) and "hreflang" in attributes


def link_relations(attributes: Mapping[str, str]) -> list[str]:
    """Return what an `<xhtml:link>` is for, in lower case."""
    return attributes.get("rel", "").lower().split()


def format_lastmod(value: date | datetime, *, date_only: bool = False) -> str:
    """Return the W3C datetime of a day, or of a timestamp in UTC.

    Source: <https://www.w3.org/TR/NOTE-datetime>.
    """
    if not isinstance(value, datetime):
        return value.isoformat()
    if date_only:
        return value.date().isoformat()
    return value.isoformat(timespec="seconds")


_DECIMAL = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)")


def is_priority(text: str) -> bool:
    """Return whether a text is a number from 0.0 to 1.0."""
    return bool(_DECIMAL.fullmatch(text)) and 0.0 <= float(text) <= 1.0


def part_name(filename: str, number: int) -> str:
    """Return the name of one part of a split sitemap: `sitemap-1.xml` and so on."""
    return f"{filename.removesuffix('.xml')}-{number}.xml"


def is_part_name(filename: str, name: str) -> bool:
    """Return whether a part of a split sitemap could have this name."""
    stem = re.escape(filename.removesuffix(".xml"))
    return re.fullmatch(rf"{stem}-[1-9][0-9]*\.xml", name) is not None


_W3C_DATETIME = r"""(?x)
    [0-9]{4} (?: -[0-9]{2} (?P<day> -[0-9]{2}
    (?: T (?:[01][0-9]|2[0-3]):[0-9]{2} (?: :[0-9]{2}(?:\.[0-9]+)? )?
        (?: Z | [+-](?: (?:0[0-9]|1[0-3]):[0-5][0-9] | 14:00 ) ) )? )? )?"""


# Several rules read the same date, and many pages of a site have equal dates.
@lru_cache(maxsize=1_024)
def parse_w3c_datetime(text: str) -> datetime:
    """Parse a W3C datetime.

    Source: <https://www.w3.org/TR/NOTE-datetime>.

    Returns:
        The timestamp in UTC: the first one of a day, month, or year.

    Raises:
        ValueError: The text is not a W3C datetime. The message is the reason.
    """
    match = re.fullmatch(_W3C_DATETIME, text)
    if match is None:
        raise ValueError(
            "it is neither a date such as 2026-05-31 nor a time with its zone such "
            "as 2026-05-31T08:30:00+00:00"
        )
    if not match["day"]:
        text = f"{text}-01-01"[: len("2026-05-31")]
    try:
        timestamp = datetime.fromisoformat(text)
    except ValueError as error:
        raise ValueError(f"the date does not exist ({error})") from None
    with suppress(OverflowError):  # the first or last day of the calendar
        if timestamp.tzinfo is not None:
            timestamp = timestamp.astimezone(UTC)
    return timestamp.replace(tzinfo=UTC)
