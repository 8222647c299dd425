"""Fourth step: find the last-modified date of each page.

The date of a page is the date of its newest source file. The date of a file is the date of the
newest commit that changed the file.
"""

from __future__ import annotations

import os
import time
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime

from docs_sitemap.date_status import DateStatus
from docs_sitemap.entry import Candidate
from docs_sitemap.errors import OptionError, ShallowError
from docs_sitemap.files import is_path
from docs_sitemap.git import (
    FileDate,
    History,
    HistoryOptions,
    Tracked,
    find_invalid_option,
    full_history_advice,
)
from docs_sitemap.options import CommitDate, LastmodChanges, Options, ShallowAction
from docs_sitemap.page import Page
from docs_sitemap.record.dates import RecordedDates
from docs_sitemap.result import (
    DateFallback,
    Lastmod,
    Problem,
    ProblemKind,
    SourceDate,
)
from docs_sitemap.shown import COMPLETE_FILE, DOCUMENT_SUFFIXES, Shown, ShownKind
from docs_sitemap.text import count

_NOT_IN_GIT = (DateStatus.UNTRACKED, DateStatus.IGNORED, DateStatus.NO_REPOSITORY)

# No file can have this name, so no commit can contain it.
_NOT_A_PATH = FileDate(DateStatus.UNTRACKED)

_TEXT = Shown(ShownKind.TEXT)


def find_lastmods(
    candidates: Sequence[Candidate],
    options: Options,
    history: History,
    problems: list[Problem],
    recorded_dates: RecordedDates | None = None,
) -> None:
    """Set the date of each page.

    Args:
        candidates: The listed pages, with their sources.
        options: The options of the sitemap.
        history: Finds the commits.
        problems: Receives warnings and notices about dates that git cannot find.
        recorded_dates: Keeps the dates of an earlier build.

    Raises:
        ShallowError: A shallow clone does not contain the commits of some pages, and the option
            `shallow` is `error`.
    """
    undated = []
    for candidate in candidates:
        if candidate.overrides.lastmod is not None:
            candidate.lastmod = Lastmod(DateStatus.FRONT_MATTER, candidate.overrides.lastmod)
        elif options.lastmod:
            undated.append(candidate)
    if not undated and (recorded_dates is None or not options.lastmod):
        return
    commits = _find_commits(undated, options, history, problems)
    for candidate in undated:
        files = _viewed_files(candidate, options)
        found = {file: commits.get(file, _NOT_A_PATH) for file in files}
        candidate.lastmod = _newest(candidate, {file.path: found[file] for file in files})
        candidate.source_dates = tuple(_source_date(*item) for item in found.items())
    if recorded_dates is not None and options.lastmod:
        recorded_dates.apply(candidates, _history_options(options))
    problems += _missing_history(undated, options.shallow)
    if options.lastmod_fallback is not None:
        for candidate in undated:
            if candidate.lastmod.value is None:
                candidate.lastmod = _fall_back(candidate, options.lastmod_fallback)


def _find_commits(
    candidates: Sequence[Candidate], options: Options, history: History, problems: list[Problem]
) -> Mapping[Tracked, FileDate]:
    """Return the newest commits of all sources."""
    files = dict.fromkeys(
        file
        for candidate in candidates
        for file in _viewed_files(candidate, options)
        if is_path(file.path)
    )
    result = history.find_dates(files, _history_options(options))
    problems += [Problem(ProblemKind.GIT, f"{error}.") for error in result.errors]
    # Strict builds should not fail in an image without git, or if another user made the clone.
    problems += [
        Problem(ProblemKind.GIT, f"{notice}.", is_notice=True) for notice in result.notices
    ]
    return result.dates


def _viewed_files(candidate: Candidate, options: Options) -> list[Tracked]:
    """Return the sources of a page, and what it shows of them."""
    views = candidate.page.views
    if options.lastmod_changes is LastmodChanges.TEXT:
        documents = [own for own in candidate.sources[:1] if own.endswith(DOCUMENT_SUFFIXES)]
        views = {**dict.fromkeys(documents, _TEXT), **views}
    return [Tracked(source, views.get(source, COMPLETE_FILE)) for source in candidate.sources]


def _source_date(file: Tracked, date: FileDate) -> SourceDate:
    shows = file.fragment if isinstance(file.fragment, Shown) else COMPLETE_FILE
    if date.date is None:
        return SourceDate(file.path, date.status, view=shows)
    return SourceDate(
        file.path,
        date.status,
        date.hash,
        date.date,
        shows,
        passed=date.skipped,
        newest=date.newest_skipped,
        newest_ignored=date.is_newest_ignored,
    )


def check_repository(options: Options) -> None:
    """Check that git can read the commit that the options `repository` and `ref` name.

    Integrations call this function before the build: `build_sitemap` only returns a problem.

    Raises:
        OptionError: The repository or the commit is unusable.
    """
    if options.lastmod and options.repository is not None:
        error = find_invalid_option(_history_options(options))
        if error is not None:
            raise OptionError([error])


