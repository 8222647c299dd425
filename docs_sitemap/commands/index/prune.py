"""Remove links between languages that lead nowhere, in the sitemaps of a deployed site.

A build of one language links each page with its URLs in the other languages, without knowing
whether the builds of these languages list the page. Once all of them are deployed, their sitemaps
tell: search engines use a link only if the sitemap entry of its target links back.
"""

from __future__ import annotations

import os
import re
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from xml.parsers.expat import ErrorString, ExpatError, ParserCreate

from docs_sitemap.errors import SitemapError
from docs_sitemap.files import compress, lock_folder, open_regular, replace_files
from docs_sitemap.sitemap.protocol import MAX_LOC_LENGTH, XHTML_NAMESPACE, is_alternate
from docs_sitemap.sitemap.reader import read_chunks
from docs_sitemap.sitemap.rules import UnusableFileError
from docs_sitemap.sitemap.urls import BaseUrl, NormalizedUrl, normalize_url

# The limits protect against hostile files: no sitemap comes near them.
_MAX_TOKEN = 2**20
_MAX_LINKS = 1_000

_SEPARATOR = "\x01"  # XML does not allow this character.
_LINK = f"{XHTML_NAMESPACE}{_SEPARATOR}link"

# In this encoding, tags are other bytes.
_UTF16_STARTS = (b"\xff\xfe", b"\xfe\xff", b"<\0", b"\0<")

# The white space before a link that is alone on its line.
_LINE_START = re.compile(rb"\r?\n[ \t]*\Z")
_MAX_INDENT = 1_024
_TAG_NAME = re.compile(rb"<([^\s/>]+)")
# The start of a sitemap that is not an index.
_ROOT = re.compile(rb"<(?:\w+:)?urlset[\s>]")


class PruneError(SitemapError):
    """A sitemap cannot be read. No file is changed: it could list the target of any link.

    Attributes:
        path: The path of the sitemap.
    """

    def __init__(self, path: Path, reason: str) -> None:
        self.path = path
        super().__init__(f"{path}: {reason}")


@dataclass(frozen=True, slots=True)
class PrunedSitemap:
    """A sitemap from which links were removed.

    Attributes:
        path: Its path.
        links: The number of links.
    """

    path: Path
    links: int


@dataclass(slots=True)
class _Link:
    """A link to a language.

    Attributes:
        target: The normalized URL.
        start: The position of its first byte in the file.
        end: The position after its last byte, as far as the parser knows it.
    """

    target: NormalizedUrl
    start: int
    end: int = 0


@dataclass(slots=True)
class _Entry:
    """A page with its links."""

    loc: NormalizedUrl
    links: list[_Link] = field(default_factory=list)


