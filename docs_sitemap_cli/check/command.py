"""`docs-sitemap check`."""

import os
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime

import click

from docs_sitemap.sitemap.protocol import MAX_ENTRIES
from docs_sitemap.sitemap.urls import BaseUrl
from docs_sitemap.tools.printing import shorten
from docs_sitemap_cli.arguments import PLACE, Value, is_url
from docs_sitemap_cli.console import describe_unknown
from docs_sitemap_cli.published.find_report import find_project, find_report
from docs_sitemap_cli.site_options import (
    base_url_option,
    format_option,
    open_client,
    quiet_option,
    report_option,
)

from .check_path import check_path
from .formats import CHECK_FORMATS
from .live_site import check_live_site
from .path_result import CheckResult, PathResult
from .rules import RULES


def _parse_codes(value: str) -> frozenset[str]:
    codes = {code.strip() for code in value.split(",")} - {""}
    known = sorted(rule.slug for rule in RULES)
    for code in sorted(codes.difference(known)):
        raise ValueError(describe_unknown("code", code, known))
    return frozenset(codes)


def _parse_number(value: str) -> int:
    number = int(value) if value.isdecimal() else 0
    if not 0 < number <= MAX_ENTRIES:
        message = f"{shorten(value)} is not a number from 1 to {MAX_ENTRIES:,}"
        raise ValueError(message)
    return number


@click.command(
    epilog="""\b
Examples:
  docs-sitemap check site
  docs-sitemap check --strict --format github _build/html
  docs-sitemap check --base-url https://example.org/docs/ sitemap.xml
  docs-sitemap check https://example.org/docs/

\b
Exit codes:
  0  no errors; with --strict, no warnings either
  1  errors; with --strict, errors or warnings; or interrupted""",
)
@click.argument(
    "paths",
    metavar="SITE_DIR|SITEMAP|URL...",
    nargs=-1,
    required=True,
    type=PLACE,
)
@base_url_option
@click.option(
    "--ignore",
    "ignored_codes",
    metavar="CODES",
    multiple=True,
    type=Value(_parse_codes),
    help="Codes to ignore, separated by commas. Can be repeated.",
)
@click.option("--strict", is_flag=True, help="Fail on warnings, too.")
@format_option(
    CHECK_FORMATS,
    "Text for people, JSON for programs, annotations for GitHub Actions, or SARIF for "
    "code scanning.",
)
@report_option
@quiet_option
@click.option(
    "--max-pages",
    metavar="NUMBER",
    type=Value(_parse_number),
    default=1_000,
    show_default=True,
    help="How many pages of a live site to request at most.",
)
def check(
    paths: tuple[str, ...],
    base_url: BaseUrl | None,
    ignored_codes: tuple[frozenset[str], ...],
    strict: bool,
    output_format: str,
    report_file: str | None,
    max_pages: int,
) -> None:
    """Check sitemaps, built sites, and live sites.

    A built site is checked with its pages and robots.txt, and a sitemap index with its
    sitemaps. The pages of a live site are requested one after the other. Without a URL,
    nothing uses the network.
    """
    folders = [path for path in paths if os.path.isdir(path)]
    if report_file is not None and len(folders) != 1:
        raise click.UsageError("--report applies to one site. Fix: pass one folder.")
    urls = [path for path in paths if is_url(path)]
    if base_url is not None and (urls or len(folders) > 1):
        raise click.UsageError("--base-url applies to one site. Fix: pass one folder.")
    now = datetime.now(UTC)
    local = [path for path in paths if path not in urls]
    results = _check_local(local, now, base_url, report_file)
    results += _check_urls(urls, now, max_pages)
    result = CheckResult(paths=tuple(results)).without(
        frozenset().union(*ignored_codes)
    )
    CHECK_FORMATS[output_format](result)
    if result.has_failed(strict=strict):
        click.get_current_context().exit(1)


def _check_local(
    paths: Sequence[str],
    now: datetime,
    base_url: BaseUrl | None,
    report_file: str | None,
) -> list[PathResult]:
    """Check built sites and sitemaps."""
    reports = {}
    for path in paths:
        if os.path.isdir(path):
            reports[path] = find_report(path, report_file)
    results = []
    for path in paths:
        report = reports.get(path)
        project = os.curdir
        if report is not None:
            project = find_project(report, path, report_file)
        result = check_path(
            path, now=now, base_url=base_url, report=report, project=project
        )
        results.append(result)
    return results


def _check_urls(urls: Sequence[str], now: datetime, max_pages: int) -> list[PathResult]:
    """Check live sites, one after the other."""
    if not urls:
        return []
    results = []
    with closing(open_client(urls)) as client:
        for url in urls:
            result = check_live_site(url, client, now=now, max_pages=max_pages)
            results.append(result)
            if result.is_interrupted:
                break
    return results
