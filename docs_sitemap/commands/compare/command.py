"""`docs-sitemap compare`."""

from __future__ import annotations

import os
from collections.abc import Sequence

import click

from docs_sitemap.commands.compare.comparison import (
    Comparison,
    Difference,
    common_start,
    compare_sitemaps,
    read_entries,
)
from docs_sitemap.commands.console import LinePrinter, print_json
from docs_sitemap.commands.site_options import find_report, format_option, report_option
from docs_sitemap.printing import count

# The text shows the dates and links of this many pages.
_MAX_SHOWN = 10


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
    """Compare two sitemaps: which URLs, dates, and links to other languages change.

    BEFORE and AFTER are sitemaps, or folders of built sites. If the report of the build of AFTER
    is known, the reasons why it excluded pages are shown.
    """
    saved = find_report(after if os.path.isdir(after) else os.path.dirname(after), report)
    entries = read_entries(before), read_entries(after, saved)
    comparison = compare_sitemaps(*entries, report=saved)
    if output_format == "json":
        print_json(comparison)
    else:
        _print_text(comparison)


def _print_text(comparison: Comparison) -> None:
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
        ending = "s" if len(urls) == 1 else ""
        _print_list(f"{count(len(urls), 'URL')} {verb}{ending}", lines)
    dates = comparison.dates.items()
    lines = [f"{url}: {_arrow(pair)}" for url, pair in dates if pair[0] is not None]
    _print_list(f"lastmod changes for {count(len(lines), 'page')}", lines, _MAX_SHOWN)
    links = comparison.alternates.items()
    lines = [
        f"{url}: {', '.join(f'{one} {_arrow(pairs[one])}' for one in pairs)}"
        for url, pairs in links
    ]
    _print_list(f"hreflang changes for {count(len(lines), 'page')}", lines, _MAX_SHOWN)
    dates_added = sum(before is None for _, (before, _) in dates)
    dates_removed = sum(after is None for _, (_, after) in dates)
    LinePrinter().line(
        f"{count(comparison.urls_before, 'URL')} before, {comparison.urls_after:,} after; of the "
        f"pages in both, lastmod is added to {dates_added:,}, removed from {dates_removed:,}, and "
        f"changed for {len(dates) - dates_added - dates_removed:,}"
    )


def _print_list(title: str, lines: Sequence[str], limit: int | None = None) -> None:
    if not lines:
        return
    printer = LinePrinter()
    printer.line((f"{title}:", "bold"))
    for line in lines[:limit]:
        printer.line(f"  {line}")
    if limit is not None and len(lines) > limit:
        printer.line(f"  … and {len(lines) - limit:,} more; --format json shows all")
    printer.line()


def _arrow(pair: Difference) -> str:
    return " -> ".join(value or "none" for value in pair)


def _differing_starts(before: str, after: str) -> tuple[str, str]:
    """Return two URLs without the end that they have in common."""
    end = len(common_start(before[::-1], after[::-1]))
    return before[: len(before) - end], after[: len(after) - end]
