"""Read the sitemaps of a version, and collect their entries."""

from __future__ import annotations

from dataclasses import dataclass, field

from docs_sitemap.commands.index.entries import make_url, newest_date
from docs_sitemap.commands.index.tree import DeployedTree
from docs_sitemap.diagnostics import Diagnostic, Severity
from docs_sitemap.sitemap.protocol import MAX_ENTRIES, Url
from docs_sitemap.sitemap.reader import SitemapReader, open_file, read_chunks
from docs_sitemap.sitemap.rules import FormatRule, UnusableFileError
from docs_sitemap.sitemap.urls import BaseUrl, check_url, normalize_url, origin, quote_path
from docs_sitemap.sitemap.validation import DateLimits
from docs_sitemap.text import shorten


@dataclass(slots=True)
class Child:
    """A sitemap of a version.

    Attributes:
        file: The file in the tree.
        loc: Its URL.
        urls: Its entries on the host of the base URL, by normalized URL.
        number: The number of these entries.
        lastmod: The newest date in them; `None` if there is none.
        fault: Why it cannot be listed or merged; `None` if it can.
    """

    file: str
    loc: str
    urls: dict[str, Url] = field(default_factory=dict)
    number: int = 0
    lastmod: str | None = None
    fault: Diagnostic | None = None


@dataclass(frozen=True, slots=True)
class ChildReader:
    """Reads sitemaps of a tree.

    Attributes:
        tree: The tree.
        base_url: Where it is published.
        dates: The dates that are valid.
        needs_folder: Whether each sitemap must list URLs below its own folder.
    """

    tree: DeployedTree
    base_url: BaseUrl
    dates: DateLimits
    needs_folder: bool

    def read(self, file: str) -> list[Child]:
        """Read a sitemap, or the sitemaps that it lists if it is an index. Those that cannot be
        used have a fault.
        """
        child = Child(file, self.base_url + quote_path(file))
        locs = self._read(child)
        return [self._read_listed(file, loc) for loc in locs] or [child]

    def _read_listed(self, index: str, loc: str) -> Child:
        """Read a sitemap that an index lists."""
        base = normalize_url(self.base_url)
        path = self.tree.open_url(loc.removeprefix(base)) if loc.startswith(base) else None
        child = Child(path or loc, loc)
        if path is None:
            text = f"it lists {shorten(loc)}, which does not exist below {base}"
            fix = "deploy this sitemap, or build the index again"
            child.fault = Diagnostic("not-found", text, Severity.ERROR, fix, file=index)
        elif self._read(child):
            text, fix = f"{index} is a sitemap index, and lists another one", "list its sitemaps"
            child.fault = Diagnostic("child-not-sitemap", text, Severity.ERROR, fix, file=path)
        return child

    def _read(self, child: Child) -> list[str]:
        """Read a file. If it is an index, return the URLs that it lists."""
        reader, urls = SitemapReader(), dict[str, Url]()
        try:
            with open_file(self.tree.open, child.file) as source:
                for entry in reader.entries(read_chunks(source, child.file)):
                    loc = entry.text("loc")
                    url = loc and check_url(loc).normalized
                    if loc and url:
                        urls.setdefault(url, make_url(entry, loc, self.dates))
            if reader.is_index and urls:
                return [*urls]
            start = f"{origin(normalize_url(self.base_url))}/"
            child.urls = {url: one for url, one in urls.items() if url.startswith(start)}
            self._check(child, reader.entry_count)
        except UnusableFileError as error:
            child.fault = error.diagnostic(child.file)
        child.number = len(child.urls)
        child.lastmod = newest_date(url.lastmod for url in child.urls.values())
        return []

    def _check(self, child: Child, number: int) -> None:
        """Check that a sitemap with a number of entries can be used.

        Raises:
            UnusableFileError: It cannot.
        """
        if number > MAX_ENTRIES:
            text = f"it lists {number:,}, but the protocol allows {MAX_ENTRIES:,}"
            raise UnusableFileError(FormatRule.TOO_MANY_URLS, text)
        if not child.urls:
            text = f"it lists no valid URL that starts with {origin(normalize_url(self.base_url))}"
            raise UnusableFileError(FormatRule.HOST_DIFFERS, text)
        folder = f"{normalize_url(child.loc).rpartition('/')[0]}/"
        if self.needs_folder and not any(url.startswith(folder) for url in child.urls):
            text = f"it lists no URL below {folder}, but URLs such as {next(iter(child.urls))}"
            raise UnusableFileError(FormatRule.OUT_OF_SCOPE, text)
