"""Pages in, files out: the whole of the core."""

from __future__ import annotations

import gzip
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from support.readers import NAMESPACE, parse, read, read_by_others, read_site

from docs_sitemap import (
    Listed,
    OptionError,
    Options,
    Page,
    ProblemKind,
    Reason,
    Renderer,
    Report,
    TemplateError,
    build_sitemap,
    quote_path,
    remove_sitemap,
)
from docs_sitemap.build import split
from docs_sitemap.model import MAX_BYTES

BASE = "https://example.org/docs/"


def build(out: Path, *pages: Page, **options: Any) -> Report:
    settings = {"base_url": BASE, "lastmod": False} | options
    return build_sitemap(pages, Options(**settings), out)


def page(url: str, **more: Any) -> Page:
    return Page(**{"url": url, "name": f"{url or 'index'}.md"} | more)


def test_a_complete_entry_is_rendered_to_the_last_byte(tmp_path: Path) -> None:
    overrides = {"lastmod": "2024-05-01", "changefreq": "weekly", "priority": 0.8}
    build(tmp_path, page("b/"), page("a&b/?c='d'", overrides=overrides))
    expected = b"""\
<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
  <url>
    <loc>https://example.org/docs/a&amp;b/?c=&#39;d&#39;</loc>
    <lastmod>2024-05-01</lastmod>
    <changefreq>weekly</changefreq>
    <priority>0.8</priority>
  </url>
  <url>
    <loc>https://example.org/docs/b/</loc>
  </url>
</urlset>
"""
    assert (tmp_path / "sitemap.xml").read_bytes() == expected
    assert gzip.decompress((tmp_path / "sitemap.xml.gz").read_bytes()) == expected


def test_the_twin_holds_neither_a_time_nor_a_name(tmp_path: Path) -> None:
    build(tmp_path, page("a/"))
    header = (tmp_path / "sitemap.xml.gz").read_bytes()[:10]
    assert header[3] == 0  # no flags: RFC 1952, section 2.3.1
    assert header[4:8] == bytes(4)


def test_indent_0_puts_all_on_one_line_and_4_indents_by_4(tmp_path: Path) -> None:
    build(tmp_path, page("a/"), indent=0)
    data = (tmp_path / "sitemap.xml").read_bytes()
    assert data.count(b"\n") == 2  # after the declaration, and at the end
    build(tmp_path, page("a/"), indent=4)
    assert b"\n    <url>\n        <loc>" in (tmp_path / "sitemap.xml").read_bytes()


