"""Read the sitemaps of a version: their entries, with valid values and links to
languages.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from docs_sitemap.built.site_folder import SiteFolder
from docs_sitemap.diagnostics import Diagnostic, Severity
from docs_sitemap.sitemap import protocol
from docs_sitemap.sitemap.hreflang import is_hreflang
from docs_sitemap.sitemap.protocol import Alternate, Url
from docs_sitemap.sitemap.reader import (
    SitemapEntry,
    SitemapReader,
    open_file,
    read_chunks,
)
from docs_sitemap.sitemap.rules import FormatRule, UnusableFileError
from docs_sitemap.sitemap.urls import (
    NormalizedUrl,
    check_url,
    normalize_url,
    origin,
    quote_path,
)
from docs_sitemap.sitemap.validation import DateLimits
from docs_sitemap.tools.printing import shorten


@dataclass(slots=True)
class Child:
    """A sitemap of a version.

    Attributes:
        file: The file in the tree.
        loc: Its normalized URL.
        count: The number of different URLs on the host of the base URL.
        first: The first of these URLs, normalized; empty if there is none.
        lastmod: The newest date in their entries; `None` if there is none.
        urls: Their entries by normalized URL, if they were asked for.
        fault: Why it cannot be listed or merged; `None` if it can.
    """

    file: str
    loc: str
    count: int = 0
    first: str = ""
    lastmod: str | None = None
    urls: dict[str, Url] = field(default_factory=dict)
    fault: Diagnostic | None = None


class ChildReader(NamedTuple):
    """Reads sitemaps of a tree.

    Attributes:
        tree: The tree.
        base_url: Where it is published, normalized.
        dates: The dates that are valid.
        needs_folder: Whether each sitemap must list URLs below its own folder.
    """

    tree: SiteFolder
    base_url: NormalizedUrl
    dates: DateLimits
    needs_folder: bool

    def read(self, file: str, *, with_entries: bool = False) -> Iterator[Child]:
        """Read a sitemap, or the sitemaps that it lists if it is an index, one after
        the other. Those that cannot be used have a fault.

        Args:
            file: The file in the tree.
            with_entries: Whether to keep the entries. There may be millions.
        """
        child = Child(file, self.base_url + quote_path(file))
        locs = self._read_file(child, with_entries)
        if not locs:
            yield child
        for loc in locs:
            yield self._read_listed(file, loc, with_entries)

    def _read_listed(self, index: str, loc: str, with_entries: bool) -> Child:
        """Read a sitemap that an index lists."""
        path = None
        if loc.startswith(self.base_url):
            path = self.tree.open_url(loc.removeprefix(self.base_url))
        if path is None:
            text = (
                f"it lists {shorten(loc)}, which does not exist below {self.base_url}"
            )
            fix = "deploy this sitemap, or build the site again"
            fault = Diagnostic("not-found", text, Severity.ERROR, fix, file=index)
            return Child(loc, loc, fault=fault)
        child = Child(path, loc)
        if self._read_file(child, with_entries):
            text = f"{index} is a sitemap index, and lists another one"
            child.fault = Diagnostic(
                "child-not-sitemap",
                text,
                Severity.ERROR,
                "list its sitemaps",
                file=path,
            )
        return child

    def _read_file(self, child: Child, with_entries: bool) -> list[str]:
        """Read a file. If it is an index, return the normalized URLs that it lists."""
        reader = SitemapReader()
        dates: dict[str, str | None] = {}
        host = f"{origin(self.base_url)}/"
        try:
            with open_file(self.tree.open_file, child.file) as source:
                for entry in reader.entries(read_chunks(source, child.file)):
                    loc = entry.text("loc") or ""
                    url = check_url(loc).normalized
                    if url is None or url in dates:
                        continue
                    if not reader.is_index and not url.startswith(host):
                        continue
                    dates[url] = entry.text("lastmod")
                    if with_entries and not reader.is_index:
                        child.urls[url] = make_url(entry, loc, self.dates)
            if reader.is_index and dates:
                return [*dates]
            child.count, child.first = len(dates), next(iter(dates), "")
            past = [_past_date(text, self.dates) for text in {*dates.values()}]
            child.lastmod = protocol.newest_date(past)
            self._check(child, dates)
        except UnusableFileError as error:
            child.fault = error.diagnostic(child.file)
        return []

    def _check(self, child: Child, urls: Iterable[str]) -> None:
        """Check that a sitemap lists URLs where it may.

        Raises:
            UnusableFileError: It does not.
        """
        if not child.count:
            text = f"it lists no valid URL that starts with {origin(self.base_url)}"
            raise UnusableFileError(FormatRule.OUT_OF_SCOPE, text)
        folder = f"{child.loc.rpartition('/')[0]}/"
        if self.needs_folder and not any(url.startswith(folder) for url in urls):
            text = f"it lists no URL below {folder}, but URLs such as {child.first}"
            raise UnusableFileError(FormatRule.OUT_OF_SCOPE, text)


def make_url(entry: SitemapEntry, loc: str, dates: DateLimits) -> Url:
    """Return the valid values of an entry.

    Args:
        entry: The entry.
        loc: Its URL, which is valid.
        dates: The dates that are kept.
    """
    alternates: dict[str, Alternate] = {}
    for hreflang, href in entry.alternates:
        if is_hreflang(hreflang) and check_url(href).normalized is not None:
            alternate = Alternate(hreflang, valid_url(href))
            alternates.setdefault(hreflang.lower(), alternate)
    lastmod = _past_date(entry.text("lastmod"), dates)
    changefreq = entry.text("changefreq")
    if not protocol.is_changefreq(changefreq or ""):
        changefreq = None
    priority = entry.text("priority")
    if not protocol.is_priority(priority or ""):
        priority = None
    links = tuple(alternates.values())
    return Url(valid_url(loc), lastmod, changefreq, priority, links)


def move_url(url: Url, before: str, after: str) -> Url:
    """Return an entry with the URLs below one folder moved to another one."""

    def move(text: str) -> str:
        normalized = normalize_url(text)
        if not normalized.startswith(before):
            return text
        return after + normalized.removeprefix(before)

    links = [Alternate(link.hreflang, move(link.href)) for link in url.alternates]
    return replace(url, loc=move(url.loc), alternates=tuple(links))


def _past_date(lastmod: str | None, dates: DateLimits) -> str | None:
    """Return a date if it is valid, and not in the future."""
    try:
        timestamp = protocol.parse_w3c_datetime(lastmod or "")
    except ValueError:
        return None
    return None if dates.is_future(timestamp) else lastmod


def valid_url(text: str) -> str:
    """Return a URL as it is written, or its normalized form if that has faults."""
    return normalize_url(text) if check_url(text).faults else text
