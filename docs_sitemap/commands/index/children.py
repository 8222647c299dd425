"""Read the sitemaps of a version as streams, check them, and collect what an index needs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace

from docs_sitemap.commands.index.tree import DeployedTree
from docs_sitemap.diagnostics import Diagnostic, Severity
from docs_sitemap.sitemap.protocol import MAX_ENTRIES, NewestDate, parse_w3c_datetime
from docs_sitemap.sitemap.reader import open_file, read_chunks
from docs_sitemap.sitemap.rules import FileDiagnostics, FormatRule, UnusableFileError
from docs_sitemap.sitemap.urls import BaseUrl, normalize_url, origin, quote_path
from docs_sitemap.sitemap.validation import CheckedEntry, DateLimits, SitemapChecker
from docs_sitemap.text import shorten

Use = Callable[[Iterator[CheckedEntry]], object]
"""Receives the entries of a sitemap. They end with `UnusableFileError` if it cannot be used."""


@dataclass(slots=True)
class Child:
    """A sitemap of a version.

    Attributes:
        file: The file in the tree.
        loc: Its URL.
        urls: The number of URLs that it lists.
        first_url: The first of these URLs; empty if there is none.
        urls_in_folder: The number of these URLs that are below the folder of the sitemap.
        newest: The newest date in it that is not in the future.
        has_extensions: Whether entries contain images, videos, or news.
        diagnostics: What is wrong with it.
        fault: Why it cannot be listed or merged; `None` if it can.
        is_unread: Whether it has another encoding than UTF-8, so that it can only be listed.
    """

    file: str
    loc: str
    urls: int = 0
    first_url: str = ""
    urls_in_folder: int = 0
    newest: NewestDate = field(default_factory=NewestDate)
    has_extensions: bool = False
    diagnostics: list[Diagnostic] = field(default_factory=list)
    fault: Diagnostic | None = None
    is_unread: bool = False

    @property
    def folder(self) -> str:
        """The URL of the folder that contains the sitemap."""
        return f"{normalize_url(self.loc).rpartition('/')[0]}/"


class ChildReader:
    """Reads sitemaps of a tree.

    Args:
        tree: The tree.
        base_url: Where it is published.
        dates: The dates that are valid.
        needs_folder: Whether each sitemap must list URLs below its own folder.
    """

    def __init__(
        self, tree: DeployedTree, base_url: BaseUrl, dates: DateLimits, *, needs_folder: bool
    ) -> None:
        self._tree = tree
        self._base_url = base_url
        self._origin = origin(normalize_url(base_url))
        self._dates = dates
        self._needs_folder = needs_folder

    def read(self, file: str, use: Use) -> list[Child]:
        """Read a sitemap, or the sitemaps that it lists if it is an index. Those that cannot be
        used have a fault.
        """
        child = Child(file, self._base_url + quote_path(file))
        locs = self._read(child, use)
        return [self._read_listed(file, loc, use) for loc in locs] or [child]

    def entries(self, file: str) -> Iterator[CheckedEntry]:
        """Yield the entries of a sitemap with URLs on the host of the base URL, as far as it can
        be read.
        """
        with suppress(UnusableFileError):
            checker = SitemapChecker(FileDiagnostics(file))
            yield from (entry for entry in self._entries(file, checker) if not checker.is_index)

    def _read_listed(self, index: str, loc: str, use: Use) -> Child:
        """Read a sitemap that an index lists."""
        base = normalize_url(self._base_url)
        path = self._tree.open_url(loc.removeprefix(base)) if loc.startswith(base) else None
        child = Child(path or loc, loc)
        if path is None:
            text = f"it lists {shorten(loc)}, which does not exist below {base}"
            fix = "deploy this sitemap, or build the index again"
            child.fault = Diagnostic("not-found", text, Severity.ERROR, fix, file=index)
        elif self._read(child, use):
            text, fix = f"{index} is a sitemap index, and lists another one", "list its sitemaps"
            child.fault = Diagnostic("child-not-sitemap", text, Severity.ERROR, fix, file=path)
        return child

    def _read(self, child: Child, use: Use) -> dict[str, None]:
        """Read a file to its end. If it is an index, return the URLs that it lists."""
        diagnostics = FileDiagnostics(child.file)
        locs: dict[str, None] = {}
        try:
            use(self._pages(child, diagnostics, locs))
        except UnusableFileError as error:
            child.fault = error.diagnostic(child.file)
            child.is_unread = error.rule is FormatRule.ENCODING
            if error.rule in (FormatRule.HOST_DIFFERS, FormatRule.OUT_OF_SCOPE):
                fix = "build it for the address at which it is published, or correct --base-url"
                child.fault = replace(child.fault, fix=fix)
            return {}
        child.diagnostics = diagnostics.sorted()
        return locs

    def _pages(
        self, child: Child, diagnostics: FileDiagnostics, locs: dict[str, None]
    ) -> Iterator[CheckedEntry]:
        """Yield the entries of a sitemap, or collect the URLs of an index."""
        checker = SitemapChecker(diagnostics, child.folder, self._dates)
        for entry in self._entries(child.file, checker):
            url, lastmod = str(entry.url), entry.entry.text("lastmod")
            if checker.is_index:
                locs[url] = None
                continue
            child.first_url = child.first_url or url
            child.urls += 1
            child.urls_in_folder += url.startswith(child.folder)
            child.has_extensions |= entry.entry.is_extended
            child.newest.add(lastmod if is_past(lastmod, self._dates) else None)
            yield entry
        number = checker.reader.entry_count
        if number > MAX_ENTRIES:
            text = f"it lists {number:,}, but the protocol allows {MAX_ENTRIES:,}"
            raise UnusableFileError(FormatRule.TOO_MANY_URLS, text)
        if not child.urls and not locs and checker.inventory.urls:
            text = f"none of its URLs starts with {self._origin}"
            raise UnusableFileError(FormatRule.HOST_DIFFERS, text)
        if not child.urls and not locs:
            raise UnusableFileError(FormatRule.EMPTY, "it lists no valid URL")
        if child.urls and self._needs_folder and not child.urls_in_folder:
            text = f"it lists no URL below {child.folder}, but URLs such as {child.first_url}"
            raise UnusableFileError(FormatRule.OUT_OF_SCOPE, text)

    def _entries(self, file: str, checker: SitemapChecker) -> Iterator[CheckedEntry]:
        with open_file(self._tree.open, file) as source:
            for entry in checker.entries(read_chunks(source, file)):
                is_here = entry.url is not None and origin(entry.url) == self._origin
                if is_here or (entry.url is not None and checker.is_index):
                    yield entry


def is_past(lastmod: str | None, dates: DateLimits) -> bool:
    """Return whether a text is a date that is not in the future."""
    try:
        return lastmod is not None and not dates.is_future(parse_w3c_datetime(lastmod)[0])
    except ValueError:
        return False
