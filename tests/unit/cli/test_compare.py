"""`docs-sitemap compare`."""

from __future__ import annotations

import gzip
import itertools
import json
import re
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, strategies as st
from support.cli import Done, invoke
from support.mkdocs import MkDocsSite
from support.repository import Repository, noon
from support.sitemaps import BASE, index, links, page, url, urls, urlset, write_site
from support.small_builds import build_small_site, page as built_page
from support.sphinx import SphinxSite, document

from docs_sitemap import ExclusionReason

ROOT = "https://example.org/"
GENERATOR_PAGE = "search, indexes, source code, and other generated pages"


def write(path: Path, **dates: str | None) -> Path:
    """Write a sitemap. The names are paths with `_` for `/`."""
    entries = []
    for name, date in dates.items():
        loc = ROOT + name.replace("_", "/")
        entries.append(url(loc, "" if date is None else f"<lastmod>{date}</lastmod>"))
    path.write_text(urlset(*entries), encoding="utf-8")
    return path


def read_counts(done: Done) -> tuple[int, int]:
    """Return the numbers of URLs before and after, which the first line names."""
    numbers = re.match(r"(\d+) URLs? before, (\d+) after(\n|$)", done.out)
    assert numbers is not None, done
    return int(numbers[1]), int(numbers[2])


def test_equal_sitemaps_have_no_differences(tmp_path: Path) -> None:
    one = write(tmp_path / "one.xml", a=None, b="2026-01-02")
    done = invoke("compare", one, one)
    assert done.code == 0
    assert read_counts(done) == (2, 2)
    assert done.out.count("\n") == 1


def test_all_differences_are_listed(tmp_path: Path) -> None:
    before = {"guide.html": None, "old": None, "x%20y": "2026-01-01", "z": "2026-01-01"}
    after = {"guide_": None, "new": None, "x%20y": None, "z": "2026-01-02"}
    done = invoke(
        "compare",
        write(tmp_path / "before.xml", **before),
        write(tmp_path / "after.xml", **after),
        cwd=tmp_path,
    )
    assert done.code == 0
    assert done.out.splitlines() == [
        "4 URLs before, 4 after",
        "",
        "1 URL disappears:",
        f"  {ROOT}old",
        "",
        "1 URL appears:",
        f"  {ROOT}new",
        "",
        "1 URL changes:",
        f"  {ROOT}guide.html -> {ROOT}guide/",
        "",
        "2 dates change:",
        f"  {ROOT}x%20y: 2026-01-01 -> none",
        f"  {ROOT}z: 2026-01-01 -> 2026-01-02",
    ]


def test_equal_times_in_different_forms_are_not_changes(tmp_path: Path) -> None:
    before = write(
        tmp_path / "before.xml", a="2026-01-01T12:00:00Z", b="x", c="2026-01-01"
    )
    after = write(
        tmp_path / "after.xml", a="2026-01-01T13:00:00+01:00", b="y", c="2026-01-02"
    )
    done = invoke("compare", before, after)
    assert read_counts(done) == (3, 3)
    assert done.out.splitlines()[1:3] == ["", "2 dates change:"]


def test_many_dates_are_shortened(tmp_path: Path) -> None:
    """The largest differences are first, and dates that are gone before them."""
    names = [f"p{number:02}" for number in range(1, 13)]
    days = {name: f"2026-01-{name[1:]}" for name in names}
    days_before = {name: f"2025-01-{28 - int(name[1:])}" for name in names}
    old = {**days_before, "gone": "2026-01-01", "first": None}
    before = write(tmp_path / "before.xml", **old)
    after = write(tmp_path / "after.xml", **days, gone=None, first="2026-01-01")
    lines = invoke("compare", before, after).out.splitlines()[2:]
    assert lines[0] == "14 dates change:"
    assert lines[1] == f"  {ROOT}gone: 2026-01-01 -> none"
    assert lines[2:11] == [
        f"  {ROOT}{name}: {old[name]} -> {days[name]}" for name in reversed(names[3:])
    ]
    assert "and 4 more" in lines[11]
    document = invoke("compare", "--format", "json", before, after).json()
    assert list(document["dates"]) == [f"{ROOT}{name}" for name in sorted(old)]
    assert document["dates"][f"{ROOT}p01"] == ["2025-01-27", "2026-01-01"]
    assert document["sweeps"] == []


