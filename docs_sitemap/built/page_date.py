"""The date that a page shows: an HTML element, values for templates, and its place.

Whether a theme shows the date is known when a page is rendered. Until then, a token
stands for the date: in the values that themes read, and below the text. No page can
contain the token of a build, so nothing else in a page is rewritten.
"""

from __future__ import annotations

import html
import re
import secrets
from collections.abc import Callable
from datetime import UTC, datetime
from typing import NamedTuple

from docs_sitemap.sitemap.protocol import DAY_LENGTH

DATE_CLASS = "docs-sitemap-date"
"""The class of elements that show the date. They are no content of the page."""

# How comments and elements start and end in which readers see no element.
_HIDING = {
    "<!--": "-->",
    "<script": "</script",
    "<style": "</style",
    "<template": "</template",
    "<textarea": "</textarea",
    "<title": "</title",
}
# One search for all takes less time than one search for each.
_STARTS = re.compile("|".join(_HIDING))
# Values of attributes can contain `>`.
_TAG = re.compile("<(?:[^>\"']|\"[^\"]*\"|'[^']*')*>")
_TAGS = re.compile("<[^<>]*>")

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


def make_paragraph(text: str) -> str:
    """Return what is added to a page if its theme shows no date.

    Args:
        text: The HTML of the label and the date.
    """
    return f'<p class="{DATE_CLASS}"><small>{text}</small></p>'


class DateTokens(NamedTuple):
    """The tokens of a build: a number, which is the same in upper case and can be found
    fast, and a word. They contain no character that HTML escapes.

    Attributes:
        field: Stands for the date in the values that themes read.
        below: Stands for the paragraph below the text.
    """

    field: str
    below: str


def make_tokens() -> DateTokens:
    """Return new random tokens."""
    number = secrets.randbits(128)
    return DateTokens(f"{number}-field", f"{number}-below")


class PlacedDate(NamedTuple):
    """A page that was rendered with tokens, with its date in their place.

    Attributes:
        page: The page.
        theme_shows: Whether its theme shows the date.
        shows_date: Whether the page shows the date, there or below the text.
    """

    page: str
    theme_shows: bool
    shows_date: bool


def place_date(
    page: str, tokens: DateTokens, element: str, paragraph: str
) -> PlacedDate:
    """Show the date where the theme does so, or below the text of the page.

    Args:
        page: The rendered page, with tokens.
        tokens: The tokens of the build.
        element: The HTML of the date.
        paragraph: What is added below the text if the theme shows no date.
    """
    page, theme_shows = _replace(page, tokens.field, element, plain_text(element))
    if theme_shows:
        return PlacedDate(page.replace(tokens.below, ""), True, True)
    page, has_text = _replace(page, tokens.below, paragraph, "")
    return PlacedDate(page, False, has_text)


def _replace(page: str, token: str, in_text: str, elsewhere: str) -> tuple[str, bool]:
    """Replace a token, and return whether it was in the text of the page."""
    parts = []
    end = 0
    is_in_text = False
    number, word = token.split("-")
    start = page.find(number)  # Patterns are much slower.
    if start == -1:
        return page, False
    # A template may change the case.
    pattern = re.compile(f"{number}-(?i:{word})")
    for match in pattern.finditer(page, start):
        parts.append(page[end : match.start()])
        if is_text(page, match.start()):
            parts.append(in_text)
            is_in_text = True
        else:
            parts.append(elsewhere)
        end = match.end()
    parts.append(page[end:])
    return "".join(parts), is_in_text


def is_text(page: str, position: int) -> bool:
    """Whether readers see an element at a position: not in a tag, a comment, a script,
    or the title.
    """
    tag = page.rfind("<", 0, position)
    if tag != -1 and _TAG.match(page, tag, position) is None:
        return False
    for start in set(_STARTS.findall(page, 0, position)):
        last = page.rfind(start, 0, position)
        if page.find(_HIDING[start], last, position) == -1:
            return False
    return True


def plain_text(element: str) -> str:
    """Return the escaped text of HTML, for places where no element can be."""
    return _TAGS.sub("", element)
