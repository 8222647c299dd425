"""The reader of sitemaps and sitemap indexes. It checks the grammar of the protocol.

Files are read as streams, so a file is never completely in memory. Entities are not expanded.
"""

from __future__ import annotations

import codecs
import gzip
import io
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import BinaryIO, NamedTuple, NoReturn, cast
from xml.parsers.expat import ErrorString, ExpatError, ParserCreate

from docs_sitemap.files import OutsideSiteError
from docs_sitemap.sitemap.protocol import (
    MAX_BYTES,
    MAX_ENTRIES,
    SITEMAP_NAMESPACE,
    XHTML_NAMESPACE,
    Alternate,
    is_alternate,
)
from docs_sitemap.sitemap.rules import FileDiagnostics, FormatRule, UnusableFileError
from docs_sitemap.text import shorten

_CHUNK = 2**16

# The limits protect against hostile files: no sitemap comes near them.
_MAX_DEPTH = 64
_MAX_TOKEN = 2**20
_MAX_TEXT = 2**13
_MAX_ELEMENTS = 20_000
_MAX_NAMES = 10_000
# Compression makes a file at most a little larger. Empty parts of a gzip file, its header, and
# padding after its end are not content, so the limit of the content does not apply to them.
_MAX_OVERHEAD = 2**20

# This character separates the parts of a name. XML does not allow it, so no namespace contains it.
_SEPARATOR = "\x01"

# https://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd and siteindex.xsd
_ENTRY_NAMES = {"urlset": "url", "sitemapindex": "sitemap"}
_FIELD_NAMES = {
    "urlset": ("loc", "lastmod", "changefreq", "priority"),
    "sitemapindex": ("loc", "lastmod"),
}
# Clearer messages for errors of the parser.
_PARSER_ERRORS = {
    "not well-formed (invalid token)": "this character is not allowed here",
    "XML or text declaration not at start of entity": "there is text before <?xml",
}
_GOOGLE_EXTENSIONS = "http://www.google.com/schemas/sitemap-"
_SPACE = " \t\r\n"
_HTML_START = re.compile(rb"(?:\xef\xbb\xbf)?\s*<(?:!doctype\s+)?html\b", re.I)
_UTF16_STARTS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, b"<\0", b"\0<")
_GZIP_START = b"\x1f\x8b"


class _Name(NamedTuple):
    """The name of an element."""

    namespace: str
    local: str
    prefix: str


@dataclass(slots=True)
class Element:
    """An element of XML. Of very long texts and attributes, only the start is kept.

    Attributes:
        name: The name.
        line: The line of the start tag.
        attributes: The attributes by name.
        text: The text in the element, without the white space around it.
        length: The length of the complete text.
        children: The elements in the element.
    """

    name: _Name
    line: int
    attributes: dict[str, str]
    text: str = ""
    length: int = 0
    children: Sequence[Element] = ()

    @property
    def tag(self) -> str:
        """The start tag for messages."""
        return f"<{shorten(self.name.local)[1:-1]}>"


@dataclass(slots=True)
class SitemapEntry:
    """A `<url>` or `<sitemap>`.

    Attributes:
        line: The line of the start tag.
        fields: The first `loc`, `lastmod`, `changefreq`, and `priority`, by name.
        links: All `<xhtml:link>`.
        is_extended: Whether the entry has an extension of Google, such as images.
    """

    line: int
    fields: dict[str, Element] = field(default_factory=dict)
    links: list[Element] = field(default_factory=list)
    is_extended: bool = False

    def text(self, name: str) -> str | None:
        """Return the text of a field; `None` if it is missing, or contains other elements."""
        element = self.fields.get(name)
        return None if element is None or element.children else element.text

    @property
    def alternates(self) -> Iterator[Alternate]:
        """The links to languages, as written. Neither language nor URL is checked."""
        for link in self.links:
            hreflang, href = link.attributes.get("hreflang"), link.attributes.get("href")
            if hreflang is not None and href is not None and is_alternate(link.attributes):
                yield Alternate(hreflang, href.strip())


def open_file(open_: Callable[[str], BinaryIO], file: str) -> BinaryIO:
    """Open a file of a site.

    Args:
        open_: Opens a file, such as `SiteFolder.open_file`.
        file: The file.

    Raises:
        UnusableFileError: The file cannot be read, or is not in the folder of the site.
    """
    try:
        return open_(file)
    except OutsideSiteError:
        message = "a symbolic link leads out of the site"
        raise UnusableFileError(FormatRule.OUTSIDE_SITE, message) from None
    except OSError as error:
        raise _unreadable(error) from None


