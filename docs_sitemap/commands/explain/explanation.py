"""Explain why a page is in the sitemap or not, and where its date comes from.

The answer combines the report of the build with the current content of the built site.
"""

from __future__ import annotations

import difflib
import json
import os
import posixpath
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, partial
from glob import escape
from itertools import chain
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

from docs_sitemap.entry import HEAD_REASONS, ExclusionReason
from docs_sitemap.files import walk_html_files
from docs_sitemap.git import full_history_advice
from docs_sitemap.html import Head, read_head
from docs_sitemap.options import OPTIONS, use_sphinx_names
from docs_sitemap.patterns import NameIndex, PageNames, find_pages
from docs_sitemap.report import SavedPage, SavedReport
from docs_sitemap.result import DateStatus
from docs_sitemap.select import head_reasons
from docs_sitemap.site_folder import SiteFolder, is_error_page
from docs_sitemap.site_sitemaps import find_sitemaps, guess_base_url, open_url, read_all_entries
from docs_sitemap.sitemap.urls import BaseUrl, NormalizedUrl, normalize_url, page_url, strip_index
from docs_sitemap.text import shell_word

# A folder that contains this many source files of the build is the folder of the project.
_PROJECT_SAMPLE = 20

_MAX_SUGGESTIONS = 3

# The statuses of dates that need no advice.
_INTENDED_DATES = (
    None,
    DateStatus.COMMIT,
    DateStatus.COMPARISON_LIMIT,
    DateStatus.RECORD,
    DateStatus.BUILT_COMMIT,
    DateStatus.FRONT_MATTER,
    DateStatus.HOOK,
)

_HeadReason = tuple[ExclusionReason, str]


@dataclass(frozen=True, slots=True)
class SitemapEntry:
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
    sitemap: SitemapEntry | None = None
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
    site = _Site(folder, base_url, report, sitemaps)
    if queries is None:
        built = [page for page in site.pages if page.build is not None]
        return [ExplainResult(page.name, (_explain_page(page, site),)) for page in built]
    results = []
    for query in dict.fromkeys(queries):
        explanations = [_explain_page(page, site) for page in site.find(query)]
        is_absolute = "://" in query or base_url is None
        url = query if is_absolute else f"{base_url}{query.lstrip('/')}"
        entry = site.entry_with_url(url)
        if not explanations and entry is not None:
            url = normalize_url(url)
            explanations = [Explanation(name=query, url=url, listed=True, sitemap=entry)]
        if explanations:
            results.append(ExplainResult(query, tuple(explanations)))
            continue
        unpublished = None if report is None else site.find_unpublished(query)
        if unpublished is None:
            results.append(ExplainResult(query, (), site.suggest(query)))
        else:
            path, source_of = site.user_path(unpublished), site.pages_from(unpublished)
            results.append(ExplainResult(query, (), (), path, source_of))
    return results


class _KnownPage(NamedTuple):
    """A page of the build, or another HTML file of the site.

    Attributes:
        name: The name of the page in the build, or the file.
        url: The URL relative to the base URL.
        output: The HTML file relative to the folder of the site.
        build: The page in the report of the build.
    """

    name: str
    url: str
    output: str | None
    build: SavedPage | None = None

    @property
    def source(self) -> str | None:
        return self.build.sources[0] if self.build is not None and self.build.sources else None

    @property
    def source_folder(self) -> str:
        """The folder of the sources relative to the project; empty if it is unknown."""
        return PageNames(self.name, self.url, self.source).source_folder() or ""


