"""Explain why a page is in the sitemap or not, and where its date comes from.

The answer combines the report of the build with the current content of the built site.
"""

from __future__ import annotations

import difflib
import os
import posixpath
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from glob import escape
from typing import NamedTuple
from urllib.parse import unquote

from docs_sitemap.commands.explain.advice import Advice
from docs_sitemap.entry import HEAD_REASONS, ExclusionReason
from docs_sitemap.files import walk_html_files
from docs_sitemap.html import Head, read_head
from docs_sitemap.options import use_sphinx_names
from docs_sitemap.patterns import NameIndex, PageNames, find_pages
from docs_sitemap.report import SavedPage, SavedReport
from docs_sitemap.select import head_reasons
from docs_sitemap.site_folder import SiteFolder
from docs_sitemap.site_sitemaps import find_sitemaps, guess_base_url, open_url, read_all_entries
from docs_sitemap.sitemap.urls import BaseUrl, NormalizedUrl, normalize_url, page_url, strip_index

_MAX_SUGGESTIONS = 3

_HeadReason = tuple[ExclusionReason, str]


@dataclass(frozen=True, slots=True)
class DiskEntry:
    """The entry of a page in the sitemap on disk.

    Attributes:
        file: The sitemap, relative to the folder of the site.
        line: The line of `<loc>` in the sitemap, from 1.
        loc: The URL, as written.
        lastmod: The date, as written; `None` if there is none.
    """

    file: str
    line: int
    loc: str
    lastmod: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """Everything that is known about one page.

    Attributes:
        name: The name of the page in the build; its file or URL if it is not part of the build.
        url: The absolute URL; `None` if the base URL is unknown.
        listed: Whether the build listed the page or, without a report, the sitemap on disk does.
        meaning: Why the build excluded the page, in one line; `None` if it did not.
        date_meaning: Where the date comes from, or why it is unknown, in one line; `None` if the
            page is not part of the build, or excluded.
        fix: How to list the page, or why not to list it; `None` if it is already listed.
        date_fix: How to date the page; `None` if the build has dated or excluded it.
        build: The page in the report of the build, in the format of that report; `None` without
            a report, and for a page that is not part of the build.
        output: The HTML file relative to the folder of the site; `None` if it is unknown.
        exists: Whether that file exists.
        head: What the `<head>` of that file declares; `None` if the file cannot be read.
        sitemap: The entry in the sitemap on disk; `None` if there is none.
        notes: How the site on disk differs from the report of the build; without a report, the
            exclusion reasons in the head.
    """

    name: str
    url: str | None
    listed: bool
    meaning: str | None = None
    date_meaning: str | None = None
    fix: str | None = None
    date_fix: str | None = None
    build: SavedPage | None = None
    output: str | None = None
    exists: bool = False
    head: Head | None = None
    sitemap: DiskEntry | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ExplainResult:
    """The answer to one query.

    Attributes:
        query: The name of a page, as the user wrote it.
        pages: The pages that have this name.
        suggestions: If no page has this name, up to three similar names.
        unpublished: If no page has this name, a file of the project that has it, relative to the
            current folder; `None` if there is none, or no report.
        source_of: The names of the pages that have this file as a source.
    """

    query: str
    pages: tuple[Explanation, ...]
    suggestions: tuple[str, ...] = ()
    unpublished: str | None = None
    source_of: tuple[str, ...] = ()


def explain_pages(
    site_dir: str | os.PathLike[str],
    queries: Sequence[str] | None,
    *,
    report: SavedReport | None = None,
    base_url: BaseUrl | None = None,
) -> list[ExplainResult]:
    """Explain pages of a built site.

    Args:
        site_dir: The folder of the site.
        queries: The pages: URLs, absolute or relative; source files; or files of the site. `None`
            explains all pages of the build, by name.
        report: The report of the build. Without it, only the content of the site is used.
        base_url: Where the site is published. By default, the base URL in the report, or the one
            that fits the URLs of the sitemap.
    """
    folder = SiteFolder(site_dir)
    sitemaps = find_sitemaps(folder, report.files if report is not None else ())
    if base_url is None:
        base_url = guess_base_url(folder, sitemaps) if report is None else report.base_url
    site = _BuiltSite(folder, base_url, report, sitemaps)
    if queries is None:
        built = [page for page in site.pages if page.is_built]
        return [ExplainResult(page.saved.name, (_explain_page(page, site),)) for page in built]
    return [_answer(query, site) for query in dict.fromkeys(queries)]


class _KnownPage(NamedTuple):
    """A page of the build, or another HTML file of the site."""

    saved: SavedPage
    is_built: bool = True

    @property
    def names(self) -> PageNames:
        saved = self.saved
        return PageNames(saved.name, saved.url, saved.document, saved.output)


