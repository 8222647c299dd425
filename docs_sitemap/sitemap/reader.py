"""A streaming reader of sitemaps that checks the grammar of the protocol.

The file is never completely in memory, and entities are not expanded.
"""

from __future__ import annotations

import codecs
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NoReturn
from xml.parsers.expat import ErrorString, ExpatError, ParserCreate

from docs_sitemap.commands.check.codes import Code
from docs_sitemap.commands.check.extensions import (
    EXTENSIONS,
    MAX_ELEMENTS,
    Extension,
    intended_namespace,
    is_known_element,
)
from docs_sitemap.commands.check.finding import FileFindings, UnusableFileError
from docs_sitemap.sitemap.protocol import MAX_ENTRIES, SITEMAP_NAMESPACE, XHTML_NAMESPACE
from docs_sitemap.text import shorten

# The limits protect against hostile files: no sitemap comes near them.
_MAX_DEPTH = 64
_MAX_TOKEN = 2**20
_MAX_TEXT = 2**13
_MAX_LINKS = 1_000
_MAX_NAMES = 10_000

# This character separates the parts of a name. XML does not allow it, so no namespace contains it.
_SEPARATOR = "\x01"

# https://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd and siteindex.xsd
_ENTRY_NAMES = {"urlset": "url", "sitemapindex": "sitemap"}
_FIELD_NAMES = {
    "urlset": ("loc", "lastmod", "changefreq", "priority"),
    "sitemapindex": ("loc", "lastmod"),
}
# The attributes of links that are used.
_LINK_ATTRIBUTES = ("rel", "hreflang", "href", "media", "type")
# The namespaces of attributes that any element of any XML document may have.
_COMMON_ATTRIBUTES = (
    "http://www.w3.org/2001/XMLSchema-instance",
    "http://www.w3.org/XML/1998/namespace",
)
# Clearer messages for errors of the parser.
_PARSER_ERRORS = {
    "not well-formed (invalid token)": "this character is not allowed here",
    "XML or text declaration not at start of entity": "there is text before <?xml",
}
_SPACE = " \t\r\n"
_HTML_START = re.compile(rb"(?:\xef\xbb\xbf)?\s*<(?:!doctype\s+)?html\b", re.I)
_UTF16_STARTS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, b"<\0", b"\0<")
_GZIP_START = b"\x1f\x8b"


@dataclass(slots=True)
class FieldText:
    """The text of an element such as `<loc>`, without the white space around it.

    Attributes:
        line: The line of the start tag.
        value: The text. Only the start of a very long text is kept.
        length: The length of the complete text.
        is_plain: Whether the element contains only text, and no other elements.
    """

    line: int
    value: str = ""
    length: int = 0
    is_plain: bool = True


@dataclass(slots=True)
class XhtmlLink:
    """An `<xhtml:link>`: the start of the attributes that are used."""

    line: int
    attributes: dict[str, str]


@dataclass(slots=True)
class RawExtension:
    """An image, video, or news article: the first element of each path."""

    extension: Extension
    line: int
    fields: dict[str, FieldText] = field(default_factory=dict)


@dataclass(slots=True)
class RawEntry:
    """A `<url>` or `<sitemap>`: the first element of each name, and all links and extensions."""

    line: int
    fields: dict[str, FieldText] = field(default_factory=dict)
    links: list[XhtmlLink] = field(default_factory=list)
    extensions: list[RawExtension] = field(default_factory=list)


