"""Compare sitemaps with the files of the built site."""

import os
import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Set
from contextlib import suppress
from datetime import timedelta
from functools import cache

from docs_sitemap.built.generated_pages import is_error_page, is_generated_page
from docs_sitemap.built.head import Head
from docs_sitemap.built.html import BuiltPage, read_page
from docs_sitemap.built.page_date import find_declared_days
from docs_sitemap.built.verdict import Verdict, judge
from docs_sitemap.exclusion_reason import ExclusionReason
from docs_sitemap.sitemap.rules import FormatRule
from docs_sitemap.sitemap.urls import (
    BaseUrl,
    NormalizedUrl,
    normalize_url,
    page_url,
    same_url,
)
from docs_sitemap.sitemap.validation import CheckedEntry, Link
from docs_sitemap.tools.files import HTML_SUFFIXES, walk_html_files
from docs_sitemap.tools.printing import shorten
from docs_sitemap_cli.site.folder import SiteFolder
from docs_sitemap_cli.site.sitemaps import SEARCH_INDEXES, USUAL_NAMES

from .robots_rules import RobotsTxt
from .site_rules import SiteRule

# The folder of a version in a URL.
_VERSION = re.compile(
    r"v?[0-9][0-9a-z._+-]*|stable|latest|current|main|master|dev|devel|develop|development|nightly",
    re.I,
)


class PageChecker(ABC):
    """Compares entries with what their URLs open.

    Attributes:
        robots: The robots.txt of the site, if crawlers read it.

    Args:
        base_url: Where the site is published.
        robots: Its robots.txt, if crawlers read it.
    """

    def __init__(self, base_url: BaseUrl, robots: RobotsTxt | None) -> None:
        self.robots = robots
        self._base = normalize_url(base_url)
        self._reported: set[str] = set()

    @abstractmethod
    def _open(self, url: NormalizedUrl) -> str | None:
        """Return the name of the page that a URL of the site opens, if it opens any."""

    def check_robots(self, entry: CheckedEntry) -> None:
        """Check whether crawlers may read the URL of an entry."""
        if self.robots is None:
            return
        crawlers = self.robots.disallowed_crawlers(entry.loc)
        if crawlers is not None:
            message = f"robots.txt disallows it for {crawlers}"
            entry.report(SiteRule.ROBOTS_DISALLOW, message)

    def _check_head(
        self, entry: CheckedEntry, url: NormalizedUrl, file: str, head: Head
    ) -> None:
        """Check whether search engines index the page that an entry opens."""
        verdict = self._judge(head, url, file)
        reason = None if verdict is None else verdict.reason
        detail = "" if verdict is None else verdict.detail
        name = shorten(file)
        if reason is ExclusionReason.REDIRECT:
            message = f"{name} redirects to {shorten(detail)}"
            entry.report(SiteRule.REDIRECT, message)
        elif reason is ExclusionReason.NOINDEX:
            message = f"{name} declares {shorten(detail)}"
            entry.report(SiteRule.NOINDEX, message)
        elif is_error_page(file):
            entry.report(SiteRule.ERROR_PAGE, f"{name} is an error page")
        elif reason is ExclusionReason.CANONICAL:
            self._report_canonical(entry, url, file, detail)
        else:
            canonical = head.canonical_target(url) or url
            if not same_url(canonical, url):
                message = f"{name} declares the canonical URL {shorten(canonical)}"
                entry.report(SiteRule.CANONICAL_FORM, message)

    def _check_shown_date(
        self, entry: CheckedEntry, page: BuiltPage, file: str
    ) -> None:
        """Report a page that shows another day than the sitemap, in any time zone."""
        if entry.lastmod is None:
            return
        listed = entry.lastmod.date()
        for shown in find_declared_days(page.data):
            if abs(shown - listed) > timedelta(days=1):
                message = f"{shorten(file)} shows {shown}, and the sitemap has {listed}"
                entry.report(SiteRule.LASTMOD_NOT_SHOWN, message, "lastmod")
                return

    def _report_canonical(
        self, entry: CheckedEntry, url: NormalizedUrl, file: str, canonical: str
    ) -> None:
        version = self._other_version(canonical, url)
        if version is None:
            rule = SiteRule.CANONICAL
            target = normalize_url(canonical)
            if target.startswith(self._base) and self._open(target) is None:
                rule = SiteRule.CANONICAL_NOT_FOUND
            message = f"{shorten(file)} declares the canonical URL {shorten(canonical)}"
            entry.report(rule, message)
        elif version not in self._reported:
            # Report once that the pages name another version: their sitemap is useful,
            # for example for a version selector.
            self._reported.add(version)
            message = (
                "its canonical URL, like those of other pages, is below "
                f"{shorten(version)}"
            )
            entry.report(SiteRule.CANONICAL_VERSION, message)

    def _other_version(self, canonical: str, url: NormalizedUrl) -> str | None:
        """Return the URL of another version of the site if a canonical link names the
        same page of that version.
        """
        start = f"{self._base[:-1].rpartition('/')[0]}/"
        end = f"/{url.removeprefix(self._base)}"
        page = normalize_url(canonical)
        if not page.startswith(start) or not page.endswith(end):
            return None
        name = page[len(start) : -len(end)]
        version = f"{start}{name}/"
        if version == self._base or not _VERSION.fullmatch(name):
            return None
        return version

    def _judge(self, head: Head, url: NormalizedUrl, file: str) -> Verdict | None:
        """Return why search engines do not show a page under its URL."""

        def opens_page(target: str) -> bool:
            return self._open(normalize_url(target)) == file

        return judge(head, url, opens_page=opens_page)