class _BuiltSite:
    """The pages of a site, which can be found by several names.

    Attributes:
        folder: The folder of the site.
        base_url: Where the site is published, if that is known.
        in_sphinx: Whether Sphinx built the site.
        pages: The pages of the build, and the other HTML files in the folder.
        advice: How to list and date pages.
    """

    def __init__(
        self,
        folder: SiteFolder,
        base_url: BaseUrl | None,
        report: SavedReport | None,
        sitemaps: Sequence[str],
    ) -> None:
        self.folder = folder
        self.base_url = base_url
        self.in_sphinx = report is not None and report.generator == "sphinx"
        self._project: str | None = None
        saved: Sequence[SavedPage] = ()
        if report is not None:
            self._project = os.path.normpath(os.path.join(folder.root, report.project))
            saved = report.pages
        self.advice = Advice(self.user_path, in_sphinx=self.in_sphinx)
        outputs = {page.output for page in saved}
        self.pages = [_KnownPage(page) for page in saved]
        self.pages += [
            _KnownPage(SavedPage(name=file, url=page_url(file), output=file), is_built=False)
            for file in walk_html_files(folder.root)
            if file not in outputs
        ]
        self._documents = {page.document for page in saved if page.document is not None}
        self._index = NameIndex((page.names for page in self.pages), base_url or "")
        self._entries: dict[NormalizedUrl, DiskEntry] = {}
        for entry in read_all_entries(folder, sitemaps, base_url):
            found = DiskEntry(entry.file, entry.line, entry.loc, entry.lastmod)
            self._entries.setdefault(normalize_url(entry.loc), found)

    def find(self, query: str) -> list[_KnownPage]:
        """Return the pages that a query names."""
        for spelling in self._spellings(query):
            (numbers,) = find_pages(escape(spelling), self._index)
            if numbers:
                return [self.pages[number] for number in numbers]
        return []

    def entry_with_url(self, url: str | None) -> DiskEntry | None:
        return None if url is None else self._entries.get(normalize_url(url))

    def entry_opening(self, file: str | None) -> DiskEntry | None:
        return None if file is None else self._entries_by_file.get(file)

    @cached_property
    def _entries_by_file(self) -> dict[str | None, DiskEntry]:
        first_wins = reversed(self._entries.items())
        return {open_url(self.folder, self.base_url, url): entry for url, entry in first_wins}

    def suggest(self, query: str) -> tuple[str, ...]:
        """Return names that are similar to a query."""
        saved = [page.saved for page in self.pages]
        names = {posixpath.splitext(posixpath.basename(one.name))[0]: one.name for one in saved}
        names |= {one.url: one.name for one in saved} | {one.name: one.name for one in saved}
        path = self._below_base_url(query) if "://" in query else None
        # Some of the matches may be the URL and the name of one page.
        similar = difflib.get_close_matches(
            query if path is None else path, names, n=2 * _MAX_SUGGESTIONS
        )
        return tuple(dict.fromkeys(names[name] for name in similar))[:_MAX_SUGGESTIONS]

    def user_path(self, source: str) -> str:
        """Return the path of a source file relative to the current folder."""
        path = os.path.join(self._project or "", source)
        with suppress(ValueError):  # on another drive
            return os.path.relpath(path)
        return path

    def find_unpublished(self, query: str) -> str | None:
        """Return a file of the project that a query names, although no page has this name, relative
        to the folder of the project.
        """
        path = self._below_base_url(query) if "://" in query else query
        if path is None or self._project is None:
            return None
        stem = strip_index(path).strip("/").removesuffix(".html")
        ends = [f"{end}{suffix}" for end in ("", "/index") for suffix in self._suffixes]
        folders = {page.names.source_folder() or "" for page in self.pages}
        for folder in (os.curdir, *(os.path.join(self._project, one) for one in sorted(folders))):
            for name in (path, *(f"{stem}{end}" for end in ends)):
                source = self._source(os.path.join(folder, name))
                if source is not None and source not in self._documents:
                    return source
        return None

    def _source(self, file: str) -> str | None:
        """Return a source file relative to the folder of the project; `None` if the file is not
        below this folder, does not exist, or belongs to the site.
        """
        if self._project is None or not os.path.isfile(file):
            return None
        real = os.path.realpath(file)
        prefix = os.path.join(os.path.realpath(self._project), "")
        is_in_site = real.startswith(os.path.join(self.folder.root, ""))
        if not real.startswith(prefix) or is_in_site:
            return None
        return real.removeprefix(prefix).replace(os.sep, "/")

    def pages_from(self, source: str) -> tuple[str, ...]:
        """Return the names of the pages that have a source file."""
        saved = [page.saved for page in self.pages if page.is_built]
        return tuple(one.name for one in saved if source in {part.path for part in one.sources})

    @cached_property
    def _suffixes(self) -> list[str]:
        """The suffixes of documents."""
        return sorted({os.path.splitext(path)[1] for path in self._documents})

    def _spellings(self, query: str) -> Iterator[str]:
        """Yield the possible meanings of a query, the most likely first."""
        if "://" in query:
            path = self._below_base_url(query)
            if path is not None:
                yield path
            return
        yield query
        with suppress(ValueError, RecursionError):  # It is on another drive, or cannot exist.
            path = os.path.relpath(os.path.realpath(query), self.folder.root)
            yield "" if path == "." else path.replace(os.sep, "/")
        for suffix in ("", *self._suffixes):
            with suppress(ValueError, RecursionError):
                source = self._source(f"{query}{suffix}")
                if source is not None and source in self._documents:
                    yield source

    def _below_base_url(self, query: str) -> str | None:
        """Return the path of an absolute URL below the base URL."""
        if self.base_url is None:
            return None
        url, base = normalize_url(query), normalize_url(self.base_url)
        if f"{url}/" == base:
            return ""
        return unquote(url.removeprefix(base)) if url.startswith(base) else None


