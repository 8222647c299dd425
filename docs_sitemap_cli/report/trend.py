"""What has changed since an earlier report."""

from collections.abc import Sequence
from contextlib import suppress
from datetime import date

import click
import msgspec

from docs_sitemap.result import read_report
from docs_sitemap.tools.json_store import JsonStore, StoreError
from docs_sitemap.tools.printing import shorten
from docs_sitemap_cli.console import JSON_VERSION

from .freshness import judge_pages
from .outdated import OutdatedText
from .pages import AgeSummary, ReportedPage, is_old, sum_up


class PreviousReport(msgspec.Struct, frozen=True):
    """What is read of an earlier report: keys of the document that
    `docs-sitemap report --format json` printed.
    """

    base_url: str
    today: date
    older_than: int | None
    outdated: list[OutdatedText]
    pages: list[ReportedPage]


class Trend(msgspec.Struct, frozen=True):
    """What has changed since an earlier report, with the URLs of the pages.

    Attributes:
        since: The day of the earlier report.
        percent: The percentage of fresh pages in it.
        then: The ages of the pages in it.
        now: The ages of all listed pages.
        newer: The pages with a newer date.
        older: The pages that are old now, but were not, and those with an older date.
        outdated: The pages whose text fell behind what they document.
        added: The pages that were not listed.
        removed: The pages that are no longer listed.
    """

    since: date
    percent: int
    then: AgeSummary
    now: AgeSummary
    newer: list[str]
    older: list[str]
    outdated: list[str]
    added: list[str]
    removed: list[str]


def read_previous(path: str, base_url: str) -> PreviousReport:
    """Read an earlier report.

    Args:
        path: The file.
        base_url: The URL of the site.

    Raises:
        click.UsageError: The file is not a complete report of this site in JSON.
    """
    try:
        report = JsonStore(path, PreviousReport, version=JSON_VERSION).read()
        if report.older_than is not None:
            raise StoreError("it was written with --older-than")
        if report.base_url != base_url:
            raise StoreError(f"it is about {shorten(report.base_url)}")
    except StoreError as error:
        reason = str(error)
        with suppress(StoreError):
            read_report(path)
            reason = "it is the report of a build"
        raise click.UsageError(
            f"--previous: {path} is not an earlier report of this site: {reason}. "
            "Fix: pass the output of docs-sitemap report --format json"
        ) from None
    return report


def find_trend(
    previous: PreviousReport,
    pages: Sequence[ReportedPage],
    outdated: Sequence[OutdatedText],
    older_than: int | None,
) -> Trend:
    """Return what has changed since an earlier report.

    Args:
        previous: The earlier report, of the same site.
        pages: All listed pages.
        outdated: Those whose text is older than what they document.
        older_than: The value of `--older-than` in days.
    """
    then = {page.page.loc or "": page for page in previous.pages}
    now = {page.page.loc or "": page for page in pages}
    newer = []
    older = []
    for url in sorted(now.keys() & then.keys()):
        before = then[url].day or date.min
        after = now[url].day or date.min
        has_aged = is_old(now[url], older_than) and not is_old(then[url], older_than)
        if after > before:
            newer.append(url)
        elif after < before or has_aged:
            older.append(url)
    freshness = judge_pages(previous.pages, previous.outdated, older_than, None)
    return Trend(
        since=previous.today,
        percent=freshness.percent,
        then=sum_up("", previous.pages),
        now=sum_up("", pages),
        newer=newer,
        older=older,
        outdated=sorted(_urls(outdated) - _urls(previous.outdated)),
        added=sorted(now.keys() - then.keys()),
        removed=sorted(then.keys() - now.keys()),
    )


def _urls(texts: Sequence[OutdatedText]) -> set[str]:
    return {text.page.page.loc or "" for text in texts}
