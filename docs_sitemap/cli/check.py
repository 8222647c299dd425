"""`docs-sitemap check`."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from difflib import get_close_matches

import click
from click.shell_completion import CompletionItem
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn

from docs_sitemap.check import CODES, Severity
from docs_sitemap.check.paths import Known, check_paths
from docs_sitemap.cli.findings import FORMATS
from docs_sitemap.cli.site import base_url_option, find_report, report_option
from docs_sitemap.model import printable
from docs_sitemap.report import KeptReport


def _check_codes(
    ctx: click.Context, param: click.Parameter, values: Sequence[str]
) -> frozenset[str]:
    codes = {name.strip() for value in values for name in value.split(",")} - {""}
    for code in sorted(codes - CODES.keys()):
        close = get_close_matches(code, CODES)
        hint = f"did you mean {' or '.join(close)}?" if close else "write it as the findings do"
        raise click.BadParameter(f"{code!r} is no code of a finding; {hint}", ctx, param)
    return frozenset(codes)


def _complete_codes(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    before, comma, name = incomplete.rpartition(",")
    return [
        CompletionItem(f"{before}{comma}{code.name}", help=code.meaning)
        for code in CODES.values()
        if code.name.startswith(name)
    ]


@click.command(
    epilog="""\b
Examples:
  docs-sitemap check site
  docs-sitemap check --strict --format github _build/html
  docs-sitemap check --ignore missing,lastmod-all-same site
  docs-sitemap check --base-url https://example.org/docs/ sitemap.xml

\b
Exit codes: 0 nothing is wrong, 1 findings, 2 wrong use."""
)
@click.argument(
    "paths",
    metavar="SITE_DIR|SITEMAP...",
    nargs=-1,
    required=True,
    type=click.Path(exists=True),
)
@base_url_option
@click.option(
    "--ignore",
    metavar="CODE",
    multiple=True,
    callback=_check_codes,
    shell_complete=_complete_codes,
    help="Findings that do not count, as their codes between commas; may be given several times.",
)
@click.option("--strict", is_flag=True, help="Let warnings count, too.")
@click.option(
    "--format",
    "form",
    type=click.Choice([*FORMATS]),
    default="text",
    show_default=True,
    help="For people, for programs, or for the annotations of GitHub Actions.",
)
@report_option
@click.pass_context
def check(
    ctx: click.Context,
    paths: tuple[str, ...],
    base_url: str | None,
    ignore: frozenset[str],
    strict: bool,
    form: str,
    report: str | None,
) -> None:
    """Check sitemaps, and the built sites that they are in.

    A folder is a built site: its sitemaps are found, and held against its pages and robots.txt. A
    file is a sitemap, or an index with the sitemaps that it names. Nothing is loaded from the
    network.
    """
    sites = [path for path in paths if os.path.isdir(path)]
    if report is not None and len(sites) != 1:
        raise click.UsageError("--report is that of one site: name one folder")
    if base_url is not None and len(sites) > 1:
        raise click.UsageError("--base-url is that of one site: name one folder")
    reports = {path: find_report(path, report) for path in sites}
    with _progress() as progress:
        result = check_paths(
            paths,
            now=datetime.now(UTC),
            base_url=base_url,
            known={path: _known(kept) for path, kept in reports.items() if kept is not None},
            progress=_ticker(progress),
        )
    result = result.without(ignore)
    FORMATS[form](result)
    counts = result.counts()
    ctx.exit(1 if counts[Severity.ERROR] or (strict and counts) else 0)


def _known(report: KeptReport) -> Known:
    excluded = (page.output for page in report.pages if page.reason is not None)
    return Known(
        files=report.files,
        excluded=frozenset(output for output in excluded if output is not None),
        base_url=report.base_url,
        dates_known=all(page.fallback is None for page in report.pages),
    )


def _progress() -> Progress:
    console = Console(stderr=True)
    return Progress(
        BarColumn(),
        TextColumn("{task.description}", markup=False),
        console=console,
        transient=True,
        # Colours can be forced onto what is no terminal; what moves should not be.
        disable=not (sys.stderr.isatty() and console.is_interactive),
    )


def _ticker(progress: Progress) -> Callable[[str, int, int | None], None]:
    task = progress.add_task("", total=None)

    def tick(file: str, done: int, total: int | None) -> None:
        progress.update(task, description=printable(file), completed=done, total=total)

    return tick
