"""The rules for sitemaps that belong together: sitemap indexes, the sitemaps that they list, and
compressed copies.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from typing import BinaryIO

from docs_sitemap.commands.check.codes import Code
from docs_sitemap.commands.check.entry_rules import CheckedEntry, DateLimits
from docs_sitemap.commands.check.finding import FileFindings, Finding, UnusableFileError
from docs_sitemap.commands.check.lint_result import PathResult
from docs_sitemap.commands.check.site_rules import SiteRules, is_page
from docs_sitemap.commands.check.sitemap_rules import (
    Inventory,
    SitemapLocation,
    SitemapRules,
    report_not_reciprocal,
)
from docs_sitemap.files import is_part_name
from docs_sitemap.site_folder import OpenedFile, SiteFolder
from docs_sitemap.sitemap.chunks import has_same_content, open_file, other_form, read_chunks
from docs_sitemap.sitemap.protocol import MAX_BYTES
from docs_sitemap.sitemap.urls import BaseUrl, NormalizedUrl, normalize_url, origin
from docs_sitemap.text import shorten

# Called with a file, the amount of it that is done, and the total if that is known.
Progress = Callable[[str, int, int | None], None]

_ENTRIES_PER_STEP = 1_000

# URLs and one-sided links are in memory, at about 200 bytes each.
_MAX_LISTED = 2_000_000
# As many sitemaps of the maximum size can list these URLs. Each may take seconds to read.
_MAX_TOTAL_BYTES = 40 * MAX_BYTES


@dataclass(slots=True)
class SitemapFile:
    """A sitemap that was read.

    Attributes:
        file: The file relative to the folder.
        findings: Its findings.
        location: Where it is published, if that is known.
        is_index: Whether it is a sitemap index.
        is_usable: Whether it could be read to its end.
        is_sitemap: Whether it is not a page, or another file with an unknown root element.
        children: The entries of a sitemap index.
    """

    file: str
    findings: FileFindings
    location: SitemapLocation | None
    is_index: bool = False
    is_usable: bool = True
    is_sitemap: bool = True
    children: list[CheckedEntry] = field(default_factory=list)


class SitemapGroup:
    """The sitemaps of one site, or one sitemap with the sitemaps that it lists.

    Attributes:
        inventory: What all of them list.
        is_complete: Whether all sitemaps, or copies of them, could be read to their ends.

    Args:
        result: Receives the findings and the numbers of sitemaps and URLs.
        folder: The folder of the sitemaps.
        base_url: Where the folder is published, if that is known or can be guessed. Without it,
            the sitemaps that an index lists are not read.
        site: Compares the entries with the files of the site, if they are to be compared.
        dates: The dates that are valid.
        progress: Is called regularly.
        max_listed: The number of URLs and one-sided links after which no more sitemaps are read.
        max_bytes: The number of uncompressed bytes after which no more sitemaps are read.
    """

    def __init__(
        self,
        result: PathResult,
        folder: SiteFolder,
        base_url: BaseUrl | None,
        site: SiteRules | None,
        dates: DateLimits,
        progress: Progress,
        max_listed: int = _MAX_LISTED,
        max_bytes: int = _MAX_TOTAL_BYTES,
    ) -> None:
        self.inventory = Inventory()
        self.is_complete = False
        self._result = result
        self._folder = folder
        self._base = None if base_url is None else normalize_url(base_url)
        self._site = site
        self._dates = dates
        self._progress = progress
        self._max_listed = max_listed
        self._max_bytes = max_bytes
        self._bytes_read = 0
        # In the order in which they were read. A listed compressed copy has its own key, but the
        # same value as its sitemap.
        self._sitemaps: dict[str, SitemapFile] = {}
        self._top_files: set[str] = set()
        self._other_findings: list[Finding] = []

    @property
    def files(self) -> Set[str]:
        """The sitemaps, and compressed copies that are listed."""
        return self._sitemaps.keys()

    def check(self, locations: Mapping[str, SitemapLocation | None]) -> None:
        """Check sitemaps, and the sitemaps that they list if they are indexes.

        Args:
            locations: The sitemaps relative to the folder, and where each is published, if that
                is known.
        """
        self._top_files.update(locations)
        for file, location in locations.items():
            self._get(file, location)
        indexes = [one for one in self._unique_sitemaps() if one.children]
        complete_indexes = [index for index in indexes if self._check_children(index)]
        usable = {file for file, sitemap in self._sitemaps.items() if sitemap.is_usable}
        self.is_complete = complete_indexes == indexes and all(
            file in usable or other_form(file) in usable for file in self._sitemaps
        )
        for index in complete_indexes:
            self._check_stale_parts(index.file)
        for link in self.inventory.one_sided.values():
            if link.target in self.inventory.urls:
                report_not_reciprocal(link)
            elif self._site is not None:
                self._site.check_unlisted_alternate(link)
        for sitemap in self._unique_sitemaps():
            self._result.add(sitemap.findings)
        self._result.findings += self._other_findings
        self._result.urls = self.inventory.entry_count

    def _unique_sitemaps(self) -> list[SitemapFile]:
        return [sitemap for file, sitemap in self._sitemaps.items() if sitemap.file == file]

    def _get(self, file: str, location: SitemapLocation | None) -> SitemapFile:
        """Return a sitemap, and read it unless it, or a copy of it, was read before."""
        if file not in self._sitemaps:
            copy = self._sitemaps.get(other_form(file))
            if copy is not None and copy.is_usable:
                if copy.file.endswith(".gz"):
                    self._check_compressed_copy(file)
                self._sitemaps[file] = copy
            else:
                self._sitemaps[file] = self._read(file, location)
        return self._sitemaps[file]

    def _read(self, file: str, location: SitemapLocation | None) -> SitemapFile:
        sitemap = SitemapFile(file, FileFindings(self._folder.user_path(file)), location)
        listed = len(self.inventory.urls) + len(self.inventory.one_sided)
        if listed > self._max_listed or self._bytes_read > self._max_bytes:
            sitemap.is_usable = False
            sitemap.findings.is_truncated = True
            return sitemap
        self._result.sitemaps += 1
        try:
            self._check_content(sitemap)
        except UnusableFileError as error:
            sitemap.findings.add_only(error)
            sitemap.is_usable = False
            sitemap.is_sitemap = error.code is not Code.WRONG_ROOT and not is_page(file)
            sitemap.children.clear()
        else:
            if not file.endswith(".gz"):
                self._check_compressed_copy(file)
        return sitemap

    def _check_content(self, sitemap: SitemapFile) -> None:
        usual_origin = None if self._base is None else origin(self._base)
        rules = SitemapRules(
            sitemap.findings, self.inventory, sitemap.location, self._dates, usual_origin
        )
        with open_file(self._folder, sitemap.file) as source:
            size = os.fstat(source.fileno()).st_size
            entries = rules.entries(self._read_chunks(source, sitemap.file))
            for number, entry in enumerate(entries, start=1):
                if number % _ENTRIES_PER_STEP == 0:
                    self._progress(sitemap.findings.file, source.tell(), size)
                if rules.is_index:
                    sitemap.children.append(entry)
                elif self._site is not None:
                    self._site.check_entry(entry, rules.inventory, self.inventory)
        sitemap.is_index = rules.is_index
        if not rules.is_index:
            self.inventory.merge(rules.inventory)

    def _read_chunks(self, source: BinaryIO, file: str) -> Iterator[bytes]:
        for chunk in read_chunks(source, file):
            self._bytes_read += len(chunk)
            yield chunk

    def _check_children(self, index: SitemapFile) -> bool:
        """Check the sitemaps that an index lists. Return whether all of them are sitemaps."""
        opened = [self._open_child(child) for child in index.children]
        exists = [child is not None and child.file is not None for child in opened]
        if index.location is None and not any(exists):
            # The index was probably copied from another site.
            self._result.is_base_url_known = False
            return False
        is_complete = all(exists)
        seen: set[str] = set()
        for child, target in zip(index.children, opened, strict=True):
            if target is None:
                continue
            if self._site is not None:
                self._site.check_robots(child)
            file = target.file
            if file is not None:
                if self._check_child(child, file, index).is_index:
                    is_complete = False
                elif file in seen:
                    message = f"another URL opens the same file, {shorten(file)}"
                    child.report(Code.SAME_PAGE, message)
                seen.add(file)
            elif target.is_outside:
                child.report(Code.OUTSIDE_SITE, "a symbolic link leads out of the site")
            else:
                child.report(Code.CHILD_MISSING, f"there is no file {shorten(child.loc)}")
        return is_complete

    def _open_child(self, child: CheckedEntry) -> OpenedFile | None:
        """Return the file of a child; `None` if its URL is not below the base URL."""
        if self._base is None or child.url is None:
            return None
        return self._folder.open_below(self._base, child.url)

    def _check_child(self, entry: CheckedEntry, file: str, index: SitemapFile) -> SitemapFile:
        """Check one sitemap that an index lists, given its entry in the index and its file."""
        location = None
        if entry.url is not None:
            is_in_robots = index.location is not None and index.location.is_in_robots
            url = NormalizedUrl(entry.url.partition("?")[0])
            location = SitemapLocation(url, is_in_robots)
        child = self._get(file, location)
        if child.is_index:
            entry.report(Code.CHILD_IS_INDEX, f"{shorten(file)} is a sitemap index, too")
        elif not child.is_sitemap:
            entry.report(Code.CHILD_NOT_SITEMAP, f"{shorten(file)} is not a sitemap")
        if (child.is_index or not child.is_sitemap) and child.file not in self._top_files:
            # Findings in this file are not useful, because the index must not list it.
            child.findings = FileFindings(child.findings.file)
        return child

    def _check_compressed_copy(self, file: str) -> None:
        """Compare a sitemap with its compressed copy, if there is one that can be read."""
        copy = other_form(file)
        known = self._sitemaps.get(copy)
        if not self._folder.exists(copy) or (known is not None and not known.is_usable):
            return
        name = self._folder.user_path(copy)
        try:
            with open_file(self._folder, file) as one, open_file(self._folder, copy) as other:
                if not has_same_content(one, other):
                    message = f"its content differs from {shorten(file)}"
                    self._other_findings.append(Finding(Code.GZIP_DIFFERS, message, name))
        except UnusableFileError as error:
            self._other_findings.append(Finding(error.code, str(error), name, error.line))

    def _check_stale_parts(self, index: str) -> None:
        """Look for parts of an earlier sitemap that no index and no robots.txt lists."""
        folder, name = os.path.split(index.removesuffix(".gz"))
        try:
            others = sorted(os.listdir(os.path.join(self._folder.root, folder)))
        except OSError:
            return
        read = {file.removesuffix(".gz") for file in self._sitemaps}
        for other in others:
            path = f"{folder}/{other}" if folder else other
            if is_part_name(name, other) and path not in read:
                message, name = (
                    f"{shorten(index)} does not list it",
                    self._folder.user_path(path),
                )
                self._other_findings.append(Finding(Code.STALE_PART, message, name))
