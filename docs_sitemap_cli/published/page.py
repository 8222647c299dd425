"""Pages as commands read them: complete built pages, where builds read only the heads,
pages of other hosts, and pages that generators write for navigation.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING

import msgspec

from docs_sitemap.built.generated_pages import is_generated_page
from docs_sitemap.built.html import (
    parse_head,
    parse_html,
    read_document_head,
    read_elements,
    to_utf8,
)
from docs_sitemap.built.verdict import Head
from docs_sitemap.tools.files import StrPath, read_start

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser

# The rest of a larger page is not read: the only limit for pages of the site itself,
# whose authors can also change the configuration of the build.
_MAX_PAGE = 2**23

# A complete document starts with one of these, or with comments before it.
_MAX_START = 1_000
_DOCUMENT = re.compile(rb"<(?:!doctype\s+html|html)\b", re.I)
_SCRIPT = re.compile(rb"<script\b", re.I)
_WORD = re.compile(r"\w")
_INVISIBLE = {"script", "style", "template", "noscript"}
# Shorter texts, such as "Under construction", can be the same by chance.
_MIN_WORDS = 5

# Finds pages that may have a robots meta element that excludes them.
_EXCLUDING_META = re.compile(rb"<meta\s[^<>]*(?:noindex|none)", re.I)


class BuiltPage:
    """A built page.

    Attributes:
        raw: The bytes of the file, or at least those of the head.
        data: The same in UTF-8.
    """

    def __init__(self, data: bytes) -> None:
        self.raw = data
        self.data = to_utf8(data)

    @cached_property
    def head(self) -> Head:
        """What the head declares."""
        if "document" in vars(self):
            return read_document_head(self.document)
        return parse_head(self.data)

    @property
    def complete_head(self) -> Head:
        """The head with the robots meta elements of the body."""
        # Parsing complete pages is slow, and hardly any page has such an element.
        if self.head.noindex is not None or not _EXCLUDING_META.search(self.data):
            return self.head
        noindex = read_elements(self.document.css("meta")).noindex
        return msgspec.structs.replace(self.head, noindex=noindex)

    @property
    def is_fragment(self) -> bool:
        """Whether the file has no title, and is neither a redirect nor a complete
        document with text, but, for example, a part of pages that a script loads.
        """
        if self.head.title or self.head.refresh is not None:
            return False
        return not _DOCUMENT.search(self.data[:_MAX_START]) or not self._has_text

    @property
    def needs_scripts(self) -> bool:
        """Whether readers see no text before the scripts of the page run."""
        if self.head.refresh is not None or not _SCRIPT.search(self.data):
            return False
        return not self._has_text

    @property
    def _has_text(self) -> bool:
        """Whether readers see any text if no script runs."""
        body = self.document.body
        if body is None:
            return False
        for node in body.traverse(include_text=True):
            if node.is_text_node and _WORD.search(node.text()):
                parent = node.parent
                if parent is None or parent.tag not in _INVISIBLE:
                    return True
        return False

    def repeats(self, other: BuiltPage) -> bool:
        """Return whether readers see the same text as on another page, with the same
        title and in the same language.
        """
        if self.head.title != other.head.title:
            return False
        if self.head.language != other.head.language:
            return False
        return len(self._words) >= _MIN_WORDS and self._words == other._words

    @cached_property
    def _words(self) -> list[str]:
        body = parse_html(self.data).body
        if body is None:
            return []
        body.strip_tags(sorted(_INVISIBLE))
        return body.text(separator=" ").split()

    @cached_property
    def document(self) -> LexborHTMLParser:
        """The complete page."""
        return parse_html(self.data)


def read_page(path: StrPath) -> BuiltPage:
    """Read a built page. The rest of a page that is too large is not read.

    Raises:
        OSError: The file cannot be read, or is not a regular file.
    """
    return BuiltPage(read_start(path, _MAX_PAGE))


# https://html.spec.whatwg.org/multipage/syntax.html#attributes-2: what follows in a tag
# with more of them is text.
_ATTRIBUTES = rb"""
    (?: [\s/]*+ [^\s/>=][^\s/>=]*+
        (?: \s*+ = \s*+ (?: "[^"]*+" | '[^']*+' | [^\s"'>][^\s>]*+ ) )?+
    ){0,100}+
"""

# Each match starts where the one before ends, so the time is linear.
_PIECE = re.compile(
    rb"""
    <!--.*?(?:-->|\Z)
    | <(?P<raw> script|style|title|template|textarea|iframe|xmp|noembed|noframes )
      (?=[\s/>]) (?P<raw_attributes> %b ) [^>]*+ >?+ (?P<text>.*?) (?: </(?P=raw) | \Z )
    | <(?P<tag> /?[a-z][^\s/>]*+ ) (?P<attributes> %b )
    """
    % (_ATTRIBUTES, _ATTRIBUTES),
    re.I | re.S | re.X,
)

# Tags that are kept as they are.
_KEPT = (b"meta", b"link", b"base", b"noscript", b"/noscript", b"head", b"/head")


def reduce_page(page: bytes) -> bytes:
    """Return a page with nothing but the elements that its head may contain. `<p>` is
    instead of other elements: it ends the head.
    """
    reduced = [b"<!doctype html>"]
    for piece in _PIECE.finditer(to_utf8(page)):
        tag = (piece["tag"] or b"").lower()
        match (piece["raw"] or b"").lower():
            case b"script":
                reduced.append(b"<script%b></script>" % piece["raw_attributes"])
            case b"title":
                reduced.append(b"<title>%b</title>" % piece["text"])
        if tag in _KEPT or (tag == b"html" and len(reduced) == 1):
            reduced.append(b"<%b%b>" % (tag, piece["attributes"]))
        elif tag == b"body":
            reduced.append(b"<body>")
        elif tag and not tag.startswith(b"/"):
            reduced.append(b"<p>")
    return b"".join(reduced)


# Doxygen also writes lists of everything in several orders, and a page for each source
# file.
_DOXYGEN = re.compile(
    r"(?:.*/)?(?:annotated|classes|files|hierarchy|inherits|pages|topics|modules|namespaces"
    r"|concepts|graph_legend|doxygen_crawl|(?:functions|globals|namespacemembers)(?:_\w+)?"
    r"|.*_source|.*-members|.*_8\w+_source|dir_[0-9a-f]{32}(?:_dep)?|search/.*)\.html"
)

# Before version 13, Javadoc does not name itself, and YARD never does. No other page
# has these names.
_LISTS = re.compile(
    r"(?:.*/)?(?:all(?:classes|packages)-(?:index|frame|noframe)|index-all"
    r"|index-files/index-\d+|(?:overview|package)-(?:tree|frame)|package-use|class-use/.*"
    r"|help-doc|_index|(?:class|method|file|tag)_list)\.html"
)
_JAVADOC = re.compile(
    r"(?:.*/)?(?:constant-values|search-tags|serialized-form|system-properties"
    r"|external-specs|(?:deprecated|new|preview|restricted)-list|src-html/.*)\.html"
)


def is_generated_by(file: str, generator: str) -> bool:
    """Return whether a generator wrote a page for navigation, or for URLs that do not
    exist.

    Args:
        file: The path of the HTML file below the folder of the site, with `/` as
            separator.
        generator: The generator, as the page names it; empty if it is unknown.
    """
    if is_generated_page(file) or _LISTS.fullmatch(file):
        return True
    if generator.startswith("javadoc"):
        return _JAVADOC.fullmatch(file) is not None
    return generator.startswith("Doxygen") and _DOXYGEN.fullmatch(file) is not None
