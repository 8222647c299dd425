"""The pages of a built site: those that its sitemaps list, and those that none
lists.
"""

import os
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Set
from contextlib import suppress
from dataclasses import replace
from functools import cache, cached_property

from docs_sitemap.built.generated_pages import is_error_page, is_generated_page
from docs_sitemap.config.options import OPTION_NAMES
from docs_sitemap.diagnostics import Diagnostic, ExclusionReason
from docs_sitemap.result import SavedReport
from docs_sitemap.sitemap.reader import UNREADABLE
from docs_sitemap.sitemap.rules import warning
from docs_sitemap.sitemap.urls import (
    INDEX_FILE,
    BaseUrl,
    NormalizedUrl,
    is_index,
    page_url,
)
from docs_sitemap.sitemap.validation import DUPLICATE
from docs_sitemap.tools.files import HTML_SUFFIXES, walk_html_files
from docs_sitemap.tools.printing import shorten
from docs_sitemap_cli.project_files import CopiedFiles
from docs_sitemap_cli.published.app_shells import find_shells
from docs_sitemap_cli.published.find_report import is_current
from docs_sitemap_cli.published.folder import SiteFolder, join
from docs_sitemap_cli.published.page import BuiltPage, is_generated_by, read_page
from docs_sitemap_cli.published.redirects import Redirects
from docs_sitemap_cli.published.sitemap_sources import SEARCH_INDEXES, USUAL_NAMES

from .pages import NOT_FOUND, REDIRECT, OpenedPage, PageChecker, PageError
from .path_result import PathResult
from .robots import RobotsTxt

# So many pages of one folder were left out on purpose, such as tags, or forgotten for
# one reason.
_MIN_GROUP = 10


