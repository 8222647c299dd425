"""What `docs-sitemap explain` prints for people."""

import os
from collections.abc import Iterator, Sequence

from docs_sitemap.commands.console import print_line
from docs_sitemap.commands.explain.pages import ExplainResult, Explanation
from docs_sitemap.date_status import NOT_IN_GIT
from docs_sitemap.printing import count, join_some, shell_word
from docs_sitemap.report import SavedPage, SavedSource
from docs_sitemap.shown import ShownKind

# A line names this many files or URLs.
_MAX_NAMES = 5

# The number of characters of a commit name that people read.
_SHORT_NAME = 12

# The number of characters of a day: `2026-05-31`.
_DAY = 10

_NO_REPORT = (
    "Note: without the report of the build, reasons and sources are unknown. Fix: build the site "
    "(with site_url in MkDocs, html_baseurl in Sphinx) or run docs-sitemap generate on this "
    "machine, or pass the saved report: --report FILE"
)

_UNPUBLISHED_REASONS = (
    "A source file is not a page if it is a draft, excluded, outside the source folder, or newer "
    "than the build."
)


def print_text(results: Sequence[ExplainResult], site_dir: str, *, has_report: bool) -> None:
    """Print the results, each fact on a line with its label."""
    for result in results:
        for page in result.pages:
            print_line((page.url, "bold"))
            for label, text in _labelled_texts(page, site_dir):
                if text:
                    print_line("  ", (f"{label + ':':<12}", "dim"), text)
            print_line()
        if not result.pages:
            print_line((_no_page(result), "bold red"))
    if not has_report:
        print_line(_NO_REPORT, stderr=True)


def _no_page(result: ExplainResult) -> str:
    if result.source_of:
        pages = join_some(result.source_of, _MAX_NAMES)
        return f"{result.query} is not a page of its own, but a source of {pages}"
    similar = " or ".join(map(shell_word, result.suggestions))
    hint = f" Did you mean {similar}?" if similar else ""
    return f"There is no page {result.query}.{hint} {_UNPUBLISHED_REASONS}"


def _labelled_texts(explanation: Explanation, site_dir: str) -> Iterator[tuple[str, str | None]]:
    """Yield what is known about a page, each text with its label. Unknown texts are empty."""
    page, head = explanation.page, explanation.head
    detail = f" ({page.detail})" if page.detail else ""
    if explanation.listed:
        entry = explanation.sitemap
        yield "listed", "yes" if entry is None else f"yes, {os.path.join(site_dir, entry)}"
    else:
        unbuilt = "" if explanation.is_built else ", the page is not part of the build"
        reason = f", {page.reason}: {explanation.meaning}{detail}" if page.reason else ""
        yield "listed", f"no{unbuilt}{reason}"
    yield "to list it", explanation.fix
    if page.date_status is None:
        yield "lastmod", page.lastmod
    else:
        fallback = f", lastmod_fallback: {page.fallback}" if page.fallback is not None else ""
        status = f"{page.date_status}: {explanation.date_meaning}{detail}"
        yield "lastmod", f"{page.lastmod or 'none'}{fallback}, {status}"
    if page.commit is not None:
        yield "commit", _commit_text(page)
    yield "dated by" if page.commit is not None else "undated", page.source
    yield "to date it" if page.commit is None else "note", explanation.date_fix
    yield "page", page.name if page.name != page.output else None
    yield "found by", None if page.found_by is None else page.found_by.meaning
    newest_first = sorted(page.sources, key=lambda source: source.date or "", reverse=True)
    for source in newest_first[:_MAX_NAMES]:
        yield "source", _source_text(source, explanation)
    if len(newest_first) > _MAX_NAMES:
        yield "source", f"and {len(newest_first) - _MAX_NAMES:,} more"
    if page.output is not None:
        fault = "" if head is not None else ", which cannot be read"
        yield "file", f"{os.path.join(site_dir, page.output)}{fault}"
    if head is not None:
        yield "title", head.title
        yield "meta", head.noindex
        yield "canonical", join_some(head.canonicals, _MAX_NAMES)


def _commit_text(page: SavedPage) -> str:
    dating = (one for one in page.sources if (one.path, one.commit) == (page.source, page.commit))
    source = next(dating, SavedSource(path=""))
    text = (page.commit or "")[:_SHORT_NAME]
    if source.committed is not None:
        text = f"changed by {text} on {source.committed[:_DAY]}"
    if page.authored is not None and page.authored[:_DAY] not in text:
        text += f", authored on {page.authored[:_DAY]}"
    if source.merge is not None and source.merged is not None:
        text += f", merged by {source.merge[:_SHORT_NAME]} on {source.merged[:_DAY]}"
    return text


def _source_text(source: SavedSource, explanation: Explanation) -> str:
    target = explanation.links.get(source.path)
    path = source.path if target is None else f"{source.path} -> {target}"
    if source.status is None:
        return path
    if source.commit is None or source.date is None:
        is_ignored = explanation.page.commit is not None and source.status in NOT_IN_GIT
        return f"{path}: {'ignored, it is not in git' if is_ignored else source.status.meaning}"
    text = f"{path}: {source.date}, commit {source.commit[:_SHORT_NAME]}"
    if source.merge is not None:
        text += f", merged by {source.merge[:_SHORT_NAME]}"
    if source.shows is not ShownKind.FILE:
        names = [one.removesuffix("?").removesuffix("()") for one in source.parts]
        parts = join_some([name or "the complete module" for name in names], _MAX_NAMES)
        text += f", {source.shows.meaning}{f' ({parts})' if parts else ''}"
    if source.newest_skipped is not None:
        reason = f"it changed {source.shows.other_changes}"
        if source.is_newest_ignored:
            reason = "it is ignored"
        newer = f"{count(source.skipped, 'newer commit')} skipped"
        text += f"; {newer}, the newest is {source.newest_skipped[:_SHORT_NAME]}: {reason}"
    return text
