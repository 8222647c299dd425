"""The rules about dates: whether a site has any, whether they differ, and whether its
pages show the same ones.
"""

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

from docs_sitemap.built.page_date import DATE_CLASS
from docs_sitemap.diagnostics import Diagnostic
from docs_sitemap.git.run import GitError
from docs_sitemap.result import SavedReport
from docs_sitemap.sitemap.protocol import format_lastmod
from docs_sitemap.sitemap.rules import Rule, warning
from docs_sitemap.sitemap.urls import NormalizedUrl
from docs_sitemap.sitemap.validation import CheckedEntry
from docs_sitemap.steps.git_diagnostics import full_history_advice
from docs_sitemap.tools.files import read_start
from docs_sitemap.tools.front_matter import split_document
from docs_sitemap.tools.printing import shorten
from docs_sitemap_cli.advice import how_to_date
from docs_sitemap_cli.dating_commits import (
    MIN_PAGES,
    BuiltCommit,
    find_git_fault,
    largest_group,
    read_commit,
)
from docs_sitemap_cli.published.folder import Generator, SiteFolder, find_generator
from docs_sitemap_cli.published.page import BuiltPage

_DATING_TOOLS = (
    "the plugin for MkDocs, the extension for Sphinx, or docs-sitemap generate --update"
)
_COMPLETE_CLONE = "clone the complete history (fetch-depth: 0)"
_GIT_DATES = f"{_COMPLETE_CLONE} and use {_DATING_TOOLS}"

# The share of the dates that may differ if the others are those of one build: pages can
# set theirs.
_MAX_OTHERS = 0.1
_SECONDS_OF_A_DAY = 86_400

# What dates the pages of each generator.
_TOOLS = {
    Generator.MKDOCS: "the plugin for MkDocs",
    Generator.SPHINX: "the extension for Sphinx",
    Generator.OTHER: "docs-sitemap generate --update",
}


LASTMOD_MISSING = warning(
    "lastmod-missing",
    "no page has a <lastmod>",
    _GIT_DATES,
)

LASTMOD_ALL_SAME = warning(
    "lastmod-all-same",
    "most pages have the same <lastmod>",
    f"{_GIT_DATES}; ignore this if one commit changed all these pages",
)


