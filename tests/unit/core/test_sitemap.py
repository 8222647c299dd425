"""Builds of the core from pages to files."""

from __future__ import annotations

import gzip
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st
from lxml import etree
from support.builds import BASE_URL as BASE, as_sources, build, build_site, paths
from support.platforms import needs_posix
from support.readers import NAMESPACE, parse, read, read_by_others, read_site

from docs_sitemap import (
    Alternate,
    BaseUrl,
    ExclusionReason,
    OptionError,
    Options,
    Page,
    parse_base_url,
    quote_path,
    read_options,
    remove_sitemap,
)


def page(url: str, **details: Any) -> Page:
    return Page(**{"url": url, "name": f"{url or 'index'}.md"} | details)


def test_a_complete_entry_byte_for_byte(tmp_path: Path) -> None:
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


def test_the_compressed_copy_contains_neither_a_time_nor_a_name(tmp_path: Path) -> None:
    build(tmp_path, page("a/"))
    header = (tmp_path / "sitemap.xml.gz").read_bytes()[:10]
    assert header[3] == 0  # no flags: RFC 1952, section 2.3.1
    assert header[4:8] == bytes(4)


def test_a_second_build_gives_the_same_bytes_and_writes_nothing(tmp_path: Path) -> None:
    pages = [page(f"{n}/") for n in range(20)]
    build(tmp_path / "a", *pages)
    build(tmp_path / "b", *reversed(pages))
    for name in ("sitemap.xml", "sitemap.xml.gz"):
        assert (tmp_path / "a" / name).read_bytes() == (
            tmp_path / "b" / name
        ).read_bytes()
        os.utime(tmp_path / "a" / name, (0, 0))
    build(tmp_path / "a", *pages)
    assert (tmp_path / "a" / "sitemap.xml").stat().st_mtime == 0


segments = st.text(min_size=1, max_size=20).filter(lambda text: text not in (".", ".."))


@given(st.lists(st.tuples(segments, st.text(max_size=10)), min_size=1, max_size=10))
def test_other_parsers_read_the_same_urls_for_any_names(
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
    assert all(urls == locs for urls in read_by_others(data))


def test_scrapy_reads_the_same_urls(tmp_path: Path) -> None:
    pytest.importorskip("scrapy")
    build(tmp_path, page("a%20b/"), page("c&d/"))
    locs = sorted([f"{BASE}a%20b/", f"{BASE}c&d/"])
    assert read_by_others((tmp_path / "sitemap.xml").read_bytes()) == [locs, locs]


def test_every_page_is_listed_or_excluded_for_one_reason(tmp_path: Path) -> None:
    written = tmp_path / "page.html"
    written.touch()
    report = build(
        tmp_path,
        page("in/", output=str(written)),
        page("not-written/", output=str(tmp_path / "missing.html")),
        page("folder/", output=str(tmp_path)),
        page("excluded/", overrides=False),
        page("search/", generator_page=True),
        page("404/", generator_page=True, overrides=True),
        page("drafts/one/"),
        page("drafts/two/", overrides={"exclude": False}),
        page("https://elsewhere.example/"),
        page("in/", name="same-url.md"),
        exclude=["drafts/*"],
    )
    assert paths(report) == ["404/", "drafts/two/", "in/"]
    assert {entry.page.name: entry.reason for entry in report.excluded} == {
        "not-written/.md": ExclusionReason.NOT_WRITTEN,
        "folder/.md": ExclusionReason.NOT_WRITTEN,
        "excluded/.md": ExclusionReason.FRONT_MATTER,
        "search/.md": ExclusionReason.GENERATOR_PAGE,
        "drafts/one/.md": ExclusionReason.EXCLUDE_PATTERN,
        "https://elsewhere.example/.md": ExclusionReason.INVALID_URL,
        "in/.md": ExclusionReason.DUPLICATE_URL,
    }
    assert [one.code for one in report.diagnostics] == [
        "url",
        "duplicate",
    ]
    assert "same-url.md and in/.md" in report.diagnostics[1].message
    assert report.listed[-1].page.name == "same-url.md", "the one that was written last"
    assert report.summary == (
        "sitemap.xml: 3 URLs, 0 with lastmod, 3 without lastmod (the option lastmod is "
        "off), 7 pages left out (2: the build did not write the page; 1: a pattern of "
        "the option exclude matches the page; 1: the front matter or metadata of the "
        "page excludes it; 1: the page has no valid URL; 1: another page has the same "
        "URL; 1: search, indexes, source code, and other generated pages)"
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
        ("guide/a b.html", False),
        ("guide/a b/index.html", True),
        ("docs/guide/a%20b/", True),
        ("https://example.org/docs/guide/a%20b/", True),
        ("guide/*.html", False),
        ("guide", False),
        ("Guide/*", False),
        ("uide/a b.md", False),
    ],
)
def test_patterns_match_a_complete_name_or_url(
    tmp_path: Path, pattern: str, matches: bool
) -> None:
    source = str(tmp_path / "a b.md")
    tested = Page(url="guide/a%20b/", name="guide/a b.md", sources=as_sources(source))
    report = build(tmp_path, tested, exclude=[pattern])
    assert bool(report.excluded) is matches


