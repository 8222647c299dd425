"""`docs-sitemap check`."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from difflib import get_close_matches

import click
from click.shell_completion import CompletionItem
from rich import progress as rich_progress

from docs_sitemap.commands.check import BuildInfo, Code, Progress, Severity, lint_paths
from docs_sitemap.commands.check.formats import CHECK_FORMATS, print_codes
from docs_sitemap.commands.console import make_console
from docs_sitemap.commands.help import DocumentedCommand
from docs_sitemap.commands.site_options import base_url_option, find_report, report_option
from docs_sitemap.report import SavedReport
from docs_sitemap.sitemap.urls import BaseUrl
from docs_sitemap.text import printable


def _parse_codes(
    ctx: click.Context, param: click.Parameter, values: Sequence[str]
) -> frozenset[Code]:
    slugs = {slug.strip() for value in values for slug in value.split(",")} - {""}
    known = {code.slug: code for code in Code}
    for slug in sorted(slugs - known.keys()):
        similar = get_close_matches(slug, known)
        hint = f"; did you mean {' or '.join(similar)}?" if similar else ""
        raise click.BadParameter(f"{slug!r} is not the code of a finding{hint}", ctx, param)
    return frozenset(known[slug] for slug in slugs)


def _complete_codes(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    before, comma, start = incomplete.rpartition(",")
    return [
        CompletionItem(f"{before}{comma}{code.slug}", help=code.meaning)
        for code in Code
        if code.slug.startswith(start)
    ]


@click.command(
    cls=DocumentedCommand,
    short_help="Check sitemaps and built sites.",
    epilog="""\b
Examples:
  docs-sitemap check site
  docs-sitemap check --strict --format github _build/html
  docs-sitemap check --ignore missing,lastmod-all-same site
  docs-sitemap check --base-url https://example.org/docs/ sitemap.xml
  docs-sitemap check --codes""",
    exit_codes={
        0: "no errors; with --strict, no warnings either",
        1: "errors; with --strict, errors or warnings",
    },
)
@click.argument(
    "paths",
    metavar="SITE_DIR|SITEMAP...",
    nargs=-1,
    type=click.Path(exists=True),
)
@base_url_option
@click.option(
    "--ignore",
    "ignored_codes",
    metavar="CODES",
    multiple=True,
    callback=_parse_codes,
    shell_complete=_complete_codes,
    help="The codes of findings to ignore, separated by commas. Can be repeated. --codes lists all "
    "codes.",
)
@click.option(
    "--codes",
    "is_list",
    is_flag=True,
    help="List the codes of all findings with their severity, meaning, and fix. Needs no path.",
)
@click.option("--strict", is_flag=True, help="Exit with 1 if there are warnings, too.")
@click.option(
    "--format",
    "output_format",
    type=click.Choice([*CHECK_FORMATS]),
    default="text",
    show_default=True,
    help="The output: text for people, JSON for programs, or annotations for GitHub Actions.",
)
@report_option
@click.pass_context
def check(
    ctx: click.Context,
    paths: tuple[str, ...],
    base_url: BaseUrl | None,
    ignored_codes: frozenset[Code],
    is_list: bool,
    strict: bool,
    output_format: str,
    report: str | None,
) -> None:
    """Check sitemaps and built sites.

    If you name the folder of a built site, its sitemaps are compared with its pages and robots.txt.
    If you name a sitemap, only that file is checked. If you name a sitemap index, the sitemaps that
    it lists are also checked. Nothing is loaded from the network.
    """
    if is_list:
        print_codes(output_format)
        return
    if not paths:
        raise click.MissingParameter(ctx=ctx, param=ctx.command.params[0])
    folders = [path for path in paths if os.path.isdir(path)]
    if report is not None and len(folders) != 1:
        raise click.UsageError("--report applies to one site. Fix: name one folder.")
    if base_url is not None and len(folders) > 1:
        raise click.UsageError("--base-url applies to one site. Fix: name one folder.")
    reports = {folder: find_report(folder, report) for folder in folders}
    with _make_progress_bar() as bar:
        result = lint_paths(
            paths,
            now=datetime.now(UTC),
            base_url=base_url,
            builds={
                folder: _build_info(saved, folder)
                for folder, saved in reports.items()
                if saved is not None
            },
            progress=_show_progress_in(bar),
        )
    result = result.without(ignored_codes)
    CHECK_FORMATS[output_format](result)
    counts = result.counts()
    ctx.exit(1 if counts[Severity.ERROR] or (strict and counts) else 0)


def _build_info(report: SavedReport, folder: str) -> BuildInfo:
    excluded = (page.output for page in report.pages if page.reason is not None)
    known = frozenset(page.output for page in report.pages if page.output is not None)
    return BuildInfo(
        files=report.files,
        excluded=frozenset(output for output in excluded if output is not None),
        base_url=report.base_url,
        has_exact_dates=all(page.fallback is None for page in report.pages),
        # A report that the user named may be the report of another build.
        known=known if report.matches(folder) else None,
    )


def _make_progress_bar() -> rich_progress.Progress:
    console = make_console(stderr=True)
    return rich_progress.Progress(
        rich_progress.BarColumn(),
        rich_progress.TextColumn("{task.description}", markup=False),
        console=console,
        transient=True,
        # FORCE_COLOR makes a pipe look like a terminal, but a pipe must not contain animations.
        disable=not (sys.stderr.isatty() and console.is_interactive),
    )


def _show_progress_in(bar: rich_progress.Progress) -> Progress:
    task = bar.add_task("", total=None)

    def show_progress(file: str, done: int, total: int | None) -> None:
        bar.update(task, description=printable(file), completed=done, total=total)

    return show_progress
