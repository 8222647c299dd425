"""Markdown files that only define abbreviations, links, and footnotes, such as a glossary.

Often, such a file is appended to every page (`auto_append` of `pymdownx.snippets`). Readers see it
only on the pages that use a definition.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass

_DEFINITION = re.compile(
    r"""
      \*\[ (?P<term> [^\]\n]+ ) \] [ ]? : [ ]* (?: \n[ ]* )? \S .*
    | [ ]{0,3} \[\^ (?P<footnote> [^\]\n]+ ) \]: .* (?: \n (?: [ \t]* \n )* (?: [ ]{4} | \t ) .* )*
    | [ ]{0,3} \[ (?P<link> [^\[\]\n]+ ) \]: [ ]* (?: \n[ ]* )? (?P<url> \S+ ) [ ]*
      (?: (?: \n[ ]* )? (?: "[^"\n]*" | '[^'\n]*' | \( [^)\n]* \) ) [ ]* )?
    | [ ]{0,3} <!-- (?: (?! --> ) . | \n )* --> [ ]*
    | [ \t]*
    """,
    re.VERBOSE,
)
_TAG = re.compile(r"<[^>]+>")
_ABBREVIATION = re.compile(r"<abbr\b[^>]*>(.*?)</abbr>", re.DOTALL)
_BRACKETS = re.compile(r"\[([^\[\]]+)\]")


class RenderedPage:
    """The text of a page.

    Attributes:
        content: The HTML.
        terms: The abbreviations that the page marks.
        references: The texts in square brackets in the Markdown of the page, normalized; `None` if
            some of the Markdown is unknown.
    """

    def __init__(self, content: str, markdown: str | None) -> None:
        self.content = content
        self.text = html.unescape(_TAG.sub("", content))
        self.terms = {html.unescape(_TAG.sub("", term)) for term in _ABBREVIATION.findall(content)}
        self.references: set[str] | None = None
        if markdown is not None:
            self.references = set(map(_normalize, _BRACKETS.findall(markdown)))


@dataclass(frozen=True, slots=True)
class Definitions:
    """The content of a file that only contains definitions.

    Attributes:
        terms: The abbreviations.
        footnotes: The labels of the footnotes.
        links: The labels and URLs of the links.
    """

    terms: frozenset[str]
    footnotes: frozenset[str]
    links: frozenset[tuple[str, str]]

    @classmethod
    def parse(cls, text: str) -> Definitions | None:
        """Return the definitions; `None` if the text contains anything else, or is empty."""
        terms, footnotes, links = set(), set(), set()
        position = 0
        while position <= len(text):
            match = _DEFINITION.match(text, position)
            if match is None or (match.end() < len(text) and text[match.end()] != "\n"):
                return None
            if match["term"]:
                terms.add(match["term"].strip())
            elif match["footnote"]:
                footnotes.add(match["footnote"])
            elif match["link"]:
                links.add((match["link"], match["url"].removeprefix("<").removesuffix(">")))
            position = match.end() + 1
        if not (terms or footnotes or links):
            return None
        return cls(frozenset(terms), frozenset(footnotes), frozenset(links))

    def used_by(self, page: RenderedPage) -> set[str] | None:
        """Return how the definitions start that a page uses, such as `*[HTML]`; `None` if the page
        shows the text of a definition, for example as code.
        """
        terms = {f"*[{term}]" for term in self.terms}
        footnotes = {f"[^{label}]" for label in self.footnotes}
        if any(f"{start}:" in page.text for start in terms | footnotes):
            return None
        if any(f"[{label}]: {url}" in page.text for label, url in self.links):
            return None
        return {
            *(f"*[{term}]" for term in self.terms & page.terms),
            *(f"[^{label}]" for label in self.footnotes if _has_footnote(page.content, label)),
            *(f"[{label}]" for label, url in self.links if _has_link(page, label, url)),
        }


def _has_footnote(content: str, label: str) -> bool:
    return re.search(rf'id="fn[^"]*[:-]{re.escape(html.escape(label))}"', content) is not None


def _has_link(page: RenderedPage, label: str, url: str) -> bool:
    if page.references is not None and _normalize(label) not in page.references:
        return False
    # MkDocs changes relative URLs.
    return "://" not in url or f'="{html.escape(url)}"' in page.content


def _normalize(label: str) -> str:
    return " ".join(label.lower().split())
