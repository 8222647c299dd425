"""`docs-sitemap explain`."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict
from typing import Any

import click

from docs_sitemap.check.findings import some
from docs_sitemap.cli.output import Output, print_json
from docs_sitemap.cli.site import base_url_option, find_report, report_option
from docs_sitemap.explain import Answer, Explanation
from docs_sitemap.explain import explain as explain_pages
from docs_sitemap.head import Head
from docs_sitemap.model import LastmodState
from docs_sitemap.report import KeptPage

# Of what a page is made from, a line names so many.
_SHOWN = 5

_NO_REPORT = (
    "There is no report of the build, which says why, and where dates are from: build the site "
    "with docs-sitemap on this machine, or name the file that the option report wrote: "
    "--report FILE"
)


@click.command(
    short_help="Explain why pages are listed or not, and their dates.",
    epilog="""\b
Examples:
  docs-sitemap explain site guide/setup.md
  docs-sitemap explain site https://example.org/docs/guide/ /docs/about/
  docs-sitemap explain --report report.json --format json site index.md

\b
Exit codes: 0 all are explained, 1 there is no such page, 2 wrong use.""",
)
@click.argument("site_dir", metavar="SITE_DIR", type=click.Path(exists=True, file_okay=False))
@click.argument("pages", metavar="URL|PAGE...", nargs=-1, required=True)
@base_url_option
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="For people, or for programs.",
)
@report_option
@click.pass_context
def explain(
    ctx: click.Context,
    site_dir: str,
    pages: tuple[str, ...],
    base_url: str | None,
    form: str,
    report: str | None,
) -> None:
    """Explain why pages are in the sitemap or not, and where their dates are from.

    A page is named by its URL, or the path of it, by its source file, or by its file in SITE_DIR.
    """
    kept = find_report(site_dir, report, even_stale=True)
    answers = explain_pages(site_dir, pages, report=kept, base_url=base_url)
    if form == "json":
        print_json(
            {"has_report": kept is not None, "answers": [_content(answer) for answer in answers]}
        )
    else:
        _print_text(answers, site_dir, has_report=kept is not None)
    ctx.exit(0 if all(answer.pages for answer in answers) else 1)


def _print_text(answers: Sequence[Answer], site_dir: str, *, has_report: bool) -> None:
    output = Output()
    for answer in answers:
        for page in answer.pages:
            output.line((page.url or page.name, "bold"))
            for label, text in _lines(page, site_dir, has_report):
                output.line("  ", (f"{label + ':':<12}", "dim"), text)
            output.line()
        if not answer.pages:
            close = f"; did you mean {' or '.join(answer.close)}?" if answer.close else ""
            output.line((f"There is no page {answer.asked}{close}", "bold red"))
    if not has_report:
        Output(stderr=True).line(_NO_REPORT)


def _lines(page: Explanation, site_dir: str, has_report: bool) -> Iterator[tuple[str, str]]:
    yield "listed", _listed(page, site_dir, has_report)
    if (cure := page.cure) is not None and has_report:
        yield "to list it", cure
    kept = page.page
    if kept is not None:
        if kept.loc is not None:
            yield from _lastmod(kept)
        if kept.name != kept.output:
            yield "page", kept.name
        if kept.sources:
            yield "made from", some(kept.sources, _SHOWN)
    elif page.entry is not None and page.entry.lastmod is not None:
        yield "lastmod", page.entry.lastmod
    if page.output is not None:
        fault = ", which does not exist"
        if page.exists:
            fault = ", which cannot be read" if page.head is None else ""
        yield "file", f"{os.path.join(site_dir, page.output)}{fault}"
    if page.head is not None:
        yield from _head(page.head)
    for note in page.notes:
        yield "note", note


def _listed(page: Explanation, site_dir: str, has_report: bool) -> str:
    kept = page.page
    if page.is_listed:
        entry = page.entry
        place = "" if entry is None else f", {os.path.join(site_dir, entry.file)}:{entry.line}"
        return f"yes{place}"
    if kept is not None and kept.reason is not None:
        detail = f" ({kept.detail})" if kept.detail else ""
        return f"no, {kept.reason}: {kept.reason.meaning}{detail}"
    return "no, its build does not know it as a page" if has_report else "no"


def _lastmod(page: KeptPage) -> Iterator[tuple[str, str]]:
    state = page.state or ""
    meaning = state
    with suppress(ValueError):
        meaning = LastmodState(state).meaning
    if page.lastmod is None:
        yield "lastmod", f"none, {state}: {meaning}"
    elif page.fallback is not None:
        yield "lastmod", f"{page.lastmod}, by lastmod_fallback: {page.fallback}; {state}: {meaning}"
    else:
        yield "lastmod", f"{page.lastmod}, {state}: {meaning}"
    if page.commit is not None:
        written = "" if page.authored is None else f", written {page.authored}"
        yield "commit", f"{page.commit}{written}"
    if page.source is not None:
        yield "decided by", page.source


def _head(head: Head) -> Iterator[tuple[str, str]]:
    values = {"title": head.title, "meta": head.noindex, "refresh": head.refresh}
    for label, value in values.items():
        if value:
            yield label, value
    if head.canonicals:
        yield "canonical", some(head.canonicals, _SHOWN)


def _content(answer: Answer) -> dict[str, Any]:
    return {
        "asked": answer.asked,
        "pages": [_page(page) for page in answer.pages],
        "close": answer.close,
    }


def _page(page: Explanation) -> dict[str, Any]:
    kept = page.page
    return {
        "name": page.name,
        "url": page.url,
        "listed": page.is_listed,
        "meaning": None if kept is None or kept.reason is None else kept.reason.meaning,
        "cure": page.cure,
        "build": None if kept is None else asdict(kept),
        "output": page.output,
        "exists": page.exists,
        "head": None if page.head is None else asdict(page.head),
        "sitemap": None if page.entry is None else asdict(page.entry),
        "notes": page.notes,
    }