def test_the_first_matching_rule_applies_unless_the_page_sets_a_value(
    tmp_path: Path,
) -> None:
    build(
        tmp_path,
        page("blog/a/"),
        page("blog/b/", overrides={"priority": 0.0}),
        page("blog/c/", overrides={"changefreq": "never"}),
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
    entries = read_values(tmp_path)
    assert entries["blog/a/"] == ("daily", "0.5")
    assert entries["blog/b/"] == ("daily", "0.0")
    assert entries["blog/c/"] == ("never", "0.5")
    assert entries["news/"] == entries["else/"] == ("monthly", "0.9")


def read_values(out: Path) -> dict[str, tuple[str | None, str | None]]:
    entries = read((out / "sitemap.xml").read_bytes())
    return {
        entry.loc.removeprefix(BASE): (entry.changefreq, entry.priority)
        for entry in entries
    }


def build_languages(
    out: Path, *pages: Page, **options: Any
) -> dict[str, dict[str, str]]:
    """Build a site with all languages, and return the links of each page."""
    folders = {"en": "", "pt_BR": "pt/", "de": "de/"}
    languages = {code: BaseUrl(BASE + folder) for code, folder in folders.items()}
    values: dict[str, Any] = {"base_url": BASE, "lastmod": False} | options
    build_site(pages, read_options(values), out, languages=languages)
    return {
        entry.loc.removeprefix(BASE): {
            tag: href.removeprefix(BASE) for tag, href in entry.alternates.items()
        }
        for entry in read((out / "sitemap.xml").read_bytes())
    }


def test_alternates_are_listed_pages_at_the_same_path(tmp_path: Path) -> None:
    urls = ("a/", "pt/a/", "de/", "alone/", "pt/hidden/", "hidden/")
    pages = [page(url, overrides=url != "hidden/") for url in urls]
    entries = build_languages(tmp_path, *pages)
    assert entries["a/"] == entries["pt/a/"] == {"en": "a/", "pt-BR": "pt/a/"}
    assert entries["de/"] == entries["alone/"] == entries["pt/hidden/"] == {}
    # Some parsers support only this prefix.
    assert (
        b'<xhtml:link rel="alternate" hreflang="en" href='
        in (tmp_path / "sitemap.xml").read_bytes()
    )


def test_pages_that_exclude_themselves_are_not_linked(tmp_path: Path) -> None:
    html = tmp_path / "pt.html"
    html.write_text('<head><meta name="robots" content="noindex"></head>')
    pages = [page("a/"), page("de/a/"), page("pt/a/", output=str(html))]
    links = build_languages(tmp_path, *pages)
    assert {path: [*alternates] for path, alternates in links.items()} == {
        "a/": ["de", "en"],
        "de/a/": ["de", "en"],
    }


def test_pages_that_are_not_translated_are_not_linked(tmp_path: Path) -> None:
    pages = [
        page(url, is_translated=url != "pt/a/") for url in ("a/", "de/a/", "pt/a/")
    ]
    pages += [page("b/", is_translated=False), page("de/b/")]
    links = {"a/": ["de", "en"], "de/a/": ["de", "en"], "de/b/": []}
    entries = build_languages(tmp_path, *pages)
    assert {path: [*alternates] for path, alternates in entries.items()} == links
    entries = build_languages(tmp_path, *pages, ignore_reasons=["untranslated"])
    links |= {"b/": [], "pt/a/": []}
    assert {path: [*alternates] for path, alternates in entries.items()} == links


def test_pages_that_are_not_translated_can_be_listed(tmp_path: Path) -> None:
    pages = [page("a/"), page("pt/a/", is_translated=False)]
    assert [*build_languages(tmp_path, *pages, ignore_reasons=["untranslated"])] == [
        "a/",
        "pt/a/",
    ]
    assert [*build_languages(tmp_path, *pages, include=["pt/a"])] == ["a/", "pt/a/"]


def test_x_default_is_the_url_in_one_language(tmp_path: Path) -> None:
    pages = [page(url) for url in ("a/", "de/a/", "pt/a/", "de/b/", "pt/b/", "c/")]
    entries = build_languages(tmp_path, *pages, x_default="en", locales={"pt_BR": "pt"})
    for url in ("a/", "de/a/", "pt/a/"):
        assert entries[url] == {
            "de": "de/a/",
            "en": "a/",
            "pt": "pt/a/",
            "x-default": "a/",
        }
    assert [*entries["pt/b/"]] == ["de", "pt"]
    assert entries["c/"] == {}


def test_builds_of_other_languages_are_linked(tmp_path: Path) -> None:
    languages = {
        "en": BaseUrl(BASE),
        "de": BaseUrl("https://example.de/"),
        "em": BaseUrl("https://example.org/em/"),
    }
    options = read_options({"base_url": BASE, "x_default": "de"})
    report = build_site([page("a/")], options, tmp_path, languages=languages)
    assert report.listed[0].url.alternates == (
        Alternate("de", "https://example.de/a/"),
        Alternate("en", f"{BASE}a/"),
        Alternate("x-default", "https://example.de/a/"),
    )


def test_a_build_above_the_base_url_is_linked(tmp_path: Path) -> None:
    languages = {"en": BaseUrl(BASE), "de": BaseUrl(f"{BASE}de/")}
    options = read_options({"base_url": f"{BASE}de/"})
    report = build_site([page("a/")], options, tmp_path, languages=languages)
    assert report.listed[0].url.alternates == (
        Alternate("de", f"{BASE}de/a/"),
        Alternate("en", f"{BASE}a/"),
    )


def test_the_url_scheme_is_between_the_base_url_and_the_page(tmp_path: Path) -> None:
    report = build(
        tmp_path,
        page("a.html"),
        url_scheme="{lang}{version}x/{link}",
        language="en",
        version="",
    )
    assert report.listed[0].url.loc == BASE + "en/x/a.html"


def test_more_than_50_000_urls_are_split_and_fewer_are_joined_again(
    tmp_path: Path,
) -> None:
    own = tmp_path / "a&b ü-9.xml"
    own.write_text("another file")
    pages = [page(f"{n:06}/") for n in range(50_001)]
    report = build(tmp_path, *pages, filename="a&b ü.xml")
    root = parse((tmp_path / "a&b ü.xml").read_bytes())
    assert root.tag == f"{NAMESPACE}sitemapindex"
    parts = [loc.text for loc in root.iter(f"{NAMESPACE}loc")]
    assert parts == [f"{BASE}a&b%20%C3%BC-{n}.xml" for n in (1, 2)]
    assert [path.name for path in report.files] == [
        "a&b ü.xml",
        "a&b ü-1.xml",
        "a&b ü-2.xml",
    ]
    sizes = [len(read((tmp_path / f"a&b ü-{n}.xml").read_bytes())) for n in (1, 2)]
    assert sizes == [50_000, 1]
    assert (tmp_path / "a&b ü-2.xml.gz").exists()

    build(tmp_path, *pages[:2], filename="a&b ü.xml")
    assert len(read((tmp_path / "a&b ü.xml").read_bytes())) == 2
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {"a&b ü.xml", "a&b ü.xml.gz", "a&b ü-9.xml"}


def test_more_than_52_428_800_bytes_are_split(tmp_path: Path) -> None:
    pages = [page(f"{n:06}{'x' * 1_950}/") for n in range(26_400)]
    report = build(tmp_path, *pages, gzip=False)
    assert len(report.files) > 2
    assert all(path.stat().st_size <= 52_428_800 for path in report.files)
    assert sum(path.read_bytes().count(b"<url>") for path in report.files) == len(pages)


def test_without_listed_pages_the_old_files_are_removed(tmp_path: Path) -> None:
    build(tmp_path, page("a/"))
    report = build(tmp_path, page("a/", overrides=False))
    assert list(tmp_path.iterdir()) == []
    assert report.files == ()
    assert [one.code for one in report.diagnostics] == ["empty"]
    assert report.summary == "no sitemap was written"


def test_remove_sitemap_removes_the_parts_of_an_index(tmp_path: Path) -> None:
    (tmp_path / "sitemap.xml").write_text(
        f'<sitemapindex xmlns="{NAMESPACE[1:-1]}">'
        "<sitemap><loc>https://e.org/sitemap-1.xml</loc></sitemap>"
        "<sitemap><loc>https://e.org/../../sitemap-2.xml</loc></sitemap>"
        "<sitemap><loc>https://e.org/other.xml</loc></sitemap></sitemapindex>"
    )
    for name in (
        "sitemap-1.xml",
        "sitemap-1.xml.gz",
        "sitemap-2.xml",
        "other.xml",
        "a.html",
    ):
        (tmp_path / name).touch()
    assert remove_sitemap(Options(), tmp_path) == []
    assert {path.name for path in tmp_path.iterdir()} == {"other.xml", "a.html"}
    (tmp_path / "sitemap.xml").touch()
    remove_sitemap(Options(), tmp_path, is_owner=False)
    assert (tmp_path / "sitemap.xml").exists()


def test_a_compressed_copy_that_is_switched_off_is_removed(tmp_path: Path) -> None:
    build(tmp_path, page("a/"))
    build(tmp_path, page("a/"), gzip=False)
    assert [path.name for path in tmp_path.iterdir()] == ["sitemap.xml"]


def test_a_file_of_another_owner_stays_if_no_page_is_listed(tmp_path: Path) -> None:
    (tmp_path / "sitemap.xml").write_text("another file")
    build_site(
        [], read_options({"base_url": parse_base_url(BASE)}), tmp_path, is_owner=False
    )
    assert (tmp_path / "sitemap.xml").read_text() == "another file"


def test_messages_are_one_line_for_any_names(tmp_path: Path) -> None:
    hostile = Page(url="a/", name="a\n\x1b[31m\udcff.md", overrides={"priority": 9})
    (one,) = build(tmp_path, hostile).diagnostics
    assert one.message.startswith("a\\n\\x1b[31m\\udcff.md: ")


def test_a_failed_write_keeps_the_old_file(tmp_path: Path) -> None:
    build(tmp_path, page("a/"))
    old = (tmp_path / "sitemap.xml").read_bytes()
    (tmp_path / "sitemap.xml.gz").unlink()
    (tmp_path / "sitemap.xml.gz").mkdir()
    report = build(tmp_path, page("b/"))
    assert [one.code for one in report.diagnostics] == ["write"]
    assert str(tmp_path / "sitemap.xml.gz") in report.diagnostics[0].message
    assert report.files == ()
    assert (tmp_path / "sitemap.xml").read_bytes() == old
    assert {path.name for path in tmp_path.iterdir()} == {
        "sitemap.xml",
        "sitemap.xml.gz",
    }


@needs_posix
def test_a_symbolic_link_is_replaced_and_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    out = tmp_path / "out"
    sitemap = out / "sitemap.xml"
    build(out, page("a/"))
    # Also a link to equal content, which anybody could change later.
    for content in (b"precious", sitemap.read_bytes()):
        outside.write_bytes(content)
        sitemap.unlink()
        sitemap.symlink_to(outside)
        build(out, page("a/"))
        assert outside.read_bytes() == content
        assert not sitemap.is_symlink()


@needs_posix
def test_files_have_the_same_permissions_as_other_files(tmp_path: Path) -> None:
    (tmp_path / "page.html").touch()
    build(tmp_path, page("a/"))
    mode = (tmp_path / "page.html").stat().st_mode
    assert (tmp_path / "sitemap.xml").stat().st_mode == mode


def test_a_build_without_a_base_url_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="base_url"):
        build_site([page("a/")], Options(), tmp_path)