@pytest.mark.parametrize(
    ("before", "line"),
    [
        ("2026-11-28", "11 were 2026-11-28 and are now 2026-01-01 to 2026-01-11"),
        (
            "2026-11-28T10:00:{:02}Z",
            "11 were 2026-11-28 and are now 2026-01-01 to 2026-01-11",
        ),
        (None, "11 had no date and are now 2026-01-01 to 2026-01-11"),
    ],
)
def test_many_pages_with_the_same_old_day_are_one_line(
    tmp_path: Path, before: str | None, line: str
) -> None:
    old: dict[str, str | None] = {}
    new: dict[str, str | None] = {}
    for number in range(1, 12):
        old[f"p{number}"] = before and before.format(number)
        new[f"p{number}"] = f"2026-01-{number:02}"
    paths = write(tmp_path / "a.xml", **old), write(tmp_path / "b.xml", **new)
    lines = invoke("compare", *paths).out.splitlines()
    assert lines[2:] == ["11 dates change:", f"  {line}"]
    markdown = invoke("compare", *paths, "--format", "markdown").out.splitlines()
    assert markdown[2:] == [f"- 11 dated differently: {line}"]
    for date in ("[x](//a.b)", None):
        lost = write(tmp_path / "b.xml", **new | {"p1": date})
        lines = invoke("compare", paths[0], lost).out.splitlines()
        line = f"  {ROOT}p1: {old['p1'] or 'none'} -> {date or 'none'}"
        assert (line in lines) is (old["p1"] != date)


OLD = [f"{ROOT}guide/", *(f"{ROOT}guide/p{n}.html" for n in range(6))]
MOVES = {
    "the site": (
        [url.replace(ROOT, "https://new.example.org/docs/") for url in OLD],
        f"{ROOT}* -> https://new.example.org/docs/* (7 URLs)",
    ),
    "a folder": (
        [url.replace("guide/", "learn/a/") for url in OLD],
        f"{ROOT}guide/* -> {ROOT}learn/a/* (7 URLs)",
    ),
    "the ends": (
        [url.replace(".html", "/") for url in OLD],
        f"{ROOT}guide/*.html -> {ROOT}guide/*/ (6 URLs)",
    ),
    "a folder and the ends": (
        [url.replace(".html", "").replace("guide", "a") for url in OLD],
        f"{ROOT}guide/*.html -> {ROOT}a/* (6 URLs)",
    ),
}


@pytest.mark.parametrize("case", MOVES)
def test_urls_that_change_in_the_same_way_are_one_line(
    tmp_path: Path, case: str
) -> None:
    new, line = MOVES[case]
    home = [] if case == "the site" else [ROOT]
    paths = []
    for name, pages in (("a.xml", [*home, *OLD]), ("b.xml", [*home, *new])):
        path = tmp_path / name
        path.write_text(urlset(*map(url, pages)), encoding="utf-8")
        paths.append(path)
    lines = invoke("compare", *paths).out.splitlines()
    assert f"  {line}" in lines
    assert len(lines) <= 5
    changed = invoke("compare", *paths, "--format", "json").json()["changed"]
    assert changed == {a: b for a, b in zip(OLD, new, strict=True) if a != b}


@pytest.mark.parametrize("date", ["2026-01-02", None])
def test_many_pages_with_the_same_new_date_are_one_line(
    tmp_path: Path, date: str | None
) -> None:
    """Without the report of the build, the commit is unknown."""
    names = [f"p{number:02}" for number in range(12)]
    old = dict.fromkeys(names, "2026-01-01")
    before = write(tmp_path / "before.xml", **old, x="2025-01-01")
    new: dict[str, str | None] = dict.fromkeys(names, date)
    after = write(tmp_path / "after.xml", **new, x="2026-01-01")
    assert invoke("compare", before, after).out.splitlines() == [
        "13 URLs before, 13 after; 12 of 13 pages now share 1 date "
        f"({date or 'no date'})",
        "",
        "13 dates change:",
        f"  12 to {date or 'none'}",
        f"  {ROOT}x: 2025-01-01 -> 2026-01-01",
    ]
    line = invoke("compare", before, after, "--format", "markdown").out.splitlines()[2]
    assert line == (
        f"- 13 dated differently: 12 to `{date or 'no date'}`, `{ROOT}x` (`2025-01-01` "
        "→ `2026-01-01`)"
    )


