"""Check whether the dates in sitemaps tell search engines anything: whether there are dates, and
whether they differ.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import UTC, datetime

from docs_sitemap.commands.check.site_rules import SiteRule
from docs_sitemap.diagnostics import Diagnostic
from docs_sitemap.git.built_commit import BuiltCommit
from docs_sitemap.git.file_date import HistoryOptions
from docs_sitemap.git.run import GitError
from docs_sitemap.git.shallow import full_history_advice
from docs_sitemap.site_folder import SiteFolder
from docs_sitemap.sitemap.protocol import format_lastmod
from docs_sitemap.sitemap.validation import Inventory

# Fewer pages may have changed together.
_MIN_PAGES = 5
# In seconds. No build needs longer to write its pages.
_BUILD = 600
_DAY = 86_400

# How to get the dates of commits, by a word in the generator meta element. Other generators have no
# option for this.
_FIXES = {
    "docs-sitemap": "build in a clone, and without the option lastmod_fallback",
    "mkdocs": "add the plugin sitemap of docs-sitemap to mkdocs.yml",
    "sphinx": "add sphinx_sitemap_ext to the extensions in conf.py",
    "hugo": "set enableGitInfo to true in the configuration of Hugo",
    "docusaurus": "set lastmod: 'date' in the sitemap option of the preset in docusaurus.config.js",
    "vitepress": "set lastUpdated: true in the configuration of VitePress",
    "eleventy": "set date: git Last Modified in the front matter or data files of Eleventy",
    "jekyll": "add the plugin jekyll-last-modified-at to the configuration of Jekyll",
}
_GENERATE = "run `docs-sitemap generate` after the build"


def check_dates(
    inventory: Inventory, folder: SiteFolder, file: str, generator: str, now: datetime
) -> Iterator[Diagnostic]:
    """Check the dates of all pages of a site.

    Args:
        inventory: What the sitemaps of the site list.
        folder: The folder of the site.
        file: The first sitemap, as the user would write it.
        generator: The generator that the pages name; empty if it is unknown.
        now: The current time with its zone.
    """
    dates, pages = inventory.dates, inventory.entry_count
    if pages < _MIN_PAGES or 0 < dates.total() < _MIN_PAGES:
        return
    if not generator and folder.exists("_static/documentation_options.js"):
        generator = "Sphinx"  # Its pages do not name it.
    if not dates:
        message = f"none of the {pages:,} URLs has a date"
        fix = _describe_fix(generator, _read_commit(folder))
        yield SiteRule.LASTMOD_MISSING.diagnostic(message, file, fix=fix)
        return
    first, last, number = _find_cluster(dates)
    if dates.total() - number > max(1, dates.total() // 10):
        return
    commit = _read_commit(folder)
    # In a shallow clone, the last commit seems to have changed all files.
    if commit is not None and not commit.is_shallow:
        own_files = folder.root if generator else None
        if _is_explained(commit, first, last, number, own_files):
            return
    is_day = first == last and first % _DAY == 0
    date = format_lastmod(datetime.fromtimestamp(first, UTC), date_only=is_day)
    dates_are = "are" if first == last else "are within 10 minutes of"
    message = f"{number:,} of {dates.total():,} dates {dates_are} {date}"
    if commit is not None and first <= commit.committed.timestamp() <= last:
        message += ", the date of the last commit"
    elif first - _DAY <= now.timestamp() <= last + (2 * _DAY if is_day else _DAY):
        message += ", within a day of the build"
    fix = f"{_describe_fix(generator, commit)}; ignore this if one commit changed all these pages"
    yield SiteRule.LASTMOD_ALL_SAME.diagnostic(message, file, fix=fix)


def _find_cluster(dates: Counter[int]) -> tuple[int, int, int]:
    """Return the first and last of the most dates within a few minutes, and their number."""
    times = sorted(dates)
    best = (times[0], times[0], 0)
    start = number = 0
    for last in times:
        number += dates[last]
        while last - times[start] > _BUILD:
            number -= dates[times[start]]
            start += 1
        if number > best[2]:
            best = (times[start], last, number)
    return best


def _read_commit(folder: SiteFolder) -> BuiltCommit | None:
    """Return the commit that is checked out in the repository with a folder, if there is one."""
    try:
        return BuiltCommit.read(folder.root, HistoryOptions())
    except (GitError, OSError, ValueError):
        return None


def _is_explained(
    commit: BuiltCommit, first: int, last: int, number: int, own_files: str | None
) -> bool:
    """Return whether commits with these dates may have changed the sources of the pages.

    Args:
        commit: The commit that is checked out.
        first: The first date, in seconds; a day starts at midnight.
        last: The last date.
        number: The number of pages with these dates.
        own_files: The folder whose files are no sources, because a generator wrote them.
    """
    is_day = first == last and first % _DAY == 0
    if is_day:  # in any time zone
        first, last = first - _DAY // 2, last + _DAY + _DAY // 2
    try:
        with closing(commit.git.fields(["log", "-z", "--format=%H %at %ct", commit.name])) as lines:
            commits = [
                name
                for name, *times in map(bytes.split, lines)
                if any(first <= int(time) <= last for time in times)
            ]
        # The build takes its time from the clock, or from the last commit.
        if not is_day and {*commits} - {commit.name.encode()}:
            return True
        changes = ["diff-tree", "--stdin", "--root", "--diff-merges=first-parent", "--no-renames"]
        files = ["-r", "-z", "--name-only"]
        changed = _read_paths(
            commit, [*changes, *files, "--no-commit-id"], own_files, b"\n".join([*commits, b""])
        )
        tracked = _read_paths(commit, ["ls-tree", "--full-tree", *files, commit.name], own_files)
    except (GitError, ValueError):
        return False
    # Several pages may have one source.
    return changed >= max(1, min(number, tracked // 2))


def _read_paths(
    commit: BuiltCommit, arguments: Sequence[str], own_files: str | None, stdin: bytes = b""
) -> int:
    """Return the number of different paths outside a folder that git prints."""
    top = os.path.join(os.path.realpath(commit.git.folder), "")
    with closing(commit.git.fields(arguments, stdin=stdin)) as paths:
        if own_files is None:
            return len({*paths})
        own = os.fsencode(os.path.join(own_files, "")).removeprefix(os.fsencode(top))
        own = own.replace(os.fsencode(os.sep), b"/")
        return len({path for path in paths if not path.startswith(own)})


def _describe_fix(generator: str, commit: BuiltCommit | None) -> str:
    """Return how to get the dates of commits with a generator."""
    fixes = (fix for name, fix in _FIXES.items() if name in generator.lower())
    fix = next(fixes, _GENERATE)
    if commit is None:
        return f"{fix}; in CI, build with the complete history of git (fetch-depth: 0)"
    return f"the clone is shallow: {full_history_advice()}; {fix}" if commit.is_shallow else fix