class SitemapReader:
    """Reads one sitemap or sitemap index.

    Attributes:
        is_index: Whether the file is a sitemap index. Valid from the first entry on.
        entry_count: The number of entries so far, including those above the protocol's limit,
            which are not yielded.

    Args:
        findings: Receives what is wrong with the grammar.
    """

    def __init__(self, findings: FileFindings) -> None:
        self.is_index = False
        self.entry_count = 0
        self._findings = findings
        self._reported: set[tuple[Code, object]] = set()
        self._root = ""
        self._depth = 0
        self._skipped_depth = 0  # of the element whose content is skipped; 0 if there is none
        self._entry = RawEntry(0)
        self._highest_field = 0  # the position in the schema's order that the entry has reached
        self._extension: RawExtension | None = None
        self._group = ""  # the element of the extension that contains the current ones
        self._extension_counts: Counter[str] = Counter()  # of the entry
        self._news_count = 0
        self._is_ascii = False
        self._field: FieldText | None = None
        self._pieces: list[str] = []
        self._has_unknown_entries = False
        self._complete: list[RawEntry] = []
        # The parser keeps the names of all elements, attributes, prefixes, and namespaces.
        self._names: dict[str, str] = {}
        self._parser = ParserCreate("UTF-8", _SEPARATOR, self._names)
        self._parser.namespace_prefixes = True
        self._parser.buffer_text = True
        self._parser.XmlDeclHandler = self._on_declaration
        self._parser.StartDoctypeDeclHandler = self._on_doctype
        self._parser.StartNamespaceDeclHandler = self._check_names
        self._parser.StartElementHandler = self._on_start
        self._parser.EndElementHandler = self._on_end
        self._parser.CharacterDataHandler = self._on_text

    def entries(self, chunks: Iterable[bytes]) -> Iterator[RawEntry]:
        """Yield the entries of a sitemap.

        Args:
            chunks: The content of the file.

        Raises:
            UnusableFileError: It is not a sitemap, or not well-formed.
        """
        size = 0
        line = 1
        window = b""  # the last bytes that the parser has received
        for chunk in chunks:
            if size == 0:
                _check_start(chunk)
            size += len(chunk)
            window = window[-4:] + chunk
            self._parse(chunk, window, size)
            if self._is_ascii:
                _check_ascii(chunk, line)
                line += chunk.count(b"\n")
            # Some versions of the parser scan an incomplete token again with each chunk.
            if size - max(self._parser.CurrentByteIndex, 0) > _MAX_TOKEN:
                message = f"a tag or comment has more than {_MAX_TOKEN:,} bytes"
                self._stop(Code.TOO_COMPLEX, message)
            self._check_names()
            yield from self._complete
            self._complete.clear()
        if size == 0:
            raise UnusableFileError(Code.NOT_WELL_FORMED, "the file is empty")
        self._parse(b"", window, size, is_end=True)
        yield from self._complete
        if self.entry_count > MAX_ENTRIES:
            message = f"it lists {self.entry_count:,}, but the protocol allows {MAX_ENTRIES:,}"
            self._findings.add(Code.TOO_MANY_URLS, message)
        if self._news_count > MAX_ELEMENTS:
            message = f"it has {self._news_count:,} <news:news>, but {MAX_ELEMENTS:,} are allowed"
            self._findings.add(Code.EXTENSION_TOO_MANY, message)

    def _parse(self, chunk: bytes, window: bytes, size: int, *, is_end: bool = False) -> None:
        try:
            self._parser.Parse(chunk, is_end)
        except ExpatError as error:
            position = self._parser.ErrorByteIndex - (size - len(window))
            if position >= 0:
                _check_utf8(window[position : position + 4], error.lineno)
            text = ErrorString(error.code)
            message = f"{_PARSER_ERRORS.get(text, text)}, in column {error.offset + 1}"
            raise UnusableFileError(Code.NOT_WELL_FORMED, message, error.lineno) from None

    def _on_declaration(self, version: str, encoding: str | None, standalone: int) -> None:
        if encoding is not None and encoding.upper() not in ("UTF-8", "US-ASCII"):
            self._stop(Code.ENCODING, f"it declares the encoding {shorten(encoding)}")
        self._is_ascii = encoding is not None and encoding.upper() == "US-ASCII"
        if version != "1.0":
            self._findings.add(Code.XML_VERSION, f"it declares XML {shorten(version)}", self._line)

    def _on_doctype(self, name: str, *_: object) -> None:
        self._stop(Code.DOCTYPE, f"it declares the document type {shorten(name)}")

    def _check_names(self, *_: object) -> None:
        if len(self._names) > _MAX_NAMES:
            message = f"it has more than {_MAX_NAMES:,} names of elements and namespaces"
            raise UnusableFileError(Code.TOO_COMPLEX, message)

    def _on_start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            message = f"its elements are nested more than {_MAX_DEPTH} levels deep"
            self._stop(Code.TOO_COMPLEX, message)
        if self._skipped_depth:
            return
        namespace, local, prefix = _split_name(name)
        if self._depth == 1:
            self._start_root(namespace, local)
        elif self._depth == 2:
            self._start_entry(namespace, local, prefix)
        elif self._depth == 3:
            self._start_field(namespace, local, prefix, attributes)
        else:
            self._start_inner(namespace, local)
        if namespace == SITEMAP_NAMESPACE:
            self._check_prefix(prefix, "", "the namespace of the sitemap")
            if attributes and not self._skipped_depth:
                self._check_attributes(local, attributes)
        elif namespace == XHTML_NAMESPACE and local == "link":
            self._check_prefix(prefix, "xhtml", "the namespace of XHTML")
        elif namespace not in EXTENSIONS:
            self._check_namespace(namespace, prefix, local)

    def _start_root(self, namespace: str, local: str) -> None:
        if local not in _ENTRY_NAMES:
            self._stop(Code.WRONG_ROOT, f"the root element is {_tag(local)}")
        if namespace != SITEMAP_NAMESPACE:
            place = f"in the namespace {shorten(namespace)}" if namespace else "in no namespace"
            self._stop(Code.WRONG_NAMESPACE, f"<{local}> is {place}")
        self._root = local
        self.is_index = local == "sitemapindex"

    def _start_entry(self, namespace: str, local: str, prefix: str) -> None:
        if namespace == SITEMAP_NAMESPACE and local == _ENTRY_NAMES[self._root]:
            self.entry_count += 1
            if self.entry_count > MAX_ENTRIES:
                self._skip()
            self._entry = RawEntry(self._line)
            self._extension_counts.clear()
            self._highest_field = 0
        elif namespace in ("", SITEMAP_NAMESPACE):
            self._has_unknown_entries = True
            self._skip_unknown(local)
        elif is_known_element(namespace, local):
            self._skip_unknown(f"{prefix}:{local}")
        else:
            self._skip()

    def _start_field(
        self, namespace: str, local: str, prefix: str, attributes: dict[str, str]
    ) -> None:
        names = _FIELD_NAMES[self._root]
        if namespace == SITEMAP_NAMESPACE and local in names:
            self._check_order(names.index(local))
            if local in self._entry.fields:
                message = f"the entry in line {self._entry.line} has more than one <{local}>"
                self._findings.add(Code.REPEATED_ELEMENT, message, self._line)
                self._skip()
            else:
                self._field = self._entry.fields[local] = FieldText(self._line)
                self._pieces.clear()
            return
        if namespace in ("", SITEMAP_NAMESPACE):
            self._skip_unknown(local)
            return
        self._highest_field = len(names)  # elements from other namespaces come last
        extension = EXTENSIONS.get(namespace)
        if not is_known_element(namespace, local):
            self._skip()
        elif self.is_index or (extension is not None and local != extension.name):
            self._skip_unknown(f"{prefix}:{local}")
        elif extension is not None:
            self._start_extension(extension)
        else:
            if len(self._entry.links) == _MAX_LINKS:
                self._stop(Code.TOO_COMPLEX, f"an entry has more than {_MAX_LINKS:,} links")
            texts = {
                name: attributes[name][:_MAX_TEXT]
                for name in _LINK_ATTRIBUTES
                if name in attributes
            }
            self._entry.links.append(XhtmlLink(self._line, texts))
            self._skip()

    def _start_extension(self, extension: Extension) -> None:
        name = extension.name
        self._news_count += name == "news"
        self._extension_counts[name] += 1
        if name == "news" and self._extension_counts[name] > 1:
            message = f"the entry in line {self._entry.line} has more than one <news:news>"
            self._findings.add(Code.REPEATED_ELEMENT, message, self._line)
            self._skip()
        elif self._extension_counts[name] > MAX_ELEMENTS:
            if self._extension_counts[name] == MAX_ELEMENTS + 1:
                message = f"the entry has more than {MAX_ELEMENTS:,} <{name}:{name}>"
                self._findings.add(Code.EXTENSION_TOO_MANY, message, self._entry.line)
            self._skip()
        else:
            self._extension = RawExtension(extension, self._line)
            self._entry.extensions.append(self._extension)

    def _start_inner(self, namespace: str, local: str) -> None:
        """Start an element in a field or in an extension."""
        if self._extension is None or self._field is not None:
            self._skip_unknown(local)
            if self._field is not None:
                self._field.is_plain = False
            return
        extension, fields = self._extension.extension, self._extension.fields
        path = f"{self._group}/{local}" if self._group else local
        if namespace != extension.namespace:
            self._skip()
        elif path in extension.groups:
            self._group = path
        elif path not in extension.paths:
            self._skip()
        elif path in fields:
            message = (
                f"the <{extension.name}:{extension.name}> in line {self._extension.line} has more "
                f"than one <{extension.name}:{local}>"
            )
            self._findings.add(Code.REPEATED_ELEMENT, message, self._line)
            self._skip()
        else:
            self._field = fields[path] = FieldText(self._line)
            self._pieces.clear()

    def _on_end(self, name: str) -> None:
        if self._skipped_depth == self._depth:
            self._skipped_depth = 0
        elif not self._skipped_depth:
            if self._field is not None:
                self._end_field(self._field)
            elif self._depth == 4:
                self._group = ""
            elif self._depth == 3:
                self._extension = None
            elif self._depth == 2:
                self._complete.append(self._entry)
            elif self._depth == 1 and not self.entry_count and not self._has_unknown_entries:
                message = f"<{self._root}> contains no <{_ENTRY_NAMES[self._root]}>"
                self._findings.add(Code.EMPTY, message)
        self._depth -= 1

    def _end_field(self, text: FieldText) -> None:
        text.value = "".join(self._pieces).strip(_SPACE)
        if text.length <= _MAX_TEXT:
            text.length = len(text.value)
        self._field = None

    def _on_text(self, text: str) -> None:
        if self._skipped_depth:
            return
        if self._field is not None:
            if self._field.length < _MAX_TEXT:
                self._pieces.append(text[:_MAX_TEXT])
            self._field.length += len(text)
        elif content := text.strip(_SPACE):
            place = self._entry.line if self._depth == 2 else 0
            message = f"there is the text {shorten(content)} between elements"
            # The parser is at the end of the text: count back to the end of its content.
            line = self._line - text.count("\n") + text.rstrip(_SPACE).count("\n")
            self._add_once(Code.UNEXPECTED_CONTENT, place, message, line)

    def _check_order(self, position: int) -> None:
        # The schema of sitemap indexes allows any order.
        if position < self._highest_field and not self.is_index:
            message = "the elements of this entry are not in the order of the schema"
            self._add_once(Code.WRONG_ORDER, None, message, self._line)
        self._highest_field = max(position, self._highest_field)

    def _check_prefix(self, prefix: str, usual: str, subject: str) -> None:
        if prefix != usual:
            description = f"the prefix {shorten(prefix)}" if prefix else "no prefix"
            message = f"{subject} has {description}"
            self._add_once(Code.UNUSUAL_PREFIX, subject, message, self._line)

    def _check_namespace(self, namespace: str, prefix: str, local: str) -> None:
        intended = intended_namespace(namespace, prefix, local)
        if intended is not None:
            message = f"{_tag(local)} is in {shorten(namespace)} instead of {shorten(intended)}"
            self._add_once(Code.EXTENSION_NAMESPACE, intended, message, self._line)

    def _check_attributes(self, local: str, attributes: dict[str, str]) -> None:
        for name in attributes:
            namespace, attribute, _ = _split_name(name)
            if namespace not in _COMMON_ATTRIBUTES:
                message = f"<{local}> has the attribute {shorten(attribute)}"
                self._add_once(Code.UNEXPECTED_CONTENT, local, message, self._line)

    def _skip(self) -> None:
        self._skipped_depth = self._depth

    def _skip_unknown(self, local: str) -> None:
        message = f"{_tag(local)} is not allowed here"
        self._findings.add(Code.UNKNOWN_ELEMENT, message, self._line)
        self._skip()

    def _add_once(self, code: Code, subject: object, message: str, line: int) -> None:
        """Report a fault that a generator repeats in every entry only once."""
        if (code, subject) not in self._reported:
            self._reported.add((code, subject))
            self._findings.add(code, message, line)

    def _stop(self, code: Code, message: str) -> NoReturn:
        raise UnusableFileError(code, message, self._line)

    @property
    def _line(self) -> int:
        return self._parser.CurrentLineNumber


