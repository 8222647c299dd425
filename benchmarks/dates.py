"""Find the dates of all pages of a repository, and compare them with those from `git
log -1`.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from benchmarks.core import load_modules

Dates = dict[str, int]
"""Unix timestamps by path."""


def pages(repository: str, docs: str) -> list[str]:
    names = _git(
        repository, "ls-tree", "-r", "-z", "--name-only", "HEAD", "--", f"{docs}/"
    )
    return [name for name in names.split("\0") if name.endswith((".md", ".rst"))]


# The options of `git log` for each value of `lastmod_date`.
GIT_LOG = {
    "merged": ("--first-parent", "--format=%ct"),
    "committed": ("--format=%ct",),
    "authored": ("--format=%at",),
}


def git_log(repository: str, docs: str, date: str = "merged") -> Callable[[], Dates]:
    paths = pages(repository, docs)
    command = ("log", "-1", *GIT_LOG[date], "--")
    return lambda: {path: int(_git(repository, *command, path)) for path in paths}


def this_project(
    repository: str, docs: str, cache: str, date: str = "merged"
) -> Callable[[], Dates]:
    from docs_sitemap import History, Page, Site, Source, build_sitemap, read_options
    from docs_sitemap.sitemap.urls import parse_base_url

    load_modules()
    # All commits count, as they do for the others.
    base_url = parse_base_url("https://example.org/")
    options = read_options(
        {
            "base_url": base_url,
            "ignore_revs_file": "",
            "lastmod_changes": "any",
            "lastmod_date": date,
        }
    )
    built = [
        Page(url=path, name=path, sources=(Source(str(Path(repository, path))),))
        for path in pages(repository, docs)
    ]

    def measured() -> Dates:
        with tempfile.TemporaryDirectory() as folder:
            cache_dir = cache or f"{folder}/cache"
            history = History(cache_dir)
            site = Site(pages=built, options=options, out_dir=folder, history=history)
            report = build_sitemap(site)
        lastmods = {entry.page.name: entry.lastmod.value for entry in report.listed}
        return {
            p: int(v.timestamp())
            for p, v in lastmods.items()
            if isinstance(v, datetime)
        }

    return measured


def sphinx_last_updated_by_git(repository: str, docs: str) -> Callable[[], Dates]:
    from sphinx_last_updated_by_git import update_file_dates

    folders: dict[str, dict[str, tuple[bytes, bool] | None]] = {}
    for path in pages(repository, docs):
        folders.setdefault(os.path.dirname(path), {})[os.path.basename(path)] = None

    def measured() -> Dates:
        for folder, dates in folders.items():
            update_file_dates(os.path.join(repository, folder), set(), dates)
        return {
            f"{folder}/{name}": int(date[0])
            for folder, dates in folders.items()
            for name, date in dates.items()
            if date
        }

    return measured


def mkdocs_git_revision_date_localized(
    repository: str, docs: str
) -> Callable[[], Dates]:
    from mkdocs_git_revision_date_localized_plugin.util import Util

    paths = pages(repository, docs)
    # The plugin's default options.
    util = Util({"enable_git_follow": True}, repository)

    def measured() -> Dates:
        find = util.get_git_commit_timestamp
        return {path: int(find(os.path.join(repository, path))[1]) for path in paths}

    return measured


def accuracy(dates: Dates, *expected: Dates) -> str:
    """Return how many dates are incorrect and missing, by the kind of date that fits
    best.
    """
    incorrect = min(
        sum(date != kind[path] for path, date in dates.items()) for kind in expected
    )
    return f"{incorrect:,} / {len(expected[0]) - len(dates):,}"


def _git(repository: str, *arguments: str) -> str:
    command = ["git", "-C", repository, "--literal-pathspecs", *arguments]
    return os.fsdecode(
        subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
    )
