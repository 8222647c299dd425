"""The report of a build, and a function that renders the sitemap, as integrations use
them.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.builds import as_sources, build_site
from support.cli import invoke
from support.repository import Repository
from support.small_builds import saved_report_path

from docs_sitemap import Page, read_options

BASE_URL = "https://example.org/"
PAGE = Page(url="a/", name="a.md")


def test_the_report_is_saved_for_explain_and_written_where_the_option_says(
    tmp_path: Path,
) -> None:
    out, file = tmp_path / "out", tmp_path / "reports" / "report.json"
    options = read_options(
        {"base_url": BASE_URL, "lastmod": False, "report": str(file)}
    )
    build_site([PAGE, Page(url="b/", name="b.md", overrides=False)], options, out)
    assert saved_report_path(out).read_bytes() == file.read_bytes()
    pages = json.loads(file.read_bytes())["pages"]
    assert [page["name"] for page in pages] == ["a.md", "b.md"]
    assert pages[1]["reason"] == "front-matter"


def test_a_report_that_is_not_kept_is_not_saved(tmp_path: Path) -> None:
    options = read_options({"base_url": BASE_URL, "lastmod": False})
    build_site([PAGE], options, tmp_path, is_preview=True)
    assert not saved_report_path(tmp_path).exists()


def test_no_line_for_the_log_starts_with_the_name_of_a_page(tmp_path: Path) -> None:
    pages = [
        Page(url="a/", name="::error::a.md"),
        Page(url="b/", name="::error::b.md", overrides=False),
        Page(url="#", name="::error::c.md ##[error] ##VSO[task.complete]"),
    ]
    options = read_options({"base_url": BASE_URL, "lastmod": False})
    report = build_site(pages, options, tmp_path)
    lines = [*report.details]
    assert len(lines) == 3
    assert not [line for line in lines if line.startswith("::")]
    lines += [one.message for one in report.diagnostics]
    assert len(lines) == 4
    assert not [line for line in lines if "##[" in line or "##VSO[" in line]


@pytest.mark.parametrize(
    ("ran_code", "settings", "hint"),
    [
        (("markdown-exec",), {}, "markdown-exec ran code for this page"),
        (("plot", "click"), {}, "plot and click ran code for this page"),
        (("plot",), {"dependencies": ["a.txt"]}, None),
        (("plot",), {"lastmod": "2024-01-01"}, None),
        ((), {}, None),
    ],
)
def test_files_that_code_read_can_be_named(
    tmp_path: Path,
    ran_code: tuple[str, ...],
    settings: dict[str, Any],
    hint: str | None,
) -> None:
    repository = Repository.create(tmp_path)
    repository.commit({"a.md": "# A", "a.txt": "A"}, day=1)
    source = as_sources(tmp_path / "a.md")
    page = Page(
        url="a/", name="a.md", sources=source, ran_code=ran_code, overrides=settings
    )
    file = tmp_path / "report.json"
    options = read_options({"base_url": BASE_URL, "report": str(file)})
    report = build_site([page], options, tmp_path / "out", root=tmp_path)
    (line,) = report.details
    words = ["explain", "out", "a.md", "--report", str(file), "--format", "json"]
    (result,) = invoke(*words, cwd=tmp_path).json()["results"]
    (explanation,) = result["pages"]
    assert explanation["listed"]
    if hint is None:
        assert "ran code" not in line
        assert explanation.get("date_fix") is None
    else:
        assert explanation["date_fix"].startswith(hint)
        assert line.endswith(explanation["date_fix"])
        assert "the option dependencies" in line
