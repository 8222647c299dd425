"""`docs-sitemap compare`."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

import click
import msgspec

from docs_sitemap.commands.compare.comparison import (
    ChangedUrl,
    Comparison,
    RemovedUrl,
    UnreadableSitemapError,
    compare_sitemaps,
    read_dates,
)
from docs_sitemap.commands.console import JSON_VERSION, LinePrinter, print_json
from docs_sitemap.commands.help import DocumentedCommand
from docs_sitemap.commands.site_options import find_report, format_option, report_option
from docs_sitemap.text import count


class CompareJson(msgspec.Struct, frozen=True, kw_only=True):
    """The document that `docs-sitemap compare --format json` prints.

    Attributes:
        version: The version of this format.
        comparison: The differences.
    """

    version: int = JSON_VERSION
    comparison: Comparison


@click.command(
    cls=DocumentedCommand,
    epilog="""\b
Examples:
  docs-sitemap compare before.xml site
  docs-sitemap compare --format json before.xml site/sitemap.xml""",
    exit_codes={0: "both sitemaps can be read"},
)
@click.argument("before", metavar="BEFORE", type=click.Path(exists=True))
@click.argument("after", metavar="AFTER", type=click.Path(exists=True))
@format_option
@report_option
def compare(before: str, after: str, output_format: str, report: str | None) -> None:
    """Compare two sitemaps: which URLs appear, disappear, or change.

    BEFORE and AFTER are sitemaps, or folders of built sites. If AFTER is a folder, the reasons why
    its build excluded pages are shown.
    """
    is_site = os.path.isdir(after)
    if report is not None and not is_site:
        raise click.UsageError("--report applies to a site. Fix: name the folder as AFTER.")
    try:
        dates = read_dates(before), read_dates(after)
    except UnreadableSitemapError as error:
        raise click.UsageError(str(error)) from None
    saved = find_report(after, report) if is_site else None
    comparison = compare_sitemaps(*dates, report=saved)
    if output_format == "json":
        print_json(CompareJson(comparison=comparison))
    else:
        _print_text(comparison)


def _print_text(comparison: Comparison) -> None:
    printer = LinePrinter()
    for title, urls in (
        ("disappear", [*map(_removed_text, comparison.removed)]),
        ("appear", comparison.added),
        ("change", [*_changed_texts(comparison.changed)]),
    ):
        if urls:
            number = len(comparison.changed) if title == "change" else len(urls)
            verb = f"{title}s" if number == 1 else title
            printer.line((f"{count(number, 'URL')} {verb}:", "bold"))
            for url in urls:
                printer.line(f"  {url}")
            printer.line()
    dates = comparison.dates
    printer.line(
        f"{count(comparison.urls_before, 'URL')} before, {comparison.urls_after:,} after; of the "
        f"pages in both, lastmod is added to {dates.added:,}, removed from {dates.removed:,}, and "
        f"changed for {dates.changed:,}"
    )


def _removed_text(removed: RemovedUrl) -> str:
    return removed.url if removed.reason is None else f"{removed.url} ({removed.reason})"


def _changed_texts(changed: Sequence[ChangedUrl]) -> Iterator[str]:
    """Yield a line for each URL, or one line if all of them have moved to another folder."""
    starts = {_moved(one) for one in changed}
    if len(changed) > 1 and len(starts) == 1:
        ((before, after),) = starts
        yield f"all start with {after} instead of {before}"
        return
    for one in changed:
        yield f"{one.before} -> {one.after}"


def _moved(changed: ChangedUrl) -> tuple[str, str]:
    """Return the folders of both URLs, without the path that they have in common."""
    before, after = changed.before.split("/"), changed.after.split("/")
    while before and after and before[-1] == after[-1]:
        before.pop()
        after.pop()
    return "/".join([*before, ""]), "/".join([*after, ""])
