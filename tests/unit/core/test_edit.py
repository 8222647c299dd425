"""A function of the user changes or excludes entries."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.builds import BASE_URL, build_site, paths
from support.readers import read

from docs_sitemap import (
    Alternate,
    BaseUrl,
    BuildResult,
    DateStatus,
    ExclusionReason,
    Page,
    Url,
    parse_base_url,
    read_options,
)

PAGES = (
    Page(url="a/", name="a.md", overrides={"lastmod": "2024-05-01"}),
    Page(url="b/", name="b.md"),
    Page(url="c/", name="c.md"),
)


def build(
    out: Path, edit_url: Callable[[Page, Url], Any], *pages: Page, **options: object
) -> BuildResult:
    values: dict[str, Any] = {
        "base_url": parse_base_url(BASE_URL),
        "lastmod": False,
    } | options
    return build_site(pages or PAGES, read_options(values), out, edit_url=edit_url)


def test_an_entry_can_be_changed_or_excluded(tmp_path: Path) -> None:
    def edit(page: Page, url: Url) -> Url | None:
        if page.name == "a.md":
            return replace(
                url, loc=f"{BASE_URL}z/", lastmod="2025-01-02", priority="0.8"
            )
        return None if page.name == "b.md" else url

    report = build(tmp_path, edit, report=str(tmp_path / "report.json"))
    assert report.diagnostics == ()
    entries = read((tmp_path / "sitemap.xml").read_bytes())
    assert [entry.loc for entry in entries] == [f"{BASE_URL}c/", f"{BASE_URL}z/"]
    assert (entries[1].lastmod, entries[1].priority) == ("2025-01-02", "0.8")
    assert [(one.page.name, one.reason) for one in report.excluded] == [
        ("b.md", ExclusionReason.HOOK)
    ]
    saved = {
        page["name"]: page
        for page in json.loads((tmp_path / "report.json").read_text())["pages"]
    }
    assert saved["a.md"]["date_status"] == DateStatus.HOOK
    assert saved["b.md"]["reason"] == "hook"
    assert "1 with lastmod, 1" in report.summary
    assert f"{BASE_URL}z/ (a.md): 2025-01-02: hook" in report.details


@pytest.mark.parametrize(
    ("values", "fault"),
    [
        (
            {"loc": "https://elsewhere.example/"},
            "it is not below",
        ),
        ({"loc": "/docs/z/"}, "it is not absolute"),
        ({"loc": f"{BASE_URL}a b/"}, "unencoded"),
        ({"loc": f"{BASE_URL}c/"}, "another page has the URL"),
        ({"lastmod": "yesterday"}, "it is neither a date such as 2026-05-31"),
        ({"changefreq": "often"}, "'often' is not an allowed value"),
        ({"priority": "2"}, "is not a number from 0.0 to 1.0"),
        (
            {"alternates": (Alternate("en_GB", f"{BASE_URL}b/"),)},
            "is not a language tag",
        ),
        ({"alternates": (Alternate("en", "b/"),)}, "it is not absolute"),
        (None, "it returned 'text' instead of a Url or None"),
    ],
)
def test_an_invalid_entry_is_one_warning_and_stays_unchanged(
    tmp_path: Path, values: dict[str, Any] | None, fault: str
) -> None:
    def edit(page: Page, url: Url) -> object:
        if page.name != "a.md":
            return url
        return "text" if values is None else replace(url, **values)

    report = build(tmp_path, edit)
    assert paths(report) == ["a/", "b/", "c/"]
    (one,) = report.diagnostics
    assert one.code == "hook"
    assert one.message.startswith("a.md: ")
    assert fault in one.message


def test_a_function_that_fails_is_one_warning_for_each_page(tmp_path: Path) -> None:
    def edit(page: Page, url: Url) -> Url:
        raise KeyError(page.name)

    report = build(tmp_path, edit)
    assert paths(report) == ["a/", "b/", "c/"]
    assert [one.message.split(": ")[2] for one in report.diagnostics] == [
        "KeyError"
    ] * 3


def test_only_one_page_can_have_a_new_url(tmp_path: Path) -> None:
    report = build(tmp_path, lambda page, url: replace(url, loc=f"{BASE_URL}z/"))
    assert paths(report) == ["b/", "c/", "z/"]
    names = [one.message.partition(":")[0] for one in report.diagnostics]
    assert names == ["b.md", "c.md"]


def test_links_to_excluded_translations_are_removed(tmp_path: Path) -> None:
    languages = {code: BaseUrl(f"{BASE_URL}{code}/") for code in ("de", "en", "fr")}
    pages = [Page(url=f"{code}/", name=code) for code in languages]

    def build_without(*names: str) -> list[list[str]]:
        def edit(page: Page, url: Url) -> Url | None:
            return None if page.name in names else url

        options = read_options({"base_url": BASE_URL, "lastmod": False})
        report = build_site(
            pages, options, tmp_path, edit_url=edit, languages=languages
        )
        return [
            [one.hreflang for one in entry.url.alternates] for entry in report.listed
        ]

    assert build_without("fr") == [["de", "en"], ["de", "en"]]
    assert build_without("fr", "en") == [[]]


def test_links_to_languages_that_other_builds_list_stay(tmp_path: Path) -> None:
    report = build(
        tmp_path,
        lambda page, url: url,
        url_scheme="{lang}{link}",
        language="en",
        locales=["de"],
    )
    assert [one.href for one in report.listed[0].url.alternates] == [
        f"{BASE_URL}de/a/",
        f"{BASE_URL}en/a/",
    ]


def test_links_that_the_function_sets_stay(tmp_path: Path) -> None:
    def links(url: Url) -> tuple[Alternate, ...]:
        return Alternate("en", url.loc), Alternate("ja", "https://example.jp/")

    options = {"url_scheme": "{lang}{link}", "language": "en", "locales": ["de", "en"]}
    report = build(
        tmp_path, lambda page, url: replace(url, alternates=links(url)), **options
    )
    assert report.diagnostics == ()
    assert [entry.url.alternates for entry in report.listed] == [
        links(entry.url) for entry in report.listed
    ]


def test_a_page_that_the_function_moves_is_linked_at_its_new_path(
    tmp_path: Path,
) -> None:
    options = {"url_scheme": "{lang}{link}", "language": "en", "locales": ["de"]}
    report = build(
        tmp_path, lambda page, url: replace(url, loc=f"{url.loc}new/"), **options
    )
    assert [one.href for one in report.listed[0].url.alternates] == [
        f"{BASE_URL}de/a/new/",
        f"{BASE_URL}en/a/new/",
    ]
