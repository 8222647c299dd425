"""A sitemap's XML to its entries, one at a time: what the grammar says is checked on the way.

Neither the file nor what it lists is ever held as a whole, and no entity is ever expanded.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NoReturn
from xml.parsers.expat import ErrorString, ExpatError, ParserCreate

from docs_sitemap.check.findings import Findings, Unusable, shorten
from docs_sitemap.model import MAX_ENTRIES, NAMESPACE

XHTML = "http://www.w3.org/1999/xhtml"

_MAX_DEPTH = 64
_MAX_TOKEN = 2**20
_MAX_TEXT = 2**13
_MAX_LINKS = 1_000  # there are some 200 languages

# A character that XML cannot hold: no namespace has it.
_SEPARATOR = "\x01"

# https://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd, in its order, and siteindex.xsd.
_ENTRY = {"urlset": "url", "sitemapindex": "sitemap"}
_FIELDS = {
    "urlset": ("loc", "lastmod", "changefreq", "priority"),
    "sitemapindex": ("loc", "lastmod"),
}
# Attributes that any element of any XML document may have.
_ANYWHERE = (
    "http://www.w3.org/2001/XMLSchema-instance",
    "http://www.w3.org/XML/1998/namespace",
)
# What the parser says, where the code says it already or plainer words do.
_FAULTS = {
    "not well-formed (invalid token)": "this character may not stand here",
    "XML or text declaration not at start of entity": "something stands before <?xml",
}
_HTML = re.compile(rb"(?:\xef\xbb\xbf)?\s*<(?:!doctype\s+)?html\b", re.I)
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, b"<\0", b"\0<")


@dataclass(slots=True)
class Text:
    """The text of an element, without space at its ends.

    Attributes:
        line: where the element starts.
        value: the text; of one that is too long for anything, the start.
        length: its whole length.
        is_plain: whether the element holds nothing but text.
    """

    line: int
    value: str = ""
    length: int = 0
    is_plain: bool = True


@dataclass(slots=True)
class Link:
    """An `<xhtml:link>`."""

    line: int
    attributes: dict[str, str]


@dataclass(slots=True)
class Entry:
    """A `<url>` or a `<sitemap>`: the first element of each name, and the links."""

    line: int
    texts: dict[str, Text] = field(default_factory=dict)
    links: list[Link] = field(default_factory=list)


class Reader:
    """Reads one sitemap.

    Attributes:
        is_index: whether it is a sitemap index; known with the first entry.
        count: how many entries it has; those past the protocol's limit are only counted.
    """

    def __init__(self, found: Findings) -> None:
        self.is_index = False
        self.count = 0
        self._found = found
        self._root = ""
        self._ready: list[Entry] = []
        self._depth = 0
        self._skip = 0  # the depth of the element whose content does not matter
        self._entry = Entry(0)
        self._text: Text | None = None
        self._pieces: list[str] = []
        self._rank = 0
        self._reported: set[object] = set()
        self._parser = parser = ParserCreate("UTF-8", _SEPARATOR)
        parser.namespace_prefixes = True
        parser.buffer_text = True
        parser.XmlDeclHandler = self._declaration
        parser.StartDoctypeDeclHandler = self._doctype
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters

    def entries(self, chunks: Iterable[bytes]) -> Iterator[Entry]:
        """Yield the entries.

        Raises:
            Unusable: it is no sitemap, or not well-formed.
        """
        size = 0
        before = chunk = b""
        try:
            for chunk in chunks:
                if size == 0:
                    _check_start(chunk)
                size += len(chunk)
                self._parser.Parse(chunk, False)
                # Older parsers look at such a piece again with each chunk.
                if size - max(self._parser.CurrentByteIndex, 0) > _MAX_TOKEN:
                    self._stop(
                        "too-complex", f"a tag or comment has more than {_MAX_TOKEN:,} bytes"
                    )
                before = chunk[-4:]
                yield from self._ready
                self._ready.clear()
            if size == 0:
                raise Unusable("not-well-formed", "the file is empty")
            chunk = b""
            self._parser.Parse(b"", True)
        except ExpatError as error:
            start = self._parser.ErrorByteIndex - (size - len(chunk) - len(before))
            _check_utf8((before + chunk)[max(start, 0) :][:4], error.lineno)
            text = ErrorString(error.code)
            message = f"{_FAULTS.get(text, text)}, in column {error.offset + 1}"
            raise Unusable("not-well-formed", message, error.lineno) from None
        yield from self._ready
        if self.count > MAX_ENTRIES:
            self._found.add(
                "too-many-urls", f"it lists {self.count:,}, {MAX_ENTRIES:,} are allowed"
            )

    def _declaration(self, version: str, encoding: str | None, standalone: int) -> None:
        if encoding is not None and encoding.upper() not in ("UTF-8", "US-ASCII"):
            self._stop("encoding", f"it declares the encoding {shorten(encoding)}")

    def _doctype(self, name: str, *_: object) -> None:
        self._stop(
            "doctype", f"it has a document type declaration, <!DOCTYPE {shorten(name)[1:-1]}"
        )

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            self._stop("too-complex", f"its elements are nested more than {_MAX_DEPTH} deep")
        if self._skip:
            return
        namespace, local, prefix = _split(name)
        if self._depth == 1:
            self._start_root(namespace, local)
        elif self._depth == 2:
            self._start_entry(namespace, local)
        elif self._depth == 3:
            self._start_field(namespace, local, attributes)
        else:
            self._unknown(local)
            if self._text is not None:
                self._text.is_plain = False
        if namespace == NAMESPACE:
            self._check_prefix(prefix, "", "the sitemap's namespace")
            if attributes and not self._skip:
                self._check_attributes(local, attributes)
        elif namespace == XHTML and local == "link":
            self._check_prefix(prefix, "xhtml", "XHTML's namespace")

    def _start_root(self, namespace: str, local: str) -> None:
        if local not in _ENTRY:
            self._stop("wrong-root", f"the outermost element is <{shorten(local)[1:-1]}>")
        if namespace != NAMESPACE:
            named = f"in the namespace {shorten(namespace)}" if namespace else "in no namespace"
            self._stop("wrong-namespace", f"<{local}> is {named}")
        self._root = local
        self.is_index = local == "sitemapindex"

    def _start_entry(self, namespace: str, local: str) -> None:
        if namespace == NAMESPACE and local == _ENTRY[self._root]:
            self.count += 1
            if self.count > MAX_ENTRIES:
                self._skip = self._depth
            self._entry = Entry(self._line)
            self._rank = 0
        elif namespace in ("", NAMESPACE):
            self._reported.add("unknown")
            self._unknown(local)
        else:
            self._skip = self._depth

    def _start_field(self, namespace: str, local: str, attributes: dict[str, str]) -> None:
        fields = _FIELDS[self._root]
        if namespace == NAMESPACE and local in fields:
            self._check_rank(fields.index(local))
            if local in self._entry.texts:
                message = f"<{local}> stands more than once in the entry of line {self._entry.line}"
                self._found.add("repeated-element", message, self._line)
                self._skip = self._depth
            else:
                self._text = self._entry.texts[local] = Text(self._line)
                self._pieces.clear()
        elif namespace in ("", NAMESPACE):
            self._unknown(local)
        else:
            self._skip = self._depth
            self._rank = len(fields)
            if namespace == XHTML and local == "link":
                if len(self._entry.links) == _MAX_LINKS:
                    self._stop("too-complex", f"an entry has more than {_MAX_LINKS:,} links")
                self._entry.links.append(Link(self._line, attributes))

    def _end(self, name: str) -> None:
        if self._skip == self._depth:
            self._skip = 0
        elif not self._skip:
            if self._depth == 3 and self._text is not None:
                text = self._text
                text.value = "".join(self._pieces).strip(" \t\r\n")
                if text.length <= _MAX_TEXT:
                    text.length = len(text.value)
                self._text = None
            elif self._depth == 2:
                self._ready.append(self._entry)
            elif self._depth == 1 and not self.count and "unknown" not in self._reported:
                self._found.add("empty", f"<{self._root}> has no <{_ENTRY[self._root]}>")
        self._depth -= 1

    def _characters(self, text: str) -> None:
        if self._skip:
            return
        if self._text is None:
            if self._depth < 3 and (content := text.strip(" \t\r\n")):
                where = self._entry.line if self._depth == 2 else 0
                message = f"{shorten(content)} stands between elements"
                # The parser is behind the text already.
                after = text.rstrip(" \t\r\n")
                line = self._line - text.count("\n") + after.count("\n")
                self._once(where, "unexpected-content", message, line)
        else:
            if self._text.length < _MAX_TEXT:
                self._pieces.append(text[:_MAX_TEXT])
            self._text.length += len(text)

    def _unknown(self, local: str) -> None:
        self._found.add(
            "unknown-element", f"<{shorten(local)[1:-1]}> does not belong here", self._line
        )
        self._skip = self._depth

    def _check_rank(self, rank: int) -> None:
        if rank < self._rank and not self.is_index:
            self._once("order", "wrong-order", "the elements of this entry are in another order")
        self._rank = max(rank, self._rank)

    def _check_prefix(self, prefix: str, usual: str, what: str) -> None:
        if prefix != usual:
            shown = f"the prefix {shorten(prefix)}" if prefix else "no prefix"
            self._once(what, "unusual-prefix", f"{what} has {shown}")

    def _check_attributes(self, local: str, attributes: dict[str, str]) -> None:
        for name in attributes:
            namespace, attribute, _ = _split(name)
            if namespace not in _ANYWHERE:
                message = f"<{local}> has the attribute {shorten(attribute)}"
                self._once(local, "unexpected-content", message)

    def _once(self, key: object, code: str, message: str, line: int | None = None) -> None:
        """What a generator does everywhere is said once."""
        if (code, key) not in self._reported:
            self._reported.add((code, key))
            self._found.add(code, message, line or self._line)

    def _stop(self, code: str, message: str) -> NoReturn:
        raise Unusable(code, message, self._line)

    @property
    def _line(self) -> int:
        return self._parser.CurrentLineNumber


def _split(name: str) -> tuple[str, str, str]:
    """Return the namespace, the local name and the prefix of an element or attribute."""
    namespace, separator, rest = name.partition(_SEPARATOR)
    if not separator:
        return "", name, ""
    local, _, prefix = rest.partition(_SEPARATOR)
    return namespace, local, prefix


def _check_start(chunk: bytes) -> None:
    """Recognise what is often in a sitemap's place, and hard to recognise by its errors."""
    if chunk.startswith(_UTF16):
        raise Unusable("encoding", "it is in UTF-16 or UTF-32", 1)
    if chunk.startswith(b"\x1f\x8b"):
        raise Unusable("not-well-formed", "it is compressed, but its name does not end in .gz", 1)
    if _HTML.match(chunk[:200]):
        raise Unusable("wrong-root", "it is an HTML page", 1)


def _check_utf8(start: bytes, line: int) -> None:
    try:
        codecs.getincrementaldecoder("utf-8")().decode(start)
    except UnicodeDecodeError as error:
        if error.start == 0:
            message = f"the byte 0x{start[0]:02X} stands here for no character of UTF-8"
            raise Unusable("encoding", message, line) from None
