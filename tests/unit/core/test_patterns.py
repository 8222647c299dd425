"""Patterns of pages, without a build."""

from __future__ import annotations

import time

import pytest

from docs_sitemap.config.patterns import NameIndex, PageNames, compile_pattern

BASE = "https://example.org/docs/"


@pytest.mark.parametrize(
    "pattern", ["guide/*", "guide/**", "guide/**/*", "guide/**/**"]
)
def test_the_content_of_a_folder_does_not_include_the_folder(pattern: str) -> None:
    expression = compile_pattern(pattern)
    assert expression.fullmatch("guide/a")
    assert expression.fullmatch("guide/a/b")
    assert not expression.fullmatch("guide/")


@pytest.mark.parametrize(
    ("pattern", "matching", "other"),
    [
        ("a[]", "a[]", "a"),
        ("a[!]", "a[!]", "ab"),
        ("a[", "a[", "a"),
        ("[]]", "]", "["),
        ("[!]]", "a", "]"),
        ("[z-ab]", "b", "a"),
        ("[!z-a]", "b", ""),
        ("[a--b]", "b", "a"),
        ("[[:alpha:]]", "a]", "b"),
    ],
)
def test_unusual_sets_match_as_in_a_shell(
    pattern: str, matching: str, other: str
) -> None:
    expression = compile_pattern(pattern)
    assert expression.fullmatch(matching)
    assert not expression.fullmatch(other)


@pytest.mark.parametrize(
    "pattern", ["*a" * 30 + "b", "*/" * 30 + "b", "*" * 5_000 + "b"]
)
def test_many_stars_take_no_time(pattern: str) -> None:
    start = time.process_time()
    assert not compile_pattern(pattern).fullmatch("a/" * 200)
    assert time.process_time() - start < 5


@pytest.mark.parametrize(
    "pattern", ["d\u00f3cs/a.md", "do\u0301cs/a.md", "d\u00f3cs/*.md"]
)
@pytest.mark.parametrize("folder", ["d\u00f3cs", "do\u0301cs"])
def test_accents_of_a_source_folder_may_be_decomposed(
    folder: str, pattern: str
) -> None:
    index = NameIndex([PageNames("a.md", "a/", f"{folder}/a.md")], BASE)
    assert index.match(pattern) == [0]


def test_a_url_with_surrogates_has_names() -> None:
    index = NameIndex([PageNames("a.md", "\udc80%20/")], BASE)
    assert index.match("\udc80 /") == [0]
    assert index.match("b") == []