def read_chunks(file: BinaryIO, name: str) -> Iterator[bytes]:
    """Yield the content of a sitemap. If its name ends in `.gz`, it is uncompressed.

    Raises:
        UnusableFileError: It is too large, cannot be read, or is not a valid gzip file.
    """
    compressed = _CompressedFile(file)
    source = file
    if name.endswith(".gz"):
        stream = gzip.GzipFile(fileobj=cast(BinaryIO, compressed), mode="rb")
        # GzipFile.read() may return less than requested. BufferedReader.read() does not.
        source = cast(BinaryIO, io.BufferedReader(stream, _CHUNK))
    size = 0
    try:
        while chunk := source.read(_CHUNK):
            size += len(chunk)
            compressed.limit = size + _MAX_OVERHEAD
            if size > MAX_BYTES:
                message = f"it has more than {MAX_BYTES:,} bytes"
                raise UnusableFileError(FormatRule.TOO_LARGE, message)
            yield chunk
    except (gzip.BadGzipFile, zlib.error, EOFError) as error:
        message = f"it cannot be uncompressed ({error})"
        raise UnusableFileError(FormatRule.GZIP_BROKEN, message) from None
    except OSError as error:
        raise _unreadable(error) from None


def has_same_content(sitemap: BinaryIO, compressed: BinaryIO) -> bool:
    """Compare a sitemap with its compressed copy.

    Raises:
        UnusableFileError: The compressed copy cannot be uncompressed.
    """
    for chunk in read_chunks(compressed, ".gz"):
        if sitemap.read(len(chunk)) != chunk:
            return False
    return not sitemap.read(1)


class _CompressedFile:
    """A gzip file that cannot be read beyond a limit.

    Attributes:
        limit: The number of compressed bytes that may be read.
    """

    def __init__(self, file: BinaryIO) -> None:
        self.limit = _MAX_OVERHEAD
        self._file = file
        self._size = 0

    def read(self, size: int) -> bytes:
        data = self._file.read(size)
        self._size += len(data)
        if self._size > self.limit:
            raise gzip.BadGzipFile(f"it is over {_MAX_OVERHEAD:,} bytes larger than its content")
        return data


def _unreadable(error: OSError) -> UnusableFileError:
    message = f"it cannot be read ({error.strerror or error})"
    return UnusableFileError(FormatRule.UNREADABLE, message)


