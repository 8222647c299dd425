"""Check the dates of a site: whether there are any, and whether they differ."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from docs_sitemap.ci_services import full_history_advice
from docs_sitemap.diagnostics import Diagnostic
from docs_sitemap.git.run import GitError
from docs_sitemap.sitemap.protocol import format_lastmod
from docs_sitemap.sitemap.urls import NormalizedUrl
from docs_sitemap_cli.site.built_commit import BuiltCommit, read_commit
from docs_sitemap_cli.site.date_groups import MIN_PAGES, largest_group
from docs_sitemap_cli.site.folder import SiteFolder

from .site_rules import SiteRule

# The share of the dates that may differ if the others are those of one build: pages can
# set theirs.
_MAX_OTHERS = 0.1
_SECONDS_OF_A_DAY = 86_400


def check_dates(
    folder: SiteFolder | None, file: str, dates: Mapping[NormalizedUrl, int | None]
) -> Iterator[Diagnostic]:
    """Check whether the pages of a site have dates, and whether these differ.

    Args:
        folder: The folder of the site; `None` if the site is live.
        file: The first sitemap, as the user would write it.
        dates: The date of each URL in seconds; a day without a time starts at midnight.
    """
    known = sorted(date for date in dates.values() if date is not None)
    if len(dates) < MIN_PAGES or 0 < len(known) < MIN_PAGES:
        return
    commit = None
    if folder is not None:
        with suppress(GitError, OSError, ValueError):
            commit = read_commit(folder.root)
    if not known:
        message = f"none of the {len(dates):,} URLs has a date"
        yield _diagnose(SiteRule.LASTMOD_MISSING, message, file, commit)
        return
    start, number = largest_group(known)
    if len(known) - number > max(1, len(known) * _MAX_OTHERS):
        return
    first = known[start]
    last = known[start + number - 1]
    message = f"{number:,} of {len(known):,} dates are {_format(first)}"
    if first < last:
        message += f" to {_format(last)}"
    if commit is not None and first <= commit.committed.timestamp() <= last:
        message += ", the date of the last commit"
    yield _diagnose(SiteRule.LASTMOD_ALL_SAME, message, file, commit)


def _diagnose(
    rule: SiteRule, message: str, file: str, commit: BuiltCommit | None
) -> Diagnostic:
    """Return a diagnostic, in a shallow clone with the fix for the CI service."""
    diagnostic = rule.diagnostic(message, file)
    if commit is None or not commit.is_shallow:
        return diagnostic
    fix = f"the clone is shallow: {full_history_advice()}; {rule.fix}"
    return replace(diagnostic, fix=fix)


def _format(seconds: float) -> str:
    """Return a date as in a sitemap. Midnight is a day without a time."""
    date = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=int(seconds))
    return format_lastmod(date, date_only=seconds % _SECONDS_OF_A_DAY == 0)
