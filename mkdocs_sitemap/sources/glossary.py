"""Glossaries: Markdown files that only define abbreviations and links.

Often, such a file is appended to every page. Readers see only the definitions that a
page uses.
"""

import html
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

_DEFINITION = re.compile(
    r"""
    ^(?:
      (?P<term> \*\[ [^\]\n]+ \] ) [ ]? : [ ]* (?: \n[ ]* )? \S .*
    | [ ]{0,3} (?P<link> \[ (?!\^) [^\[\]\n]+ \] ): [ ]* (?: \n[ ]* )? \S+ [ ]*
      (?: (?: \n[ ]* )? (?: "[^"\n]*" | '[^'\n]*' | \( [^)\n]* \) ) [ ]* )?
    | [ ]{0,3} <!-- (?: (?! --> ) . | \n )* --> [ ]*
    )$
    """,
    re.VERBOSE | re.MULTILINE,
)
_TAG = re.compile(r"<[^>]+>")
_ABBREVIATION = re.compile(r"<abbr\b[^>]*>(.*?)</abbr>", re.DOTALL)
# How definitions start, in the HTML of a page that shows them.
_SHOWN = re.compile(r"\*?\[[^\[\]]+\]")
# The start of a definition, or the label of a link without an address.
_LABEL = re.compile(r"^[ ]{0,3}\*?\[[^\[\]]+\]:|\[([^\[\]]+)\](?!\()", re.MULTILINE)


@lru_cache(maxsize=16)  # Each page can include the same glossaries.
def find_definitions(text: str) -> Sequence[str] | None:
    """Return how the definitions in a glossary start, such as `*[HTML]`; `None` if a
    text contains anything but definitions and comments. Footnotes are shown on every
    page.
    """
    if _DEFINITION.sub("", text).strip():
        return None
    starts = []
    for match in _DEFINITION.finditer(text):
        start = match["term"] or match["link"]
        if start is not None:
            starts.append(start)
    return starts


def used_definitions(
    starts: Iterable[str], content: str, markdown: str
) -> Sequence[str]:
    """Return how the definitions start that a page uses, or shows, for example as code.

    Args:
        starts: How the definitions of a glossary start.
        content: The HTML of the page.
        markdown: The Markdown of the page, with all inserted files.
    """
    terms = set()
    for term in _ABBREVIATION.findall(content):
        terms.add(html.unescape(_TAG.sub("", term)))
    shown = set(_SHOWN.findall(content))
    labels = {_normalize(label) for label in _LABEL.findall(markdown)}
    used = []
    for start in starts:
        label = start.removeprefix("*")[1:-1]
        if start.startswith("*"):
            is_used = label.strip() in terms
        else:
            is_used = _normalize(label) in labels
        if is_used or html.escape(start, quote=False) in shown:
            used.append(start)
    return used


def _normalize(label: str) -> str:
    return " ".join(label.lower().split())
