"""The output and the options of `docs-sitemap explain`."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest
from support.cli import Done, invoke
from support.platforms import needs_posix
from support.sitemaps import BASE
from support.small_builds import (
    Document,
    build_small_site,
    edit_report,
    forget_build,
    page,
)

from docs_sitemap import DateStatus, ExclusionReason
from docs_sitemap_cli.codes import explained_codes

ROOT = Path(__file__).parents[3]

DAY = "2024-01-02"
DATE = f"{DAY}T10:00:00+00:00"
NOINDEX = '<meta name="robots" content="noindex">'
REDIRECT = f'<meta http-equiv="refresh" content="0; url={BASE}guide/setup/">'


INCLUDED = {"docs/guide/setup.md": "2024-01-01", "docs/part.txt": DAY}
DOCUMENTS = (
    page("", DAY),
    page("asked/", DAY, overrides=True),
    Document("guide/setup/", INCLUDED),
    page("new/", None),
    Document("404.html", {"docs/404.md": DAY}, {"generator_page": True}),
    Document("drafts/a%20b/", {"docs/drafts/a b.md": DAY}),
    page("moved/", DAY),
    page("own/", DAY, overrides=False),
    page("secret/", DAY),
)
HEADS = {"asked/": NOINDEX, "moved/": REDIRECT, "secret/": NOINDEX}


def write_html(file: Path, head: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(
        f"<!doctype html><html><head>{head}</head></html>", encoding="utf-8"
    )


def name_of(document: Document) -> str:
    return next(iter(document.changes)).removeprefix("docs/")


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with a built site and the saved report of its build. It is the current
    folder.
    """
    project = tmp_path / "project"
    for document in DOCUMENTS:
        for source in document.changes:
            (project / source).parent.mkdir(parents=True, exist_ok=True)
            (project / source).touch()
        canonical = f'<link rel="canonical" href="{BASE}{document.url}">'
        head = f"<title>{name_of(document)}</title>{HEADS.get(document.url, canonical)}"
        write_html(project / "site" / document.output, head)
    write_html(project / "site/old/index.html", REDIRECT)
    build_small_site(project, *DOCUMENTS, exclude=["drafts/*"])
    monkeypatch.chdir(project)
    return project


@pytest.fixture
def project(built: Path) -> Path:
    """The same project, without the saved report."""
    forget_build(built)
    return built


def explain(*queries: str) -> Done:
    return invoke("explain", "site", *queries)


def read_pages() -> list[dict[str, Any]]:
    """Return what the report of the build says about the pages."""
    content = json.loads(Path("report.json").read_text(encoding="utf-8"))
    pages: list[dict[str, Any]] = content["pages"]
    return pages


def labels(done: Done) -> dict[str, str]:
    """Return what the output says about one page, by label."""
    assert done.code == 0, done.err
    url, *lines = done.out.rstrip().splitlines()
    pairs = [line.strip().partition(":")[::2] for line in lines]
    assert all(re.match("  [a-z ]+: +[^ ]", line) for line in lines)
    return {"url": url} | {label: text.strip() for label, text in pairs}


def test_a_listed_page_and_the_source_of_its_date(built: Path) -> None:
    (saved,) = [one for one in read_pages() if one["name"] == "guide/setup.md"]
    setup, part = [one["date"]["hash"][:12] for one in saved["sources"]]
    assert labels(explain("guide/setup.md")) == {
        "url": f"{BASE}guide/setup/",
        "listed": "yes, site/sitemap.xml:12",
        "lastmod": f"{DATE}, commit: {DateStatus.COMMIT.meaning}",
        "commit": f"changed by {part} on {DAY}",
        "dated by": "docs/part.txt",
        "page": "guide/setup.md",
        # the last of two lines
        "source": f"docs/guide/setup.md: {DATE.replace('02T', '01T')}, commit {setup}",
        "file": "site/guide/setup/index.html",
        "title": "guide/setup.md",
        "canonical": f"{BASE}guide/setup/",
    }
    lastmod = labels(explain("new.md"))["lastmod"]
    assert lastmod == f"none, untracked: {DateStatus.UNTRACKED.meaning}"


