"""What the head of a page declares, read as browsers and crawlers read it."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st
from support.builds import BASE_URL, build
from support.cli import invoke
from support.platforms import needs_posix
from support.sitemaps import url, urlset, write_site

from docs_sitemap import Page

URL = f"{BASE_URL}guide/"

Reason = tuple[str, str]
Judge = Callable[[str | bytes], Reason | None]
Read = Callable[[str | bytes], dict[str, Any]]


@pytest.fixture
def judge(tmp_path: Path) -> Judge:
    """Return a function that returns why a build excludes a page; `None` if it is
    listed.
    """

    def judge(html: str | bytes) -> Reason | None:
        output = tmp_path / "page.html"
        output.write_bytes(html if isinstance(html, bytes) else html.encode())
        page = Page(url="guide/", name="guide.md", output=str(output))
        excluded = build(tmp_path / "out", page).excluded
        if not excluded:
            return None
        return str(excluded[0].reason), excluded[0].detail

    return judge


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """Return a function that returns what the head of a page declares."""

    def read(html: str | bytes) -> dict[str, Any]:
        site = tmp_path / "site"
        site.mkdir(exist_ok=True)
        data = html if isinstance(html, bytes) else html.encode()
        (site / "page.html").write_bytes(data)
        words = ("explain", "site", "page.html", "--format", "json")
        done = invoke(*words, "--base-url", BASE_URL, cwd=tmp_path)
        head: dict[str, Any] = done.json()["results"][0]["pages"][0]["head"]
        return head

    return read


def check(folder: Path, html: str | bytes) -> list[str]:
    """Check a site whose sitemap lists a page. Return what it declares of crawlers."""
    data = html if isinstance(html, bytes) else html.encode("utf-8", "replace")
    write_site(folder / "site", {"sitemap.xml": urlset(url(f"{BASE_URL}page.html"))})
    (folder / "site" / "page.html").write_bytes(data)
    (path,) = invoke("check", "site", "--format", "json", cwd=folder).json()["paths"]
    found = [one for one in path["diagnostics"] if one["code"] == "noindex"]
    return [one["message"] for one in found]


@pytest.mark.parametrize(
    ("html", "noindex"),
    [
        ('<meta name="robots" content="noindex">', "robots: noindex"),
        ("<META NAME=ROBOTS CONTENT=NoIndex,NoFollow>", "robots: NoIndex,NoFollow"),
        ("<meta content='none' name='googlebot'/>", "googlebot: none"),
        (
            '<meta name="bingbot" content="noarchive, noindex">',
            "bingbot: noarchive, noindex",
        ),
        (
            '<meta name=" robots " content=" follow\nnoindex ">',
            "robots: follow noindex",
        ),
        (
            '<meta name="robots" content="index"><meta name="yandex" content="none">',
            "yandex: none",
        ),
        ('<meta name="robots" name="author" content="noindex">', "robots: noindex"),
        ("<meta name=robots content=&#110;oindex>", "robots: noindex"),
        (
            "<!doctype html><html><head><!-- <body> --><meta name=robots content=none>",
            "robots: none",
        ),
        ("<head></head><meta name=robots content=none><body>", "robots: none"),
        ("<head><META NAME=ROBOTS CONTENT=NONE></head><body>", "robots: NONE"),
        ("<head><meta name=&#114;obots content=none></head><body>", "robots: none"),
        *(
            (f"{quoted}<meta name=robots content=none></head><body>", "robots: none")
            for quoted in (
                "<!-- </head><body> -->",
                "<script>'</head><body>'</script>",
                "<style>/* </head><body> */</style>",
                "<meta name=description content='</head><body>'>",
            )
        ),
        *(
            (f"{quoted}<meta name=robots content=none><body>", "robots: none")
            for quoted in (
                "<style>'</head><body>'</style>",
                "<title></head><body></title>",
                "<noscript></head><body></noscript>",
                "<meta content='</head><body'>",
            )
        ),
        ("<title><body> x</title><meta name=robots content=none>", "robots: none"),
        (
            "<style>a{}</style><script>'<body>'</script><meta name=robots content=none>",
            "robots: none",
        ),
        (
            "<noscript><img src=x></noscript><meta name=robots content=none>",
            "robots: none",
        ),
        ("\ufeff<meta name=robots content=none>", "robots: none"),
        ('<meta name="robots" content="index, follow">', None),
        ('<meta name="robots" content="noindexing">', None),
        ('<meta name="robots" content="index, max-image-preview: none">', None),
        ('<meta name="robots" content="max-image-preview:none max-snippet : 9">', None),
        (
            '<meta name="robots" content="max-image-preview: none, none">',
            "robots: max-image-preview: none, none",
        ),
        ('<meta name="robots">', None),
        ('<meta name="description" content="noindex">', None),
        ('<meta property="robots" content="noindex">', None),
        ('<!-- <meta name="robots" content="noindex"> -->', None),
        ("<script><meta name=robots content=noindex></script>", None),
        ("<template><meta name=robots content=noindex></template>", None),
        (
            "<template><template></template><meta name=robots content=none></template>",
            None,
        ),
        *(
            (f"<!--{end}<meta name=robots content=none>", "robots: none")
            for end in (">", "->", "-->", " --!>", "-- x -- ><!-->")
        ),
        ("<!-- x -- > <meta name=robots content=none> -->", None),
        ("<title><meta name=robots content=noindex></title>", None),
        ("<body><meta name=robots content=noindex>", None),
        ("<p>text<meta name=robots content=noindex>", None),
        ("text <meta name=robots content=noindex>", None),
        ("</body><meta name=robots content=noindex>", None),
        ("<title>a <![foo b</title><meta name=robots content=none>", "robots: none"),
        ("<title>a <!-- b</title><meta name=robots content=none>", "robots: none"),
        (
            "<title>a </ b <![CDATA[</title><meta name=robots content=none>",
            "robots: none",
        ),
        ("<![ x ]><meta name=robots content=none>", "robots: none"),
        ("<![CDATA[ x ]]><meta name=robots content=none>", "robots: none"),
        (
            f"<meta name=x content='&#{9:05000};'><meta name=robots content=none>",
            "robots: none",
        ),
        (f"<title>&#{9:05000};</title><meta name=robots content=none>", "robots: none"),
        ("", None),
    ],
)
def test_noindex_in_robots_meta_elements(
    judge: Judge, html: str, noindex: str | None
) -> None:
    assert judge(html) == (noindex and ("noindex", noindex))


@pytest.mark.parametrize(
    ("body", "noindex"),
    [
        ("<p>Text<META NAME=robots CONTENT=noindex>", "robots: noindex"),
        (
            '<div><meta name="googlebot"\ncontent="noindex"/></div>',
            "googlebot: noindex",
        ),
        (
            "<meta name=robots content=index><meta name=bingbot content=none>",
            "bingbot: none",
        ),
        ("</body></html><meta name=robots content=none>", "robots: none"),
        (
            "<template></template></template><meta name=robots content=none>",
            "robots: none",
        ),
        ("<script>'<meta name=robots content=none>'</script>", None),
        ("<pre>&lt;meta name=robots content=noindex&gt;</pre>", None),
        ("<!-- <meta name=robots content=noindex> -->", None),
        ("<textarea><meta name=robots content=noindex></textarea>", None),
        ("<iframe><meta name=robots content=noindex></iframe>", None),
        ("<template><meta name=robots content=noindex></template>", None),
        ("<meta itemprop=name content=noindex>", None),
        (f"<p>{'x' * 9_000_000}<meta name=robots content=noindex>", None),
        ("<meta name=robots content=max-image-preview:none>", None),
        (b"<meta charset=iso-2022-jp>\x1b$(<meta name=robots content=index>", None),
        ("", None),
    ],
)
def test_robots_meta_elements_in_the_body(
    tmp_path: Path, body: str | bytes, noindex: str | None
) -> None:
    data = body if isinstance(body, bytes) else body.encode()
    messages = check(tmp_path, b"<title>x</title><body>" + data)
    assert len(messages) == (noindex is not None)
    assert not noindex or noindex.replace("\n", " ") in messages[0]


@pytest.mark.parametrize(
    "start",
    [
        "<",
        "<!",
        "<!--",
        "</",
        "</a ",
        "<a",
        "<a '",
        " a=",
        "<meta ",
        "<textarea>",
        "&#1",
    ],
)
def test_complete_page_is_read_in_linear_time(tmp_path: Path, start: str) -> None:
    before = time.process_time()
    page = "<meta name=robots content=noindex><meta " + start * 1_000_000
    assert len(check(tmp_path, page)) == 1
    assert time.process_time() - before < 10


@pytest.mark.parametrize(
    ("content", "target"),
    [
        ("0; url=../new/", "https://example.org/docs/new/"),
        ("0;URL='/new/'", "https://example.org/new/"),
        ('3 ; url = "https://other.example/" ', "https://other.example/"),
        ("0,url=../new/", "https://example.org/docs/new/"),
        ("0 ../new/", "https://example.org/docs/new/"),
        ("0;../new/", "https://example.org/docs/new/"),
        ("1.5; url=../new/#part", "https://example.org/docs/new/#part"),
        ("30", None),
        ("0;", None),
        ("0; url=", None),
        ("soon; url=../new/", None),
        ("0; url=./", None),
        ("0; url=#part", None),
        ("0; url=index.html", None),
        ("0; url=https://EXAMPLE.org:443/docs/guide/", None),
        ("0; url=http://[", None),
    ],
)
def test_a_refresh_to_another_page_is_a_redirect(
    judge: Judge, content: str, target: str | None
) -> None:
    content = content.replace('"', "&quot;")
    expected = target and ("redirect", target)
    assert judge(f'<meta http-equiv="Refresh" content="{content}">') == expected
    noscript = f'<noscript><meta http-equiv=refresh content="{content}"></noscript>'
    assert judge(noscript) == expected


@pytest.mark.parametrize(
    ("html", "target"),
    [
        ("<link rel=canonical href=.>", None),
        (
            '<link href="/docs/other/" rel="Canonical alternate">',
            "https://example.org/docs/other/",
        ),
        (
            "<base href=/docs/><link rel=canonical href=other/>",
            "https://example.org/docs/other/",
        ),
        (
            "<base href=/a/><base href=/b/><link rel=canonical href=c>",
            "https://example.org/a/c",
        ),
        ("<link rel=canonical href=a><link rel=canonical href=./a>", f"{URL}a"),
        ("<link rel=canonical href=a><link rel=canonical href=b>", None),
        ("<link rel=canonical href=a><link rel=canonical href='http://['>", None),
        ("<link rel=canonical href=''>", None),
        ("<link rel=canonical>", None),
        ("<link rel=prev href=a>", None),
        ("<link rel=canonical href=a media=print>", None),
        ("<link rel=canonical href=a hreflang=de>", None),
        ("<link rel=canonical href=a lang=de>", None),
        ("<link rel=canonical href=a type=text/html>", None),
        ("<body><link rel=canonical href=a>", None),
    ],
)
def test_canonical_links(judge: Judge, html: str, target: str | None) -> None:
    assert judge(html) == (target and ("canonical", target))


@pytest.mark.parametrize(
    ("html", "script"),
    [
        (
            '<script src="coverage_html_cb_54cfdca1.js" defer></script>',
            "coverage_html_cb_54cfdca1.js",
        ),
        (
            '<script type="text/javascript" src="coverage_html.js"></script>',
            "coverage_html.js",
        ),
        (
            "<script src=jquery.min.js></script><script src=coverage_html.js>",
            "coverage_html.js",
        ),
        ("<script>'coverage_html.js'</script>", None),
        ("<script src=my_coverage_html.js></script>", None),
        ("<script src=coverage_html.js.map></script>", None),
        ("<script src=https://example.org/coverage_html.js></script>", None),
        ("<title><script src=coverage_html.js></title>", None),
        ("<body><script src=coverage_html.js></script>", None),
    ],
)
def test_the_script_of_a_coverage_report(
    judge: Judge, html: str, script: str | None
) -> None:
    assert judge(html) == (script and ("coverage-report", script))


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "latin-1", "gbk", "iso2022_jp"]
)
def test_pages_in_any_encoding_have_the_same_markup(read: Read, encoding: str) -> None:
    text = "ü" if encoding == "latin-1" else "中"
    html = f"<title> {text}\n x </title><meta name=robots content=none><link rel=canonical href=/a>"
    head = read(html.encode(encoding))
    assert (head["noindex"], head["canonicals"]) == ("robots: none", ["/a"])
    if encoding.startswith("utf-8"):
        assert head["title"] == f"{text} x"


def test_very_long_urls_are_ignored(read: Read) -> None:
    for length, links in ((8_000, 1), (8_001, 0)):
        head = read(f"<link rel=canonical href={'a' * length}>")
        assert len(head["canonicals"]) == links


def test_the_title_is_unescaped_and_on_one_line(read: Read) -> None:
    assert (
        read("<title>\n A &amp; <b>B</b>\n&lt;C&gt; </title>")["title"]
        == "A & <b>B</b> <C>"
    )


def test_the_complete_head_is_read_up_to_a_limit(judge: Judge) -> None:
    long = f"<style>{'x' * 300_000}</style>"
    assert judge(f"{long}<meta name=robots content=none><body>")
    assert not judge(f"<style>{'x' * 3_000_000}<meta name=robots content=none>")


@needs_posix
def test_paths_that_are_not_regular_files_are_errors_without_waiting(
    tmp_path: Path,
) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path, tmp_path / "missing"):
        page = Page(url="a/", name="a.md", output=str(path))
        (excluded,) = build(tmp_path / "out", page).excluded
        assert excluded.reason == "not-written"


PIECES = st.sampled_from(
    [
        *(
            "<",
            ">",
            "<meta ",
            "<link ",
            "<title>",
            "</title>",
            "<!--",
            "-->",
            "<![CDATA[",
            "<?x",
        ),
        *(
            "<!",
            "<![x",
            "</ ",
            "</head>",
            "<body>",
            "<script>",
            "</script>",
            "<noscript>",
        ),
        *(
            "<base href=",
            "name=",
            "robots",
            "content=",
            "noindex",
            "http-equiv=refresh",
            "0;url=a",
        ),
        *(
            "rel=canonical ",
            "href=",
            "http://[",
            "charset=utf-16",
            '"',
            "'",
            "=",
            "/",
            ";",
            " ",
        ),
        *("&#", f"&#{9:05000};", "&lt;", "\0", "\n", "é"),
    ]
)


@given(st.lists(PIECES, max_size=40), st.sampled_from(["utf-8", "utf-16", "latin-1"]))
def test_any_markup_can_be_read(
    tmp_path_factory: pytest.TempPathFactory, pieces: list[str], encoding: str
) -> None:
    folder = tmp_path_factory.getbasetemp() / f"page-{os.getpid()}"
    html = "".join(pieces).encode(encoding, "replace")
    check(folder, html)
    page = Page(url="a/", name="a", output=str(folder / "site/page.html"))
    report = build(folder / "out", page)
    assert len(report.listed) + len(report.excluded) == 1
    assert not [one for one in report.diagnostics if one.code != "empty"]


@pytest.mark.parametrize(
    "html", ["<html lang=de><svg><html lang=fr>", "<p><svg><html lang=fr></svg>"]
)
def test_only_the_element_of_the_document_names_its_language(
    read: Read, html: str
) -> None:
    assert read(html)["language"] == ("de" if "lang=de" in html else "")
