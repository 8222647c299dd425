"""Check a deployed site: its robots.txt, its sitemaps, and the pages that they list."""

from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING

from docs_sitemap.built.robots_txt import MAX_ROBOTS_BYTES, ROBOTS_FILE
from docs_sitemap.sitemap.protocol import MAX_BYTES
from docs_sitemap.sitemap.rules import FileDiagnostics, UnusableFileError
from docs_sitemap.sitemap.urls import (
    BaseUrl,
    NormalizedUrl,
    normalize_url,
    origin,
    strip_index,
)
from docs_sitemap.sitemap.validation import (
    CheckedEntry,
    DateLimits,
    Inventory,
    SitemapChecker,
)
from docs_sitemap.tools.printing import shorten
from docs_sitemap_cli.network import MAX_FAILURES, with_progress
from docs_sitemap_cli.site.answers import Answer, FetchError, describe_status
from docs_sitemap_cli.site.live_sitemaps import (
    MAX_SITEMAPS,
    fetch_sitemap,
    sitemap_chunks,
)
from docs_sitemap_cli.site.sitemaps import USUAL_NAMES

from .date_checks import check_dates
from .result import PathResult
from .robots_rules import RobotsTxt, check_robots
from .site import PageChecker
from .site_rules import SiteRule

if TYPE_CHECKING:
    from docs_sitemap_cli.site.client import HttpClient

_CRAWLER = "docs-sitemap"
_SITEMAP_SUFFIXES = (".xml", ".xml.gz")
_MAX_TOTAL_BYTES = 10 * MAX_BYTES

# https://www.rfc-editor.org/rfc/rfc7303#section-9.1
_XML_TYPES = ("application/xml", "text/xml")


def check_live_site(
    url: str, client: "HttpClient", *, now: datetime, max_pages: int
) -> PathResult:
    """Check a deployed site.

    Args:
        url: The URL of the site, or of a sitemap.
        client: Makes all requests.
        now: The current time with its zone.
        max_pages: How many pages to request: the first ones that are listed.
    """
    site = _LiveSite(url, client, now, max_pages)
    try:
        site.check()
    except KeyboardInterrupt:
        site.result.is_interrupted = True
    for file in site.files:
        site.result.add(file)
    site.result.urls = site.inventory.entry_count
    site.result.not_requested = site.listed - site.result.pages
    return site.result


