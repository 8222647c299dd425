"""The report of a build, kept for those who ask later."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from docs_sitemap import Options, Page, ProblemKind, Report, ReportError, build_sitemap
from docs_sitemap.report import KeptReport, kept_path, read_report, write_report

BASE = "https://example.org/docs/"


def build(out: Path, *pages: Page, keep_report: bool = True, **options: Any) -> Report:
    settings: dict[str, Any] = {"base_url": BASE, "lastmod": False} | options
    return build_sitemap(pages, Options(**settings), out, keep_report=keep_report)


def kept(out: Path) -> KeptReport:
    path = kept_path(out)
    assert path is not None
    return read_report(path)


def test_it_is_kept_outside_the_output_and_written_elsewhere_if_asked(tmp_path: Path) -> None:
    out = tmp_path / "out"
    build(out, Page(url="a/", name="a.md"), report=str(tmp_path / "new/asked.json"))
    assert kept(out) == read_report(tmp_path / "new/asked.json")
    assert {path.name for path in out.iterdir()} == {"sitemap.xml", "sitemap.xml.gz"}
    assert kept(out).is_of(out)
    build(out, Page(url="b/", name="b.md"), keep_report=False)
    assert [page.name for page in kept(out).pages] == ["a.md"]
    assert not kept(out).is_of(out), "another build wrote what is there now"


def test_it_holds_no_absolute_path_of_a_page(tmp_path: Path) -> None:
    source = tmp_path / "docs/\udcff a.md"
    page = Page(url="a/", name="a.md", sources=(str(source),), output=str(tmp_path / "out/a"))
    options = Options(base_url=BASE, lastmod=False)
    build_sitemap([page], options, tmp_path / "out", root=tmp_path)
    path = kept_path(tmp_path / "out")
    assert path is not None
    assert str(tmp_path) not in path.read_text()
    assert kept(tmp_path / "out").pages[0].sources == ("docs/\udcff a.md",)
    assert kept(tmp_path / "out").pages[0].output == "a"


def test_a_place_that_cannot_be_written_is_one_problem(tmp_path: Path) -> None:
    (tmp_path / "folder.json").mkdir()
    (tmp_path / "file").touch()
    for place in ("file/report.json", "folder.json"):
        report = build(tmp_path / "out", Page(url="", name="a"), report=str(tmp_path / place))
        assert [problem.kind for problem in report.problems] == [ProblemKind.WRITE]
        assert str(tmp_path / place).removesuffix("/report.json") in report.problems[0].message
        assert report.files


@pytest.mark.parametrize("home", [None, "relative", "/dev/null/x"])
def test_without_a_place_to_keep_it_the_build_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, home: str | None
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", home or "")
    monkeypatch.setenv("HOME", home or "")
    report = build(tmp_path / "out", Page(url="", name="a"))
    assert report.files
    assert not report.problems
    assert {path.name for path in tmp_path.iterdir()} == {"out"}


def test_only_the_newest_hundred_are_kept(tmp_path: Path) -> None:
    build(tmp_path / "out", Page(url="", name="a"))
    path = kept_path(tmp_path / "out")
    assert path is not None
    for number in range(120):
        (path.parent / f"{number}.json").write_text("{}")
        os.utime(path.parent / f"{number}.json", (number, number))
    (path.parent / "gone.json").symlink_to(tmp_path / "nothing")
    build(tmp_path / "out", Page(url="b", name="b"))
    left = {file.name for file in path.parent.glob("*.json")}
    assert len(left) == 100
    assert path.name in left
    assert "119.json" in left
    assert "10.json" not in left


def _changed(**members: object) -> Callable[[dict[str, Any]], object]:
    return lambda content: content | members


@pytest.mark.parametrize(
    "change",
    [
        lambda content: [],
        lambda content: None,
        lambda content: {"version": 1},
        _changed(version=2),
        _changed(version=True),
        _changed(base_url="https://["),
        _changed(base_url=""),
        _changed(base_url="ftp://example.org/"),
        _changed(base_url=3),
        _changed(files=[3]),
        _changed(files=None),
        _changed(pages=[3]),
        _changed(pages=[{}]),
        _changed(pages=[{"name": "a", "url": []}]),
        _changed(pages=[{"name": "a", "url": "a", "reason": "whim"}]),
        _changed(pages=[{"name": "a", "url": "a", "sources": [[]]}]),
        _changed(digest=3),
        _changed(files=["a\0b"]),
        _changed(files=["\ud800"]),
        _changed(pages=[{"name": "a", "url": "a", "output": "a\0/b"}]),
        _changed(pages=[{"name": "a", "url": "a", "output": "\ud800/b"}]),
    ],
)
def test_what_is_no_report_is_an_error_of_one_line(
    tmp_path: Path, change: Callable[[dict[str, Any]], object]
) -> None:
    path = tmp_path / "report.json"
    write_report(KeptReport(base_url=BASE, files=(), pages=()), path)
    content = json.loads(path.read_text())
    path.write_text(json.dumps(change(content)))
    with pytest.raises(ReportError, match=r"^[^\n]+; build the site$"):
        read_report(path)


def test_deep_and_binary_files_are_no_reports(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    for data in (b"[" * 100_000, b"\xff\xfe", b"", b"9" * 10_000):
        path.write_bytes(data)
        with pytest.raises(ReportError):
            read_report(path)


def test_what_is_no_file_is_no_report(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", Path("/dev/zero"), tmp_path, tmp_path / "nothing"):
        with pytest.raises(ReportError, match=r"^[^\n]+; build the site$"):
            read_report(path)


def test_only_a_sitemap_in_the_site_is_compared_with_a_report(tmp_path: Path) -> None:
    site = tmp_path / "site"
    build(site, Page(url="a/", name="a.md"))
    report = kept(site)
    assert report.is_of(site)
    content = (site / "sitemap.xml").read_bytes()
    (site / "sitemap.xml").unlink()
    assert not report.is_of(site)
    os.mkfifo(site / "sitemap.xml")
    assert not report.is_of(site)
    (site / "sitemap.xml").unlink()
    (site / "sitemap.xml").symlink_to("/dev/zero")
    assert not report.is_of(site)
    (tmp_path / "sitemap.xml").write_bytes(content)
    assert not replace(report, files=("../sitemap.xml",)).is_of(site)


def test_a_later_version_may_say_more(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    write_report(KeptReport(base_url=BASE, files=(), pages=()), path)
    content = json.loads(path.read_text())
    content |= {"more": 1, "pages": [{"name": "a", "url": "a/", "mood": ["good"]}]}
    path.write_text(json.dumps(content))
    assert [page.url for page in read_report(path).pages] == ["a/"]
