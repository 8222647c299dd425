"""The saved report of a build."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from support.builds import as_sources, build, build_site
from support.platforms import needs_posix
from support.repository import Repository, noon

from docs_sitemap import BaseUrl, DateStatus, ExclusionReason, Page, read_options
from docs_sitemap.git.history_types import FileDate
from docs_sitemap.result import (
    SavedPage,
    SavedReport,
    SavedSource,
    read_report,
)
from docs_sitemap.tools.cache_folder import report_path
from docs_sitemap.tools.json_store import StoreError
from docs_sitemap_cli.published.find_report import is_current

BASE = BaseUrl("https://example.org/docs/")
PAGE = Page(url="a/", name="a.md")


def path_of(out_dir: Path) -> Path:
    path = report_path(out_dir, out_dir)
    assert path is not None
    return path


def report_of(project: Path, *pages: Page, **options: Any) -> SavedReport:
    """Build a site, and read the report of the build."""
    file = project / "out/report.json"
    values = read_options({"base_url": BASE, "report": str(file), **options})
    build_site(pages, values, project / "out", root=project)
    return read_report(file)


def report_of_site(site: Path) -> SavedReport:
    """Build a site in a folder, and return the report."""
    build_site(
        [PAGE],
        read_options({"base_url": BASE, "lastmod": False}),
        site,
        root=site.parent,
    )
    return read_report(path_of(site))


def test_pages_are_saved_with_their_dates_and_paths_are_relative(project: Path) -> None:
    repository = Repository.create(project)
    repository.commit({"docs/a.md": "1", "docs/part.md": "1"}, day=1)
    commit = repository.git("rev-parse", "HEAD").strip()
    repository.write({"out/a/index.html": "", "docs/new.md": ""})
    docs, output = project / "docs", project / "out/a/index.html"
    dated = Page(
        url="a/",
        name="a.md",
        output=str(output),
        sources=as_sources(docs / "a.md", docs / "part.md"),
    )
    untracked = Page(url="new/", name="new.md", sources=as_sources(docs / "new.md"))
    saved = report_of(project, dated, untracked, lastmod_format="date")
    day = datetime.fromisoformat(noon(1))
    written = datetime(2020, 2, 2, 2, 2, 2, tzinfo=UTC)
    date = FileDate(DateStatus.COMMIT, commit, day, committed=day, authored=written)
    sources = tuple(
        SavedSource(path=path, date=date) for path in ("docs/a.md", "docs/part.md")
    )
    assert (saved.base_url, saved.project, saved.files) == (
        BASE,
        "..",
        ("sitemap.xml",),
    )
    assert saved.pages == (
        SavedPage(
            name="a.md",
            url="a/",
            loc=f"{BASE}a/",
            output="a/index.html",
            document="docs/a.md",
            sources=sources,
            lastmod=noon(1)[:10],
            date_status=DateStatus.COMMIT,
            commit=commit,
            source="docs/a.md",
        ),
        SavedPage(
            name="new.md",
            url="new/",
            loc=f"{BASE}new/",
            document="docs/new.md",
            sources=(
                SavedSource(path="docs/new.md", date=FileDate(DateStatus.UNTRACKED)),
            ),
            date_status=DateStatus.UNTRACKED,
            source="docs/new.md",
        ),
    )


def test_excluded_pages_are_saved_with_relative_paths(tmp_path: Path) -> None:
    missing = Page(url="a.html", name="a.md", output=str(tmp_path / "out/a.html"))
    pattern = Page(url="b.html", name="b.md")
    saved = report_of(tmp_path, missing, pattern, exclude=("b*",))
    assert [(page.output, page.reason, page.detail) for page in saved.pages] == [
        ("a.html", ExclusionReason.NOT_WRITTEN, "a.html"),
        (None, ExclusionReason.EXCLUDE_PATTERN, "b*"),
    ]


@needs_posix
def test_a_report_has_no_absolute_path_and_may_contain_any_file_name(
    tmp_path: Path,
) -> None:
    sources = as_sources(tmp_path / "docs/\udcff é.md")
    page = Page(url="a/", name="é.md", output=str(tmp_path / "out/a"), sources=sources)
    saved = report_of(tmp_path, page)
    text = (tmp_path / "out/report.json").read_text(encoding="utf-8")
    assert str(tmp_path) not in text
    assert saved.pages[0].document == "docs/\udcff é.md"


def test_the_format_of_a_report(project: Path) -> None:
    output = project / "out/b/index.html"
    output.parent.mkdir(parents=True)
    output.write_text('<meta name="robots" content="none">')
    excluded = Page(url="b/", name="b.md", output=str(output))
    report_of(project, PAGE, excluded)
    text = (project / "out/report.json").read_text()
    sitemap = (project / "out/sitemap.xml").read_bytes()
    assert json.loads(text) == {
        "version": 3,
        "base_url": BASE,
        "project": "..",
        "files": ["sitemap.xml"],
        "sha256": sha256(sitemap).hexdigest(),
        "pages": [
            {
                "name": "a.md",
                "url": "a/",
                "loc": f"{BASE}a/",
                "date_status": "no-source",
            },
            {
                "name": "b.md",
                "url": "b/",
                "output": "b/index.html",
                "reason": "noindex",
                "detail": "robots: none",
            },
        ],
        "generator": None,
    }
    assert sum(line.startswith('{"name"') for line in text.splitlines()) == 2


def test_reports_are_saved_outside_the_site(tmp_path: Path) -> None:
    site = tmp_path / "site"
    report_of_site(site)
    assert path_of(site) == path_of(site / "../site")
    assert {path.name for path in site.iterdir()} == {"sitemap.xml", "sitemap.xml.gz"}


def test_a_report_that_cannot_be_written_is_a_warning(tmp_path: Path) -> None:
    (tmp_path / "folder.json").mkdir()
    (tmp_path / "file").touch()
    for path in (tmp_path / "file/report.json", tmp_path / "folder.json"):
        result = build(tmp_path / "out", PAGE, report=str(path))
        (warning,) = result.diagnostics
        start = "the report cannot be written: "
        assert re.match(start + r".*(file|folder\.json)", warning.message)


@needs_posix
@pytest.mark.parametrize("home", [None, "relative", "/dev/null/x"])
def test_without_a_cache_no_report_is_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, home: str | None
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", home or "")
    monkeypatch.setenv("HOME", home or "")
    site = tmp_path / "site"
    build(site, PAGE)
    assert [path.name for path in tmp_path.iterdir()] == ["site"]
    assert {path.name for path in site.iterdir()} == {"sitemap.xml", "sitemap.xml.gz"}


@needs_posix
def test_only_the_newest_hundred_reports_are_kept(tmp_path: Path) -> None:
    site = tmp_path / "site"
    build(site, PAGE)
    path = path_of(site)
    assert path.is_file()
    for number in range(120):
        (path.parent / f"{number}.json").write_text("{}")
        os.utime(path.parent / f"{number}.json", (number, number))
    (path.parent / "gone.json").symlink_to(tmp_path / "nothing")
    build(site, PAGE, Page(url="b/", name="b.md"))
    names = {file.name for file in path.parent.glob("*.json")}
    assert len(names) == 100
    assert path.name in names
    assert "119.json" in names
    assert "10.json" not in names


def _with(**members: object) -> Callable[[dict[str, Any]], object]:
    return lambda content: content | members


@pytest.mark.parametrize(
    "change",
    [
        lambda content: [],
        lambda content: None,
        lambda content: {"version": 2},
        _with(version=1),
        _with(version="2"),
        _with(base_url="https://["),
        _with(base_url=""),
        _with(base_url="ftp://example.org/"),
        _with(base_url="https://example.org/docs"),
        _with(base_url=3),
        _with(files=[3]),
        _with(files=None),
        _with(pages=[3]),
        _with(pages=[{}]),
        _with(pages=[{"name": "a", "url": []}]),
        _with(pages=[{"name": "a", "url": "a", "reason": "unknown\nreason"}]),
        _with(pages=[{"name": "a", "url": "a", "date_status": "unknown"}]),
        _with(pages=[{"name": "a", "url": "a", "sources": [[]]}]),
        _with(sha256=3),
        _with(files=["a\0b"]),
        _with(files=["\ud800"]),
        _with(pages=[{"name": "a", "url": "a", "output": "a\0/b"}]),
        _with(pages=[{"name": "a", "url": "a", "output": "\ud800/b"}]),
    ],
)
def test_an_invalid_report_is_an_error_of_one_line(
    tmp_path: Path, change: Callable[[dict[str, Any]], object]
) -> None:
    path = tmp_path / "report.json"
    build(tmp_path / "site", report=str(path))
    content = json.loads(path.read_text())
    path.write_text(json.dumps(change(content)))
    with pytest.raises(StoreError, match=r"^[^\n]+$"):
        read_report(path)


def test_deeply_nested_and_binary_files_are_not_reports(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    for data in (b"[" * 100_000, b"\xff\xfe", b"", b"9" * 10_000):
        path.write_bytes(data)
        with pytest.raises(StoreError):
            read_report(path)


@needs_posix
def test_only_regular_files_are_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", Path("/dev/zero"), tmp_path, tmp_path / "nothing"):
        with pytest.raises(StoreError, match=r"^[^\n]+$"):
            read_report(path)


def test_a_report_matches_the_sitemap_of_its_build(tmp_path: Path) -> None:
    site = tmp_path / "site"
    report = report_of_site(site)
    assert is_current(report, site)
    (site / "sitemap.xml").write_text("<urlset>another build</urlset>")
    assert not is_current(report, site)
    os.truncate(
        site / "sitemap.xml", 2**40
    )  # a sparse file, which takes minutes to read
    assert not is_current(report, site)
    (site / "sitemap.xml").unlink()
    assert not is_current(report, site)


@needs_posix
def test_a_report_matches_only_files_in_the_site(tmp_path: Path) -> None:
    site = tmp_path / "site"
    report = report_of_site(site)
    (site / "sitemap.xml").rename(tmp_path / "sitemap.xml")
    assert not is_current(replace(report, files=("../sitemap.xml",)), site)
    (site / "sitemap.xml").symlink_to("/dev/zero")
    assert not is_current(report, site)
    (site / "sitemap.xml").unlink()
    os.mkfifo(site / "sitemap.xml")
    assert not is_current(report, site)


def test_unknown_keys_are_ignored(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    build(tmp_path / "site", report=str(path))
    content = json.loads(path.read_text())
    content |= {"more": 1, "pages": [{"name": "a", "url": "a/", "mood": ["good"]}]}
    path.write_text(json.dumps(content))
    assert [page.url for page in read_report(path).pages] == ["a/"]