@pytest.mark.parametrize(
    ("status", "fix"),
    [
        (DateStatus.UNTRACKED, "commit the file; if it is generated, add the files"),
        (DateStatus.IGNORED, "commit it with git add --force"),
        (DateStatus.SHALLOW, "or set the option shallow to `fetch`"),
        (DateStatus.NO_SOURCE, "is generated from to the option dependencies"),
        (DateStatus.UNKNOWN_SOURCES, "(`:sitemap-lastmod:` in Sphinx)"),
        (DateStatus.DISABLED, "turn the option lastmod on"),
        (DateStatus.NO_REPOSITORY, "set the option repository to it"),
        (DateStatus.INVALID_DATE, "set `lastmod` below `sitemap` in the front matter"),
        (DateStatus.GIT_FAILED, "follow the message about git"),
        (DateStatus.COMMIT, None),
        (DateStatus.FRONT_MATTER, None),
    ],
)
def test_undated_pages_and_how_to_date_them(
    built: Path, status: DateStatus, fix: str | None
) -> None:
    name, url = ("index.md", "") if fix is None else ("new.md", "new/")
    edit_report(built, url, date_status=status)
    shown = labels(explain("--report", "report.json", name))
    assert ("to date it" in shown) is (fix is not None)
    assert fix is None or fix in shown["to date it"]


def test_the_fix_for_unknown_sources_is_on_one_line(built: Path) -> None:
    status = DateStatus.UNKNOWN_SOURCES
    edit_report(built, "new/", date_status=status, detail="it reads x. Fix: add x")
    shown = labels(explain("--report", "report.json", "new.md"))
    assert shown["lastmod"].endswith("(it reads x)")
    assert shown["to date it"] == "add x"


def test_a_temporary_file_cannot_be_committed(built: Path) -> None:
    """mkdocs-multirepo removes what it copies from other repositories."""
    edit_report(
        built, "new/", date_status=DateStatus.UNTRACKED, document="temp_dir/other/a.md"
    )
    shown = labels(explain("--report", "report.json", "new/"))
    assert "commit the file" not in shown["to date it"]
    assert shown["to date it"].startswith("if you removed the file, ")