def test_two_runs_give_the_same_bytes_and_the_second_writes_nothing(tmp_path: Path) -> None:
    pages = [page(f"{n}/") for n in range(20)]
    build(tmp_path / "a", *pages)
    build(tmp_path / "b", *reversed(pages))
    for name in ("sitemap.xml", "sitemap.xml.gz"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
        os.utime(tmp_path / "a" / name, (0, 0))
    build(tmp_path / "a", *pages)
    assert (tmp_path / "a" / "sitemap.xml").stat().st_mtime == 0


segments = st.text(min_size=1, max_size=20).filter(lambda text: text not in (".", ".."))


@given(st.lists(st.tuples(segments, st.text(max_size=10)), min_size=1, max_size=10))
def test_whatever_pages_are_called_others_read_the_same_urls(
    tmp_path_factory: pytest.TempPathFactory, names: list[tuple[str, str]]
) -> None:
    out = tmp_path_factory.mktemp("out")
    pages = []
    for segment, name in names:
        try:
            pages.append(Page(url=quote_path(segment.replace("/", "x")), name=name))
        except ValueError:
            continue
    report = build(out, *pages)
    if not report.listed:
        return
    data = (out / "sitemap.xml").read_bytes()
    locs = [entry.loc for entry in read(data)]
    assert locs == sorted({BASE + page.url for page in pages})
    assert read_by_others(data) == [locs, locs]


def test_every_page_is_listed_or_left_out_for_one_reason(tmp_path: Path) -> None:
    written = tmp_path / "page.html"
    written.touch()
    report = build(
        tmp_path,
        page("in/", output=str(written)),
        page("not-written/", output=str(tmp_path / "nothing.html")),
        page("folder/", output=str(tmp_path)),
        page("asked/", overrides=False),
        page("search/", utility=True),
        page("404/", utility=True, overrides=True),
        page("drafts/one/"),
        page("drafts/two/", overrides={"exclude": False}),
        page("https://elsewhere.example/"),
        page("in/", name="twin.md"),
        exclude=["drafts/*"],
    )
    assert [entry.url.loc.removeprefix(BASE) for entry in report.listed] == [
        "404/",
        "drafts/two/",
        "in/",
    ]
    assert {entry.page.name: entry.reason for entry in report.excluded} == {
        "not-written/.md": Reason.NOT_WRITTEN,
        "folder/.md": Reason.NOT_WRITTEN,
        "asked/.md": Reason.PAGE,
        "search/.md": Reason.UTILITY,
        "drafts/one/.md": Reason.PATTERN,
        "https://elsewhere.example/.md": Reason.URL,
        "in/.md": Reason.DUPLICATE,
    }
    assert [problem.kind for problem in report.problems] == [
        ProblemKind.URL,
        ProblemKind.DUPLICATE,
    ]
    assert "twin.md has the same URL as in/.md" in report.problems[1].message
    assert "twin.md" in {entry.page.name for entry in report.listed}, "the one written last"
    assert report.summary == (
        "sitemap.xml: 3 URLs, 0 with lastmod, 7 pages left out "
        "(2 not-written, 1 page, 1 pattern, 1 url, 1 duplicate, 1 utility)"
    )


@pytest.mark.parametrize(
    ("pattern", "matches"),
    [
        ("guide/a b.md", True),
        ("guide/a b", True),
        ("guide/a%20b/", True),
        ("guide/a b/", True),
        ("guide/*", True),
        ("*.md", True),
        ("*", True),
        ("g[!u]ide/*", False),
        ("g[!x]ide/a?b.md", True),
        ("/guide/a b/", True),
        ("./guide/a b.md", True),
        ("guide/a b.html", True),
        ("guide/a b/index.html", True),
        ("docs/guide/a%20b/", True),
        ("https://example.org/docs/guide/a%20b/", True),
        ("guide/*.html", True),
        ("guide", False),
        ("Guide/*", False),
        ("uide/a b.md", False),
    ],
)
def test_patterns_match_the_whole_of_a_name_or_url(
    tmp_path: Path, pattern: str, matches: bool
) -> None:
    source = str(tmp_path / "a b.md")
    tested = Page(url="guide/a%20b/", name="guide/a b.md", sources=(source,))
    report = build(tmp_path, tested, exclude=[pattern])
    assert bool(report.excluded) is matches


def test_first_rule_that_matches_wins_and_the_page_before_it(tmp_path: Path) -> None:
    build(
        tmp_path,
        page("blog/a/"),
        page("blog/b/", overrides={"priority": 0.0}),
        page("news/"),
        page("else/"),
        changefreq="monthly",
        priority=0.5,
        rules=[
            {"match": ["blog/*", "x"], "changefreq": "daily"},
            {"match": "*/", "priority": 0.9},
            {"match": "else/", "priority": 0.1},
        ],
    )
    entries = read_site_urls(tmp_path)
    assert entries["blog/a/"] == ("daily", "0.5")
    assert entries["blog/b/"] == ("daily", "0.0")
    assert entries["news/"] == entries["else/"] == ("monthly", "0.9")


def read_site_urls(out: Path) -> dict[str, tuple[str | None, str | None]]:
    entries = read((out / "sitemap.xml").read_bytes())
    return {entry.loc.removeprefix(BASE): (entry.changefreq, entry.priority) for entry in entries}


def test_alternates_are_listed_pages_that_name_each_other(tmp_path: Path) -> None:
    both = {"en": "a/", "pt_BR": "pt/a/", "de": "de/a/", "x y": "x/a/"}
    build(
        tmp_path,
        page("a/", lang="en", alternates=both),
        page("pt/a/", lang="pt_BR", alternates=both),
        page("de/a/", lang="de", alternates={"de": "de/a/"}),  # names none of the others
        page("alone/", lang="en", alternates={"en": "alone/", "fr": "fr/not-listed/"}),
    )
    entries = {
        entry.loc.removeprefix(BASE): entry.alternates
        for entry in read((tmp_path / "sitemap.xml").read_bytes())
    }
    assert entries["a/"] == {"en": BASE + "a/", "pt-BR": BASE + "pt/a/"}
    # Some readers know this literal prefix only.
    assert (
        b'<xhtml:link rel="alternate" hreflang="en" href='
        in (tmp_path / "sitemap.xml").read_bytes()
    )
    assert entries["pt/a/"] == entries["a/"]
    assert entries["de/a/"] == entries["alone/"] == {}


def test_url_scheme_stands_between_base_url_and_page(tmp_path: Path) -> None:
    report = build(
        tmp_path, page("a.html"), url_scheme="{lang}{version}x/{link}", language="en", version=""
    )
    assert report.listed[0].url.loc == BASE + "en/x/a.html"


def test_past_50_000_urls_the_sitemap_is_split_and_back_again_joined(tmp_path: Path) -> None:
    own = tmp_path / "sitemap-9.xml"
    own.write_text("not ours")
    pages = [page(f"{n:06}/") for n in range(50_001)]
    report = build(tmp_path, *pages)
    root = parse((tmp_path / "sitemap.xml").read_bytes())
    assert root.tag == f"{NAMESPACE}sitemapindex"
    parts = [loc.text for loc in root.iter(f"{NAMESPACE}loc")]
    assert parts == [f"{BASE}sitemap-1.xml", f"{BASE}sitemap-2.xml"]
    assert [path.name for path in report.files] == ["sitemap.xml", "sitemap-1.xml", "sitemap-2.xml"]
    sizes = [len(read((tmp_path / f"sitemap-{n}.xml").read_bytes())) for n in (1, 2)]
    assert sizes == [50_000, 1]
    assert (tmp_path / "sitemap-2.xml.gz").exists()

    build(tmp_path, *pages[:50_000])
    assert len(read_site_urls(tmp_path)) == 50_000
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {"sitemap.xml", "sitemap.xml.gz", "sitemap-9.xml"}


def test_past_52_428_800_bytes_the_sitemap_is_split(tmp_path: Path) -> None:
    pages = [page(f"{n:06}{'x' * 1_950}/") for n in range(26_400)]
    report = build(tmp_path, *pages, gzip=False)
    assert len(report.files) > 2
    assert all(path.stat().st_size <= MAX_BYTES for path in report.files)
    assert sum(path.read_bytes().count(b"<url>") for path in report.files) == len(pages)


@given(
    st.lists(st.integers(0, 300), min_size=1, max_size=40),
    st.integers(1, 12),
    st.integers(600, 3_000),
)
def test_parts_keep_both_limits_and_the_order(
    lengths: list[int], max_entries: int, max_bytes: int
) -> None:
    from docs_sitemap import History
    from docs_sitemap.urlset import make_urlset

    options = Options(base_url=BASE, lastmod=False)
    pages = [page(f"{n:03}{'x' * length}/") for n, length in enumerate(lengths)]
    listed: tuple[Listed, ...] = make_urlset(pages, options, BASE, ".", ".", History()).listed
    parts = split(listed, Renderer(options), max_entries=max_entries, max_bytes=max_bytes)
    entries = [read(part) for part in parts]
    assert all(len(part) <= max_bytes for part in parts)
    assert all(0 < len(part) <= max_entries for part in entries)
    assert [e.loc for part in entries for e in part] == [item.url.loc for item in listed]


def test_no_page_gives_no_file_and_removes_the_old_ones(tmp_path: Path) -> None:
    build(tmp_path, page("a/"))
    report = build(tmp_path, page("a/", overrides=False))
    assert list(tmp_path.iterdir()) == []
    assert report.files == ()
    assert [problem.kind for problem in report.problems] == [ProblemKind.EMPTY]
    assert report.summary == "no sitemap was written"


def test_remove_sitemap_takes_the_parts_of_its_index_too(tmp_path: Path) -> None:
    (tmp_path / "sitemap.xml").write_text(
        "<sitemapindex><sitemap><loc>https://e.org/sitemap-1.xml</loc></sitemap>"
        "<sitemap><loc>https://e.org/../../sitemap-2.xml</loc></sitemap>"
        "<sitemap><loc>https://e.org/other.xml</loc></sitemap></sitemapindex>"
    )
    for name in ("sitemap-1.xml", "sitemap-1.xml.gz", "sitemap-2.xml", "other.xml", "a.html"):
        (tmp_path / name).touch()
    (tmp_path / "report.json").touch()
    assert remove_sitemap(Options(report=str(tmp_path / "report.json")), tmp_path) == []
    assert {path.name for path in tmp_path.iterdir()} == {"other.xml", "a.html"}
    (tmp_path / "sitemap.xml").touch()
    remove_sitemap(Options(), tmp_path, owned=False)
    assert (tmp_path / "sitemap.xml").exists()
    (problem,) = remove_sitemap(Options(report=str(tmp_path / "a.html/report.json")), tmp_path)
    assert "report.json (Not a directory)" in problem.message


def test_a_twin_that_is_no_longer_wanted_does_not_stay(tmp_path: Path) -> None:
    build(tmp_path, page("a/"))
    build(tmp_path, page("a/"), gzip=False)
    assert [path.name for path in tmp_path.iterdir()] == ["sitemap.xml"]


def test_no_twin_says_something_else_than_its_file(tmp_path: Path) -> None:
    build(tmp_path, page("a/"))
    (tmp_path / "sitemap.xml").unlink()
    (tmp_path / "sitemap.xml").mkdir()
    report = build(tmp_path, page("b/"))
    assert [problem.kind for problem in report.problems] == [ProblemKind.WRITE]
    assert not (tmp_path / "sitemap.xml.gz").exists()
    (problem,) = remove_sitemap(Options(), tmp_path)
    assert "choose another filename" in problem.message


def test_a_file_of_somebody_else_stays_where_no_page_is_listed(tmp_path: Path) -> None:
    (tmp_path / "sitemap.xml").write_text("mine")
    build_sitemap([], Options(base_url=BASE), tmp_path, owned=False)
    assert (tmp_path / "sitemap.xml").read_text() == "mine"


def test_parts_are_found_again_whatever_the_sitemap_is_called(tmp_path: Path) -> None:
    pages = [page(f"{n:06}/") for n in range(50_001)]
    build(tmp_path, *pages, filename="a&b ü.xml", gzip=False)
    assert (tmp_path / "a&b ü-2.xml").exists()
    build(tmp_path, pages[0], filename="a&b ü.xml", gzip=False)
    assert [path.name for path in tmp_path.iterdir()] == ["a&b ü.xml"]


def test_messages_are_one_line_whatever_pages_are_called(tmp_path: Path) -> None:
    odd = Page(url="a/", name="a\n\x1b[31m\udcff.md", overrides={"priority": 9})
    (problem,) = build(tmp_path, odd).problems
    assert problem.message.startswith("a\\n\\x1b[31m\\udcff.md: ")


def test_a_failed_write_leaves_the_old_file_whole(tmp_path: Path) -> None:
    build(tmp_path, page("a/"))
    old = (tmp_path / "sitemap.xml").read_bytes()
    (tmp_path / "sitemap.xml.gz").unlink()
    (tmp_path / "sitemap.xml.gz").mkdir()
    report = build(tmp_path, page("b/"))
    assert [problem.kind for problem in report.problems] == [ProblemKind.WRITE]
    assert str(tmp_path / "sitemap.xml.gz") in report.problems[0].message
    assert report.files == ()
    assert (tmp_path / "sitemap.xml").read_bytes() == old
    assert {path.name for path in tmp_path.iterdir()} == {"sitemap.xml", "sitemap.xml.gz"}


def test_a_symbolic_link_is_replaced_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.write_text("precious")
    out = tmp_path / "out"
    out.mkdir()
    (out / "sitemap.xml").symlink_to(outside)
    build(out, page("a/"))
    assert outside.read_text() == "precious"
    assert not (out / "sitemap.xml").is_symlink()


def test_files_are_as_readable_as_others(tmp_path: Path) -> None:
    (tmp_path / "page.html").touch()
    build(tmp_path, page("a/"))
    mode = (tmp_path / "page.html").stat().st_mode
    assert (tmp_path / "sitemap.xml").stat().st_mode == mode


def test_without_base_url_nothing_can_be_built(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="base_url"):
        build_sitemap([page("a/")], Options(), tmp_path)


@pytest.mark.parametrize("name", ["sitemap.xml", "mine.xml.j2", "mine.txt"])
def test_a_users_template_is_escaped_and_gets_the_protocols_words(
    tmp_path: Path, name: str
) -> None:
    template = tmp_path / "templates" / name
    template.parent.mkdir()
    template.write_text(
        "\n{# a comment before the declaration #}\n"
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
        "{% for url in urls %}<url><loc>{{ url.loc }}</loc></url>{% endfor %}</urlset>"
    )
    build(tmp_path, page("a&b/"), template=str(template))
    (entry,) = read((tmp_path / "sitemap.xml").read_bytes())
    assert entry.loc == BASE + "a&b/"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{{ nothing.there }}", "'nothing' is undefined"),
        ("<urlset>{{ 1 / 0 }}</urlset>", "ZeroDivisionError"),
        ("<urlset>", "no well-formed XML"),
        ("", "no well-formed XML"),
        ("<html></html>", "rendered <html>; it must be <urlset xmlns="),
        ("<urlset></urlset>", "rendered <urlset>; it must be <urlset xmlns="),
        (f"<sitemapindex xmlns='{NAMESPACE[1:-1]}'/>", "rendered <sitemapindex>"),
        (f"<?xml version='1.0' encoding='latin1'?><urlset xmlns='{NAMESPACE[1:-1]}'/>", "latin1"),
        ('<urlset>{{ "\\x01" }}</urlset>', "no well-formed XML"),
        ("<urlset>&#1;</urlset>", "no well-formed XML"),
        ('<urlset>{{ "\\ufffe" }}</urlset>', "no well-formed XML"),
        ('<urlset>{{ "\\ud800" }}</urlset>', "no valid text"),
    ],
)
def test_a_broken_template_never_reaches_the_file(tmp_path: Path, text: str, problem: str) -> None:
    build(tmp_path, page("a/"))
    old = (tmp_path / "sitemap.xml").read_bytes()
    template = tmp_path / "mine.xml"
    template.write_text(text)
    report = build(tmp_path, page("b/"), template=str(template))
    assert report.problems[0].kind == ProblemKind.TEMPLATE
    assert problem in report.problems[0].message
    assert "mine.xml" in report.problems[0].message
    assert "\n" not in report.problems[0].message
    assert (tmp_path / "sitemap.xml").read_bytes() == old