@pytest.mark.parametrize("name", ["sitemap.xml", "custom.xml.j2", "custom.txt"])
def test_a_custom_template_is_escaped_and_uses_the_names_of_the_protocol(
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
    ("loc", "listed", "reasons"),
    [
        ("{{ url.loc }}", ["a/", "b/"], []),
        ("{{ url.loc }}{% if loop.last %}other{% endif %}", ["a/"], ["template"]),
        ("{{ url.loc }}{% if loop.first %}index.html{% endif %}", ["a/", "b/"], []),
        ("https://elsewhere.example/{{ loop.index }}", ["a/", "b/"], []),
    ],
)
def test_pages_that_a_custom_template_leaves_out_are_excluded(
    tmp_path: Path, loc: str, listed: list[str], reasons: list[str]
) -> None:
    template = tmp_path / "template.xml"
    template.write_text(
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
        f"{{% for url in urls %}}<url><loc>{loc}</loc></url>{{% endfor %}}</urlset>"
    )
    report = build(tmp_path, page("a/"), page("b/"), template=str(template))
    assert [entry.page.url for entry in report.listed] == listed
    assert [entry.reason for entry in report.excluded] == reasons


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{{ nothing.there }}", "'nothing' is undefined"),
        ("<urlset>{{ 1 / 0 }}</urlset>", "ZeroDivisionError"),
        ("<urlset>", "did not render a sitemap"),
        ("", "did not render a sitemap"),
        ("<html></html>", "did not render a sitemap"),
        ("<urlset></urlset>", "not in the namespace of the sitemap protocol"),
        (
            f"<?xml version='1.0' encoding='latin1'?><urlset xmlns='{NAMESPACE[1:-1]}'/>",
            "latin1",
        ),
        ('<urlset>{{ "\\x01" }}</urlset>', "did not render a sitemap"),
        ("<urlset>&#1;</urlset>", "did not render a sitemap"),
        ('<urlset>{{ "\\ufffe" }}</urlset>', "did not render a sitemap"),
        ('<urlset>{{ "\\ud800" }}</urlset>', "surrogates not allowed"),
        ("{{ " + "(" * 2_000 + ")" * 2_000 + " }}", "failed: "),
        ("{% include '" + "x" * 10_000 + "' %}", "xxx…' cannot be read"),
        ("{% " + "x" * 10_000 + " %}", "line 1: Encountered unknown tag"),
    ],
)
def test_a_template_that_fails_keeps_the_old_file(
    tmp_path: Path, text: str, problem: str
) -> None:
    build(tmp_path, page("a/"))
    old = (tmp_path / "sitemap.xml").read_bytes()
    template = tmp_path / "custom.xml"
    template.write_text("<urlset/>")
    values = {"base_url": BASE, "lastmod": False, "template": str(template)}
    options = read_options(values)
    template.write_text(text)
    report = build_site([page("b/")], options, tmp_path)
    assert report.diagnostics[0].code == "template"
    assert problem in report.diagnostics[0].message
    assert "custom.xml" in report.diagnostics[0].message or "include" in text
    assert report.diagnostics[0].message.isprintable()
    assert len(report.diagnostics[0].message) < 500
    assert (tmp_path / "sitemap.xml").read_bytes() == old


