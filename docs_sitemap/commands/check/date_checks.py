"""Check the dates of a site: whether there are any, and whether they differ."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from docs_sitemap.built.site_folder import SiteFolder
from docs_sitemap.diagnostics import Diagnostic
from docs_sitemap.git.built_commit import BuiltCommit
from docs_sitemap.git.file_date import HistoryOptions
from docs_sitemap.git.run import GitError
from docs_sitemap.git.shallow import full_history_advice
from docs_sitemap.sitemap.date_groups import MIN_PAGES, largest_group
from docs_sitemap.sitemap.protocol import format_lastmod
from docs_sitemap.sitemap.urls import NormalizedUrl
from docs_sitemap.tools.printing import count

from .site_rules import SiteRule

# The share of the dates that may differ if the others are those of one build: pages can
# set theirs.
_MAX_OTHERS = 0.1
_DAY = 86_400

# How to get the dates of commits, by a word in the generator meta element.
_FIXES = {
    "docs-sitemap": "build in a clone",
    "mkdocs": "add the plugin sitemap of docs-sitemap to mkdocs.yml",
    "sphinx": "add sphinx_sitemap_ext to the extensions in conf.py",
    "": "run `docs-sitemap generate --update` after the build",
}


def check_dates(
    folder: SiteFolder | None,
    file: str,
    dates: Mapping[NormalizedUrl, int | None],
    generator: str,
    now: datetime,
) -> Iterator[Diagnostic]:
    """Check whether the pages of a site have dates, and whether these differ.

    Args:
        folder: The folder of the site; `None` if the site is live.
        file: The first sitemap, as the user would write it.
        dates: The date of each URL in seconds; a day without a time starts at midnight.
        generator: The generator that the pages name; empty if it is unknown.
        now: The current time with its zone.
    """
    known = sorted(date for date in dates.values() if date is not None)
    if len(dates) < MIN_PAGES or 0 < len(known) < MIN_PAGES:
        return
    commit = None if folder is None else _read_commit(folder.root)
    fix = _describe_fix(_generator_name(folder, generator), commit)
    if not known:
        message = f"none of the {len(dates):,} URLs has a date"
        yield replace(SiteRule.LASTMOD_MISSING.diagnostic(message, file), fix=fix)
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
    elif first - _DAY <= now.timestamp() <= last + 2 * _DAY:
        message += ", about the time of the build"
    fix += "; ignore this if one commit changed all these pages"
    yield replace(SiteRule.LASTMOD_ALL_SAME.diagnostic(message, file), fix=fix)


def describe_other_dates(texts: Sequence[str]) -> str:
    """Return what pages show that differs from the sitemap.

    Args:
        texts: What each of these pages shows.
    """
    message = texts[0]
    if len(texts) > 1:
        message += f"; so do {count(len(texts) - 1, 'other page')}"
    return message


def _generator_name(folder: SiteFolder | None, generator: str) -> str:
    """Return the name of a generator in lower case, with its version; empty if it is
    unknown.
    """
    if folder is None or generator:
        return generator.lower()
    # The pages of Sphinx do not name it.
    if folder.exists("_static/documentation_options.js"):
        return "sphinx"
    return ""


def _describe_fix(generator: str, commit: BuiltCommit | None) -> str:
    """Return how to get the dates of commits with the generator of the site."""
    fix = next(fix for name, fix in _FIXES.items() if name in generator)
    if commit is None:
        return f"{fix}; in CI, build with the complete history of git (fetch-depth: 0)"
    if commit.is_shallow:
        return f"the clone is shallow: {full_history_advice()}; {fix}"
    return fix


def _read_commit(folder: str) -> BuiltCommit | None:
    """Return the commit that is checked out in the repository with a folder, if there
    is one.
    """
    with suppress(GitError, OSError, ValueError):
        return BuiltCommit.read(folder, HistoryOptions())
    return None


def _format(seconds: float) -> str:
    """Return a date as in a sitemap. Midnight is a day without a time."""
    date = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=int(seconds))
    return format_lastmod(date, date_only=seconds % _DAY == 0)
