"""Check the dates of a site: whether there are any, whether they differ, and whether
they are those of the sources.
"""

import os
import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from docs_sitemap.any_site.built_site import read_site
from docs_sitemap.any_site.config_file import SiteSettings
from docs_sitemap.build import plan_sitemap
from docs_sitemap.built.site_folder import SiteFolder
from docs_sitemap.config.options import Options, ShallowAction
from docs_sitemap.diagnostics import BuildCode, Diagnostic
from docs_sitemap.entry import Lastmod
from docs_sitemap.git.built_commit import BuiltCommit
from docs_sitemap.git.file_date import HistoryOptions
from docs_sitemap.git.run import GitError
from docs_sitemap.git.shallow import full_history_advice
from docs_sitemap.sitemap.protocol import format_lastmod
from docs_sitemap.sitemap.urls import BaseUrl, NormalizedUrl
from docs_sitemap.tools.printing import count, shorten

from .site_rules import SiteRule

# Fewer pages may have changed together.
_MIN_PAGES = 5
# The share of the dates that may differ if the others are those of one build: pages can
# set theirs.
_MAX_OTHERS = 0.1
# In seconds. No build needs longer to write its pages.
_BUILD = 600
_DAY = 86_400
# A message shows this many pages.
_MAX_EXAMPLES = 3

# How to get the dates of commits, by a word in the generator meta element.
_FIXES = {
    "docs-sitemap": "build in a clone",
    "mkdocs": "add the plugin sitemap of docs-sitemap to mkdocs.yml",
    "sphinx": "add sphinx_sitemap_ext to the extensions in conf.py",
    "": "run `docs-sitemap generate --update` after the build",
}


class _ComparedDate(NamedTuple):
    """A date in a sitemap, compared with the date of the source.

    Attributes:
        seconds: By how much it is newer; negative if it is older.
        is_other: Whether it is the date of another commit, which may be right.
        text: A description.
    """

    seconds: int
    is_other: bool
    text: str


class DateChecker(NamedTuple):
    """Checks the dates of all pages of a site.

    Attributes:
        folder: The folder of the site.
        file: The first sitemap, as the user would write it.
        urls: The dates in the sitemaps, in seconds; a day without a time starts at
            midnight.
        base_url: Where the site is published; `None` if its pages are not read.
        generator: The generator that the pages name; empty if it is unknown.
        settings: How the user finds the sources of the pages.
    """

    folder: SiteFolder
    file: str
    urls: Mapping[NormalizedUrl, int | None]
    base_url: BaseUrl | None = None
    generator: str = ""
    settings: SiteSettings | None = None

    def check_spread(self, now: datetime) -> Iterator[Diagnostic]:
        """Check whether there are dates, and whether they differ."""
        dates = sorted(date for date in self.urls.values() if date is not None)
        if len(self.urls) < _MIN_PAGES or 0 < len(dates) < _MIN_PAGES:
            return
        commit = _read_commit(self.folder.root)
        fix = self._describe_fix(commit)
        if not dates:
            message = f"none of the {len(self.urls):,} URLs has a date"
            yield replace(
                SiteRule.LASTMOD_MISSING.diagnostic(message, self.file), fix=fix
            )
            return
        start, number = _largest_group(dates)
        if len(dates) - number > max(1, len(dates) * _MAX_OTHERS):
            return
        if commit is None:
            fix += "; ignore this if one commit changed all these pages"
        elif 2 * self._count_source_dates() >= number:
            return
        first, last = dates[start], dates[start + number - 1]
        message = f"{number:,} of {len(dates):,} dates are {_format(first)}"
        if first < last:
            message += f" to {_format(last)}"
        if commit is not None and first <= commit.committed.timestamp() <= last:
            message += ", the date of the last commit"
        elif first - _DAY <= now.timestamp() <= last + 2 * _DAY:
            message += ", about the time of the build"
        yield replace(SiteRule.LASTMOD_ALL_SAME.diagnostic(message, self.file), fix=fix)

    def _count_source_dates(self) -> int:
        """Return how many dates are those of the source, or of another commit to it."""
        number = 0
        for compared in self._compare([]):
            if compared.is_other or compared.seconds == 0:
                number += 1
        return number

    def check_sources(self, notes: list[str]) -> Iterator[Diagnostic]:
        """Check whether the dates are those of the last commits to the sources.

        Args:
            notes: Receives the number of dates that could be compared, and why others
                could not.

        Raises:
            SitemapError: The settings do not fit the project.
        """
        compared = sorted(self._compare(notes))
        notes.append(
            f"{len(compared):,} of {len(self.urls):,} pages compared with the sources"
        )
        others = 0
        older: list[str] = []
        newer: list[str] = []
        for seconds, is_other, text in compared:
            if is_other:
                others += 1
            elif seconds < -_DAY:
                older.append(text)
            elif seconds > _DAY:
                newer.insert(0, text)
        if others:
            notes.append(
                f"{count(others, 'date')} of other commits cannot be judged without "
                "the report of the build: options, other sources, and selected lines "
                "may explain them"
            )
        texts_by_rule = {
            SiteRule.LASTMOD_NEWER_THAN_SOURCE: newer,
            SiteRule.LASTMOD_OLDER_THAN_SOURCE: older,
        }
        for rule, texts in texts_by_rule.items():
            if texts:
                message = f"{len(texts):,} of {len(compared):,} dates; the worst: "
                message += "; ".join(texts[:_MAX_EXAMPLES])
                yield rule.diagnostic(message, self.file)

    def _compare(self, notes: list[str]) -> Iterator[_ComparedDate]:
        """Yield the dates of pages whose sources have a date, compared with it."""
        if self.base_url is None:
            return
        options, project = self.settings or (Options(), self.folder.root)
        options = replace(options, base_url=self.base_url, lastmod=True)
        settings = SiteSettings(replace(options, shallow=ShallowAction.WARN), project)
        changes = _find_changes(self.folder.root, settings, notes)
        commit_times = _read_times(project)
        is_plugin = re.search("mkdocs|sphinx", self._generator_name()) is not None
        for url, date in self.urls.items():
            changed = changes.get(self.folder.file_at(self.base_url, url) or "")
            if date is None or changed is None:
                continue
            seconds = _compare_dates(date, changed)
            # Our plugins know more about a page: its other sources, its lines, and all
            # options.
            may_be_right = seconds > _DAY or (seconds < -_DAY and is_plugin)
            source = shorten(os.path.relpath(changed.source or "", project))
            last = f"{changed.value:%Y-%m-%d}"
            text = (
                f"{shorten(url)} has {_format(date):.10}, but {source} changed on "
                f"{last}"
            )
            yield _ComparedDate(seconds, may_be_right and date in commit_times, text)

    def _generator_name(self) -> str:
        """Return the name of the generator in lower case, with its version; empty if
        unknown.
        """
        if self.generator:
            return self.generator.lower()
        # The pages of Sphinx do not name it.
        is_sphinx = self.folder.exists("_static/documentation_options.js")
        return "sphinx" if is_sphinx else ""

    def _describe_fix(self, commit: BuiltCommit | None) -> str:
        """Return how to get the dates of commits with the generator of the site."""
        generator = self._generator_name()
        fix = next(fix for name, fix in _FIXES.items() if name in generator)
        if commit is None:
            fix += "; in CI, build with the complete history of git (fetch-depth: 0)"
            return fix
        if commit.is_shallow:
            return f"the clone is shallow: {full_history_advice()}; {fix}"
        return fix


