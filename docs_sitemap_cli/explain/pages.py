"""Explain why a page is in the sitemap or not, and where its date comes from.

The answer is what the report of the build says, with the current content of the built
site.
"""

import os
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from glob import escape

import msgspec

from docs_sitemap.built.html import MAX_HEAD, parse_head
from docs_sitemap.built.verdict import Head, judge
from docs_sitemap.config.options import OPTION_NAMES, OptionNames
from docs_sitemap.config.patterns import NameIndex, PageNames
from docs_sitemap.result import SavedPage, SavedReport
from docs_sitemap.sitemap.urls import BaseUrl, NormalizedUrl, page_url
from docs_sitemap.tools.files import StrPath, real_path, relative_path, walk_html_files
from docs_sitemap.tools.suggestion import suggest
from docs_sitemap_cli.advice import how_to_date, how_to_list
from docs_sitemap_cli.project_files import CopiedFiles
from docs_sitemap_cli.published.address import find_address
from docs_sitemap_cli.published.folder import SiteFolder
from docs_sitemap_cli.published.sitemap_sources import FolderSitemaps, find_sitemaps
from docs_sitemap_cli.published.sitemaps import SitemapLine, read_pages


class Explanation(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that is known about one page.

    Attributes:
        url: The absolute URL; relative to the base URL if that is unknown.
        listed: Whether the build listed the page or, without a report, the sitemap on
            disk does.
        is_built: Whether the page is in the report of the build.
        page: The page in the format of that report. If it is not part of the build,
            what the sitemap on disk and its `<head>` say, and the `document` that it
            copies.
        meaning: Why the page is excluded, in one line; `None` if it is not.
        date_meaning: Where the date comes from, or why it is unknown, in one line;
            `None` if the page is not part of the build, or excluded.
        fix: How to list the page, or why not to list it; `None` without a report, and
            if the page is already listed.
        date_fix: How to date the page, or how to add the files that its code read;
            `None` if the build knows its date or has excluded it.
        head: What the `<head>` of the HTML file declares; `None` if the file cannot be
            read.
        sitemap: The file and the line of the entry in the sitemap on disk, relative to
            the folder of the site; `None` if there is none.
    """

    url: str
    listed: bool
    is_built: bool
    page: SavedPage
    meaning: str | None = None
    date_meaning: str | None = None
    fix: str | None = None
    date_fix: str | None = None
    head: Head | None = None
    sitemap: str | None = None


class ExplainResult(msgspec.Struct, frozen=True):
    """The answer to one query.

    Attributes:
        query: The name of a page, as the user wrote it.
        pages: The pages that have this name.
        source_of: If no page has this name, the names of the pages that have this file
            as a source.
        similar: If there is neither, the page with the most similar name.
    """

    query: str
    pages: tuple[Explanation, ...]
    source_of: tuple[str, ...] = ()
    similar: str | None = None


def explain_pages(
    site_dir: StrPath,
    queries: Sequence[str],
    *,
    report: SavedReport | None = None,
    base_url: BaseUrl | None = None,
) -> list[ExplainResult]:
    """Explain pages of a built site.

    Args:
        site_dir: The folder of the site.
        queries: The pages: URLs, absolute or relative; source files; or files of the
            site. Without any, all pages of the build are explained.
        report: The report of the build. Without it, only the content of the site is
            used.
        base_url: Where the site is published. By default, the base URL in the report,
            or the one that fits the URLs of the sitemap.
    """
    site = _ExplainedSite(SiteFolder(site_dir), report, base_url)
    if not queries:
        return site.explain_all()
    return [site.answer(query) for query in queries]


class _ExplainedSite:
    """The pages of a site, which can be found by several names.

    Args:
        folder: The folder of the site.
        report: The report of the build, if there is one.
        base_url: Where the site is published, if the user says so.
    """

    def __init__(
        self, folder: SiteFolder, report: SavedReport | None, base_url: BaseUrl | None
    ) -> None:
        self._folder = folder
        self._report = report
        self._option_names = OPTION_NAMES
        self._project = folder.root
        self._built: Sequence[SavedPage] = ()
        if report is not None:
            self._option_names = report.names
            self._project = os.path.realpath(os.path.join(folder.root, report.project))
            self._built = report.pages
        sitemaps = find_sitemaps(folder, report)
        address = find_address(folder, sitemaps, option=base_url, report=report)
        base_url = None if address is None else address.base_url
        entries = read_pages(FolderSitemaps(folder, base_url), sitemaps)
        # It is empty if it is unknown.
        self._base_url = base_url or BaseUrl("")
        self._entries = {entry.url: entry for entry in entries}
        self._pages = [*self._built, *self._other_pages()]
        names = []
        for page in self._pages:
            names.append(PageNames(page.name, page.url, page.document, page.output))
        self._index = NameIndex(names, self._base_url)
        self._copies = CopiedFiles(folder.root, self._project)

    def _other_pages(self) -> Iterator[SavedPage]:
        """Yield the other entries of the sitemap on disk, and the other HTML files of
        the site.
        """
        files = set()
        locs = set()
        for page in self._built:
            files.add(page.output)
            locs.add(NormalizedUrl(page.loc or ""))
        start = NormalizedUrl(self._base_url)
        for url, entry in self._entries.items():
            if url in locs:
                continue
            # Only the sitemap knows the URL of a file for certain: /guide may be
            # guide.html.
            file = None
            if self._base_url:
                file = self._folder.file_at(start, url)
            if file is None or file not in files:
                files.add(file)
                yield SavedPage(
                    name=file or entry.loc,
                    url=url.removeprefix(start),
                    loc=entry.loc,
                    output=file,
                    lastmod=entry.lastmod,
                )
        for file in walk_html_files(self._folder.root):
            if file not in files:
                yield SavedPage(name=file, url=page_url(file), output=file)

    def answer(self, query: str) -> ExplainResult:
        """Return the pages that a query names, or those that have this file as a
        source.
        """
        names = list(self._names(query))
        for name in names:
            numbers = self._index.match(escape(name))
            if numbers:
                return ExplainResult(query, tuple(map(self._explain, numbers)))
        source_of = []
        for page in self._built:
            paths = [source.path for source in page.sources]
            paths += [_real_path(path, self._project) for path in paths]
            if not set(paths).isdisjoint(names):
                source_of.append(page.name)
        copies = () if source_of else tuple(self._find_copies(names))
        similar = None
        if not source_of and not copies:
            similar = self._find_similar(query)
        return ExplainResult(query, copies, tuple(source_of), similar)

    def _find_similar(self, query: str) -> str | None:
        """Return the name of the page that a user probably means."""
        names = {os.path.basename(page.name): page.name for page in self._pages}
        for page in self._pages:
            names |= {self._base_url + page.url: page.name, page.name: page.name}
        similar = suggest(query, names)
        return None if similar is None else names[similar]

    def _find_copies(self, names: Collection[str]) -> Iterator[Explanation]:
        """Yield the pages that are copies of a file with one of these names."""
        files = {os.path.basename(name) for name in names}
        for number in range(len(self._built), len(self._pages)):
            output = self._pages[number].output
            if output is not None and os.path.basename(output) in files:
                if self._copies.original_of(output) in names:
                    yield self._explain(number)

    def _names(self, query: str) -> Iterator[str]:
        """Yield the names that a query can mean, the most likely first."""
        if "://" in query:
            yield NormalizedUrl(query)
            return
        yield query
        for folder in (self._folder.root, self._project):
            yield _real_path(os.path.abspath(query), folder)

    def explain_all(self) -> list[ExplainResult]:
        """Explain all pages of the build or, without a report, of the site."""
        results = []
        for number, page in enumerate(self._built or self._pages):
            results.append(ExplainResult(page.name, (self._explain(number),)))
        return results

    def _explain(self, number: int) -> Explanation:
        """Return what is known about a page. The pages of the build have the first
        numbers.
        """
        page = self._pages[number]
        is_built = number < len(self._built)
        listed = page.loc is not None
        if self._report is not None and not is_built and page.output is not None:
            original = self._copies.original_of(page.output)
            page = msgspec.structs.replace(page, document=original)
        url = page.loc or self._base_url + page.url
        head = self._read_head(page.output)
        if head is not None and self._base_url and not is_built and not listed:
            verdict = judge(head, url)
            if verdict is not None:
                reason, detail = verdict
                page = msgspec.structs.replace(page, reason=reason, detail=detail)
        fix = sitemap = None
        if not listed and self._report is not None:
            fix = how_to_list(page, self._option_names, is_built=is_built)
        entry = self._entries.get(NormalizedUrl(url))
        if entry is not None:
            sitemap = f"{entry.file}:{entry.line}"
        meaning = None
        if page.reason is not None:
            meaning = self._option_names.describe(page.reason)
        return Explanation(
            url=url,
            listed=listed,
            is_built=is_built,
            page=page,
            meaning=meaning,
            date_meaning=_describe_date(page, entry, self._option_names),
            fix=fix,
            date_fix=how_to_date(page, self._option_names, self._project),
            head=head,
            sitemap=sitemap,
        )

    def _read_head(self, output: str | None) -> Head | None:
        """Return the head of a file of the site; `None` if it cannot be read."""
        if output is not None:
            with suppress(OSError), self._folder.open_file(output) as file:
                return parse_head(file.read(MAX_HEAD))
        return None


def _describe_date(
    page: SavedPage, entry: SitemapLine | None, names: OptionNames
) -> str | None:
    """Return where the date of a page comes from, or why it is unknown."""
    if page.date_status is None:
        return None
    meaning = names.describe(page.date_status)
    if entry is not None and entry.lastmod and page.lastmod is None:
        meaning += f"; the sitemap keeps {entry.lastmod} of the generator"
    return meaning


def _real_path(path: str, folder: str) -> str:
    """Return a path without symbolic links, relative to a folder."""
    return relative_path(real_path(os.path.join(folder, path)), folder)