class _LiveSite(PageChecker):
    """A deployed site. The check can be interrupted at any time.

    Attributes:
        result: Receives the numbers, and the diagnostics about all pages together.
        files: The diagnostics about each file.
        inventory: What the sitemaps list.
        listed: The number of listed pages of the host.
    """

    def __init__(
        self, url: str, client: "HttpClient", now: datetime, max_pages: int
    ) -> None:
        path = url.partition("?")[0]
        self._is_sitemap = path.endswith(_SITEMAP_SUFFIXES)
        folder = path.removesuffix("/")
        if self._is_sitemap:
            folder = path.rpartition("/")[0]
        super().__init__(BaseUrl(f"{folder}/"), None)
        self.result = PathResult(url)
        self.files: list[FileDiagnostics] = []
        self.inventory = Inventory()
        self.listed = 0
        self._client = client
        self._now = now
        self._max_pages = max_pages
        self._root = f"{origin(self._base)}/"
        self._known: set[str] = set()
        self._requested: list[CheckedEntry] = []
        self._bytes_read = 0

    def check(self) -> None:
        """Check robots.txt, the sitemaps, and the pages."""
        url = self.result.path
        robots_file = self._add_file(self._root + ROBOTS_FILE)
        self._read_robots(robots_file)
        if self._client.failures:
            return
        sitemaps = [url] if self._is_sitemap else self._find_sitemaps()
        if not sitemaps:
            message = f"robots.txt names none, and there is no {USUAL_NAMES[0]}"
            self._add_file(url).add(SiteRule.NO_SITEMAP, message)
            return
        if self.robots is not None and self._base == self._root:
            urls = [normalize_url(sitemap) for sitemap in sitemaps]
            check_robots(self.robots, None, urls, robots_file)
        children: list[CheckedEntry] = []
        for sitemap in sitemaps:
            children += self._check_sitemap(sitemap)
        for child in children:
            self._check_child(child)
        for _ in self.inventory.report_one_sided():
            pass  # Only pages that are listed are requested.
        for entry in with_progress(self._requested, "Pages"):
            if self._client.failures < MAX_FAILURES:
                self.check_entry(entry)
        dates = self.inventory.urls
        self.result.diagnostics += check_dates(None, sitemaps[0], dates)

    def _add_file(self, name: str) -> FileDiagnostics:
        self.files.append(FileDiagnostics(name))
        return self.files[-1]

    def _read_robots(self, diagnostics: FileDiagnostics) -> None:
        """Read robots.txt.

        Source: <https://www.rfc-editor.org/rfc/rfc9309#section-2.3.1>.
        """
        url = diagnostics.file
        try:
            answer = self._client.get(url, limit=MAX_ROBOTS_BYTES + 1, follow=True)
        except FetchError as error:
            diagnostics.add(SiteRule.NO_ANSWER, error.reason)
            return
        if answer.status == 200:
            self.robots = RobotsTxt(answer.body)
        elif answer.status >= 500:
            message = f"the server answers HTTP {answer.status}, and crawlers stay away"
            diagnostics.add(SiteRule.NO_ANSWER, message)

    def _find_sitemaps(self) -> list[str]:
        """Return the sitemaps of the site that robots.txt names, or else the first one
        with a usual name.
        """
        listed = []
        if self.robots is not None:
            for sitemap in self.robots.sitemaps:
                if normalize_url(sitemap).startswith(self._base):
                    listed.append(sitemap)
        if listed:
            return listed
        for name in USUAL_NAMES:
            with suppress(FetchError):
                answer = fetch_sitemap(self._client, self._base + name)
                # Some servers send a page for each URL.
                if answer.content_type != "text/html":
                    return [self._base + name]
        return []

    def _check_sitemap(self, url: str) -> list[CheckedEntry]:
        """Check a sitemap, and return the entries of an index."""
        self._known.add(normalize_url(url))
        diagnostics = self._add_file(url)
        if self._bytes_read > _MAX_TOTAL_BYTES or len(self._known) > MAX_SITEMAPS:
            diagnostics.is_truncated = True
            return []
        try:
            answer = fetch_sitemap(self._client, url)
        except FetchError as error:
            diagnostics.add(SiteRule.NO_ANSWER, error.reason)
            return []
        _check_type(answer, diagnostics)
        self.result.sitemaps += 1
        scope = f"{normalize_url(url).rpartition('/')[0]}/"
        if self.robots is not None and self.robots.lists(normalize_url(url)):
            scope = self._root
        checker = SitemapChecker(
            diagnostics, scope, DateLimits(self._now), self.inventory
        )
        children = []
        try:
            for entry in checker.entries(sitemap_chunks(answer)):
                if checker.reader.is_index:
                    children.append(entry)
                else:
                    self._add_page(entry)
        except UnusableFileError as error:
            diagnostics.add_only(error)
        self._bytes_read += checker.reader.size
        return children

    def _check_child(self, child: CheckedEntry) -> None:
        """Check a sitemap that an index lists, if it is on the same host."""
        url = child.url
        if self._client.failures >= MAX_FAILURES:
            return
        if url is None or not url.startswith(self._root) or url in self._known:
            return
        self.check_robots(child)
        if self._check_sitemap(child.loc):
            message = f"{shorten(child.loc)} is a sitemap index, too"
            child.report(SiteRule.CHILD_NOT_SITEMAP, message)

    def _add_page(self, entry: CheckedEntry) -> None:
        """Add a page of the host to those to request, if it is one of the first."""
        if entry.url is None or not entry.url.startswith(self._root):
            return
        self.check_robots(entry)
        self.listed += 1
        if len(self._requested) == self._max_pages:
            return
        if self.robots is None or self.robots.allows(entry.loc, _CRAWLER):
            self._requested.append(entry)

    def check_entry(self, entry: CheckedEntry) -> None:
        self.result.pages += 1
        try:
            answer = self._client.get(entry.loc)
        except FetchError as error:
            entry.report(SiteRule.NO_ANSWER, error.reason)
            return
        fault = describe_status(answer)
        if fault is None:
            self._check_answer(entry, normalize_url(entry.loc), answer)
        elif answer.redirect is not None:
            entry.report(SiteRule.REDIRECT, fault)
        elif answer.status in (404, 410):
            entry.report(SiteRule.NOT_FOUND, fault)
        else:
            entry.report(SiteRule.NO_ANSWER, fault)

    def _check_answer(
        self, entry: CheckedEntry, url: NormalizedUrl, answer: Answer
    ) -> None:
        """Check what a page and the headers of the server declare."""
        name = self._name(url)
        head = answer.head
        self._check_head(entry, url, name, head)
        self._check_shown_date(entry, answer.page, name)

    def _open(self, url: NormalizedUrl) -> str | None:
        # Pages that are not listed are not requested.
        return self._name(url) if url.startswith(self._base) else None

    def _name(self, url: NormalizedUrl) -> str:
        """Return the path of a page, without the name of an index file."""
        return strip_index(url.removeprefix(origin(url)))


def _check_type(answer: Answer, diagnostics: FileDiagnostics) -> None:
    # Servers name the type of compressed files in many ways.
    if not answer.url.endswith(".gz") and answer.content_type not in _XML_TYPES:
        message = f"its content type is {shorten(answer.header('content-type'))}"
        diagnostics.add(SiteRule.CONTENT_TYPE, message)