def build_sweep(folder: Path, subject: str, remote: str) -> tuple[Path, str]:
    """Build a site in which one commit dates ten of eleven pages. Return a sitemap of
    the same pages, and the hash of the commit.
    """
    Repository.create(folder).git("remote", "add", "origin", remote)
    pages = [built_page(f"page-{number}/", "2025-09-23") for number in range(10)]
    report = build_small_site(
        folder, built_page("a/", "2025-01-01"), *pages, subject=subject
    )
    lines = []
    for one in report.pages:
        lines.append(url(str(one.loc), "<lastmod>2021-01-01</lastmod>"))
    before = folder / "before.xml"
    before.write_text(urlset(*lines), encoding="utf-8")
    return before, str(report.pages[-1].commit)


def test_a_commit_that_changes_many_dates_is_named(tmp_path: Path) -> None:
    subject = "Restructure `docs`"
    before, commit = build_sweep(tmp_path, subject, "git@github.com:a/b.git")
    link = f"https://github.com/a/b/commit/{commit}"
    for report in ([], ["--report", "report.json"]):
        done = invoke("compare", *report, before, "site", cwd=tmp_path)
        assert done.out.splitlines() == [
            f"11 URLs before, 11 after; 10 of 11 pages now share 1 date ({subject})",
            "",
            "11 dates change:",
            f"  10 to the date of one commit, '{subject}' (2025-09-23): {link}",
            f"  {BASE}a/: 2021-01-01 -> 2025-01-01T10:00:00+00:00",
        ]
    done = invoke("compare", "--format", "markdown", before, "site", cwd=tmp_path)
    assert done.out.splitlines()[2] == (
        "- 11 dated differently: 10 to the date of one commit, [`Restructure 'docs'`]"
        f"({link}) (`2025-09-23`), `{BASE}a/` (`2021-01-01` → "
        "`2025-01-01T10:00:00+00:00`)"
    )
    document = invoke("compare", "--format", "json", before, "site", cwd=tmp_path)
    [sweep] = document.json()["sweeps"]
    assert sweep["commit"] == {"subject": subject, "url": link}
    assert len(document.json()["dates"]) == 11


def test_dates_of_another_build_have_no_commit(tmp_path: Path) -> None:
    """The report that the user names is not the one of the sitemap."""
    before, _ = build_sweep(tmp_path, "Restructure docs", "https://github.com/a/b")
    after = before.read_text(encoding="utf-8").replace("2021-", "2022-")
    (tmp_path / "site/sitemap.xml").write_text(after, encoding="utf-8")
    done = invoke("compare", "--report", "report.json", before, "site", cwd=tmp_path)
    assert done.out.splitlines()[2:] == ["11 dates change:", "  11 to 2022-01-01"]


@pytest.mark.parametrize(
    "subject",
    [
        "\x1b[31m\u202e##vso[task.x]",
        "</code><script>",
        "`](https://evil.example)",
        "%0A::x",
    ],
)
def test_the_subject_of_a_commit_is_only_text(tmp_path: Path, subject: str) -> None:
    before, commit = build_sweep(tmp_path, subject, "https://github.com/a/b")
    done = invoke("compare", before, "site", cwd=tmp_path)
    for line in done.out.splitlines():
        assert line.isprintable()
        assert "##vso[" not in line
    markdown = invoke("compare", "--format", "markdown", before, "site", cwd=tmp_path)
    line = markdown.out.splitlines()[2]
    assert line.isprintable()
    assert "##vso[" not in line
    name, separator, _ = line.partition(f"`](https://github.com/a/b/commit/{commit})")
    assert separator
    assert name.partition("[`")[2].count("`") == 0


