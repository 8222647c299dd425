"""What `docs-sitemap explain` prints for people."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from docs_sitemap.commands.console import LinePrinter
from docs_sitemap.commands.explain.pages import ExplainResult, Explanation
from docs_sitemap.report import SavedPage, SavedSource
from docs_sitemap.shown import ShownKind
from docs_sitemap.text import count, join_some, shell_word

# A line names this many files or URLs.
_MAX_NAMES = 5

# The number of characters of a commit name that people read.
_SHORT_NAME = 12

_NO_REPORT = (
    "Note: there is no report of the build, so the reasons for exclusions and the sources of dates "
    "are unknown. Fix: build the site on this machine, or pass the file that the option `report` "
    "names: --report FILE"
)

_UNPUBLISHED_REASONS = (
    "it may be a draft (draft_docs in MkDocs), be excluded (exclude_docs in MkDocs, "
    "exclude_patterns in Sphinx), be outside the folder of the documentation, be only a part of "
    "other pages, or be newer than the build"
)


def print_text(results: Sequence[ExplainResult], site_dir: str, has_report: bool) -> None:
    """Print the results, each fact on a line with its label."""
    printer = LinePrinter()
    for result in results:
        for page in result.pages:
            printer.line((page.url or page.name, "bold"))
            for label, text in _labelled_texts(page, site_dir, has_report):
                if text:
                    printer.line("  ", (f"{label + ':':<12}", "dim"), text)
            printer.line()
        if not result.pages:
            printer.line((_no_page(result), "bold red"))
    if not has_report:
        LinePrinter(stderr=True).line(_NO_REPORT)


def _no_page(result: ExplainResult) -> str:
    if result.source_of:
        pages = join_some(result.source_of, _MAX_NAMES)
        return f"{result.unpublished} is not a page of its own, but a source of {pages}"
    if result.unpublished is not None:
        return f"The build did not publish {shell_word(result.unpublished)}: {_UNPUBLISHED_REASONS}"
    similar = " or ".join(map(shell_word, result.suggestions))
    hint = f"; did you mean {similar}?" if similar else ""
    return f"There is no page {result.query}{hint}"


def _labelled_texts(
    page: Explanation, site_dir: str, has_report: bool
) -> Iterator[tuple[str, str | None]]:
    """Yield what is known about a page, each text with its label. Unknown texts are empty."""
    yield "listed", _listed_text(page, site_dir, has_report)
    yield "to list it", page.fix if has_report else None
    if page.build is not None:
        yield from _build_texts(page.build, page.date_meaning)
        yield "to date it", page.date_fix
    elif page.sitemap is not None:
        yield "lastmod", page.sitemap.lastmod
    if page.output is not None:
        fault = "" if page.head is not None else ", which cannot be read"
        fault = fault if page.exists else ", which does not exist"
        yield "file", f"{os.path.join(site_dir, page.output)}{fault}"
    if page.head is not None:
        yield "title", page.head.title
        yield "meta", page.head.noindex
        yield "refresh", page.head.refresh
        yield "canonical", join_some(page.head.canonicals, _MAX_NAMES)
    for note in page.notes:
        yield "note", note


def _listed_text(page: Explanation, site_dir: str, has_report: bool) -> str:
    if page.listed:
        if page.sitemap is None:
            return "yes"
        return f"yes, {os.path.join(site_dir, page.sitemap.file)}:{page.sitemap.line}"
    if page.build is not None and page.build.reason is not None:
        detail = f" ({page.build.detail})" if page.build.detail else ""
        return f"no, {page.build.reason}: {page.meaning}{detail}"
    return "no, the page is not part of the build" if has_report else "no"


def _build_texts(page: SavedPage, date_meaning: str | None) -> Iterator[tuple[str, str | None]]:
    if page.date_status is not None:
        date = page.lastmod or "none"
        fallback = f", lastmod_fallback: {page.fallback}" if page.fallback is not None else ""
        yield "lastmod", f"{date}{fallback}, {page.date_status}: {date_meaning}"
    if page.commit is not None:
        authored = f", authored {page.authored}" if page.authored is not None else ""
        yield "commit", f"{page.commit}{authored}"
    yield "dated by" if page.commit is not None else "undated by", page.source
    yield "page", page.name if page.name != page.output else None
    newest_first = sorted(page.sources, key=lambda source: source.date or "", reverse=True)
    for source in newest_first[:_MAX_NAMES]:
        yield "source", _source_text(source)
    if len(newest_first) > _MAX_NAMES:
        yield "source", f"and {len(newest_first) - _MAX_NAMES:,} more"


def _source_text(source: SavedSource) -> str:
    if source.status is None:
        return source.path
    if source.commit is None:
        return f"{source.path}: {source.status.meaning}"
    text = f"{source.path}: {source.date}, commit {source.commit[:_SHORT_NAME]}"
    if source.shows is not ShownKind.FILE:
        parts = f" ({join_some(source.parts, _MAX_NAMES)})" if source.parts else ""
        text += f", {source.shows.meaning}{parts}"
    if source.newest_skipped is not None:
        reason = f"it changed {source.shows.other_changes}"
        if source.is_newest_ignored:
            reason = "it is ignored"
        newer = f"{count(source.skipped, 'newer commit')} skipped"
        text += f"; {newer}, the newest is {source.newest_skipped[:_SHORT_NAME]}: {reason}"
    return text
