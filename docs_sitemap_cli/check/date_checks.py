"""Check the dates of a site: whether there are any, and whether they differ."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from docs_sitemap.diagnostics import Diagnostic
from docs_sitemap.git.run import GitError
from docs_sitemap.sitemap.protocol import format_lastmod
from docs_sitemap.sitemap.urls import NormalizedUrl
from docs_sitemap.steps.missing_dates import full_history_advice
from docs_sitemap_cli.commits import MIN_PAGES, BuiltCommit, largest_group, read_commit
from docs_sitemap_cli.published.folder import Generator, SiteFolder, find_generator

from .site_rules import DATING_TOOLS, SiteRule

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
        diagnostic = SiteRule.LASTMOD_MISSING.diagnostic(message, file)
        yield replace(diagnostic, fix=_fix(SiteRule.LASTMOD_MISSING, folder, commit))
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
    diagnostic = SiteRule.LASTMOD_ALL_SAME.diagnostic(message, file)
    yield replace(diagnostic, fix=_fix(SiteRule.LASTMOD_ALL_SAME, folder, commit))


def _fix(rule: SiteRule, folder: SiteFolder | None, commit: BuiltCommit | None) -> str:
    """Return the fix for the generator of a site and, in a shallow clone, for the CI
    service.
    """
    fix = rule.fix
    if folder is not None:
        generator = find_generator(folder)
        fix = fix.replace(DATING_TOOLS, _TOOLS.get(generator, DATING_TOOLS))
    if commit is not None and commit.is_shallow:
        fix = f"the clone is shallow: {full_history_advice()}; {fix}"
    return fix


def _format(seconds: float) -> str:
    """Return a date as in a sitemap. Midnight is a day without a time."""
    date = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=int(seconds))
    return format_lastmod(date, date_only=seconds % _SECONDS_OF_A_DAY == 0)
