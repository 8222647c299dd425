"""The option `robots`: the line in `robots.txt`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.builds import build as build_with_options
from support.platforms import needs_posix
from support.sitemaps import check

from docs_sitemap import BuildResult, Diagnostic, Page, Severity

ROOT = "https://example.org/"
LINE = b"Sitemap: https://example.org/sitemap.xml"


def build(out: Path, base_url: str = ROOT, **options: Any) -> BuildResult:
    page = Page(url="a/", name="a.md")
    return build_with_options(
        out, page, base_url=base_url, **{"robots": True} | options
    )


def only_problem(report: BuildResult) -> Diagnostic:
    assert report.files
    (one,) = report.diagnostics
    assert one.code == "robots"
    return one


def test_the_file_is_created_once(tmp_path: Path) -> None:
    robots = tmp_path / "robots.txt"
    assert not build(tmp_path).diagnostics
    assert robots.read_bytes() == LINE + b"\n"
    assert not build(tmp_path).diagnostics
    assert robots.read_bytes() == LINE + b"\n"


def test_the_file_is_not_written_by_default(tmp_path: Path) -> None:
    build(tmp_path, robots=False)
    assert not (tmp_path / "robots.txt").exists()


@pytest.mark.parametrize(
    ("before", "added"),
    [
        (b"", LINE + b"\n"),
        (b"\xef\xbb\xbf", LINE + b"\n"),
        (b"User-agent: *\nDisallow: /x", b"\n" + LINE + b"\n"),
        (b"User-agent: *\r\nDisallow: /x\r\n", LINE + b"\r\n"),
        (b"\xef\xbb\xbfUser-agent: *\r\nDisallow: /x", b"\r\n" + LINE + b"\r\n"),
        (b"# caf\xe9\n\n\n", LINE + b"\n"),
        (b"# " + LINE + b"\n", LINE + b"\n"),
        (b"Sitemap: https://example.org/other.xml\n", LINE + b"\n"),
        (b"Sitemap:\n", LINE + b"\n"),
        (b"User-agent: *\r", LINE + b"\n"),
    ],
)
def test_an_existing_file_keeps_every_byte(
    tmp_path: Path, before: bytes, added: bytes
) -> None:
    robots = tmp_path / "robots.txt"
    robots.write_bytes(before)
    for _ in range(2):
        assert not build(tmp_path).diagnostics
        assert robots.read_bytes() == before + added


@pytest.mark.parametrize(
    "line",
    [
        LINE,
        LINE.replace(b"Sitemap", b"SITEMAP"),
        b"\xef\xbb\xbf" + LINE,
        b"User-agent: *\r\n  sitemap :\t" + LINE[9:] + b"  # all pages\r\nDisallow: /x",
        b"Site-map: https://EXAMPLE.org:443/%73itemap.xml",
    ],
)
def test_an_equal_line_is_left_alone(tmp_path: Path, line: bytes) -> None:
    robots = tmp_path / "robots.txt"
    robots.write_bytes(line)
    assert not build(tmp_path).diagnostics
    assert robots.read_bytes() == line


@pytest.mark.parametrize("base_url", [f"{ROOT}docs/", f"{ROOT}en/1.0"])
def test_below_the_root_a_notice_says_what_to_add_where(
    tmp_path: Path, base_url: str
) -> None:
    one = only_problem(build(tmp_path, base_url))
    assert one.severity is Severity.NOTICE
    url = f"{base_url.rstrip('/')}/sitemap.xml"
    assert f"add the line Sitemap: {url} to {ROOT}robots.txt" in one.message
    assert not (tmp_path / "robots.txt").exists()


def test_the_folder_of_the_url_scheme_counts(tmp_path: Path) -> None:
    report = build(tmp_path, url_scheme="{lang}{link}", language="de")
    assert (
        "Sitemap: https://example.org/de/sitemap.xml to" in only_problem(report).message
    )


def test_without_a_sitemap_nothing_is_named(tmp_path: Path) -> None:
    build_with_options(tmp_path, base_url=ROOT, robots=True)
    assert not (tmp_path / "robots.txt").exists()


def test_check_accepts_the_result(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    html = "<!doctype html><title>A</title>"
    (tmp_path / "a/index.html").write_text(html, encoding="utf-8")
    (tmp_path / "robots.txt").write_bytes(b"User-agent: *\nDisallow: /b/")
    build(tmp_path, filename="pages.xml")
    assert not check(tmp_path).diagnostics


@needs_posix
def test_a_symbolic_link_is_one_warning(tmp_path: Path) -> None:
    target = tmp_path / "target"
    target.write_bytes(b"User-agent: *\n")
    out = tmp_path / "out"
    out.mkdir()
    (out / "robots.txt").symlink_to(target)
    one = only_problem(build(out))
    assert one.severity is Severity.WARNING
    assert "symbolic link" in one.message
    assert target.read_bytes() == b"User-agent: *\n"


@pytest.mark.parametrize("content", [None, bytes(500 * 1024 + 1)])
def test_an_unusable_file_is_one_warning(tmp_path: Path, content: bytes | None) -> None:
    robots = tmp_path / "robots.txt"
    if content is None:
        robots.mkdir()
    else:
        robots.write_bytes(content)
    one = only_problem(build(tmp_path))
    assert one.severity is Severity.WARNING
    assert "not added to robots.txt" in one.message
    assert content is None or robots.read_bytes() == content


def test_read_the_docs_publishes_the_file_at_the_root(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = "https://project.readthedocs.io/en/stable/"
    monkeypatch.setenv("READTHEDOCS_CANONICAL_URL", address)
    assert build(tmp_path, address).diagnostics == ()
    line = f"Sitemap: {address}sitemap.xml\n"
    assert (tmp_path / "robots.txt").read_text() == line
    # Another site in the same build is somewhere else.
    other = build(tmp_path / "other", "https://example.org/docs/")
    assert [one.code for one in other.diagnostics] == ["base_url", "robots"]
    assert not (tmp_path / "other/robots.txt").exists()