def test_the_index_of_a_users_template_stands_beside_it(tmp_path: Path) -> None:
    template = tmp_path / "sitemapindex.xml"
    template.write_text(
        f"<sitemapindex xmlns='{NAMESPACE[1:-1]}'>"
        "{% for sitemap in sitemaps %}{{ sitemap.loc }}{% endfor %}</sitemapindex>"
    )
    (tmp_path / "sitemap.xml").write_text("<urlset/>")
    renderer = Renderer(Options(template=str(tmp_path / "sitemap.xml")))
    root = etree.fromstring(renderer.sitemapindex(["https://e.org/a&b.xml"]))
    assert root.text == "https://e.org/a&b.xml"


@pytest.mark.parametrize("name", ["sitemap.xml", "mine.xml", ""])
def test_a_missing_template_is_not_the_built_in_one(tmp_path: Path, name: str) -> None:
    with pytest.raises(TemplateError, match=str(tmp_path / name)):
        Renderer(Options(template=str(tmp_path / name)))


def test_every_file_of_a_site_is_opened_by_its_loc(tmp_path: Path) -> None:
    (tmp_path / "a b").mkdir()
    for name in ("index.html", "a b/index.html", "a b/c.html"):
        (tmp_path / name).touch()
    pages = [page(""), page("a%20b/"), page("a%20b/c.html")]
    build(tmp_path, *pages)
    assert list(read_site(tmp_path, BASE)) == ["", "a%20b/", "a%20b/c.html"]


def test_what_a_template_gets_wrong_is_warned_about_once(tmp_path: Path) -> None:
    template = tmp_path / "own.xml"
    template.write_text(
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{% for url in urls %}\n'
        "<url><loc>{{ url.loc }}</loc><lastmod>yesterday</lastmod></url>{% endfor %}</urlset>"
    )
    report = build(tmp_path / "out", page("a/"), page("b/"), template=str(template))
    assert [problem.kind for problem in report.problems] == [ProblemKind.CHECK]
    message = report.problems[0].message
    assert message.startswith(f"sitemap.xml, line 2: lastmod-invalid: {BASE}a/: 'yesterday'")
    assert "(2 such); write 2026-05-31" in message


def test_a_date_in_the_future_is_warned_about_and_an_old_one_is_not(tmp_path: Path) -> None:
    future, old = ({"lastmod": day} for day in ("2999-01-01", "1999-01-01"))
    report = build(tmp_path, page("a/", overrides=future), page("b/", overrides=old))
    assert len(report.problems) == 1
    assert f"line 5: lastmod-future: {BASE}a/" in report.problems[0].message