def test_an_empty_sitemap_is_compared(tmp_path: Path) -> None:
    (tmp_path / "empty.xml").write_text(urlset(), encoding="utf-8")
    full = write(tmp_path / "full.xml", a=None)
    done = invoke("compare", "empty.xml", full, cwd=tmp_path)
    assert done.out == f"0 URLs before, 1 after\n\n1 URL appears:\n  {ROOT}a\n"
    assert done.err.startswith("Warning: empty.xml lists no URLs, ")
    assert (
        "1 URL before, 0 after"
        in invoke("compare", full, "empty.xml", cwd=tmp_path).out
    )


def test_links_to_other_languages_are_compared(tmp_path: Path) -> None:
    pages = {
        "before.xml": {
            "en/a.html": {"en": "en/a.html", "de": "de/a.html", "fr": "fr/a.html"},
            "en/b.html": {"en": "en/b.html", "de": "de/b.html"},
            "en/c.html": {},
        },
        "after.xml": {
            "en/a/": {"de": "de/a/", "en": "en/a/"},
            "en/b/": {"en": "en/b/", "de": "de/b.html"},
            "en/c/": {"en": "en/c/"},
        },
    }
    for name, entries in pages.items():
        lines = [
            url(
                ROOT + path,
                links(**{one: ROOT + target for one, target in targets.items()}),
            )
            for path, targets in entries.items()
        ]
        (tmp_path / name).write_text(urlset(*lines), encoding="utf-8")
    compare = (tmp_path / "before.xml", tmp_path / "after.xml")
    lines = invoke("compare", *compare).out.splitlines()
    assert lines[-4:] == [
        "3 hreflang links change:",
        f"  {ROOT}en/a/: de: {ROOT}de/a.html -> {ROOT}de/a/",
        f"  {ROOT}en/a/: fr: {ROOT}fr/a.html -> none",
        f"  {ROOT}en/c/: en: none -> {ROOT}en/c/",
    ]
    assert invoke("compare", "--format", "json", *compare).json()["alternates"] == {
        f"{ROOT}en/a/": {
            "de": [f"{ROOT}de/a.html", f"{ROOT}de/a/"],
            "fr": [f"{ROOT}fr/a.html", None],
        },
        f"{ROOT}en/c/": {"en": [None, f"{ROOT}en/c/"]},
    }


def test_a_sitemap_with_another_name_is_found(project: Path, tmp_path: Path) -> None:
    """The report of the build names it."""
    before = write(tmp_path / "before.xml", docs_=None)
    site = MkDocsSite.create(
        project, {"index.md": "# A"}, sitemap={"filename": "map.xml"}
    )
    site.run("build")
    done = invoke("compare", before, "site", cwd=project)
    assert read_counts(done) == (1, 1)
    assert invoke("check", "site", cwd=project).code == 0
    done = invoke("explain", "site", "index.html", cwd=project)
    assert "  listed:     yes, site/map.xml:4\n" in done.out
    # The report names the current one.
    write(site.site / "sitemap.xml", old=None)
    done = invoke("compare", before, "site", cwd=project)
    assert done.out.splitlines()[2] == "1 date changes:"


def compare(before: Iterable[str], after: Iterable[str]) -> Any:
    """Return the document about two sitemaps with these entries."""
    with TemporaryDirectory() as folder:
        files = []
        for number, entries in enumerate((before, after)):
            files.append(Path(folder, f"{number}.xml"))
            files[-1].write_text(urlset(*entries), encoding="utf-8")
        return invoke("compare", "--format", "json", *files).json()


def test_pages_keep_their_name_before_folders_are_compared() -> None:
    """Both sitemaps contain /a, in different folders below the folder that all URLs
    share.
    """
    before = [url(f"{ROOT}en/a.html"), url(f"{ROOT}en/b/a/index.html")]
    after = [url(f"{ROOT}en/a/"), url(f"{ROOT}en/b/a/"), url(f"{ROOT}new/")]
    assert compare(before, after)["changed"] == {
        f"{ROOT}en/a.html": f"{ROOT}en/a/",
        f"{ROOT}en/b/a/index.html": f"{ROOT}en/b/a/",
    }


