"""Change the dates of a sitemap, and nothing else."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, strategies as st
from lxml import etree
from support.sitemaps import BASE, index, url, urlset

from docs_sitemap.sitemap.protocol import MAX_ENTRIES
from docs_sitemap.sitemap.reader import SitemapEntry
from docs_sitemap.sitemap.rules import UnusableFileError
from docs_sitemap_cli.published.lastmods import update_lastmods

NEW = "2024-05-01T10:00:00+00:00"
SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9"


def update(
    data: str | bytes, choose: Callable[[str], str | None] = lambda _: NEW
) -> bytes:
    """Update a sitemap with a function from URLs to dates."""

    def choose_for(entry: SitemapEntry, is_index: bool) -> str | None:
        return choose(entry.text("loc") or "")

    content = data.encode() if isinstance(data, str) else data
    return update_lastmods(content, choose_for)[0]


def test_dates_are_added_after_the_url_with_its_indentation() -> None:
    entry = "<url>\r\n    <loc>https://example.org/</loc>{}\r\n    <priority>1</priority></url>"
    added = f"\r\n    <lastmod>{NEW}</lastmod>"
    assert update(urlset(entry.format(""))) == urlset(entry.format(added)).encode()


def test_text_before_the_url_is_not_repeated() -> None:
    entry = f"<url>text<loc>{BASE}</loc>{{}}</url>"
    added = f"<lastmod>{NEW}</lastmod>"
    assert update(urlset(entry.format(""))) == urlset(entry.format(added)).encode()


def test_dates_are_removed() -> None:
    old = "<lastmod>2020-01-01</lastmod>"
    data = urlset(url(BASE, old), url(BASE + "a/"), url(BASE + "b/", "<lastmod/>"))
    updated, lastmods = update_lastmods(data.encode(), lambda *_: "")
    assert lastmods == [None, None, None]
    empty = urlset(url(BASE), url(BASE + "a/"), url(BASE + "b/"))
    assert updated == empty.encode()


def test_only_some_dates_change() -> None:
    old = "<lastmod>2020-01-01</lastmod>"
    data = urlset(*(url(BASE + page, old) for page in ("a/", "b/", "c/")))
    updated = update(data, lambda loc: NEW if loc == BASE + "b/" else None)
    assert updated.decode() == data.replace(
        f"b/</loc>{old}", f"b/</loc><lastmod>{NEW}</lastmod>"
    )
    assert update(data, lambda _: None) == data.encode()


def test_all_dates_of_the_result_are_returned() -> None:
    old = "<lastmod>2020-01-01</lastmod>"
    data = urlset(url(BASE, old), url(BASE + "a/"), url(BASE + "b/", old)).encode()
    _, lastmods = update_lastmods(
        data, lambda entry, _: NEW if entry.text("loc") == BASE else None
    )
    assert lastmods == [NEW, None, "2020-01-01"]


def test_a_sitemap_index_is_updated() -> None:
    data = index(f"{BASE}sitemap-1.xml")
    expected = data.replace("</loc>", f"</loc><lastmod>{NEW}</lastmod>")
    assert update(data) == expected.encode()


@pytest.mark.parametrize(
    "old",
    [
        "<lastmod/>",
        "<lastmod />",
        "<lastmod></lastmod>",
        "<lastmod>\n  2020-01-01\n</lastmod >",
        '<lastmod a="/>">&#50;020-01-01</lastmod>',
        "<lastmod><![CDATA[2020-01-01]]></lastmod>",
        "<lastmod>2020-01-01<!-- > --></lastmod>",
        "<lastmod>/></lastmod>",
    ],
)
def test_any_spelling_of_a_date_is_replaced(old: str) -> None:
    entry = url(BASE, "{}<priority>0.5</priority>")
    expected = entry.format(f"<lastmod>{NEW}</lastmod>")
    assert update(urlset(entry.format(old))) == urlset(expected).encode()


def test_the_date_has_the_prefix_that_is_valid_in_the_entry() -> None:
    entry = f'<m:url><loc xmlns="{SITEMAP}">{BASE}</loc>{{}}</m:url >'
    data = f'<m:urlset xmlns:m="{SITEMAP}">{entry}</m:urlset>'
    updated = update(data.format(""))
    assert updated.decode() == data.format(f"<m:lastmod>{NEW}</m:lastmod>")
    assert etree.fromstring(updated).findtext(f".//{{{SITEMAP}}}lastmod") == NEW


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("", "it is empty"),
        (urlset(url(BASE))[:-5], "unclosed token"),
        (
            urlset(url("&a;")).replace(
                "<urlset", '<!DOCTYPE x [<!ENTITY a "b">]><urlset'
            ),
            "type 'x'",
        ),
        (urlset(url(BASE)).encode("utf-16"), "UTF-16"),
        (urlset(url(BASE + "\xe9")).encode("latin-1"), "not well-formed"),
        (urlset(url(BASE)).replace("UTF-8", "ISO-8859-1"), "encoding 'ISO-8859-1'"),
        ("<!DOCTYPE html><html></html>", "it is a web page"),
        (urlset(*[url(BASE)] * (MAX_ENTRIES + 1)), "more than 50,000"),
        (urlset(url(BASE)) + " " * 52_428_800, "52,428,800 bytes"),
    ],
    ids=range(9),
)
def test_unusable_files_are_errors(data: str | bytes, message: str) -> None:
    with pytest.raises(UnusableFileError, match=message):
        update(data)


# Whatever may stand between the elements of a sitemap, and in them.
spaces = st.sampled_from(["", " ", "\n  ", "\r\n\t", "\n\n    "])
misc = st.sampled_from(
    ["", "<!-- <loc>x</loc> -->", "<?php </url> ?>", "<!--\u20ac>-->"]
)
locs = st.sampled_from(
    ["a/", "b?c&amp;d", "caf\u00e9/", "<![CDATA[e&f]]>", "%3E", "g'>h"]
)
others = st.sampled_from(
    [
        *(
            "<P:priority>0.5</P:priority>",
            "<P:changefreq>daily</P:changefreq>",
            "<P:priority/>",
        ),
        '<xhtml:link rel="alternate" hreflang="de" href="https://example.org/de/?a&amp;b"/>',
        "<x:image xmlns:x='urn:x'><x:loc>https://example.org/a.png</x:loc></x:image>",
        "<x:lastmod xmlns:x='urn:x'>2001-01-01</x:lastmod>",
    ]
)
old_dates = st.sampled_from(
    [
        *("2020-01-01", " 2020-01-01\n", "2020-01-01T10:00:00.5Z", "today", ""),
        *("<![CDATA[2020-01-01]]>", "2020<!-- </lastmod> -->-01-01", "\u20ac"),
    ]
).map("<P:lastmod>{}</P:lastmod>".format) | st.sampled_from(
    ["<P:lastmod/>", "<P:lastmod a='>'/>"]
)


@st.composite
def entries(draw: st.DrawFn) -> tuple[str, str]:
    """Return an entry, and the same with the new date."""
    gap, new = draw(spaces), f"<P:lastmod>{NEW}</P:lastmod>"
    start = f"<P:url>{draw(misc)}{gap}<P:loc>{BASE}{draw(locs)}</P:loc>"
    rest = [
        draw(spaces) + draw(misc),
        *draw(st.lists(others, max_size=3, unique_by=lambda text: text[:9])),
        draw(spaces),
    ]
    end = "".join(rest) + "</P:url>" + draw(spaces)
    old = draw(st.none() | old_dates)
    if old is None:
        return start + end, f"{start}{gap}{new}{end}"
    before = draw(spaces) + draw(misc)
    return start + before + old + end, start + before + new + end


@given(
    st.lists(entries(), min_size=1, max_size=4),
    st.sampled_from(["", "sm:", "\u00e9:"]),
    st.sampled_from(["", "\ufeff"]),
    st.sampled_from(
        ["", '<?xml version="1.0" encoding="utf-8"?>\r\n', "<?xml version='1.0'?>"]
    ),
    misc,
)
def test_every_other_byte_is_the_same(
    pairs: list[tuple[str, str]], prefix: str, mark: str, declaration: str, comment: str
) -> None:
    name = f"xmlns:{prefix[:-1]}" if prefix else "xmlns"
    start = f'{mark}{declaration}{comment}<P:urlset {name}="{SITEMAP}"\n'
    start += ' xmlns:xhtml="http://www.w3.org/1999/xhtml">'

    def document(texts: list[str]) -> bytes:
        text = f"{start}{''.join(texts)}{comment}</P:urlset>\n{comment}"
        return text.replace("P:", prefix).encode()

    old = document([old for old, _ in pairs])
    updated = update(old)
    assert updated == document([new for _, new in pairs])
    assert update(updated) == updated
    root = etree.fromstring(updated)
    assert [one.text for one in root.iterfind(f"*/{{{SITEMAP}}}lastmod")] == [
        NEW
    ] * len(pairs)
