"""Glossaries: Markdown files that only define abbreviations and links.

Often, such a file is appended to every page. Readers see only the definitions that a page uses.
"""

import html
import re
from collections.abc import Sequence

_DEFINITION = re.compile(
    r"""
      (?P<term> \*\[ [^\]\n]+ \] ) [ ]? : [ ]* (?: \n[ ]* )? \S .*
    | [ ]{0,3} (?P<link> \[ (?!\^) [^\[\]\n]+ \] ): [ ]* (?: \n[ ]* )? \S+ [ ]*
      (?: (?: \n[ ]* )? (?: "[^"\n]*" | '[^'\n]*' | \( [^)\n]* \) ) [ ]* )?
    | [ ]{0,3} (?P<comment> <!-- ) (?: (?! --> ) . | \n )* --> [ ]*
    | [ \t]*
    """,
    re.VERBOSE,
)
_TAG = re.compile(r"<[^>]+>")
# The first alternative is the start of a definition.
_LABEL = re.compile(r"^[ ]{0,3}\*?\[[^\[\]]+\]:|\[([^\[\]]+)\]", re.MULTILINE)
_ABBREVIATION = re.compile(r"<abbr\b[^>]*>(.*?)</abbr>", re.DOTALL)


def parse_glossary(text: str) -> list[str]:
    """Return how the definitions start, such as `*[HTML]`; nothing if the text contains anything
    else. Footnotes are shown on every page.
    """
    starts: list[str] = []
    position = 0
    while position <= len(text):
        match = _DEFINITION.match(text, position)
        if match is None or (match.end() < len(text) and text[match.end()] != "\n"):
            return []
        starts += filter(None, [match["term"], match["link"], match["comment"]])
        position = match.end() + 1
    return starts


def used_definitions(starts: Sequence[str], content: str, markdown: str) -> list[str]:
    """Return how the definitions start that a page uses, or shows, for example as code.

    Args:
        starts: How the definitions of a glossary start.
        content: The HTML of the page.
        markdown: The Markdown of the page, with all inserted files.
    """
    terms = {html.unescape(_TAG.sub("", term)) for term in _ABBREVIATION.findall(content)}
    labels = {_normalize(label) for label in _LABEL.findall(markdown)}
    used = []
    for start in starts:
        label = start.removeprefix("*")[1:-1]
        is_used = label.strip() in terms if start[0] == "*" else _normalize(label) in labels
        if is_used or html.escape(start, quote=False) in content:
            used.append(start)
    return used


def _normalize(label: str) -> str:
    return " ".join(label.lower().split())
