"""Files of the site: replaced completely or not at all, whatever interrupts a build."""

from __future__ import annotations

import errno
import gzip
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from unittest.mock import Mock

import pytest
from hypothesis import given, strategies as st
from support import interrupted_builds
from support.builds import build
from support.command import run
from support.interrupted_builds import make_files, read_all, write
from support.platforms import needs_posix
from support.readers import read
from support.sitemaps import BASE, index, url, urlset, write_site

from docs_sitemap import Options, Page, Url, remove_sitemap
from docs_sitemap.sitemap.writer import Renderer, split
from docs_sitemap.tools.files import lock_folder

SCRIPT = [sys.executable, interrupted_builds.__file__]


@needs_posix
@pytest.mark.parametrize(
    ("before", "killed", "last", "gzip"),
    [
        ("0", "3", "0", "1"),
        ("3", "0", "2", "1"),
        ("3", "5", "2", "0"),
        ("3", "None", "0", "1"),
    ],
)
def test_after_a_killed_build_the_next_one_leaves_what_it_leaves_in_an_empty_folder(
    tmp_path: Path, before: str, killed: str, last: str, gzip: str
) -> None:
    operations = run(
        [*SCRIPT, "kill", tmp_path, before, killed, last, gzip], cwd=tmp_path
    )
    assert int(operations) > 10


@needs_posix
def test_builds_at_the_same_time_leave_the_files_of_one_of_them(tmp_path: Path) -> None:
    out = tmp_path / "out"
    processes = [subprocess.Popen([*SCRIPT, "build", out, name]) for name in "123"]
    assert [process.wait() for process in processes] == [0, 0, 0]
    found = read_all(out)
    (text,) = [text for text in "123" if text.encode() in found["sitemap.xml"]]
    (data,) = make_files(text).values()
    assert found.keys() == {"sitemap.xml", "sitemap.xml.gz"}
    assert found["sitemap.xml"] == gzip.decompress(found["sitemap.xml.gz"]) == data


def test_a_build_that_does_not_end_is_one_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("docs_sitemap.tools.files.LOCK_TIMEOUT", 0.1)
    write(tmp_path, make_files("old"))
    old = read_all(tmp_path)
    with lock_folder(tmp_path):
        warning = write(tmp_path, make_files("new"))
        (not_removed,) = remove_sitemap(Options(), tmp_path)
    for message in (warning, not_removed.message):
        assert f"{tmp_path} (another build" in message
    assert read_all(tmp_path) == old


@needs_posix
def test_file_systems_without_locks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fcntl.flock", Mock(side_effect=OSError(errno.ENOSYS, "")))
    write(tmp_path, make_files("new"))
    assert read_all(tmp_path).keys() == {"sitemap.xml", "sitemap.xml.gz"}


@given(
    st.lists(st.integers(0, 300), min_size=1, max_size=40),
    st.integers(1, 12),
    st.integers(600, 3_000),
)
def test_parts_respect_both_limits_and_keep_the_order(
    lengths: list[int], max_entries: int, max_bytes: int
) -> None:
    urls = [Url(f"{BASE}{n:03}{'x' * length}/") for n, length in enumerate(lengths)]
    rendered = split(
        urls, Renderer().sitemap, max_entries=max_entries, max_bytes=max_bytes
    )
    parts = [part for _, part in rendered]
    entries = [read(part) for part in parts]
    assert all(len(part) <= max_bytes for part in parts)
    assert all(0 < len(part) <= max_entries for part in entries)
    assert [e.loc for part in entries for e in part] == [url.loc for url in urls]


def test_a_large_sitemap_is_split_into_equal_parts() -> None:
    def render(entries: Sequence[int]) -> bytes:
        return b"x" * 100 * len(entries)

    parts = split(range(45), render, max_bytes=1_000)
    assert [len(entries) for entries, _ in parts] == [8, 8, 8, 8, 8, 5]


def test_nothing_is_replaced_unless_everything_can_be_written(tmp_path: Path) -> None:
    write(tmp_path, make_files("old", 2))
    (tmp_path / "sitemap.xml").unlink()
    (tmp_path / "sitemap.xml").mkdir()
    old = read_files(tmp_path)
    warning = write(tmp_path, make_files("new", 2))
    assert f"{tmp_path / 'sitemap.xml'} (Is a directory)" in warning
    assert read_files(tmp_path) == old


