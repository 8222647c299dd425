"""Date the saved pages of a project without each analysis, and count what changes."""

from __future__ import annotations

import copy
import os
import pickle
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import replace
from datetime import date, datetime
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.analyses import (
    ANALYSES,
    Analysis,
    Finds,
    count_tokens,
    leave_out,
    switch_off,
    time_calls,
)
from docs_sitemap.diagnostics import Diagnostics
from docs_sitemap.entry import Entry
from docs_sitemap.git.history import History
from docs_sitemap.page import Source
from docs_sitemap.shown import COMPLETE_FILE, Shown
from docs_sitemap.shown.front_matter import FrontMatterKeys
from docs_sitemap.site import Site
from docs_sitemap.steps.dates import _messages, _wanted_file, find_dates

Captured = list[tuple[list[Entry], Site]]
"""The pages of each site that a build dates, before they are dated."""

Dates = dict[str, str]
"""The date of each page as text, by URL; empty if it is unknown."""


class Decision(NamedTuple):
    """What an analysis decides in a project.

    Attributes:
        pages: The pages with a source that the analysis is for.
        newer: The pages that are newer without the analysis.
        older: The pages that are older.
        lost: The pages that have no date.
        gained: The pages that have a date only without the analysis.
        seconds: The processor seconds in its functions, when pages are dated.
        changed: Each changed page: its URL, and its date with and without the analysis.
    """

    pages: int
    newer: int = 0
    older: int = 0
    lost: int = 0
    gained: int = 0
    seconds: float = 0.0
    changed: tuple[tuple[str, str, str], ...] = ()


class Comparison(NamedTuple):
    """Two versions of a file that a walk over the history has compared.

    Attributes:
        shown: What pages show of the file.
        path: The path of the file.
        old: The content of one version.
        new: The content of the other.
        is_same: Whether pages show the same of both.
    """

    shown: Shown
    path: bytes
    old: bytes
    new: bytes
    is_same: bool


def decide(pages: Path) -> dict[str, Decision]:
    """Return what each analysis decides in a project.

    The history is walked again only if a comparison has another result.

    Args:
        pages: The saved pages of a build.
    """
    captured, finds = read_pages(pages)
    expected, comparisons = in_child(lambda: _record(captured))
    seconds = in_child(lambda: _measure(captured))
    decisions = {}
    for analysis in ANALYSES:
        print(analysis.name, file=sys.stderr, flush=True)
        if analysis.collects:
            found, others = finds.get(analysis.name, (set(), set()))
            analysis = _leaving_out(analysis, found - others)
        urls = _pages_of(captured, analysis)
        if not urls:
            continue
        decision = Decision(len(urls))
        if not _compares_same(captured, comparisons, analysis):
            dates = in_child(partial(_date, captured, analysis, urls))
            decision = _compare(expected, dates, urls)
        cost = seconds.get(analysis.name, 0.0)
        decisions[analysis.name] = decision._replace(seconds=cost)
    return decisions


def read_pages(path: Path) -> tuple[Captured, Finds]:
    """Return the pages of a build, and what only collecting analyses find."""
    saved, finds = pickle.loads(path.read_bytes())  # noqa: S301
    captured = []
    for entries, fields, words in saved:
        keys = FrontMatterKeys(partial(copy.copy, words))
        captured.append((entries, Site(pages=(), front_matter=keys, **fields)))
    return captured, finds


def _leaving_out(analysis: Analysis, dropped: Set[Any]) -> Analysis:
    """Return a collecting analysis as one that leaves out what it finds."""

    def leave(source: Source) -> Source | None:
        return leave_out(source, dropped)

    def is_found(source: Source) -> bool:
        return leave(source) != source

    return analysis._replace(is_for=is_found, drop=leave, without={})


def _record(captured: Captured) -> tuple[Dates, list[Comparison]]:
    """Return the dates of pages, and all comparisons that decide them."""
    from docs_sitemap.git.file_changes import VersionReader

    comparisons: dict[Comparison, None] = {}
    original = VersionReader._compare_contents

    def record(self: Any, versions: Any, contents: Any) -> Any:
        keys = original(self, versions, contents)
        old, new = contents.get(versions.old), contents.get(versions.new)
        if old is not None and new is not None:
            shows = self._front_matter.shows
            is_same = keys is not None and not any(map(shows, keys))
            shown = versions.file.shown
            comparisons[Comparison(shown, versions.path, old, new, is_same)] = None
        return keys

    VersionReader._compare_contents = record  # type: ignore[method-assign]
    return _date(captured), list(comparisons)


def _measure(captured: Captured) -> dict[str, float]:
    """Return the processor seconds in the functions of each analysis."""
    seconds = time_calls()
    _date(captured)
    return seconds


