"""`docs-sitemap check`."""

import os
from collections.abc import Sequence
from datetime import UTC, datetime
from difflib import get_close_matches

import click

from docs_sitemap.commands.site_options import (
    base_url_option,
    find_report,
    report_option,
)
from docs_sitemap.diagnostics import Severity
from docs_sitemap.sitemap.urls import BaseUrl
from docs_sitemap.tools.printing import shorten

from .check_paths import check_paths
from .formats import CHECK_FORMATS
from .site_rules import RULES

# Where generators write sites, unless they are configured.
_SITE_FOLDERS = (
    "site",
    "public",
    "build",
    "dist",
    "_site",
    "book",
    "html",
    "docs/_build/html",
)


def _parse_codes(
    ctx: click.Context, param: click.Parameter, values: Sequence[str]
) -> frozenset[str]:
    slugs = {*filter(None, map(str.strip, ",".join(values).split(",")))}
    known = [rule.slug for rule in RULES]
    for slug in sorted(slugs.difference(known)):
        message = f"{slug!r} is not a code"
        for similar in get_close_matches(slug, known, n=1):
            message += f". Did you mean {similar}?"
        raise click.BadParameter(message, ctx, param)
    return frozenset(slugs)


def _parse_paths(
    ctx: click.Context, param: click.Parameter, paths: tuple[str, ...]
) -> tuple[str, ...]:
    """Check that there are files at all paths, or explain how to get them."""
    for path in paths:
        if os.path.lexists(path):
            continue
        message = (
            "does not exist. Fix: build the site first, or name the folder of another "
            "site"
        )
        hints = [*filter(os.path.isdir, _SITE_FOLDERS)]
        if "://" in path:
            message = (
                "is a URL. Fix: download the sitemap, or name the folder of the built "
                "site"
            )
        if hints:
            message += f": {', '.join(hints)}"
        raise click.BadParameter(f"{shorten(path)} {message}", ctx, param)
    return paths


@click.command(
    epilog="""\b
Examples:
  docs-sitemap check site
  docs-sitemap check --strict --format github _build/html
  docs-sitemap check --base-url https://example.org/docs/ sitemap.xml

\b
Exit codes:
  0  no errors; with --strict, no warnings either
  1  errors; with --strict, errors or warnings""",
)
@click.argument(
    "paths",
    metavar="SITE_DIR|SITEMAP...",
    nargs=-1,
    required=True,
    callback=_parse_paths,
)
@base_url_option
@click.option(
    "--ignore",
    "ignored_codes",
    metavar="CODES",
    multiple=True,
    callback=_parse_codes,
    help="The codes to ignore, separated by commas. Can be repeated.",
)
@click.option("--strict", is_flag=True, help="Exit with 1 if there are warnings, too.")
@click.option(
    "--format",
    "output_format",
    type=click.Choice([*CHECK_FORMATS]),
    default="text",
    show_default=True,
    help="The output: text for people, JSON for programs, annotations for GitHub "
    "Actions, or SARIF for code scanning.",
)
@report_option
def check(
    paths: tuple[str, ...],
    base_url: BaseUrl | None,
    ignored_codes: frozenset[str],
    strict: bool,
    output_format: str,
    report: str | None,
) -> None:
    """Check sitemaps and built sites.

    If you name the folder of a built site, its sitemaps are compared with its pages and
    robots.txt. If you name a sitemap, only that file is checked. If you name a sitemap
    index, the sitemaps that it lists are also checked. Nothing is loaded from the
    network.
    """
    folders = [path for path in paths if os.path.isdir(path)]
    if report is not None and len(folders) != 1:
        raise click.UsageError("--report applies to one site. Fix: name one folder.")
    if base_url is not None and len(folders) > 1:
        raise click.UsageError("--base-url applies to one site. Fix: name one folder.")
    reports = {folder: find_report(folder, report) for folder in folders}
    now = datetime.now(UTC)
    result = check_paths(paths, now=now, base_url=base_url, reports=reports)
    result = result.without(ignored_codes)
    CHECK_FORMATS[output_format](result)
    counts = result.counts()
    failures = counts.total() if strict else counts[Severity.ERROR]
    click.get_current_context().exit(1 if failures else 0)
