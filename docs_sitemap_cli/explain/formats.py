"""What `docs-sitemap explain` prints for people."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from docs_sitemap.diagnostics import DateStatus
from docs_sitemap.git.history_types import FileDate
from docs_sitemap.result import SavedPage, SavedReport, SavedSource
from docs_sitemap.shown import ShownKind
from docs_sitemap.sitemap.protocol import format_lastmod
from docs_sitemap.tools.printing import count
from docs_sitemap_cli.console import (
    MAX_NAMES,
    join_some,
    print_line,
    print_option_files,
)
from docs_sitemap_cli.published.find_report import explain_missing_report

from .pages import ExplainResult, Explanation

if TYPE_CHECKING:
    from docs_sitemap_cli.codes import ExplainedCode

# The number of characters of a commit name that people read.
_SHORT_NAME = 12

# The format of a day: `2026-05-31`.
_DAY_FORMAT = "%Y-%m-%d"

_UNPUBLISHED_REASONS = (
    "A source file is not a page if it is a draft, excluded, outside the source "
    "folder, or newer than the build."
)

_UNKNOWN_SOURCES = (
    "Without the report of the build, pages are known only by their URLs and HTML "
    "files, not by their source files."
)


def print_codes(codes: Sequence[ExplainedCode]) -> None:
    """Print what codes mean."""
    for code in codes:
        print_line((code.code, "bold"), f": {code.subject}")
        _print_labelled("means", code.meaning)
        _print_labelled("to fix it", code.fix)
        _print_labelled("manual", code.url)
        print_line()


def _print_labelled(label: str, text: str | None) -> None:
    if text:
        print_line("  ", (f"{label + ':':<12}", "dim"), text)


def print_text(
    results: Sequence[ExplainResult], site_dir: str, report: SavedReport | None
) -> None:
    """Print the results, each fact on a line with its label. If there is no report,
    the reason comes first.
    """
    if report is None:
        note = explain_missing_report(site_dir)
        if note is not None:
            print_line(f"Note: {note}", stderr=True)
    for result in results:
        for page in result.pages:
            print_line((page.url or page.page.name, "bold"))
            for label, text in _labelled_texts(page, site_dir, report is not None):
                _print_labelled(label, text)
            print_line()
        if not result.pages:
            print_line((_no_page(result, report is not None), "bold red"))
    if report is not None:
        print_option_files(report.option_files)


def _no_page(result: ExplainResult, has_report: bool) -> str:
    if result.source_of:
        pages = join_some(result.source_of)
        return f"{result.query} is not a page of its own, but a source of {pages}"
    text = f"There is no page {result.query}. "
    if result.similar is not None:
        text += f"Fix: use {result.similar}. "
    return text + (_UNPUBLISHED_REASONS if has_report else _UNKNOWN_SOURCES)


def _labelled_texts(
    explanation: Explanation, site_dir: str, has_report: bool
) -> Iterator[tuple[str, str | None]]:
    """Yield what is known about a page, each text with its label. Unknown texts are
    empty.
    """
    page = explanation.page
    head = explanation.head
    yield "listed", _listed_text(explanation, site_dir, has_report)
    yield "to list it", explanation.fix
    yield "lastmod", _lastmod_text(explanation)
    if page.commit is None:
        yield "undated", page.source
        yield "to date it", explanation.date_fix
    else:
        yield "commit", _commit_text(page)
        yield "dated by", page.source
        yield "note", explanation.date_fix
    yield "page", page.name if page.name != page.output else None
    yield "found by", _found_by_text(page)
    newest_first = sorted(page.sources, key=_date_order, reverse=True)
    for source in newest_first[:MAX_NAMES]:
        yield "source", _source_text(source)
    if len(newest_first) > MAX_NAMES:
        yield "source", f"and {len(newest_first) - MAX_NAMES:,} more"
    if page.output is not None:
        path = os.path.join(site_dir, page.output)
        yield "file", path if head is not None else f"{path}, which cannot be read"
    if head is not None:
        yield "title", head.title
        yield "meta", head.noindex
        yield "canonical", join_some(head.canonicals)


def _found_by_text(page: SavedPage) -> str | None:
    """Return which rule found the sources of a page."""
    if page.found_by is None:
        return None
    text = page.found_by.meaning
    if page.shared_words is not None:
        text += f": {page.shared_words:.0%} of {page.document} is on this page"
    return text


def _listed_text(explanation: Explanation, site_dir: str, has_report: bool) -> str:
    """Return whether a page is listed, and where, or why not."""
    page = explanation.page
    entry = explanation.sitemap
    if explanation.listed:
        return "yes" if entry is None else f"yes, {os.path.join(site_dir, entry)}"
    text = "no"
    if has_report and not explanation.is_built:
        text = "no, the page is not part of the build: "
        if page.document is None:
            text += "a plugin or an earlier build wrote it"
        else:
            text += f"it is a copy of {page.document}"
    if page.reason is not None:
        text += f", {page.reason}: {explanation.meaning}{_detail(page)}"
    return text


def _lastmod_text(explanation: Explanation) -> str | None:
    """Return the date of a page, and where it comes from."""
    page = explanation.page
    if page.date_status is None:
        return page.lastmod
    return (
        f"{page.lastmod or 'none'}, {page.date_status}: "
        f"{explanation.date_meaning}{_detail(page)}"
    )


def _detail(page: SavedPage) -> str:
    """Return the detail of a reason, without its fix, which has a line of its own."""
    detail, _, _ = page.detail.partition(". Fix: ")
    return f" ({detail})" if detail else ""


def _date_order(source: SavedSource) -> float:
    if source.date is None or source.date.date is None:
        return 0
    return source.date.date.timestamp()


def _commit_text(page: SavedPage) -> str:
    text = (page.commit or "")[:_SHORT_NAME]
    date = FileDate(DateStatus.COMMIT)
    for source in page.sources:
        if source.date is not None and source.date.hash == page.commit:
            date = source.date
    if date.committed is not None:
        verb = "added" if date.added else "changed"
        text = f"{verb} by {text} on {date.committed:{_DAY_FORMAT}}"
    if date.authored is not None and f"{date.authored:{_DAY_FORMAT}}" not in text:
        text += f", authored on {date.authored:{_DAY_FORMAT}}"
    if date.merge is not None and date.merged is not None:
        text += f", merged by {date.merge[:_SHORT_NAME]} on {date.merged:{_DAY_FORMAT}}"
    return text


def _source_text(source: SavedSource) -> str:
    path = source.path
    date = source.date
    if date is None:
        return path
    if date.hash is None or date.date is None:
        return f"{path}: {date.status.meaning}"
    text = f"{path}: {format_lastmod(date.date)}, commit {date.hash[:_SHORT_NAME]}"
    if date.merge is not None:
        text += f", merged by {date.merge[:_SHORT_NAME]}"
    text += _shown_text(source)
    if date.shown_keys:
        text += f"; shown front matter: {join_some(date.shown_keys)}"
    if date.skipped:
        text += f"; {count(date.skipped, 'newer commit')} skipped"
    if date.hidden_keys:
        text += f"; ignored front matter: {join_some(date.hidden_keys)}"
    return text


def _shown_text(source: SavedSource) -> str:
    """Return what a page shows of a source, if that is not all of it."""
    if source.shows is ShownKind.FILE:
        return ""
    text = f", {source.shows.meaning}"
    if source.parts:
        names = [name or "the complete module" for name in source.parts]
        text += f" ({join_some(names)})"
    return text
