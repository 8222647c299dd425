"""Which pages changed since the last deployment."""

import os
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

import click

from docs_sitemap.config.parsers import parse_ref
from docs_sitemap.git.built_commit import BuiltCommit
from docs_sitemap.git.file_date import HistoryOptions
from docs_sitemap.git.run import GitError
from docs_sitemap.git.shallow import full_history_advice
from docs_sitemap.sitemap.date_groups import MIN_PAGES, largest_group
from docs_sitemap.sitemap.protocol import parse_w3c_datetime

from .stop import RefusedError

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:T.+)?")

Dates = Mapping[str, str | None]
"""The date of each page as written, by the text of `<loc>`."""


@dataclass(slots=True)
class ChangedPages:
    """The pages that changed since the last deployment.

    Attributes:
        since: The last deployment, for people.
        dates: The new or changed pages with their dates, by the text of `<loc>`.
        removed: The pages that the sitemap no longer lists.
    """

    since: str
    dates: dict[str, str | None]
    removed: list[str] = field(default_factory=list)


class _Date(NamedTuple):
    """A date of a page: a timestamp, or the start of a day without a time."""

    timestamp: datetime
    is_day: bool

    @classmethod
    def parse(cls, text: str | None) -> "_Date | None":
        with suppress(ValueError):
            return cls(parse_w3c_datetime(text or "")[0], "T" not in (text or ""))
        return None


def find_changes_since(text: str, dates: Dates) -> ChangedPages:
    """Return the pages that changed after a commit or a date. A day without a time
    counts if it is not before the day of the commit.

    Args:
        text: A W3C datetime, or the name of a commit in the current repository.
        dates: The dates of all pages.

    Raises:
        click.UsageError: The text is neither, or git cannot read the commit.
        RefusedError: No page has a valid date.
    """
    since = text
    try:
        if _DAY.fullmatch(text):
            start = parse_w3c_datetime(text)[0]
        else:
            start = _read_commit_date(parse_ref(text))
            since = f"{start.isoformat()} ({text})"
    except ValueError as error:
        raise click.UsageError(f"--since: {text}: {error}") from None
    # Pages with later dates would be sent after each deployment.
    end = datetime.now(UTC) + timedelta(days=1)
    changed = {}
    known = 0
    for loc, lastmod in dates.items():
        date = _Date.parse(lastmod)
        if date is None or date.timestamp > end:
            continue
        known += 1
        if date.timestamp > start or (date.is_day and _day(date) >= start.date()):
            changed[loc] = lastmod
    if not known:
        raise RefusedError(
            "no page of the sitemap has a valid date. Fix: build with the dates of "
            "git, or use --previous"
        )
    return ChangedPages(since, changed)


def find_changes_from(name: str, previous: Dates, dates: Dates) -> ChangedPages:
    """Return the pages that are new, newer than in the previous sitemap, or gone.

    Args:
        name: The previous sitemap, as the user wrote it.
        previous: Its dates.
        dates: The dates of all pages.
    """
    changed = {}
    for loc, lastmod in dates.items():
        if loc not in previous or _is_newer(lastmod, previous[loc]):
            changed[loc] = lastmod
    return ChangedPages(name, changed, sorted(previous.keys() - dates.keys()))


def refuse_build_dates(dates: Dates, changed: Dates) -> None:
    """Check that the dates of the changed pages are not those of a build.

    Raises:
        RefusedError: They probably are.
    """
    times = {}
    for loc, lastmod in dates.items():
        date = _Date.parse(lastmod)
        if date is not None:
            times[loc] = int(date.timestamp.timestamp())
    known = sorted(times.values())
    if len(known) < MIN_PAGES:
        return
    start, number = largest_group(known)
    first, last = known[start], known[start + number - 1]
    is_changed = any(first <= times.get(loc, 0) <= last for loc in changed)
    if number * 2 > len(known) and is_changed:
        raise RefusedError(
            f"{number:,} of {len(known):,} dates lie within minutes of each other, "
            "like the time of a build, or of the last commit in a shallow clone. Fix: "
            "build with the dates of git, or add --allow-same-dates if one commit "
            "changed all these pages"
        )


def _is_newer(lastmod: str | None, previous: str | None) -> bool:
    """Return whether a page has a later date. A first date is no change, and nor is a
    time that is added to a day.
    """
    new, old = _Date.parse(lastmod), _Date.parse(previous)
    if new is None or old is None:
        return False
    if new.is_day or old.is_day:
        return _day(new) > _day(old)
    return new.timestamp > old.timestamp


def _day(value: _Date) -> date:
    return value.timestamp.date()


def _read_commit_date(name: str) -> datetime:
    """Return the committer date of a commit.

    Raises:
        ValueError: There is no such commit.
    """
    try:
        return BuiltCommit.read(os.curdir, HistoryOptions(ref=name)).committed
    except GitError as error:
        raise ValueError(
            f"it is neither a date such as 2026-05-31, nor a commit in this clone "
            f"({error}). Fix: if the clone is shallow: {full_history_advice()}; or use "
            "--previous"
        ) from None
