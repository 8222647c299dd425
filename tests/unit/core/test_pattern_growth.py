"""No pattern backtracks. Each compiled pattern of all modules is tried, as the code uses
it, on texts that repeat its own literals.

Texts that repeat other fragments are tried in `test_growth.py`.
"""

from __future__ import annotations

import importlib
import math
import pkgutil
import re
import time
from collections.abc import Iterator, Sequence, Set
from functools import cache
from inspect import getsource
from itertools import permutations
from types import ModuleType
from typing import Any

import pytest

import docs_sitemap
import docs_sitemap_cli
import mkdocs_sitemap
import sphinx_sitemap_ext

_constants: Any = importlib.import_module("re._constants")
_parser: Any = importlib.import_module("re._parser")

PACKAGES = (docs_sitemap, docs_sitemap_cli, mkdocs_sitemap, sphinx_sitemap_ext)

# In characters. With exponential or cubic time, one of the short texts takes long.
SHORT_SIZES = (*range(12, 60, 2), *range(60, 200, 8))
SIZE = 10_000

# In seconds of the processor. With linear time, a text takes one or two milliseconds.
LONG = 0.1
UNUSUAL = 0.005

# Patterns that see only short texts, and why.
SHORT = {
    "docs_sitemap.built.generated_pages._GENERATED": "paths of files",
    "docs_sitemap_cli.generate.sources.fingerprints._MARKUP": "40,000 characters",
    "docs_sitemap_cli.generate.sources.fingerprints._CODE": "40,000 characters",
    "docs_sitemap_cli.published.page._DOXYGEN": "paths of files",
}

# Patterns that search only a text with an end, and its name.
GUARDED = {
    "docs_sitemap.shown.document_notations._HTML_COMMENT": "-->",
}

# Patterns that see only the pages of the build, and why.
OWN = {
    "mkdocs_sitemap.markdown_dates._CODE": "the HTML of a page with a variable",
    "mkdocs_sitemap.markdown_dates._VARIABLE": "the Markdown of a page",
    "docs_sitemap.sources.shown_definitions._ABBREVIATION": "the HTML of a page",
    "docs_sitemap.sources.shown_definitions._TAG": "an abbreviation",
}

_REPEATS = (
    _constants.MAX_REPEAT,
    _constants.MIN_REPEAT,
    _constants.POSSESSIVE_REPEAT,
)
_CATEGORIES = {
    _constants.CATEGORY_DIGIT: "0",
    _constants.CATEGORY_SPACE: " ",
    _constants.CATEGORY_NOT_WORD: "-",
}


def modules() -> Iterator[ModuleType]:
    for package in PACKAGES:
        yield package
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not module.name.endswith("__main__"):
                yield importlib.import_module(module.name)


@cache
def patterns() -> dict[str, dict[re.Pattern[Any], frozenset[str]]]:
    """Return the patterns by name, with the names of the methods that use them."""
    found: dict[str, dict[re.Pattern[Any], frozenset[str]]] = {}
    for module in modules():
        source = getsource(module)
        for name, value in vars(module).items():
            calls = rf"\bre\.(\w+)\(\s*{name}\b"
            # `re.match(NAME, text)` compiles the pattern when it is used.
            if isinstance(value, str | bytes) and re.search(calls, source):
                value = re.compile(value)
            values: Sequence[object] = (value,)
            if isinstance(value, tuple | list):
                values = value
            if isinstance(value, dict):
                values = tuple(value.values())
            chosen = []
            for one in values:
                # The rows of a table contain a pattern.
                row = one if isinstance(one, tuple) else (one,)
                chosen += [part for part in row if isinstance(part, re.Pattern)]
            if not chosen:
                continue
            used = re.findall(rf"\b{name}(?:\[\w+\])?\.(\w+)", source)
            used += re.findall(calls, source)
            # A pattern of another module, or in a loop, is used in some way.
            methods = frozenset(used or ("match", "fullmatch", "finditer"))
            found[f"{module.__name__}.{name}"] = dict.fromkeys(chosen, methods)
    return found