def read_files(folder: Path) -> dict[str, bytes]:
    return {
        path.name: path.read_bytes()
        for path in folder.glob("sitemap*")
        if path.is_file()
    }


@needs_posix
@pytest.mark.parametrize("name", ["sitemap.xml", "sitemap.xml.gz"])
def test_pipes_devices_and_huge_files_are_replaced_without_reading_them(
    tmp_path: Path, name: str
) -> None:
    write(tmp_path, make_files("expected"))
    expected = read_all(tmp_path)
    for kind in ("pipe", "device", "huge"):
        path = tmp_path / name
        path.unlink(missing_ok=True)
        if kind == "pipe":
            os.mkfifo(path)
        elif kind == "device":
            path.symlink_to("/dev/zero")
        else:
            with open(path, "wb") as file:
                file.truncate(2**40)
        assert write(tmp_path, make_files("expected")) == ""
        assert read_all(tmp_path) == expected


@needs_posix
def test_the_sitemap_is_replaced_after_the_parts_that_it_lists(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replaced = []

    def record(source: Path, target: Path) -> None:
        replaced.append(target.name)
        original(source, target)

    original = os.replace
    monkeypatch.setattr("os.replace", record)
    write(tmp_path, make_files("new", parts=2))
    assert replaced[-2:] == ["sitemap.xml", "sitemap.xml.gz"]
    assert len(replaced) == 6


def test_a_compressed_copy_that_cannot_be_removed_is_an_error(tmp_path: Path) -> None:
    write_site(tmp_path, {"sitemap.xml.gz/a": "of the user"})
    (one,) = remove_sitemap(Options(), tmp_path)
    assert one.code == "write"
    assert "sitemap.xml.gz" in one.message


def test_only_parts_of_the_old_sitemap_are_removed(tmp_path: Path) -> None:
    names = ("a.b-1.xml", "axb-2.xml", "a.b-0.xml")
    old = dict.fromkeys(names, "")
    old["a.b.xml"] = index(*(f"{BASE}{name}" for name in names))
    write_site(tmp_path, old)
    build(tmp_path, Page(url="a/", name="a"), filename="a.b.xml")
    files = {path.name for path in tmp_path.glob("*.xml")}
    assert files == {"a.b.xml", "axb-2.xml", "a.b-0.xml"}


def test_a_listed_page_with_the_name_of_a_part_is_kept(tmp_path: Path) -> None:
    page = f"{BASE}sitemap-1.xml"
    write_site(tmp_path, {"sitemap.xml": urlset(url(page)), "sitemap-1.xml": ""})
    build(tmp_path, Page(url="sitemap-1.xml", name="a"))
    assert (tmp_path / "sitemap-1.xml").exists()


def test_the_permissions_of_a_file_are_kept(tmp_path: Path) -> None:
    write(tmp_path, make_files("old"))
    names = ("sitemap.xml", "sitemap.xml.gz")
    for name in names:
        (tmp_path / name).chmod(0o664)
    write(tmp_path, make_files("new"))
    assert [(tmp_path / name).stat().st_mode & 0o777 for name in names] == [
        0o664,
        0o664,
    ]


@needs_posix
def test_permissions_do_not_come_from_the_target_of_a_link(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.touch(0o600)
    out = tmp_path / "out"
    out.mkdir()
    (out / "sitemap.xml").symlink_to(secret)
    (out / "page.html").touch()
    write(out, make_files("new"))
    assert (out / "sitemap.xml").stat().st_mode == (out / "page.html").stat().st_mode


def test_a_saved_file_removes_the_temporary_files_of_killed_builds(
    tmp_path: Path,
) -> None:
    for name in ("notes.tmp", "0123456789abcdef.tmp", "lock"):
        (tmp_path / f".docs-sitemap-{name}").touch()
    build(tmp_path / "site", report=str(tmp_path / "report.json"))
    assert read_all(tmp_path).keys() == {"report.json", ".docs-sitemap-notes.tmp"}


def test_an_equal_report_does_not_change_its_folder(tmp_path: Path) -> None:
    report, folder = tmp_path / "reports/report.json", tmp_path / "reports"
    folder.mkdir()
    build(tmp_path / "site", report=str(report))
    os.utime(folder, (0, 0))
    build(tmp_path / "site", report=str(report))
    assert folder.stat().st_mtime == 0
