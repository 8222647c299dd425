"""Check sitemaps that belong together: indexes, their sitemaps, and compressed copies."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Set
from dataclasses import dataclass, field

from docs_sitemap.commands.check.result import PathResult
from docs_sitemap.commands.check.rules import SiteRule
from docs_sitemap.commands.check.site import SiteChecker, is_page
from docs_sitemap.diagnostics import Diagnostic
from docs_sitemap.site_folder import OpenedFile, SiteFolder
from docs_sitemap.sitemap.protocol import MAX_BYTES, is_part_name
from docs_sitemap.sitemap.reader import has_same_content, open_file, read_chunks
from docs_sitemap.sitemap.rules import FileDiagnostics, FormatRule, UnusableFileError
from docs_sitemap.sitemap.urls import BaseUrl, normalize_url, origin, quote_path
from docs_sitemap.sitemap.validation import CheckedEntry, DateLimits, Inventory, SitemapChecker
from docs_sitemap.text import shorten

# Called regularly with the file that is being checked.
Progress = Callable[[str], None]

# Each sitemap of the maximum size takes seconds to read. Their URLs are in memory.
_MAX_TOTAL_BYTES = 10 * MAX_BYTES


@dataclass(slots=True)
class SitemapFile:
    """A sitemap that was read.

    Attributes:
        file: The file relative to the folder.
        diagnostics: What is wrong with it.
        scope: The URL below which all URLs must be; `None` if it is unknown.
        is_in_robots: Whether robots.txt lists it, so that it may list URLs outside its folder.
        is_index: Whether it is a sitemap index.
        is_usable: Whether it could be read to its end.
        is_sitemap: Whether it is not a page, or another file with an unknown root element.
        children: The entries of a sitemap index.
    """

    file: str
    diagnostics: FileDiagnostics
    scope: str | None
    is_in_robots: bool
    is_index: bool = False
    is_usable: bool = True
    is_sitemap: bool = True
    children: list[CheckedEntry] = field(default_factory=list)


class SitemapGroup:
    """The sitemaps of one site, or one sitemap with the sitemaps that it lists.

    Attributes:
        inventory: What all of them list.
        is_complete: Whether all sitemaps could be read to their ends.

    Args:
        result: Receives the diagnostics and the numbers of sitemaps and URLs.
        folder: The folder of the sitemaps.
        base_url: Where the folder is published, if that is known or can be guessed. Without it,
            the sitemaps that an index lists are not read.
        is_guessed: Whether the base URL is a guess from a sitemap that may be a copy.
        site: Compares the entries with the files of the site, if they are to be compared.
        dates: The dates that are valid.
        progress: Is called regularly.
    """

    def __init__(
        self,
        result: PathResult,
        folder: SiteFolder,
        base_url: BaseUrl | None,
        site: SiteChecker | None,
        dates: DateLimits,
        progress: Progress,
        is_guessed: bool = False,
    ) -> None:
        self.inventory = Inventory()
        self.is_complete = False
        self._result = result
        self._folder = folder
        self._base = None if base_url is None else normalize_url(base_url)
        self._site = site
        self._dates = dates
        self._progress = progress
        self._is_guessed = is_guessed
        self._bytes_read = 0
        # By name without ".gz": a sitemap and its compressed copy are one.
        self._sitemaps: dict[str, SitemapFile] = {}
        self._other_diagnostics: list[Diagnostic] = []

    @property
    def names(self) -> Set[str]:
        """The sitemaps relative to the folder, without the suffix `.gz`."""
        return self._sitemaps.keys()

    def check(self, files: Iterable[str]) -> None:
        """Check sitemaps, and the sitemaps that they list if they are indexes."""
        robots = None if self._site is None else self._site.robots
        for file in files:
            url = None if self._base is None else self._base + quote_path(file)
            is_in_robots = url is not None and robots is not None and robots.lists(url)
            self._get(file, url, self._is_guessed or is_in_robots)
        top = {*self._sitemaps}
        indexes = [sitemap for sitemap in self._sitemaps.values() if sitemap.children]
        complete_indexes = [index for index in indexes if self._check_children(index, top)]
        is_usable = all(sitemap.is_usable for sitemap in self._sitemaps.values())
        self.is_complete = complete_indexes == indexes and is_usable
        for index in complete_indexes:
            self._check_stale_parts(index.file)
        if is_usable:
            for link in self.inventory.report_one_sided():
                if self._site is not None:
                    self._site.check_unlisted_alternate(link)
        for sitemap in self._sitemaps.values():
            self._result.add(sitemap.diagnostics)
        self._result.diagnostics += self._other_diagnostics
        self._result.urls = self.inventory.entry_count

    def _get(self, file: str, url: str | None, is_in_robots: bool) -> SitemapFile:
        """Return a sitemap, and read it unless it was read before."""
        name = file.removesuffix(".gz")
        if name not in self._sitemaps:
            file = name if self._folder.exists(name) else file
            diagnostics = FileDiagnostics(self._folder.user_path(file))
            scope = None
            if url is not None:
                scope = f"{origin(url) if is_in_robots else url.rpartition('/')[0]}/"
            sitemap = SitemapFile(file, diagnostics, scope, is_in_robots)
            self._sitemaps[name] = sitemap
            self._read(sitemap)
        return self._sitemaps[name]

    def _read(self, sitemap: SitemapFile) -> None:
        if self._bytes_read > _MAX_TOTAL_BYTES:
            sitemap.is_usable = False
            sitemap.diagnostics.is_truncated = True
            return
        self._progress(sitemap.diagnostics.file)
        self._result.sitemaps += 1
        try:
            self._check_content(sitemap)
        except UnusableFileError as error:
            sitemap.diagnostics.add_only(error)
            sitemap.is_usable = False
            is_other = error.rule is FormatRule.WRONG_ROOT or is_page(sitemap.file)
            sitemap.is_sitemap = not is_other
            sitemap.children.clear()
        else:
            if not sitemap.file.endswith(".gz"):
                self._check_compressed_copy(sitemap.file)

    def _check_content(self, sitemap: SitemapFile) -> None:
        checker = SitemapChecker(sitemap.diagnostics, sitemap.scope, self._dates, self.inventory)
        with open_file(self._folder.open_file, sitemap.file) as source:
            for entry in checker.entries(read_chunks(source, sitemap.file)):
                if checker.is_index:
                    sitemap.children.append(entry)
                elif self._site is not None:
                    self._site.check_entry(entry)
        self._bytes_read += checker.reader.size
        sitemap.is_index = checker.is_index

    def _check_children(self, index: SitemapFile, top: Set[str]) -> bool:
        """Check the sitemaps that an index lists. Return whether all of them are sitemaps."""
        opened = [self._open_child(child) for child in index.children]
        if self._is_guessed and not any(one is not None and one.file for one in opened):
            # The index was probably copied from another site.
            self._result.is_base_url_known = False
            return False
        is_complete = True
        for child, target in zip(index.children, opened, strict=True):
            is_sitemap = False
            if target is not None:
                if self._site is not None:
                    self._site.check_robots(child)
                if target.file is not None:
                    is_sitemap = self._check_child(child, target.file, index, top)
                elif target.is_outside:
                    message = "a symbolic link leads out of the site"
                    child.report(FormatRule.OUTSIDE_SITE, message)
                else:
                    child.report(SiteRule.NOT_FOUND, f"there is no file {shorten(child.loc)}")
            is_complete = is_complete and is_sitemap
        return is_complete

    def _open_child(self, child: CheckedEntry) -> OpenedFile | None:
        """Return the file of a child; `None` if its URL is not below the base URL."""
        if self._base is None or child.url is None:
            return None
        return self._folder.open_below(self._base, child.url)

    def _check_child(
        self, entry: CheckedEntry, file: str, index: SitemapFile, top: Set[str]
    ) -> bool:
        """Check one file that an index lists. Return whether it is not another index."""
        url = None if entry.url is None else entry.url.partition("?")[0]
        child = self._get(file, url, index.is_in_robots and not self._is_guessed)
        if child.is_index or not child.is_sitemap:
            kind = "a sitemap index, too" if child.is_index else "not a sitemap"
            entry.report(SiteRule.CHILD_NOT_SITEMAP, f"{shorten(file)} is {kind}")
            if child.file.removesuffix(".gz") not in top:
                # Diagnostics of this file are not useful, because the index must not list it.
                child.diagnostics = FileDiagnostics(child.diagnostics.file)
        return not child.is_index

    def _check_compressed_copy(self, file: str) -> None:
        """Compare a sitemap with its compressed copy, if there is one."""
        copy = f"{file}.gz"
        if not self._folder.exists(copy):
            return
        name = self._folder.user_path(copy)
        opener = self._folder.open_file
        try:
            with open_file(opener, file) as one, open_file(opener, copy) as other:
                if not has_same_content(one, other):
                    message = f"its content differs from {shorten(file)}"
                    raise UnusableFileError(FormatRule.GZIP_BROKEN, message)
        except UnusableFileError as error:
            self._other_diagnostics.append(error.diagnostic(name))

    def _check_stale_parts(self, index: str) -> None:
        """Look for parts of an earlier sitemap that no index and no robots.txt lists."""
        folder, name = os.path.split(index.removesuffix(".gz"))
        try:
            files = sorted(os.listdir(os.path.join(self._folder.root, folder)))
        except OSError:
            return
        for file in files:
            path = f"{folder}/{file}" if folder else file
            if is_part_name(name, file) and path not in self._sitemaps:
                message = f"{shorten(index)} does not list it"
                self._other_diagnostics.append(
                    SiteRule.LEFT_OVER.diagnostic(message, self._folder.user_path(path))
                )
