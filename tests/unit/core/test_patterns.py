"""Patterns of pages, as the option `exclude` uses them."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.builds import BASE_URL, as_sources, build, build_site

from docs_sitemap import Page, quote_path, read_options


def find_excluded(folder: Path, pattern: str, *names: str) -> list[str]:
    """Return the names of the pages that a pattern excludes."""
    pages = [Page(url=quote_path(name), name=name) for name in names]
    report = build(folder, *pages, exclude=[pattern])
    return [entry.page.name for entry in report.excluded]


@pytest.mark.parametrize(
    "pattern", ["guide/*", "guide/**", "guide/**/*", "guide/**/**"]
)
def test_the_content_of_a_folder_does_not_include_the_folder(
    tmp_path: Path, pattern: str
) -> None:
    below = ["guide/a", "guide/a/b"]
    assert find_excluded(tmp_path, pattern, "guide/", *below) == below


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
    tmp_path: Path, pattern: str, matching: str, other: str
) -> None:
    assert find_excluded(tmp_path, pattern, matching, other) == [matching]


@pytest.mark.parametrize(
    "pattern", ["d\u00f3cs/a.md", "do\u0301cs/a.md", "d\u00f3cs/*.md"]
)
@pytest.mark.parametrize("folder", ["d\u00f3cs", "do\u0301cs"])
def test_accents_of_a_source_folder_may_be_decomposed(
    tmp_path: Path, folder: str, pattern: str
) -> None:
    sources = as_sources(tmp_path / folder / "a.md")
    pages = [
        Page(url="a/", name="a.md", sources=sources),
        Page(url="b/", name="b.html"),
    ]
    options = read_options({"base_url": BASE_URL, "lastmod": False, "exclude": pattern})
    report = build_site(pages, options, tmp_path / "site", root=tmp_path)
    assert [entry.page.name for entry in report.excluded] == ["a.md"]


def test_a_url_with_surrogates_has_names(tmp_path: Path) -> None:
    page = Page(url="\udc80%20/", name="a.md")
    for pattern, is_excluded in (("\udc80 /", True), ("b", False)):
        report = build(tmp_path, page, exclude=[pattern])
        assert bool(report.excluded) is is_excluded
