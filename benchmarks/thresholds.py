"""What each threshold of `generate` decides: its quantity for pages and their own
documents, and for the likeliest other documents of pages.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from benchmarks.analyses import (
    Analysis,
    Replace,
    find_original,
    is_any,
    switch_off,
)
from benchmarks.decisions import in_child
from benchmarks.rules import BuiltSite, find_sources
from docs_sitemap_cli.generate.sources.assignment import Assignment
from docs_sitemap_cli.generate.sources.document_pairs import Pair

_PAIRS = "docs_sitemap_cli.generate.sources.document_pairs"
_ASSIGNMENT = "docs_sitemap_cli.generate.sources.assignment"


class Case(NamedTuple):
    """A page, and the documents that may be its own.

    Attributes:
        assignment: The documents of all pages of the site.
        right: The pairs with its own document, and with others that are as good.
        wrong: The pairs with documents that are not the own ones of other pages.
        of_others: The pairs with those that are.
    """

    assignment: Assignment
    right: Sequence[Pair]
    wrong: Sequence[Pair]
    of_others: Sequence[Pair]


class Threshold(NamedTuple):
    """A threshold, and what is compared with it.

    Attributes:
        target: The constant, as `module:name`.
        quantity: What is compared with it.
        bins: The lower ends of the bins of the histogram, without the first.
        measure: Returns the quantity of a pair; `None` if the threshold decides nothing
            for this pair.
        least: What replaces the constant, so that what it leaves out is measured, too.
    """

    target: str
    quantity: str
    bins: Sequence[float]
    measure: Callable[[Case, Pair], float | None]
    least: int | None = None


Values = dict[str, tuple[list[float], list[float]]]
"""The quantities by threshold: of the own document of each page, and of the other
document with the highest one.
"""


def _words(case: Case, pair: Pair) -> float:
    return pair.words


def _groups(case: Case, pair: Pair) -> float | None:
    """Return the number of groups of the shorter text, if words alone decide."""
    page = case.assignment._finder._pages[pair.page]
    document = case.assignment._documents[pair.path].text
    return min(len(page.groups), len(document.groups)) if pair.is_similar else None


def _path_words(case: Case, pair: Pair) -> float | None:
    """Return the larger share, if the path decides, and both texts are long enough."""
    is_long_enough = pair.agrees is not None and pair.shown + pair.own > 0
    if not pair.has_path or pair.is_similar or not is_long_enough:
        return None
    return max(pair.shown, pair.own)


def _votes(case: Case, pair: Pair) -> float | None:
    """Return the number of pages with the same folders, if the path decides."""
    if not pair.has_path or pair.is_similar or pair.agrees is False:
        return None
    return case.assignment._votes[pair.folders]


def _votes_share(case: Case, pair: Pair) -> float | None:
    """Return the share of the pages with the same folders, if the path decides."""
    votes = _votes(case, pair)
    return None if votes is None else votes / len(case.assignment._names)


def _margin(case: Case, pair: Pair) -> float | None:
    """Return the difference between this score and the best one of another document."""
    pairs = (*case.right, *case.wrong)
    others = [other.score for other in pairs if other.path != pair.path]
    if not pair.is_similar or not others:
        return None
    return pair.score - max(others)


def _path_weight(case: Case, pair: Pair) -> float | None:
    """Return from which weight of the path a pair has the highest score, if another one
    has as many words in common.
    """
    weight = find_original(f"{_PAIRS}:_PATH_WEIGHT")[2]
    rivals = case.right
    if pair in case.right:
        rivals = (*case.wrong, *case.of_others)
    needed = None
    for other in rivals:
        words = other.words - pair.words
        path = (pair.score - pair.words - other.score + other.words) / weight
        if pair.is_similar and words >= 0 and path > 0:
            needed = max(needed or 0.0, words / path)
    return needed


_SHARES = [number / 10 for number in range(1, 10)]

THRESHOLDS = (
    Threshold(
        "docs_sitemap_cli.generate.sources.fingerprints:MIN_GROUPS",
        "groups of the shorter of two texts that have much in common",
        [2, 4, 6, 8, 12, 16, 32, 64, 128],
        _groups,
        least=1,
    ),
    Threshold(
        f"{_PAIRS}:MIN_WORDS",
        "how much the texts have in common",
        _SHARES,
        _words,
    ),
    Threshold(
        f"{_PAIRS}:_MIN_PATH_WORDS",
        "the larger share in common, where the paths are the same",
        [0.02, 0.05, 0.08, 0.1, 0.12, 0.15, 0.2, 0.25],
        _path_words,
    ),
    Threshold(
        f"{_PAIRS}:_PATH_WEIGHT",
        "the weight from which the path outweighs the words",
        [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1],
        _path_weight,
    ),
    Threshold(
        f"{_ASSIGNMENT}:_NEAR",
        "how much higher the score is than all others of the page",
        [-0.5, -0.1, -0.05, -0.02, 0, 0.02, 0.05, 0.1, 0.5],
        _margin,
    ),
    Threshold(
        f"{_ASSIGNMENT}:_MIN_SHARE",
        "the share of these pages",
        [0.005, 0.01, 0.02, 0.04, 0.06, 0.1, 0.2, 0.5],
        _votes_share,
    ),
)


def observe(site: BuiltSite) -> Values:
    """Return the quantities of all thresholds on the pages of a site."""
    values: Values = {}
    usual = [threshold for threshold in THRESHOLDS if threshold.least is None]
    values.update(in_child(partial(_measure, site, usual)))
    for threshold in THRESHOLDS:
        if threshold.least is not None:
            values.update(in_child(partial(_measure, site, [threshold])))
    return values


def _measure(site: BuiltSite, thresholds: Sequence[Threshold]) -> Values:
    """Find the sources of a site, and measure what was compared."""
    made: list[Assignment] = []
    without = {f"{_ASSIGNMENT}:Assignment": _replaces(partial(_make, made))}
    for threshold in thresholds:
        if threshold.least is not None:
            without[threshold.target] = _replaces(threshold.least)
    switch_off(Analysis("", is_any, without))
    find_sources(site, None)
    values: Values = {threshold.target: ([], []) for threshold in thresholds}
    for assignment in made:
        for case in _find_cases(site, assignment):
            for threshold in thresholds:
                measure = partial(threshold.measure, case)
                right, wrong = values[threshold.target]
                right += _highest(map(measure, case.right))
                wrong += _highest(map(measure, case.wrong))
    return values


def _replaces(value: Any) -> Replace:
    return lambda original: value


def _make(made: list[Assignment], *args: Any) -> Assignment:
    """Assign documents, and keep how."""
    assignment = Assignment(*args)
    made.append(assignment)
    return assignment


def _find_cases(site: BuiltSite, assignment: Assignment) -> list[Case]:
    """Return the cases of the pages of a site that do not name their documents."""
    owned: set[str] = set()
    for sources in site.expected.values():
        owned.update(sources)
    cases = []
    for page, pairs in assignment._pairs.items():
        if page not in site.expected:
            continue
        right = []
        wrong = []
        of_others = []
        for pair in assignment._score(pairs):
            if pair.path in site.expected[page]:
                right.append(pair)
            elif pair.path not in owned:
                wrong.append(pair)
            else:
                of_others.append(pair)
        cases.append(Case(assignment, right, wrong, of_others))
    return cases


def _highest(values: Iterable[float | None]) -> list[float]:
    known = [value for value in values if value is not None]
    return [max(known)] if known else []


def print_histograms(observed: Mapping[str, Values]) -> None:
    """Print the histogram of each threshold for all sites together."""
    for threshold in THRESHOLDS:
        rights: list[float] = []
        wrongs: list[float] = []
        for values in observed.values():
            right, wrong = values[threshold.target]
            rights += right
            wrongs += wrong
        name = threshold.target.partition(":")[2].strip("_")
        constant = find_original(threshold.target)[2]
        print(f"\n`{name}` is {constant}: {threshold.quantity}\n")
        ends = [f"< {threshold.bins[0]:g}"]
        for low in threshold.bins:
            ends.append(f"≥ {low:g}")
        print(f"| | {' | '.join(ends)} |\n| --- |{' --: |' * len(ends)}")
        for title, numbers in ("own document", rights), ("best other", wrongs):
            counts = [0] * len(ends)
            for number in numbers:
                counts[bisect_right(threshold.bins, number)] += 1
            print(f"| {title} | {' | '.join(map(str, counts))} |")
