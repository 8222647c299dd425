"""What `docs-sitemap report` says about a site."""

from __future__ import annotations

import gzip
import json
import os
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from selectolax.lexbor import LexborHTMLParser
from support.cli import docs_sitemap, invoke
from support.platforms import needs_posix
from support.repository import Repository
from support.site_reports import TODAY, find, read_html, read_rows, run_report
from support.sitemaps import BASE, write_site
from support.small_builds import (
    Document,
    build_small_site,
    documenting,
    edit_report,
    page,
)
from support.small_sites import html

from docs_sitemap import DateStatus

WORDS = "Readers see these words. " * 10


def test_the_report_of_a_real_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = Repository.create(tmp_path)
    repository.commit({"docs/index.md": "# Home", "docs/guide/a.md": "# A"}, day=1)
    repository.commit({"docs/guide/a.md": "# A\n\nMore"}, day=5)
    repository.write(
        {
            "site/index.html": html("Home - Example"),
            "site/guide/a/index.html": html("A & B - Example"),
            "site/404.html": html("Not found - Example"),
        }
    )
    monkeypatch.chdir(tmp_path)
    assert invoke("generate", "site", "--base-url", BASE).code == 0
    done = invoke("report", "site", "--today", "2026-01-10")
    assert done.code == 0, done
    assert done.out == (
        "site: 2 pages, 2 dated; median age 24 months, oldest 2 years. Written to "
        "docs-report.html\n2 of 2 pages have not changed for 2 years\n"
    ).replace("24 months", "2 years")
    assert done.err == ""


def test_a_site_without_a_saved_report_is_planned_as_generate_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = Repository.create(tmp_path)
    repository.commit({"docs/a.md": "# A"}, day=1)
    repository.write({"site/a.html": html("A"), "site/b.html": html("B")})
    monkeypatch.chdir(tmp_path)
    done = invoke("report", "site", "--format", "json", "--base-url", BASE)
    assert done.code == 0, done
    report = done.json()
    assert report["base_url"] == BASE
    assert [one["page"].get("lastmod") for one in report["pages"]] == [
        "2024-01-01T10:00:00+00:00",
        None,
    ]
    assert not (tmp_path / "site/sitemap.xml").exists()


def test_only_listed_pages_are_reported(tmp_path: Path) -> None:
    excluded = page("x/", "2026-08-01", overrides=False)
    build_small_site(tmp_path, page("a/", "2026-08-01"), excluded)
    assert run_report(tmp_path).out.startswith("site: 1 page, 1 dated; ")


def test_the_ages_of_pages_and_sections(tmp_path: Path) -> None:
    build_small_site(
        tmp_path,
        page("", "2026-08-30"),
        page("about/", "2024-08-30"),
        page("guide/", "2022-01-01"),
        page("guide/a/", "2026-01-01"),
        page("guide/b/", "2025-12-01"),
        page("guide/c/", None),
    )
    report = run_report(tmp_path, "--format", "json").json()
    assert report["total"] == {
        "section": "",
        "pages": 6,
        "dated": 5,
        "median": 273,
        "oldest": 1703,
        "bands": [1, 2, 0, 2, 1],
    }
    ages = [(one["section"], one["pages"], one["median"]) for one in report["sections"]]
    assert ages == [("guide", 4, 273), ("", 2, 1)]
    assert report["quarters"] == {
        "2022-Q1": 1,
        "2024-Q3": 1,
        "2025-Q4": 1,
        "2026-Q1": 1,
        "2026-Q3": 1,
    }
    order = [one["page"]["url"] for one in report["pages"]]
    assert order == ["guide/", "about/", "guide/b/", "guide/a/", "", "guide/c/"]


def test_the_limits_of_ages(tmp_path: Path) -> None:
    days = {182: "2026-03-02", 183: "2026-03-01", 364: "2025-09-01"}
    days |= {365: "2025-08-31", 729: "2024-09-01", 730: "2024-08-31"}
    build_small_site(tmp_path, *[page(f"{age}/", day) for age, day in days.items()])
    report = run_report(tmp_path, "--format", "json").json()
    assert report["total"]["bands"] == [1, 2, 2, 1, 0]
    for age, older in (("2y", []), ("729d", ["730/"])):
        arguments = ("--format", "json", "--older-than", age)
        report = run_report(tmp_path, *arguments, code=len(older)).json()
        assert [one["page"]["url"] for one in report["pages"]] == older


def test_a_commit_is_counted_once(tmp_path: Path) -> None:
    build_small_site(tmp_path, page("a/", "2026-08-01"), page("b/", "2026-08-01"))
    report = run_report(tmp_path, "--format", "json").json()
    assert report["months"] == {"2026-08": 1}


