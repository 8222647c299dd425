"""The result of a build, its summary in the log, and its saved report.

The saved report is JSON for the command `docs-sitemap`. Every build saves its report
under a name that depends on the folder of the site, and also in the file that the
option `report` names. All paths in a report are relative, so a report can be moved or
published.
"""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

import msgspec

from .config.options import OPTION_NAMES, OptionNames, names_for
from .diagnostics import (
    BuildCode,
    DateStatus,
    Described,
    Diagnostic,
    Diagnostics,
    ExclusionReason,
)
from .entry import Entry
from .git.history_types import FileDate
from .page import Source, SourceRule
from .shown import ShownKind
from .sitemap.protocol import MAX_BYTES
from .sitemap.urls import BaseUrl, parse_base_url
from .tools.cache_folder import report_path
from .tools.files import (
    StrPath,
    check_parents,
    describe_write_error,
    is_path,
    read_regular,
    relative_path,
)
from .tools.json_store import FilePath, JsonStore
from .tools.printing import count, printable

if TYPE_CHECKING:
    from .site import Site


class BuildResult(NamedTuple):
    """The result of a build. Each page is either in `listed` or in `excluded`.

    Attributes:
        listed: The pages in the sitemap, in its order.
        excluded: The other pages, sorted by name.
        files: The absolute paths of the files of the sitemap, `filename` first. Empty
            if no sitemap was written.
        diagnostics: The warnings and notices, in the order of the steps of the build.
        names: How the texts name options.
    """

    listed: tuple[Entry, ...] = ()
    excluded: tuple[Entry, ...] = ()
    files: tuple[Path, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    names: OptionNames = OPTION_NAMES

    @property
    def summary(self) -> str:
        """One line for the log: the numbers of listed, dated, and excluded pages."""
        if not self.files:
            return "no sitemap was written"
        undated = []
        for entry in self.listed:
            if entry.url.lastmod is None:
                undated.append(entry.lastmod.status)
        reasons = [entry.reason for entry in self.excluded if entry.reason]
        text = f"{self.files[0].name}: {count(len(self.listed), 'URL')}"
        text += f", {len(self.listed) - len(undated):,} with lastmod"
        if undated:
            causes = describe_causes(undated, self.names)
            text += f", {len(undated):,} without lastmod{causes}"
        text += f", {count(len(self.excluded), 'page')} left out"
        return text + describe_causes(reasons, self.names)

    @property
    def details(self) -> Iterator[str]:
        """A line for each page: its date, or why it is excluded."""
        for entry in self.listed:
            date = entry.url.lastmod or "no date"
            line = f"{entry.loc} ({entry.page.name}): {date}: {entry.lastmod}"
            if entry.ran_code:
                line += f"; {describe_code(entry.ran_code, self.names)}"
            yield printable(line)
        for entry in self.excluded:
            line = f"excluded: {entry.page.name}: "
            if entry.reason is not None:
                line += self.names.describe(entry.reason)
            if entry.detail:
                line += f" ({entry.detail})"
            yield printable(line)


def describe_code(ran_code: Sequence[str], names: OptionNames) -> str:
    """Return what to do about the files that the code of a page read."""
    return (
        f"{' and '.join(ran_code)} ran code for this page: if the code read other "
        f"files, add them to {names['dependencies']}"
    )


def describe_causes(causes: Sequence[Described], names: OptionNames) -> str:
    """Return what the causes mean, the most common first, with the number of pages of
    each.
    """
    counts = Counter(map(names.describe, causes))
    if not counts:
        return ""
    texts = [f"{number:,}: {meaning}" for meaning, number in counts.most_common()]
    return f" ({'; '.join(texts if len(texts) > 1 else counts)})"


# Increase this number whenever the meaning of a field changes.
_VERSION = 3

# The reports of builds into temporary folders would accumulate.
_MAX_REPORTS = 100


class SavedSource(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A source file of a page. Values that are `null` or have their default are
    omitted.

    Attributes:
        path: The file relative to the folder of the project.
        shows: What the page shows of the file: `file` for all of it, `python` for
            objects of a module, `lines` for some lines, `messages` for translations, or
            `text` for the text of a document. Other changes have no effect.
        parts: The objects of the module that the page shows.
        date: The date of what the page shows, from git; `None` if git was not asked for
            it.
    """

    path: str
    shows: ShownKind = ShownKind.FILE
    parts: tuple[str, ...] = ()
    date: FileDate | None = None


class SavedPage(msgspec.Struct, kw_only=True, omit_defaults=True, gc=False):
    """What a build did with one page. Values that are `null` or empty are omitted in
    the file.

    Attributes:
        name: The name of the page in messages and patterns: the path of its source file
            relative to the source folder, or another name that its author knows.
        url: The URL relative to the base URL.
        loc: The absolute URL in the sitemap; `None` if the page is excluded.
        output: The HTML file relative to the folder of the site, with `/` as separator.
        document: The page's own source file relative to the folder of the project.
        sources: The source files, with their dates if git was asked for them.
        reason: Why the page is excluded; `None` if it is listed.
        detail: The detail of the reason: a pattern, a file, a URL, or what the page
            declares. For a listed page, why its sources are unknown, or why there are
            none.
        lastmod: The date in the sitemap; `None` if there is none.
        date_status: Where the date comes from, or why it is unknown; `None` for
            excluded pages.
        commit: The hash of the commit, if the date comes from one.
        source: The source file with the newest commit, relative to the folder of the
            project.
        ran_code: The plugins, directives, or hooks that ran code for the page, if the
            date depends on files that this code read.
        found_by: The rule that found the sources, if only the built site is known.
        shared_words: The share of the words of the source that are on the page, if only
            they show that it is the source.
    """

    name: str
    url: str
    loc: str | None = None
    output: FilePath | None = None
    document: str | None = None
    sources: tuple[SavedSource, ...] = ()
    reason: ExclusionReason | None = None
    detail: str = ""
    lastmod: str | None = None
    date_status: DateStatus | None = None
    commit: str | None = None
    source: str | None = None
    ran_code: tuple[str, ...] = ()
    found_by: SourceRule | None = None
    shared_words: float | None = None


class SavedReport(msgspec.Struct, frozen=True, kw_only=True):
    """The report of a build.

    Attributes:
        base_url: The URL that the URLs of all pages start with.
        project: The folder of the project relative to the folder of the site.
        files: The files of the sitemap relative to the folder of the site, the sitemap
            itself first; empty if none was written.
        sha256: The SHA-256 digest of the first of these files, in hexadecimal; `None`
            if there is none.
        pages: The pages, the listed ones first.
        generator: `sphinx` if options and page settings have the names and forms of
            Sphinx, `any` if `docs-sitemap generate` wrote the sitemap, and `None`
            otherwise.
        is_address_chosen: Whether the user has set the address in an option of
            docs-sitemap, so that the file `CNAME` cannot contradict it.
        option_files: The file that sets each option, or `command line`, if the options
            come from several places.
    """

    base_url: BaseUrl
    project: FilePath = "."
    files: tuple[FilePath, ...] = ()
    sha256: str | None = None
    pages: tuple[SavedPage, ...] = ()
    generator: Literal["sphinx", "any"] | None = None
    is_address_chosen: bool = False
    option_files: dict[str, str] = msgspec.field(default_factory=dict)

    def __post_init__(self) -> None:
        if parse_base_url(self.base_url) != self.base_url:
            raise ValueError("base_url is not encoded, or has no trailing slash")

    @property
    def names(self) -> OptionNames:
        """The names of options in messages."""
        return names_for(self.generator)


def write_reports(result: BuildResult, site: Site, diagnostics: Diagnostics) -> None:
    """Save the report of a build for the command, and in the file of the option
    `report`. A warning says if this file cannot be written.
    """
    path = site.options.report
    if path is False:
        return
    saved = make_saved_report(result, site)
    save_report(saved, site.out_dir, site.root)
    if path is not None:
        try:
            check_parents(path, os.fspath(site.root))
            write_report(saved, path)
        except OSError as error:
            message = f"the report cannot be written: {describe_write_error(error)}"
            diagnostics.warn(BuildCode.WRITE, message)


def save_report(report: SavedReport, out_dir: StrPath, project: StrPath) -> None:
    """Save a report for the command, if there is a folder for it, and remove the oldest
    reports.
    """
    path = report_path(out_dir, project)
    if path is None:
        return
    with suppress(OSError):  # The command works without a report, but explains less.
        write_report(report, path)
        by_age = sorted(
            path.parent.glob("*.json"), key=lambda file: file.lstat().st_mtime
        )
        for old in by_age[:-_MAX_REPORTS]:
            old.unlink(missing_ok=True)


def write_report(report: SavedReport, path: StrPath) -> None:
    """Write a report as JSON. Equal reports give equal bytes.

    Raises:
        OSError: The file cannot be written; the old one is unchanged.
    """
    JsonStore(path, SavedReport, version=_VERSION).save(report)


def read_report(path: StrPath) -> SavedReport:
    """Read a report. Unknown keys are ignored.

    Raises:
        StoreError: The file cannot be read, or is not a valid report.
    """
    return JsonStore(path, SavedReport, version=_VERSION).read()


def make_saved_report(result: BuildResult, site: Site) -> SavedReport:
    """Return the part of a result that is saved."""
    out_dir = os.fspath(site.out_dir)
    project = os.fspath(site.root)
    files = [relative_path(os.fspath(path), out_dir) for path in result.files]
    sha256 = None
    if files:
        with suppress(OSError):
            sha256 = hash_sitemap(read_regular(result.files[0], MAX_BYTES))
    pages = []
    for entry in result.listed + result.excluded:
        pages.append(_make_page(entry, out_dir, project))
    return SavedReport(
        base_url=site.base_url,
        project=relative_path(project, out_dir),
        files=tuple(files),
        sha256=sha256,
        pages=tuple(pages),
        generator=site.generator,
        is_address_chosen=site.is_address_chosen,
        option_files=dict(site.option_files),
    )


def _make_page(entry: Entry, out_dir: str, project: str) -> SavedPage:
    page = entry.page
    lastmod = entry.lastmod
    saved = SavedPage(
        name=page.name,
        url=page.url,
        reason=entry.reason,
        detail=entry.detail,
        lastmod=entry.url.lastmod,
        commit=lastmod.commit,
        found_by=page.found_by,
        shared_words=page.shared_words,
    )
    if page.output is not None and is_path(page.output):
        saved.output = relative_path(page.output, out_dir)
    if page.document is not None:
        saved.document = relative_path(page.document, project)
    if lastmod.source is not None:
        saved.source = relative_path(lastmod.source, project)
    sources = page.sources
    if entry.reason is None:
        saved.loc = entry.loc
        saved.date_status = lastmod.status
        saved.ran_code = entry.ran_code
        sources = entry.sources
    elif entry.reason is ExclusionReason.NOT_WRITTEN:
        saved.detail = relative_path(entry.detail, out_dir)
    saved_sources = []
    for source in sources or ():
        saved_sources.append(_make_source(source, entry, project))
    saved.sources = tuple(saved_sources)
    return saved


def _make_source(source: Source, entry: Entry, project: str) -> SavedSource:
    shown = source.shows
    parts: tuple[str, ...] = ()
    if shown.objects:
        parts = tuple(dict.fromkeys(item.name for item in shown.objects))
    path = relative_path(source.path, project)
    return SavedSource(path, shown.kind, parts, entry.dates.get(source))


def hash_sitemap(data: bytes) -> str:
    """Return the digest by which a report recognizes the sitemap of its build."""
    return hashlib.sha256(data).hexdigest()
