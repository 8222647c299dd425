"""Check sitemaps that belong together: indexes, their sitemaps, and compressed
copies.
"""

from collections.abc import Sequence, Set
from dataclasses import dataclass

from docs_sitemap.sitemap.protocol import MAX_BYTES
from docs_sitemap.sitemap.reader import has_same_content, open_file, read_chunks
from docs_sitemap.sitemap.rules import FileDiagnostics, FormatRule, UnusableFileError
from docs_sitemap.sitemap.urls import (
    BaseUrl,
    NormalizedUrl,
    normalize_url,
    origin,
    quote_path,
)
from docs_sitemap.sitemap.validation import (
    CheckedEntry,
    DateLimits,
    Inventory,
    SitemapChecker,
)
from docs_sitemap.tools.files import HTML_SUFFIXES
from docs_sitemap.tools.printing import shorten
from docs_sitemap_cli.site.folder import SiteFolder

from .result import PathResult
from .site import SiteChecker
from .site_rules import SiteRule

# Each sitemap of the maximum size takes seconds to read. Their URLs are in memory.
_MAX_TOTAL_BYTES = 10 * MAX_BYTES


@dataclass
class SitemapGroup:
    """The sitemaps of one site, or one sitemap with the sitemaps that it lists.

    Attributes:
        result: Receives the diagnostics and the numbers of sitemaps and URLs.
        folder: The folder of the sitemaps.
        base_url: Where the folder is published, if that is known or can be guessed.
            Without it, the sitemaps that an index lists are not read.
        site: Compares the entries with the files of the site, if they are to be
            compared.
        dates: The dates that are valid.
        is_guessed: Whether the base URL is a guess from a sitemap that may be a copy.
        inventory: What all of the sitemaps list.
        is_complete: Whether all sitemaps could be read to their ends.
    """

    result: PathResult
    folder: SiteFolder
    base_url: BaseUrl | None
    site: SiteChecker | None
    dates: DateLimits
    is_guessed: bool = False

    def __post_init__(self) -> None:
        self.inventory = Inventory()
        self.is_complete = True
        self._base = None if self.base_url is None else normalize_url(self.base_url)
        self._bytes_read = 0
        # By name without ".gz": a sitemap and its compressed copy are one.
        self._files: dict[str, FileDiagnostics] = {}
        # The entries of each sitemap index, by the same name.
        self._indexes: dict[str, list[CheckedEntry]] = {}

    @property
    def names(self) -> Set[str]:
        """The sitemaps relative to the folder, without the suffix `.gz`."""
        return self._files.keys()

    def check(self, files: Sequence[str]) -> None:
        """Check sitemaps, and the sitemaps that they list if they are indexes."""
        urls = [self._url_of(file) for file in files]
        # Sitemaps that robots.txt lists may list URLs outside their folders.
        is_in_robots = any(map(self._is_in_robots, urls))
        for file, url in zip(files, urls, strict=True):
            self._read(file, url, is_for_host=is_in_robots or self.is_guessed)
        for children in [*self._indexes.values()]:
            self._check_children(children, is_in_robots)
        if self.is_complete:
            for link in self.inventory.report_one_sided():
                if self.site is not None:
                    self.site.check_unlisted_alternate(link)
        for diagnostics in self._files.values():
            self.result.add(diagnostics)
        self.result.urls = self.inventory.entry_count

    def _url_of(self, file: str) -> str | None:
        return None if self._base is None else self._base + quote_path(file)

    def _is_in_robots(self, url: str | None) -> bool:
        if url is None or self.site is None or self.site.robots is None:
            return False
        return self.site.robots.lists(url)

    def _read(self, file: str, url: str | None, *, is_for_host: bool) -> str:
        """Read a sitemap unless it was read before, and return its name.

        Args:
            file: The file.
            url: Its URL, if that is known.
            is_for_host: Whether it may list URLs outside its folder.
        """
        name = file.removesuffix(".gz")
        if name in self._files:
            return name
        if self.folder.exists(name):
            file = name
        diagnostics = FileDiagnostics(self.folder.user_path(file))
        self._files[name] = diagnostics
        if self._bytes_read > _MAX_TOTAL_BYTES:
            diagnostics.is_truncated = True
            self.is_complete = False
            return name
        scope = None
        if url is not None:
            scope = f"{origin(url) if is_for_host else url.rpartition('/')[0]}/"
        checker = SitemapChecker(diagnostics, scope, self.dates, self.inventory)
        self.result.sitemaps += 1
        try:
            children = self._read_entries(checker, file)
            if checker.reader.is_index:
                self._indexes[name] = children
        except UnusableFileError as error:
            diagnostics.add_only(error)
            self.is_complete = False
        self._bytes_read += checker.reader.size
        return name

    def _read_entries(self, checker: SitemapChecker, file: str) -> list[CheckedEntry]:
        """Check the entries of a sitemap, and return those of a sitemap index."""
        children = []
        with open_file(self.folder.open_file, file) as source:
            for entry in checker.entries(read_chunks(source, file)):
                if checker.reader.is_index:
                    children.append(entry)
                elif self.site is not None:
                    self.site.check_entry(entry)
        if not file.endswith(".gz"):
            self._check_compressed_copy(file)
        return children

    def _check_children(
        self, children: Sequence[CheckedEntry], is_in_robots: bool
    ) -> None:
        """Check the sitemaps that an index lists."""
        located = []
        for child in children:
            url = child.url
            if url is not None and self._is_below(child, url):
                located.append((child, url, self.folder.file_at(self._base, url)))
        if self.is_guessed and not any(file for _, _, file in located):
            # The index was probably copied from another site.
            self.result.is_base_url_known = self.is_complete = False
            return
        if len(located) < len(children):
            self.is_complete = False
        for child, url, file in located:
            if self.site is not None:
                self.site.check_robots(child)
            if file is None:
                self.is_complete = False
                child.report(SiteRule.NOT_FOUND, "there is no file for this URL")
                continue
            path = url.partition("?")[0]
            if self._read(file, path, is_for_host=is_in_robots) in self._indexes:
                self.is_complete = False
                message = f"{shorten(file)} is a sitemap index, too"
                child.report(SiteRule.CHILD_NOT_SITEMAP, message)

    def _is_below(self, child: CheckedEntry, url: NormalizedUrl) -> bool:
        """Return whether an index lists a sitemap below the base URL."""
        if url.endswith(("/", *HTML_SUFFIXES)):
            child.report(SiteRule.CHILD_NOT_SITEMAP, "it is a page")
            return False
        return self._base is not None and url.startswith(self._base)

    def _check_compressed_copy(self, file: str) -> None:
        """Compare a sitemap with its compressed copy, if there is one."""
        copy = f"{file}.gz"
        if not self.folder.exists(copy):
            return
        opener = self.folder.open_file
        try:
            with open_file(opener, file) as one, open_file(opener, copy) as other:
                if not has_same_content(one, other):
                    message = f"its content differs from {shorten(file)}"
                    raise UnusableFileError(FormatRule.GZIP_BROKEN, message)
        except UnusableFileError as error:
            diagnostic = error.diagnostic(self.folder.user_path(copy))
            self.result.diagnostics.append(diagnostic)
