"""The rules for one sitemap or sitemap index, and its URL."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import BinaryIO, NamedTuple

from docs_sitemap.commands.check.codes import Code
from docs_sitemap.commands.check.entry_rules import CheckedEntry, DateLimits, check_entry
from docs_sitemap.commands.check.finding import FileFindings, Finding, UnusableFileError
from docs_sitemap.errors import UrlError
from docs_sitemap.sitemap.chunks import read_chunks
from docs_sitemap.sitemap.reader import SitemapReader
from docs_sitemap.sitemap.urls import NormalizedUrl, check_url, origin
from docs_sitemap.text import shorten


@dataclass(frozen=True, slots=True)
class SitemapLocation:
    """Where a sitemap is published.

    Attributes:
        url: Its URL.
        is_in_robots: Whether robots.txt lists it, so that it may list URLs outside its folder:
            <https://www.sitemaps.org/protocol.html#sitemaps_cross_submits>.
    """

    url: NormalizedUrl
    is_in_robots: bool = False

    @property
    def folder(self) -> str:
        return self.url[: self.url.rindex("/") + 1]


class OneSidedLink(NamedTuple):
    """An alternate whose target does not link back, as far as the sitemaps were read."""

    url: NormalizedUrl
    target: NormalizedUrl
    line: int
    loc: str
    is_default: bool
    findings: FileFindings


@dataclass(slots=True)
class Inventory:
    """What one sitemap lists, or several together.

    A broken sitemap must not count. Each sitemap therefore has its own inventory, which is merged
    into the inventory of the site only after the file is read to its end.

    Attributes:
        entry_count: The number of entries.
        urls: All URLs.
        days: The number of entries for each day of last change.
        one_sided: The one-sided links by their URL and target.
        pages: The files of the site that the URLs open.
        mentioned_pages: The files that invalid URLs are probably intended to open.
    """

    entry_count: int = 0
    urls: set[NormalizedUrl] = field(default_factory=set)
    days: Counter[date] = field(default_factory=Counter)
    one_sided: dict[tuple[str, str], OneSidedLink] = field(default_factory=dict)
    pages: set[str] = field(default_factory=set)
    mentioned_pages: set[str] = field(default_factory=set)

    def add_link(self, link: OneSidedLink) -> None:
        """Add an alternate. Two alternates that link to each other cancel out."""
        if self.one_sided.pop((link.target, link.url), None) is None:
            self.one_sided[link.url, link.target] = link

    def merge(self, other: Inventory) -> None:
        self.entry_count += other.entry_count
        self.urls |= other.urls
        self.days.update(other.days)
        self.pages |= other.pages
        self.mentioned_pages |= other.mentioned_pages
        for link in other.one_sided.values():
            self.add_link(link)


class SitemapRules:
    """Checks one sitemap or sitemap index.

    Attributes:
        is_index: Whether the file is a sitemap index. Valid from the first entry on.
        inventory: What the file lists. Complete at the end of the file.

    Args:
        findings: Receives the findings.
        listed: What the sitemaps before this one list.
        location: Where the file is published, if that is known.
        dates: The dates that are valid.
        usual_origin: The origin that is expected if the location is not known, and two origins
            are equally common.
    """

    def __init__(
        self,
        findings: FileFindings,
        listed: Inventory,
        location: SitemapLocation | None,
        dates: DateLimits,
        usual_origin: str | None = None,
    ) -> None:
        self.inventory = Inventory()
        self._findings = findings
        self._listed = listed
        self._location = location
        self._dates = dates
        self._usual_origin = usual_origin
        self._locs_by_origin: dict[str, list[tuple[int, str]]] = {}
        self._reader = SitemapReader(findings)

    @property
    def is_index(self) -> bool:
        return self._reader.is_index

    def entries(self, chunks: Iterable[bytes]) -> Iterator[CheckedEntry]:
        """Check a file, and yield its entries, without repeated ones.

        Args:
            chunks: The content of the file.

        Raises:
            UnusableFileError: It is not a sitemap, or not well-formed.
        """
        for raw in self._reader.entries(chunks):
            entry = check_entry(raw, self._findings, self._dates)
            if entry is None:
                continue
            if entry.day is not None:
                self.inventory.days[entry.day] += 1
            if entry.url is None:
                yield entry
            else:
                self._check_location(entry, entry.url)
                if self._add(entry, entry.url):
                    yield entry
        self.inventory.entry_count = self._reader.entry_count
        if self._location is None:
            self._report_origins()

    def _add(self, entry: CheckedEntry, url: NormalizedUrl) -> bool:
        """Add an entry to the inventory, unless its URL is listed already."""
        own = self.inventory
        # The sitemaps that an index lists are not pages: they are only compared with each other.
        if url in own.urls or (url in self._listed.urls and not self.is_index):
            # If only the fragment differs, the fragment is reported already.
            if "#" not in entry.loc:
                entry.report(Code.DUPLICATE, "it is already listed")
            return False
        own.urls.add(url)
        for target in entry.targets:
            if target.url != url:
                own.add_link(
                    OneSidedLink(
                        url, target.url, target.line, entry.loc, target.is_default, self._findings
                    )
                )
        return True

    def _check_location(self, entry: CheckedEntry, url: NormalizedUrl) -> None:
        location = self._location
        if location is None:
            self._locs_by_origin.setdefault(origin(url), []).append((entry.line, entry.loc))
        elif origin(url) != origin(location.url):
            entry.report(Code.HOST_DIFFERS, _origin_message(origin(url), origin(location.url)))
        elif not location.is_in_robots and not url.startswith(location.folder):
            entry.report(Code.OUT_OF_SCOPE, f"it is not below {shorten(location.folder)}")

    def _report_origins(self) -> None:
        """Report the URLs that do not have the most common origin."""
        by_size = sorted(
            self._locs_by_origin.items(),
            key=lambda item: (len(item[1]), item[0] == self._usual_origin),
            reverse=True,
        )
        for own, locs in by_size[1:]:
            message = _origin_message(own, by_size[0][0])
            for line, loc in locs:
                self._findings.add(Code.HOST_DIFFERS, message, line, loc)


def report_not_reciprocal(link: OneSidedLink) -> None:
    """Report an alternate whose target is listed, but does not link back. The target of
    `x-default` need not link to all languages.
    """
    if not link.is_default:
        message = f"{shorten(link.target)} does not link back to this page"
        link.findings.add(Code.ALTERNATE_NOT_RECIPROCAL, message, link.line, link.loc)


def lint_sitemap(
    data: bytes | BinaryIO,
    file: str,
    *,
    url: str | None = None,
    now: datetime | None = None,
    has_exact_dates: bool = False,
) -> list[Finding]:
    """Check one sitemap or sitemap index, without the site.

    Args:
        data: The content, or an open file.
        file: The name of the file in findings. If it ends in `.gz`, the content is compressed.
        url: Where the file will be published. It may list only URLs below the folder of this URL.
        now: The current time with its zone. Without it, dates in the future are not reported.
        has_exact_dates: Whether old dates are accurate, because they come from commits.

    Returns:
        The findings in the order of their lines. A file that is not a sitemap has only one.

    Raises:
        UrlError: `url` is not an absolute URL.
    """
    location = None
    if url is not None:
        normalized = check_url(url).normalized
        if normalized is None:
            raise UrlError(f"{shorten(url)} is not an absolute URL of a sitemap")
        location = SitemapLocation(normalized)
    findings = FileFindings(file)
    source = io.BytesIO(data) if isinstance(data, bytes) else data
    rules = SitemapRules(findings, Inventory(), location, DateLimits(now, has_exact_dates))
    try:
        for _ in rules.entries(read_chunks(source, file)):
            pass  # the entries themselves are not needed
    except UnusableFileError as error:
        findings.add_only(error)
    else:
        for link in rules.inventory.one_sided.values():
            if link.target in rules.inventory.urls and not rules.is_index:
                report_not_reciprocal(link)
    return findings.sorted()


def _origin_message(own: str, expected: str) -> str:
    return f"it starts with {shorten(own)} instead of {shorten(expected)}"
