"""The date that a page shows: an HTML element, and values for templates."""

from __future__ import annotations

import html
from collections.abc import Callable
from datetime import UTC, datetime
from typing import NamedTuple

from docs_sitemap.sitemap.protocol import DAY_LENGTH

DATE_CLASS = "docs-sitemap-date"
"""The class of elements that show the date. They are no content of the page."""

FormatDate = Callable[[datetime], str]
"""Returns a date in the language of a page."""


class PageDate(NamedTuple):
    """The date that a page shows.

    Attributes:
        text: The date in the language of the page.
        day: The day, as in 2026-05-31.
        timestamp: The date as in the sitemap: a W3C datetime.
    """

    text: str
    day: str
    timestamp: str

    @property
    def element(self) -> str:
        """The HTML element that shows the date to people and programs.

        Source:
        <https://html.spec.whatwg.org/multipage/text-level-semantics.html#the-time-element>.
        """
        text = html.escape(self.text)
        return f'<time class="{DATE_CLASS}" datetime="{self.timestamp}">{text}</time>'

    @property
    def meta(self) -> str:
        """The element for the head of the page: <https://ogp.me/#type_article>."""
        return f'<meta property="article:modified_time" content="{self.timestamp}" />'


def make_page_date(lastmod: str | None, format_date: FormatDate) -> PageDate | None:
    """Return the date that a page shows; `None` if it is not a complete date.

    Args:
        lastmod: The W3C datetime; `None` if the page has no date.
        format_date: Returns the date in the language of the page.
    """
    if lastmod is None:
        return None
    try:
        timestamp = datetime.fromisoformat(lastmod)
    except ValueError:
        return None
    if timestamp.tzinfo is None:  # It is only a day.
        timestamp = timestamp.replace(tzinfo=UTC)
    return PageDate(format_date(timestamp), lastmod[:DAY_LENGTH], lastmod)


def make_paragraph(element: str) -> str:
    """Return what is added to a page if its theme shows no date.

    Args:
        element: The HTML of the date.
    """
    return f'<p class="{DATE_CLASS}"><small>{element}</small></p>'