def prune_alternates(
    sitemaps: Iterable[str | os.PathLike[str]],
    folder: str | os.PathLike[str],
    base_url: BaseUrl | None = None,
    *,
    patience: float = 30.0,
) -> list[PrunedSitemap]:
    """Remove each link between languages whose target no sitemap lists, or whose target does not
    link back. If a page is then linked only with itself, these links are removed, too.

    Nothing else in the files changes, and files without such links keep every byte. The compressed
    copy of a changed sitemap is written again.

    Args:
        sitemaps: The paths of all sitemaps of the site. The order does not matter, indexes have no
            effect, and a compressed copy next to its sitemap is not read.
        folder: The folder of the deployed site, which contains all of them.
        base_url: Where the folder is published. Links to other addresses then stay, because the
            sitemaps of other sites are not known. By default, all links are checked.
        patience: Seconds to wait for a build that writes into the folder of a sitemap.

    Returns:
        The sitemaps that were changed, sorted by path.

    Raises:
        PruneError: A sitemap cannot be read, or is not well-formed. No file is changed.
        OSError: A file cannot be written. Each file is the old or the new one.
    """
    paths = _find_files(sitemaps, Path(folder))
    scope = "" if base_url is None else normalize_url(base_url)
    one_sided = _find_one_sided_links(paths, scope)
    if not one_sided:
        return []
    pruned = []
    for path in paths:
        if _find_cuts(path, one_sided):
            with lock_folder(path.parent, timeout=patience):
                # Another build may have replaced the file in the meantime.
                cuts = _find_cuts(path, one_sided)
                _cut(path, cuts)
            pruned.append(PrunedSitemap(path, len(cuts) // 2))
    return pruned


def find_sitemap_files(folder: str | os.PathLike[str], mark: bytes | None = None) -> list[Path]:
    """Return the sitemaps in a folder, whatever their names. Hidden files and folders, symbolic
    links, sitemap indexes, and compressed copies are skipped.

    Args:
        folder: The folder of the deployed site.
        mark: Sitemaps that start with this text are skipped, too.

    Raises:
        PruneError: A file that is named like a sitemap cannot be read.
    """
    found = []
    for parent, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in files:
            path = Path(parent, name)
            is_sitemap = name.endswith(".xml")
            is_compressed = name.endswith(".xml.gz") and name.removesuffix(".gz") not in files
            is_visible = not name.startswith(".") and not path.is_symlink()
            if (is_sitemap or is_compressed) and is_visible:
                # Of other files, it is not known that they are sitemaps.
                ignored = () if name.startswith("sitemap") else (PruneError,)
                with suppress(*ignored), _read(path) as chunks:
                    start = next(chunks, b"")
                    if _ROOT.search(start) and (mark is None or mark not in start):
                        found.append(path)
    return sorted(found)


def _find_files(sitemaps: Iterable[str | os.PathLike[str]], folder: Path) -> list[Path]:
    """Return the files without links to other files: an alias of a version can be one."""
    root = folder.resolve()
    paths = set[Path]()
    for sitemap in sitemaps:
        path = Path(sitemap).resolve()
        if not path.is_relative_to(root):
            raise PruneError(Path(sitemap), f"it is not in {folder}")
        original = path.with_suffix("")
        paths.add(original if path.suffix == ".gz" and original.is_file() else path)
    return sorted(paths)


def _find_one_sided_links(paths: Sequence[Path], scope: str) -> set[bytes]:
    """Return the digests of all links that the entry of their target does not return.

    Such an entry exists only if a sitemap lists the target. Of the links that are returned, nothing
    is remembered, so that millions of them need little memory.
    """
    one_sided = set[bytes]()
    for loc, target in _read_links(paths):
        if target.startswith(scope):
            returned = _digest(target, loc)
            if returned in one_sided:
                one_sided.remove(returned)
            else:
                one_sided.add(_digest(loc, target))
    # A page that several sitemaps list has each of its links several times: the first one and the
    # returned one have cancelled out.
    if one_sided:
        for loc, target in _read_links(paths):
            one_sided.discard(_digest(target, loc))
    return one_sided


def _read_links(paths: Iterable[Path]) -> Iterator[tuple[NormalizedUrl, NormalizedUrl]]:
    """Yield each page and the target of each of its links, except those to the page itself."""
    for path in paths:
        for entry in _read_entries(path):
            for target in {link.target for link in entry.links} - {entry.loc}:
                yield entry.loc, target


class _Reader:
    """Reads the pages of one sitemap, and their links to languages.

    Args:
        path: The file.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._depth = 0
        self._loc: list[str] | None = None  # the text of the element `loc` that is open
        self._text = ""
        self._links: list[_Link] = []
        self._open_link: _Link | None = None
        self._complete: list[_Entry] = []
        self._parser = ParserCreate(namespace_separator=_SEPARATOR)
        self._parser.buffer_text = True
        self._parser.StartDoctypeDeclHandler = self._on_doctype
        self._parser.StartElementHandler = self._on_start
        self._parser.EndElementHandler = self._on_end
        self._parser.CharacterDataHandler = self._on_text

    def entries(self) -> Iterator[_Entry]:
        """Yield the pages.

        Raises:
            PruneError: The file cannot be read, or is not well-formed.
        """
        size = 0
        with _read(self._path) as chunks:
            for chunk in chunks:
                if size == 0 and chunk.startswith(_UTF16_STARTS):
                    raise PruneError(self._path, "it is not UTF-8")
                size += len(chunk)
                self._parse(chunk)
                if size - max(self._parser.CurrentByteIndex, 0) > _MAX_TOKEN:
                    raise PruneError(self._path, f"a tag has more than {_MAX_TOKEN:,} bytes")
                yield from self._complete
                self._complete.clear()
            self._parse(b"", is_end=True)
            yield from self._complete

    def _parse(self, chunk: bytes, *, is_end: bool = False) -> None:
        try:
            self._parser.Parse(chunk, is_end)
        except ExpatError as error:
            message = f"it is not well-formed (line {error.lineno}: {ErrorString(error.code)})"
            raise PruneError(self._path, message) from None

    def _on_doctype(self, *_: object) -> None:
        raise PruneError(self._path, "it has a document type declaration")

    def _on_start(self, name: str, attributes: Mapping[str, str]) -> None:
        self._depth += 1
        if self._depth == 2:
            self._text, self._links = "", []
        elif self._depth == 3 and name == _LINK:
            href = attributes.get("href")
            # Links without a language are for other devices.
            if href is not None and is_alternate(attributes) and "hreflang" in attributes:
                target = normalize_url(href.strip())
                self._open_link = _Link(target, self._parser.CurrentByteIndex)
        elif self._depth == 3 and name.rpartition(_SEPARATOR)[2] == "loc":
            self._loc = []

    def _on_end(self, name: str) -> None:
        if self._depth == 3 and self._open_link is not None:
            self._open_link.end = self._parser.CurrentByteIndex
            self._links.append(self._open_link)
            self._open_link = None
            if len(self._links) > _MAX_LINKS:
                raise PruneError(self._path, f"a page has more than {_MAX_LINKS:,} links")
        elif self._depth == 3 and self._loc is not None:
            self._text = self._text or "".join(self._loc).strip()
            self._loc = None
        elif self._depth == 2 and self._links:
            self._complete.append(_Entry(normalize_url(self._text), self._links))
        self._depth -= 1

    def _on_text(self, text: str) -> None:
        # Too long texts are not URLs.
        if self._loc is not None and self._depth == 3 and len(self._loc) < MAX_LOC_LENGTH:
            self._loc.append(text)


def _read_entries(path: Path) -> Iterator[_Entry]:
    """Yield the pages of a sitemap that have links to languages."""
    return _Reader(path).entries()


@contextmanager
def _read(path: Path) -> Iterator[Iterator[bytes]]:
    """Open a sitemap, and uncompress it if its name ends in `.gz`.

    Raises:
        PruneError: The file cannot be read, or is too large.
    """
    try:
        with open_regular(path) as file:
            yield read_chunks(file, path.name)
    except UnusableFileError as error:
        raise PruneError(path, str(error)) from None
    except OSError as error:
        raise PruneError(path, f"it cannot be read ({error.strerror or error})") from None


def _digest(loc: str, target: str) -> bytes:
    return blake2b(f"{loc}\n{target}".encode(errors="surrogatepass"), digest_size=16).digest()


def _find_cuts(path: Path, one_sided: set[bytes]) -> array[int]:
    """Return where each link that must be removed starts and ends."""
    cuts = array("q")
    for entry in _read_entries(path):
        removed = [link for link in entry.links if _digest(entry.loc, link.target) in one_sided]
        if not removed:
            continue
        if all(link in removed or link.target == entry.loc for link in entry.links):
            removed = entry.links
        for link in removed:
            cuts.extend((link.start, link.end))
    return cuts


def _cut(path: Path, cuts: Sequence[int]) -> None:
    """Remove parts of a file, with the white space before them."""
    with _read(path) as chunks:
        data = b"".join(chunks)
    pieces = []
    position = 0
    for start, end in zip(cuts[::2], cuts[1::2], strict=True):
        # The parser reports the start of an end tag, but the end of an empty element.
        name = _TAG_NAME.match(data, start)
        if name is not None and data.startswith(b"</" + name[1], end):
            end = data.index(b">", end) + 1
        indent = _LINE_START.search(data, max(position, start - _MAX_INDENT), start)
        pieces.append(data[position : start if indent is None else indent.start()])
        position = end
    new = b"".join([*pieces, data[position:]])
    copy = path.with_name(f"{path.name}.gz")
    contents: dict[Path, bytes | Path | None] = {}
    contents[path] = compress(new) if path.suffix == ".gz" else new
    if path.suffix != ".gz" and copy.is_file():
        contents[copy] = compress(new)
    replace_files(contents)