def test_a_url_is_paired_once() -> None:
    before = [url(f"{ROOT}en/a.html"), url(f"{ROOT}en/en/a")]
    result = compare(before, [url(f"{ROOT}en/a/"), url(f"{ROOT}new/")])
    assert [*result["changed"]] == [f"{ROOT}en/a.html"]
    assert [*result["removed"]] == [f"{ROOT}en/en/a"]


def test_a_site_shows_why_pages_are_excluded(project: Path, tmp_path: Path) -> None:
    before = write(tmp_path / "before.xml", docs_=None, docs_out_=None, docs_404_=None)
    site = MkDocsSite.create(
        project,
        {"index.md": "# A", "out.md": "---\nsitemap: false\n---\n", "404.md": "# 404"},
    )
    site.build()
    done = invoke("compare", before, "site", cwd=project)
    assert done.out.splitlines()[2:5] == [
        "2 URLs disappear:",
        f"  {ROOT}docs/404/ ({GENERATOR_PAGE})",
        f"  {ROOT}docs/out/ ({ExclusionReason.FRONT_MATTER.meaning})",
    ]
    compare = ("compare", "--format", "json", before, "site/sitemap.xml")
    comparison = invoke(*compare, cwd=project).json()
    assert comparison["version"] == 1
    assert comparison["urls_before"] == 3
    assert comparison["removed"] == {
        f"{ROOT}docs/404/": GENERATOR_PAGE,
        f"{ROOT}docs/out/": ExclusionReason.FRONT_MATTER.meaning,
    }
    assert comparison["dates"] == {f"{ROOT}docs/": [None, noon(1)]}


def test_a_reason_is_found_if_all_earlier_pages_are_in_one_folder(
    project: Path, tmp_path: Path
) -> None:
    before = write(tmp_path / "before.xml", docs_x_out_=None, docs_x_a_=None)
    pages = dict.fromkeys(("index.md", "x/a.md", "x/out.md"), "# Page")
    MkDocsSite.create(project, pages, sitemap={"exclude": ["x/out.md"]}).build()
    done = invoke("compare", before, "site", cwd=project)
    reason = ExclusionReason.EXCLUDE_PATTERN.meaning.format(
        exclude="the option exclude"
    )
    assert f"  {ROOT}docs/x/out/ ({reason} (x/out.md))\n" in done.out


def test_a_reason_names_options_as_the_generator_does(
    project: Path, tmp_path: Path
) -> None:
    before = write(
        tmp_path / "before.xml", **{"docs_index.html": None, "docs_out.html": None}
    )
    pages = {"index.rst": document("Home"), "out.rst": document("Out")}
    SphinxSite.create(project, pages, sitemap_excludes=["out.html"]).run()
    done = invoke("compare", before, "out/html", cwd=project)
    reason = ExclusionReason.EXCLUDE_PATTERN.meaning.format(exclude="sitemap_excludes")
    assert f"/out.html ({reason} (out.html))\n" in done.out


def test_another_spelling_of_a_url_is_the_same_url(tmp_path: Path) -> None:
    before = write(tmp_path / "before.xml", **{"a%7Eb": "2024-01-01", "%c3%a9": None})
    after = write(tmp_path / "after.xml", **{"a~b": "2024-01-02", "%C3%A9": None})
    document = invoke("compare", before, after, "--format", "json").json()
    assert not document["added"]
    assert not document["removed"]
    assert not document["changed"]
    assert document["dates"] == {f"{ROOT}a~b": ["2024-01-01", "2024-01-02"]}


def test_the_sitemaps_of_an_index_are_read(tmp_path: Path) -> None:
    for number, name in enumerate("ab", start=1):
        write(tmp_path / f"sitemap-{number}.xml", **{name: None})
    (tmp_path / "sitemap-2.xml.gz").write_bytes(
        gzip.compress((tmp_path / "sitemap-2.xml").read_bytes())
    )
    parts = index(f"{ROOT}sitemap-1.xml", f"{ROOT}sitemap-2.xml.gz")
    (tmp_path / "sitemap.xml").write_text(parts, encoding="utf-8")
    (tmp_path / "other").mkdir()
    other = write(tmp_path / "other/sitemap.xml", a=None, b=None)
    for before in (tmp_path, tmp_path / "sitemap.xml"):
        done = invoke("compare", before, other)
        assert read_counts(done) == (2, 2)


