"""The dates of most pages differ, or a commit explains why they do not."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from support.cli import invoke
from support.repository import Repository, noon
from support.sitemaps import BASE, NOW, page, summarize, url, urls, urlset, write_site
from support.sites import make_project

from docs_sitemap import DateStatus, Diagnostic
from docs_sitemap.commands.check.check_paths import check_paths
from docs_sitemap.report import SavedPage, SavedReport

CLOCK = "2025-06-15T11:58:03+00:00"
HUGO = '<meta name="generator" content="Hugo 0.131.0">'


def write_dated(folder: Path, dates: Sequence[str], head: str = "") -> Path:
    entries = [
        url(f"{BASE}{n}.html", f"<lastmod>{one}</lastmod>")
        for n, one in enumerate(dates)
    ]
    pages = {f"{number}.html": page(head=head) for number in range(len(dates))}
    return write_site(folder, {**pages, "sitemap.xml": urlset(*entries)})


def check(path: Path, **options: Any) -> list[Diagnostic]:
    return check_paths([str(path)], now=NOW, **options).diagnostics


def report(path: Path) -> dict[str, Any]:
    pages = [
        SavedPage(name=f"{n}.html", url="", lastmod="2025-06-15") for n in range(10)
    ]
    return {
        "reports": {
            str(path): SavedReport(
                base_url=BASE, files=("sitemap.xml",), pages=tuple(pages)
            )
        }
    }


@pytest.mark.parametrize(
    ("dates", "message"),
    [
        (
            ["2025-06-15"] * 5,
            "5 of 5 dates are 2025-06-15, about the time of the build",
        ),
        (
            ["2024-02-02", *["2025-06-15"] * 4],
            "4 of 5 dates are 2025-06-15, about the time",
        ),
        (
            [*["2024-02-02"] * 3, *["2025-06-15"] * 27],
            "27 of 30 dates are 2025-06-15, about",
        ),
        (["2024-02-02"] * 10, "10 of 10 dates are 2024-02-02"),
        ([CLOCK] * 10, f"10 of 10 dates are {CLOCK}, about the time of the build"),
        (
            [
                f"2025-06-{day}+00:00"
                for day in ("14T23:59:02", "15T00:00:09", "15T00:08:00")
            ]
            * 2,
            "6 of 6 dates are 2025-06-14T23:59:02+00:00 to 2025-06-15T00:08:00+00:00, about",
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
    assert (found.code, found.message) == (
        "lastmod-missing",
        "none of the 5 URLs has a date",
    )
    assert check(site, **report(site)) == []


@pytest.mark.parametrize(
    ("status", "codes"),
    [(DateStatus.NO_SOURCE, ["lastmod-missing"]), (DateStatus.DISABLED, [])],
)
def test_a_build_that_dated_no_page_is_reported(
    status: DateStatus, codes: list[str], tmp_path: Path
) -> None:
    names = [f"{number}.html" for number in range(5)]
    site = write_site(
        tmp_path, {**dict.fromkeys(names, page()), "sitemap.xml": urls(*names)}
    )
    pages = tuple(
        SavedPage(
            name=name, url=name, loc=f"{BASE}{name}", output=name, date_status=status
        )
        for name in names
    )
    found = check(
        site,
        reports={
            str(site): SavedReport(base_url=BASE, files=("sitemap.xml",), pages=pages)
        },
    )
    assert [one.code for one in found] == codes
    assert all("build in a clone" in one.fix for one in found)


def test_dates_of_commits_in_a_report_are_accurate(tmp_path: Path) -> None:
    site = write_dated(tmp_path, ["2025-06-15"] * 10)
    assert check(site, **report(site)) == []
    # `generate --update` keeps dates of another generator.
    write_dated(site, ["2025-06-15"] * 11, HUGO)
    (found,) = check(site, **report(site))
    assert (found.code, "generate --update" in found.fix) == ("lastmod-all-same", True)


def test_the_fix_depends_on_the_generator(tmp_path: Path) -> None:
    (found,) = check(write_dated(tmp_path / "hugo", ["2025-06-15"] * 5, HUGO))
    assert "docs-sitemap generate" in found.fix
    assert "fetch-depth: 0" in found.fix
    mkdocs = HUGO.replace("Hugo", "mkdocs")
    (found,) = check(write_dated(tmp_path / "mkdocs", ["2025-06-15"] * 5, mkdocs))
    assert "add the plugin sitemap" in found.fix


SOURCES = {f"docs/{number}.md": "x" for number in range(6)}


@pytest.mark.parametrize("date", [noon(3), "2024-01-03"])
def test_pages_that_one_commit_changed_are_not_reported(
    tmp_path: Path, date: str
) -> None:
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
    assert found.fix.startswith(
        "the clone is shallow: on GitHub Actions, add `with: {fetch-depth:"
    )


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """A project whose pages were committed from 3 January 2024 on, each two days later."""
    repository = Repository.create(tmp_path / "project")
    for number in range(6):
        repository.commit({f"docs/{number}.md": "x"}, day=2 * number + 3)
    monkeypatch.chdir(repository.path)
    return repository


def check_source(dates: Sequence[str], *arguments: str) -> Any:
    """Write a site whose pages have these dates, and compare them with the sources."""
    write_dated(Path("site"), dates)
    done = invoke("check", "--source", "--format", "json", *arguments, "site")
    return done.json()["paths"][0]["diagnostics"]


COMMITTED = [noon(2 * number + 3) for number in range(6)]


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize(
    "dates",
    [
        COMMITTED,
        [date[:10] for date in COMMITTED],
        [date.replace("T10", "T23") for date in COMMITTED],
        ["2020-02-02T02:02:02Z", "2020-02-02", "2022-02-02", *COMMITTED[3:]],
        [noon(9), noon(11), *COMMITTED[2:]],
    ],
    ids=[
        "commits",
        "days",
        "same day",
        "between author and commit",
        "commits to other files",
    ],
)
def test_dates_of_sources_agree(dates: list[str]) -> None:
    assert check_source(dates) == []


@pytest.mark.usefixtures("project")
def test_dates_that_differ_from_the_sources_are_reported_with_the_worst_examples() -> (
    None
):
    dates = [
        *COMMITTED[:1],
        *["2025-06-15"] * 2,
        "2019-01-01",
        "2024-01-09",
        COMMITTED[5],
    ]
    newer, older = check_source(dates)
    assert (newer["code"], older["code"]) == (
        "lastmod-newer-than-source",
        "lastmod-older-than-source",
    )
    first = f"'{BASE}1.html' has 2025-06-15, but 'docs/1.md' changed on 2024-01-05"
    assert newer["message"].startswith(
        f"2 of 6 dates; the worst: {first}; '{BASE}2.html' has"
    )
    first = f"'{BASE}3.html' has 2019-01-01, but 'docs/3.md' changed on 2024-01-09"
    assert older["message"] == f"1 of 6 dates; the worst: {first}"
    # In a shallow clone, all pages have the date of the last commit.
    (last_commit,) = check_source([*COMMITTED[:4], noon(13), noon(13)])
    assert last_commit["message"].startswith(
        f"1 of 6 dates; the worst: '{BASE}4.html' has 2024-01"
    )
    assert check_source(dates, "--ignore", f"{newer['code']},{older['code']}") == []


def test_pages_that_cannot_be_compared_are_counted(
    project: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_dated(project.path / "site", [*COMMITTED, noon(30)])
    done = invoke("check", "--source", "site")
    assert "Note: site: 6 of 7 pages compared with the sources" in done.out
    clone = project.path.parent / "clone"
    project.git("clone", "--quiet", "--depth=1", project.path.as_uri(), str(clone))
    write_dated(clone / "site", COMMITTED)
    monkeypatch.chdir(clone)
    done = invoke("check", "--source", "site")
    assert "the git clone is shallow" in done.out
    assert "Note: site: 0 of 6 pages compared with the sources" in done.out


def test_dates_of_the_build_itself_are_not_compared(project: Repository) -> None:
    write_site(project.path / "site", {f"{number}.html": page() for number in range(6)})
    assert invoke("generate", "--base-url", BASE, "site").code == 0
    done = invoke("check", "--source", "--strict", "site")
    assert (done.code, "docs-sitemap wrote them" in done.out) == (0, True)


@pytest.mark.usefixtures("project")
def test_invalid_settings_are_explained() -> None:
    check_source(COMMITTED)
    done = invoke("check", "--source", "site/sitemap.xml")
    assert (done.code, "Fix: name folders, not sitemaps" in done.err) == (2, True)
    Path("docs-sitemap.toml").write_text("lastmood = true")
    done = invoke("check", "--source", "site")
    assert (done.code, "lastmood" in done.err) == (2, True)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("hugo", []),
        # VitePress knows no files that a page includes.
        ("vitepress", [("lastmod-older-than-source", "1 of 12 dates; the worst: ")]),
        (
            "typedoc",
            [
                ("lastmod-all-same", "12 of 12 dates are "),
                ("lastmod-newer-than-source", "5 of 5 dates; the worst: "),
            ],
        ),
        ("starlight", [("lastmod-missing", "none of the 15 URLs has a date")]),
    ],
)
def test_dates_of_generators_are_compared_with_git(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    expected: list[tuple[str, str]],
) -> None:
    project = make_project(tmp_path, name)
    monkeypatch.chdir(project.path)
    done = invoke("check", "--source", "--format", "json", str(project.site))
    found = done.json()["paths"][0]["diagnostics"]
    dated = [one for one in found if one["code"].startswith("lastmod")]
    assert [one["code"] for one in dated] == [code for code, _ in expected]
    assert all(
        one["message"].startswith(start)
        for one, (_, start) in zip(dated, expected, strict=True)
    )


def test_after_a_failed_run_the_sitemap_is_that_of_the_generator(
    tmp_path: Path,
) -> None:
    site = write_dated(tmp_path, ["2025-06-15"] * 10)
    failed = SavedReport(base_url=BASE, files=(), pages=())
    (found,) = check(site, reports={str(site): failed})
    assert found.code == "lastmod-all-same"


def test_dates_of_other_commits_are_not_judged_without_the_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The options of a plugin may ignore a commit."""
    repository = Repository.create(tmp_path)
    repository.commit(SOURCES, day=1)
    repository.commit({"included.txt": "new"}, day=5)
    repository.commit({"other.txt": "new"}, day=9)
    monkeypatch.chdir(tmp_path)
    head = '<meta name="generator" content="mkdocs-1.6.1">'
    site = write_dated(tmp_path / "site", [noon(5)] * 6, head)
    done = invoke("check", "--source", str(site))
    assert "than-source" not in done.out
    assert (
        "6 dates of other commits cannot be judged without the report of the build"
        in done.out
    )
