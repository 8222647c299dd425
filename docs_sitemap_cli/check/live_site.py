"""Check a deployed site: its robots.txt, its sitemaps, and the pages that they list."""

from datetime import datetime
from typing import TYPE_CHECKING

from docs_sitemap.built.robots_txt import MAX_ROBOTS_BYTES, ROBOTS_FILE
from docs_sitemap.sitemap.hosts import is_local
from docs_sitemap.sitemap.rules import FileDiagnostics
from docs_sitemap.sitemap.urls import (
    NormalizedUrl,
    strip_index,
)
from docs_sitemap.sitemap.validation import CheckedEntry
from docs_sitemap.tools.printing import hide_secrets
from docs_sitemap_cli.console import with_progress
from docs_sitemap_cli.published.http_answers import (
    MAX_FAILURES,
    FetchError,
    describe_status,
)
from docs_sitemap_cli.published.sitemap_sources import (
    USUAL_NAMES,
    LiveSitemaps,
    fetch_sitemap,
)
from docs_sitemap_cli.published.sitemaps import walk_sitemaps

from .check_path import NO_SITEMAP
from .dates import check_dates
from .pages import (
    NO_ANSWER,
    NOT_FOUND,
    REDIRECT,
    OpenedPage,
    PageChecker,
    PageError,
)
from .path_result import PathResult
from .robots import RobotsTxt, check_robots
from .sitemaps import SitemapGroup

if TYPE_CHECKING:
    from docs_sitemap_cli.published.client import HttpClient

_CRAWLER = "docs-sitemap"
_SITEMAP_SUFFIXES = (".xml", ".xml.gz")


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
    site.result.add(site.robots_file)
    site.group.finish()
    return site.result


class _LiveSite:
    """A deployed site. The check can be interrupted at any time.

    Attributes:
        result: The result of the check so far.
        robots_file: The diagnostics about robots.txt.
        group: The sitemaps.
    """

    def __init__(
        self, url: str, client: "HttpClient", now: datetime, max_pages: int
    ) -> None:
        path = url.partition("?")[0]
        self._is_sitemap = path.endswith(_SITEMAP_SUFFIXES)
        folder = path.removesuffix("/")
        if self._is_sitemap:
            folder = path.rpartition("/")[0]
        self._pages = _LivePages(NormalizedUrl(f"{folder}/"), client)
        self._url = url
        self._client = client
        self._max_pages = max_pages
        self._requested: list[CheckedEntry] = []
        self.result = PathResult(hide_secrets(url))
        self.robots_file = FileDiagnostics(self._pages.scope + ROBOTS_FILE)
        self.group = SitemapGroup(
            self.result, now, check_page=self._add_page, is_preview=is_local(url)
        )

    def check(self) -> None:
        """Check robots.txt, the sitemaps, and the pages."""
        robots = self._read_robots()
        if self._client.failures:
            return
        if robots is not None:
            self.group.robots = robots
            self._pages.robots = robots
        sitemaps = [self._url] if self._is_sitemap else self._find_sitemaps()
        if not sitemaps:
            return
        source = LiveSitemaps(self._client, self._url)
        if robots is not None and self._pages.base == self._pages.scope:
            urls = [NormalizedUrl(sitemap) for sitemap in sitemaps]
            check_robots(robots, source, urls, self.robots_file)
        for sitemap in walk_sitemaps(source, sitemaps, self.group.read, nested=False):
            self.group.check(sitemap)
            if not self._is_answering():
                break
        # Only pages that are listed are requested, so other alternates stay unchecked.
        self.group.inventory.check_one_sided()
        for entry in with_progress(self._requested, "Pages"):
            if self._is_answering():
                self.result.pages += 1
                self.result.not_requested -= 1
                self._pages.check(entry)
        self.result.diagnostics += self._pages.check_shared_canonical(sitemaps[0])
        dates = self.group.inventory.urls
        self.result.diagnostics += check_dates(None, sitemaps[0], dates)

    def _is_answering(self) -> bool:
        """Return whether the server is worth another request."""
        return self._client.failures < MAX_FAILURES

    def _read_robots(self) -> RobotsTxt | None:
        """Read robots.txt. Return `None` if there is none.

        Source: <https://www.rfc-editor.org/rfc/rfc9309#section-2.3.1>.
        """
        url = self.robots_file.file
        try:
            answer = self._client.get(url, limit=MAX_ROBOTS_BYTES + 1, follow=True)
        except FetchError as error:
            self.robots_file.add(NO_ANSWER, error.reason)
            return None
        if answer.status == 200:
            return RobotsTxt(answer.body)
        if answer.status >= 500:
            message = f"the server answers HTTP {answer.status}, so crawlers stay away"
            self.robots_file.add(NO_ANSWER, message)
        return None

    def _find_sitemaps(self) -> list[str]:
        """Return the sitemaps of the site that robots.txt names, or else the first one
        with a usual name. If there is none, report why.
        """
        listed = []
        for sitemap in self.group.robots.sitemaps:
            if NormalizedUrl(sitemap).startswith(self._pages.base):
                listed.append(sitemap)
        if listed:
            return listed
        faults: list[str] = []
        for name in USUAL_NAMES:
            try:
                answer = fetch_sitemap(self._client, self._pages.base + name)
            except FetchError as error:
                faults.append(error.reason)
                continue
            # Some servers send a page for each URL.
            if answer.content_type != "text/html":
                return [self._pages.base + name]
            faults.append("the server sends a web page")
        message = f"robots.txt lists none, and for {USUAL_NAMES[0]}, {faults[0]}"
        url = self._url
        self.group.files[url] = FileDiagnostics(url)
        self.group.files[url].add(NO_SITEMAP, message)
        return []

    def _add_page(self, entry: CheckedEntry) -> None:
        """Add a page of the host to those to request, if it is one of the first."""
        if not self._pages.accept(entry):
            return
        self.result.not_requested += 1
        is_full = len(self._requested) == self._max_pages
        if not is_full and self.group.robots.allows(entry.loc, _CRAWLER):
            self._requested.append(entry)


class _LivePages(PageChecker):
    """The pages of a server. Only listed pages are requested."""

    def __init__(self, base: NormalizedUrl, client: "HttpClient") -> None:
        super().__init__(base, f"{base.origin}/", RobotsTxt())
        self._client = client

    def page_at(self, url: NormalizedUrl) -> str | None:
        return _page_name(url) if url.startswith(self.base) else None

    def is_shell(self, name: str) -> bool:
        return False  # Only some pages are requested, so equal ones are unknown.

    def open_page(self, url: NormalizedUrl, loc: str) -> OpenedPage:
        try:
            answer = self._client.get(loc)
        except FetchError as error:
            raise PageError(NO_ANSWER, error.reason) from None
        fault = describe_status(answer)
        if fault is None:
            return OpenedPage(_page_name(url), answer.page, answer.head)
        rule = NO_ANSWER
        if answer.redirect is not None:
            rule = REDIRECT
        elif answer.status in (404, 410):
            rule = NOT_FOUND
        raise PageError(rule, fault)


def _page_name(url: NormalizedUrl) -> str:
    """Return the path of a page, without the name of an index file."""
    return strip_index(url.removeprefix(url.origin))
