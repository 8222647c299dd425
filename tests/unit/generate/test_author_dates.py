"""Dates that the authors of pages set in front matter."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.cli import invoke
from support.readers import read
from support.repository import Repository
from support.sitemaps import BASE, write_site
from support.small_sites import generate, html

SHOWN = '<meta property="article:modified_time" content="2020-05-01T10:00:00Z">'


@pytest.fixture(autouse=True)
def _in_project(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project.mkdir()
    monkeypatch.chdir(project)


def build(project: Path, documents: dict[str, str]) -> None:
    Repository.create(project).commit(
        {f"docs/{name}": text for name, text in documents.items()}, day=1
    )
    pages = {}
    for name in documents:
        page = f"{name.partition('.')[0]}.html"
        pages[page] = html(name, head=SHOWN)
    write_site(project / "site", pages)


DOCUMENTS = {
    "yaml.md": "---\nupdated: 2020-05-01 01:30:00 +0200\n---\n",
    "toml.md": "+++\n[last_update]\ndate = 2020-05-02\n+++\n",
    "hidden.md": "---\nupdated: false\n---\n",
    "invalid.md": "---\nupdated: 5/1/2020\n---\n",
    "git.md": "# Text\n",
}


def test_named_keys_date_pages(project: Path) -> None:
    build(project, DOCUMENTS)
    fields = 'lastmod_fields = ["updated", "last_update.date"]'
    (project / "docs-sitemap.toml").write_text(fields, encoding="utf-8")
    done = generate("site", "--base-url", BASE)
    assert done.err.startswith("Warning: invalid.html: the date updated is ignored: ")
    assert "'5/1/2020'" in done.err
    assert "5 dated: 3 by their path, 2 by their front matter" in done.out
    dates = {
        entry.loc: entry.lastmod
        for entry in read((project / "site/sitemap.xml").read_bytes())
    }
    from_git = "2024-01-01T10:00:00+00:00"
    assert dates == {
        f"{BASE}git.html": from_git,
        f"{BASE}hidden.html": from_git,
        f"{BASE}invalid.html": from_git,
        f"{BASE}toml.html": "2020-05-02",
        f"{BASE}yaml.html": "2020-04-30T23:30:00+00:00",
    }


@pytest.mark.parametrize(
    ("name", "document", "is_reported"),
    [
        ("a.md", "---\nupdated: 2020-05-01\n---\n", False),
        ("a.md", "---\ndate:\n  updated: 2020-05-02 01:00:00 +0900\n---\n", False),
        ("a.md", "+++\nlastmod = 2020-05-01T10:00:00Z\n+++\n", False),
        ("a.rst", ":updated: 2020-05-01\n\nText\n", False),
        ("a.md", "---\ndate: 2020-05-01\nupdated: 2020-05-07\n---\n", True),
        ("a.md", "---\nupdated: 2020-05-07\n---\n2020-05-01\n", True),
    ],
)
def test_a_page_may_show_the_date_that_its_author_set(
    project: Path, name: str, document: str, is_reported: bool
) -> None:
    build(project, {name: document})
    generate("site", "--base-url", BASE)
    done = invoke("check", "site", "--base-url", BASE)
    assert done.code == 0
    assert ("lastmod-not-shown" in done.out) is is_reported