def _compares_same(
    captured: Captured, comparisons: Sequence[Comparison], analysis: Analysis
) -> bool:
    """Return whether all comparisons have the same result without an analysis."""
    if analysis.walks:
        return False
    wanted: dict[Shown, Shown | None] = {}
    sites = {}
    for entries, site in captured:
        for entry in entries:
            for source in entry.sources or ():
                if analysis.is_for(source):
                    changed = source
                    if analysis.drop is not None:
                        kept = analysis.drop(source)
                        if kept is None or kept.shows == COMPLETE_FILE:
                            return False
                        changed = kept
                    before = _wanted_file(source, _messages(entry), site).shown
                    wanted[before] = _wanted_file(changed, _messages(entry), site).shown
                    sites[before] = site

    def compare() -> bool:
        switch_off(analysis)
        for one in comparisons:
            shown = wanted.get(one.shown)
            if shown is None:
                continue
            keys = sites[one.shown].front_matter
            if _is_same(shown, one, keys) is not one.is_same:
                return False
        return True

    return bool(in_child(compare))


def _is_same(shown: Shown, versions: Comparison, front_matter: Any) -> bool:
    keys = shown.changed_keys(versions.path, versions.old, versions.new)
    return keys is not None and not any(map(front_matter.shows, keys))


def _pages_of(captured: Captured, analysis: Analysis) -> set[str]:
    """Return the URLs of the pages with a source that an analysis is for."""
    urls = set()
    for entries, _ in captured:
        for entry in entries:
            if any(map(analysis.is_for, entry.sources or ())):
                urls.add(entry.page.url)
    return urls


def _date(
    captured: Captured, analysis: Analysis | None = None, urls: Set[str] | None = None
) -> Dates:
    """Return the dates of pages without an analysis."""
    if analysis is not None:
        switch_off(analysis)
    dates = {}
    for entries, site in captured:
        if urls is not None:
            entries = [entry for entry in entries if entry.page.url in urls]
        if analysis is not None and analysis.drop is not None:
            for entry in entries:
                entry.sources = _change(entry.sources, analysis)
        find_dates(entries, replace(site, history=History()), Diagnostics())
        for entry in entries:
            dates[entry.page.url] = _text(entry.lastmod.value)
    return dates


def _change(sources: Any, analysis: Analysis) -> Any:
    if sources is None or analysis.drop is None:
        return sources
    changed = []
    for source in sources:
        if analysis.is_for(source):
            source = analysis.drop(source)
        if source is not None:
            changed.append(source)
    return tuple(dict.fromkeys(changed))


def _text(value: date | datetime | None) -> str:
    return "" if value is None else value.isoformat()


def _compare(expected: Dates, found: Dates, urls: Set[str]) -> Decision:
    counts = dict.fromkeys(("newer", "older", "lost", "gained"), 0)
    changed = []
    for url in sorted(urls):
        before, after = expected.get(url, ""), found.get(url, "")
        if before == after:
            continue
        changed.append((url, before, after))
        if not after:
            counts["lost"] += 1
        elif not before:
            counts["gained"] += 1
        elif after > before:
            counts["newer"] += 1
        else:
            counts["older"] += 1
    return Decision(len(urls), **counts, changed=tuple(changed))


def in_child(function: Callable[[], Any]) -> Any:
    """Call a function in a process of its own, which starts with the state of this one,
    and return its result.
    """
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        code = 1
        try:
            with os.fdopen(writer, "wb") as file:
                pickle.dump(function(), file)
            code = 0
        except Exception:
            traceback.print_exc()
        finally:
            os._exit(code)
    os.close(writer)
    with os.fdopen(reader, "rb") as file:
        content = file.read()
    _, status = os.waitpid(child, 0)
    if status:
        raise ChildProcessError("a process without an analysis failed")
    return pickle.loads(content)  # noqa: S301


def print_table(decided: Mapping[str, Mapping[str, Decision]]) -> None:
    """Print what each analysis decides in all projects together."""
    header = "| Without | Pages | Newer | Older | Lost | Share | Seconds | Tokens | Projects |"
    print(f"\n{header}\n| --- | --: | --: | --: | --: | --: | --: | --: | --- |")
    for analysis in ANALYSES:
        pages = newer = older = lost = 0
        seconds = 0.0
        names = []
        for name, decisions in decided.items():
            decision = decisions.get(analysis.name, Decision(0))
            pages += decision.pages
            newer += decision.newer
            older += decision.older
            lost += decision.lost
            seconds += decision.seconds
            if decision.changed:
                names.append(f"{name} {len(decision.changed)}")
        share = 100 * (newer + older + lost) / max(1, pages)
        numbers = (
            f"{pages} | {newer} | {older} | {lost} | {share:.1f} % | {seconds:.1f}"
        )
        tokens = count_tokens(analysis)
        print(f"| {analysis.name} | {numbers} | {tokens} | {', '.join(names)} |")