def test_one_url_is_singular(tmp_path: Path) -> None:
    one = write(tmp_path / "one.xml", a=None)
    assert invoke("compare", one, one).out.startswith("1 URL before, 1 after\n")


def test_an_index_that_lists_itself_is_read_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "part.xml", a=None)
    parts = index(f"{ROOT}sitemap.xml", f"{ROOT}part.xml")
    (tmp_path / "sitemap.xml").write_text(parts, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert read_counts(invoke("compare", "sitemap.xml", "part.xml")) == (1, 1)


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        ("", "{}, line 1: it is empty"),
        ("<urlset", "{}, line 1: "),
        ("<html></html>", "{}, line 1: it is a web page"),
        (
            urlset(*(url(f"{ROOT}{number}") for number in range(1000)), "<a & b>"),
            "{}, line ",
        ),
        (
            urlset(*(url(f"{ROOT}{number}") for number in range(50_001))),
            "{}: it lists more than 50,000",
        ),
        (None, "{} contains no sitemap. Fix: pass a sitemap"),
    ],
)
def test_a_sitemap_that_cannot_be_read_completely_is_an_error(
    tmp_path: Path, content: str | None, fault: str
) -> None:
    good = write(tmp_path / "good.xml", a=None)
    bad = tmp_path / "bad.xml"
    if content is None:
        bad.mkdir()
    else:
        bad.write_text(content, encoding="utf-8")
    for arguments in ((good, bad), (bad, good)):
        done = invoke("compare", *arguments)
        assert done.code == 2
        assert f"Error: {fault.format(bad)}" in done.err
        assert ". Fix: " in done.err


def test_a_missing_part_of_an_index_is_one_error(tmp_path: Path) -> None:
    write(tmp_path / "sitemap-1.xml", a=None)
    parts = index(f"{ROOT}sitemap-1.xml", f"{ROOT}sitemap-2.xml")
    (tmp_path / "sitemap.xml").write_text(parts, encoding="utf-8")
    done = invoke("compare", tmp_path, tmp_path, cwd=tmp_path)
    assert done.code == 2
    assert f"line 4: the sitemap {ROOT}sitemap-2.xml is not " in done.err


def test_a_page_in_an_index_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "sitemap.xml").write_text(index(f"{ROOT}a/"), encoding="utf-8")
    done = invoke("compare", tmp_path, tmp_path)
    assert done.code == 2
    assert f"sitemap.xml, line 3: {ROOT}a/ is a page" in done.err


def test_feeds_in_an_index_are_skipped(tmp_path: Path) -> None:
    write(tmp_path / "sitemap-1.xml", a=None)
    (tmp_path / "rss.xml").write_text('<rss version="2.0"><channel/></rss>')
    parts = index(f"{ROOT}rss.xml", f"{ROOT}sitemap-1.xml")
    (tmp_path / "sitemap.xml").write_text(parts, encoding="utf-8")
    done = invoke("compare", tmp_path, tmp_path)
    assert read_counts(done) == (1, 1)
    done = invoke("compare", tmp_path / "rss.xml", tmp_path)
    assert "rss.xml, line 1: " in done.err


def test_a_sitemap_with_too_many_urls_is_not_read_up_to_the_limit(
    tmp_path: Path,
) -> None:
    urls = "".join(f"<url><loc>{ROOT}{number}</loc></url>" for number in range(50_001))
    text = (
        f"<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>{urls}</urlset>"
    )
    (tmp_path / "sitemap.xml").write_text(text, encoding="utf-8")
    done = invoke("compare", tmp_path, tmp_path)
    assert done.code == 2
    assert "50,000" in done.err


