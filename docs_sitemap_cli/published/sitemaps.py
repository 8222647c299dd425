"""The one walk over the sitemaps of a site, in its folder or on its server: what they
list, with the sitemaps of their indexes.
"""

from collections import deque
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple, Protocol

from docs_sitemap.sitemap.format_rules import (
    FeedError,
    FileDiagnostics,
    UnusableFileError,
)
from docs_sitemap.sitemap.protocol import MAX_BYTES, Alternate, is_alternate
from docs_sitemap.sitemap.reader import SitemapEntry, SitemapReader
from docs_sitemap.sitemap.urls import NormalizedUrl, check_url

from .answers import FetchError

# Each sitemap of the maximum size takes seconds to read. Their URLs are in memory.
_MAX_TOTAL_BYTES = 10 * MAX_BYTES


class Skip(Enum):
    """Why a sitemap is not read."""

    PAGE = "its URL is the URL of a page"
    ELSEWHERE = "its URL is invalid, on another host, or not below the base URL"
    NOT_FOUND = "there is no file for its URL"
    REPEATED = "it was read before, maybe as a compressed copy"
    LIMIT = "the sitemaps before it are too many, or too large"


class OpenSitemap(NamedTuple):
    """The content of a sitemap.

    Attributes:
        chunks: The content, uncompressed. Reading it may raise `UnusableFileError`.
        content_type: The type that a server sends with XML; `None` if this is unknown.
        size: The bytes that a server has sent, however few of them are used.
    """

    chunks: Iterator[bytes]
    content_type: str | None = None
    size: int = 0


class SitemapSource(Protocol):
    """Opens the sitemaps of a site.

    Attributes:
        max_sitemaps: The number of sitemaps to read.
    """

    max_sitemaps: int

    def url_of(self, name: str) -> NormalizedUrl | None:
        """Return the URL of a sitemap; `None` if it is unknown."""

    def find(self, loc: str, url: NormalizedUrl) -> str | Skip:
        """Return the name of the sitemap that an index lists, or why it cannot be
        read.

        Args:
            loc: The text of `<loc>`.
            url: The URL.
        """

    def open(self, name: str) -> OpenSitemap:
        """Open a sitemap.

        Raises:
            UnusableFileError: The file cannot be read.
            FetchError: The server does not answer.
        """


def read_alternates(entry: SitemapEntry) -> Iterator[Alternate]:
    """Yield the links of an entry to languages, as written. Neither language nor URL is
    checked.
    """
    for link in entry.links:
        attributes = link.attributes
        if "href" in attributes and is_alternate(attributes):
            yield Alternate(attributes["hreflang"], attributes["href"].strip())


class SitemapLine(NamedTuple):
    """A page that a sitemap lists.

    Attributes:
        file: The name of the sitemap.
        line: The line of `<loc>`.
        loc: The text of `<loc>`.
        lastmod: The text of `<lastmod>`; `None` if there is none.
        alternates: The links to languages, as written.
    """

    file: str
    line: int
    loc: str
    lastmod: str | None
    alternates: tuple[Alternate, ...]

    @property
    def url(self) -> NormalizedUrl:
        """The URL, whatever its spelling."""
        return NormalizedUrl(self.loc)