def _largest_group(dates: Sequence[int]) -> tuple[int, int]:
    """Return where the largest group of sorted dates within the time of a build starts,
    and how many dates it has.
    """
    best = (0, 0)
    for start, date in enumerate(dates):
        number = bisect_right(dates, date + _BUILD) - start
        if number > best[1]:
            best = start, number
    return best


def _find_changes(
    site_dir: str, settings: SiteSettings, notes: list[str]
) -> dict[str, Lastmod]:
    """Return the dates of the sources of pages that git knows, by HTML file."""
    site, diagnostics = read_site(site_dir, settings)
    report = plan_sitemap(site)
    for diagnostic in (*diagnostics, *report.diagnostics):
        if diagnostic.code in (BuildCode.GIT, BuildCode.DEPENDENCY):
            notes.append(f"not all sources have a date: {diagnostic.message}")
    dates = {}
    for entry in report.listed:
        if isinstance(entry.lastmod.value, datetime):
            dates[entry.page.name] = entry.lastmod
    return dates


def _compare_dates(date: int, changed: Lastmod) -> int:
    """Return by how many seconds a date in a sitemap is newer than a change, negative
    if it is older. Other generators use the date of the author, and the days of another
    time zone.
    """
    times = []
    for time in (changed.value, changed.authored):
        if isinstance(time, datetime):
            times.append(int(time.timestamp()))
    first = last = date
    if date % _DAY == 0:
        # A day starts up to 12 hours earlier than in UTC, and ends up to 12 hours
        # later.
        first, last = date - _DAY // 2, date + _DAY + _DAY // 2
    return max(0, first - times[0]) + min(0, last - min(times))


def _read_commit(folder: str) -> BuiltCommit | None:
    """Return the commit that is checked out in the repository with a folder, if there
    is one.
    """
    with suppress(GitError, OSError, ValueError):
        return BuiltCommit.read(folder, HistoryOptions())
    return None


def _read_times(folder: str) -> frozenset[int]:
    """Return the dates of all commits but the last; none if the clone is shallow,
    because all files seem to have changed in the first one.
    """
    commit = _read_commit(folder)
    with suppress(GitError, ValueError):
        if commit is not None and not commit.is_shallow:
            arguments = ["log", "--skip=1", "--format=%at %ct", commit.name]
            times = commit.git.output(arguments).split()
            return frozenset(map(int, times))
    return frozenset()


def _format(seconds: float) -> str:
    """Return a date as in a sitemap. Midnight is a day without a time."""
    date = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=int(seconds))
    return format_lastmod(date, date_only=seconds % _DAY == 0)
