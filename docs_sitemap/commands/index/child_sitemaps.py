"""Read the sitemaps of a version as streams, check them, and collect what an index needs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from typing import BinaryIO

from docs_sitemap.commands.index.deployed_tree import DeployedTree
from docs_sitemap.commands.index.layout import folder_url
from docs_sitemap.diagnostics import Diagnostic, Severity
from docs_sitemap.sitemap.protocol import MAX_ENTRIES, parse_w3c_datetime
from docs_sitemap.sitemap.reader import open_file, read_chunks
from docs_sitemap.sitemap.rules import FileDiagnostics, FormatRule, UnusableFileError
from docs_sitemap.sitemap.urls import BaseUrl, NormalizedUrl, normalize_url, origin, quote_path
from docs_sitemap.sitemap.validation import CheckedEntry, DateLimits, SitemapChecker
from docs_sitemap.text import shorten

# The number of URLs that show which folder a sitemap covers.
_SAMPLE = 100
# In bytes.
_PEEK = 2_048


@dataclass(slots=True)
class NewestDate:
    """The newest of some dates. Dates in the future do not count.

    Attributes:
        limits: The dates that count.
        text: The date as it is written; `None` if there is no valid date.
    """

    limits: DateLimits = field(default_factory=DateLimits)
    text: str | None = None
    _date: datetime | None = None

    def add(self, text: str | None) -> None:
        if text is None or text == self.text:
            return
        try:
            date, in_schema = parse_w3c_datetime(text)
        except ValueError:
            return
        if self.limits.is_future(date):
            return
        if in_schema and (self._date is None or date > self._date):
            self._date, self.text = date, text


@dataclass(slots=True)
class ChildSitemap:
    """A sitemap that is read.

    Attributes:
        file: The file in the tree.
        loc: Its URL.
        urls: The number of URLs that it lists.
        first_url: The first of these URLs; empty if there is none.
        urls_in_folder: The number of these URLs that are below the folder of the sitemap.
        newest: The newest date in it.
        findings: What is wrong with it.
        fault: Why it cannot be listed or merged; `None` if it can.
        has_extensions: Whether entries contain images, videos, or news.
    """

    file: str
    loc: str
    urls: int = 0
    first_url: str = ""
    urls_in_folder: int = 0
    newest: NewestDate = field(default_factory=NewestDate)
    findings: list[Diagnostic] = field(default_factory=list)
    fault: Diagnostic | None = None
    has_extensions: bool = False


class ChildReader:
    """Reads sitemaps of a tree.

    Args:
        tree: The tree.
        base_url: Where it is published.
        now: The current time, after which dates are in the future.
    """

    def __init__(self, tree: DeployedTree, base_url: BaseUrl, now: datetime) -> None:
        self._tree = tree
        self._base_url = base_url
        self._dates = DateLimits(now)

    def find(self, file: str) -> list[ChildSitemap]:
        """Return a sitemap, or the sitemaps that it lists if it is an index.

        If one of them cannot be used, it has a fault.
        """
        child = self._make_child(file)
        locs: list[str] = []
        if not self._is_index(child, locs):
            return [child]
        base = normalize_url(self._base_url)
        children = []
        for loc in dict.fromkeys(map(normalize_url, locs)):
            path = self._tree.open_url(loc.removeprefix(base)) if loc.startswith(base) else None
            if path is None:
                message = f"it lists {shorten(loc)}, which does not exist below {self._base_url}"
                part = ChildSitemap(loc, loc)
                part.fault = _unusable_child("not-found", message, file, loc)
                children.append(part)
                continue
            part = self._make_child(path)
            part.loc = loc
            if self._is_index(part, []):
                message = f"{file} is a sitemap index, and lists another one"
                part.fault = _unusable_child("child-not-sitemap", message, path, loc)
            children.append(part)
        return children

    def read(
        self, child: ChildSitemap, accept: Callable[[CheckedEntry], object] = lambda entry: None
    ) -> bool:
        """Read a sitemap to its end.

        Args:
            child: The sitemap. Receives what is found.
            accept: Is called with each entry that has a valid URL on the host of the base URL.

        Returns:
            Whether it can be used. If not, it has a fault, and the entries before the fault must
            not be used.
        """
        if child.fault is not None:
            return False
        findings = FileDiagnostics(child.file)
        host = origin(normalize_url(self._base_url))
        others = 0
        folder = _folder(child)
        rules = self._rules(child, findings)
        try:
            with self._open(child.file) as file:
                for entry in rules.entries(read_chunks(file, child.file)):
                    if entry.url is None:
                        continue
                    if origin(entry.url) != host:
                        others += 1
                        continue
                    child.urls += 1
                    child.first_url = child.first_url or entry.url
                    child.urls_in_folder += entry.url.startswith(folder)
                    child.newest.add(entry.entry.text("lastmod"))
                    child.has_extensions |= bool(entry.entry.extensions)
                    accept(entry)
        except UnusableFileError as error:
            findings.add_only(error)
            child.fault = findings.sorted()[0]
        child.findings = findings.sorted()
        if child.fault is None:
            child.fault = self._find_fault(child, rules.inventory.entry_count, others)
        return child.fault is None

    def covers(self, file: str, folder: str) -> int:
        """Return how many of the first URLs of a sitemap are below a folder of the tree."""
        start = folder_url(self._base_url, folder)
        child = self._make_child(file)
        try:
            with self._open(file) as opened:
                rules = self._rules(child, FileDiagnostics(file))
                entries = islice(rules.entries(_split(read_chunks(opened, file))), _SAMPLE)
                return sum(
                    entry.url is not None and entry.url.startswith(start) for entry in entries
                )
        except UnusableFileError:
            return 0

    def urls(self, file: str) -> Iterator[NormalizedUrl]:
        """Yield the URLs of a sitemap, or of the sitemaps that it lists, as far as they can be
        read.
        """
        for child in self.find(file):
            if child.fault is not None:
                continue
            try:
                with self._open(child.file) as opened:
                    rules = self._rules(child, FileDiagnostics(child.file))
                    for entry in rules.entries(read_chunks(opened, child.file)):
                        if entry.url is not None:
                            yield entry.url
            except UnusableFileError:
                continue

    def _make_child(self, file: str) -> ChildSitemap:
        loc = self._base_url + quote_path(file)
        return ChildSitemap(file, loc, newest=NewestDate(self._dates))

    def _rules(self, child: ChildSitemap, findings: FileDiagnostics) -> SitemapChecker:
        return SitemapChecker(findings, _folder(child), self._dates)

    def _open(self, file: str) -> BinaryIO:
        return open_file(self._tree.open, file)

    def _is_index(self, child: ChildSitemap, locs: list[str]) -> bool:
        """Return whether a sitemap is an index, and collect the URLs that it lists."""
        rules = self._rules(child, FileDiagnostics(child.file))
        try:
            with self._open(child.file) as file:
                for entry in rules.entries(_split(read_chunks(file, child.file))):
                    if not rules.is_index:
                        return False
                    if entry.url is not None:
                        locs.append(entry.url)
        except UnusableFileError as error:
            # An index that breaks off lists only some sitemaps of the version.
            child.fault = error.diagnostic(child.file)
            return False
        return rules.is_index

    def _find_fault(self, child: ChildSitemap, entries: int, others: int) -> Diagnostic | None:
        if entries > MAX_ENTRIES:
            return next(one for one in child.findings if one.code == FormatRule.TOO_MANY_URLS.slug)
        if child.urls:
            return None
        if others:
            message = f"none of its URLs starts with {origin(normalize_url(self._base_url))}"
            return FormatRule.HOST_DIFFERS.diagnostic(message, child.file)
        return FormatRule.EMPTY.diagnostic("it lists no valid URL", child.file)


def _split(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """Split chunks, so that the first entry is found before much of the file is parsed."""
    for chunk in chunks:
        for start in range(0, len(chunk), _PEEK):
            yield chunk[start : start + _PEEK]


def _folder(child: ChildSitemap) -> str:
    return normalize_url(child.loc).rpartition("/")[0] + "/"


def _unusable_child(code: str, message: str, file: str, loc: str) -> Diagnostic:
    fix = "list only sitemaps that exist in the index"
    return Diagnostic(code, message, Severity.ERROR, fix, file=file, url=loc)