def test_a_date_in_the_future_is_no_negative_age(tmp_path: Path) -> None:
    build_small_site(tmp_path, page("a/", "2031-02-03"))
    done = run_report(tmp_path)
    assert "median age 0 days, oldest 0 days" in done.out
    assert "2026-Q3 1" in (tmp_path / "docs-report.html").read_text()


@pytest.mark.parametrize("lastmod", ["2024", "2024-05", "2024-05-06", "soon", ""])
def test_all_forms_of_dates(tmp_path: Path, lastmod: str) -> None:
    build_small_site(tmp_path, page("a/", "2024-01-01"))
    edit_report(tmp_path, "a/", lastmod=lastmod)
    dated = int(lastmod.startswith("2024"))
    assert f"1 page, {dated} dated" in run_report(tmp_path).out


def test_a_site_without_pages(tmp_path: Path) -> None:
    build_small_site(tmp_path)
    tree = read_html(tmp_path)
    assert "The build listed no pages" in find(tree, "main").text()
    for name in ("text", "json"):
        assert run_report(tmp_path, "--format", name).out


def test_a_site_without_dates(tmp_path: Path) -> None:
    write_site(tmp_path, {"docs/a.md": "", "docs/b.md": ""})
    build_small_site(
        tmp_path,
        page("a/", None),
        page("b/", None),
        page("c/", None, sources=None),
        page("draft/", "2026-08-01", overrides=False),
        generator="sphinx",
    )
    assert run_report(tmp_path).out.startswith("site: 3 pages, 0 dated. Written")
    assert undated(tmp_path) == [
        "2: a source file is not committed. Fix: commit the file; if it is generated, "
        "add the files it is generated from to sitemap_dependencies.",
        "1: not all source files of the page are known. Fix: add the files it is generated "
        "from to sitemap_dependencies, or set `lastmod` below `sitemap` in "
        "the front matter (`:sitemap-lastmod:` in Sphinx).",
    ]
    text = run_report(tmp_path, "--format", "text").out
    assert f"No date, {DateStatus.UNTRACKED.meaning}: 2\n" in text
    off = tmp_path / "off"
    build_small_site(off, page("a/", "2026-08-01"), generator="sphinx", lastmod=False)
    assert undated(off) == [
        "1: sitemap_show_lastmod is off. Fix: turn sitemap_show_lastmod on."
    ]


def undated(folder: Path) -> list[str]:
    """Return what a report says about pages without a date."""
    section = read_html(folder).css("section[aria-labelledby=undated] p")
    return [" ".join(one.text().split()) for one in section]


def test_titles_lose_the_name_of_the_site(tmp_path: Path) -> None:
    pages = [page("missing/", "2026-08-01")]
    for name in ("a", "b", "c"):
        pages.append(page(f"{name}/", "2026-08-01"))
        file = tmp_path / f"site/{name}/index.html"
        file.parent.mkdir(parents=True)
        file.write_text(html(f"{name} - set up — Example"), encoding="utf-8")
    build_small_site(tmp_path, *pages)
    (tmp_path / "site/missing/index.html").unlink()
    report = run_report(tmp_path, "--format", "json").json()
    titles = [one["title"] for one in report["pages"]]
    assert titles == ["a - set up", "b - set up", "c - set up", "missing.md"]


def outdated(folder: Path, *pages: Document) -> list[tuple[str, str, int]]:
    """Return the pages whose text is older than what they document, with the newest
    source and the days.
    """
    build_small_site(folder, *pages)
    return find_outdated(folder)


def find_outdated(folder: Path) -> list[tuple[str, str, int]]:
    """Return the same for a site that is built."""
    report = run_report(folder, "--format", "json").json()
    found = []
    for one in report["outdated"]:
        found.append((one["page"]["page"]["url"], one["source"], one["days"]))
    return found


def test_text_that_is_older_than_what_it_documents(tmp_path: Path) -> None:
    assert outdated(
        tmp_path,
        documenting("a/", "2026-01-01", {"src/a.py": "2026-02-15"}),
        documenting(
            "b/", "2023-02-11", {"src/b.py": "2026-08-01", "x.py": "2024-01-01"}
        ),
        documenting("c/", "2026-01-01", {"src/c.py": "2026-01-30"}),
        documenting("d/", "2026-01-01", {"src/d.py": "2025-01-01"}),
        documenting("e/", "2026-01-01", {"src/e.py": "2026-01-31"}),
    ) == [("b/", "src/b.py", 1267), ("a/", "src/a.py", 45), ("e/", "src/e.py", 30)]
    row = ["b.md", "3 years", "2023-02-11 docs/ b.md", "2026-08-01 src/ b.py"]
    tree = read_html(tmp_path)
    assert read_rows(tree, "section[aria-labelledby=outdated]")[0] == row
    text = run_report(tmp_path, "--format", "text").out
    assert "b/: edited on 2023-02-11, but src/b.py changed on 2026-08-01\n" in text