class SitemapReader:
    """Reads one sitemap or sitemap index.

    Attributes:
        is_index: Whether the file is a sitemap index. Valid from the first entry on.
        entry_count: The number of entries so far, including those above the protocol's limit,
            which are not yielded.
        size: The number of bytes so far, uncompressed.

    Args:
        diagnostics: Receives what is wrong with the grammar.
    """

    def __init__(self, diagnostics: FileDiagnostics | None = None) -> None:
        self.is_index = False
        self.entry_count = self.size = 0
        self._diagnostics = diagnostics or FileDiagnostics("")
        self._reported: set[str] = set()
        self._root = ""
        self._open: list[Element] = []
        self._elements = 0  # of the entry
        self._has_unknown_entries = False
        self._complete: list[SitemapEntry] = []
        self._lines = 0  # in the chunks that are parsed
        self._decoder: codecs.IncrementalDecoder = codecs.getincrementaldecoder("utf-8")()
        self._names: dict[str, _Name] = {}
        # The parser keeps the names of all elements, attributes, prefixes, and namespaces. Without
        # a handler, it does not show the prefixes.
        self._interned: dict[str, str] = {}
        self._parser = ParserCreate("UTF-8", _SEPARATOR, self._interned)
        self._parser.namespace_prefixes = True
        self._parser.buffer_text = True
        self._parser.XmlDeclHandler = self._on_declaration
        self._parser.StartDoctypeDeclHandler = self._on_doctype
        self._parser.StartNamespaceDeclHandler = lambda *_: None
        self._parser.StartElementHandler = self._on_start
        self._parser.EndElementHandler = self._on_end
        self._parser.CharacterDataHandler = self._on_text

    def entries(self, chunks: Iterable[bytes]) -> Iterator[SitemapEntry]:
        """Yield the entries of a sitemap.

        Args:
            chunks: The content of the file, such as from `read_chunks`.

        Raises:
            UnusableFileError: It is not a sitemap, or not well-formed.
        """
        for chunk in chunks:
            if self.size == 0:
                _check_start(chunk)
            self.size += len(chunk)
            self._parse(chunk)
            # Some versions of the parser scan an incomplete token again with each chunk.
            if self.size - max(self._parser.CurrentByteIndex, 0) > _MAX_TOKEN:
                message = f"a tag or comment has more than {_MAX_TOKEN:,} bytes"
                self._stop(FormatRule.TOO_COMPLEX, message)
            if len(self._interned) > _MAX_NAMES:
                message = f"it has more than {_MAX_NAMES:,} names of elements and namespaces"
                raise UnusableFileError(FormatRule.TOO_COMPLEX, message)
            yield from self._complete
            self._complete.clear()
        if self.size == 0:
            raise UnusableFileError(FormatRule.NOT_WELL_FORMED, "the file is empty")
        self._parse(b"", is_end=True)
        yield from self._complete
        if not self.entry_count and not self._has_unknown_entries:
            message = f"<{self._root}> contains no <{_ENTRY_NAMES[self._root]}>"
            self._diagnostics.add(FormatRule.EMPTY, message)
        if self.entry_count > MAX_ENTRIES:
            message = f"it lists {self.entry_count:,}, but the protocol allows {MAX_ENTRIES:,}"
            self._diagnostics.add(FormatRule.TOO_MANY_URLS, message)

    def _parse(self, chunk: bytes, *, is_end: bool = False) -> None:
        try:
            self._parser.Parse(chunk, is_end)
        except ExpatError as error:
            self._check_encoding(chunk)
            text = ErrorString(error.code)
            message = f"{_PARSER_ERRORS.get(text, text)}, in column {error.offset + 1}"
            raise UnusableFileError(FormatRule.NOT_WELL_FORMED, message, error.lineno) from None
        self._check_encoding(chunk)

    def _check_encoding(self, chunk: bytes) -> None:
        try:
            self._decoder.decode(chunk)
        except UnicodeDecodeError as error:
            byte = error.object[error.start]
            message = f"the byte 0x{byte:02X} is not valid {error.encoding.upper()} here"
            line = self._lines + error.object.count(b"\n", 0, error.start) + 1
            raise UnusableFileError(FormatRule.ENCODING, message, line) from None
        self._lines += chunk.count(b"\n")

    def _on_declaration(self, version: str, encoding: str | None, standalone: int) -> None:
        if encoding is not None and encoding.upper() not in ("UTF-8", "US-ASCII"):
            self._stop(FormatRule.ENCODING, f"it declares the encoding {shorten(encoding)}")

    def _on_doctype(self, name: str, *_: object) -> None:
        self._stop(FormatRule.DOCTYPE, f"it declares the document type {shorten(name)}")

    def _on_start(self, raw_name: str, attributes: dict[str, str]) -> None:
        name = self._names.get(raw_name) or self._add_name(raw_name)
        if attributes:
            attributes = {key: value[:_MAX_TEXT] for key, value in attributes.items()}
        element = Element(name, self._parser.CurrentLineNumber, attributes)
        depth = len(self._open)
        if depth > 1:
            self._add_child(self._open[-1], element)
        elif depth == 1:
            self._elements = 0
        else:
            self._start_root(element)
        self._open.append(element)

    def _add_child(self, parent: Element, element: Element) -> None:
        if isinstance(parent.children, list):
            parent.children.append(element)
        else:  # Most elements have no children, and need no list.
            parent.children = [element]
        self._elements += 1
        if self._elements > _MAX_ELEMENTS:
            message = f"an entry has more than {_MAX_ELEMENTS:,} elements"
            self._stop(FormatRule.TOO_COMPLEX, message)
        if len(self._open) >= _MAX_DEPTH:
            message = f"its elements are nested more than {_MAX_DEPTH} levels deep"
            self._stop(FormatRule.TOO_COMPLEX, message)

    def _start_root(self, root: Element) -> None:
        namespace, local, _ = root.name
        if local not in _ENTRY_NAMES:
            self._stop(FormatRule.WRONG_ROOT, f"the root element is {root.tag}")
        if namespace != SITEMAP_NAMESPACE:
            place = f"in the namespace {shorten(namespace)}" if namespace else "in no namespace"
            self._stop(FormatRule.WRONG_NAMESPACE, f"<{local}> is {place}")
        self._root = local
        self.is_index = local == "sitemapindex"

    def _on_end(self, raw_name: str) -> None:
        element = self._open.pop()
        if element.text:
            element.text = element.text.strip(_SPACE)
            if element.length <= _MAX_TEXT:
                element.length = len(element.text)
        if len(self._open) == 1:
            self._end_entry(element)

    def _on_text(self, text: str) -> None:
        element = self._open[-1]
        if not element.text and text.isspace():
            return
        if element.length < _MAX_TEXT:
            element.text += text[:_MAX_TEXT]
        element.length += len(text)

    def _end_entry(self, element: Element) -> None:
        """Check a child of the root, and read it if it is an entry."""
        namespace, local, _ = element.name
        if namespace == SITEMAP_NAMESPACE and local == _ENTRY_NAMES[self._root]:
            self.entry_count += 1
            if self.entry_count <= MAX_ENTRIES:
                self._complete.append(self._read_entry(element))
        elif _is_unexpected(element):
            self._has_unknown_entries = True
            self._report_unexpected(element)

    def _read_entry(self, element: Element) -> SitemapEntry:
        entry = SitemapEntry(element.line)
        names = _FIELD_NAMES[self._root]
        for child in element.children:
            namespace, local, _ = child.name
            if namespace == SITEMAP_NAMESPACE and local in names:
                self._add_field(entry, child)
            elif _is_link(child.name) and not self.is_index:
                entry.links.append(child)
            elif _is_unexpected(child):
                self._report_unexpected(child)
            elif namespace.startswith(_GOOGLE_EXTENSIONS):
                entry.is_extended = True
        return entry

    def _add_field(self, entry: SitemapEntry, element: Element) -> None:
        if element.name.local in entry.fields:
            message = f"the entry in line {entry.line} has more than one {element.tag}"
            self._diagnostics.add(FormatRule.UNEXPECTED_ELEMENT, message, element.line)
            return
        entry.fields[element.name.local] = element
        for child in element.children:
            self._report_unexpected(child)

    def _add_name(self, raw_name: str) -> _Name:
        """Split a name, and check its namespace and prefix when it occurs for the first time."""
        name = self._names[raw_name] = _split_name(raw_name)
        if name.namespace == SITEMAP_NAMESPACE:
            self._check_prefix(name.prefix, "", "the namespace of the sitemap")
        elif _is_link(name):
            self._check_prefix(name.prefix, "xhtml", "the namespace of XHTML")
        elif name.local == "link" and (name.prefix == "xhtml" or "xhtml" in name.namespace):
            namespace = shorten(name.namespace)
            message = f"<link> is in {namespace} instead of {shorten(XHTML_NAMESPACE)}"
            self._add_once(FormatRule.ALTERNATE_INVALID, XHTML_NAMESPACE, message)
        return name

    def _check_prefix(self, prefix: str, usual: str, subject: str) -> None:
        if prefix != usual:
            description = f"the prefix {shorten(prefix)}" if prefix else "no prefix"
            message = f"{subject} has {description}"
            self._add_once(FormatRule.UNUSUAL_PREFIX, subject, message)

    def _report_unexpected(self, element: Element) -> None:
        message = f"{element.tag} is not allowed here"
        self._diagnostics.add(FormatRule.UNEXPECTED_ELEMENT, message, element.line)

    def _add_once(self, rule: FormatRule, subject: str, message: str) -> None:
        """Report a mistake that a generator repeats in every entry only once."""
        if subject not in self._reported:
            self._reported.add(subject)
            self._diagnostics.add(rule, message, self._line)

    def _stop(self, rule: FormatRule, message: str) -> NoReturn:
        raise UnusableFileError(rule, message, self._line)

    @property
    def _line(self) -> int:
        return self._parser.CurrentLineNumber


def _split_name(name: str) -> _Name:
    namespace, separator, rest = name.partition(_SEPARATOR)
    if not separator:
        return _Name("", name, "")
    local, _, prefix = rest.partition(_SEPARATOR)
    return _Name(namespace, local, prefix)


def _is_link(name: _Name) -> bool:
    return name.namespace == XHTML_NAMESPACE and name.local == "link"


def _is_unexpected(element: Element) -> bool:
    """Return whether an element belongs to the protocol, and not to some other namespace."""
    return element.name.namespace in ("", SITEMAP_NAMESPACE) or _is_link(element.name)


def _check_start(chunk: bytes) -> None:
    """Detect content for which the errors of the parser would be misleading."""
    if chunk.startswith(_UTF16_STARTS):
        raise UnusableFileError(FormatRule.ENCODING, "it is encoded in UTF-16 or UTF-32", 1)
    if chunk.startswith(_GZIP_START):
        message = "it is compressed, but its name does not end in .gz"
        raise UnusableFileError(FormatRule.NOT_WELL_FORMED, message, 1)
    if _HTML_START.match(chunk[:200]):
        raise UnusableFileError(FormatRule.WRONG_ROOT, "it is an HTML page", 1)
