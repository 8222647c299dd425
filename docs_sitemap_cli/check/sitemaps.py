"""Check sitemaps that belong together: indexes, their sitemaps, and compressed
copies.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import BinaryIO

from docs_sitemap.diagnostics import Diagnostic
from docs_sitemap.sitemap.reader import read_chunks
from docs_sitemap.sitemap.rules import (
    FileDiagnostics,
    FormatRule,
    RuleCode,
    UnusableFileError,
)
from docs_sitemap.sitemap.validation import (
    CheckedEntry,
    Inventory,
    SitemapChecker,
)
from docs_sitemap.tools.printing import shorten
from docs_sitemap_cli.site.answers import FetchError
from docs_sitemap_cli.site.folder import SiteFolder
from docs_sitemap_cli.site.walk import Sitemap, Skip

from .result import PathResult
from .robots_rules import RobotsTxt
from .site_rules import SiteRule

# https://www.rfc-editor.org/rfc/rfc7303#section-9.1
_XML_TYPES = ("application/xml", "text/xml")


@dataclass
class SitemapGroup:
    """The sitemaps of one site, or one sitemap with the sitemaps that it lists.

    Attributes:
        now: The current time with its zone.
        user_path: Returns the name of a sitemap as the user would write it.
        robots: The robots.txt of the site, if crawlers read it.
        check_page: Receives each entry with a page; `None` if only the sitemaps are
            checked.
        is_guessed: Whether the base URL is a guess from a sitemap that may be a copy.
        files: What is wrong with each sitemap.
        inventory: What all of the sitemaps list.
        complete: The names of the sitemaps that were read to their ends.
        names: The names of all sitemaps, without the suffix `.gz`.
        sitemap_count: The number of sitemaps that were opened.
        url_count: The number of URLs of the sitemaps that were read to their ends.
        is_complete: Whether all sitemaps could be read to their ends.
        fits_base_url: Whether a sitemap that an index lists is where the guessed base
            URL says.
    """

    now: datetime
    user_path: Callable[[str], str] = str
    robots: RobotsTxt | None = None
    check_page: Callable[[CheckedEntry], None] | None = None
    is_guessed: bool = False
    files: list[FileDiagnostics] = field(default_factory=list)
    inventory: Inventory = field(default_factory=Inventory)
    complete: list[str] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    sitemap_count: int = 0
    url_count: int = 0
    is_complete: bool = True
    fits_base_url: bool = True
    _by_index: dict[Sitemap, FileDiagnostics] = field(default_factory=dict)

    def check(self, sitemaps: Iterable[Sitemap]) -> None:
        """Check the sitemaps of a walk that does not follow an index in an index."""
        for sitemap in sitemaps:
            if sitemap.parent is not None:
                self._check_listing(sitemap)
            if sitemap.skip is None or sitemap.skip is Skip.LIMIT:
                self._check_sitemap(sitemap)
            if sitemap.parent is None:
                self._compare_with_guess(sitemap)
            elif sitemap.is_index and sitemap.error is None:
                self.is_complete = False
                message = f"{shorten(sitemap.name)} is a sitemap index, too"
                self._report(sitemap, SiteRule.CHILD_NOT_SITEMAP, message)

    def add_to(self, result: PathResult) -> None:
        """Add the diagnostics and the numbers to a result."""
        for diagnostics in self.files:
            result.add(diagnostics)
        result.sitemaps = self.sitemap_count
        result.urls = self.url_count

    def _check_listing(self, sitemap: Sitemap) -> None:
        """Check the entry of a sitemap in its index."""
        if sitemap.skip is not None and sitemap.skip is not Skip.REPEATED:
            self.is_complete = False
        if sitemap.skip is Skip.PAGE:
            self._report(sitemap, SiteRule.CHILD_NOT_SITEMAP, "it is a page")
        if sitemap.skip in (Skip.PAGE, Skip.ELSEWHERE) or sitemap.listing is None:
            return
        if self.robots is not None:
            loc = sitemap.listing.fields["loc"].text
            crawlers = self.robots.disallowed_crawlers(loc)
            if crawlers is not None:
                message = f"robots.txt disallows it for {crawlers}"
                self._report(sitemap, SiteRule.ROBOTS_DISALLOW, message)
        if sitemap.skip is Skip.NOT_FOUND and self.fits_base_url:
            message = "there is no file for this URL"
            self._report(sitemap, SiteRule.NOT_FOUND, message)

    def _check_sitemap(self, sitemap: Sitemap) -> None:
        """Check a sitemap and its entries."""
        diagnostics = FileDiagnostics(self.user_path(sitemap.name))
        self.files.append(diagnostics)
        self.names.add(sitemap.name.removesuffix(".gz"))
        if sitemap.skip is Skip.LIMIT:
            diagnostics.is_truncated = True
            self.is_complete = False
            return
        self._by_index[sitemap] = diagnostics
        scope = self._scope(sitemap)
        checker = SitemapChecker(diagnostics, scope, self.now, self.inventory)
        for entry in sitemap.entries(diagnostics):
            checked = checker.check(entry, is_index=sitemap.is_index)
            if checked is None or sitemap.is_index or self.check_page is None:
                continue
            self.check_page(checked)
        if isinstance(sitemap.error, FetchError):
            diagnostics.add(SiteRule.NO_ANSWER, sitemap.error.reason)
            self.is_complete = False
            return
        self.sitemap_count += 1
        if sitemap.error is not None:
            diagnostics.add_only(sitemap.error)
            self.is_complete = False
            return
        _check_type(sitemap, diagnostics)
        self.complete.append(sitemap.name)
        if not sitemap.is_index:
            self.url_count += sitemap.entry_count

    def _compare_with_guess(self, index: Sitemap) -> None:
        """Find out whether an index was probably copied from another site."""
        if self.is_guessed and index.is_index:
            skips = [child.skip for child in index.children.values()]
            self.fits_base_url = None in skips
            self.is_complete = self.is_complete and self.fits_base_url

    def _scope(self, sitemap: Sitemap) -> str | None:
        """Return the URL below which a sitemap may list URLs; `None` if it is unknown.

        Sitemaps that robots.txt lists may list URLs outside their folders:
        <https://www.sitemaps.org/protocol.html#sitemaps_cross_submits>.
        """
        if sitemap.url is None:
            return None
        is_for_host = self._is_in_robots(sitemap)
        if sitemap.parent is None:
            is_for_host = is_for_host or self.is_guessed
        else:
            is_for_host = is_for_host or self._is_in_robots(sitemap.parent)
        if is_for_host:
            return f"{sitemap.url.origin}/"
        return f"{sitemap.url.partition('?')[0].rpartition('/')[0]}/"

    def _is_in_robots(self, sitemap: Sitemap) -> bool:
        if self.robots is None or sitemap.url is None:
            return False
        return self.robots.lists(sitemap.url.partition("?")[0])

    def _report(self, sitemap: Sitemap, rule: RuleCode, message: str) -> None:
        """Report a violation of a rule by the entry of a sitemap in its index."""
        if sitemap.parent is not None and sitemap.listing is not None:
            loc = sitemap.listing.fields["loc"]
            diagnostics = self._by_index[sitemap.parent]
            diagnostics.add(rule, message, loc.line, loc.text)


def _check_type(sitemap: Sitemap, diagnostics: FileDiagnostics) -> None:
    content_type = sitemap.content_type
    if content_type is None:
        return
    if content_type.partition(";")[0].strip().lower() not in _XML_TYPES:
        message = f"its content type is {shorten(content_type)}"
        diagnostics.add(SiteRule.CONTENT_TYPE, message)


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
                    raise UnusableFileError(FormatRule.GZIP_BROKEN, message)
        except UnusableFileError as error:
            diagnostics.append(error.diagnostic(folder.user_path(copy)))
    return diagnostics


def _has_same_content(sitemap: BinaryIO, compressed: BinaryIO) -> bool:
    """Compare a sitemap with its compressed copy.

    Raises:
        UnusableFileError: The compressed copy cannot be uncompressed.
    """
    for chunk in read_chunks(compressed, ".gz"):
        if sitemap.read(len(chunk)) != chunk:
            return False
    return not sitemap.read(1)
