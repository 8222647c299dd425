"""Which pages changed since the last deployment."""

import os
import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

import click

from docs_sitemap.config.parsers import parse_ref
from docs_sitemap.git.run import GitError
from docs_sitemap.sitemap.protocol import parse_w3c_datetime
from docs_sitemap.sitemap.urls import NormalizedUrl, check_url
from docs_sitemap.steps.git_diagnostics import full_history_advice
from docs_sitemap.tools.printing import shorten
from docs_sitemap_cli.dating_commits import MIN_PAGES, largest_group, read_commit
from docs_sitemap_cli.published.lastmods import parse_lastmod

from . import RefusedError

_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:T.+)?")

Dates = Mapping[str, str | None]
"""The date of each page as written, by the text of `<loc>`."""


def read_start(text: str) -> datetime:
    """Return the time of a commit, or the start of a day.

    Args:
        text: A W3C datetime, or the name of a commit in the current repository.

    Raises:
        click.UsageError: The text is neither, or git cannot read the commit.
    """
    if _DATE.fullmatch(text):
        try:
            return parse_w3c_datetime(text)
        except ValueError as error:
            message = f"--since: {shorten(text)} is not a date, such as 2026-01-31"
            raise click.BadParameter(f"{message}: {error}") from None
    try:
        return read_commit(os.curdir, parse_ref(text)).committed
    except (GitError, ValueError) as error:
        fix = f"if the clone is shallow: {full_history_advice()}"
        if isinstance(error, GitError) and error.fix:
            fix = error.fix
        raise click.UsageError(
            f"--since: {shorten(text)} is neither a date such as 2026-05-31 nor a "
            f"commit in this clone: {error}. Fix: {fix}; or use --previous"
        ) from None


def find_changes_since(start: datetime, dates: Dates) -> Dates:
    """Return the pages that changed after a timestamp, with their dates. A day without
    a time counts on the day of the timestamp, too.

    Raises:
        RefusedError: No page has a valid date.
    """
    # Pages with later dates would be sent after each deployment.
    end = datetime.now(UTC) + timedelta(days=1)
    changed = {}
    known = 0
    for loc, lastmod in dates.items():
        date = parse_lastmod(lastmod)
        if date is None or date > end:
            continue
        known += 1
        is_same_day = date.date() == start.date() and not _has_time(lastmod)
        if date > start or is_same_day:
            changed[loc] = lastmod
    if not known:
        raise RefusedError(
            "no page of the sitemap has a valid date. Fix: build with the dates of "
            "git, or use --previous"
        )
    return changed


def find_changes_from(previous: Dates, dates: Dates) -> Dates:
    """Return the pages that are new, or newer than in the previous sitemap."""
    known = by_url(previous)
    changed = {}
    for loc, lastmod in dates.items():
        url = NormalizedUrl(loc)
        if url not in known or _is_newer(lastmod, known[url]):
            changed[loc] = lastmod
    return changed


def refuse_other_origin(previous: Dates, dates: Dates) -> None:
    """Check that the previous sitemap is the one of this site, and not, for example, of
    a preview: all its pages would be gone, and those of this site new.

    Raises:
        RefusedError: The two sitemaps list pages of different hosts only.
    """
    old = _origins(previous)
    new = _origins(dates)
    if old and new and old.isdisjoint(new):
        raise RefusedError(
            f"the previous sitemap lists only URLs of {min(old)}, but the new one "
            f"only URLs of {min(new)}. Fix: pass the last sitemap deployed there, or "
            "use --since"
        )


def _origins(dates: Dates) -> set[str]:
    """Return the origins of all valid URLs."""
    origins = set()
    for loc in dates:
        url = check_url(loc).normalized
        if url is not None:
            origins.add(url.origin)
    return origins


def find_removed(previous: Dates, dates: Dates) -> list[str]:
    """Return the pages that only the previous sitemap lists, sorted by URL."""
    listed = by_url(dates)
    return sorted(loc for loc in previous if NormalizedUrl(loc) not in listed)


def by_url(dates: Dates) -> dict[NormalizedUrl, str | None]:
    """Return the dates by URL: two sitemaps may spell the same URL differently."""
    return {NormalizedUrl(loc): lastmod for loc, lastmod in dates.items()}


def refuse_build_dates(total: int, changed: Dates) -> None:
    """Check that the dates of the changed pages are not those of a build.

    Args:
        total: The number of all pages.
        changed: The dates of those that changed.

    Raises:
        RefusedError: They probably are.
    """
    dates = filter(None, map(parse_lastmod, changed.values()))
    times = sorted(int(date.timestamp()) for date in dates)
    if len(times) < MIN_PAGES:
        return
    _, number = largest_group(times)
    if number * 2 > total:
        raise RefusedError(
            f"{number:,} of {total:,} pages have dates within minutes of each other, "
            "like the time of a build or of the last commit in a shallow clone. Fix: "
            "build with the dates of git, or add --allow-same-dates if one commit "
            "changed all these pages"
        )


def _is_newer(lastmod: str | None, previous: str | None) -> bool:
    """Return whether a page has a later date. A first date is no change, and nor is a
    time that is added to a day.
    """
    new = parse_lastmod(lastmod)
    old = parse_lastmod(previous)
    if new is None or old is None:
        return False
    if _has_time(lastmod) and _has_time(previous):
        return new > old
    return new.date() > old.date()


def _has_time(lastmod: str | None) -> bool:
    return "T" in (lastmod or "")
