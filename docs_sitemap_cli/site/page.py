"""Complete built pages: builds read only their heads."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING

import msgspec

from docs_sitemap.built.head import Head
from docs_sitemap.built.html import parse_head, parse_html, read_elements, to_utf8
from docs_sitemap.tools.files import StrPath, read_start

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser

# The rest of a larger page is not read: the only limit for pages of the site itself,
# whose authors can also change the configuration of the build.
_MAX_PAGE = 2**23

# A complete document starts with one of these, or with comments before it.
_MAX_START = 1_000
_DOCUMENT = re.compile(rb"<(?:!doctype\s+html|html)\b", re.I)
_WORD = re.compile(r"\w")
_INVISIBLE = {"script", "style", "template", "noscript"}

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
        if not _DOCUMENT.search(self.data[:_MAX_START]):
            return True
        body = self.document.body
        if body is None:
            return True
        for node in body.traverse(include_text=True):
            if node.is_text_node and _WORD.search(node.text()):
                parent = node.parent
                if parent is None or parent.tag not in _INVISIBLE:
                    return False
        return True

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
