"""Digests of the main content of built pages, which change only if readers see a
change.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import TYPE_CHECKING

from docs_sitemap.built.html import BuiltPage

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

# Increase this number whenever a page may have another digest than before.
RULES_VERSION = 3

# The main content of a page is the only element that one of these selectors matches.
# The first selector that matches exactly one element is used.
_MAIN_SELECTORS = (
    "article[role=main]",
    "main article",
    "[role=main]",
    "main",
    "article",
    "div.body",
    "div.document",
)

# Parts of the main content that are not content. Most of the classes are those of
# certain themes or extensions.
_IGNORED = (
    "script, style, template, noscript, nav, footer, form, button, select, dialog",
    "[hidden]",
    # Icons, and titles and descriptions of drawings. Graphviz writes the names of
    # nodes.
    "use, title, desc, metadata",
    # Navigation.
    "[role~=navigation], [role~=search], [rel~=prev], [rel~=next], [rel~=edit]",
    ".prev-next-area, .prev-next-footer, .rst-footer-buttons, .related-pages",
    ".breadcrumbs, .wy-breadcrumbs",
    # Permalinks, and links to source code.
    ".headerlink, a:has(> .viewcode-link), .viewcode-link, .viewcode-back, .copybtn",
    ".md-clipboard, .md-content__button, .edit-this-page, .sourcelink",
    # The date of the page, and its authors in git.
    ".git-revision-date-localized-plugin, .git-page-authors, .timeago",
    ".md-source-file, .md-source-date, .last-updated, .lastupdated",
    ".docs-sitemap-date",
    # Comments, feedback, and sharing.
    "#disqus_thread, #__comments, .md-feedback, .md-social, .giscus, .utterances",
)

# Marks separate words (1), and stand for content that is not text (0). The parser
# replaces NULs.
_BREAK = "\1"
_PREFORMATTED = "\0pre\0"

# What to write at the start and at the end of elements. The kind of some elements is
# content.
_BLOCKS = [
    *("address", "article", "aside", "br", "caption", "details", "div", "dl", "header"),
    *("ol", "p", "section", "summary", "table", "text", "ul"),
]
_MARKED_BLOCKS = [
    *("h1", "h2", "h3", "h4", "h5", "h6", "li", "dt", "dd", "th", "td", "tr"),
    *("blockquote", "figure", "figcaption", "hr"),
]
_MARKED_WORDS = ["code", "sub", "sup", "del", "s", "ins"]
_MARKS = {
    **dict.fromkeys(_BLOCKS, (_BREAK, _BREAK)),
    **{tag: (f"\1\0{tag}\0\1", f"\1\0/{tag}\0\1") for tag in _MARKED_BLOCKS},
    **{tag: (f"\0{tag}\0", f"\0/{tag}\0") for tag in _MARKED_WORDS},
    "pre": (f"{_BREAK}{_PREFORMATTED}", _BREAK),
}

# The attributes that are part of the content: `title` only of `<abbr>`. Queries name
# the version of a file, such as `logo.png?v=2`.
_FILE_ATTRIBUTES = {"src", "srcset", "poster", "data"}
_TEXT_ATTRIBUTES = {"alt", "checked", "href", "lang", "title", "xlink:href"}
_ATTRIBUTES = _TEXT_ATTRIBUTES | _FILE_ATTRIBUTES
_QUERY = re.compile(r"[?#][^\s,]*")

# Generators write the same link as `guide/` or `./guide/`.
_CURRENT_FOLDER = re.compile(r"(?<![^/])(?:\./)+")

# Identifiers that docutils numbers.
_NUMBERED_FRAGMENT = re.compile(
    r"#(?:id|index-|footnote-reference-|citation-reference-)\d+"
)


def digest_content(page: BuiltPage, base_url: str) -> str:
    """Return the digest of the main content of a page: 32 hexadecimal digits.

    Args:
        page: The complete page.
        base_url: The URL that the URLs of all pages start with. Links to it do not
            depend on it.
    """
    document = page.parse()
    main = _find_main(document)
    skipped = {node.mem_id for node in document.css(", ".join(_IGNORED))}
    skipped -= {node.mem_id for node in main}
    parts: list[str] = []
    for node in main:
        _write(node, parts, skipped, base_url)
        parts.append(_BREAK)
    lines = []
    for line in "".join(parts).split(_BREAK):
        if not line.startswith(_PREFORMATTED):
            line = " ".join(line.split())
        if line:
            lines.append(line)
    return sha256("\n".join(lines).encode()).hexdigest()[:32]


def digest_body(page: BuiltPage, base_url: str) -> str:
    """Return a digest of all that decides the digest of the main content of a page: 16
    hexadecimal digits.
    """
    return sha256(base_url.encode() + page.body).hexdigest()[:16]


def _find_main(document: LexborHTMLParser) -> list[LexborNode]:
    for selector in _MAIN_SELECTORS:
        nodes = document.css(selector)
        if len(nodes) == 1:
            return nodes
    return document.css("body")


def _write(top: LexborNode, parts: list[str], skipped: set[int], base_url: str) -> None:
    """Write the text of an element, and marks for its other content.

    Args:
        top: The element.
        parts: Receives the content.
        skipped: The nodes that are not content or were written before. Written nodes
            are added.
        base_url: The URL that the URLs of all pages start with.
    """
    # A document can be nested more deeply than Python allows functions to be.
    parents: list[tuple[LexborNode, str]] = []
    node: LexborNode | None = top
    while node is not None or parents:
        if node is None:
            node, end = parents.pop()
            parts.append(end)
            node = node.next if parents else None
            continue
        tag = node.tag or "-"
        if tag == "-text":
            parts.append(node.text_content or "")
        elif tag[0] not in "-!" and node.mem_id not in skipped:
            skipped.add(node.mem_id)
            attributes = node.attributes
            if not _ATTRIBUTES.isdisjoint(attributes):
                parts += _mark_attributes(tag, attributes, base_url)
            start, end = _MARKS.get(tag, ("", ""))
            parts.append(start)
            parents.append((node, end))
            node = node.first_child
            continue
        node = node.next if parents else None


def _mark_attributes(
    tag: str, attributes: Mapping[str, str | None], base_url: str
) -> Iterator[str]:
    for name in sorted(_ATTRIBUTES.intersection(attributes)):
        if name == "title" and tag != "abbr":
            continue
        value = " ".join((attributes[name] or "").split()).replace(base_url, "/")
        value = _CURRENT_FOLDER.sub("", value)
        if name in _FILE_ATTRIBUTES:
            value = _QUERY.sub("", value)
        elif _NUMBERED_FRAGMENT.fullmatch(value):
            value = "#"
        yield f"\0{name} {value}\0"