@pytest.mark.parametrize(
    "path", ["docs/a.PNG", "CHANGELOG.md", "package/README.rst", "film.mp4", "part.mdx"]
)
def test_images_and_other_texts_make_no_text_outdated(
    tmp_path: Path, path: str
) -> None:
    pages = documenting("a/", "2023-01-01", {path: "2026-01-01"})
    assert outdated(tmp_path, pages) == []


def test_translations_make_no_text_outdated(tmp_path: Path) -> None:
    texts = documenting("a/", "2023-01-01", {"locale/de.txt": "2026-01-01"})
    assert len(outdated(tmp_path, texts)) == 1
    report = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    document, messages = report["pages"][0]["sources"]
    edit_report(tmp_path, "a/", sources=[document, {**messages, "shows": "messages"}])
    assert find_outdated(tmp_path) == []


def test_a_file_that_many_pages_show_makes_no_text_outdated(tmp_path: Path) -> None:
    pages = []
    for number in range(6):
        others = {"src/types.py": "2026-01-01"}
        pages.append(documenting(f"page-{number}/", "2023-01-01", others))
    assert outdated(tmp_path, *pages) == []
    assert len(outdated(tmp_path / "fewer", *pages[:5])) == 5


@pytest.mark.parametrize(
    ("text", "is_reported"),
    [
        (f"# Title\n\n{WORDS}", True),
        (f"Title\n=====\n\n* {WORDS}", True),
        ("# Title\n\n::: package.module\n    options:\n      members: true\n", False),
        ("# Title\n\n.. automodule:: package\n   :members:\n", False),
        ("# Title\n\nThis is the API.\n\n::: package\n", False),
    ],
)
def test_a_page_without_a_text_of_its_own(
    tmp_path: Path, text: str, is_reported: bool
) -> None:
    document = tmp_path / "docs/a.md"
    document.parent.mkdir()
    document.write_text(text)
    found = outdated(tmp_path, documenting("a/", "2023-01-01", {"a.py": "2026-01-01"}))
    assert bool(found) is is_reported


def test_older_than_reports_only_older_pages_and_fails(tmp_path: Path) -> None:
    build_small_site(
        tmp_path,
        page("new/", "2026-08-30"),
        page("old/", "2022-08-30"),
        page("unknown/", None),
    )
    arguments = ["--older-than", "2y", "--format"]
    text = run_report(tmp_path, *arguments, "text", code=1).out
    first = "site: 1 of 3 pages older than 2 years; median age 4 years, oldest 4 years"
    assert text.splitlines()[0] == first
    assert text.endswith("\n  2022-08-30  old/, 4 years\n")
    assert "new/" not in text
    assert "unknown/" not in text
    report = run_report(tmp_path, *arguments, "json", code=1).json()
    assert (report["older_than"], report["listed"], len(report["pages"])) == (730, 3, 1)
    done = run_report(tmp_path, *arguments, "html", code=1)
    assert done.out.splitlines()[0] == f"{first}. Written to docs-report.html"
    none = run_report(tmp_path, "--older-than", "9y").out
    assert none.startswith("site: 0 of 3 pages older than 9 years. Written")


@pytest.mark.parametrize(
    ("age", "days"), [("0d", 0), ("90d", 90), ("8w", 56), ("18mo", 548), ("2y", 730)]
)
def test_units_of_ages(tmp_path: Path, age: str, days: int) -> None:
    build_small_site(tmp_path)
    report = run_report(tmp_path, "--format", "json", "--older-than", age).json()
    assert report["older_than"] == days


@pytest.mark.parametrize(
    "age", ["", "2", "2m", "y", "-1y", "1.5y", "2 y", "٢y", "9" * 9]
)
def test_invalid_ages(tmp_path: Path, age: str) -> None:
    build_small_site(tmp_path)
    done = run_report(tmp_path, f"--older-than={age}", code=2)
    assert f"{age!r} is not an age" in done.err
    assert not (tmp_path / "docs-report.html").exists()


def test_the_same_input_gives_the_same_bytes(tmp_path: Path) -> None:
    build_small_site(tmp_path, page("a/", "2026-08-01"), page("b/", None))
    run_report(tmp_path)
    first = (tmp_path / "docs-report.html").read_bytes()
    run_report(tmp_path, "--output", "other.html")
    assert (tmp_path / "other.html").read_bytes() == first
    assert f"<time>{TODAY}</time>".encode() in first