def check_clone(files: Collection[str], options: Options, history: History) -> None:
    """Check that the clone contains the commit of any file, if the option `shallow` is `error`.

    Integrations call this function with the documents before they build pages. `build_sitemap`
    checks all sources of the listed pages, but only at the end.

    Args:
        files: The absolute paths of the documents.
        options: The options of the sitemap.
        history: Finds the commits.

    Raises:
        ShallowError: The clone is shallow, and does not contain the commit of any file.
    """
    if not options.lastmod or options.shallow is not ShallowAction.ERROR:
        return
    if options.lastmod_record is not None:  # It can contain the dates.
        return
    documents = [Tracked(file) for file in files if is_path(file)]
    result = history.find_dates(documents, _history_options(options))
    commits = [result.dates[document] for document in documents]
    has_dates = any(commit.date is not None for commit in commits)
    missing = sum(commit.status is DateStatus.SHALLOW for commit in commits)
    if missing and not has_dates:
        raise ShallowError(_describe_shallow(missing, len(commits)))


def _describe_shallow(missing: int, total: int) -> str:
    verb = "has" if missing == 1 else "have"
    return (
        f"{missing:,} of {count(total, 'page')} {verb} no lastmod: the git clone is shallow and "
        f"does not contain the commits. Fix: {full_history_advice(os.environ)}."
    )


def _history_options(options: Options) -> HistoryOptions:
    return HistoryOptions(
        author_date=options.lastmod_date is CommitDate.AUTHOR,
        first_parent=options.first_parent,
        ignore_revs=options.ignore_revs,
        ignore_revs_file=options.ignore_revs_file,
        ignore_messages=options.ignore_messages,
        ignore_authors=options.ignore_authors,
        fetch=options.shallow is ShallowAction.FETCH,
        repository=options.repository,
        ref=options.ref,
    )


def _newest(candidate: Candidate, commits: Mapping[str, FileDate]) -> Lastmod:
    """Return the date of the newest source, or why the date of the page is unknown."""
    page = candidate.page
    if not page.sources_known:
        return Lastmod(DateStatus.UNKNOWN_SOURCES)
    newest: tuple[datetime, FileDate, str] | None = None
    missing_optional: Lastmod | None = None
    truncated: list[tuple[FileDate, str]] = []
    for source in candidate.sources:
        commit = commits[source]
        if commit.date is not None:
            if newest is None or commit.date > newest[0]:
                newest = commit.date, commit, source
            continue
        is_optional = source in candidate.optional_sources
        if commit.status is DateStatus.SHALLOW:
            truncated.append((commit, source))
        elif is_optional and commit.status in _NOT_IN_GIT:
            missing_optional = Lastmod(commit.status, source=source)
        elif _is_by_product(source, commit, page):
            continue
        elif commit.status is not DateStatus.NO_REPOSITORY or source == candidate.sources[0]:
            return Lastmod(commit.status, source=source)
        # Other source files outside a repository, such as installed packages, do not count.
    for no_commit, source in truncated:
        # A file that is certainly older than the newest known date does not change it.
        limit = no_commit.not_after
        if newest is None or limit is None or newest[0] < limit:
            return Lastmod(DateStatus.SHALLOW, source=source)
    if newest is None:
        return missing_optional or Lastmod(DateStatus.NO_SOURCE)
    _, commit, source = newest
    return Lastmod(commit.status, commit.date, commit.hash, source, authored=commit.authored)


def _is_by_product(source: str, commit: FileDate, page: Page) -> bool:
    """Return whether a file was detected as a source, but git ignores it: plugins read caches and
    files that they have written themselves. A page whose source was removed again has no date.
    """
    is_detected = source in page.sources[1:]
    return is_detected and commit.status is DateStatus.IGNORED and os.path.lexists(source)


def _missing_history(candidates: Sequence[Candidate], action: ShallowAction) -> list[Problem]:
    """Return the problems of shallow clones, and of sites outside a repository.

    Raises:
        ShallowError: The clone is too shallow, and the action is `error`.
    """
    statuses = [candidate.lastmod.status for candidate in candidates]
    problems = []
    shallow = statuses.count(DateStatus.SHALLOW)
    if shallow:
        message = _describe_shallow(shallow, len(statuses))
        if action is ShallowAction.ERROR:
            raise ShallowError(message)
        # Most CI services make a shallow clone, and strict builds there should not fail.
        is_notice = action is ShallowAction.WARN
        problems.append(Problem(ProblemKind.GIT, message, is_notice=is_notice))
    # Some plugins add pages from other folders. If other pages have dates, this needs no warning.
    if {*statuses} - {DateStatus.NO_SOURCE} == {DateStatus.NO_REPOSITORY}:
        message = (
            "no page has a lastmod: the source files are not in a git repository. Fix: build from "
            "a clone, set the option repository, or set the option lastmod to false."
        )
        problems.append(Problem(ProblemKind.GIT, message, is_notice=True))
    return problems


def _fall_back(candidate: Candidate, fallback: DateFallback) -> Lastmod:
    if fallback is DateFallback.BUILD:
        return replace(candidate.lastmod, fallback=fallback, value=_build_time())
    times = []
    for source in candidate.sources:
        with suppress(OSError, ValueError, OverflowError):
            times.append(datetime.fromtimestamp(int(os.stat(source).st_mtime), UTC))
    if not times:
        return candidate.lastmod
    return replace(candidate.lastmod, fallback=fallback, value=max(times))


def _build_time() -> datetime:
    """Return the time of the build: <https://reproducible-builds.org/specs/source-date-epoch/>."""
    with suppress(LookupError, ValueError, OverflowError, OSError):
        return datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), UTC)
    return datetime.fromtimestamp(int(time.time()), UTC)
