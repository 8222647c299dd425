"""The last-modified date of each page: the date of its newest source file.

The date of a file is the date of the newest commit that changed what the page shows of
the file.
"""

import os
from collections import defaultdict
from collections.abc import Mapping, Sequence

from docs_sitemap.config.parsers import LastmodChanges, ShallowAction
from docs_sitemap.diagnostics import NOT_IN_GIT, DateStatus, Diagnostics
from docs_sitemap.entry import Entry, Lastmod
from docs_sitemap.git.history import History
from docs_sitemap.git.history_types import FileDate, HistoryOptions, WantedFile
from docs_sitemap.page import Source, SourceRole
from docs_sitemap.shown import COMPLETE_FILE, DOCUMENT_SUFFIXES, Shown, ShownKind
from docs_sitemap.site import Site

from .git_diagnostics import report_failures


def find_dates(entries: Sequence[Entry], site: Site, diagnostics: Diagnostics) -> None:
    """Set the date of each page: its own, or the one from git."""
    from_git = []
    for entry in entries:
        if entry.settings.lastmod is not None:
            entry.lastmod = Lastmod(DateStatus.FRONT_MATTER, entry.settings.lastmod)
        elif site.options.lastmod:
            from_git.append(entry)
    if from_git:
        _date_from_git(from_git, site, diagnostics)


def _date_from_git(
    entries: Sequence[Entry], site: Site, diagnostics: Diagnostics
) -> None:
    """Set the date of each page, which is the date of its newest source."""
    files: defaultdict[str, dict[Source, WantedFile]] = defaultdict(dict)
    for entry in entries:
        messages = _messages(entry)
        for source in entry.sources or ():
            files[source.ref][source] = _wanted_file(source, messages, site)
    history = site.history or History()
    built = HistoryOptions(
        commit_date=site.options.lastmod_date,
        ignore_revs_file=site.options.ignore_revs_file,
        follow_moves=site.options.lastmod_changes is LastmodChanges.TEXT,
        fetch=site.options.shallow is ShallowAction.FETCH,
        repository=site.options.repository,
        ref=site.options.ref,
    )
    dates: dict[Source, FileDate] = {}
    for ref, wanted in files.items():
        options = built
        if ref:  # a branch or tag other than the one that is built
            repository = built.repository or os.fspath(site.root)
            options = built._replace(repository=repository, ref=ref)
        result = history.find_dates(wanted.values(), options, site.front_matter)
        report_failures(result.failures, options, site.names, diagnostics)
        dates |= {source: result.dates[file] for source, file in wanted.items()}
    for entry in entries:
        if entry.sources is None:
            entry.lastmod = Lastmod(DateStatus.UNKNOWN_SOURCES)
        else:
            entry.dates = {source: dates[source] for source in entry.sources}
            entry.lastmod = _newest(entry.dates)


def _messages(entry: Entry) -> tuple[str, ...]:
    """Return the messages of a translated page."""
    for source in entry.sources or ():
        if source.shows.kind is ShownKind.MESSAGES:
            return source.shows.parts
    return ()


def _wanted_file(source: Source, messages: tuple[str, ...], site: Site) -> WantedFile:
    """Return a source of a page, and what dates it.

    Args:
        source: The source.
        messages: The messages of the page, if it is translated.
        site: The site.
    """
    shows = source.shows
    if site.options.lastmod_changes is LastmodChanges.ANY:
        return WantedFile(source.path, shows.with_every_change)
    is_document = source.role is SourceRole.DOCUMENT and shows == COMPLETE_FILE
    if is_document and source.path.endswith(DOCUMENT_SUFFIXES):
        shows = Shown(ShownKind.TEXT, messages)
    return WantedFile(source.path, shows)


def _newest(dates: Mapping[Source, FileDate]) -> Lastmod:
    """Return the date of the newest source, or why the date of the page is unknown."""
    if not dates:
        return Lastmod(DateStatus.NO_SOURCE)
    used = []
    for source, date in dates.items():
        if not _is_ignored(source, date.status):
            used.append(source)
    # A page whose sources are all ignored has the status of the last one.
    if not used:
        used = list(dates)[-1:]
    source = max(used, key=lambda source: dates[source].latest())
    newest = dates[source]
    if newest.date is None:
        return Lastmod(newest.status, source=source.path)
    return Lastmod(newest.status, newest.date, newest.hash, source.path)


def _is_ignored(source: Source, status: DateStatus) -> bool:
    """Return whether a page can be dated without a source that git does not know."""
    if source.is_optional and status in NOT_IN_GIT:
        return True
    if source.role is SourceRole.DOCUMENT:
        return False
    if status is DateStatus.NO_REPOSITORY:  # for example, an installed package
        return True
    # Extensions read caches and files that they have written themselves, which git
    # ignores. A page whose source was removed again has no date.
    is_part = source.role is SourceRole.PART
    return is_part and status is DateStatus.IGNORED and os.path.lexists(source.path)
