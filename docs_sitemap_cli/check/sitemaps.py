"""Check sitemaps that belong together: indexes, their sitemaps, and compressed
copies.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from itertools import chain
from typing import BinaryIO

from docs_sitemap.diagnostics import Diagnostic
from docs_sitemap.sitemap.reader import GZIP_BROKEN, SitemapEntry, read_chunks
from docs_sitemap.sitemap.rules import (
    FileDiagnostics,
    UnusableFileError,
    error,
    warning,
)
from docs_sitemap.sitemap.validation import (
    CheckedEntry,
    Inventory,
    SitemapChecker,
)
from docs_sitemap.tools.printing import shorten
from docs_sitemap_cli.published.folder import SiteFolder
from docs_sitemap_cli.published.http_answers import FetchError
from docs_sitemap_cli.published.sitemap_sources import FolderSitemaps
from docs_sitemap_cli.published.sitemaps import (
    Sitemap,
    SitemapSource,
    Skip,
    read_pages,
    read_sitemap,
)

from .pages import NO_ANSWER, check_double_encoding
from .path_result import PathResult
from .robots import RobotsTxt, check_disallowed

# https://www.rfc-editor.org/rfc/rfc7303#section-9.1
_XML_TYPES = ("application/xml", "text/xml")

# The number of a part, as in `sitemap-1.xml`.
_NUMBER = re.compile(r"-?(?<![0-9])[0-9]++(?=\.xml\Z)")


CHILD_NOT_SITEMAP = error(
    "child-not-sitemap",
    "the sitemap index lists a page or another index",
    "list only sitemaps in it",
)

PART_NOT_FOUND = error(
    "part-not-found",
    "the sitemap index lists a sitemap that is not in the folder",
    "write the file or remove the entry; if another repository publishes it, check the "
    "live site with docs-sitemap check URL and add --ignore part-not-found here",
)

CONTENT_TYPE = warning(
    "content-type",
    "the server does not send a sitemap as XML",
    "send application/xml, or application/gzip for a compressed file",
)


@dataclass
class SitemapGroup:
    """The sitemaps of one site, or one sitemap with the sitemaps that it lists.

    Attributes:
        result: Receives the numbers and, in the end, the diagnostics.
        now: The current time with its zone.
        user_path: Returns the name of a sitemap as the user would write it.
        robots: The robots.txt of the site; an empty one if crawlers read none.
        check_page: Receives each entry with a page; `None` if only the sitemaps are
            checked.
        is_guessed: Whether the base URL is a guess from a sitemap that may be a copy.
        is_preview: Whether a local server serves the site, so that its URLs are local.
        files: What is wrong with each sitemap, by its name.
        inventory: What all of the sitemaps list.
        complete: The names of the sitemaps that were read to their ends.
        is_complete: Whether all sitemaps could be read to their ends.
        fits_base_url: Whether a sitemap that an index lists is where the guessed base
            URL says.
    """

    result: PathResult
    now: datetime
    user_path: Callable[[str], str] = str
    robots: RobotsTxt = field(default_factory=RobotsTxt)
    check_page: Callable[[CheckedEntry], None] | None = None
    is_guessed: bool = False
    is_preview: bool = False
    files: dict[str, FileDiagnostics] = field(default_factory=dict)
    inventory: Inventory = field(default_factory=Inventory)
    complete: list[str] = field(default_factory=list)
    is_complete: bool = True
    fits_base_url: bool = True

    def read(self, source: SitemapSource, sitemap: Sitemap) -> Sitemap:
        """Read the next sitemap of a walk, and check its entries."""
        diagnostics = self._add_file(sitemap)
        checker = SitemapChecker(
            diagnostics,
            self._scope(sitemap),
            self.now,
            self.inventory,
            is_published=not self.is_preview,
        )

        def visit(entry: SitemapEntry, is_listing: bool) -> None:
            checked = checker.check(entry, is_index=is_listing)
            if checked is None:
                return
            if is_listing or self.check_page is None:
                check_double_encoding(checked)
            else:
                self.check_page(checked)

        read = read_sitemap(source, sitemap, visit=visit, diagnostics=diagnostics)
        diagnostics.entries = read.entry_count
        return read

    def check(self, sitemap: Sitemap) -> None:
        """Check a sitemap after it was read, in a walk that does not follow an index in
        an index.
        """
        if sitemap.skip is None:
            self._check_content(sitemap)
        elif sitemap.skip is not Skip.REPEATED:
            self.is_complete = False
        if sitemap.skip is Skip.LIMIT:
            self._add_file(sitemap).is_truncated = True
        if sitemap.parent is None:
            self._check_place(sitemap)
        elif sitemap.listing is not None:
            loc = sitemap.listing.text("loc") or ""
            diagnostics = self.files[sitemap.parent.name]
            entry = CheckedEntry(sitemap.listing, loc, diagnostics)
            self._check_listing(sitemap, entry)

    def finish(self) -> None:
        """Add the diagnostics to the result."""
        for diagnostics in self.files.values():
            self.result.add(diagnostics)

    def _check_listing(self, sitemap: Sitemap, entry: CheckedEntry) -> None:
        """Check the entry of a sitemap in its index."""
        if sitemap.skip is Skip.PAGE:
            entry.diagnose(CHILD_NOT_SITEMAP, "it is a page")
        elif sitemap.skip is not Skip.ELSEWHERE:
            check_disallowed(self.robots, entry)
        if sitemap.skip is Skip.NOT_FOUND and self.fits_base_url:
            message = "there is no file for it here; another repository may publish it"
            entry.diagnose(PART_NOT_FOUND, message)
        if sitemap.is_index and sitemap.error is None:
            self.is_complete = False
            message = f"{shorten(sitemap.name)} is a sitemap index, too"
            entry.diagnose(CHILD_NOT_SITEMAP, message)

    def _check_place(self, index: Sitemap) -> None:
        """Find out whether an index is where the guessed base URL says. If none of its
        sitemaps is found there, it was probably copied from a site.
        """
        if self.is_guessed and index.is_index:
            self.fits_base_url = any(child.skip is None for child in index.children)
            if not self.fits_base_url:
                self.is_complete = False

    def _check_content(self, sitemap: Sitemap) -> None:
        """Check how a sitemap could be read, and in which type a server sends it."""
        diagnostics = self.files[sitemap.name]
        if sitemap.is_feed:
            del self.files[sitemap.name]
            return
        if sitemap.error is not None:
            self.is_complete = False
        if isinstance(sitemap.error, FetchError):
            diagnostics.add(NO_ANSWER, sitemap.error.reason)
            return
        self.result.sitemaps += 1
        if sitemap.error is not None:
            diagnostics.add_only(sitemap.error)
            return
        content_type = sitemap.content_type
        if content_type is not None:
            media_type = content_type.partition(";")[0].strip().lower()
            if media_type not in _XML_TYPES:
                message = f"its content type is {shorten(content_type)}"
                diagnostics.add(CONTENT_TYPE, message)
        self.complete.append(sitemap.name)
        if not sitemap.is_index:
            self.result.urls += sitemap.entry_count

    def _add_file(self, sitemap: Sitemap) -> FileDiagnostics:
        diagnostics = FileDiagnostics(self.user_path(sitemap.name))
        self.files[sitemap.name] = diagnostics
        return diagnostics

    def _scope(self, sitemap: Sitemap) -> str | None:
        """Return the URL below which a sitemap may list URLs; `None` if it is unknown.

        Sitemaps that robots.txt lists may list URLs outside their folders:
        <https://www.sitemaps.org/protocol.html#sitemaps_cross_submits>.
        """
        if sitemap.url is None:
            return None
        is_for_host = self.robots.lists(sitemap.url)
        if sitemap.parent is None:
            is_for_host = is_for_host or self.is_guessed
        elif sitemap.parent.url is not None:
            is_for_host = is_for_host or self.robots.lists(sitemap.parent.url)
        return f"{sitemap.url.origin}/" if is_for_host else sitemap.url.folder


def check_compressed_copies(
    folder: SiteFolder, sitemaps: Iterable[str]
) -> list[Diagnostic]:
    """Compare sitemaps with their compressed copies, if there are any."""
    diagnostics = []
    for file in sitemaps:
        copy = f"{file}.gz"
        if file.endswith(".gz") or not folder.exists(copy):
            continue
        try:
            with folder.open_checked(file) as one, folder.open_checked(copy) as other:
                if not _has_same_content(one, other):
                    message = f"its content differs from {shorten(file)}"
                    raise UnusableFileError(GZIP_BROKEN, message)
        except UnusableFileError as error:
            diagnostics.append(error.diagnostic(folder.user_path(copy)))
    return diagnostics


NOT_IN_INDEX = warning(
    "not-in-index",
    "a part of a sitemap is in no sitemap index, but crawlers that know its URL "
    "still read it",
    "remove the file if an earlier build wrote it, or list it in the index",
)


def find_unlisted_parts(
    source: FolderSitemaps, group: SitemapGroup
) -> Iterator[Diagnostic]:
    """Yield a diagnostic about each sitemap that neither an index nor robots.txt lists,
    although its name differs only in the number from that of a listed one.
    """
    folder = source.folder
    known = {name.removesuffix(".gz") for name in group.files}
    series = {_NUMBER.sub("", name) for name in known}
    folders = {name.rpartition("/")[0] for name in known}
    for item in chain.from_iterable(map(folder.items, sorted(folders))):
        name = item.path.removesuffix(".gz")
        if name in known or not _NUMBER.search(name):
            continue
        known.add(name)
        url = source.url_of(name)
        is_listed = url is not None and group.robots.lists(url)
        if is_listed or _NUMBER.sub("", name) not in series:
            continue
        if next(read_pages(source, [item.path]), None) is not None:
            message = "no sitemap index lists it"
            yield NOT_IN_INDEX.diagnostic(message, folder.user_path(item.path))


def _has_same_content(sitemap: BinaryIO, compressed: BinaryIO) -> bool:
    """Compare a sitemap with its compressed copy.

    Raises:
        UnusableFileError: The compressed copy cannot be uncompressed.
    """
    for chunk in read_chunks(compressed, ".gz"):
        if sitemap.read(len(chunk)) != chunk:
            return False
    return not sitemap.read(1)
