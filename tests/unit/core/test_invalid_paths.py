"""Texts that cannot be paths: they have NUL characters, or characters that cannot be
encoded.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from support.builds import as_sources, build, build_dates
from support.platforms import needs_posix
from support.repository import Repository

from docs_sitemap import OptionError, Page, Source, read_options

pytestmark = needs_posix  # Windows can encode all surrogates.

INVALID = ["a\0b", "\ud800", "\udfff.json"]


@pytest.mark.parametrize("text", INVALID)
@pytest.mark.parametrize(
    "name", ["repository", "template", "report", "ignore_revs_file", "dependencies"]
)
def test_options_that_are_paths(name: str, text: str) -> None:
    value: Any = {"*": [text]} if name == "dependencies" else text
    with pytest.raises(
        OptionError, match=r"file names cannot contain|relative paths"
    ) as raised:
        read_options({name: value})
    ((option, message),) = raised.value.errors
    assert option == name
    assert message.isprintable()


@pytest.mark.parametrize("name", ["report", "template", "repository"])
def test_an_empty_path_means_none(name: str, tmp_path: Path) -> None:
    options: dict[str, Any] = {name: ""}
    assert getattr(read_options(options), name) is None
    assert build(tmp_path, Page(url="a/", name="a.md"), **options).diagnostics == ()


@pytest.mark.parametrize("text", INVALID)
def test_a_page_with_an_invalid_output_is_not_written(
    tmp_path: Path, text: str
) -> None:
    page = Page(url="a/", name="a.md", output=str(tmp_path / text))
    (excluded,) = build(tmp_path, page).excluded
    assert excluded.reason == "not-written"
    file = tmp_path / "report.json"
    for options in ({}, {"ignore_reasons": "not-written"}):
        build(tmp_path, page, report=str(file), **options)
        (saved,) = json.loads(file.read_text(encoding="utf-8"))["pages"]
        assert "output" not in saved


@pytest.mark.parametrize("text", INVALID)
def test_a_page_with_an_invalid_source_has_no_date(project: Path, text: str) -> None:
    repository = Repository.create(project)
    repository.commit({"a.md": "text"}, day=1)
    own, invalid = str(project / "a.md"), str(project / text)
    page = Page(url="a/", name="a.md", sources=as_sources(own, invalid))
    repositories: list[dict[str, Any]] = [{}, {"repository": str(project)}]
    for options in repositories:
        (entry,) = build_dates(page, **options).listed
        assert (entry.lastmod.status, entry.lastmod.source) == ("untracked", invalid)
    optional = Page(
        url="a/",
        name="a.md",
        sources=(*as_sources(own), Source(invalid, is_optional=True)),
    )
    (entry,) = build_dates(optional).listed
    assert entry.lastmod.status == "commit"


@pytest.mark.parametrize("text", [*INVALID, os.fsdecode(b"\xff")])
def test_other_fields_of_a_page_and_patterns(tmp_path: Path, text: str) -> None:
    named = Page(url="a/", name=text)
    assert len(build(tmp_path, named, exclude="*x").listed) == 1
    report = build(tmp_path, Page(url=text, name="a"), exclude=text, include=f"{text}*")
    assert {entry.reason for entry in report.excluded} <= {
        "exclude-pattern",
        "invalid-url",
    }
    assert all(one.message.isprintable() for one in report.diagnostics)
