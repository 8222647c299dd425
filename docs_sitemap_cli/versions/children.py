"""Read the sitemaps of a version: their entries, with valid values and links to
languages.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from docs_sitemap.diagnostics import Diagnostic
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
from docs_sitemap_cli.site.folder import SiteFolder


@dataclass(slots=True)
class Child:
    """A sitemap of a version.

    Attributes:
        file: The file in the tree.
        loc: Its normalized URL.
        dates: The dates of the entries on the host of the base URL, as written, by
            their normalized URL.
        urls: These entries, if they are going to be merged.
        fault: Why it cannot be listed or merged; `None` if it can.
    """

    file: str
    loc: str
    dates: dict[str, str | None] = field(default_factory=dict)
    urls: dict[str, Url] = field(default_factory=dict)
    fault: Diagnostic | None = None


class ChildReader(NamedTuple):
    """Reads sitemaps of a tree.

    Attributes:
        tree: The tree.
        base_url: Where it is published, normalized.
        dates: The dates that are valid.
        needs_folder: Whether each sitemap must list URLs below its own folder.
        is_merged: Whether to keep the entries. There may be 50,000 in a sitemap.
        before: The start of the URLs that are moved to another folder.
        after: Their new start.
    """

    tree: SiteFolder
    base_url: NormalizedUrl
    dates: DateLimits
    needs_folder: bool
    is_merged: bool
    before: str = ""
    after: str = ""

    def read(self, file: str) -> Iterator[Child]:
        """Read a sitemap, or the sitemaps that it lists if it is an index, one after
        the other. Those that cannot be used have a fault.
        """
        child = Child(file, self._place(self.base_url + quote_path(file)))
        if not self._read_file(child):
            yield child
            return
        for loc in child.dates:
            path = self.tree.file_of_url(loc.removeprefix(self.base_url))
            listed = Child(path or loc, loc)
            if self._read_file(listed):
                text = f"{file} is a sitemap index, and lists another one"
                listed.fault = FormatRule.WRONG_ROOT.diagnostic(text, listed.file)
            yield listed

    def newest_date(self, child: Child) -> str | None:
        """Return the newest date of an entry; `None` if there is none."""
        # Most pages share their dates with others.
        return protocol.newest_date(
            map(self._past_date, dict.fromkeys(child.dates.values()))
        )

    def _place(self, text: str) -> str:
        """Return a URL as it is listed: as written, if it is valid and not moved."""
        if self.before:
            url = normalize_url(text)
            if url.startswith(self.before):
                return self.after + url.removeprefix(self.before)
        return valid_url(text)

    def _read_file(self, child: Child) -> bool:
        """Read the entries of a file. Return whether it is an index."""
        reader = SitemapReader()
        host = f"{origin(self.base_url)}/"
        try:
            with open_file(self.tree.open_file, child.file) as source:
                for entry in reader.entries(read_chunks(source, child.file)):
                    loc = entry.text("loc") or ""
                    url = check_url(loc).normalized
                    if url is None or not url.startswith(host):
                        continue
                    if self.is_merged:
                        loc = self._place(loc)
                        if self.before:
                            url = normalize_url(loc)
                        child.urls.setdefault(url, self._make_url(entry, loc))
                    child.dates.setdefault(url, entry.text("lastmod"))
            self._check(child, is_index=reader.is_index)
        except UnusableFileError as error:
            child.fault = error.diagnostic(child.file)
            return False
        return reader.is_index

    def _make_url(self, entry: SitemapEntry, loc: str) -> Url:
        """Return an entry with its valid values."""
        links: dict[str, Alternate] = {}
        for hreflang, href in entry.alternates:
            if is_hreflang(hreflang) and check_url(href).normalized is not None:
                link = Alternate(hreflang, self._place(href))
                links.setdefault(hreflang.lower(), link)
        changefreq = entry.text("changefreq")
        if not protocol.is_changefreq(changefreq or ""):
            changefreq = None
        priority = entry.text("priority")
        if not protocol.is_priority(priority or ""):
            priority = None
        return Url(
            loc,
            self._past_date(entry.text("lastmod")),
            changefreq,
            priority,
            tuple(links.values()),
        )

    def _past_date(self, lastmod: str | None) -> str | None:
        """Return a date if it is valid, and not in the future."""
        try:
            timestamp = protocol.parse_w3c_datetime(lastmod or "")
        except ValueError:
            return None
        return None if self.dates.is_future(timestamp) else lastmod

    def _check(self, child: Child, *, is_index: bool) -> None:
        """Check that a sitemap lists URLs where it may.

        Raises:
            UnusableFileError: It does not.
        """
        if not child.dates:
            text = f"it lists no valid URL that starts with {origin(self.base_url)}"
            raise UnusableFileError(FormatRule.OUT_OF_SCOPE, text)
        if is_index or not self.needs_folder:
            return
        folder = f"{child.loc.rpartition('/')[0]}/"
        if not any(url.startswith(folder) for url in child.dates):
            first = next(iter(child.dates))
            text = f"it lists no URL below {folder}, but URLs such as {first}"
            raise UnusableFileError(FormatRule.OUT_OF_SCOPE, text)


def valid_url(text: str) -> str:
    """Return a URL as it is written, or its normalized form if that has faults."""
    return normalize_url(text) if check_url(text).faults else text
