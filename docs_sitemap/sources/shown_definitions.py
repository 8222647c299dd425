"""The definitions of a glossary, such as abbreviations, that a page shows."""

import html
import re
from collections.abc import Iterable, Iterator, Set
from functools import lru_cache

from docs_sitemap.shown.glossaries import (
    definition_name,
    find_definitions,
    is_glossary,
)

_TAG = re.compile(r"<[^>]+>")
_ABBREVIATION = re.compile(r"<abbr\b[^>]*>(.*?)</abbr>", re.DOTALL)
# How definitions start, in the HTML of a page that shows them.
_SHOWN = re.compile(r"\*?\[[^\[\]]+\]")
# The start of a definition, or the label of a link without an address.
_LABEL = re.compile(r"^[ ]{0,3}\*?\[[^\[\]]+\]:|\[([^\[\]]+)\](?!\()", re.MULTILINE)


def shown_definitions(
    text: str, texts: Iterable[str], content: str
) -> list[str] | None:
    """Return how the definitions in a glossary start that a page uses or shows; `None`
    if the file is not a glossary, or if the page shows all of it, for example in HTML.

    Args:
        text: The text of the file.
        texts: The Markdown of the page, with all inserted files.
        content: The HTML of the page.
    """
    if not is_glossary(text):
        return None
    shown = set(map(html.unescape, _SHOWN.findall(content)))
    definitions = find_definitions(text).values()
    if all(item.start in shown for item in definitions):
        return None
    return sorted(_used_definitions(text, shown, content, texts))


def _used_definitions(
    glossary: str, shown: Set[str], content: str, texts: Iterable[str]
) -> Iterator[str]:
    """Yield how the definitions start that a page uses, or shows, for example as code.

    Args:
        glossary: The text of a glossary.
        shown: How definitions start that the page shows.
        content: The HTML of the page.
        texts: The Markdown of the page, with all inserted files.
    """
    terms = set()
    for term in _ABBREVIATION.findall(content):
        terms.add(html.unescape(_TAG.sub("", term)))
    labels = set[str]().union(*map(_find_labels, texts))
    for name, definition in find_definitions(glossary).items():
        start = definition.start
        is_used = name in labels
        if start.startswith("*"):
            is_used = start[2:-1].strip() in terms
        if is_used or start in shown:
            yield start


@lru_cache(maxsize=16)  # Each page can include the same glossaries.
def _find_labels(text: str) -> Set[str]:
    """Return the names to which the links in a text refer."""
    return {definition_name(label) for label in _LABEL.findall(text)}
