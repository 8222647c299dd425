"""`docs-sitemap report`."""

import re
from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path

import click

from docs_sitemap.config.parsers import parse_percentage
from docs_sitemap.result import SavedReport
from docs_sitemap.sitemap.urls import BaseUrl
from docs_sitemap.tools.files import lock_folder, replace_files
from docs_sitemap.tools.printing import shorten
from docs_sitemap_cli.arguments import FILE, FOLDER, OUTPUT, Value
from docs_sitemap_cli.console import print_json, print_line, print_summary
from docs_sitemap_cli.published.find_report import find_project, find_report
from docs_sitemap_cli.site_options import (
    base_url_option,
    format_option,
    quiet_option,
    report_option,
)

from .facts import collect_facts
from .render import render_html, render_text

_UNITS = {"d": 1.0, "w": 7.0, "mo": 365 / 12, "y": 365.0}
_AGE = re.compile("([0-9]{1,5})(d|w|mo|y)")

PlanReport = Callable[[str, BaseUrl | None], SavedReport]
"""Returns the report of a site without one. The group of all commands has it from
`generate`, as no command imports another.
"""


def _parse_age(value: str) -> int:
    """Return the value of an option such as `--older-than` in days."""
    match = _AGE.fullmatch(value)
    if match is None:
        raise ValueError(
            f"{shorten(value)} is not an age. Fix: write a number and its unit: 90d "
            "for days, 8w for weeks, 18mo for months, or 2y for years"
        )
    return round(int(match[1]) * _UNITS[match[2]])


def _parse_day(value: str) -> date:
    try:
        return date.fromisoformat(value)
    except ValueError:
        message = f"{shorten(value)} is not a date, such as 2026-01-31"
        raise ValueError(message) from None


@click.command(
    epilog="""\b
Examples:
  docs-sitemap report site
  docs-sitemap report --format text --older-than 2y site
  docs-sitemap report --format json public > freshness.json
  docs-sitemap report --previous freshness.json --min-fresh 80 public

\b
Exit codes:
  0  the report is complete
  1  pages are older than --older-than, or fewer are fresh than --min-fresh"""
)
@click.argument("site_dir", metavar="SITE_DIR", type=FOLDER)
@base_url_option
@report_option
@format_option(
    ["html", "text", "json"],
    "An HTML file, text for terminals and job logs, or JSON for programs.",
)
@click.option(
    "--output",
    "-o",
    metavar="FILE",
    type=OUTPUT,
    help="The HTML file. By default, docs-report.html in the current folder.",
)
@click.option(
    "--older-than",
    metavar="AGE",
    type=Value(_parse_age),
    help="Report only pages older than this and fail if there are any: 90d, 8w, "
    "18mo, or 2y.",
)
@click.option(
    "--min-fresh",
    metavar="PERCENT",
    type=Value(parse_percentage),
    help="Fail if fewer of the dated pages are fresh. Fresh pages changed within two "
    "years (or --older-than), and their text is not older than what they document.",
)
@click.option(
    "--previous",
    metavar="FILE",
    type=FILE,
    help="Show what became older and newer since this report (--format json).",
)
@click.option(
    "--today",
    metavar="DAY",
    type=Value(_parse_day),
    default=lambda: datetime.now(UTC).date(),
    help="Compute ages from this day, such as 2026-05-31, instead of today (UTC).",
)
@quiet_option
@click.pass_obj
def report(  # noqa: PLR0913  # one for each option
    plan_report: PlanReport,
    site_dir: str,
    base_url: BaseUrl | None,
    report_file: str | None,
    output_format: str,
    output: str | None,
    older_than: int | None,
    min_fresh: float | None,
    previous: str | None,
    today: date,
) -> None:
    """Report how fresh the pages of a site are.

    The report shows the ages of all pages, the pages whose text is older than what they
    document, and the pages without a date. All dates match the sitemap.
    """
    if output is not None and output_format != "html":
        raise click.UsageError(
            f"--output: only HTML is written to a file, not {output_format}. Fix: "
            "remove one of the two options, or redirect the output"
        )
    saved = find_report(site_dir, report_file) or plan_report(site_dir, base_url)
    project = find_project(saved, site_dir, report_file)
    facts = collect_facts(
        saved,
        site_dir,
        project,
        today,
        older_than=older_than,
        min_fresh=min_fresh,
        previous=previous,
    )
    summary, verdict, *lines = render_text(facts, site_dir)
    if output_format == "json":
        print_json(facts)
    elif output_format == "text":
        print_line((summary, "bold"))
        print_line(verdict)
        for line in lines:
            print_line(line)
    else:
        output = output or "docs-report.html"
        path = Path(output).absolute()
        data = render_html(facts)
        with lock_folder(path.parent):
            replace_files({path: data})
        print_summary(f"{summary}. Written to {output}")
        print_summary(verdict)
    freshness = facts.freshness
    if freshness.is_too_low:
        raise click.ClickException(
            f"{freshness.percent}% of the pages with a date are fresh, but "
            f"--min-fresh is {min_fresh:g}%: {facts.verdict}. Fix: update pages or "
            "lower --min-fresh"
        )
    if min_fresh is None and older_than is not None and facts.pages:
        raise click.exceptions.Exit(1)