@dataclass(eq=False, slots=True)
class Sitemap:
    """A sitemap or sitemap index of a walk. Some attributes are known after its entries
    were read.

    Attributes:
        source: Opens it.
        name: Its path or URL; the text of `<loc>` if it is not found.
        url: Its URL; `None` if it is unknown or invalid.
        parent: The index that lists it; `None` at the start of the walk.
        listing: The entry in this index.
        skip: Why it is not read; `None` if it is.
        content_type: The type that a server sends with XML; `None` if this is unknown.
        is_index: Whether it is a sitemap index.
        entry_count: The number of its entries.
        size: The number of bytes that were read or sent.
        error: Why it could not be read to its end; `None` if it could.
        children: The sitemaps that it lists, by URL, each once.
    """

    source: SitemapSource
    name: str
    url: NormalizedUrl | None
    parent: "Sitemap | None" = None
    listing: SitemapEntry | None = None
    skip: Skip | None = None
    content_type: str | None = None
    is_index: bool = False
    entry_count: int = 0
    size: int = 0
    error: UnusableFileError | FetchError | None = None
    children: dict[str, "Sitemap"] = field(default_factory=dict)

    @property
    def is_feed(self) -> bool:
        """Whether an index lists a feed. Search engines read feeds, which list pages
        that sitemaps list, too.
        """
        return self.parent is not None and isinstance(self.error, FeedError)

    def entries(
        self, diagnostics: FileDiagnostics | None = None
    ) -> Generator[SitemapEntry]:
        """Yield the entries, as far as the sitemap can be read.

        Args:
            diagnostics: Receives what is wrong with the grammar.
        """
        if self.skip is not None:
            return
        reader = SitemapReader(diagnostics)
        try:
            opened = self.source.open(self.name)
            self.content_type = opened.content_type
            self.size = opened.size
            for entry in reader.entries(opened.chunks):
                self.is_index = reader.is_index
                if reader.is_index:
                    self._add_child(entry)
                yield entry
        except (UnusableFileError, FetchError) as error:
            self.error = error
        self.is_index = reader.is_index
        self.entry_count = reader.entry_count
        self.size = max(self.size, reader.size)

    def pages(self) -> Iterator[SitemapLine]:
        """Yield the pages that it lists, as far as it can be read."""
        for entry in self.entries():
            loc = entry.text("loc")
            if loc is not None and not self.is_index:
                yield SitemapLine(
                    self.name,
                    entry.fields["loc"].line,
                    loc,
                    entry.text("lastmod"),
                    tuple(read_alternates(entry)),
                )

    def _add_child(self, entry: SitemapEntry) -> None:
        loc = entry.text("loc")
        if not loc:
            return
        url = check_url(loc).normalized
        key = url or loc
        if key in self.children:
            return
        child = Sitemap(self.source, loc, url, parent=self, listing=entry)
        found = Skip.ELSEWHERE if url is None else self.source.find(loc, url)
        if isinstance(found, Skip):
            child.skip = found
        else:
            child.name = found
        self.children[key] = child


def walk_sitemaps(
    source: SitemapSource, starts: Iterable[str], *, nested: bool = True
) -> Iterator[Sitemap]:
    """Yield sitemaps, and then the sitemaps that indexes list, also those that are
    skipped. Read the entries of each before you ask for the next. An index that cannot
    be read to its end is not followed.

    Args:
        source: Opens the sitemaps.
        starts: The names of the first sitemaps.
        nested: Whether to follow an index that another index lists. The protocol does
            not allow this.
    """
    pending = deque(Sitemap(source, name, source.url_of(name)) for name in starts)
    known: dict[str, Sitemap] = {}
    size = 0
    while pending:
        sitemap = pending.popleft()
        if sitemap.skip is None:
            # A sitemap and its compressed copy are one.
            key = NormalizedUrl(sitemap.name).removesuffix(".gz")
            first = known.setdefault(key, sitemap)
            if first is not sitemap:
                sitemap.skip = Skip.REPEATED
                sitemap.is_index = first.is_index and first.error is None
            elif size > _MAX_TOTAL_BYTES or len(known) > source.max_sitemaps:
                sitemap.skip = Skip.LIMIT
        yield sitemap
        size += sitemap.size
        if sitemap.error is None and (nested or sitemap.parent is None):
            pending += sitemap.children.values()


def read_pages(source: SitemapSource, starts: Iterable[str]) -> Iterator[SitemapLine]:
    """Yield the pages that sitemaps list, as far as they can be read.

    Args:
        source: Opens the sitemaps.
        starts: The names of the first sitemaps.
    """
    for sitemap in walk_sitemaps(source, starts):
        yield from sitemap.pages()