def check_dates(
    folder: SiteFolder | None,
    file: str,
    dates: Mapping[NormalizedUrl, int | None],
    report: SavedReport | None = None,
) -> Iterator[Diagnostic]:
    """Check whether the pages of a site have dates, and whether these differ.

    Args:
        folder: The folder of the site; `None` if the site is live.
        file: The first sitemap, as the user would write it.
        dates: The date of each URL in seconds; a day without a time starts at midnight.
        report: The report of the build, if it is known.
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
        diagnostic = LASTMOD_MISSING.diagnostic(message, file)
        fix = _fix(LASTMOD_MISSING, folder, commit)
        if folder is not None and report is not None:
            fix = _fix_of_build(report, folder) or fix
        yield replace(diagnostic, fix=fix)
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
    diagnostic = LASTMOD_ALL_SAME.diagnostic(message, file)
    yield replace(diagnostic, fix=_fix(LASTMOD_ALL_SAME, folder, commit))


def _fix(rule: Rule, folder: SiteFolder | None, commit: BuiltCommit | None) -> str:
    """Return the fix for the generator of a site, with what git lacks here, and how to
    change that, if it is known.
    """
    if folder is None:
        return rule.fix
    fix = rule.fix.replace(
        _DATING_TOOLS, _TOOLS.get(find_generator(folder), _DATING_TOOLS)
    )
    cause = find_git_fault(folder.root)
    if commit is not None and commit.is_shallow:
        cause = f"the clone is shallow: {full_history_advice()}"
    return fix.replace(_COMPLETE_CLONE, cause or _COMPLETE_CLONE)


def _fix_of_build(report: SavedReport, folder: SiteFolder) -> str | None:
    """Return why the build dated no page, and how to date them; `None` if the report
    does not say so.
    """
    project = os.path.realpath(os.path.join(folder.root, report.project))
    for page in report.pages:
        status = page.date_status
        fix = how_to_date(page, report.names, project)
        if status is not None and fix is not None:
            return f"{report.names.describe(status)}: {fix}"
    return None


def _format(seconds: float) -> str:
    """Return a date as in a sitemap. Midnight is a day without a time."""
    date = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=int(seconds))
    return format_lastmod(date, date_only=seconds % _SECONDS_OF_A_DAY == 0)


# How pages declare their date: by Open Graph, in structured data, and in the elements
# of this project, Docusaurus, VitePress, and Starlight. Tags without an end are not
# searched again and again.
_DECLARED = (
    re.compile(rb"<meta\s(?>[^<>]*?\barticle:modified_time\b)[^<>]*+>"),
    re.compile(rb'"dateModified"\s*:\s*"[^"<>]*"'),
    # Minifiers remove quotes.
    re.compile(rb'<time class="?%b\b[^<>]*>[^<>]*</time>' % DATE_CLASS.encode()),
    re.compile(rb'<time\s(?>[^<>]*?itemprop="dateModified")[^<>]*+>'),
    re.compile(rb"<\w++\s(?>[^<>]*?\bVPLastUpdated\b)[^<>]*+>[^<>]*+<time\s[^<>]*+>"),
    re.compile(
        rb'<footer\b[^<>]*>\s*<div class="meta\b[^<>]*>.{,2000}?<time\s[^<>]*>', re.S
    ),
)
_DATE = re.compile(rb"\d{4}-\d\d-\d\d")

# In different time zones, one time can be on two days.
_ONE_DAY = timedelta(days=1)

# In bytes: front matter is shorter.
_MAX_START = 2**16

# When a page was published, in all generators.
_PUBLICATION = re.compile(r"^:?date\b.*", re.M)


LASTMOD_NOT_SHOWN = warning(
    "lastmod-not-shown",
    "the page shows or declares another date than its <lastmod>",
    "turn off the other date, or show the one in the sitemap (page_dates); if "
    "authors set it in front matter, add its key to lastmod_fields (in Sphinx, "
    "sitemap_lastmod_fields)",
)


def check_shown_date(
    entry: CheckedEntry, page: BuiltPage, name: str, document: str | None = None
) -> None:
    """Check that a page shows the same day as the sitemap, or one that its author set,
    in any time zone.

    Args:
        entry: The entry of the page.
        page: The page.
        name: Its name in messages.
        document: The path of its document; `None` if it is unknown.
    """
    if entry.lastmod is None:
        return
    listed = entry.lastmod.date()
    for shown in _declared_days(page.data):
        if abs(shown - listed) > _ONE_DAY and not _is_set_by_author(shown, document):
            message = f"{shorten(name)} shows {shown}, but the sitemap has {listed}"
            entry.diagnose(LASTMOD_NOT_SHOWN, message, "lastmod")
            return


def _is_set_by_author(day: date, document: str | None) -> bool:
    """Return whether the front matter of a document, or the fields at its start,
    contain a day.
    """
    text = ""
    if document is not None:
        with suppress(OSError):
            text = read_start(document, _MAX_START).decode("utf-8", "replace")
    front_matter = split_document(text).front_matter
    if text.startswith(":"):
        front_matter = text.partition("\n\n")[0]
    dates = _PUBLICATION.sub("", front_matter)
    return any(str(near) in dates for near in (day - _ONE_DAY, day, day + _ONE_DAY))


def _declared_days(page: bytes) -> list[date]:
    """Return the days on which a page says that it was changed last, one for each way
    to declare it. Lists of other pages declare several in the same way.
    """
    days = []
    for pattern in _DECLARED:
        declared = set(pattern.findall(page))
        if len(declared) != 1:
            continue
        dates = _DATE.findall(declared.pop())
        if dates:
            with suppress(ValueError):
                days.append(date.fromisoformat(dates[-1].decode()))
    return days