def test_a_dated_page_for_which_code_ran_has_a_note(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build_small_site(tmp_path, page("a/", DAY, ran_code=("markdown-exec",)))
    monkeypatch.chdir(tmp_path)
    shown = labels(explain("a.md"))
    assert shown["note"].startswith("markdown-exec ran code")
    assert "to date it" not in shown


def test_more_sources_than_people_read_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sources = {f"docs/{number}.txt": DAY for number in range(8)}
    build_small_site(tmp_path, Document("a/", sources, {"name": "a.md"}))
    monkeypatch.chdir(tmp_path)
    done = explain("a.md")
    assert done.out.count("  source:     docs/") == 5
    assert "  source:     and 3 more\n" in done.out


def test_excluded_pages_and_how_to_list_them(built: Path) -> None:
    details = {
        "secret.md": " (robots: noindex)",
        "moved.md": f" ({BASE}guide/setup/)",
        "drafts/a b.md": " (drafts/*)",
        "404.md": "",
        "own.md": "",
    }
    reasons = {one["name"]: one["reason"] for one in read_pages() if "reason" in one}
    assert reasons.keys() == details.keys()
    for name, reason in reasons.items():
        shown = labels(explain(name))
        meaning = ExclusionReason(reason).meaning.format(exclude="the option exclude")
        assert shown["listed"] == f"no, {reason}: {meaning}{details[name]}"
        in_page = "set `sitemap` to true in the front matter or metadata of the page"
        fixes = {
            "moved.md": "list the target instead: search engines drop redirects",
            "own.md": in_page,
        }
        assert shown["to list it"] == fixes.get(
            name,
            f'{in_page}, add "{name}" to the option include, or ignore the reason for all '
            f"pages: add {reason} to the option ignore_reasons",
        )
    redirect = labels(explain("old/"))
    assert redirect["listed"] == (
        "no, the page is not part of the build: a plugin or an earlier build wrote it, "
        "redirect: "
        f"{ExclusionReason.REDIRECT.meaning} ({BASE}guide/setup/)"
    )
    assert redirect["to list it"].startswith("list the target")
    write_html(built / "site/[x].html", "")
    static = labels(explain("[x].html"))
    assert static["listed"].startswith("no, ")
    assert "earlier build" in static["listed"]
    assert static["to list it"] == (
        'add "[[]x].html" to the option include; if an earlier build wrote it, clean the output '
        "folder instead"
    )
    write_html(
        built / "site/htmlcov/a_py.html", "<script src=coverage_html.js></script>"
    )
    report = labels(explain("htmlcov/a_py.html"))
    assert "leave it out" in report["to list it"]
    assert (
        f"{ExclusionReason.COVERAGE_REPORT.meaning} (coverage_html.js)"
        in report["listed"]
    )


def test_a_page_whose_file_is_gone_is_explained_once(built: Path) -> None:
    (built / "site/index.html").unlink()
    done = invoke("explain", "--format", "json", "site", BASE)
    (result,) = done.json()["results"]
    assert [page["page"]["name"] for page in result["pages"]] == ["index.md"]


def test_a_page_has_many_names(built: Path) -> None:
    draft = [
        "drafts/a b.md",
        "docs/drafts/a b.md",
        "drafts/a b",
        "drafts/a b/",
        "/drafts/a b/",
        "/docs/drafts/a%20b/",
        "drafts/a%20b/index.html",
        "site/drafts/a b/index.html",
        f"{built}/site/drafts/a b/",
        f"{built}/docs/drafts/a b.md",
        "https://example.org/docs/drafts/a%20b/",
        "HTTPS://Example.org:443/docs/drafts/a%20b/index.html#part",
    ]
    home = [
        *("index.md", "docs/index.md", "index", "/", "/docs/", "site/index.html"),
        *(BASE, BASE[:-1], f"{BASE}index.html"),
    ]
    for name, queries in {"drafts/a b.md": draft, "index.md": home}.items():
        done = invoke("explain", "--format", "json", "site", *queries)
        assert [
            (result["query"], [page["page"]["name"] for page in result["pages"]])
            for result in done.json()["results"]
        ] == [(query, [name]) for query in queries]


@pytest.mark.usefixtures("built")
def test_an_unknown_page_is_one_line() -> None:
    for query in ("guide/setpu.md", "https://example.com/docs/", "[red]\x1b[31m", "*"):
        done = explain(query)
        assert done.code == 1
        (line,) = done.out.splitlines()
        assert line.startswith("There is no page ")
        assert line.isprintable()
    both = invoke("explain", "--format", "json", "site", "nope", "index.md")
    assert both.code == 1
    assert [len(result["pages"]) for result in both.json()["results"]] == [0, 1]


def test_a_source_file_that_the_build_did_not_publish_is_explained(built: Path) -> None:
    (built / "docs/guide/my draft.md").touch()
    for query in (
        "docs/guide/my draft.md",
        "guide/my draft",
        "notes.txt",
        "*",
        "gone.md",
    ):
        done = explain(query)
        assert done.code == 1
        assert done.out.startswith(f"There is no page {query}")
        assert "a draft" in done.out


def test_the_sitemap_may_be_of_another_build(built: Path) -> None:
    site = built / "site"
    assert labels(explain("asked.md"))["meta"] == "robots: noindex"
    for name in ("sitemap.xml", "sitemap.xml.gz", "new/index.html"):
        (site / name).unlink()
    shown = labels(explain("--report", "report.json", "new.md"))
    assert shown["listed"] == "yes"
    assert shown["file"] == "site/new/index.html, which cannot be read"


@needs_posix
def test_a_file_that_cannot_be_read_is_named(built: Path) -> None:
    file = built / "site/guide/setup/index.html"
    file.unlink()
    os.mkfifo(file)
    assert "setup/index.html, which cannot " in explain("guide/setup.md").out


def test_without_a_report_the_site_is_explained(project: Path) -> None:
    done = explain(f"{BASE}guide/setup/")
    assert labels(done) == {
        "url": f"{BASE}guide/setup/",
        "listed": "yes, site/sitemap.xml:12",
        "lastmod": DATE,
        "file": "site/guide/setup/index.html",
        "title": "guide/setup.md",
        "canonical": f"{BASE}guide/setup/",
    }
    (note,) = done.err.splitlines()
    assert "--report FILE" in note
    secret = labels(explain("secret/"))
    meaning = ExclusionReason.NOINDEX.meaning
    assert secret["listed"] == (f"no, noindex: {meaning} (robots: noindex)")
    assert secret["meta"] == "robots: noindex"
    assert "to list it" not in secret
    assert explain("secret.md").code == 1


def test_a_report_can_be_named(project: Path) -> None:
    assert (project / "report.json").is_file()
    done = invoke("explain", "--report", "report.json", "site", "index.md")
    assert labels(done)["lastmod"].startswith(DATE)
    done = invoke("explain", "--report", "site/index.html", "site", "index.md")
    assert done.code == 2
    assert "valid build report" in done.err


def test_the_report_of_a_build_without_a_sitemap_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    build_small_site(tmp_path, page("a/", DAY), exclude=["*"])
    assert not (tmp_path / "site/sitemap.xml").exists()
    done = explain("a.md")
    assert done.err == ""
    assert labels(done)["listed"].startswith("no, exclude-pattern: ")


def test_an_outdated_report_is_used_only_if_it_is_named(built: Path) -> None:
    sitemap = built / "site/sitemap.xml"
    sitemap.write_text(sitemap.read_text().replace("\n", "\r\n"))
    note = (
        "Note: the report of the build does not match: another build or program wrote "
        "the sitemap in site. Fix: build the site or run docs-sitemap generate again\n"
    )
    assert note in explain("index.html").err
    assert "dated by" not in labels(explain("index.html"))
    done = invoke("explain", "--report", "report.json", "site", "index.md")
    assert done.err == note
    assert labels(done)["lastmod"].startswith(DATE)
    for file in (built / "site").glob("sitemap.xml*"):
        file.unlink()
    assert "Note: site has no sitemap: " in explain("index.html").err


CANONICAL = f'<link rel="canonical" href="{BASE}">'
MKDOCS = "site/search/search_index.json"
SPHINX = "site/_static/documentation_options.js"


@pytest.mark.parametrize(
    ("files", "head", "words"),
    [
        ([MKDOCS], "", ["no sitemap", "site_url is probably not set", "mkdocs.yml"]),
        ([SPHINX], "", ["no sitemap", "html_baseurl is probably not set", "conf.py"]),
        ([MKDOCS], CANONICAL, ["no sitemap", "build failed", "the plugin sitemap"]),
        ([SPHINX], CANONICAL, ["no sitemap", "without the extension", "conf.py"]),
        ([], "", ["no sitemap", "generate site"]),
        (
            [MKDOCS, "site/sitemap.xml"],
            CANONICAL,
            ["this machine has no report", "--report"],
        ),
        (["site/sitemap.xml"], CANONICAL, ["this machine has no report", "generate"]),
    ],
)
def test_the_reason_comes_first_if_there_is_no_report(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    files: list[str],
    head: str,
    words: list[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    write_html(Path("site/index.html"), head)
    for file in files:
        Path(file).parent.mkdir(exist_ok=True)
        Path(file).write_text("", encoding="utf-8")
    assert "Fix: use index.html" in explain("index.md").out
    for query, code in (("nope.txt", 1), ("index.html", 0)):
        done = explain(query)
        assert "Fix: use" not in done.out
        assert done.code == code
        first, *others = done.err.splitlines()
        assert not others
        assert all(word in first for word in words), first
        assert "draft" not in done.out
        assert done.out.strip()


def test_a_site_without_a_sitemap(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.html").write_text("<title>A</title>")
    done = invoke("explain", ".", "a.html")
    file = os.path.join(".", "a.html")
    assert labels(done) == {
        "url": "a.html",
        "listed": "no",
        "file": file,
        "title": "A",
    }
    done = invoke("explain", "--base-url", BASE, ".", f"{BASE}a.html")
    assert labels(done)["url"] == f"{BASE}a.html"
    done = invoke("explain", "a.html")
    assert done.code == 2
    assert "a.html is a file" in done.err


def test_json_contains_everything(built: Path) -> None:
    done = invoke(
        "explain", "--format", "json", "site", "secret.md", "sercet", cwd=built
    )
    assert done.code == 1
    document = done.json()
    assert [*document] == ["version", "results"]
    assert document["version"] == 1
    first, second = document["results"]
    assert second == {
        "query": "sercet",
        "pages": [],
        "source_of": [],
        "similar": None,
    }
    assert [*first] == ["query", "pages", "source_of", "similar"]
    (page,) = first["pages"]
    assert page.pop("fix").startswith("set `sitemap` to true ")
    assert page == {
        "url": f"{BASE}secret/",
        "listed": False,
        "is_built": True,
        "page": {
            "name": "secret.md",
            "url": "secret/",
            "output": "secret/index.html",
            "document": "docs/secret.md",
            "sources": [{"path": "docs/secret.md"}],
            "reason": "noindex",
            "detail": "robots: noindex",
        },
        "meaning": ExclusionReason.NOINDEX.meaning,
        "date_meaning": None,
        "date_fix": None,
        "head": {
            "language": "",
            "title": "secret.md",
            "noindex": "robots: noindex",
            "refresh": None,
            "canonicals": [],
            "base": None,
            "coverage_script": None,
            "generator": "",
        },
        "sitemap": None,
    }
    listed_page = invoke("explain", "--format", "json", "site", "new.md").json()
    assert listed_page["results"][0]["pages"][0]["sitemap"] == "sitemap.xml:16"


@pytest.mark.parametrize(
    ("code", "subjects"),
    [
        ("not-found", ["not-found: an error of check"]),
        ("slash-missing", ["slash-missing: a notice of check"]),
        ("noindex", ["noindex: an error of check", "noindex: why a page is left out"]),
        ("untracked", ["untracked: why a page has no date"]),
        ("sitemap.git", ["sitemap.git: a warning of a build"]),
        ("git", ["sitemap.git: a warning of a build"]),
    ],
)
def test_the_meaning_of_a_code(code: str, subjects: list[str]) -> None:
    done = invoke("explain", code)
    assert done.code == 0
    lines = done.out.splitlines()
    assert [line for line in lines if line and not line.startswith(" ")] == subjects
    assert done.out.count("means:") == len(subjects)
    assert done.out.count("to fix it:") == len(subjects)


def test_every_code_is_in_the_manual() -> None:
    manual = (ROOT / "docs/reference/messages.md").read_text(encoding="utf-8")
    codes = list(explained_codes())
    urls = {one.url for one in codes}
    assert len(urls) == len(codes) == manual.count("<a id=")
    for one in codes:
        assert f'<a id="{one.anchor}"></a>`{one.code}`' in manual
        assert one.url.endswith(f"/reference/messages/#{one.anchor}")
    assert "#check-not-found\n" in invoke("explain", "not-found").out


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["nott-found"], "not-found"),
        (["sitemap.gti"], "sitemap.git"),
        (["not-found/"], "not-found"),
        (["_build/html"], "does not exist"),
        (["xyzzy"], "pass a code"),
        # A folder that has this name in other projects.
        (["not-found", "index.md"], "does not exist"),
        (["--format", "json", "not-found"], "does not exist"),
    ],
)
def test_what_is_neither_a_folder_nor_a_code(arguments: list[str], word: str) -> None:
    done = invoke("explain", *arguments)
    assert done.code == 2
    assert word in done.err.splitlines()[-1]


def test_a_folder_with_the_name_of_a_code_is_a_site(built: Path) -> None:
    Path("site").rename("noindex")
    assert f"{BASE}new/" in invoke("explain", "noindex").out
