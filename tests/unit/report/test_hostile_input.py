"""Titles, file names, commits, and URLs are the input of other people."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from selectolax.lexbor import LexborHTMLParser
from support.platforms import needs_posix
from support.repository import Repository
from support.site_reports import find, read_html, run_report
from support.small_builds import (
    Document,
    build_small_site,
    documenting,
    edit_report,
    page,
)
from support.small_sites import html

ATTACKS = (
    "<script>alert(1)</script>",
    "</script><script>alert(1)</script>",
    "</style><img src=x onerror=alert(1)>",
    '"\' onmouseover=\'alert(1)" autofocus onfocus=alert(1) x="',
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "{{ facts }}{% include 'report.css' %}",
    "<svg/onload=alert(1)>",
    "-->]]><base href=https://evil.example/>",
)


def check(tree: LexborHTMLParser) -> None:
    """Check that the file contains only our own elements and attributes."""
    assert len(tree.css("script")) == 1
    assert len(tree.css("style")) == 1
    assert not tree.css("img, base, link, iframe, object, embed, form, style ~ script")
    for node in tree.css("*"):
        for name, value in node.attributes.items():
            assert not name.startswith("on"), (node.tag, name)
            assert name not in ("src", "srcdoc", "action", "style", "autofocus")
            if name == "href":
                assert (value or "").startswith(("https://", "http://", "#"))


@pytest.mark.parametrize("attack", ATTACKS)
def test_everything_is_escaped(tmp_path: Path, attack: str) -> None:
    repository = Repository.create(tmp_path)
    repository.git("remote", "add", "origin", f"https://github.com/a/{attack}")
    title = html(f"<![CDATA[{attack}".replace("<", "&lt;"))
    repository.write({"site/titled/index.html": title})
    file = attack.replace("//", "/")
    attacked = Document(f"{attack}/x/", {file: "2024-01-01"}, {"name": attack})
    texts = documenting("a/", "2023-01-01", {f"src/{file}": "2026-01-01"})
    build_small_site(
        tmp_path,
        attacked,
        Document("titled/", {f"x{file}": None}),
        texts,
        subject=attack,
    )
    tree = read_html(tmp_path)
    check(tree)
    assert file in find(tree, "#all-pages code").text()
    assert find(tree, "#all-pages td.commit").text().endswith(f" {attack[:120]}")
    assert tree.css("section[aria-labelledby=outdated] tbody tr")


@pytest.mark.parametrize(
    "loc",
    ["javascript:alert(1)", "data:text/html,x", " https://x", "//x", "JavaScript:x"],
)
def test_only_web_links(tmp_path: Path, loc: str) -> None:
    build_small_site(tmp_path, page("a/", "2024-01-01"))
    edit_report(tmp_path, "a/", loc=loc)
    tree = read_html(tmp_path)
    check(tree)
    assert not tree.css("#all-pages tbody a")


def test_the_browser_runs_only_our_script(tmp_path: Path) -> None:
    from base64 import b64encode
    from hashlib import sha256

    build_small_site(tmp_path, page("a/", "2024-01-01"))
    tree = read_html(tmp_path)
    policy = find(tree, "meta[http-equiv=Content-Security-Policy]").attributes
    script = find(tree, "script").text()
    digest = b64encode(sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in (policy["content"] or "")
    assert "default-src 'none'" in (policy["content"] or "")


def test_a_line_break_in_a_name_starts_no_line(tmp_path: Path) -> None:
    build_small_site(tmp_path, page("a/", "2024-01-01"))
    edit_report(tmp_path, "a/", url="a\n::error::x\x1b[31m\u2028##vso[task.x]/")
    text = run_report(tmp_path, "--format", "text").out
    assert "a\\n::error::x\\x1b[31m\\u2028##vso\\[task.x]/" in text
    assert not [line for line in text.splitlines() if line.startswith("::")]


@needs_posix
def test_names_that_are_not_utf_8(tmp_path: Path) -> None:
    build_small_site(tmp_path, Document("a/", {"docs/\udcff.md": "2024-01-01"}))
    text = find(read_html(tmp_path), "#all-pages code").text()
    assert text == "docs/\\udcff.md"


def test_a_report_reads_no_file_outside_its_site(tmp_path: Path) -> None:
    (tmp_path / "secret.html").write_text(html("Secret"))
    build_small_site(tmp_path, page("a/", "2024-01-01"))
    edit_report(tmp_path, "a/", output="../secret.html")
    report = run_report(tmp_path, "--format", "json").json()
    assert report["pages"][0]["title"] == "a.md"


def test_a_long_title_without_a_separator(tmp_path: Path) -> None:
    build_small_site(tmp_path, page("a/", "2024-01-01"))
    (tmp_path / "site/a/index.html").write_text(html("a " * 400_000))
    assert len(find(read_html(tmp_path), "#all-pages th a").text()) == 200


@pytest.mark.parametrize("attack", [*ATTACKS, "\x1b[31m##vso[task.x]\u202e`"])
def test_the_subject_of_a_sweep_is_escaped(tmp_path: Path, attack: str) -> None:
    pages = [page(f"page-{number}/", "2024-01-01") for number in range(10)]
    build_small_site(tmp_path, *pages, subject=attack)
    tree = read_html(tmp_path)
    check(tree)
    assert attack in find(tree, "section[aria-labelledby=sweeps] li").text()
    line = run_report(tmp_path, "--format", "text").out.splitlines()[3]
    assert line.startswith("10 of 10 pages ")
    assert line.isprintable()
    assert "##vso[" not in line


def test_a_previous_report_is_escaped(tmp_path: Path) -> None:
    build_small_site(tmp_path, page("a/", "2024-01-01"))
    report = run_report(tmp_path, "--format", "json").json()
    for attack in (*ATTACKS, "javascript:alert(1)", "a\n::error::x\ud800"):
        report["pages"].append(
            {**report["pages"][0], "page": {"name": "", "url": "", "loc": attack}}
        )
    (tmp_path / "previous.json").write_text(json.dumps(report))
    run_report(tmp_path, "--previous", "previous.json")
    file = tmp_path / "docs-report.html"
    tree = LexborHTMLParser(file.read_text(encoding="utf-8"))
    check(tree)
    section = find(tree, "section[aria-labelledby=trend]")
    assert not section.css("a")
    assert ATTACKS[0] in section.text()
    done = run_report(tmp_path, "--previous", "previous.json", "--format", "text")
    assert not [line for line in done.out.splitlines() if line.startswith("::")]
