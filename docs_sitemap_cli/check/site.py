"""Compare sitemaps with the files of the built site."""

import os
from collections.abc import Iterator, Mapping, Set
from contextlib import suppress
from functools import cache

from docs_sitemap.built.generated_pages import is_error_page, is_generated_page
from docs_sitemap.sitemap.format_rules import FormatRule
from docs_sitemap.sitemap.urls import BaseUrl, NormalizedUrl, is_index, page_url
from docs_sitemap.sitemap.validation import CheckedEntry, Link
from docs_sitemap.tools.files import HTML_SUFFIXES, walk_html_files
from docs_sitemap.tools.printing import count, shorten
from docs_sitemap_cli.published.folder import Redirects, SiteFolder
from docs_sitemap_cli.published.page import BuiltPage, is_generated_by, read_page
from docs_sitemap_cli.published.sitemap_sources import SEARCH_INDEXES, USUAL_NAMES

from .double_encoding import check_double_encoding
from .page_rules import PageRules
from .result import PathResult
from .robots_rules import RobotsTxt, check_disallowed
from .shown_date import check_shown_date
from .site_rules import SiteRule


class SiteChecker:
    """Compares entries with the files that their URLs open.

    Attributes:
        is_complete: Whether all entries have URLs of the site, so that it is known
            which pages are listed.
        separate_sites: The folders of other sites and versions, which are not checked,
            each once.

    Args:
        folder: The folder of the site.
        base_url: Where it is published.
        robots: Its robots.txt; an empty one if crawlers read none.
        result: Receives the number of pages that were read.
        documents: The paths of the documents of pages, by their HTML files.
    """

    def __init__(
        self,
        folder: SiteFolder,
        base_url: BaseUrl,
        robots: RobotsTxt,
        result: PathResult,
        documents: Mapping[str, str],
    ) -> None:
        self.is_complete = True
        self.separate_sites: dict[str, None] = {}
        self._folder = folder
        self._robots = robots
        self._result = result
        self._documents = documents
        self._redirects = Redirects(folder)
        self._base = NormalizedUrl(base_url)
        self._rules = PageRules(self._base, self._find_page)
        self._pages: set[str] = set()
        self._without_slash: list[tuple[CheckedEntry, str]] = []
        self._find_own_file = cache(self._find_file)

    def check_entry(self, entry: CheckedEntry) -> None:
        """Compare an entry with the file that its URL opens."""
        if entry.url is None or not entry.url.startswith(self._base):
            self.is_complete = False
            return
        file = self._find_page(entry.url)
        target = self._redirects.find(entry.url, opens_file=file is not None)
        if target is not None:
            message = f"_redirects redirects it to {shorten(target)}"
            entry.diagnose(SiteRule.REDIRECT, message)
        elif file is None:
            message = "there is no file for this URL"
            if entry.url == self._base:
                message += "; ignore this if a server renders the home page"
            entry.diagnose(SiteRule.NOT_FOUND, message)
            check_double_encoding(entry)
        elif file not in self._pages:
            self._pages.add(file)
            if file.lower().endswith(HTML_SUFFIXES):
                self._check_file(entry, entry.url, file)
        elif "?" not in entry.url:
            message = f"another URL opens the same file, {shorten(file)}"
            entry.diagnose(FormatRule.DUPLICATE, message)
        check_disallowed(self._robots, entry)

    def check_unlisted_alternate(self, link: Link) -> None:
        """Check whether there is a file for an alternate that no sitemap lists."""
        target = link.target
        if target.startswith(self._base) and self._find_page(target) is None:
            message = f"there is no file for {shorten(target)}"
            link.diagnose(SiteRule.ALTERNATE_NOT_FOUND, message)

    def report_missing_slashes(self) -> None:
        """Report the listed URLs of folders without a slash at their ends, all at once:
        generators write all URLs in the same form.
        """
        if self._without_slash:
            entry, file = self._without_slash[0]
            message = f"its file is {shorten(file)}"
            others = len(self._without_slash) - 1
            if others:
                more = count(others, "more URL")
                message += f", and the same applies to {more}"
            entry.diagnose(SiteRule.SLASH_MISSING, message)

    def listed_folders(self) -> set[str]:
        """Return the folders that contain listed pages, also in folders below."""
        folders = set()
        for file in self._pages:
            folder = file.rpartition("/")[0]
            while folder and folder not in folders:
                folders.add(folder)
                folder = folder.rpartition("/")[0]
        return folders

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
            if self._robots.disallowed_crawlers(url) is None:
                yield file, url

    def _check_file(self, entry: CheckedEntry, url: NormalizedUrl, file: str) -> None:
        page = self._read_page(file)
        if page is None:
            entry.diagnose(FormatRule.UNREADABLE, f"{shorten(file)} cannot be read")
            return
        self._rules.check_head(entry, url, file, page.complete_head)
        path = url.partition("?")[0]
        if is_index(file) and not is_index(path) and not path.endswith("/"):
            self._without_slash.append((entry, file))
        check_shown_date(entry, page, file, self._documents.get(file))

    def _is_indexable(self, file: str, url: NormalizedUrl) -> bool:
        """Return whether search engines may show a page, with its own URL."""
        page = self._read_page(file)
        if page is None or page.is_fragment:
            return False
        if self._redirects.find(url, opens_file=True) is not None:
            return False
        if is_generated_by(file, page.head.generator):
            return False
        return self._rules.judge(page.complete_head, url, file) is None

    def _find_page(self, url: NormalizedUrl) -> str | None:
        return self._folder.file_at(self._base, url)

    def _read_page(self, file: str) -> BuiltPage | None:
        self._result.pages += 1
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