def test_sitemaps_that_are_too_large_together_are_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("docs_sitemap_cli.published.sitemaps._MAX_TOTAL_BYTES", 10)
    write(tmp_path / "sitemap-1.xml", a=None)
    parts = index(f"{ROOT}sitemap-1.xml")
    (tmp_path / "sitemap.xml").write_text(parts, encoding="utf-8")
    done = invoke("compare", tmp_path, tmp_path)
    assert done.code == 2
    assert "sitemap-1.xml is not read: " in done.err


sitemaps = st.dictionaries(
    st.text("ab/.%é", max_size=6).map(lambda path: f"{ROOT}{path}"),
    st.sampled_from([ROOT, f"{ROOT}a"]).map(lambda href: links(de=href)),
    min_size=1,
)


@given(sitemaps, sitemaps)
def test_each_url_is_in_exactly_one_list(
    before: dict[str, str], after: dict[str, str]
) -> None:
    entries = itertools.starmap(url, before.items())
    result = compare(entries, itertools.starmap(url, after.items()))
    same = before.keys() & after.keys()
    gone = [*result["removed"], *result["changed"], *same]
    new = [*result["added"], *result["changed"].values(), *same]
    assert sorted(gone) == sorted(before)
    assert sorted(new) == sorted(after)


@pytest.fixture
def deployed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository whose branch `gh-pages` has a site in `docs/`, and the next build of
    this site.
    """
    repository = Repository.create(tmp_path)
    repository.git("checkout", "--quiet", "-b", "gh-pages")
    pages = {"docs/sitemap.xml": urls("a/", "b/", "c%20d/"), "docs/a/index.html": "a"}
    repository.commit(pages, day=1)
    repository.git("checkout", "--quiet", "--orphan", "main")
    repository.git("rm", "--quiet", "-r", "-f", ".")
    write_site(tmp_path / "site", {"sitemap.xml": urls("a/"), "a/index.html": page()})
    monkeypatch.chdir(tmp_path)
    return tmp_path / "site"


def fail_on_removed(*arguments: str) -> tuple[int, str]:
    done = invoke("compare", "--fail-on-removed", *arguments, "gh-pages:docs", "site")
    return done.code, done.out


@pytest.mark.usefixtures("deployed")
def test_a_branch_is_compared_with_a_build() -> None:
    code, out = fail_on_removed()
    assert (code, out.splitlines()[2:5]) == (
        1,
        ["2 URLs disappear:", f"  {BASE}b/", f"  {BASE}c%20d/"],
    )
    assert out.splitlines()[6:9] == [
        "Nothing redirects 2 URLs to a page. Fix: add a page with "
        "<meta http-equiv=refresh>, or a line in _redirects:",
        f"  {BASE}b/",
        f"  {BASE}c%20d/",
    ]
    assert invoke("compare", "gh-pages:/docs/", "site").code == 0
    # The other way around, nothing is lost.
    done = invoke("compare", "--fail-on-removed", "site", "gh-pages:docs")
    assert done.code == 0
    assert read_counts(done) == (1, 3)
    assert "\n\n2 URLs appear:\n" in done.out


def test_a_redirect_page_keeps_a_url(deployed: Path) -> None:
    refresh = page(head='<meta http-equiv="refresh" content="0; url=/docs/a/">')
    write_site(deployed, {"b/index.html": refresh, "c d.html": refresh})
    code, out = fail_on_removed("--format", "json")
    assert (code, json.loads(out)["lost"]) == (1, [f"{BASE}c%20d/"])
    write_site(deployed, {"c d/index.html": refresh})
    assert fail_on_removed("--format", "json")[0] == 0
    for target, code in (("/docs/x/", 1), ("/docs/b/", 1), ("../c d/", 0)):
        write_site(deployed, {"b/index.html": refresh.replace("/docs/a/", target)})
        assert fail_on_removed("--format", "json")[0] == code


@pytest.mark.parametrize(
    ("line", "lost"),
    [
        ("/docs/b/ /docs/a/", ["c%20d/"]),
        ("/docs/b /docs/a/ 302", ["c%20d/"]),
        ("https://example.org/docs/c%20d/ /docs/a/ 301!", ["b/"]),
        ("/docs/* /new/:splat", []),
        ("/docs/* /de/:splat 302 Language=de", ["b/", "c%20d/"]),
        ("/docs/b/ /docs/b/ 200\n/docs/* /new/:splat", ["b/"]),
        ("/docs/* /new/:splat 404\n/docs/b/ /docs/a/", ["b/", "c%20d/"]),
        ("https://example.org/docs/b/ /docs/gone/\n/docs/b/ /new/", ["b/", "c%20d/"]),
        ("/docs/:page/ /new/:page  # moved", []),
        ("/docs/:page/x /new/", ["b/", "c%20d/"]),
        ("/* /404.html 404", ["b/", "c%20d/"]),
        ("/* /index.html 200", ["b/", "c%20d/"]),
        ("# /docs/* /new/", ["b/", "c%20d/"]),
        ("/docs/*", ["b/", "c%20d/"]),
        ("/docs/(b|c /new", ["b/", "c%20d/"]),
        ("http://[ /new", ["b/", "c%20d/"]),
        # A redirect counts only if it ends at a page.
        ("/docs/b/ /docs/gone/", ["b/", "c%20d/"]),
        ("/docs/b/ /docs/b/", ["b/", "c%20d/"]),
        ("/docs/b/ /docs/c%20d/\n/docs/c%20d/ /docs/a/", []),
        ("/docs/b/ /docs/c%20d/\n/docs/c%20d/ /docs/b/", ["b/", "c%20d/"]),
        ("/docs/* /docs/a/:splat", ["b/", "c%20d/"]),
        ("/docs/:page/ /docs/:other/\n/docs/:other/ /docs/a/", ["b/", "c%20d/"]),
        ("/docs/b/ http://example.org/docs/gone/", ["b/", "c%20d/"]),
        ("/docs/b/ http://example.org/docs/a/?x=1", ["c%20d/"]),
        ("/docs/b/ https://[b/", ["b/", "c%20d/"]),
        ("/docs/b/ id=:id /docs/:id/\n/docs/b/ /docs/a/", ["c%20d/"]),
    ],
)
def test_redirects_of_the_host_keep_urls(
    deployed: Path, line: str, lost: list[str]
) -> None:
    (deployed / "_redirects").write_text(f"\n{line}\n", encoding="utf-8")
    code, out = fail_on_removed("--format", "json")
    assert json.loads(out)["lost"] == [BASE + path for path in lost]
    assert code == (1 if lost else 0)


def test_pages_of_a_site_that_moves_are_not_lost(deployed: Path) -> None:
    sitemap = deployed / "sitemap.xml"
    sitemap.write_text(sitemap.read_text().replace(BASE, "https://new.example.org/"))
    code, out = fail_on_removed("--format", "json")
    assert (code, json.loads(out)["lost"]) == (1, [f"{BASE}b/", f"{BASE}c%20d/"])


def test_a_summary_in_markdown_fits_a_review(deployed: Path) -> None:
    entries = [url(f"{BASE}a.html", "<lastmod>2026-01-02</lastmod>")]
    entries += [url(f"{BASE}n{number}`|<b>/") for number in range(7)]
    (deployed / "sitemap.xml").write_text(urlset(*entries).replace("<b>", "&lt;b>"))
    code, out = fail_on_removed("--format", "markdown")
    assert code == 1
    assert out.splitlines() == [
        "**Sitemap:** 3 URLs before, 8 after",
        "",
        "- 7 new: "
        + ", ".join(f"`{BASE}n{number}%60|<b>/`" for number in range(5))
        + " and 2 more",
        f"- 2 removed without a redirect to a page: `{BASE}b/`, `{BASE}c%20d/`",
        f"- 1 moved: `{BASE}a/` → `{BASE}a.html`",
        f"- 1 dated differently: `{BASE}a.html` (`no date` → `2026-01-02`)",
    ]


@pytest.mark.usefixtures("deployed")
def test_a_name_that_is_no_branch_is_explained() -> None:
    done = invoke("compare", "gh-page", "site")
    assert done.code == 2
    assert "gh-page does not exist" in done.err
    assert "fetch the branch" in done.err
