"""Digests of the main content of built pages, which change only if readers see a change."""

from __future__ import annotations

import re
from collections.abc import Mapping
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from docs_sitemap.html import BuiltPage

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

# Increase this number whenever a page may have another digest than before.
RULES_VERSION = 2

# The main content of a page is the only element that one of these selectors matches. The first
# selector that matches exactly one element is used.
MAIN_SELECTORS = (
    "article[role=main]",
    "main article",
    "[role=main]",
    "main",
    "article",
    "div.body",
    "div.document",
)

# Parts of the main content that are not content: elements, and words in their attributes. Most of
# the classes are those of certain themes or extensions.
_REMOVED_TAGS = {
    *("script", "style", "template", "noscript", "nav", "footer", "form", "button", "select"),
    # Titles and descriptions of drawings. Graphviz writes the names of nodes.
    *("dialog", "title", "desc", "metadata"),
}
_REMOVED_WORDS = {
    "role": {"navigation", "search"},
    "rel": {"prev", "next", "edit"},
    "id": {"disqus_thread", "__comments"},
    "class": {
        # Navigation.
        *("prev-next-area", "prev-next-footer", "rst-footer-buttons", "related-pages"),
        *("breadcrumbs", "wy-breadcrumbs"),
        # Permalinks, and links to source code.
        *("headerlink", "viewcode-link", "viewcode-back", "copybtn", "md-clipboard"),
        *("md-content__button", "edit-this-page", "sourcelink"),
        # The date of the page, and its authors in git.
        *("git-revision-date-localized-plugin", "git-page-authors", "timeago"),
        *("md-source-file", "md-source-date", "last-updated", "lastupdated"),
        # Comments, feedback, and sharing.
        *("md-feedback", "md-social", "giscus", "utterances"),
    },
}

# Parts of a page in which no selector finds the main content: children of its body.
_FURNITURE = {"header", "aside"}

# All other elements separate words.
_INLINE = {
    *("a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn"),
    *("em", "font", "i", "img", "input", "ins", "kbd", "label", "mark", "math", "mi", "mn"),
    *("mo", "mrow", "ms", "mspace", "mstyle", "msub", "msup", "mtext", "q", "rp", "rt"),
    *("ruby", "s", "samp", "semantics", "small", "span", "strike", "strong", "sub", "sup"),
    *("svg", "time", "tspan", "tt", "u", "var", "wbr"),
}

# The elements whose kind is part of the content.
_STRUCTURE = {
    *("h1", "h2", "h3", "h4", "h5", "h6", "li", "dt", "dd", "th", "td", "tr", "pre", "code"),
    *("blockquote", "figure", "figcaption", "hr", "sub", "sup", "del", "s", "ins"),
}

# The attributes that are content. `lang` is content of all elements.
_TEXTS = {"img": "alt", "area": "alt", "abbr": "title"}
_LINKS = ("href", "xlink:href")
_MEDIA = {
    "img": ("src", "srcset"),
    "source": ("src", "srcset"),
    "image": _LINKS,
    "video": ("src", "poster"),
    "audio": ("src",),
    "track": ("src",),
    "embed": ("src",),
    "iframe": ("src",),
    "object": ("data",),
}
_WITH_CONTENT = {"a", "area", "abbr", "input", *_MEDIA}

# The other elements, which color code, for example, are only the text in them.
_SILENT = _INLINE - _STRUCTURE - _WITH_CONTENT

# Queries name the version of a file, such as `logo.png?v=2`.
_QUERY = re.compile(r"[?#][^\s,]*")

# Identifiers that docutils numbers.
_NUMBERED_FRAGMENT = re.compile(r"#(?:id|index-|footnote-reference-|citation-reference-)\d+")

# Marks elements, links, and images in the text. The parser replaces it in documents.
_MARK = "\0"

_Attributes = Mapping[str, str | None]


class ContentDigest(NamedTuple):
    """The digest of the main content of a page.

    Attributes:
        value: 32 hexadecimal digits.
        is_selected: Whether the selector of the user matches an element of the page.
    """

    value: str
    is_selected: bool


def digest_content(
    page: BuiltPage, selector: str | None = None, base_url: str = ""
) -> ContentDigest:
    """Return the digest of the main content of a page.

    Args:
        page: The complete page.
        selector: A CSS selector of the main content. If it is `None` or matches nothing, the
            elements that themes use for the main content are searched.
        base_url: The URL that the URLs of all pages start with. Links to it do not depend on it.
    """
    document = page.parse()
    selected = [] if selector is None else document.css(selector)
    writer = _ContentWriter(base_url)
    # An element within another one that is selected is written once.
    pending = {node.mem_id: node for node in selected or _find_main(document)}
    while pending:
        writer.write(pending.pop(next(iter(pending))), pending)
    text = "\n".join(writer.lines()).encode("utf-8", "surrogatepass")
    return ContentDigest(sha256(text).hexdigest()[:32], bool(selected))