class _Site:
    """The pages of a site, which can be found by several names.

    Attributes:
        folder: The folder of the site.
        base_url: Where the site is published, if that is known.
        in_sphinx: Whether Sphinx built the site.
        pages: The pages of the build, and the other HTML files in the folder.
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
        saved = report.pages if report is not None else ()
        self.pages = [_KnownPage(page.name, page.url, page.output, page) for page in saved]
        outputs = {page.output for page in saved}
        self.pages += [
            _KnownPage(file, page_url(file), file)
            for file in walk_html_files(folder.root)
            if file not in outputs
        ]
        self._sources = {page.source for page in self.pages if page.source is not None}
        names = (PageNames(page.name, page.url, page.source, page.output) for page in self.pages)
        self._index = NameIndex(names, base_url or "")
        self._entries: dict[NormalizedUrl, SitemapEntry] = {}
        for entry in read_all_entries(folder, sitemaps, base_url):
            found = SitemapEntry(entry.file, entry.line, entry.loc, entry.lastmod)
            self._entries.setdefault(normalize_url(entry.loc), found)

    def find(self, query: str) -> list[_KnownPage]:
        """Return the pages that a query names."""
        for spelling in self._spellings(query):
            (numbers,) = find_pages(escape(spelling), self._index)
            if numbers:
                return [self.pages[number] for number in numbers]
        return []

    def entry_with_url(self, url: str | None) -> SitemapEntry | None:
        return None if url is None else self._entries.get(normalize_url(url))

    def entry_opening(self, file: str | None) -> SitemapEntry | None:
        return None if file is None else self._entries_by_file.get(file)

    @cached_property
    def _entries_by_file(self) -> dict[str | None, SitemapEntry]:
        first_wins = reversed(self._entries.items())
        return {open_url(self.folder, self.base_url, url): entry for url, entry in first_wins}

    def suggest(self, query: str) -> tuple[str, ...]:
        """Return names that are similar to a query."""
        path = self._below_base_url(query)
        names = {_last_part(page.name): page.name for page in self.pages}
        names |= {page.url: page.name for page in self.pages}
        names |= {page.name: page.name for page in self.pages}
        # Some of the matches may be the URL and the name of one page.
        similar = difflib.get_close_matches(
            query if path is None else path, names, n=2 * _MAX_SUGGESTIONS
        )
        return tuple(dict.fromkeys(names[name] for name in similar))[:_MAX_SUGGESTIONS]

    @cached_property
    def project(self) -> Path:
        """The folder that contains the source files of the build; the current folder if it is
        unknown. A report does not name the folder, which is above the current folder or the site,
        or up to two levels below the current folder.
        """
        current = Path.cwd()
        above = (current, *current.parents, *Path(self.folder.root).parents)
        for folder in chain(above, current.glob("*/"), current.glob("*/*/")):
            if self._sources and self._contains_sources(folder):
                return folder
        return current

    def user_path(self, source: str) -> str:
        """Return the path of a source file relative to the current folder."""
        path = self.project / source
        with suppress(ValueError):  # on another drive
            return os.path.relpath(path)
        return os.fspath(path)

    def find_unpublished(self, query: str) -> str | None:
        """Return a file that a query names, although no page has this name, relative to the folder
        of the project.
        """
        path = self._below_base_url(query) if "://" in query else query
        if path is None:
            return None
        stem = strip_index(path).strip("/").removesuffix(".html")
        ends = [f"{end}{suffix}" for end in ("", "/index") for suffix in self._suffixes]
        names = [path, *(f"{stem}{end}" for end in ends)]
        folders = sorted({"", *(page.source_folder for page in self.pages)})
        for folder in (Path(), *(self.project / folder for folder in folders)):
            for name in names:
                file = Path(os.path.abspath(os.path.join(folder, name)))
                if not file.is_relative_to(self.project) or not os.path.isfile(file):
                    continue
                source = file.relative_to(self.project).as_posix()
                if source not in self._sources and not self._is_in_site(file):
                    return source
        return None

    def pages_from(self, source: str) -> tuple[str, ...]:
        """Return the names of the pages that have a source file."""
        builds = (page.build for page in self.pages)
        return tuple(
            build.name for build in builds if build is not None and source in build.sources
        )

    @cached_property
    def _suffixes(self) -> list[str]:
        """The suffixes of source files."""
        return sorted({os.path.splitext(source)[1] for source in self._sources})

    def _is_in_site(self, file: Path) -> bool:
        return Path(os.path.realpath(file)).is_relative_to(self.folder.root)

    def _spellings(self, query: str) -> Iterator[str]:
        """Yield the possible meanings of a query, the most likely first."""
        if "://" in query:
            path = self._below_base_url(query)
            if path is not None:
                yield path
            return
        yield query
        for resolve in (os.path.abspath, os.path.realpath):
            # The file is not in the folder, or cannot exist.
            with suppress(ValueError, RecursionError):
                path = Path(resolve(query)).relative_to(resolve(self.folder.path)).as_posix()
                yield "" if path == "." else path
        for suffix in ("", *self._suffixes):
            yield from self._as_source(Path(os.path.abspath(f"{query}{suffix}")))

    def _below_base_url(self, query: str) -> str | None:
        """Return the path of an absolute URL below the base URL."""
        if self.base_url is None:
            return None
        url, base = normalize_url(query), normalize_url(self.base_url)
        if f"{url}/" == base:
            return ""
        return unquote(url.removeprefix(base)) if url.startswith(base) else None

    def _as_source(self, file: Path) -> Iterator[str]:
        """Yield a source file relative to the folder of the project, which is the one that also
        contains the other source files.
        """
        if not os.path.isfile(file):
            return
        for folder in file.parents:
            source = file.relative_to(folder).as_posix()
            if source in self._sources and self._contains_sources(folder):
                yield source

    def _contains_sources(self, folder: Path) -> bool:
        return all(os.path.isfile(folder / source) for source in self._sample)

    @cached_property
    def _sample(self) -> list[str]:
        return sorted(self._sources)[:_PROJECT_SAMPLE]


def _last_part(name: str) -> str:
    """Return the name of a page without its folder and suffix."""
    return posixpath.splitext(posixpath.basename(name))[0]


def _explain_page(page: _KnownPage, site: _Site) -> Explanation:
    build = page.build
    url = None if site.base_url is None else f"{site.base_url}{page.url}"
    # The build may have had another base URL.
    entry = site.entry_with_url(url if build is None or build.loc is None else build.loc)
    if build is None and entry is None:
        # Only the build knows the URL of a file for certain: /guide may be guide.html.
        entry = site.entry_opening(page.output)
        url = url if entry is None else normalize_url(entry.loc)
    listed = entry is not None if build is None else build.loc is not None
    head, exists = None, False
    if page.output is not None and site.folder.contains(page.output):
        exists = site.folder.exists(page.output)
        with suppress(OSError):
            head = read_head(os.path.join(site.folder.root, page.output))
    reasons = [] if head is None or url is None else [*head_reasons(head, url)]
    if build is None:
        notes = [_describe(*reason) for reason in reasons]
    elif listed:
        notes = [*_notes_if_listed(build, entry, exists, reasons)]
    else:
        notes = [*_notes_if_excluded(build, entry, exists, reasons)]
    return Explanation(
        name=page.name,
        url=url,
        listed=listed,
        meaning=_meaning(None if build is None else build.reason, site),
        date_meaning=_meaning(None if build is None else build.date_status, site),
        fix=None if listed else _fix(page, reasons, in_sphinx=site.in_sphinx),
        date_fix=_date_fix(page, site) if listed else None,
        build=build,
        output=page.output,
        exists=exists,
        head=head,
        sitemap=entry,
        notes=tuple(notes),
    )


def _meaning(slug: ExclusionReason | DateStatus | None, site: _Site) -> str | None:
    if slug is None:
        return None
    return use_sphinx_names(slug.meaning) if site.in_sphinx else slug.meaning


def _notes_if_listed(
    page: SavedPage, entry: SitemapEntry | None, exists: bool, reasons: Sequence[_HeadReason]
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
    page: SavedPage, entry: SitemapEntry | None, exists: bool, reasons: Sequence[_HeadReason]
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


def _fix(page: _KnownPage, declared: Sequence[_HeadReason], *, in_sphinx: bool) -> str:
    reason = None if page.build is None else page.build.reason
    all_reasons = (reason, *(declared_reason for declared_reason, _ in declared))
    if ExclusionReason.REDIRECT in all_reasons:
        return "do not list it: search engines drop redirects from sitemaps; list the target"
    if is_error_page(page.output or page.url):
        return "do not list it: error pages do not belong in search results"
    if ExclusionReason.COVERAGE_REPORT in all_reasons:
        return "do not list it: coverage reports do not belong in search results"
    pattern = json.dumps([escape(page.name)], ensure_ascii=False)
    if in_sphinx:
        include = f"add it to sitemap_include in conf.py: sitemap_include = {pattern}"
        ignore = f'sitemap_ignore_reasons = ["{reason}"]'
    else:
        include = f"add it to the option `include`: include: {pattern}"
        ignore = f"ignore_reasons: [{reason}]"
    ignore = f"ignore the reason for all pages: {ignore}"
    # Fields in reStructuredText start with a colon, the front matter of Markdown does not.
    setting = ":sitemap:" if in_sphinx and not page.name.endswith(".md") else "sitemap:"
    if page.build is None:
        return f"{include}; if an earlier build wrote it, clean the output folder instead"
    if reason is ExclusionReason.INVALID_URL:
        return "rename the page"
    if reason is ExclusionReason.DUPLICATE_URL:
        return "give one of the two pages another URL"
    if reason is ExclusionReason.HOOK:
        return "change the hook for entries"
    if reason is ExclusionReason.TEMPLATE:
        return "change the custom template"
    if reason is ExclusionReason.NOT_WRITTEN:
        return f"change the build so that it writes the page, or {ignore}"
    if reason is ExclusionReason.FRONT_MATTER:
        return (
            f"remove `{setting} false` from the front matter or metadata of the page, or {ignore}"
        )
    if page.source is None:
        return f"{include}, or {ignore}"
    return f"set `{setting} true` in the page, {include}, or {ignore}"


def _date_fix(page: _KnownPage, site: _Site) -> str | None:
    """Return how to date a page, even if a fallback has dated it."""
    build = page.build
    if build is None or build.date_status in _INTENDED_DATES:
        return None
    in_page = "set `lastmod` below `sitemap` in the front matter of the page"
    if page.source is not None and page.source.endswith(".rst"):
        in_page = "add the field `:sitemap-lastmod:` with a date to the top of the page"
    file = shell_word(site.user_path(build.source)) if build.source is not None else "FILE"
    option = partial(_option, in_sphinx=site.in_sphinx)
    if_generated = (
        "if the file is generated, name the files that it is generated from in the option "
        f"{option('dependencies')}"
    )
    fixes = {
        DateStatus.DISABLED: f"set the option {option('lastmod')} to true",
        DateStatus.NO_SOURCE: "name the files from which the page is generated in the option "
        f"{option('dependencies')}",
        DateStatus.UNKNOWN_SOURCES: f"build the site without --dirty, or {in_page}",
        DateStatus.UNTRACKED: f"commit the file: git add {file} && git commit; or {if_generated}",
        DateStatus.IGNORED: f"{if_generated}; if it is not generated, commit it: git add --force "
        f"{file} && git commit",
        DateStatus.SHALLOW: f"{full_history_advice(os.environ)}, or set the option "
        f"{option('shallow')} to `fetch`",
        DateStatus.NO_REPOSITORY: "build from a clone of the git repository, or name the "
        f"repository in the option {option('repository')}",
        DateStatus.INVALID_DATE: in_page,
        DateStatus.GIT_FAILED: "build the site again, and follow the warning about git",
    }
    return fixes[build.date_status]


def _option(name: str, *, in_sphinx: bool) -> str:
    """Return the name of an option in the generator that built the site."""
    (option,) = (option for option in OPTIONS if option.name == name)
    return f"`{option.sphinx if in_sphinx else option.mkdocs}`"