def test_a_large_site(tmp_path: Path) -> None:
    pages = []
    for number in range(5_000):
        day = f"20{10 + number % 16}-0{1 + number % 9}-01"
        settings = {"lastmod": day}
        url = f"section-{number % 50}/page-{number}/"
        pages.append(Document(url, {}, {"name": url, "overrides": settings}))
    build_small_site(tmp_path, *pages)
    tree = read_html(tmp_path)
    assert len(tree.css("#all-pages tbody tr")) == 5_000
    assert (tmp_path / "docs-report.html").stat().st_size < 3_000_000
    assert len(run_report(tmp_path, "--format", "text").out.splitlines()) < 100


def test_a_missing_folder(tmp_path: Path) -> None:
    done = invoke("report", tmp_path / "missing")
    assert done.code == 2
    assert "missing does not exist" in done.err


def test_a_folder_without_pages(tmp_path: Path) -> None:
    done = invoke("report", tmp_path, "--base-url", BASE, cwd=tmp_path)
    assert done.code == 2
    line = f"Error: {tmp_path} contains no HTML files. Fix: "
    assert done.err.splitlines()[-1].startswith(line)
    assert not (tmp_path / "docs-report.html").exists()


def test_an_unknown_address(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text(html())
    done = invoke("report", tmp_path, cwd=tmp_path)
    assert done.code == 2
    assert "Error: --base-url: " in done.err


def test_an_invalid_report(tmp_path: Path) -> None:
    build_small_site(tmp_path)
    (tmp_path / "report.json").write_text("[]")
    done = run_report(tmp_path, code=2)
    assert "valid build report" in done.err


def test_an_output_for_another_format(tmp_path: Path) -> None:
    build_small_site(tmp_path)
    done = run_report(tmp_path, "--format", "json", "--output", "x.json", code=2)
    assert "Error: --output: " in done.err
    assert not (tmp_path / "x.json").exists()


@pytest.mark.parametrize(
    "output", ["report.json/x.html", "new/x.html", "site", "a" * 300]
)
def test_an_output_that_cannot_be_written(tmp_path: Path, output: str) -> None:
    build_small_site(tmp_path, page("a/", "2026-08-01"))
    arguments: list[Any] = ["report", "site", "--report", "report.json"]
    done = docs_sitemap(*arguments, "--output", output, cwd=tmp_path)
    assert done.code == 2
    assert done.out == ""
    assert done.err.startswith("Error: ")
    assert "Fix: " in done.err
    assert done.err.count("\n") == 1
    assert sorted(os.listdir(tmp_path)) == [".git", "report.json", "site"]


@needs_posix
def test_an_existing_report_keeps_its_permissions(tmp_path: Path) -> None:
    build_small_site(tmp_path, page("a/", "2026-08-01"))
    file = tmp_path / "docs-report.html"
    file.write_text("old")
    file.chmod(0o640)
    run_report(tmp_path)
    assert file.stat().st_mode & 0o777 == 0o640
    assert file.read_text().startswith("<!doctype html>")


@pytest.mark.parametrize(
    ("remote", "commits", "files"),
    [
        (
            "https://github.com/example/project.git",
            "github.com/example/project/commit",
            "github.com/example/project/blob",
        ),
        (
            "git@github.com:example/project.git",
            "github.com/example/project/commit",
            "github.com/example/project/blob",
        ),
        (
            "ssh://git@gitlab.example.org:22/a/b/c.git",
            "gitlab.example.org/a/b/c/-/commit",
            "gitlab.example.org/a/b/c/-/blob",
        ),
        (
            "https://me:secret@bitbucket.org/a/b",
            "bitbucket.org/a/b/commits",
            "bitbucket.org/a/b/src",
        ),
        (
            "https://codeberg.org/a/b/",
            "codeberg.org/a/b/commit",
            "codeberg.org/a/b/src/commit",
        ),
        ("https://git.example.org/a/b", "git.example.org/a/b/commit", None),
        ("/srv/git/project.git", None, None),
        ("file:///srv/git.d/project.git", None, None),
        ("javascript:alert(1)", None, None),
    ],
)
def test_links_to_the_hosting_service(
    tmp_path: Path, remote: str, commits: str | None, files: str | None
) -> None:
    Repository.create(tmp_path).git("remote", "add", "origin", remote)
    (built,) = build_small_site(tmp_path, page("ä b/", "2024-01-01")).pages
    tree = read_html(tmp_path)
    *_, source, cell = tree.css("#all-pages tbody td")
    assert built.commit is not None
    assert cell.text().startswith(f"{built.commit[:10]} Change of 2024-01-01")
    link = f"https://{commits}/{built.commit}" if commits else None
    for place in (cell, find(tree, "footer")):
        links = [one.attributes["href"] for one in place.css("a")]
        assert links == ([] if link is None else [link])
    path = f"{built.commit}/docs/%C3%A4%20b.md"
    links = [one.attributes["href"] for one in source.css("a")]
    assert links == ([f"https://{files}/{path}"] if files else [])


def test_files_that_are_not_in_the_repository_have_no_links(tmp_path: Path) -> None:
    Repository.create(tmp_path).git("remote", "add", "o", "https://github.com/a/b")
    build_small_site(tmp_path, page("a/", "2024-01-01"), page("b/", "2024-01-02"))
    edit_report(tmp_path, "a/", document="docs/gone.md", source="../secret.md")
    urls = run_report(tmp_path, "--format", "json").json()["source_urls"]
    assert list(urls) == ["docs/b.md"]


EDIT = "https://github.com/a/b/edit/main"

# The attribute of a link on the page of `docs/a.md`, and what the report links to.
EDIT_LINKS = [
    (f'"{EDIT}/docs/a.md"', f"{EDIT}/docs/a.md"),
    (f"{EDIT}/docs/a.md", f"{EDIT}/docs/a.md"),
    (f'"{EDIT}/old.md"><a href="{EDIT}/x/docs/a.md"', f"{EDIT}/x/docs/a.md"),
    (
        '"https://codeberg.org/a/b/_edit/main/docs/a.md"',
        "https://codeberg.org/a/b/_edit/main/docs/a.md",
    ),
    (
        '"https://bitbucket.org/a/b/src/main/docs/a.md?x=1&amp;mode=edit"',
        "https://bitbucket.org/a/b/src/main/docs/a.md?x=1&mode=edit",
    ),
    (f'"{EDIT}/docs/other.md"', None),
    (f'"{EDIT}/docs/ba.md"', None),
    ('"https://github.com/a/b/blob/main/docs/a.md"', None),
    ('"javascript:alert(1)/edit/docs/a.md"', None),
    (f'"{EDIT}/{"x" * 3_000}/edit/{"y" * 9}"', None),
]


def test_links_to_editors(tmp_path: Path) -> None:
    pages = []
    for number, (link, _) in enumerate(EDIT_LINKS):
        pages.append(Document(f"{number}/", {"docs/a.md": "2024-01-01"}))
        file = tmp_path / f"site/{number}/index.html"
        file.parent.mkdir(parents=True)
        file.write_text(html("A", f"<a href={link}>Edit</a>"))
    build_small_site(tmp_path, *pages)
    report = run_report(tmp_path, "--format", "json").json()
    found = {one["page"]["url"]: one["edit_url"] for one in report["pages"]}
    for number, (link, url) in enumerate(EDIT_LINKS):
        assert found[f"{number}/"] == url, link
    links = read_html(tmp_path).css("#all-pages a.edit")
    assert [one.attributes["href"] for one in links] == [
        url for _, url in EDIT_LINKS if url
    ]


@pytest.mark.parametrize(
    "remote",
    [
        "https://user:x@s3cr3t@127.0.0.1:1/a/b.git",
        "http://127.0.0.1:1/a/b?private_token=s3cr3t",
        "http://127.0.0.1:1/a/b#s3cr3t",
        "https://oauth2:s3cr3t@127.0.0.1:1/a/b",
        "https://user:a/s3cr3t@127.0.0.1:1/a/b",
    ],
)
def test_no_output_and_no_file_contains_the_password_of_a_remote(
    tmp_path: Path, remote: str
) -> None:
    Repository.create(tmp_path).git("remote", "add", "origin", remote)
    build_small_site(tmp_path, page("a/", "2024-01-01"))
    texts = []
    for command in ("report", "report -f text", "report -f json", "explain", "check"):
        done = invoke(*command.split(), "site", cwd=tmp_path)
        texts += [done.out, done.err]
    for file in tmp_path.rglob("*"):
        if file.suffix == ".gz":
            texts.append(gzip.decompress(file.read_bytes()).decode())
        elif file.is_file() and ".git" not in file.parts:
            texts.append(file.read_text(encoding="utf-8"))
    assert "docs-report.html" in texts[0]
    assert not [text for text in texts if "s3cr3t" in text]


def test_commits_of_another_repository_have_no_links(tmp_path: Path) -> None:
    repository = Repository.create(tmp_path)
    repository.git("remote", "add", "origin", "https://github.com/example/project")
    build_small_site(tmp_path, page("a/", "2024-01-01"))
    commit = "1a2b3c4d" * 5
    edit_report(tmp_path, "a/", commit=commit)
    tree = read_html(tmp_path)
    assert not tree.css("#all-pages tbody td a")
    assert "commit" not in find(tree, "footer").text()
    assert commit[:10] in find(tree, "#all-pages").text()


def test_an_invalid_commit_hides_no_other(tmp_path: Path) -> None:
    build_small_site(tmp_path, page("a/", "2024-01-01"), page("b/", "2024-01-02"))
    edit_report(tmp_path, "b/", commit="--output=x")
    report = run_report(tmp_path, "--format", "json").json()
    commits = [one["commit"] for one in report["pages"]]
    assert commits == [{"subject": "Change of 2024-01-01", "url": None}, None]


def build_sweep(folder: Path, swept: int, others: int, subject: str = "") -> str:
    """Build a site in which one commit dates some pages, and each other page has its
    own. Return the hash of the commit.
    """
    Repository.create(folder).git("remote", "add", "o", "https://github.com/a/b")
    pages = [page(f"swept-{number}/", "2025-09-23") for number in range(swept)]
    for number in range(others):
        pages.append(page(f"page-{number}/", f"2024-01-{number + 1:02}"))
    built = build_small_site(folder, *pages, page("new/", None), subject=subject)
    [commit] = {one.commit for one in built.pages if "swept" in one.name}
    return str(commit)


def test_a_commit_that_dates_many_pages_is_named(tmp_path: Path) -> None:
    commit = build_sweep(tmp_path, 12, 20, subject="Restructure docs")
    link = f"https://github.com/a/b/commit/{commit}"
    text = "12 of 33 pages have the date of one commit, 'Restructure docs' (2025-09-23)"
    lines = run_report(tmp_path, "--format", "text").out.splitlines()
    assert lines[2:5] == ["", f"{text}: {link}", ""]
    report = run_report(tmp_path, "--format", "json").json()
    [sweep] = report["sweeps"]
    urls = sweep.pop("urls")
    assert sorted(urls) == sorted(f"{BASE}swept-{number}/" for number in range(12))
    assert sweep == {
        "lastmod": "2025-09-23T10:00:00+00:00",
        "hash": commit,
        "commit": {"subject": "Restructure docs", "url": link},
    }
    item = find(read_html(tmp_path), "section[aria-labelledby=sweeps] li")
    assert item.text() == text + commit
    assert [one.attributes["href"] for one in item.css("a")] == [link]


@pytest.mark.parametrize("kind", ["import", "addition", "move", "merge", "change"])
def test_a_commit_that_added_the_pages_is_no_sweep(tmp_path: Path, kind: str) -> None:
    """To ignore it would change no date."""
    repository = Repository.create(tmp_path)
    names = [f"docs/{number}.md" for number in range(10)]
    old = [f"docs/old-{number}.md" for number in range(10)]
    if kind != "import":
        first = {"addition": ["x"], "merge": ["x"], "move": old, "change": names}
        repository.commit(dict.fromkeys(first[kind], "Draft"), day=1)
    if kind == "move":
        for name in old:
            (tmp_path / name).unlink()
    if kind == "merge":
        repository.git("checkout", "--quiet", "-b", "side")
    repository.commit(dict.fromkeys(names, "Text"), day=2)
    if kind == "merge":
        repository.git("checkout", "--quiet", "main")
        repository.git("merge", "--quiet", "--no-ff", "--message=m", "side", day=3)
    pages = [Document(name, {name: None}) for name in names]
    build_small_site(tmp_path, *pages)
    report = run_report(tmp_path, "--format", "json").json()
    assert report["total"]["dated"] == 10
    assert len(report["sweeps"]) == (kind == "change")
    document = invoke("explain", "site", names[0], cwd=tmp_path).out
    assert ("  changed by" if kind == "change" else "  added by") in document


@pytest.mark.parametrize(("swept", "sweeps"), [(9, 0), (10, 1)])
def test_a_commit_that_dates_few_pages_is_no_sweep(
    tmp_path: Path, swept: int, sweeps: int
) -> None:
    build_sweep(tmp_path, swept, 0)
    report = run_report(tmp_path, "--format", "json").json()
    assert len(report["sweeps"]) == sweeps
    tree = read_html(tmp_path)
    assert len(tree.css("section[aria-labelledby=sweeps]")) == sweeps


@pytest.mark.parametrize(("others", "sweeps"), [(90, 1), (91, 0)])
def test_a_sweep_is_a_tenth_of_the_dated_pages(
    tmp_path: Path, others: int, sweeps: int
) -> None:
    pages = [page(f"swept-{number}/", "2025-09-23") for number in range(10)]
    for number in range(others):
        day = f"2024-{number // 28 + 1:02}-{number % 28 + 1:02}"
        pages.append(page(f"page-{number}/", day))
    build_small_site(tmp_path, *pages)
    report = run_report(tmp_path, "--format", "json").json()
    assert len(report["sweeps"]) == sweeps


def test_a_sweep_of_another_repository_has_no_subject(tmp_path: Path) -> None:
    commit = build_sweep(tmp_path, 12, 0)
    (tmp_path / ".git").rename(tmp_path / "moved")
    text = run_report(tmp_path, "--format", "text").out
    assert "12 of 13 pages " in text
    assert f"one commit, '{commit[:10]}' (2025-09-23): {commit}\n" in text
    item = find(read_html(tmp_path), "section[aria-labelledby=sweeps] li")
    assert f"'{commit[:10]}' (2025-09-23){commit}" in item.text()


@pytest.mark.parametrize(
    ("pages", "verdict"),
    [
        ([], "No pages are listed"),
        ([page("a/", "2026-01-01")], "All pages changed within 2 years"),
        ([page("a/", None)], "1 of 1 page has no date"),
        (
            [page("a/", "2024-08-31"), page("b/", "2026-01-01")],
            "1 of 2 pages has not changed for 2 years",
        ),
        (
            [
                page("a/", "2020-01-01"),
                page("b/", "2020-01-02"),
                page("c/", None),
                documenting("d/", "2025-01-01", {"d.py": "2026-01-01"}),
            ],
            "2 of 4 pages have not changed for 2 years, 1 describes code that changed "
            "after its text, 1 has no date",
        ),
    ],
)
def test_the_verdict(tmp_path: Path, pages: list[Document], verdict: str) -> None:
    build_small_site(tmp_path, *pages)
    report = run_report(tmp_path, "--format", "json").json()
    assert report["verdict"] == verdict
    tree = read_html(tmp_path)
    sentence = find(tree, ".verdict")
    assert sentence.text() == f"{verdict}."
    for link in sentence.css("a"):
        assert tree.css(link.attributes["href"] or "")
    assert run_report(tmp_path, "--format", "text").out.splitlines()[1] == verdict
    assert "verdict" not in run_report(tmp_path, "--quiet").out


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a project in which two of four pages with a date are fresh."""
    folder = tmp_path_factory.mktemp("project")
    build_small_site(
        folder,
        page("a/", "2026-01-01"),
        page("b/", "2026-01-02"),
        page("c/", "2024-01-01"),
        page("d/", None),
        documenting("e/", "2025-01-01", {"e.py": "2026-01-01"}),
        # Old, and without a date.
        Document("f/", {"docs/f.md": "2025-01-01", "f.py": "2026-01-01", "x": None}),
    )
    return folder


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["--min-fresh", "50"], 0),
        (["--min-fresh", "50.1"], 1),
        (["--min-fresh", "75", "--older-than", "9y"], 0),
        (["--min-fresh", "76", "--older-than", "9y"], 1),
        (["--min-fresh", "0", "--older-than", "2y"], 0),
        (["--min-fresh", "101"], 2),
        (["--min-fresh", "most"], 2),
    ],
)
def test_a_goal(project: Path, arguments: list[str], code: int) -> None:
    for name in ("text", "json"):
        done = run_report(project, *arguments, "--format", name, code=code)
        assert done.err.count("Error: ") == int(code > 0)


def test_the_goal_is_not_rounded(tmp_path: Path) -> None:
    days = ["2026-01-01", "2026-01-02", "2024-01-01"]
    build_small_site(tmp_path, *[page(f"{day}/", day) for day in days])
    run_report(tmp_path, "--min-fresh", "66.6")
    run_report(tmp_path, "--min-fresh", "66.7", code=1)


def test_the_goal_of_a_site_without_dates(tmp_path: Path) -> None:
    build_small_site(tmp_path, page("a/", None))
    run_report(tmp_path, "--min-fresh", "1", code=1)


def write_previous(folder: Path, **values: object) -> Path:
    """Save the report of a site in JSON, with other values of some of its keys."""
    report = run_report(folder, "--format", "json", "--today", "2026-06-30").json()
    path = folder / "previous.json"
    path.write_text(json.dumps(report | values), encoding="utf-8")
    return path


def test_a_trend(tmp_path: Path) -> None:
    build_small_site(
        tmp_path / "before",
        page("same/", "2026-01-01"),
        page("edited/", "2020-01-01"),
        page("aging/", "2024-07-31"),
        page("gone/", "2026-01-02"),
        documenting("behind/", "2025-01-01", {"a.py": "2025-01-02"}),
    )
    write_previous(tmp_path / "before")
    build_small_site(
        tmp_path,
        page("same/", "2026-01-01"),
        page("edited/", "2026-08-01"),
        page("aging/", "2024-07-31"),
        page("new/", "2026-08-02"),
        documenting("behind/", "2025-01-01", {"a.py": "2026-08-01"}),
    )
    arguments = ["--previous", "before/previous.json", "--format"]
    trend = run_report(tmp_path, *arguments, "json").json()["trend"]
    assert (trend["since"], trend["percent"]) == ("2026-06-30", 80)
    assert trend["then"]["bands"] == [2, 0, 2, 1, 0]
    assert trend["now"]["bands"] == [3, 1, 0, 1, 0]
    pages = {
        "newer": ["behind/", "edited/"],
        "older": ["aging/"],
        "outdated": ["behind/"],
        "added": ["new/"],
        "removed": ["gone/"],
    }
    for key, urls in pages.items():
        assert trend[key] == [BASE + url for url in urls]
    text = run_report(tmp_path, *arguments, "text").out
    assert "newer, 2: behind/, edited/\n" in text
    run_report(tmp_path, *arguments, "html")
    tree = LexborHTMLParser((tmp_path / "docs-report.html").read_text("utf-8"))
    section = find(tree, "section[aria-labelledby=trend]")
    assert [one.text() for one in section.css("td:last-child")] == [
        "+1",
        "+1",
        "\u22122",
        "\u00b10",
        "\u00b10",
    ]
    assert len(section.css("details li")) == 6


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("", "empty"),
        ("<!doctype html><title>Report</title>", "not JSON"),
        ("[]", "object"),
        ("{}", "version"),
        ('{"version": 1}', "base_url"),
        ('{"version": 2, "base_url": "https://example.org/"}', "version"),
        ("[" * 100_000, "invalid"),
        ({"base_url": "https://user:s3cr3t@evil.example/\n"}, "***"),
        ({"pages": [{"title": "x"}]}, "pages"),
        (None, "build"),
        ({"older_than": 730}, "--older-than"),
    ],
)
def test_a_file_that_is_no_previous_report(
    project: Path, text: str | dict[str, object] | None, word: str
) -> None:
    previous = project / "previous.json"
    if text is None:
        previous.write_bytes((project / "report.json").read_bytes())
    elif isinstance(text, dict):
        write_previous(project, **text)
    else:
        previous.write_text(text)
    done = run_report(project, "--previous", "previous.json", code=2)
    line = done.err.splitlines()[-1]
    assert line.startswith("Error: --previous: previous.json ")
    assert word in line
    assert "s3cr3t" not in done.err
    assert not (project / "docs-report.html").exists()


def test_bars_have_the_colors_of_their_ages(tmp_path: Path) -> None:
    pages = [page("a/", "2026-03-01"), page("b/", "2026-03-02")]
    pages += [page("c/", "2009-01-01"), page("d/", "2010-01-01")]
    build_small_site(tmp_path, *pages)
    tree = read_html(tmp_path)
    bars = {}
    for bar in tree.css("section[aria-labelledby=quarters] g"):
        colors = [one.attributes["class"] for one in bar.css("rect")]
        bars[find(bar, "title").text()] = colors
    assert bars == {"2021-Q1 and before: 2": ["b3"], "2026-Q1: 2": ["b0", "b1"]}


def test_months_of_many_years(tmp_path: Path) -> None:
    years = [2001, 2004, *range(2010, 2013), *range(2020, 2026)]
    build_small_site(tmp_path, *[page(f"{year}/", f"{year}-05-01") for year in years])
    section = find(read_html(tmp_path), "section[aria-labelledby=months]")
    labels = [one.text() for one in section.css("text[text-anchor=end]")]
    assert labels == [str(year) for year in reversed(years[3:])]
    assert find(section, ".legend").text() == "Before 2011: 3"


def test_the_title_and_the_footer(tmp_path: Path) -> None:
    build_small_site(tmp_path, page("a/", "2024-01-01"))
    tree = read_html(tmp_path)
    assert find(tree, "title").text() == find(tree, "h1").text()
    commit = run_report(tmp_path, "--format", "json").json()["commit"]
    text = find(tree, "footer").text()
    assert text.split()[2:] == [
        "docs-sitemap",
        version("docs-sitemap"),
        "from",
        "commit",
        commit[:10],
    ]
