"""The functions that the benchmark of analyses replaces exist."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

pytest.importorskip("mkdocs")
pytest.importorskip("sphinx")

sys.path.insert(0, str(Path(__file__).parents[3]))

from benchmarks.analyses import ANALYSES, Analysis, count_tokens, find_original
from benchmarks.rebuild import judge, read_text
from benchmarks.rules import RULES
from benchmarks.thresholds import THRESHOLDS


@pytest.mark.parametrize("analysis", [*ANALYSES, *RULES], ids=lambda one: one.name)
def test_an_analysis_replaces_and_counts_what_exists(analysis: Analysis) -> None:
    for target in analysis.without:
        find_original(target)
    assert count_tokens(analysis) > 0 or not analysis.code


def test_all_thresholds_are_measured() -> None:
    """All constants with the least or nearest value of a score, in two modules."""
    measured, modules = set(), set()
    for threshold in THRESHOLDS:
        module, _, name = threshold.target.partition(":")
        assert isinstance(find_original(threshold.target)[2], int | float)
        measured.add(name)
        modules.add(module)
    for module in modules:
        for name, value in vars(sys.modules[module]).items():
            is_threshold = name.lstrip("_").startswith(("MIN_", "NEAR"))
            if is_threshold and isinstance(value, int | float):
                assert name in measured


def test_a_date_is_judged_by_the_text_of_the_page() -> None:
    assert judge("Old.", "Text.", "Text.") == "exact"
    assert judge(None, "Version 1.2.", "Version 1.3.") == "exact"
    assert judge("Text.", "Text.", "Text.") == "too new"
    assert judge("Old.", "Text.", "New.") == "too old"
    assert judge("Old.", None, "New.") == "unknown"


def test_the_text_of_a_page_has_no_navigation() -> None:
    page = b"<body><nav>Next</nav><main><h1>A<a class=headerlink>#</a></h1>b</main>"
    assert read_text(page) == "A b"