def test_a_custom_template_may_have_a_template_for_the_index_next_to_it(
    tmp_path: Path,
) -> None:
    template = tmp_path / "sitemapindex.xml"
    template.write_text(
        f"<sitemapindex xmlns='{NAMESPACE[1:-1]}'>"
        "{% for sitemap in sitemaps %}{{ sitemap.loc }}{% endfor %}</sitemapindex>"
    )
    (tmp_path / "sitemap.xml").write_text(
        f"<urlset xmlns='{NAMESPACE[1:-1]}'>"
        "{% for url in urls %}<url><loc>{{ url.loc }}</loc></url>{% endfor %}</urlset>"
    )
    out = tmp_path / "out"
    pages = [page(f"{number}/") for number in range(50_001)]
    build(out, *pages, template=str(tmp_path / "sitemap.xml"), filename="a&b.xml")
    root = etree.fromstring((out / "a&b.xml").read_bytes())
    assert root.text == f"{BASE}a&b-1.xml{BASE}a&b-2.xml"


@pytest.mark.parametrize("name", ["sitemap.xml", "custom.xml", "x" * 300])
def test_a_missing_template_is_an_error(tmp_path: Path, name: str) -> None:
    with pytest.raises(OptionError, match=f"template: the template '{name[:50]}"):
        read_options({"template": name}, str(tmp_path))


