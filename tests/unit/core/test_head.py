"""What the head of a page declares, read as browsers and crawlers read it."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from support.platforms import needs_posix

from docs_sitemap.built.html import read_head
from docs_sitemap.built.verdict import Head
from docs_sitemap_cli.published.page import read_page

Read = Callable[[str | bytes], Head]

URL = "https://example.org/docs/guide/"


@pytest.fixture
def read(tmp_path: Path) -> Read:
    def read(html: str | bytes) -> Head:
        page = tmp_path / "page.html"
        page.write_bytes(html if isinstance(html, bytes) else html.encode())
        return read_head(page)

    return read


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
    read: Read, html: str, noindex: str | None
) -> None:
    assert read(html).noindex == noindex


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
    (tmp_path / "page.html").write_bytes(b"<title>x</title><body>" + data)
    assert read_page(tmp_path / "page.html").complete_head.noindex == noindex


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
    page = tmp_path / "page.html"
    page.write_text("<meta name=robots content=noindex><meta " + start * 1_000_000)
    before = time.process_time()
    assert read_page(page).complete_head.noindex == "robots: noindex"
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
    read: Read, content: str, target: str | None
) -> None:
    content = content.replace('"', "&quot;")
    assert (
        read(f'<meta http-equiv="Refresh" content="{content}">').redirect_target(URL)
        == target
    )
    noscript = f'<noscript><meta http-equiv=refresh content="{content}"></noscript>'
    assert read(noscript).redirect_target(URL) == target


@pytest.mark.parametrize(
    ("html", "target"),
    [
        ("<link rel=canonical href=.>", URL),
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
def test_canonical_links(read: Read, html: str, target: str | None) -> None:
    assert read(html).canonical_target(URL) == target


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
    read: Read, html: str, script: str | None
) -> None:
    assert read(html).coverage_script == script


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "latin-1", "gbk", "iso2022_jp"]
)
def test_pages_in_any_encoding_have_the_same_markup(read: Read, encoding: str) -> None:
    text = "ü" if encoding == "latin-1" else "中"
    html = f"<title> {text}\n x </title><meta name=robots content=none><link rel=canonical href=/a>"
    head = read(html.encode(encoding))
    assert (head.noindex, head.canonicals) == ("robots: none", ("/a",))
    if encoding.startswith("utf-8"):
        assert head.title == f"{text} x"


def test_very_long_urls_are_ignored(read: Read) -> None:
    for length, links in ((8_000, 1), (8_001, 0)):
        head = read(f"<link rel=canonical href={'a' * length}>")
        assert len(head.canonicals) == links


def test_the_title_is_unescaped_and_on_one_line(read: Read) -> None:
    assert (
        read("<title>\n A &amp; <b>B</b>\n&lt;C&gt; </title>").title
        == "A & <b>B</b> <C>"
    )


def test_the_complete_head_is_read_up_to_a_limit(read: Read) -> None:
    long = f"<style>{'x' * 300_000}</style>"
    assert (
        read(f"{long}<meta name=robots content=none><body>").noindex == "robots: none"
    )
    assert (
        read(f"<style>{'x' * 3_000_000}<meta name=robots content=none>").noindex is None
    )


@needs_posix
def test_paths_that_are_not_regular_files_are_errors_without_waiting(
    tmp_path: Path,
) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path, tmp_path / "missing"):
        with pytest.raises(OSError, match=r".+"):
            read_head(path)


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
    page = tmp_path_factory.getbasetemp() / f"page-{os.getpid()}.html"
    page.write_bytes("".join(pieces).encode(encoding, "replace"))
    assert read_page(page).complete_head is not None
    head = read_head(page)
    head.redirect_target(URL)
    head.canonical_target(URL)


@pytest.mark.parametrize(
    "html", ["<html lang=de><svg><html lang=fr>", "<p><svg><html lang=fr></svg>"]
)
def test_only_the_element_of_the_document_names_its_language(
    read: Read, html: str
) -> None:
    assert read(html).language == ("de" if "lang=de" in html else "")