def _split_name(name: str) -> tuple[str, str, str]:
    """Return the namespace, the local name, and the prefix of an element or attribute."""
    namespace, separator, rest = name.partition(_SEPARATOR)
    if not separator:
        return "", name, ""
    local, _, prefix = rest.partition(_SEPARATOR)
    return namespace, local, prefix


def _tag(local: str) -> str:
    return f"<{shorten(local)[1:-1]}>"


def _check_start(chunk: bytes) -> None:
    """Detect content for which the errors of the parser would be misleading."""
    if chunk.startswith(_UTF16_STARTS):
        raise UnusableFileError(Code.ENCODING, "it is encoded in UTF-16 or UTF-32", 1)
    if chunk.startswith(_GZIP_START):
        message = "it is compressed, but its name does not end in .gz"
        raise UnusableFileError(Code.NOT_WELL_FORMED, message, 1)
    if _HTML_START.match(chunk[:200]):
        raise UnusableFileError(Code.WRONG_ROOT, "it is an HTML page", 1)


def _check_ascii(chunk: bytes, line: int) -> None:
    """Check a part of a file that declares US-ASCII and starts in this line."""
    if not chunk.isascii():
        position = next(number for number, byte in enumerate(chunk) if byte > 0x7F)
        message = f"it declares US-ASCII, but contains the byte 0x{chunk[position]:02X}"
        line += chunk.count(b"\n", 0, position)
        raise UnusableFileError(Code.ENCODING, message, line)


def _check_utf8(start: bytes, line: int) -> None:
    """Check whether the parser stopped because of an invalid UTF-8 sequence."""
    try:
        codecs.getincrementaldecoder("utf-8")().decode(start)
    except UnicodeDecodeError as error:
        if error.start == 0:
            message = f"the byte 0x{start[0]:02X} is not valid UTF-8 here"
            raise UnusableFileError(Code.ENCODING, message, line) from None
