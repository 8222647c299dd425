"""The dates of most pages differ, or a commit explains why they do not."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from support.repository import Repository, noon
from support.sitemaps import BASE, NOW, page, summarize, url, urls, urlset, write_site

from docs_sitemap.commands.check.check_paths import check_paths
from docs_sitemap.diagnostics import Diagnostic
from docs_sitemap.entry import DateFallback
from docs_sitemap.report import SavedPage, SavedReport

CLOCK = "2025-06-15T11:58:03+00:00"
HUGO = '<meta name="generator" content="Hugo 0.131.0">'


def write_dated(folder: Path, dates: Sequence[str], head: str = "") -> Path:
    entries = [url(f"{BASE}{n}.html", f"<lastmod>{one}</lastmod>") for n, one in enumerate(dates)]
    pages = {f"{number}.html": page(head=head) for number in range(len(dates))}
    return write_site(folder, {**pages, "sitemap.xml": urlset(*entries)})


def check(path: Path, **options: Any) -> list[Diagnostic]:
    return check_paths([str(path)], now=NOW, **options).diagnostics


def report(path: Path, fallback: DateFallback | None) -> dict[str, Any]:
    pages = tuple(SavedPage(name=f"{n}.html", url="", fallback=fallback) for n in range(10))
    return {"reports": {str(path): SavedReport(base_url=BASE, files=(), pages=pages)}}


@pytest.mark.parametrize(
    ("dates", "message"),
    [
        (["2025-06-15"] * 5, "5 of 5 dates are 2025-06-15, within a day of the build"),
        (["2024-02-02", *["2025-06-15"] * 4], "4 of 5 dates are 2025-06-15, within a day of"),
        ([*["2024-02-02"] * 3, *["2025-06-15"] * 27], "27 of 30 dates are 2025-06-15, within"),
        (["2024-02-02"] * 10, "10 of 10 dates are 2024-02-02"),
        ([CLOCK] * 10, f"10 of 10 dates are {CLOCK}, within a day of the build"),
        (
            [f"2025-06-{day}+00:00" for day in ("14T23:59:02", "15T00:00:09", "15T00:08:00")] * 2,
            "6 of 6 dates are within 10 minutes of 2025-06-14T23:59:02+00:00, within a day of the",
        ),
    ],
)
def test_pages_with_the_same_date_are_reported(
    tmp_path: Path, dates: list[str], message: str
) -> None:
    site = write_dated(tmp_path, dates)
    for path in (site, site / "sitemap.xml"):
        (found,) = check(path)
        assert (found.code, found.file) == ("lastmod-all-same", str(site / "sitemap.xml"))
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
    ids=["few", "two others", "over a tenth are others", "a day of work", "other time zone"],
)
def test_dates_that_differ_enough_are_not_reported(tmp_path: Path, dates: list[str]) -> None:
    assert check(write_dated(tmp_path, dates)) == []


def test_dates_of_an_incomplete_sitemap_do_not_count(tmp_path: Path) -> None:
    site = write_dated(tmp_path, ["2025-06-15"] * 10)
    sitemap = site / "sitemap.xml"
    sitemap.write_text(sitemap.read_text(encoding="utf-8").replace("</urlset>", ""))
    assert summarize(check(site)) == ["not-well-formed@14"]


def test_a_site_without_dates_is_reported(tmp_path: Path) -> None:
    names = [f"{number}.html" for number in range(5)]
    site = write_site(tmp_path, {**dict.fromkeys(names, page()), "sitemap.xml": urls(*names)})
    (found,) = check(site)
    assert (found.code, found.message) == ("lastmod-missing", "none of the 5 URLs has a date")
    assert check(site, **report(site, None)) == []


def test_dates_of_commits_in_a_report_are_accurate(tmp_path: Path) -> None:
    site = write_dated(tmp_path, ["2025-06-15"] * 10)
    assert check(site, **report(site, None)) == []
    (found,) = check(site, **report(site, DateFallback.BUILD))
    assert found.code == "lastmod-all-same"
    assert "without the option lastmod_fallback" in found.fix


def test_the_fix_depends_on_the_generator(tmp_path: Path) -> None:
    (found,) = check(write_dated(tmp_path / "hugo", ["2025-06-15"] * 5, HUGO))
    assert "set enableGitInfo to true" in found.fix
    assert "fetch-depth: 0" in found.fix
    (found,) = check(write_dated(tmp_path / "unknown", ["2025-06-15"] * 5))
    assert "docs-sitemap generate" in found.fix


SOURCES = {f"docs/{number}.md": "x" for number in range(6)}


@pytest.mark.parametrize("date", [noon(3), "2024-01-03"])
def test_pages_that_one_commit_changed_are_not_reported(tmp_path: Path, date: str) -> None:
    repository = Repository.create(tmp_path)
    repository.commit({"docs/old.md": "x"}, day=1)
    repository.commit(SOURCES, day=3)
    site = write_dated(tmp_path / "site", [noon(1), *[date] * 6], HUGO)
    assert check(site) == []
    (found,) = check(write_dated(tmp_path / "built", [CLOCK] * 6, HUGO))
    assert (found.code, "fetch-depth" in found.fix) == ("lastmod-all-same", False)


def test_the_date_of_the_last_commit_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    origin = Repository.create(tmp_path / "origin")
    origin.commit(SOURCES, day=3)
    origin.commit({"docs/1.md": "y"}, day=4)
    (found,) = check(write_dated(origin.path / "site", [noon(4)] * 6, HUGO))
    assert found.message.endswith(f"{noon(4)}, the date of the last commit")
    clone = Repository(tmp_path / "clone")
    origin.git("clone", "--quiet", "--depth=1", origin.path.as_uri(), str(clone.path))
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    (found,) = check(write_dated(clone.path / "site", [noon(4)] * 6, HUGO))
    assert found.fix.startswith("the clone is shallow: on GitHub Actions, add `with: {fetch-depth:")


def test_built_pages_in_git_explain_no_dates(tmp_path: Path) -> None:
    repository = Repository.create(tmp_path)
    write_dated(repository.path, ["2024-01-03"] * 6, HUGO)
    repository.commit({}, day=3)
    assert summarize(check(repository.path)) == ["lastmod-all-same"]
