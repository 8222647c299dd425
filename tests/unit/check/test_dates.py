"""The dates of most pages differ, or a commit explains why they do not."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest
from support.repository import Repository, noon
from support.sitemaps import (
    BASE,
    Finding,
    check as check_site,
    index,
    page,
    summarize,
    url,
    urls,
    urlset,
    write_site,
)
from support.sites import make_project
from support.small_builds import Document, build_small_site, forget_build

IF_ONE_COMMIT = "; ignore this if one commit changed all these pages"
REDIRECT = '<title>x</title><meta http-equiv="refresh" content="0; url=latest/">'
CLOCK = "2025-06-15T11:58:03+00:00"


def write_dated(folder: Path, dates: Sequence[str]) -> Path:
    entries = [
        url(f"{BASE}{n}.html", f"<lastmod>{one}</lastmod>")
        for n, one in enumerate(dates)
    ]
    pages = {f"{number}.html": page() for number in range(len(dates))}
    return write_site(folder, {**pages, "sitemap.xml": urlset(*entries)})


def check(path: Path, *, report: Path | None = None) -> list[Finding]:
    return check_site(path, report=report, ignore="").diagnostics


@pytest.mark.parametrize(
    ("dates", "message"),
    [
        (
            ["2025-06-15"] * 5,
            "5 of 5 dates are 2025-06-15",
        ),
        (
            ["2024-02-02", *["2025-06-15"] * 4],
            "4 of 5 dates are 2025-06-15",
        ),
        (
            [*["2024-02-02"] * 3, *["2025-06-15"] * 27],
            "27 of 30 dates are 2025-06-15",
        ),
        (["2024-02-02"] * 10, "10 of 10 dates are 2024-02-02"),
        ([CLOCK] * 10, f"10 of 10 dates are {CLOCK}"),
        (
            [
                f"2025-06-{day}+00:00"
                for day in ("14T23:59:02", "15T00:00:09", "15T00:08:00")
            ]
            * 2,
            "6 of 6 dates are 2025-06-14T23:59:02+00:00 to 2025-06-15T00:08:00+00:00",
        ),
    ],
)
def test_pages_with_the_same_date_are_reported(
    tmp_path: Path, dates: list[str], message: str
) -> None:
    site = write_dated(tmp_path, dates)
    for path in (site, site / "sitemap.xml"):
        (found,) = check(path)
        assert (found.code, found.file) == (
            "lastmod-all-same",
            str(site / "sitemap.xml"),
        )
        assert found.message.startswith(message)


@pytest.mark.parametrize(
    "dates",
    [
        ["2025-06-15"] * 4,
        ["2024-02-02", "2024-03-03", *["2025-06-15"] * 4],
        [*["2024-02-02"] * 4, *["2025-06-15"] * 26],
        [f"2025-06-15T{hour:02}:00:00Z" for hour in range(12)],
        ["2025-06-16"] * 3,
    ],
    ids=[
        "few",
        "two others",
        "over a tenth are others",
        "a day of work",
        "other time zone",
    ],
)
def test_dates_that_differ_enough_are_not_reported(
    tmp_path: Path, dates: list[str]
) -> None:
    assert check(write_dated(tmp_path, dates)) == []


def test_dates_of_an_incomplete_sitemap_do_not_count(tmp_path: Path) -> None:
    site = write_dated(tmp_path, ["2025-06-15"] * 10)
    sitemap = site / "sitemap.xml"
    sitemap.write_text(sitemap.read_text(encoding="utf-8").replace("</urlset>", ""))
    assert summarize(check(site)) == ["not-well-formed@14"]


def test_a_site_without_dates_is_reported(tmp_path: Path) -> None:
    names = [f"{number}.html" for number in range(5)]
    site = write_site(
        tmp_path, {**dict.fromkeys(names, page()), "sitemap.xml": urls(*names)}
    )
    (found,) = check(site)
    assert found.code == "lastmod-missing"
    assert "use docs-sitemap generate --update" in found.fix
    assert "fetch-depth: 0" in found.fix


def test_a_build_that_dated_no_page_is_reported(tmp_path: Path) -> None:
    build_small_site(tmp_path, *[Document(f"{n}.html", {}) for n in range(5)])
    site = write_site(tmp_path / "site", {f"{n}.html": page() for n in range(5)})
    found = check(site, report=tmp_path / "report.json")
    assert [one.code for one in found] == ["lastmod-missing"]


def test_dates_of_commits_in_a_report_are_accurate(tmp_path: Path) -> None:
    dated = [Document(f"{n}.html", {f"{n}.md": "2025-06-15"}) for n in range(10)]
    build_small_site(tmp_path, *dated, lastmod_format="date", gzip=False)
    forget_build(tmp_path)
    build = tmp_path / "report.json"
    site = write_site(tmp_path / "site", {f"{n}.html": page() for n in range(10)})
    assert check(site, report=build) == []
    assert [one.code for one in check(site)] == ["lastmod-all-same"]
    # `generate --update` keeps dates of another generator.
    write_dated(site, ["2025-06-15"] * 11)
    (found,) = check(site, report=build)
    assert (found.code, "generate --update" in found.fix) == ("lastmod-all-same", True)


def test_dates_of_several_builds_in_an_index_are_accurate(tmp_path: Path) -> None:
    names = [f"{number}.html" for number in range(5)]
    dated = [Document(name, {f"{name}.md": "2025-06-15"}) for name in names]
    for language in ("de", "en"):
        base_url = f"{BASE}{language}/site/"
        build_small_site(tmp_path / language, *dated, base_url=base_url, gzip=False)
        write_site(tmp_path / language / "site", dict.fromkeys(names, page()))
    sitemaps = [f"{BASE}{language}/site/sitemap.xml" for language in ("de", "en")]
    write_site(tmp_path, {"sitemap-index.xml": index(*sitemaps)})
    assert check(tmp_path) == []
    # Another build replaces one of them.
    sitemap = tmp_path / "en/site/sitemap.xml"
    sitemap.write_bytes(sitemap.read_bytes() + b"<!-- another build -->")
    assert "lastmod-all-same" in [one.code for one in check(tmp_path)]


SOURCES = {f"docs/{number}.md": "x" for number in range(6)}


def test_one_commit_that_changed_all_pages_may_explain_the_dates(
    tmp_path: Path,
) -> None:
    (found,) = check(write_dated(tmp_path / "site", [noon(3)] * 6))
    assert found.fix.endswith(IF_ONE_COMMIT)


def test_the_date_of_the_last_commit_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    origin = Repository.create(tmp_path / "origin")
    origin.commit(SOURCES, day=3)
    origin.commit({"docs/1.md": "y"}, day=4)
    (found,) = check(write_dated(origin.path / "site", [noon(4)] * 6))
    assert found.message.endswith(" last commit")
    clone = Repository(tmp_path / "clone")
    origin.git("clone", "--quiet", "--depth=1", origin.path.as_uri(), str(clone.path))
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    (found,) = check(write_dated(clone.path / "site", [noon(4)] * 6))
    assert found.fix.startswith("the clone is shallow: ")
    assert "`with: {fetch-depth:" in found.fix


def test_the_fix_says_why_git_dates_no_page(tmp_path: Path) -> None:
    """The report of the build knows it or, without one, git."""
    names = [f"{number}/" for number in range(5)]
    undated = [Document(name, {f"docs/{name[0]}.md": None}) for name in names]
    Repository.create(tmp_path).commit({"a.md": "a"}, day=1)
    build_small_site(tmp_path, *undated)
    shutil.rmtree(tmp_path / ".git")
    (tmp_path / ".git").write_text("gitdir: /missing\n")
    site = tmp_path / "site"
    write_site(site, {f"{name}index.html": page() for name in names})
    missing = "lastmod-missing"
    found = {one.code: one.fix for one in check(site, report=tmp_path / "report.json")}
    assert "not committed" in found[missing]
    forget_build(tmp_path)
    found = {one.code: one.fix for one in check(site)}
    assert "/missing" in found[missing]


def test_after_a_failed_run_the_sitemap_is_that_of_the_generator(
    tmp_path: Path,
) -> None:
    failed = build_small_site(tmp_path)
    assert failed.files == ()
    site = write_dated(tmp_path / "site", ["2025-06-15"] * 10)
    (found,) = check(site, report=tmp_path / "report.json")
    assert found.code == "lastmod-all-same"


@pytest.mark.parametrize(
    ("name", "codes"),
    [
        ("hugo", []),
        ("vitepress", []),
        ("typedoc", ["lastmod-all-same"]),
        ("starlight", ["lastmod-missing"]),
    ],
)
def test_sites_of_generators_are_checked(
    tmp_path: Path, name: str, codes: list[str]
) -> None:
    site = make_project(tmp_path, name).site
    found = check_site(site, ignore="", real_time=True).diagnostics
    dates = [one.code for one in found if one.code.startswith("lastmod")]
    assert dates == codes


@pytest.mark.parametrize(
    ("files", "dating", "sitemap"),
    [
        (
            ["index.html", "search/search_index.json"],
            "the plugin for MkDocs",
            "build it with site_url, or pass another folder",
        ),
        (
            ["index.html", "_static/documentation_options.js"],
            "the extension for Sphinx",
            "build it with html_baseurl, or pass another folder",
        ),
        (
            ["guide/a.html", "objects.inv"],
            "docs-sitemap generate --update",
            "run docs-sitemap generate, or docs-sitemap index if the folder contains "
            "versions",
        ),
    ],
)
def test_the_fix_fits_the_generator(
    tmp_path: Path, files: list[str], dating: str, sitemap: str
) -> None:
    write_site(tmp_path, {name: page() for name in files})
    (found,) = check(tmp_path)
    assert (found.code, found.fix) == ("no-sitemap", sitemap)
    write_dated(tmp_path, ["2025-06-15"] * 5)
    (found, *_) = check(tmp_path)
    complete = "clone the complete history (fetch-depth: 0) and use "
    assert found.fix == complete + dating + IF_ONE_COMMIT
    write_site(
        tmp_path, {"sitemap.xml": urls(*(f"{number}.html" for number in range(5)))}
    )
    (found, *_) = check(tmp_path)
    assert (found.code, found.fix) == ("lastmod-missing", complete + dating)
