"""The reader of sitemaps and sitemap indexes. It checks the grammar of the protocol.

Files are read as streams, so a file is never completely in memory. Entities are not
expanded.
"""

import zlib
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import BinaryIO, NoReturn
from xml.parsers.expat import ErrorString, ExpatError, ParserCreate, errors

import msgspec

from docs_sitemap.tools.printing import shorten
from docs_sitemap.tools.suggestion import suggest

from .protocol import (
    MAX_BYTES,
    MAX_ENTRIES,
    SITEMAP_NAMESPACE,
    XHTML_NAMESPACE,
)
from .rules import FeedError, FileDiagnostics, Rule, UnusableFileError, error, warning

_CHUNK = 2**16
# Each member of a gzip file copies the rest of its chunk. Hostile files have many tiny
# members.
_COMPRESSED_CHUNK = 2**12

# The limits protect against hostile files: no sitemap comes near them.
_MAX_DEPTH = 64
_MAX_TOKEN = 2**20
_MAX_TEXT = 2**13
_MAX_LINKS = 20_000
_MAX_NAMES = 10_000
_MAX_NAME = 100

# This character separates the parts of a name. XML does not allow it, so no namespace
# contains it.
_SEPARATOR = "\x01"
_LINK = f"{XHTML_NAMESPACE}{_SEPARATOR}link"

# https://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd and siteindex.xsd
_ENTRY_NAMES = {"urlset": "url", "sitemapindex": "sitemap"}
_ROOTS = tuple(_ENTRY_NAMES)
# RSS 2.0, Atom, and RSS 1.0
_FEEDS = ("rss", "feed", "RDF")
_FIELD_NAMES = {
    "urlset": ("loc", "lastmod", "changefreq", "priority"),
    "sitemapindex": ("loc", "lastmod"),
}
_SPACE = " \t\r\n"
_WEB_PAGE = "it is a web page"

_TEXT_BEFORE_ROOT = errors.codes[errors.XML_ERROR_SYNTAX]


# Elements and entries contain no cycles: the garbage collector need not look for any.
class Element(msgspec.Struct, gc=False):
    """A field or link of an entry. Of very long texts and attributes, only the start is
    kept.

    Attributes:
        line: The line of the start tag.
        start: The position of the start tag of a field, in bytes.
        end: The position of its end tag, or the position after `<field/>`.
        attributes: The attributes of a link by name.
        text: The text of a field, without the white space around it.
    """

    line: int
    start: int = 0
    end: int = 0
    attributes: dict[str, str] = {}
    text: str = ""


class SitemapEntry(msgspec.Struct, gc=False):
    """A `<url>` or `<sitemap>`.

    Attributes:
        line: The line of the start tag.
        end: The position of the end tag, in bytes.
        fields: `loc`, `lastmod`, `changefreq`, and `priority`, by name.
        links: All `<xhtml:link>`.
        has_extensions: Whether it contains images, videos, news, or the like.
    """

    line: int
    end: int = 0
    fields: dict[str, Element] = {}
    links: list[Element] = []
    has_extensions: bool = False

    def text(self, name: str) -> str | None:
        """Return the text of a field; `None` if it is missing."""
        element = self.fields.get(name)
        return None if element is None else element.text


UNREADABLE = error(
    "unreadable",
    "the file is missing, cannot be read, or is a link out of the site",
    "check its name and permissions",
)

GZIP_BROKEN = error(
    "gzip-broken",
    "a .gz file is damaged or out of date",
    "compress the sitemap again",
)

TOO_LARGE = error(
    "too-large",
    "the uncompressed file is larger than 50 MiB",
    "list its parts in an index",
)


def read_chunks(file: BinaryIO, name: str) -> Iterator[bytes]:
    """Yield the content of a sitemap. If its name ends in `.gz`, it is uncompressed.

    Raises:
        UnusableFileError: It is too large, cannot be read, or is not a valid gzip file.
    """
    chunks = iter(lambda: file.read(_CHUNK), b"")
    if name.endswith(".gz"):
        chunks = _uncompress(file)
    size = 0
    try:
        for chunk in chunks:
            size += len(chunk)
            if size > MAX_BYTES:
                message = f"it has more than {MAX_BYTES:,} bytes"
                raise UnusableFileError(TOO_LARGE, message)
            yield chunk
    except (zlib.error, EOFError) as error:
        message = f"it cannot be uncompressed ({error})"
        raise UnusableFileError(GZIP_BROKEN, message) from None
    except OSError as error:
        raise unreadable(error) from None


