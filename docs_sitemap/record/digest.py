"""Digests of the main content of built pages, which change only if readers see a change.

The package selectolax, in the extra `record`, parses the pages.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

# Increase this number whenever a page may have another digest than before.
RULES_VERSION = 1

# The main content of a page is the only element that one of these selectors matches. The first
# selector that matches exactly one element counts.
MAIN_SELECTORS = (
    "article[role=main]",
    "main article",
    "[role=main]",
    "main",
    "article",
    "div.body",
    "div.document",
)

# Parts of the main content that are not content. Most of the selectors are for certain themes or
# extensions.
REMOVED_SELECTORS = (
    # Scripts, forms, and navigation.
    *("script", "style", "template", "noscript", "nav", "form", "button", "select", "dialog"),
    *("[hidden]", "[role=navigation]", "[role=search]", "[rel~=prev]", "[rel~=next]"),
    *(".prev-next-area", ".prev-next-footer", ".rst-footer-buttons", ".related-pages"),
    *(".breadcrumbs", ".wy-breadcrumbs"),
    # Permalinks, and links to source code.
    *(".headerlink", "a:has(.viewcode-link)", ".viewcode-back", ".copybtn", ".md-clipboard"),
    *("[rel~=edit]", ".md-content__button", ".edit-this-page", ".tocsection.sourcelink"),
    # The date of the page, and its authors in git.
    *(".git-revision-date-localized-plugin", ".git-page-authors", ".timeago"),
    *(".md-source-file", ".md-source-date", ".last-updated", ".lastupdated"),
    # Comments, feedback, and sharing.
    *(".md-feedback", ".md-social", ".giscus", ".utterances", "#disqus_thread", "#__comments"),
)

# Parts of pages in which no selector finds the main content.
_FURNITURE_SELECTORS = ("body > header", "body > footer", "body > aside")

# All other elements separate words.
_INLINE = frozenset(
    (
        *("a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn"),
        *("em", "font", "i", "img", "input", "ins", "kbd", "label", "mark", "math", "mi", "mn"),
        *("mo", "mrow", "ms", "mspace", "mstyle", "msub", "msup", "mtext", "q", "rp", "rt"),
        *("ruby", "s", "samp", "semantics", "small", "span", "strike", "strong", "sub", "sup"),
        *("time", "tt", "u", "var", "wbr"),
    )
)

# The elements whose kind is part of the content.
_STRUCTURE = frozenset(
    (
        *("h1", "h2", "h3", "h4", "h5", "h6", "li", "dt", "dd", "th", "td", "tr", "pre", "code"),
        *("blockquote", "figure", "figcaption", "hr", "sub", "sup", "del", "s", "ins"),
    )
)

_MEDIA = {
    "img": "src",
    "source": "src",
    "video": "src",
    "audio": "src",
    "track": "src",
    "embed": "src",
    "iframe": "src",
    "object": "data",
}

# Identifiers that docutils numbers.
_NUMBERED_FRAGMENT = re.compile(r"#(?:id|index-|footnote-reference-|citation-reference-)\d+")

# Marks elements, links, and images in the text. No HTML document can contain it.
_MARK = "\0"

_SPACE = re.compile(r"\s+")


class MissingParserError(Exception):
    """The package that parses HTML is not installed."""


def check_parser() -> None:
    """Check that the HTML parser is installed.

    Raises:
        MissingParserError: It is not.
    """
    _parser()


def check_selector(selector: str) -> bool:
    """Return whether a text is a CSS selector.

    Raises:
        MissingParserError: The HTML parser is not installed.
    """
    document = _parse("<p>")
    try:
        document.css(selector)
    except Exception:  # Which exception selectolax raises depends on its version.
        return False
    return True


class ContentDigest(NamedTuple):
    """The digest of the main content of a page.

    Attributes:
        value: 32 hexadecimal digits.
        is_selected: Whether the selector of the user matches an element of the page.
    """

    value: str
    is_selected: bool


def digest_content(html: bytes, selector: str | None = None, base_url: str = "") -> ContentDigest:
    """Return the digest of the main content of a page.

    Args:
        html: The page, in UTF-8.
        selector: A CSS selector of the main content. If it is `None` or matches nothing, the
            elements that themes use for the main content are searched.
        base_url: The URL that the URLs of all pages start with. Links to it do not depend on it.

    Raises:
        MissingParserError: The HTML parser is not installed.
    """
    document = _parse(html.decode("utf-8", "replace"))
    removed: tuple[str, ...] = REMOVED_SELECTORS
    selected = [] if selector is None else document.css(selector)
    mains = selected or _find_main(document)
    if not mains:
        removed += _FURNITURE_SELECTORS
        mains = document.css("body")
    writer = _ContentWriter(base_url)
    for node in mains:
        # Nodes are only skipped: selectolax must not remove a node in a node that is removed.
        writer.removed = {part.mem_id for part in node.css(", ".join(removed))} - {node.mem_id}
        writer.write(node)
    text = "\n".join(writer.lines()).encode("utf-8", "surrogatepass")
    return ContentDigest(sha256(text).hexdigest()[:32], bool(selected))


def _find_main(document: LexborHTMLParser) -> list[LexborNode]:
    for one in MAIN_SELECTORS:
        found = document.css(one)
        if len(found) == 1:
            return found
    return []


def _parse(html: str) -> LexborHTMLParser:
    return _parser()(html.replace(_MARK, ""))


@cache
def _parser() -> type[LexborHTMLParser]:
    try:
        from selectolax.lexbor import LexborHTMLParser
    except ImportError:
        raise MissingParserError from None
    return LexborHTMLParser


class _ContentWriter:
    """Writes the content of nodes as lines of text.

    Attributes:
        removed: The identifiers of the nodes that are not content.
    """

    def __init__(self, base_url: str) -> None:
        self.removed: set[int] = set()
        self._base_url = base_url
        self._lines: list[str] = []
        self._words: list[str] = []
        self._depth_of_pre = 0

    def lines(self) -> list[str]:
        """Return the lines that were written."""
        self._end_line()
        return self._lines

    def write(self, node: LexborNode) -> None:
        """Write an element and everything in it."""
        # A document can be nested more deeply than Python allows functions to be.
        pending: list[LexborNode | str] = [node]
        while pending:
            current = pending.pop()
            if isinstance(current, str):
                self._end(current)
                continue
            tag = current.tag or ""
            if tag == "-text":
                self._words.append(current.text_content or "")
            elif tag == "svg":
                # Icons have no text. The paths of a drawing can differ from build to build.
                for label in current.css("text"):
                    self._write_block(label.text())
            elif tag[:1] not in ("-", "!") and current.mem_id not in self.removed:
                self._start(tag, current)
                pending.append(tag)
                pending += reversed([*_children(current)])

    def _start(self, tag: str, node: LexborNode) -> None:
        self._mark_structure(tag, tag)
        if tag == "pre":
            self._depth_of_pre += 1
        elif tag == "br":
            self._words.append("\n")
        attributes = node.attributes
        if attributes:
            self._write_attributes(tag, attributes)

    def _write_attributes(self, tag: str, attributes: dict[str, Any]) -> None:
        if attributes.get("lang"):
            self._mark(f"lang {attributes['lang']}")
        if tag == "a" and attributes.get("href"):
            self._mark(f"link {self._link(attributes['href'])}")
        elif tag in _MEDIA and attributes.get(_MEDIA[tag]):
            # Queries name the version of a file, such as `logo.png?v=2`.
            source, *_ = re.split("[?#]", attributes[_MEDIA[tag]])
            self._mark(f"{tag} {self._link(source)}")
        if tag == "img" and attributes.get("alt"):
            self._mark(f"alt {' '.join(attributes['alt'].split())}")
        elif tag == "abbr" and attributes.get("title"):
            self._mark(f"title {' '.join(attributes['title'].split())}")
        elif tag == "input" and "checked" in attributes and attributes.get("type") == "checkbox":
            self._mark("checked")

    def _link(self, url: str) -> str:
        url = url.strip()
        if _NUMBERED_FRAGMENT.fullmatch(url):
            return "#"
        if self._base_url and url.startswith(self._base_url):
            return f"/{url.removeprefix(self._base_url)}"
        return url

    def _end(self, tag: str) -> None:
        if tag == "pre":
            self._end_line()
            self._depth_of_pre -= 1
        self._mark_structure(tag, f"/{tag}")

    def _mark_structure(self, tag: str, text: str) -> None:
        """Mark where an element starts or ends, if its kind is part of the content."""
        is_block = tag not in _INLINE
        if is_block:
            self._end_line()
        if tag in _STRUCTURE:
            self._mark(text)
        if is_block:
            self._end_line()

    def _write_block(self, text: str) -> None:
        self._end_line()
        self._words.append(text)
        self._end_line()

    def _mark(self, text: str) -> None:
        self._words.append(f"{_MARK}{text}{_MARK}")

    def _end_line(self) -> None:
        text = "".join(self._words)
        self._words.clear()
        if self._depth_of_pre:
            text = "\n".join(line.rstrip() for line in text.split("\n")).strip("\n")
        else:
            text = _SPACE.sub(" ", text).strip()
        if text:
            self._lines.append(text)


def _children(node: LexborNode) -> Iterator[LexborNode]:
    child = node.first_child
    while child is not None:
        yield child
        child = child.next