def test_paths_are_relative_to_a_folder(tmp_path: Path) -> None:
    template = str(tmp_path / "sitemap.xml")
    Path(template).touch()
    paths = {"report": "a.json", "repository": "..", "template": template}
    options = read_options(paths, "/project/docs")
    assert (options.report, options.repository) == (
        "/project/docs/a.json",
        "/project/docs/..",
    )
    assert options.template == template
    assert read_options({"report": False}, "/project").report is False


def test_every_loc_opens_its_file(tmp_path: Path) -> None:
    (tmp_path / "a b").mkdir()
    for name in ("index.html", "a b/index.html", "a b/c.html"):
        (tmp_path / name).touch()
    pages = [page(""), page("a%20b/"), page("a%20b/c.html")]
    build(tmp_path, *pages)
    assert list(read_site(tmp_path, BASE)) == ["", "a%20b/", "a%20b/c.html"]


def render_date(tmp_path: Path, date: str) -> str:
    """Write a template that renders this date for each page."""
    template = tmp_path / "own.xml"
    template.write_text(
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{% for url in urls %}\n'
        f"<url><loc>{{{{ url.loc }}}}</loc><lastmod>{date}</lastmod></url>{{% endfor %}}</urlset>"
    )
    return str(template)


def test_each_fault_of_a_custom_template_is_one_warning(tmp_path: Path) -> None:
    template = render_date(tmp_path, "yesterday")
    report = build(tmp_path / "out", page("a/"), page("b/"), template=template)
    assert [one.code for one in report.diagnostics] == ["check"]
    message = report.diagnostics[0].message
    assert message.startswith("sitemap.xml: lastmod-invalid: 'yesterday'")
    assert ". Fix: " in message


def test_a_future_date_from_a_custom_template_is_a_warning_and_an_old_one_is_not(
    tmp_path: Path,
) -> None:
    for date, number in (("2999-01-01", 1), ("1999-01-01", 0)):
        report = build(
            tmp_path / "out", page("a/"), template=render_date(tmp_path, date)
        )
        assert len(report.diagnostics) == number
        if number:
            assert "sitemap.xml: lastmod-future: " in report.diagnostics[0].message