def _uncompress(file: BinaryIO) -> Iterator[bytes]:
    """Yield the content of a gzip file, which may have several members.

    Raises:
        EOFError: The file is incomplete.
        zlib.error: The file is damaged.
    """
    member = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
    for data in iter(lambda: file.read(_COMPRESSED_CHUNK), b""):
        while data:
            if member.eof:
                member = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
            yield member.decompress(data, _CHUNK)
            data = member.unconsumed_tail or member.unused_data
    if not member.eof:
        raise EOFError("it is incomplete")


def unreadable(error: OSError) -> UnusableFileError:
    """Return the fault of a file that cannot be read."""
    message = f"it cannot be read ({error.strerror or error})"
    return UnusableFileError(UNREADABLE, message)


ENCODING = error(
    "encoding",
    "the file is not in UTF-8, or it declares another encoding",
    "save it as UTF-8; compress it only if its name ends in .gz",
)

XML_VERSION = warning(
    "xml-version",
    "the file declares another version of XML than 1.0, which many parsers do not read",
    'start it with <?xml version="1.0" encoding="UTF-8"?>',
)

DOCTYPE = error(
    "doctype",
    "many XML parsers reject document types",
    "remove <!DOCTYPE ...>",
)

NOT_WELL_FORMED = error(
    "not-well-formed",
    "the file is not well-formed XML in UTF-8",
    "build the site again, or fix the XML at this position and save it as UTF-8",
)

TOO_COMPLEX = error(
    "too-complex",
    "an entry, a tag, or a comment is larger than any real one, or there are "
    "over 10,000 names",
    "remove what does not belong in a sitemap",
)

WRONG_ROOT = error(
    "wrong-root",
    "the root element is not <urlset> or <sitemapindex>",
    "pass a sitemap; if the server sends a web page for its URL, publish it there",
)

WRONG_NAMESPACE = error(
    "wrong-namespace",
    "the root element is not in the namespace of the sitemap protocol",
    'set xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"',
)

EMPTY = error(
    "empty",
    "the sitemap contains no entries",
    "build the site with its address, site_url in MkDocs or html_baseurl in Sphinx, or "
    "run docs-sitemap generate",
)

TOO_MANY_URLS = error(
    "too-many-urls",
    "the file has more than 50,000 entries",
    "list its parts in an index",
)

UNEXPECTED_ELEMENT = error(
    "unexpected-element",
    "an element, attribute, or text is not allowed at this position, or an element "
    "may occur only once",
    "write elements of the protocol in lower case; remove others, put them into their "
    "entry, or give them a namespace of their own",
)

ALTERNATE_INVALID = error(
    "alternate-invalid",
    "a link to a language has no valid language or absolute URL, repeats a "
    "language, or is in another namespace",
    'set rel="alternate", a unique hreflang such as "pt-BR", an absolute URL as '
    'href, and xmlns:xhtml="http://www.w3.org/1999/xhtml"',
)


