"""`docs-sitemap compare`."""

from __future__ import annotations

import os

import click

from docs_sitemap.commands.compare.comparison import (
    Comparison,
    common_start,
    compare_sitemaps,
    read_dates,
)
from docs_sitemap.commands.console import LinePrinter, print_json
from docs_sitemap.commands.site_options import find_report, format_option, report_option
from docs_sitemap.printing import count


@click.command(
    epilog="""\b
Examples:
  docs-sitemap compare before.xml site
  docs-sitemap compare --format json before.xml site/sitemap.xml""",
)
@click.argument("before", metavar="BEFORE", type=click.Path(exists=True))
@click.argument("after", metavar="AFTER", type=click.Path(exists=True))
@format_option
@report_option
def compare(before: str, after: str, output_format: str, report: str | None) -> None:
    """Compare two sitemaps: which URLs appear, disappear, or change.

    BEFORE and AFTER are sitemaps, or folders of built sites. If the report of the build of AFTER
    is known, the reasons why it excluded pages are shown.
    """
    dates = read_dates(before), read_dates(after)
    saved = find_report(after if os.path.isdir(after) else os.path.dirname(after), report)
    comparison = compare_sitemaps(*dates, report=saved)
    if output_format == "json":
        print_json(comparison)
    else:
        _print_text(comparison)


def _print_text(comparison: Comparison) -> None:
    printer = LinePrinter()
    removed = [f"{url} ({reason})" if reason else url for url, reason in comparison.removed.items()]
    changed = [f"{before} -> {after}" for before, after in comparison.changed.items()]
    starts = {_differing_starts(*urls) for urls in comparison.changed.items()}
    if len(changed) > 1 and len(starts) == 1:
        ((before, after),) = starts
        changed = [f"all start with {after} instead of {before}"]
    for verb, urls, lines in (
        ("disappear", comparison.removed, removed),
        ("appear", comparison.added, comparison.added),
        ("change", comparison.changed, changed),
    ):
        if urls:
            ending = "s" if len(urls) == 1 else ""
            printer.line((f"{count(len(urls), 'URL')} {verb}{ending}:", "bold"))
            for line in lines:
                printer.line(f"  {line}")
            printer.line()
    printer.line(
        f"{count(comparison.urls_before, 'URL')} before, {comparison.urls_after:,} after; of the "
        f"pages in both, lastmod is added to {comparison.dates_added:,}, removed from "
        f"{comparison.dates_removed:,}, and changed for {comparison.dates_changed:,}"
    )


def _differing_starts(before: str, after: str) -> tuple[str, str]:
    """Return two URLs without the end that they have in common."""
    end = len(common_start(before[::-1], after[::-1]))
    return before[: len(before) - end], after[: len(after) - end]
