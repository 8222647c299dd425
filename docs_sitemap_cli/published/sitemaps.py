"""The one walk over the sitemaps of a site, in its folder or on its server: what they
list, with the sitemaps of their indexes.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import NamedTuple, Protocol

from docs_sitemap.sitemap.protocol import MAX_BYTES, Alternate, is_alternate
from docs_sitemap.sitemap.reader import SitemapEntry, SitemapReader
from docs_sitemap.sitemap.rules import (
    FeedError,
    FileDiagnostics,
    UnusableFileError,
)
from docs_sitemap.sitemap.urls import NormalizedUrl, check_url

from .http_answers import FetchError

# Each sitemap of the maximum size takes seconds to read. Their URLs are in memory.
_MAX_TOTAL_BYTES = 10 * MAX_BYTES


class Skip(Enum):
    """Why a sitemap is not read."""

    PAGE = "its URL is the URL of a page"
    ELSEWHERE = "its URL is invalid, on another host, or not below the base URL"
    NOT_FOUND = "there is no file for its URL"
    REPEATED = "it was read before, maybe as a compressed copy"
    LIMIT = "the sitemaps before it are too many or too large"


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

    def locate(self, loc: str, url: NormalizedUrl) -> str | Skip:
        """Return the name of the sitemap that an index lists, or why it cannot be
        read.

        Args:
            loc: The text of `<loc>`.
            url: The URL.
        """

    def open_sitemap(self, name: str) -> OpenSitemap:
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
        has_extensions: Whether it lists images, videos, news, or the like.
    """

    file: str
    line: int
    loc: str
    lastmod: str | None
    alternates: tuple[Alternate, ...]
    has_extensions: bool = False

    @property
    def url(self) -> NormalizedUrl:
        """The URL, whatever its spelling."""
        return NormalizedUrl(self.loc)


@dataclass(eq=False, frozen=True, slots=True)
class Sitemap:
    """A sitemap or sitemap index of a walk, and what it contains, as far as it was
    read.

    Attributes:
        name: Its path or URL; the text of `<loc>` if it is not found.
        url: Its URL; `None` if it is unknown or invalid.
        parent: The index that lists it; `None` at the start of the walk.
        listing: The entry in this index.
        skip: Why it is not read; `None` if it is.
        content_type: The type that a server sends with XML; `None` if this is unknown.
        is_index: Whether it is a sitemap index.
        pages: The pages that it lists, unless something else receives its entries.
        children: The sitemaps that it lists, each once.
        entry_count: The number of its entries.
        size: The number of bytes that were read or sent.
        error: Why it could not be read to its end; `None` if it could.
    """

    name: str
    url: NormalizedUrl | None
    parent: "Sitemap | None" = None
    listing: SitemapEntry | None = None
    skip: Skip | None = None
    content_type: str | None = None
    is_index: bool = False
    pages: Sequence[SitemapLine] = ()
    children: Sequence["Sitemap"] = ()
    entry_count: int = 0
    size: int = 0
    error: UnusableFileError | FetchError | None = None

    @property
    def is_feed(self) -> bool:
        """Whether an index lists a feed. Search engines read feeds, which list pages
        that sitemaps list, too.
        """
        return self.parent is not None and isinstance(self.error, FeedError)


def read_sitemap(
    source: SitemapSource,
    sitemap: Sitemap,
    *,
    visit: Callable[[SitemapEntry, bool], None] | None = None,
    diagnostics: FileDiagnostics | None = None,
    max_pages: int | None = None,
) -> Sitemap:
    """Return a sitemap with what it contains, as far as it can be read.

    Args:
        source: Opens it.
        sitemap: The sitemap, as the walk found it.
        visit: Receives each entry, and whether it is one of an index, so that large
            sitemaps are never completely in memory.
        diagnostics: Receives what is wrong with the grammar.
        max_pages: The number of pages to read; `None` to read it to its end, as an
            index is in any case.
    """
    reader = SitemapReader(diagnostics)
    opened = OpenSitemap(iter(()))
    pages: list[SitemapLine] = []
    listings: dict[str, SitemapEntry] = {}
    error = None
    try:
        opened = source.open_sitemap(sitemap.name)
        for entry in reader.entries(opened.chunks):
            if visit is not None:
                visit(entry, reader.is_index)
            if reader.is_index:
                loc = entry.text("loc")
                if loc:
                    listings.setdefault(check_url(loc).normalized or loc, entry)
            elif visit is None and "loc" in entry.fields:
                pages.append(_page_of(sitemap.name, entry))
            if len(pages) == max_pages:
                break
    except (UnusableFileError, FetchError) as caught:
        error = caught
    read = replace(
        sitemap,
        content_type=opened.content_type,
        is_index=reader.is_index,
        pages=pages,
        entry_count=reader.entry_count,
        size=max(opened.size, reader.size),
        error=error,
    )
    children = [_find_child(source, read, entry) for entry in listings.values()]
    return replace(read, children=children)


def _page_of(file: str, entry: SitemapEntry) -> SitemapLine:
    loc = entry.fields["loc"]
    return SitemapLine(
        file,
        loc.line,
        loc.text,
        entry.text("lastmod"),
        tuple(read_alternates(entry)),
        entry.has_extensions,
    )


def _find_child(
    source: SitemapSource, index: Sitemap, listing: SitemapEntry
) -> Sitemap:
    """Return a sitemap that an index lists."""
    loc = listing.text("loc") or ""
    url = check_url(loc).normalized
    found = Skip.ELSEWHERE if url is None else source.locate(loc, url)
    if isinstance(found, Skip):
        return Sitemap(loc, url, index, listing, found)
    return Sitemap(found, url, index, listing)


def walk_sitemaps(
    source: SitemapSource,
    starts: Iterable[str],
    read: Callable[[SitemapSource, Sitemap], Sitemap] = read_sitemap,
    *,
    nested: bool = True,
) -> Iterator[Sitemap]:
    """Yield sitemaps, and then the sitemaps that indexes list, also those that are
    skipped. An index that cannot be read to its end is not followed.

    Args:
        source: Opens the sitemaps.
        starts: The names of the first sitemaps.
        read: Reads each sitemap that is not skipped.
        nested: Whether to follow an index that another index lists. The protocol does
            not allow this.
    """
    pending = deque(Sitemap(name, source.url_of(name)) for name in starts)
    known: dict[str, Sitemap] = {}
    size = 0
    while pending:
        sitemap = pending.popleft()
        # A sitemap and its compressed copy are one.
        key = NormalizedUrl(sitemap.name).removesuffix(".gz")
        if sitemap.skip is None and key in known:
            is_index = known[key].is_index and known[key].error is None
            sitemap = replace(sitemap, skip=Skip.REPEATED, is_index=is_index)
        elif sitemap.skip is None:
            if size > _MAX_TOTAL_BYTES or len(known) >= source.max_sitemaps:
                sitemap = replace(sitemap, skip=Skip.LIMIT)
            else:
                sitemap = read(source, sitemap)
            known[key] = sitemap
        yield sitemap
        size += sitemap.size
        if sitemap.error is None and (nested or sitemap.parent is None):
            pending += sitemap.children


def read_pages(source: SitemapSource, starts: Iterable[str]) -> Iterator[SitemapLine]:
    """Yield the pages that sitemaps list, as far as they can be read.

    Args:
        source: Opens the sitemaps.
        starts: The names of the first sitemaps.
    """
    for sitemap in walk_sitemaps(source, starts):
        yield from sitemap.pages
