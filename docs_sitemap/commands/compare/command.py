"""`docs-sitemap compare`."""

from __future__ import annotations

import os
from collections.abc import Iterable

import click

from docs_sitemap.commands.compare.comparison import (
    Comparison,
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
    """Compare the URLs, dates, and hreflang links of two sitemaps.

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
    _print_list(len(removed), "URL", "disappear", removed)
    _print_list(len(comparison.added), "URL", "appear", comparison.added)
    _print_list(len(comparison.changed), "URL", "change", changed)
    links = {
        f"{url}: {language}": pair
        for url, pairs in comparison.alternates.items()
        for language, pair in pairs.items()
    }
    for subject, differences in (("date", comparison.dates), ("hreflang link", links)):
        by_verb: dict[str, list[str]] = {"disappear": [], "appear": [], "change": []}
        for name, (old, new) in differences.items():
            verb = "appear" if old is None else "disappear" if new is None else "change"
            by_verb[verb].append(f"{name}: {' -> '.join(filter(None, (old, new)))}")
        for verb, lines in by_verb.items():
            more = f"… and {len(lines) - _MAX_SHOWN:,} more; --format json shows all"
            shown = [*lines[:_MAX_SHOWN], more] if len(lines) > _MAX_SHOWN else lines
            _print_list(len(lines), subject, verb, shown)
    printer = LinePrinter()
    printer.line(f"{count(comparison.urls_before, 'URL')} before, {comparison.urls_after:,} after")
    if any(after is None for _, after in links.values()):
        printer.line("The log of the build says why hreflang links are missing, and how to fix it")


def _print_list(total: int, subject: str, verb: str, lines: Iterable[str]) -> None:
    if total:
        printer = LinePrinter()
        printer.line((f"{count(total, subject)} {verb}{'s' if total == 1 else ''}:", "bold"))
        for line in lines:
            printer.line(f"  {line}")
        printer.line()


def _differing_starts(before: str, after: str) -> tuple[str, str]:
    """Return two URLs without the end that they have in common."""
    end = len(common_start(before[::-1], after[::-1]))
    return before[: len(before) - end], after[: len(after) - end]
