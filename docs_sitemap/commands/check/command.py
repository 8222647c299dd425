"""`docs-sitemap check`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import UTC, datetime

import click

from docs_sitemap.commands.check.check_paths import check_paths
from docs_sitemap.commands.check.formats import CHECK_FORMATS, print_codes
from docs_sitemap.commands.check.site_rules import RULES
from docs_sitemap.commands.site_options import (
    SitePath,
    base_url_option,
    find_report,
    report_option,
)
from docs_sitemap.diagnostics import Severity
from docs_sitemap.sitemap.urls import BaseUrl


def _parse_codes(
    ctx: click.Context, param: click.Parameter, values: Sequence[str]
) -> frozenset[str]:
    slugs = {slug.strip() for value in values for slug in value.split(",")} - {""}
    for slug in sorted(slugs.difference(rule.slug for rule in RULES)):
        raise click.BadParameter(f"{slug!r} is not a code; --codes lists all codes", ctx, param)
    return frozenset(slugs)


@click.command(
    epilog="""\b
Examples:
  docs-sitemap check site
  docs-sitemap check --strict --format github _build/html
  docs-sitemap check --ignore missing,lastmod-all-same site
  docs-sitemap check --base-url https://example.org/docs/ sitemap.xml
  docs-sitemap check --codes

\b
Exit codes:
  0  no errors; with --strict, no warnings either
  1  errors; with --strict, errors or warnings""",
)
@click.argument("paths", metavar="SITE_DIR|SITEMAP...", nargs=-1, type=SitePath(exists=True))
@base_url_option
@click.option(
    "--ignore",
    "ignored_codes",
    metavar="CODES",
    multiple=True,
    callback=_parse_codes,
    help="The codes to ignore, separated by commas. Can be repeated. --codes lists all codes.",
)
@click.option(
    "--codes",
    "is_list",
    is_flag=True,
    help="List all codes with their severity, meaning, and fix. Needs no path.",
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
def check(
    paths: tuple[str, ...],
    base_url: BaseUrl | None,
    ignored_codes: frozenset[str],
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
        print_codes()
        return
    if not paths:
        raise click.MissingParameter(param=check.params[0])
    folders = [path for path in paths if os.path.isdir(path)]
    if report is not None and len(folders) != 1:
        raise click.UsageError("--report applies to one site. Fix: name one folder.")
    if base_url is not None and len(folders) > 1:
        raise click.UsageError("--base-url applies to one site. Fix: name one folder.")
    reports = {folder: find_report(folder, report) for folder in folders}
    result = check_paths(
        paths,
        now=datetime.now(UTC),
        base_url=base_url,
        reports={path: saved for path, saved in reports.items() if saved is not None},
    )
    result = result.without(ignored_codes)
    CHECK_FORMATS[output_format](result)
    counts = result.counts()
    click.get_current_context().exit(1 if counts[Severity.ERROR] or (strict and counts) else 0)
