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
    "nikola.md": "<!--\n.. updated: 2020-05-03\n-->\n",
    "git.md": "# Text\n",
}


def test_named_keys_date_pages(project: Path) -> None:
    build(project, DOCUMENTS)
    fields = 'lastmod_fields = ["updated", "last_update.date"]'
    (project / "docs-sitemap.toml").write_text(fields, encoding="utf-8")
    done = generate("site", "--base-url", BASE)
    assert done.err.startswith("Warning: invalid.html: the date updated is ignored: ")
    assert "'5/1/2020'" in done.err
    assert "6 dated: 3 by their path, 3 by their front matter" in done.out
    dates = {
        entry.loc: entry.lastmod
        for entry in read((project / "site/sitemap.xml").read_bytes())
    }
    from_git = "2024-01-01T10:00:00+00:00"
    assert dates == {
        f"{BASE}git.html": from_git,
        f"{BASE}hidden.html": from_git,
        f"{BASE}invalid.html": from_git,
        f"{BASE}nikola.html": "2020-05-03",
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


NIKOLA = """\
.. title: A post
.. slug: a
.. author: First
.. status: draft
"""


@pytest.mark.parametrize(
    ("name", "document"),
    [
        ("a.md", f"<!--\n{NIKOLA}-->\n\nText.\n"),
        ("a.md", f"<!-- \r\n{NIKOLA}\n-->\nText.\n"),
        ("a.rst", f"{NIKOLA}\nText.\n"),
        ("a.md", "% A post\n% First\n\nText.\n"),  # Pandoc
        ("a.md", "Title: A post\nAuthor: First\n\nText.\n"),  # Pelican
        ("a.rst", "A post\n######\n\n:author: First\n\nText.\n"),  # Pelican
    ],
)
def test_an_author_that_pages_show_dates_them(
    project: Path, name: str, document: str
) -> None:
    """A status does not, and neither does another comment."""
    repository = Repository.create(project)
    unseen = document.replace("draft", "published")
    last = document.replace("First", "Second")
    other = "..\n   Hidden\n\n" if name == "a.rst" else "<!-- Hidden -->\n\n"
    for day, text in enumerate((document, unseen, last, f"{last}\n{other}"), start=1):
        repository.commit({f"docs/{name}": text}, day=day)
    write_site(project / "site", {"a.html": html("A post")})
    generate("site", "--base-url", BASE)
    (entry,) = read((project / "site/sitemap.xml").read_bytes())
    assert entry.lastmod == "2024-01-03T10:00:00+00:00"


def test_labels_are_no_fields(project: Path) -> None:
    """Most documents of Sphinx start with one."""
    repository = Repository.create(project)
    for day, name in enumerate(("first", "second"), start=1):
        repository.commit({"docs/a.rst": f".. _{name}:\n\nText.\n"}, day=day)
    write_site(project / "site", {"a.html": html("A")})
    generate("site", "--base-url", BASE)
    (entry,) = read((project / "site/sitemap.xml").read_bytes())
    assert entry.lastmod == "2024-01-01T10:00:00+00:00"
