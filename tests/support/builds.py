"""Builds of the core through its public API."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from docs_sitemap import (
    BuildResult,
    History,
    Lastmod,
    Options,
    Page,
    Site,
    Source,
    SourceRole,
    build_sitemap,
    read_options,
)

if TYPE_CHECKING:
    from docs_sitemap.git.history_types import FileDate

BASE_URL = "https://example.org/docs/"


def build_site(
    pages: Iterable[Page], options: Options, out: str | Path, **details: Any
) -> BuildResult:
    """Build the sitemap of a site. The details are attributes of `Site`."""
    return build_sitemap(Site(pages=pages, options=options, out_dir=out, **details))


def as_sources(*paths: str | Path, **details: Any) -> tuple[Source, ...]:
    """Return the sources of a page with these files: its own file, and files that it
    includes.
    """
    roles = [SourceRole.DOCUMENT, *[SourceRole.PART] * len(paths)]
    return tuple(
        Source(str(path), role, **details)
        for path, role in zip(paths, roles, strict=False)
    )


def build(out: Path, *pages: Page, **options: Any) -> BuildResult:
    """Build the sitemap of some pages, without dates from git."""
    values: dict[str, Any] = {"base_url": BASE_URL, "lastmod": False} | options
    return build_site(pages, read_options(values), out)


def paths(report: BuildResult) -> list[str]:
    """Return the listed URLs relative to the base URL."""
    return [entry.url.loc.removeprefix(BASE_URL) for entry in report.listed]


def build_dates(
    *pages: Page, history: History | None = None, **options: Any
) -> BuildResult:
    """Build a sitemap with dates from git, in a temporary folder."""
    values: dict[str, Any] = {"base_url": BASE_URL} | options
    with TemporaryDirectory() as out:
        return build_site(pages, read_options(values), out, history=history)


def find_dates(
    *files: Path | str, history: History | None = None, **options: Any
) -> tuple[list[FileDate], list[str]]:
    """Return the date of each file, with messages. Each is the source of a page."""
    sources = [as_sources(file) for file in files]
    pages = [
        Page(url=f"{number:04}/", name=str(number), sources=sources[number])
        for number in range(len(files))
    ]
    report = build_dates(*pages, history=history or History(), **options)
    dates = [date for entry in report.listed for date in entry.dates.values()]
    return dates, [one.message for one in report.diagnostics]


def find_lastmod(
    *sources: Path, **options: Any
) -> tuple[Lastmod, str | None, list[str]]:
    """Return the date of a page with these sources: as a value, as text, and with
    messages.
    """
    page = Page(url="a", name="a.md", sources=as_sources(*sources))
    report = build_dates(page, **options)
    (entry,) = report.listed
    return entry.lastmod, entry.url.lastmod, [one.message for one in report.diagnostics]