class SitemapReader:
    """Reads one sitemap or sitemap index.

    Attributes:
        is_index: Whether the file is a sitemap index. Valid from the first entry on.
        entry_count: The number of entries so far.
        size: The number of bytes so far, uncompressed.

    Args:
        diagnostics: Receives what is wrong with the grammar. Files that are
            not in the namespace of the protocol are only read to check them; without
            this argument, they are unusable.
    """

    def __init__(self, diagnostics: FileDiagnostics | None = None) -> None:
        self.is_index = False
        self.entry_count = self.size = 0
        self._diagnostics = diagnostics or FileDiagnostics("")
        self._is_strict = diagnostics is None
        self._root = ""
        self._namespace = ""
        # The elements of the protocol, by the names that the parser passes.
        self._entry_names: dict[str, str] = {}
        self._field_names: dict[str, str] = {}
        self._depth = 0
        # Whether the text after the last tag is already reported.
        self._is_text_reported = False
        # What is open.
        self._entry: SitemapEntry | None = None
        self._field: Element | None = None
        self._complete: list[SitemapEntry] = []
        # The parser keeps the names of all elements, attributes, prefixes, and
        # namespaces. Without a handler, it does not show the prefixes.
        self._interned: dict[str, str] = {}
        self._parser = ParserCreate("UTF-8", _SEPARATOR, self._interned)
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
            UnusableFileError: It is not a sitemap, not well-formed, or has too many
                entries.
        """
        for chunk in chunks:
            self.size += len(chunk)
            if b"\0" in chunk:  # The parser would accept UTF-16.
                self._stop(ENCODING, "it is in UTF-16 or compressed")
            self._parse(chunk)
            # Some versions of the parser scan an incomplete token again with each
            # chunk.
            if self.size - max(self._parser.CurrentByteIndex, 0) > _MAX_TOKEN:
                message = f"a tag or comment has more than {_MAX_TOKEN:,} bytes"
                self._stop(TOO_COMPLEX, message)
            if len(self._interned) > _MAX_NAMES:
                message = (
                    f"it has more than {_MAX_NAMES:,} names of elements and namespaces"
                )
                raise UnusableFileError(TOO_COMPLEX, message)
            yield from self._complete
            self._complete.clear()
        self._parse(b"", is_end=True)
        yield from self._complete
        if not self.entry_count:
            message = f"<{self._root}> contains no <{_ENTRY_NAMES[self._root]}>"
            self._diagnostics.add(EMPTY, message)

    def _parse(self, chunk: bytes, *, is_end: bool = False) -> None:
        try:
            self._parser.Parse(chunk, is_end)
        except ExpatError as error:
            start = chunk.lower()
            if b"<html" in start or b"<!doctype html" in start:
                self._stop(WRONG_ROOT, _WEB_PAGE)
            message = f"{ErrorString(error.code)}, in column {error.offset + 1}"
            if not self.size:
                message = "it is empty"
            elif error.code == _TEXT_BEFORE_ROOT:
                message = "it is not XML"
            rule = NOT_WELL_FORMED
            raise UnusableFileError(rule, message, error.lineno) from None

    def _on_declaration(
        self, version: str, encoding: str | None, standalone: int
    ) -> None:
        if version != "1.0":
            self._report(XML_VERSION, f"it declares XML {shorten(version)}")
        # Python declares ASCII, a part of UTF-8, by default.
        if (encoding or "UTF-8").upper() not in ("UTF-8", "US-ASCII"):
            message = f"it declares the encoding {shorten(encoding or '')}"
            self._stop(ENCODING, message)

    def _on_doctype(self, name: str, *_: object) -> None:
        if name.lower() == "html":
            self._stop(WRONG_ROOT, _WEB_PAGE)
        self._stop(DOCTYPE, f"it declares the document type {shorten(name)}")

    def _on_start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        self._is_text_reported = False
        if self._depth == 3 and self._entry is not None:
            self._start_child(self._entry, name, attributes)
        elif self._depth == 2:
            self._start_entry(name, attributes)
        elif self._depth == 1:
            self._start_root(name, attributes)
        elif self._field is not None:
            message = f"{_tag(name)} is not allowed here"
            self._stop(UNEXPECTED_ELEMENT, message)
        if self._depth > _MAX_DEPTH:
            message = f"its elements are nested more than {_MAX_DEPTH} levels deep"
            self._stop(TOO_COMPLEX, message)

    def _start_root(self, name: str, attributes: dict[str, str]) -> None:
        namespace, _, local = name.rpartition(_SEPARATOR)
        if local in _FEEDS:
            message = f"the root element is {_tag(name)}"
            line = self._parser.CurrentLineNumber
            raise FeedError(WRONG_ROOT, message, line)
        if local.lower() == "html":
            self._stop(WRONG_ROOT, _WEB_PAGE)
        if local not in _ENTRY_NAMES:
            message = f"the root element is {_tag(name)}{_correction(local, _ROOTS)}"
            self._stop(WRONG_ROOT, message)
        if namespace != SITEMAP_NAMESPACE:
            message = f"<{local}> is in the namespace {shorten(namespace)}"
            if self._is_strict:
                self._stop(WRONG_NAMESPACE, message)
            self._report(WRONG_NAMESPACE, message)
        self._root = local
        self._namespace = namespace
        self._check_attributes(name, attributes)
        start = name.removesuffix(local)
        self._entry_names = {start + _ENTRY_NAMES[local]: _ENTRY_NAMES[local]}
        self._field_names = {start + field: field for field in _FIELD_NAMES[local]}
        self.is_index = local == "sitemapindex"

    def _start_entry(self, name: str, attributes: dict[str, str]) -> None:
        if self._correct_case(name, self._entry_names) is not None:
            if attributes:
                self._check_attributes(name, attributes)
            self.entry_count += 1
            if self.entry_count > MAX_ENTRIES:
                message = f"it lists more than {MAX_ENTRIES:,}"
                raise UnusableFileError(TOO_MANY_URLS, message)
            self._entry = SitemapEntry(self._parser.CurrentLineNumber)
        elif self._is_unexpected(name):
            self._report_unexpected(name, self._entry_names)

    def _start_child(
        self, entry: SitemapEntry, name: str, attributes: dict[str, str]
    ) -> None:
        line = self._parser.CurrentLineNumber
        field = self._correct_case(name, self._field_names)
        if field is not None:
            if attributes:
                self._check_attributes(name, attributes)
            if field in entry.fields:
                message = f"the entry has more than one <{field}>"
                self._stop(UNEXPECTED_ELEMENT, message)
            self._field = Element(line, self._parser.CurrentByteIndex)
            entry.fields[field] = self._field
            return
        namespace, _, local = name.rpartition(_SEPARATOR)
        if name == _LINK and not self.is_index:
            attributes = {key: value[:_MAX_TEXT] for key, value in attributes.items()}
            entry.links.append(Element(line, attributes=attributes))
            if len(entry.links) > _MAX_LINKS:
                message = f"an entry has over {_MAX_LINKS:,} links"
                self._stop(TOO_COMPLEX, message)
        elif local == "link" and "hreflang" in attributes and not self.is_index:
            message = f"<link> is in the namespace {shorten(namespace)}"
            self._report(ALTERNATE_INVALID, message)
            entry.has_extensions = True
        elif self._is_unexpected(name):
            self._report_unexpected(name, self._field_names)
        else:
            entry.has_extensions = True

    def _on_end(self, name: str) -> None:
        self._depth -= 1
        self._is_text_reported = False
        if self._depth == 2 and self._field is not None:
            self._field.text = self._field.text.strip(_SPACE)
            self._field.end = self._parser.CurrentByteIndex
            self._field = None
        elif self._depth == 1 and self._entry is not None:
            self._entry.end = self._parser.CurrentByteIndex
            self._complete.append(self._entry)
            self._entry = None

    def _on_text(self, text: str) -> None:
        field = self._field
        if field is not None:
            if len(field.text) < _MAX_TEXT:
                field.text += text[:_MAX_TEXT]
            return
        start = text.lstrip(_SPACE)
        if not start or self._is_text_reported:
            return
        # Extensions may contain text.
        if self._depth == (1 if self._entry is None else 2):
            self._is_text_reported = True
            # The parser is at the end of the text, where "&#10;" is a line end without
            # a line.
            line = max(1, self._parser.CurrentLineNumber - start.count("\n"))
            message = f"the text {shorten(start.rstrip(_SPACE))} is not allowed here"
            self._diagnostics.add(UNEXPECTED_ELEMENT, message, line)

    def _check_attributes(self, name: str, attributes: dict[str, str]) -> None:
        """Report the attributes of an element of the protocol, except those with a
        namespace, such as `xsi:schemaLocation`: it defines none.
        """
        for attribute in attributes:
            if _SEPARATOR not in attribute:
                place = f"{shorten(attribute)} of {_tag(name)}"
                message = f"the attribute {place} is not allowed here"
                self._report(UNEXPECTED_ELEMENT, message, cause=place)

    def _correct_case(self, name: str, known: Mapping[str, str]) -> str | None:
        """Return the name of an element of the protocol; `None` if it is another one.
        A check reads it in another case, too, and reports that once.
        """
        field = known.get(name)
        if field is None and not self._is_strict:
            local = name.rpartition(_SEPARATOR)[2]
            field = known.get(name.removesuffix(local) + local.lower())
            if field is not None:
                self._report_unexpected(name, known)
        return field

    def _is_unexpected(self, name: str) -> bool:
        """Return whether an element belongs to the protocol, and not to some other
        namespace.
        """
        namespace, _, _ = name.rpartition(_SEPARATOR)
        known = ("", SITEMAP_NAMESPACE, self._namespace)
        return namespace in known or name == _LINK

    def _report_unexpected(self, name: str, known: Mapping[str, str]) -> None:
        """Report an element that is not one of those that are known."""
        local = name.rpartition(_SEPARATOR)[2]
        known_names = tuple(known.values())
        message = f"{_tag(name)} is not allowed here{_correction(local, known_names)}"
        self._report(UNEXPECTED_ELEMENT, message, cause=local)

    def _report(self, rule: Rule, message: str, *, cause: str = "") -> None:
        line = self._parser.CurrentLineNumber
        self._diagnostics.add(rule, message, line, cause=cause)

    def _stop(self, rule: Rule, message: str) -> NoReturn:
        raise UnusableFileError(rule, message, self._parser.CurrentLineNumber)


# Mistakes in the names of elements are repeated in each entry.
@lru_cache(maxsize=256)
def _correction(name: str, known: tuple[str, ...]) -> str:
    """Return what to write instead of an unknown element; empty if nothing is
    similar.
    """
    similar = suggest(name[:_MAX_NAME], known)
    return "" if similar is None else f": write <{similar}>"


def _tag(name: str) -> str:
    """Return a start tag for messages."""
    return f"<{shorten(name.rpartition(_SEPARATOR)[2])[1:-1]}>"
