"""Which date each page gets, from which of its sources, and why."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime

from docs_sitemap.errors import ShallowError
from docs_sitemap.git import Answer, History, NoCommit, Settings, Unknown
from docs_sitemap.hosts import full_history
from docs_sitemap.model import (
    Fallback,
    Lastmod,
    LastmodDate,
    LastmodState,
    Page,
    Problem,
    ProblemKind,
    Shallow,
)
from docs_sitemap.options import Options


def find_lastmods(
    pages: Sequence[Page], options: Options, history: History
) -> tuple[list[Lastmod], list[Problem]]:
    """Return the date of each page, in order, and what to warn about.

    The date of a page is the date of its newest source, where the date of a file is that of
    the newest commit that changed it.

    Raises:
        ShallowError: the clone is too shallow for a page, and the options make that an error.
    """
    sources = dict.fromkeys(source for page in pages for source in page.sources)
    answer = history.newest_commits(sources, _settings(options))
    lastmods = [_newest(page, answer) for page in pages]
    problems = [*answer.errors, *_doubts(lastmods, options.shallow)]
    lastmods = [_fall_back(*pair, options) for pair in zip(lastmods, pages, strict=True)]
    return lastmods, [Problem(ProblemKind.GIT, message) for message in problems]


def _settings(options: Options) -> Settings:
    return Settings(
        author_date=options.lastmod_date is LastmodDate.AUTHOR,
        first_parent=options.first_parent,
        ignore_revs=options.ignore_revs,
        ignore_revs_file=options.ignore_revs_file,
        ignore_messages=options.ignore_messages,
        ignore_authors=options.ignore_authors,
        fetch=options.shallow is Shallow.FETCH,
        repository=options.repository,
        ref=options.ref,
    )


def _newest(page: Page, answer: Answer) -> Lastmod:
    if not page.sources_known:
        return Lastmod(LastmodState.SOURCES)
    newest: Lastmod | None = None
    untracked: Lastmod | None = None
    too_old: list[tuple[datetime | None, Lastmod]] = []
    for source in page.sources:
        commit = answer.commits[source]
        if not isinstance(commit, NoCommit):
            if newest is None or newest.value is None or commit.date > newest.value:
                newest = Lastmod(
                    LastmodState.COMMIT, commit.date, commit.name, source, authored=commit.authored
                )
            continue
        unknown = Lastmod(LastmodState(commit.reason.value), source=source)
        if commit.reason is Unknown.SHALLOW:
            too_old.append((commit.limit, unknown))
        elif source in page.optional and commit.reason in (Unknown.UNTRACKED, Unknown.IGNORED):
            untracked = unknown
        elif commit.reason is not Unknown.NO_REPOSITORY or source == page.sources[0]:
            return unknown
        # A file from elsewhere, such as an installed package, is no part of the project.
    for limit, unknown in too_old:
        # Whenever it was changed: not after the date that is known.
        if newest is None or limit is None or newest.value is None or newest.value < limit:
            return unknown
    return newest or untracked or Lastmod(LastmodState.GENERATED)


def _doubts(lastmods: list[Lastmod], on_shallow: Shallow) -> list[str]:
    states = [lastmod.state for lastmod in lastmods]
    messages = []
    if shallow := states.count(LastmodState.SHALLOW):
        message = (
            f"{shallow} of {len(states)} pages get no lastmod, for this git clone is shallow; "
            f"{full_history(os.environ)}"
        )
        if on_shallow is Shallow.ERROR:
            raise ShallowError(message)
        messages.append(message)
    # Pages from elsewhere, which some plugins add, are no reason to warn where others have dates.
    if {*states} - {LastmodState.GENERATED} == {LastmodState.NO_REPOSITORY}:
        messages.append(
            "no page gets a lastmod, for the sources lie in no git repository; build from a "
            "clone, name it by the option repository, or set lastmod to false"
        )
    return messages


def _fall_back(lastmod: Lastmod, page: Page, options: Options) -> Lastmod:
    if lastmod.value is not None or options.lastmod_fallback is None:
        return lastmod
    if options.lastmod_fallback is Fallback.BUILD:
        return replace(lastmod, fallback=Fallback.BUILD, value=_build_time())
    times = []
    for source in page.sources:
        with suppress(OSError, ValueError, OverflowError):
            times.append(datetime.fromtimestamp(int(os.stat(source).st_mtime), UTC))
    if not times:
        return lastmod
    return replace(lastmod, fallback=Fallback.MTIME, value=max(times))


def _build_time() -> datetime:
    """The time of the build: <https://reproducible-builds.org/specs/source-date-epoch/>."""
    with suppress(LookupError, ValueError, OverflowError, OSError):
        return datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), UTC)
    return datetime.fromtimestamp(int(time.time()), UTC)
