"""The bytes of a page whose canonical link changes."""

from __future__ import annotations

import html

import pytest
from hypothesis import example, given, strategies as st
from selectolax.lexbor import LexborHTMLParser

from docs_sitemap.built.html import MAX_HEAD
from docs_sitemap_cli.versions.canonical_links import set_canonical_link

URL = "https://example.org/docs/2.0/?a=1&b='x'"
VALUE = html.escape(URL)
NEW = f'<link rel="canonical" href="{VALUE}" />'

# Whatever may be in a head, and texts that only look like a part of it.
PIECES = st.sampled_from(
    [
        "<!doctype html>",
        '<html lang="en" data-x="<head>">',
        "<head>",
        "<HEAD prefix='og: >'>",
        '<meta charset="utf-8">',
        "<meta http-equiv=Content-Type content='text/html; charset=latin-1'/>",
        "<title>A &amp; B</title>",
        "<link rel=stylesheet href=a.css>",
        '<link rel="canonical" href="https://example.org/docs/1.0/">',
        "<LINK\tHREF='/a/' REL='Canonical'/>",
        "<link rel=canonical href=../a/>",
        "<link rel=canonical href>",
        '<link rel="canonical" href="">',
        '<link rel="alternate canonical" hreflang=de href="/de/">',
        '<link data-a="rel=canonical href=x" title=">" rel=canonical href="y" href="z">',
        "<link rel=canonical =a b\" href='c'>",
        '<!-- <link rel="canonical" href="/comment/"> <head> <meta charset=x>',
        '<!-- <link rel=canonical href=">',
        "-->",
        "<script>'<link rel=canonical href=/a/> <meta charset=x>'",
        "</script>",
        "<template><link rel=canonical href=/a/><title>",
        "</template>",
        "<svg><title>x</title></svg>",
        "<style>/* <head> */</style>",
        "</head>",
        "<body>",
        "\r\n\t",
        "\xe9\xff",
        '"',
        "'",
        ">",
        "<",
    ]
)


def without_links(page: bytes) -> tuple[list[str | None], str | None]:
    """Return the canonical links in the head of a page, and the page without them."""
    document = LexborHTMLParser(page.decode("utf-8-sig", "backslashreplace"))
    links = []
    for node in document.css("head > link"):
        attributes = node.attributes
        rel = (attributes.get("rel") or "").strip().lower().split()
        if "canonical" in rel and "hreflang" not in attributes:
            links.append(attributes.get("href") or None)
            node.decompose()
    return links, document.html


@given(st.lists(PIECES, max_size=12))
@example(['<!-- <link rel=canonical href=">', "-->", "<title>A &amp; B</title>"])
@example(["<link rel=canonical =a b\" href='c'>", "<title>A &amp; B</title>"])
def test_nothing_else_changes_in_random_pages(pieces: list[str]) -> None:
    page = "".join(pieces).encode("latin-1")
    changed = set_canonical_link(page, URL)
    old_links, old = without_links(page)
    if changed is None:
        return
    links, rest = without_links(changed)
    # Links without targets stay, and are no canonical links.
    assert {*links} - {None} == {URL}
    assert len(links) - len(old_links) in (0, 1)
    assert rest == old
    assert set_canonical_link(changed, URL) == changed


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "<title>x</title>"),
        ('<html><head>\n  <meta charset="utf-8">\n  ', "<title>x</title></head>"),
        ("<!doctype html><html lang=en><head>", "<title>x</title>"),
        ("<!doctype html><html lang=en><meta charset=utf-8>", "<title>x</title>"),
        (
            '<head><meta http-equiv="Content-Type" content="text/html; charset=utf-8">',
            "<title>x</title>",
        ),
        ("<head>", "<title>x</title><meta content=" + "charset " * 100_000),
        ("<!doctype html>", "<title>x</title><p>Text"),
        ("\ufeff<html><head>\r\n<meta charset='utf-8'/>\r\n", "<title>x</title>"),
        ("<!-- <head> <title>y</title> --><head>", "<title>x</title>"),
        ("<head><script>'<title>y</title>'</script>", "<title>x</title>"),
        ("<head><template><title>y</title></template>", "<title>x</title>"),
        ("<head>", "<title>x</title><body><header><link rel=canonical href=a>"),
        (
            '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head>',
            "<title>x</title></head><body/></html>",
        ),
    ],
)
def test_a_new_link_is_in_front_of_the_title(before: str, after: str) -> None:
    changed = set_canonical_link((before + after).encode(), URL)
    assert changed == (before + NEW + after).encode()


@pytest.mark.parametrize(
    "link",
    [
        '<link rel="canonical" href="{}">',
        "<link href='{}' rel=canonical>",
        "<LINK REL=CANONICAL HREF={}>",
        "<link\nrel = 'canonical'\nhref = '{}'\n/>",
        '<link title=">" data-href="x" rel="nofollow canonical" href="{}" />',
        '<link rel="canonical" href="{0}"><link rel="canonical" href="{0}">',
    ],
)
@pytest.mark.parametrize("old", ["/a/", "https://example.org/a/?x&amp;y"])
def test_a_link_is_replaced(link: str, old: str) -> None:
    page = f"<head>{link}<title>x</title>"
    changed = set_canonical_link(page.format(old).encode("utf-8"), URL)
    assert changed == page.format(VALUE).encode()


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32"])
def test_pages_in_wide_encodings_stay(encoding: str) -> None:
    page = "<html><head><title>x</title></head></html>".encode(encoding)
    assert set_canonical_link(page, URL) is None


@pytest.mark.parametrize(
    ("before", "after"),
    [
        # Two links with different targets.
        ("<link rel=canonical href={a}><link rel=canonical href={b}>",) * 2,
        ("<link rel=canonical href={a}><link rel=canonical href={url}>",) * 2,
        # The text in a comment and in a script is no link.
        (
            "<!-- href={a} --><link rel=canonical href={a}><script>'href={a}'</script>",
            "<!-- href=/a --><link rel=canonical href={a}><script>'href=/a'</script>",
        ),
        # The next link has the same target, but is no canonical link.
        (
            "<link rel=canonical href={a}><link rel=alternate hreflang=de href={a}>",
            "<link rel=canonical href={a}><link rel=alternate hreflang=de href=/a>",
        ),
    ],
)
def test_only_canonical_links_are_replaced(before: str, after: str) -> None:
    page = before.format(a="/a", b="/b", url=VALUE)
    changed = set_canonical_link(page.encode(), URL)
    assert changed == after.format(a=VALUE, b=VALUE, url=VALUE).encode()


def test_a_link_beyond_the_limit_for_heads_stays() -> None:
    title = "<title>x</title>"
    link = "<link rel=canonical href=a>"
    space = " " * MAX_HEAD
    assert set_canonical_link(f"<head>{space}{title}".encode(), URL) is None
    page = f"<head>{title}{space}{link}"
    expected = f"<head>{NEW}{title}{space}{link}"
    assert set_canonical_link(page.encode(), URL) == expected.encode()


def test_a_page_with_many_links_stays() -> None:
    """Only so many places are looked at."""
    many = "<link rel=canonical href=a>" * 21
    assert set_canonical_link(f"<head>{many}".encode(), URL) is None


def test_a_link_that_cannot_be_found_stays() -> None:
    comments = "<!-- <link rel=canonical href=a> -->" * 30
    page = f"<head>{comments}<link rel=canonical href=a><title>x</title>"
    assert set_canonical_link(page.encode(), URL) is None
