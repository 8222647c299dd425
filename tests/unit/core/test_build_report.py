"""The report of a build, and a function that renders the sitemap, as integrations use them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from docs_sitemap import Listed, Options, Page, ProblemKind, build_sitemap
from docs_sitemap._saved_report import read_report, saved_report_path

BASE_URL = "https://example.org/"
PAGE = Page(url="a/", name="a.md")


def test_the_report_is_saved_for_explain_and_written_where_the_option_says(tmp_path: Path) -> None:
    out, file = tmp_path / "out", tmp_path / "reports" / "report.json"
    options = Options(base_url=BASE_URL, lastmod=False, report=str(file))
    build_sitemap([PAGE, Page(url="b/", name="b.md", overrides=False)], options, out)
    saved = saved_report_path(out)
    assert saved is not None
    assert saved.read_bytes() == file.read_bytes()
    assert [page.name for page in read_report(file).pages] == ["a.md", "b.md"]
    assert json.loads(file.read_bytes())["pages"][1]["reason"] == "front-matter"


def test_a_report_that_is_not_kept_is_not_saved(tmp_path: Path) -> None:
    build_sitemap([PAGE], Options(base_url=BASE_URL, lastmod=False), tmp_path, keep_report=False)
    saved = saved_report_path(tmp_path)
    assert saved is not None
    assert not saved.exists()


def test_a_report_that_cannot_be_written_is_one_warning(tmp_path: Path) -> None:
    folder = tmp_path / "report.json"
    folder.mkdir()
    options = Options(base_url=BASE_URL, lastmod=False, report=str(folder))
    report = build_sitemap([PAGE], options, tmp_path / "out")
    assert [problem.kind for problem in report.problems] == [ProblemKind.WRITE]
    assert str(folder) in report.problems[0].message
    assert len(report.files) == 1


def test_a_build_works_without_a_cache_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file" / "cache"))
    (tmp_path / "file").write_text("")
    report = build_sitemap([PAGE], Options(base_url=BASE_URL, lastmod=False), tmp_path / "out")
    assert report.problems == ()


def test_a_function_renders_the_sitemap_instead_of_the_template(tmp_path: Path) -> None:
    def render(listed: Sequence[Listed]) -> str:
        urls = "".join(f"<url><loc>{entry.url.loc}</loc></url>" for entry in listed)
        return f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{urls}</urlset>'

    options = Options(base_url=BASE_URL, lastmod=False)
    report = build_sitemap([PAGE], options, tmp_path, render_sitemap=render)
    assert report.problems == ()
    assert "<url><loc>https://example.org/a/</loc></url>" in report.files[0].read_text()


def test_a_function_that_fails_is_one_warning_and_writes_nothing(tmp_path: Path) -> None:
    def render(listed: Sequence[Listed]) -> str:
        raise KeyError("title")

    options = Options(base_url=BASE_URL, lastmod=False)
    report = build_sitemap([PAGE], options, tmp_path, render_sitemap=render)
    assert [problem.kind for problem in report.problems] == [ProblemKind.TEMPLATE]
    assert "KeyError: 'title'" in report.problems[0].message
    assert [*tmp_path.iterdir()] == []