class SiteChecker(PageChecker):
    """Compares entries with the files that their URLs open.

    Attributes:
        is_complete: Whether all entries have URLs of the site, so that it is known
            which pages are listed.
        pages_read: The number of pages that were read.
        separate_sites: The folders of other sites and versions, which are not checked,
            each once.

    Args:
        folder: The folder of the site.
        base_url: Where it is published.
        robots: Its robots.txt, if crawlers read it.
    """

    def __init__(
        self, folder: SiteFolder, base_url: BaseUrl, robots: RobotsTxt | None
    ) -> None:
        super().__init__(base_url, robots)
        self.is_complete = True
        self.pages_read = 0
        self.separate_sites: dict[str, None] = {}
        self._folder = folder
        self._pages: set[str] = set()
        self._find_own_file = cache(self._find_file)

    def check_entry(self, entry: CheckedEntry) -> None:
        """Compare an entry with the file that its URL opens."""
        if entry.url is None or not entry.url.startswith(self._base):
            self.is_complete = False
            return
        file = self._open(entry.url)
        if file is None:
            entry.report(SiteRule.NOT_FOUND, "there is no file for this URL")
        elif file not in self._pages:
            self._pages.add(file)
            if file.lower().endswith(HTML_SUFFIXES):
                self._check_file(entry, entry.url, file)
        elif "?" not in entry.url:
            message = f"another URL opens the same file, {shorten(file)}"
            entry.report(FormatRule.DUPLICATE, message)
        self.check_robots(entry)

    def check_unlisted_alternate(self, link: Link) -> None:
        """Check whether there is a file for an alternate that no sitemap lists."""
        if link.target.startswith(self._base) and self._open(link.target) is None:
            message = f"there is no file for {shorten(link.target)}"
            link.report(SiteRule.ALTERNATE_NOT_FOUND, message)

    def find_missing(
        self, excluded: Set[str | None], sitemaps: Set[str]
    ) -> Iterator[tuple[str, NormalizedUrl]]:
        """Yield the pages of the site that should be listed, but are not, with their
        URLs.

        Args:
            excluded: The files that the build excluded.
            sitemaps: The sitemaps of the site, without the suffix `.gz`.
        """
        known = self._pages | excluded
        for file in walk_html_files(self._folder.root):
            if file in known or is_generated_page(file):
                continue
            if is_error_page(os.path.basename(file)):
                continue
            if self._is_separate(file, sitemaps):
                continue
            url = NormalizedUrl(self._base + page_url(file))
            if not self._is_indexable(file, url):
                continue
            # Crawlers that do not read a page could not read its robots meta element,
            # either.
            if self.robots is None or self.robots.disallowed_crawlers(url) is None:
                yield file, url

    def _check_file(self, entry: CheckedEntry, url: NormalizedUrl, file: str) -> None:
        page = self._read_page(file)
        if page is None:
            entry.report(FormatRule.UNREADABLE, f"{shorten(file)} cannot be read")
            return
        self._check_head(entry, url, file, page.complete_head)
        self._check_shown_date(entry, page, file)

    def _is_indexable(self, file: str, url: NormalizedUrl) -> bool:
        """Return whether search engines may show a page, with its own URL."""
        page = self._read_page(file)
        if page is None or not page.head.title:
            return False
        return self._judge(page.complete_head, url, file) is None

    def _open(self, url: NormalizedUrl) -> str | None:
        return self._folder.file_at(self._base, url)

    def _read_page(self, file: str) -> BuiltPage | None:
        self.pages_read += 1
        with suppress(OSError):
            return read_page(os.path.join(self._folder.root, file))
        return None

    def _is_separate(self, file: str, sitemaps: Set[str]) -> bool:
        """Return whether a page is in a subfolder that is another site, such as another
        language or version.
        """
        subfolder = file.rpartition("/")[0]
        while subfolder:
            own = self._find_own_file(subfolder)
            if own is not None and own.removesuffix(".gz") not in sitemaps:
                self.separate_sites[subfolder] = None
                return True
            subfolder = subfolder.rpartition("/")[0]
        return False

    def _find_file(self, subfolder: str) -> str | None:
        """Return the sitemap or the search index of a subfolder."""
        for name in (*USUAL_NAMES, *SEARCH_INDEXES):
            path = f"{subfolder}/{name}"
            if self._folder.exists(path):
                return path
        return None
