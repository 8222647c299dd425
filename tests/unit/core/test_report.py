"""The saved report of a build."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from support.builds import as_sources, build, build_site
from support.cli import Done, invoke
from support.json_schemas import check_schema
from support.platforms import needs_posix
from support.repository import Repository, noon
from support.small_builds import saved_report_path

from docs_sitemap import BaseUrl, Page, read_options

BASE = BaseUrl("https://example.org/docs/")
PAGE = Page(url="a/", name="a.md")


def report_of(project: Path, *pages: Page, **options: Any) -> dict[str, Any]:
    """Build a site, and read the report of the build."""
    file = project / "out/report.json"
    values = read_options({"base_url": BASE, "report": str(file), **options})
    build_site(pages, values, project / "out", root=project)
    report: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    check_schema("saved-report", report)
    return report


def build_in(site: Path) -> None:
    """Build a site in a folder."""
    values = read_options({"base_url": BASE, "lastmod": False})
    build_site([PAGE], values, site, root=site.parent)


def read_by_command(folder: Path) -> Done:
    """Let a command read the file `report.json`."""
    return invoke("explain", "site", "--report", "report.json", cwd=folder)


def has_current_report(folder: Path, *arguments: str) -> bool:
    """Return whether a command finds only the sitemap of the report."""
    done = invoke("explain", "site", *arguments, cwd=folder)
    return "the report of the build does not" not in done.err


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
    day = noon(1).replace("+00:00", "Z")
    date = {
        "status": "commit",
        "hash": commit,
        "date": day,
        "committed": day,
        "authored": "2020-02-02T02:02:02Z",
        "added": True,
    }
    assert (saved["base_url"], saved["project"]) == (BASE, "..")
    assert saved["files"] == ["sitemap.xml"]
    assert saved["pages"] == [
        {
            "name": "a.md",
            "url": "a/",
            "loc": f"{BASE}a/",
            "output": "a/index.html",
            "document": "docs/a.md",
            "sources": [
                {"path": "docs/a.md", "date": date},
                {"path": "docs/part.md", "date": date},
            ],
            "lastmod": noon(1)[:10],
            "date_status": "commit",
            "commit": commit,
            "source": "docs/a.md",
        },
        {
            "name": "new.md",
            "url": "new/",
            "loc": f"{BASE}new/",
            "document": "docs/new.md",
            "sources": [{"path": "docs/new.md", "date": {"status": "untracked"}}],
            "date_status": "untracked",
            "source": "docs/new.md",
        },
    ]


def test_excluded_pages_are_saved_with_relative_paths(tmp_path: Path) -> None:
    missing = Page(url="a.html", name="a.md", output=str(tmp_path / "out/a.html"))
    pattern = Page(url="b.html", name="b.md")
    saved = report_of(tmp_path, missing, pattern, exclude=("b*",))
    keys = ("output", "reason", "detail")
    assert [[page.get(key) for key in keys] for page in saved["pages"]] == [
        ["a.html", "not-written", "a.html"],
        [None, "exclude-pattern", "b*"],
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
    assert saved["pages"][0]["document"] == "docs/\udcff é.md"


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
        "is_address_chosen": False,
        "option_files": {},
    }
    assert sum(line.startswith('{"name"') for line in text.splitlines()) == 2


def test_reports_are_saved_outside_the_site(tmp_path: Path) -> None:
    site = tmp_path / "site"
    build_in(site)
    assert saved_report_path(site) == saved_report_path(site / "../site")
    assert saved_report_path(site).is_file()
    assert {path.name for path in site.iterdir()} == {"sitemap.xml", "sitemap.xml.gz"}


def test_a_report_that_cannot_be_written_is_a_warning(tmp_path: Path) -> None:
    (tmp_path / "folder.json").mkdir()
    (tmp_path / "file").touch()
    for path in (tmp_path / "file/report.json", tmp_path / "folder.json"):
        result = build(tmp_path / "out", PAGE, report=str(path))
        (warning,) = result.diagnostics
        assert warning.code == "write"
        assert str(tmp_path) in warning.message
        assert len(result.files) == 1


@needs_posix
@pytest.mark.parametrize("home", [None, "relative", "/dev/null/x"])
def test_without_a_cache_no_report_is_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, home: str | None
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", home or "")
    monkeypatch.setenv("HOME", home or "")
    site = tmp_path / "site"
    assert build(site, PAGE).diagnostics == ()
    assert [path.name for path in tmp_path.iterdir()] == ["site"]
    assert {path.name for path in site.iterdir()} == {"sitemap.xml", "sitemap.xml.gz"}


@needs_posix
def test_only_the_newest_hundred_reports_are_kept(tmp_path: Path) -> None:
    site = tmp_path / "site"
    build(site, PAGE)
    path = saved_report_path(site)
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
        _with(project="a\0b"),
        _with(project="\ud800"),
        _with(files=["\ud800"]),
        _with(pages=[{"name": "a", "url": "a", "output": "a\0/b"}]),
        _with(pages=[{"name": "a", "url": "a", "output": "\ud800/b"}]),
    ],
)
def test_an_invalid_report_is_an_error_of_one_line(
    tmp_path: Path, change: Callable[[dict[str, Any]], object]
) -> None:
    path = tmp_path / "report.json"
    build(tmp_path / "site", PAGE, report=str(path))
    content = json.loads(path.read_text())
    path.write_text(json.dumps(change(content)))
    done = read_by_command(tmp_path)
    (*_, line) = done.err.splitlines()
    assert line.startswith("Error: --report: ")
    assert done.code == 2


def test_deeply_nested_and_binary_files_are_not_reports(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    path = tmp_path / "report.json"
    for data in (b"[" * 100_000, b"\xff\xfe", b"", b"9" * 10_000):
        path.write_bytes(data)
        assert "not a valid build" in read_by_command(tmp_path).err


@needs_posix
def test_only_regular_files_are_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "site").mkdir()
    for path in ("pipe", "/dev/zero", ".", "nothing"):
        done = invoke("explain", "site", "--report", path, cwd=tmp_path)
        assert done.code == 2
        assert "--report" in done.err


def test_a_report_matches_the_sitemap_of_its_build(tmp_path: Path) -> None:
    site = tmp_path / "site"
    build_in(site)
    assert has_current_report(tmp_path)
    (site / "sitemap.xml").write_text("<urlset>another build</urlset>")
    assert not has_current_report(tmp_path)
    os.truncate(
        site / "sitemap.xml", 2**40
    )  # a sparse file, which takes minutes to read
    assert not has_current_report(tmp_path)
    (site / "sitemap.xml").unlink()
    assert not has_current_report(tmp_path)


@needs_posix
def test_a_report_matches_only_files_in_the_site(tmp_path: Path) -> None:
    site = tmp_path / "site"
    build_in(site)
    report = json.loads(saved_report_path(site).read_text(encoding="utf-8"))
    (tmp_path / "report.json").write_text(
        json.dumps(report | {"files": ["../sitemap.xml"]})
    )
    (site / "sitemap.xml").rename(tmp_path / "sitemap.xml")
    assert not has_current_report(tmp_path, "--report", "report.json")
    (site / "sitemap.xml").symlink_to("/dev/zero")
    assert not has_current_report(tmp_path)
    (site / "sitemap.xml").unlink()
    os.mkfifo(site / "sitemap.xml")
    assert not has_current_report(tmp_path)


def test_unknown_keys_are_ignored(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    build(tmp_path / "site", PAGE, report=str(path))
    content = json.loads(path.read_text())
    content |= {"more": 1, "pages": [{"name": "a", "url": "a/", "mood": ["good"]}]}
    path.write_text(json.dumps(content))
    done = read_by_command(tmp_path)
    assert done.out.startswith(f"{BASE}a/")