def _find_main(document: LexborHTMLParser) -> list[LexborNode]:
    for one in MAIN_SELECTORS:
        nodes = document.css(one)
        if len(nodes) == 1:
            return nodes
    return document.css("body")


class _ContentWriter:
    """Writes the content of nodes as lines of text."""

    def __init__(self, base_url: str) -> None:
        self._base_url = base_url
        self._lines: list[str] = []
        self._words: list[str] = []
        self._depth_of_pre = 0

    def lines(self) -> list[str]:
        """Return the lines that were written."""
        self._end_line()
        return self._lines

    def write(self, top: LexborNode, pending: dict[int, LexborNode]) -> None:
        """Write an element and everything in it, and remove the nodes from the pending ones."""
        # A document can be nested more deeply than Python allows functions to be.
        parents: list[tuple[str, LexborNode]] = []
        add_text = self._words.append
        furniture = _FURNITURE if top.tag == "body" else set[str]()
        self._start(top.tag or "", top.attributes)
        node = top.first_child
        while node is not None or parents:
            if node is None:
                tag, node = parents.pop()
                if tag not in _SILENT:
                    self._end(tag)
            elif (tag := node.tag or "-") == "-text":
                add_text(node.text_content or "")
            elif tag[0] not in "-!" and tag not in _REMOVED_TAGS:
                attributes = node.attributes
                is_furniture = not parents and tag in furniture
                if not (is_furniture or (attributes and self._is_removed(attributes))):
                    if pending:
                        pending.pop(node.mem_id, None)
                    if tag not in _SILENT or "lang" in attributes:
                        self._start(tag, attributes)
                    parents.append((tag, node))
                    node = node.first_child
                    continue
            node = node.next
        self._end(top.tag or "")

    def _is_removed(self, attributes: _Attributes) -> bool:
        for name, value in attributes.items():
            if name == "hidden":
                return True
            words = _REMOVED_WORDS.get(name)
            if words is not None and value and not words.isdisjoint(value.split()):
                # Such a link contains nothing else.
                is_link = self._words and self._words[-1].startswith(f"{_MARK}link ")
                if is_link and "viewcode-link" in value:
                    self._words.pop()
                return True
        return False

    def _start(self, tag: str, attributes: _Attributes) -> None:
        if tag not in _INLINE:
            self._end_line()
        if tag in _STRUCTURE:
            self._mark(tag, tag)
        if tag == "pre":
            self._depth_of_pre += 1
        elif tag == "br":
            self._words.append("\n")
        if lang := attributes.get("lang"):
            self._mark(tag, f"lang {lang}")
        if tag in _WITH_CONTENT:
            self._write_attributes(tag, attributes)

    def _write_attributes(self, tag: str, attributes: _Attributes) -> None:
        if tag in ("a", "area"):
            for url in filter(None, map(attributes.get, _LINKS)):
                self._mark(tag, f"link {self._link(url)}")
        for name in _MEDIA.get(tag, ()):
            if urls := attributes.get(name):
                self._mark(tag, f"{name} {self._link(_QUERY.sub('', urls))}")
        if text := attributes.get(_TEXTS.get(tag, "")):
            self._mark(tag, f"text {' '.join(text.split())}")
        if tag == "input" and "checked" in attributes and attributes.get("type") == "checkbox":
            self._mark(tag, "checked")

    def _link(self, url: str) -> str:
        url = url.strip()
        if _NUMBERED_FRAGMENT.fullmatch(url):
            return "#"
        if self._base_url and url.startswith(self._base_url):
            return f"/{url.removeprefix(self._base_url)}"
        return url

    def _end(self, tag: str) -> None:
        if tag not in _INLINE:
            self._end_line()
        if tag == "pre":
            self._depth_of_pre -= 1
        if tag in _STRUCTURE:
            self._mark(tag, f"/{tag}")

    def _mark(self, tag: str, text: str) -> None:
        """Write a mark: inline elements are parts of words, and other elements separate them."""
        lines = self._words if tag in _INLINE else self._lines
        lines.append(f"{_MARK}{text}{_MARK}")

    def _end_line(self) -> None:
        if not self._words:
            return
        text = "".join(self._words)
        self._words.clear()
        if self._depth_of_pre:
            text = "\n".join(line.rstrip() for line in text.split("\n")).strip("\n")
        else:
            text = " ".join(text.split())
        if text:
            self._lines.append(text)
