"""A page that repeats the index page of its folder is left out, as in mdBook, which
writes the first chapter twice.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from support.cli import invoke
from support.readers import read
from support.repository import Repository
from support.sitemaps import BASE, check, summarize, urls, write_site
from support.small_sites import html, made_from

SOURCE, FIRST = made_from("src/first.md")
_, SECOND = made_from("src/second.md")
BOOK = {"index.html": FIRST, "first.html": FIRST, "second.html": SECOND}


def listed(
    pages: Mapping[str, str], *options: str, monkeypatch: pytest.MonkeyPatch, path: Path
) -> list[str]:
    """Return the URLs that `generate` lists, relative to the URL of the site."""
    repository = Repository.create(path)
    repository.commit({"src/first.md": SOURCE}, day=1)
    monkeypatch.chdir(path)
    site = write_site(path / "site", pages)
    done = invoke("generate", "site", "--base-url", BASE, *options)
    assert done.code == 0, done
    entries = read((site / "sitemap.xml").read_bytes())
    return [entry.loc.removeprefix(BASE) for entry in entries]


def linked(page: str, url: str) -> str:
    link = f'<link rel="canonical" href="{BASE}{url}">'
    return page.replace("</head>", f"{link}</head>")


CASES: dict[str, tuple[Mapping[str, str], list[str]]] = {
    "the same bytes": (BOOK, ["", "second.html"]),
    "a first chapter in a folder, with other links": (
        {
            "index.html": f"{FIRST}<a href=second.html>Next</a>",
            "start/first.html": f"{FIRST}<a href=../second.html>Next</a>",
            "second.html": SECOND,
        },
        ["", "second.html"],
    ),
    "a chapter that the index page of its folder repeats": (
        {"index.html": SECOND, "one/index.html": FIRST, "one/README.html": FIRST},
        ["", "one/"],
    ),
    "canonical links to the home page": (
        {name: linked(page, "") for name, page in BOOK.items() if page == FIRST}
        | {"second.html": SECOND},
        ["", "second.html"],
    ),
    "canonical links to the chapter": (
        {
            name: linked(page, "first.html")
            for name, page in BOOK.items()
            if page == FIRST
        }
        | {"second.html": SECOND},
        ["first.html", "second.html"],
    ),
    "a home page that declares noindex": (
        BOOK
        | {
            "index.html": FIRST.replace(
                "<head>", "<head><meta name=robots content=noindex>"
            )
        },
        ["first.html", "second.html"],
    ),
    "another text": (
        BOOK | {"first.html": FIRST.replace("</p>", " more</p>")},
        ["", "first.html", "second.html"],
    ),
    "another language": (
        BOOK | {"first.html": FIRST.replace("<html>", "<html lang=de>")},
        ["", "first.html", "second.html"],
    ),
    # The home page of a version or a language is listed like its other pages.
    "the index page of a folder": (
        {"index.html": FIRST, "1.0/index.html": FIRST},
        ["", "1.0/"],
    ),
    "pages that a script fills": (
        dict.fromkeys(
            BOOK, html("App", "<div id=app></div><script>let a = 1, b = 2</script>")
        ),
        [""],
    ),
    "a page in another folder": (
        {"a/index.html": FIRST, "b/first.html": FIRST},
        ["a/", "b/first.html"],
    ),
}


@pytest.mark.parametrize(("pages", "expected"), CASES.values(), ids=CASES)
def test_copies_of_index_pages(
    pages: Mapping[str, str],
    expected: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert listed(pages, monkeypatch=monkeypatch, path=tmp_path) == expected
    assert summarize(check("site").diagnostics) == []
    # Without the report of the build, too.
    (tmp_path / "site").rename("other")
    assert summarize(check("other", base_url=BASE).diagnostics) == []


def test_why_a_copy_is_left_out_and_how_to_list_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "first.html" not in listed(BOOK, monkeypatch=monkeypatch, path=tmp_path)
    assert "duplicate-content" in invoke("explain", "site", "first.html").out
    for setting in (
        'include = ["first.html"]',
        'ignore_reasons = ["duplicate-content"]',
        'exclude = ["index.html"]',
    ):
        Path("docs-sitemap.toml").write_text(setting)
        assert invoke("generate", "site", "--base-url", BASE).code == 0
        locs = [entry.loc for entry in read(Path("site/sitemap.xml").read_bytes())]
        assert f"{BASE}first.html" in locs


@pytest.mark.parametrize(
    ("pages", "options"),
    [
        (BOOK | {"sitemap.xml": urls("", "first.html")}, ("--update",)),
        # mdBook, if the first chapter is the README.md of a folder
        ({"index.html": FIRST, "first/index.html": FIRST}, ()),
    ],
)
def test_copies_that_are_listed_have_the_same_date(
    pages: Mapping[str, str],
    options: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert len(listed(pages, *options, monkeypatch=monkeypatch, path=tmp_path)) == 2
    dates = [entry.lastmod for entry in read(Path("site/sitemap.xml").read_bytes())]
    assert dates[0] == dates[1] is not None
