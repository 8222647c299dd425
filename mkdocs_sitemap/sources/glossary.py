"""Glossaries: Markdown files that only define abbreviations, links, and footnotes.

Often, such a file is appended to every page. Readers see only the definitions that a page uses.
"""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from typing import NamedTuple

_DEFINITION = re.compile(
    r"""
      (?P<term> \*\[ [^\]\n]+ \] ) [ ]? : [ ]* (?: \n[ ]* )? \S .*
    | [ ]{0,3} (?P<footnote> \[\^ [^\]\n]+ \] ): .* (?: \n (?: [ \t]* \n )* (?: [ ]{4} | \t ) .* )*
    | [ ]{0,3} (?P<link> \[ [^\[\]\n]+ \] ): [ ]* (?: \n[ ]* )? (?P<url> \S+ ) [ ]*
      (?: (?: \n[ ]* )? (?: "[^"\n]*" | '[^'\n]*' | \( [^)\n]* \) ) [ ]* )?
    | [ ]{0,3} <!-- (?: (?! --> ) . | \n )* --> [ ]*
    | [ \t]*
    """,
    re.VERBOSE,
)
_TAG = re.compile(r"<[^>]+>")
# Not at the start of a definition.
_LABEL = re.compile(r"\[([^\[\]]+)\](?!:)")
_ABBREVIATION = re.compile(r"<abbr\b[^>]*>(.*?)</abbr>", re.DOTALL)


class GlossaryDefinition(NamedTuple):
    """One definition.

    Attributes:
        kind: `term`, `footnote`, or `link`.
        start: How the definition starts, such as `*[HTML]`.
        url: The URL of a link.
    """

    kind: str
    start: str
    url: str = ""


def parse_glossary(text: str) -> list[GlossaryDefinition]:
    """Return the definitions; nothing if the text contains anything else."""
    definitions = []
    position = 0
    while position <= len(text):
        match = _DEFINITION.match(text, position)
        if match is None or (match.end() < len(text) and text[match.end()] != "\n"):
            return []
        if match["term"] or match["footnote"]:
            definitions.append(
                GlossaryDefinition(str(match.lastgroup), match[str(match.lastgroup)])
            )
        elif match["link"]:
            url = match["url"].removeprefix("<").removesuffix(">")
            definitions.append(GlossaryDefinition("link", match["link"], url))
        position = match.end() + 1
    return definitions


def used_definitions(
    definitions: Sequence[GlossaryDefinition], content: str, markdown: str
) -> list[str] | None:
    """Return how the definitions start that a page uses; `None` if the page shows the text of a
    definition, for example as code.

    Args:
        definitions: The definitions of a glossary.
        content: The HTML of the page.
        markdown: The Markdown of the page, with all inserted files.
    """
    quoted = [each for each in definitions if html.escape(each.start, quote=False) in content]
    text = html.unescape(_TAG.sub("", content)) if quoted else ""
    if any(f"{definition.start}:" in text for definition in quoted):
        return None
    terms = {html.unescape(_TAG.sub("", term)) for term in _ABBREVIATION.findall(content)}
    labels = {_normalize(label) for label in _LABEL.findall(markdown)}

    def is_used(definition: GlossaryDefinition) -> bool:
        kind, start, url = definition
        if kind == "term":
            return start[2:-1].strip() in terms
        if kind == "footnote":
            label = re.escape(html.escape(start[2:-1]))
            return re.search(rf'id="fn[^"]*[:-]{label}"', content) is not None
        # MkDocs changes relative URLs.
        is_linked = "://" not in url or f'="{html.escape(url)}"' in content
        return is_linked and _normalize(start[1:-1]) in labels

    return [definition.start for definition in definitions if is_used(definition)]


def _normalize(label: str) -> str:
    return " ".join(label.lower().split())