def _answer(query: str, site: _BuiltSite) -> ExplainResult:
    explanations = [_explain_page(page, site) for page in site.find(query)]
    if explanations:
        return ExplainResult(query, tuple(explanations))
    is_absolute = "://" in query or site.base_url is None
    url = query if is_absolute else f"{site.base_url}{query.lstrip('/')}"
    entry = site.entry_with_url(url)
    if entry is not None:
        page = Explanation(name=query, url=normalize_url(url), listed=True, sitemap=entry)
        return ExplainResult(query, (page,))
    with suppress(ValueError, RecursionError):  # It cannot be the name of a file.
        unpublished = site.find_unpublished(query)
        if unpublished is not None:
            path, source_of = site.user_path(unpublished), site.pages_from(unpublished)
            return ExplainResult(query, (), (), path, source_of)
    return ExplainResult(query, (), site.suggest(query))


def _explain_page(page: _KnownPage, site: _BuiltSite) -> Explanation:
    saved, build = page.saved, page.saved if page.is_built else None
    url = None if site.base_url is None else f"{site.base_url}{saved.url}"
    # The build may have had another base URL.
    entry = site.entry_with_url(saved.loc or url)
    if build is None and entry is None:
        # Only the build knows the URL of a file for certain: /guide may be guide.html.
        entry = site.entry_opening(saved.output)
        url = url if entry is None else normalize_url(entry.loc)
    listed = entry is not None if build is None else build.loc is not None
    head, exists = None, False
    if saved.output is not None and site.folder.contains(saved.output):
        exists = site.folder.exists(saved.output)
        with suppress(OSError):
            head = read_head(os.path.join(site.folder.root, saved.output))
    reasons = [] if head is None or url is None else [*head_reasons(head, url)]
    if build is None:
        notes = [_describe(*reason) for reason in reasons]
    elif listed:
        notes = [*_notes_if_listed(build, entry, exists, reasons)]
    else:
        notes = [*_notes_if_excluded(build, entry, exists, reasons)]
    translate = use_sphinx_names if site.in_sphinx else str
    return Explanation(
        name=saved.name,
        url=url,
        listed=listed,
        meaning=None if saved.reason is None else translate(saved.reason.meaning),
        date_meaning=None if saved.date_status is None else translate(saved.date_status.meaning),
        fix=None if listed else site.advice.to_list(build, saved, [slug for slug, _ in reasons]),
        date_fix=site.advice.to_date(build) if listed and build is not None else None,
        build=build,
        output=saved.output,
        exists=exists,
        head=head,
        sitemap=entry,
        notes=tuple(notes),
    )


def _notes_if_listed(
    page: SavedPage, entry: DiskEntry | None, exists: bool, reasons: Sequence[_HeadReason]
) -> Iterator[str]:
    if entry is None:
        yield "the sitemap on disk does not list this page; another build wrote that sitemap"
    elif entry.lastmod != page.lastmod:
        date = "no date" if entry.lastmod is None else f"the date {entry.lastmod}"
        yield f"the sitemap on disk has {date} for this page; another build wrote that sitemap"
    if page.output is not None and not exists:
        yield "the file no longer exists; build the site again"
    for reason in reasons:
        yield f"{_describe(*reason)}; the build ignored this, or the file has changed since"


def _notes_if_excluded(
    page: SavedPage, entry: DiskEntry | None, exists: bool, reasons: Sequence[_HeadReason]
) -> Iterator[str]:
    # If two pages have the same URL, the entry belongs to the other page.
    if entry is not None and page.reason is not ExclusionReason.DUPLICATE_URL:
        yield "the sitemap on disk lists this page; another build wrote that sitemap"
    if page.reason is ExclusionReason.NOT_WRITTEN and exists:
        yield "the file exists now; build the site again"
    if page.reason in HEAD_REASONS and (page.reason, page.detail) not in reasons:
        yield f"the reason {page.reason} no longer applies; build the site again"


def _describe(reason: ExclusionReason, detail: str) -> str:
    return f"{reason.meaning} ({detail})"