class FolderPages(PageChecker):
    """The pages in the folder of a site.

    Attributes:
        folder: The folder of the site.
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
        base = NormalizedUrl(base_url)
        super().__init__(base, base, robots)
        self.folder = folder
        self.separate_sites: dict[str, None] = {}
        self._result = result
        self._documents = documents
        self._redirects = Redirects(folder)
        self._opened: set[str] = set()
        self._find_own_file = cache(self._find_file)

    def page_at(self, url: NormalizedUrl) -> str | None:
        return self.folder.file_at(self.base, url)

    def open_page(self, url: NormalizedUrl, loc: str) -> OpenedPage | None:
        file = self.page_at(url)
        target = self._redirects.target_of(url, opens_file=file is not None)
        if target is not None:
            message = f"_redirects redirects it to {self.describe_target(url, target)}"
            raise PageError(REDIRECT, message)
        if file is None:
            raise PageError(NOT_FOUND, "there is no file for this URL")
        if file in self._opened:
            if "?" in url:
                return None
            message = f"another URL opens the same file, {shorten(file)}"
            raise PageError(DUPLICATE, message)
        self._opened.add(file)
        if not file.lower().endswith(HTML_SUFFIXES):
            return None
        page = self._read_page(file)
        if page is None:
            raise PageError(UNREADABLE, f"{shorten(file)} cannot be read")
        document = self._documents.get(file)
        return OpenedPage(file, page, page.complete_head, document)

    def is_shell(self, name: str) -> bool:
        return name in self._shells

    @cached_property
    def _shells(self) -> set[str]:
        return find_shells(self.folder.root, walk_html_files(self.folder.root))

    @property
    def opens_files(self) -> bool:
        """Whether any listed URL opens a file of the site."""
        return bool(self._opened)

    def listed_folders(self) -> set[str]:
        """Return the folders that contain listed pages, also in folders below."""
        folders = set()
        for file in self._opened:
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
        known = self._opened | excluded
        for file in walk_html_files(self.folder.root):
            if file in known or is_generated_page(file) or self.is_shell(file):
                continue
            if is_error_page(os.path.basename(file)):
                continue
            if self._is_separate(file, sitemaps):
                continue
            url = NormalizedUrl(self.base + page_url(file))
            if not self._is_indexable(file, url):
                continue
            # Crawlers that do not read a page could not read its robots meta element,
            # either.
            if self.robots.disallowed_crawlers(url) is None:
                yield file, url

    def _is_indexable(self, file: str, url: NormalizedUrl) -> bool:
        """Return whether search engines may show a page, with its own URL."""
        page = self._read_page(file)
        if page is None or page.is_fragment:
            return False
        if self._redirects.target_of(url, opens_file=True) is not None:
            return False
        if is_generated_by(file, page.head.generator) or self._is_copy(file, page):
            return False
        return self.judge(page.complete_head, url, file) is None

    def _is_copy(self, file: str, page: BuiltPage) -> bool:
        """Return whether a page repeats a listed index page above it."""
        folder = file
        while folder and not is_index(file):
            folder = folder.rpartition("/")[0]
            index = join(folder, INDEX_FILE)
            if index in self._opened:
                with suppress(OSError):
                    if page.repeats(read_page(os.path.join(self.folder.root, index))):
                        return True
        return False

    def _read_page(self, file: str) -> BuiltPage | None:
        self._result.pages += 1
        with suppress(OSError):
            return read_page(os.path.join(self.folder.root, file))
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
            if self.folder.exists(path):
                return path
        return None


MISSING = warning(
    "missing",
    "no sitemap lists a page of the site",
    "list it or leave it out with include or exclude (in Sphinx, sitemap_include or "
    "sitemap_excludes), or let it declare noindex; if an earlier build wrote it, clean "
    "the output folder; if another machine built the site, use --report",
)


def find_missing_pages(
    pages: FolderPages,
    sitemaps: Iterable[str],
    report: SavedReport | None,
    project: str,
) -> Iterator[Diagnostic]:
    """Yield the diagnostics about the pages that no sitemap lists: one for all pages of
    a folder without listed pages.

    Args:
        pages: The pages, after all sitemaps were checked.
        sitemaps: The sitemaps of the site.
        report: The report of the build, if it is known.
        project: The folder of the project that the report is about.
    """
    outputs: dict[str | None, bool] = {}
    is_built_now = False
    names = OPTION_NAMES
    if report is not None:
        for page in report.pages:
            outputs[page.output] = page.reason is not None
            if page.reason is ExclusionReason.CANONICAL:
                pages.add_canonical(page.detail)
        # A report that the user named may be the report of another build.
        is_built_now = is_current(report, pages.folder.path)
        names = report.names
    excluded = {file for file, is_excluded in outputs.items() if is_excluded}
    own_sitemaps = {name.removesuffix(".gz") for name in sitemaps}
    listed_folders = pages.listed_folders()
    copies = CopiedFiles(pages.folder.root, project)
    missing: defaultdict[tuple[str, str | None], dict[str, NormalizedUrl]]
    missing = defaultdict(dict)
    for file, url in pages.find_missing(excluded, own_sitemaps):
        origin = None
        if is_built_now and file not in outputs:
            origin = copies.folder_of(file)
        place = _find_unlisted_folder(file, listed_folders)
        missing[place, origin][file] = url
    for (place, origin), urls in missing.items():
        fix = MISSING.fix
        cause = ""
        if origin == "":
            cause = ": written by a plugin or an earlier build"
        elif origin is not None:
            cause = f": copied from {origin}"
            fix = (
                f"list copied files with {names['include']} (page.html, folder/*), or "
                f"leave them out with {names['exclude']}"
            )
        found: Mapping[str, NormalizedUrl | None] = urls
        message = "no sitemap lists it"
        if len(urls) >= _MIN_GROUP and place:
            found = {place: None}
            message = f"no sitemap lists its {len(urls):,} pages"
        for file, known_url in found.items():
            path = pages.folder.user_path(file)
            missed = MISSING.diagnostic(message + cause, path, url=known_url)
            yield replace(missed, fix=fix)


def _find_unlisted_folder(file: str, listed_folders: Container[str]) -> str:
    """Return the first folder in the path of a file without a listed page; empty if
    there is none.
    """
    end = file.find("/")
    while end != -1:
        if file[:end] not in listed_folders:
            return file[:end]
        end = file.find("/", end + 1)
    return ""