def example(items: Any, units: dict[str, None]) -> str:
    """Return a text that a part of a pattern matches, more or less, and add the texts
    of all its parts to `units`.
    """
    text = ""
    for kind, value in items:
        part = ""
        if kind is _constants.LITERAL:
            part = chr(value)
        elif kind in (_constants.ANY, _constants.NOT_LITERAL):
            part = "b"
        elif kind is _constants.IN:
            part = character(value)
        elif kind in _REPEATS:
            least, _, inner = value
            one = example(inner, units)
            units[one] = None
            part = one * max(1, least)
        elif kind is _constants.SUBPATTERN:
            part = example(value[3], units)
        elif kind is _constants.ATOMIC_GROUP:
            part = example(value, units)
        elif kind is _constants.BRANCH:
            parts = [example(branch, units) for branch in value[1]]
            units.update(dict.fromkeys(parts))
            part = parts[0]
        elif kind in (_constants.ASSERT, _constants.ASSERT_NOT):
            example(value[1], units)
        text += part
        units[text] = None
    return text


def character(items: Any) -> str:
    """Return a character of a set, or one that is in few sets."""
    kind, value = items[0]
    if kind is _constants.LITERAL:
        return chr(value)
    if kind is _constants.RANGE:
        return chr(value[0])
    if kind is _constants.CATEGORY:
        return _CATEGORIES.get(value, "a")
    return "b"


@cache
def fragments(pattern: re.Pattern[Any]) -> list[str]:
    """Return texts that the pattern and its parts match, more or less."""
    units: dict[str, None] = {}
    complete = example(_parser.parse(pattern.pattern, pattern.flags), units)
    short = sorted(filter(None, units), key=len)
    return list(dict.fromkeys([complete, *short[:5], *short[-3:]]))


def texts(pattern: re.Pattern[Any], size: int) -> Iterator[str]:
    chosen = fragments(pattern)
    for unit in filter(None, chosen):
        yield unit * (size // len(unit)) + "\n!"
    for first, second in permutations(filter(None, chosen[:5]), 2):
        start = first * (size // 2 // len(first))
        yield start + second * (size // 2 // len(second)) + "\n!"


def seconds(pattern: re.Pattern[Any], text: str, methods: Set[str]) -> float:
    """Return the shortest of some measurements: other processes disturb single ones."""
    value: Any = text
    if isinstance(pattern.pattern, bytes):
        value = text.encode("latin-1", "replace")
    best = math.inf
    for _ in range(3):
        start = time.process_time()
        if "match" in methods:
            pattern.match(value)
        if "fullmatch" in methods:
            pattern.fullmatch(value)
        if not methods <= {"match", "fullmatch"}:
            for _ in pattern.finditer(value):
                pass
        best = min(best, time.process_time() - start)
        if not UNUSUAL < best < LONG:
            break
    return best


def find_slow(pattern: re.Pattern[Any], methods: Set[str]) -> str | None:
    """Return the start of a text for which the time grows faster than its length."""
    for size in SHORT_SIZES:
        for text in texts(pattern, size):
            if seconds(pattern, text, methods) > LONG:
                return text[:40]
    for text, longer in zip(
        texts(pattern, SIZE), texts(pattern, 4 * SIZE), strict=True
    ):
        before = seconds(pattern, text, methods)
        # Four times for linear time, and sixteen times for quadratic time.
        if before > UNUSUAL and seconds(pattern, longer, methods) > 9 * before:
            return text[:40]
    return None


def test_no_pattern_backtracks() -> None:
    slow = {}
    checked = set()
    for name, named in patterns().items():
        if name in SHORT | GUARDED | OWN:
            continue
        for pattern, methods in named.items():
            if (pattern, methods) not in checked:
                checked.add((pattern, methods))
                text = find_slow(pattern, methods)
                if text is not None:
                    slow[name] = text
    assert len(checked) > 100
    assert slow == {}


@pytest.mark.parametrize("slow", ["<a[^>]*>", "(?:a|a)*b", r"(\w+\s?)*:"])
def test_slow_patterns_are_found(slow: str) -> None:
    assert find_slow(re.compile(slow, re.S), {"search"}) is not None


@pytest.mark.parametrize(
    "fast", ["<a[^<>]*>", "(?<!a)a*+b", r"[^\n]*", "<(?>[^<>]*?b)[^<>]*+>"]
)
def test_fast_patterns_are_not_reported(fast: str) -> None:
    assert find_slow(re.compile(fast, re.S), {"match", "search"}) is None


def test_the_exceptions_exist() -> None:
    assert patterns().keys() >= (SHORT | GUARDED | OWN).keys()
