"""Builds of the core through its public API."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from docs_sitemap import History, Lastmod, Options, Page, Report, build_sitemap

BASE_URL = "https://example.org/docs/"


def build(out: Path, *pages: Page, **options: Any) -> Report:
    """Build the sitemap of some pages, without dates from git."""
    values: dict[str, Any] = {"base_url": BASE_URL, "lastmod": False} | options
    return build_sitemap(pages, Options(**values), out, keep_report=False)


def paths(report: Report) -> list[str]:
    """Return the listed URLs relative to the base URL."""
    return [entry.url.loc.removeprefix(BASE_URL) for entry in report.listed]


def build_dates(*pages: Page, history: History | None = None, **options: Any) -> Report:
    """Build a sitemap with dates from git, in a temporary folder."""
    values: dict[str, Any] = {"base_url": BASE_URL} | options
    with TemporaryDirectory() as out:
        return build_sitemap(pages, Options(**values), out, history=history, keep_report=False)


def find_lastmod(*sources: Path, **options: Any) -> tuple[Lastmod, str | None, list[str]]:
    """Return the date of a page with these sources: as a value, as text, and with messages."""
    page = Page(url="a", name="a.md", sources=tuple(map(str, sources)))
    report = build_dates(page, **options)
    (entry,) = report.listed
    return entry.lastmod, entry.url.lastmod, [problem.message for problem in report.problems]
