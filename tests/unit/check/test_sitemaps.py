"""Sitemaps on their own: each has exactly the expected diagnostics."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from support.sitemaps import (
    BASE,
    DECLARATION,
    NAMESPACES,
    check,
    check_data,
    index,
    links,
    summarize,
    url,
    urls,
    urlset,
    write_site,
)

A, B, C = (f"{BASE}{name}/" for name in "abc")


def one(rest: str) -> str:
    return urlset(url(A, rest))


def many(count: int) -> str:
    return urls(*(f"{number}/" for number in range(count)))


GOOD: dict[str, str | bytes] = {
    "one URL": urls("a/"),
    "no declaration": urls("a/").removeprefix(DECLARATION),
    "byte order mark": b"\xef\xbb\xbf" + urls("a/").encode(),
    "Windows line ends": urls("a/", "b/").replace("\n", "\r\n"),
    "old Mac line ends": urls("a/", "b/").replace("\n", "\r"),
    "on one line": urls("a/", "b/").replace("\n", ""),
    "lower case encoding": urls("a/").replace("UTF-8", "utf-8"),
    "declared as ASCII, a part of UTF-8": urls("a/").replace("UTF-8", "US-ASCII"),
    "comments": urlset(
        "<!-- a -->", f"<url><!-- <loc> --><loc>{A}<!-- b --></loc></url>"
    ),
    "processing instruction": urls("a/").replace(
        "?>\n", '?>\n<?xml-stylesheet href="a.xsl"?>', 1
    ),
    "CDATA": urlset(f"<url><loc><![CDATA[{A}?a=1&b=2]]></loc></url>"),
    "white space around values": one(
        "<lastmod>\n 2024-05-01\t</lastmod><changefreq> daily </changefreq>"
        "<priority>\n0.5\n</priority>"
    ).replace(A, f"\n  {A}\n"),
    "numeric character references": urlset(
        url(A.replace("d", "&#100;").replace("o", "&#x6F;"))
    ),
    "white space as references": one("&#32;&#10;<lastmod>2024-05-01</lastmod>&#9;"),
    "text in elements of other namespaces": urlset(
        "<x:y xmlns:x='urn:x'>a</x:y>",
        url(A, "<x:y xmlns:x='urn:x'>a<x:z>b</x:z>c</x:y>"),
    ),
    "predefined entities": urlset(url(f"{A}?a=1&amp;b=&apos;c&apos;")),
    "another origin": urlset(url("http://localhost:8000/a/")),
    "IPv6": urlset(url("http://[::1]:8000/a/")),
    "upper case scheme and host": urlset(url("HTTPS://EXAMPLE.org/a/")),
    "default port": urlset(
        url("https://example.org:443/a/"), url("https://example.org/b/")
    ),
    "no path": urlset(url("https://example.org")),
    "query": urlset(url(f"{A}?q=1"), url(f"{A}?q=2")),
    "all characters of paths": urlset(
        url(f"{BASE}a-._~!$&amp;'()*+,;=:@%20%C3%A9/?/?")
    ),
    "dots that are not segments": urlset(url(f"{BASE}.well-known/...x/a..b/v1.2/..a")),
    "a percent sign, encoded": urlset(url(f"{BASE}100%25/")),
    "the longest URL": urlset(url(BASE + "a" * (2047 - len(BASE)))),
    "URLs that differ in case": urls("a/", "A/"),
    "an encoded slash is another URL": urls("a/b", "a%2Fb"),
    **{
        f"lastmod {text}": one(f"<lastmod>{text}</lastmod>")
        for text in (
            "2024-02-29",
            "2025-06-16",
            "2024-05-01T08:30:00Z",
            "2024-05-01T08:30:00+00:00",
            "2024-05-01T08:30:00.123456789-11:30",
            "2025-06-16T11:59:00+00:00",
            "1991-08-06",
            "2024",
            "2024-05",
            "2024-05-01T08:30Z",
        )
    },
    **{
        f"changefreq {text}": one(f"<changefreq>{text}</changefreq>")
        for text in (
            "always",
            "hourly",
            "daily",
            "weekly",
            "monthly",
            "yearly",
            "never",
        )
    },
    **{
        f"priority {text}": one(f"<priority>{text}</priority>")
        for text in (
            "0",
            "1",
            "0.0",
            "1.0",
            "0.5",
            ".5",
            "1.",
            "+0.50",
            "1.000",
            "0.123456",
        )
    },
    "all elements": one(
        "<lastmod>2024-05-01</lastmod><changefreq>weekly</changefreq><priority>0.8</priority>"
    ),
    "host in upper case": urlset(url("https://EXAMPLE.org/")),
    "alternates": urlset(
        url(A, links(de=A, en=B, x_default=A)), url(B, links(de=A, en=B, x_default=A))
    ),
    "alternates of many kinds of languages": one(
        links(
            en=A,
            en_GB=B,
            zh_Hans=C,
            zh_Hant_TW=f"{A}1",
            es_419=f"{A}2",
            ca_valencia=f"{A}3",
        )
        + links(
            la=A,
            es_LA=A,
            haw=A,
            sr_Latn_XK=A,
            de_1996=A,
            EN_us=A,
            iw=A,
            sq_AL=A,
            X_Default=A,
        )
    ),
    "alternates on another host": urlset(
        url(A, links(de=A, en="https://example.com/a/"))
    ),
    "alternates that are not listed": urlset(url(A, links(de=A, en=B))),
    "x-default that does not link back": urlset(
        url(A, links(de=A, x_default=B)), url(B)
    ),
    "alternates in other forms of a URL": urlset(
        url(f"{BASE}%7ea/", links(de=f"{BASE}~a/", en="https://EXAMPLE.org/docs/b/")),
        url(B, links(de=f"{BASE}%7Ea/", en="https://example.org:443/docs/b/")),
    ),
    "one language for two regions": urlset(
        url(A, links(en_GB=A, en_US=A, de=B)), url(B, links(en=A, de=B))
    ),
    "links to mobile pages and feeds": one(
        '<xhtml:link rel="alternate" media="only screen and (max-width: 640px)"'
        ' href="https://m.example.org/"/>'
        '<xhtml:link rel="alternate" type="application/rss+xml" href="/feed.xml"/>'
        '<xhtml:link rel="amphtml" href="https://example.org/amp/"/>'
    ),
    "two escapes next to each other": urlset(url(f"{BASE}100%25%20a?b=1&amp;c&amp;d;")),
    "host named http": urlset(url("http://http/a//b/")),
    "schema location": urls("a/").replace(
        "<urlset",
        '<urlset xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'
        ' xsi:schemaLocation="http://www.sitemaps.org/schemas/sitemap/0.9'
        ' http://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd"',
    ),
    "xml:lang and xml:space": urls("a/").replace("<loc>", '<loc xml:space="preserve">'),
    "foreign element between entries": urlset('<x:x xmlns:x="urn:x">x</x:x>', url(A)),
    "extensions": one(
        '<image:image xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">'
        "<image:loc>x</image:loc></image:image>"
        '<image:image xmlns:image="http://www.google.com/schemas/sitemap-image/1.0"/>'
        '<PageMap xmlns="http://www.google.com/schemas/sitemap-pagemap/1.0"><a/></PageMap>'
    ),
    "other elements of XHTML": one("<xhtml:meta name='a'/>"),
    "another order, which readers ignore": urlset(
        f"<url><priority>1</priority><loc>{A}</loc>{links(de=A)}<lastmod>2024-05-01</lastmod></url>"
    ),
    "foreign elements with names of the protocol": one(
        '<x:loc xmlns:x="urn:x" a="1">a<x:loc>b</x:loc></x:loc><loc xmlns="urn:y"/>'
    ),
    "index": index(f"{BASE}sitemap-1.xml", f"{BASE}sitemap-2.xml.gz"),
    "index with dates": index(f"{BASE}sitemap-1.xml").replace(
        "</loc>", "</loc><lastmod>2024-05-01</lastmod>"
    ),
    "index with dates first, which its schema allows": index(
        f"{BASE}sitemap-1.xml"
    ).replace("<loc>", "<lastmod>2024-05-01</lastmod><loc>"),
    "dates on one day": urlset(
        *(url(f"{A}{n}", "<lastmod>2025-06-15</lastmod>") for n in range(20))
    ),
    "the maximum number of URLs": many(50_000),
    "prefix": urls("a/")
    .replace("xmlns=", "xmlns:s=")
    .replace("<", "<s:")
    .replace("<s:/", "</s:")
    .replace("<s:?", "<?"),
    "prefix of a link": (
        one(links(de=A)).replace("<xhtml:", "<x:").replace("xmlns:xhtml", "xmlns:x")
    ),
}


@pytest.mark.parametrize("content", GOOD.values(), ids=GOOD)
def test_valid_sitemap_has_no_findings(content: str | bytes) -> None:
    data = content.encode() if isinstance(content, str) else content
    findings = check_data(data)
    assert findings == []


BAD: dict[str, tuple[str | bytes, list[str]]] = {
    # Not XML
    "nothing": ("", ["not-well-formed@1"]),
    "only white space": (" \n ", ["not-well-formed@2"]),
    "not XML": ("https://example.org/\n", ["not-well-formed@1"]),
    "truncated": (urls("a/", "b/")[:-20], ["not-well-formed@4"]),
    "truncated in a tag": (urls("a/", "b/")[:-3], ["not-well-formed@5"]),
    "element after the root": (urls("a/") + "<a/>", ["not-well-formed@5"]),
    "line end before the declaration": ("\n" + urls("a/"), ["not-well-formed@2"]),
    "ampersand": (urlset(url(f"{A}?a=1&b=2")), ["not-well-formed@3"]),
    "angle bracket": (urlset(url(f"{A}<")), ["not-well-formed@3"]),
    "HTML entity": (urlset(url(f"{A}&nbsp;")), ["not-well-formed@3"]),
    "wrong end tag": (urls("a/").replace("</loc>", "</Loc>"), ["not-well-formed@3"]),
    "prefix without a namespace": (one("<image:image/>"), ["not-well-formed@3"]),
    "NUL": (urls("a/", "b\0/"), ["encoding@1"]),
    "control character": (urls("a\x1b/"), ["not-well-formed@3"]),
    "reference to NUL": (urls("a&#0;/"), ["not-well-formed@3"]),
    "reference to a noncharacter": (urls("a&#xFFFE;/"), ["not-well-formed@3"]),
    "surrogate": (urls("a&#xD800;/"), ["not-well-formed@3"]),
    "attribute twice": (
        urls("a/").replace("<loc>", "<loc a='' a=''>"),
        ["not-well-formed@3"],
    ),
    "other findings are dropped": (
        urlset("<url/>", url("x"), "<a/>", "</b>"),
        ["not-well-formed@6"],
    ),
    "compressed, but not named .gz": (
        gzip.compress(urls("a/").encode()),
        ["encoding@1"],
    ),
    "Latin-1, declared": (urls("a/").replace("UTF-8", "ISO-8859-1"), ["encoding@1"]),
    "Latin-1, not declared": (
        urls("a/", "é/").encode("latin-1"),
        ["not-well-formed@4"],
    ),
    "incomplete character at the end of a chunk": (
        urls("a/").encode().ljust(2**16 - 5) + b"<!--\xc3(-->",
        ["not-well-formed@5"],
    ),
    "Windows-1252 in a comment": (
        b"<!-- \x93 -->" + urls("a/").encode()[39:],
        ["not-well-formed@1"],
    ),
    "UTF-16": (
        urls("a/").replace("UTF-8", "UTF-16").encode("utf-16"),
        ["encoding@1"],
    ),
    "UTF-16 without a byte order mark": (
        urls("a/").encode("utf-16-be"),
        ["encoding@1"],
    ),
    "UTF-32": (urls("a/").encode("utf-32"), ["encoding@1"]),
    "unknown encoding": (urls("a/").replace("UTF-8", "utf8"), ["encoding@1"]),
    "doctype": (
        urls("a/").replace("<urlset", "<!DOCTYPE urlset>\n<urlset"),
        ["doctype@2"],
    ),
    # Not a sitemap
    "HTML page": ("<!DOCTYPE html>\n<title>404</title>", ["wrong-root@1"]),
    "HTML page of the last century": (
        '\n<!doctype HTML PUBLIC "-//W3C//DTD HTML 4.01//EN">\n<TITLE>404</TITLE>',
        ["wrong-root@2"],
    ),
    "HTML page without a doctype": ("<html><p>404</p></html>", ["wrong-root@1"]),
    "RSS": ('<rss version="2.0"><channel/></rss>', ["wrong-root@1"]),
    "root in another case": (urls("a/").replace("urlset", "UrlSet"), ["wrong-root@2"]),
    "an entry as the root": (
        f"<url {NAMESPACES}><loc>{A}</loc></url>",
        ["wrong-root@1"],
    ),
    "no namespace": (
        "<urlset><url/></urlset>",
        ["wrong-namespace@1", "loc-missing@1"],
    ),
    "namespace with https": (
        urls("a/").replace("http://www.sitemaps", "https://www.sitemaps"),
        ["wrong-namespace@2"],
    ),
    "namespace of Google's older protocol": (
        urls("a/").replace(
            "http://www.sitemaps.org/schemas/sitemap/0.9",
            "http://www.google.com/schemas/sitemap/0.84",
        ),
        ["wrong-namespace@2"],
    ),
    "wrong namespace, and other mistakes": (
        urls("a/", "b c/").replace("http://www.sitemaps", "https://www.sitemaps"),
        ["wrong-namespace@2", "loc-not-encoded@4"],
    ),
    # Structure
    "XML 1.1": (urls("a/").replace('"1.0"', '"1.1"'), ["xml-version@1"]),
    "attributes of elements of the protocol": (
        urls("a/")
        .replace("<urlset", "<urlset version='1'")
        .replace("<url>", "<url id='1'>\n")
        .replace("<loc>", "<loc a='b' xml:space='preserve' c='d'>"),
        [f"unexpected-element@{line}" for line in (2, 3, 4, 4)],
    ),
    "attributes of elements of an index": (
        index(A)
        .replace("<sitemap>", "<sitemap id='1'>\n")
        .replace("<loc>", "<loc a=''>"),
        ["unexpected-element@3", "unexpected-element@4"],
    ),
    "text between elements": (
        urlset("a", f"<url>b<loc>{A}</loc><!-- c -->d<!-- e -->\nf</url>", "&#65;"),
        [f"unexpected-element@{line}" for line in (3, 4, 4, 6)],
    ),
    "text of many chunks": (
        urlset("a" * 200_000, url(A)),
        ["unexpected-element@3"],
    ),
    "hints in an index": (
        index(A).replace(
            "</loc>", "</loc>\n<changefreq>x</changefreq>\n<priority>2</priority>"
        ),
        ["unexpected-element@4", "unexpected-element@5"],
    ),
    "no URL": (urlset(), ["empty"]),
    "no sitemap in an index": (index(), ["empty"]),
    "too many URLs, and the last is invalid": (
        many(50_000).replace("</urlset>", "<url/></urlset>"),
        ["too-many-urls"],
    ),
    "sitemaps among URLs": (
        urlset(f"<sitemap><loc>{A}</loc></sitemap>"),
        ["empty", "unexpected-element@3"],
    ),
    "repeated element, which hides other mistakes": (
        one("<title/><priority>1</priority><priority>2</priority>\n<a/>"),
        ["unexpected-element@3"],
    ),
    "unknown element": (one("<title>T<b>x</b></title>"), ["unexpected-element@3"]),
    "unknown element without a namespace": (
        one('<lastmod xmlns="">2024-05-01</lastmod>'),
        ["unexpected-element@3"],
    ),
    "element in a loc": (
        urlset(f"<url><loc><a>{A}</a></loc></url>"),
        ["unexpected-element@3"],
    ),
    "loc twice": (one(f"\n<loc>{B}</loc>"), ["unexpected-element@4"]),
    "lastmod twice": (
        one("<lastmod>2024-05-01</lastmod>\n<lastmod>x</lastmod>"),
        ["unexpected-element@4"],
    ),
    # URLs
    "no loc": (urlset("<url>\n<lastmod>2024-05-01</lastmod></url>"), ["loc-missing@3"]),
    "empty loc": (urlset("<url>\n<loc> \n</loc></url>"), ["loc-missing@3"]),
    **{
        f"loc {loc!r}": (urlset(url(A), url(loc)), ["loc-invalid@4"])
        for loc in (
            "/docs/b/",
            "b/",
            "b c/",
            "//example.org/docs/b/",
            "example.org/docs/b/",
            "None",
            "ftp://example.org/docs/b/",
            "file:///docs/b/",
            "javascript:alert(1)",
            "https:/example.org/docs/b/",
            "https:///docs/b/",
            "https://https://example.org/docs/b/",
            "https://http://example.org/docs/b/",
            "https://",
            "https://user:password@example.org/docs/b/",
            "https://example.org:x/docs/b/",
            "https://example.org:0/docs/b/",
            "https://example.org:65536/docs/b/",
            "https://example.org:99999999999999999999/docs/b/",
            "https://exa mple.org/docs/b/",
            "https://a..b/docs/b/",
            f"https://{'a' * 64}.org/docs/b/",
            "https://[::1/docs/b/",
            "https://%65xample.org/docs/b/",
            "{{ base_url }}/docs/b/",
            "https:\\\\example.org\\docs\\b\\",
        )
    },
    "too long": (urlset(url(BASE + "a" * (2048 - len(BASE)))), ["loc-too-long@3"]),
    "far too long": (urlset(url(BASE + "a" * 100_000)), ["loc-too-long@3"]),
    **{
        f"{name} in a loc": (urlset(url(f"{BASE}b{text}/")), ["loc-not-encoded@3"])
        for name, text in {
            "space": " ",
            "line end": "\n",
            "tab": "&#9;",
            "quote": "&quot;",
            "angle bracket": "&lt;",
            "backslash": "\\",
            "caret": "^",
            "accent": "`",
            "brace": "{",
            "bar": "|",
            "percent sign": "%",
            "incomplete escape": "%4",
            "escape without hexadecimal digits": "%zz",
            "UTF-16 escape": "%u00e9",
            "DEL": "\x7f",
            "C1 control character": "\x85",
            "bracket": "[",
            "space and non-ASCII letter": " é",
            "space in a query": "?a b",
        }.items()
    },
    "non-ASCII letter": (urls("é/"), ["loc-not-ascii@3"]),
    "host that IDNA 2003 maps to another host": (
        urlset(url("https://stra\u00dfe.example")),
        ["loc-not-ascii@3"],
    ),
    "non-ASCII host": (urlset(url("https://bücher.example/")), ["loc-not-ascii@3"]),
    "escaped twice": (
        urlset(url(f"{A}?a&amp;amp;b"), url(f"{A}?c&amp;#38;d")),
        # An escaped "#" starts a fragment, too.
        ["loc-encoded-twice@3", "loc-encoded-twice@4", "loc-invalid@4"],
    ),
    "alternate that is escaped twice": (
        one(f"{links(de=A)}\n{links(en=f'{B}?a&amp;amp;b')}"),
        ["loc-encoded-twice@4"],
    ),
    "fragment": (urls("a/#b"), ["loc-invalid@3"]),
    "fragment that makes a duplicate": (urls("a/", "a/#b"), ["loc-invalid@4"]),
    "empty fragment": (urls("a/#"), ["loc-invalid@3"]),
    "dot segments": (
        urls("a/../b/", "./c/"),
        ["loc-invalid@3", "loc-invalid@4"],
    ),
    "encoded dot segments": (urls("a/%2E%2e/b/"), ["loc-invalid@3"]),
    "dot segments after two slashes": (
        urlset(
            *(
                url(f"https://example.org//{path}")
                for path in ("..", "a.example/../", "/.", "x")
            )
        ),
        [f"loc-invalid@{line}" for line in (3, 4, 5)],
    ),
    "dot segments and a bracket": (
        urlset(url("https://example.org//[/../")),
        ["loc-invalid@3"],
    ),
    "host that is too long": (
        urlset(url(f"https://{'a.' * 127}org/"), url(f"https://{'ä.' * 300}org/")),
        ["loc-invalid@3", "loc-invalid@4"],
    ),
    "two faults": (urls("a b/#c"), ["loc-invalid@3"]),
    "duplicate": (urls("a/", "b/", "a/"), ["duplicate@5"]),
    "duplicate twice": (urls("a/", "a/", "a/"), ["duplicate@4", "duplicate@5"]),
    "duplicate in another form": (
        urlset(url(f"{BASE}~a/"), url("HTTPS://Example.org:443/docs/%7Ea/")),
        ["duplicate@4"],
    ),
    "dot segments in a duplicate": (
        urls("b/", "a/../b/"),
        ["loc-invalid@4"],
    ),
    # Values
    **{
        f"lastmod {text!r}": (
            one(f"\n<lastmod>{text}</lastmod>"),
            ["lastmod-invalid@4"],
        )
        for text in (
            "",
            "yesterday",
            "2024-5-1",
            "2024/05/01",
            "01.05.2024",
            "20240501",
            "2024-02-30",
            "2024-13-01",
            "0000-01-01",
            "2024-05-01Z",
            "2024-05-01T08:30:00",
            "2024-05-01T08:30",
            "2024-05-01 08:30:00+00:00",
            "2024-05-01t08:30:00z",
            "2024-05-01T25:00:00Z",
            "2024-05-01T24:00:00Z",
            "2024-05-01T08:30:60Z",
            "2024-05-01T08:30:00+0000",
            "2024-05-01T08:30:00+14:01",
            "2024-05-01T08:30:00+25:00",
            "2024-05-01T08:30:00+01:60",
            "2024-05-01T08Z",
            "Wed, 01 May 2024 08:30:00 GMT",
            "None",
            "1714552200",
            "\u0662\u0660\u0662\u0664-05-01",
            "2024-05-01" * 2000,
        )
    },
    **{
        f"lastmod {text}": (one(f"\n<lastmod>{text}</lastmod>"), [f"{code}@4"])
        for text, code in {
            "2025-06-17": "lastmod-future",
            "2025-06-16T12:00:01Z": "lastmod-future",
            "9999-12-31T23:59:59-14:00": "lastmod-future",
            "1970-01-01": "lastmod-old",
            "1980-01-01T00:00:00Z": "lastmod-old",
            "0001-01-01T00:00:00Z": "lastmod-old",
            "0001-01-01T00:00:00+14:00": "lastmod-old",
        }.items()
    },
    **{
        f"changefreq {text!r}": (
            one(f"\n<changefreq>{text}</changefreq>"),
            ["changefreq-invalid@4"],
        )
        for text in ("Weekly", "fortnightly", "daily, weekly", "", "0")
    },
    **{
        f"priority {text!r}": (
            one(f"\n<priority>{text}</priority>"),
            ["priority-invalid@4"],
        )
        for text in (
            "1.1",
            "-0.1",
            "high",
            "0,5",
            "1e-1",
            "",
            "nan",
            "inf",
            "50%",
            ".",
            "10",
            "\u0660",
        )
    },
    "index with an invalid date": (
        index(A).replace("</loc>", "</loc><lastmod>x</lastmod>"),
        ["lastmod-invalid@3"],
    ),
    "index with a relative URL": (index("sitemap-1.xml"), ["loc-invalid@3"]),
    "index that lists a sitemap twice": (index(A, A), ["duplicate@4"]),
    # Alternates
    "link above an entry": (urlset(links(de=A), url(A)), ["unexpected-element@3"]),
    "link in an index": (
        index(A).replace("</loc>", f"</loc>{links(de=A)}"),
        ["unexpected-element@3"],
    ),
    **{
        f"link with {attributes}": (
            one(links(de=A) + f"\n<xhtml:link {attributes}/>"),
            ["alternate-invalid@4"],
        )
        for attributes in (
            "",
            'href="https://example.org/docs/b/"',
            'hreflang="en" href="https://example.org/docs/b/"',
            'rel="canonical" hreflang="en" href="https://example.org/docs/b/"',
            'rel="alternate" href="https://example.org/docs/b/"',
            'rel="alternate" hreflang="en"',
            'rel="alternate" hreflang="en" href=""',
            'rel="alternate" hreflang="en" href="/docs/b/"',
            'rel="alternate" hreflang="en" href="https://example.org/docs/b c/"',
            'rel="alternate" hreflang="" href="https://example.org/docs/b/"',
            'rel="alternate" hreflang="en_US" href="https://example.org/docs/b/"',
            'rel="alternate" hreflang="english" href="https://example.org/docs/b/"',
            'rel="alternate" hreflang="e" href="https://example.org/docs/b/"',
            'rel="alternate" hreflang="en-" href="https://example.org/docs/b/"',
            'rel="alternate" hreflang="de" href="https://example.org/docs/b/"',
            'rel="alternate" hreflang="DE" href="https://example.org/docs/b/"',
            *(
                f'rel="alternate" hreflang="{tag}" href="https://example.org/docs/b/"'
                for tag in (
                    *("US", "uk-UK", "en-UK", "en-EU", "en-en", "us-en", "jp"),
                    *("en-Latn-UK", "xx", "cz-CZ", "x-en"),
                )
            ),
        )
    },
    **{
        f"alternate in {name}": (
            one(f'\n<x:link xmlns:x="{namespace}" hreflang="de" href="{A}"/>'),
            ["alternate-invalid@4"],
        )
        for name, namespace in {
            "the namespace of the protocol": "http://www.sitemaps.org/schemas/sitemap/0.9",
            "a namespace with https": "https://www.w3.org/1999/xhtml",
            "the namespace of an old example": "http://www.w3.org/TR/xhtml11/"
            "xhtml11_schema.html",
        }.items()
    },
    "alternate without a namespace": (
        one(f'\n<link xmlns="" rel="alternate" hreflang="de" href="{A}"/>'),
        ["alternate-invalid@4"],
    ),
    "alternates without the page itself": (
        urlset(url(A, links(de=B)), url(B, links(de=B, en=A))),
        ["alternate-no-self@3"],
    ),
    "invalid link to the page itself": (
        urlset(url(A, links(de="/docs/a/", en=B))),
        ["alternate-invalid@3", "alternate-no-self@3"],
    ),
    "a language after x-default does not link back": (
        urlset(url(A, links(x_default=B, en=B, de=A)), url(B)),
        ["alternate-not-reciprocal@3"],
    ),
    "alternate without alternates": (
        urlset(url(A, links(de=A, en=B)), url(B)),
        ["alternate-not-reciprocal@3"],
    ),
    "alternates that link to each other only": (
        urlset(
            url(A, links(de=A, en=B, fr=C)),
            url(B, links(de=A, en=B)),
            url(C, links(de=A, fr=C)),
        ),
        [],
    ),
    "one of three does not link back": (
        urlset(
            url(A, links(de=A, en=B, fr=C)),
            url(B, links(de=A, en=B, fr=C)),
            url(C, links(de=A, fr=C)),
        ),
        ["alternate-not-reciprocal@4"],
    ),
    "alternate without alternates, listed first": (
        urlset(url(A), url(B, links(de=A, en=B))),
        ["alternate-not-reciprocal@4"],
    ),
}


@pytest.mark.parametrize(("content", "expected"), BAD.values(), ids=BAD)
def test_invalid_sitemap_has_the_expected_findings(
    content: str | bytes, expected: list[str]
) -> None:
    data = content.encode() if isinstance(content, str) else content
    assert summarize(check_data(data)) == expected


def test_finding_has_file_line_url_and_message() -> None:
    (finding,) = check_data(urls("a/", "b c/").encode(), "out/sitemap.xml")
    assert finding.code == "loc-not-encoded"
    assert finding.file == "out/sitemap.xml"
    assert finding.line == 4
    assert finding.url == f"{BASE}b c/"
    assert "' '" in finding.message


MESSAGES = {
    "a character": (
        urlset(url(f"{A}?a=1&b=2")),
        "",
        "invalid token",
    ),
    "line end before the declaration": (
        "\n" + urls("a/"),
        "",
        "XML or text declaration not at start of entity, in column 1",
    ),
    "ftp": (urlset(url("ftp://example.org/")), "absolute", "it is not http or https"),
    "relative": (urlset(url("docs/a/")), "http", "it is not absolute"),
    "no slash": (urlset(url("https:/docs/a/")), "not http", "it is not absolute"),
    "two schemes": (urlset(url(f"https://{A}")), "", "its host or port is invalid"),
    "space in an alternate": (
        one(links(de=A, pt_BR=f"{BASE}a b/")),
        "",
        "the href for 'pt-BR': it contains ' ' unencoded",
    ),
    "relative alternate": (
        one(links(de=A, pt_BR="/b/")),
        "",
        "the href for 'pt-BR': '/b/': it is not absolute",
    ),
}


@pytest.mark.parametrize(
    ("content", "absent", "expected"), MESSAGES.values(), ids=MESSAGES
)
def test_message_is_plain(content: str, absent: str, expected: str) -> None:
    (finding,) = check_data(content)
    assert expected in finding.message
    assert not absent or absent not in finding.message


@pytest.mark.parametrize(
    ("loc", "expected"),
    [
        (A, []),
        (BASE, []),
        ("HTTPS://EXAMPLE.ORG:443/%64ocs/a/", []),
        ("https://example.org/", ["out-of-scope@3"]),
        ("https://example.org/docsearch/", ["out-of-scope@3"]),
        ("https://example.org/docs", ["out-of-scope@3"]),
        ("http://example.org/docs/a/", ["out-of-scope@3"]),
        ("https://www.example.org/docs/a/", ["out-of-scope@3"]),
        ("https://example.org:8443/docs/a/", ["out-of-scope@3"]),
        ("docs/a/", ["loc-invalid@3"]),
    ],
)
def test_urls_must_be_below_the_url_of_the_sitemap(
    loc: str, expected: list[str]
) -> None:
    data = urlset(url(loc)).encode()
    findings = check_data(data, "sitemap.xml", scope=BASE)
    assert sorted(summarize(findings)) == sorted(expected)


def test_sitemaps_of_an_index_must_be_below_it() -> None:
    data = index(f"{BASE}parts/1.xml", "https://example.org/1.xml").encode()
    findings = check_data(data, "sitemap.xml", scope=BASE)
    assert summarize(findings) == ["out-of-scope@4"]


def test_future_dates_are_not_reported_without_the_current_time() -> None:
    assert check_data(one("<lastmod>2999-01-01</lastmod>"), now=None) == []


def test_file_whose_name_ends_in_gz_is_uncompressed() -> None:
    data = gzip.compress(urls("a/", "a/").encode())
    assert summarize(check_data(data, "sitemap.xml.gz")) == ["duplicate@4"]
    assert summarize(check_data(urls("a/").encode(), "sitemap.xml.gz")) == [
        "gzip-broken"
    ]


def test_only_the_first_thousand_findings_are_reported() -> None:
    findings = check_data(urls(*(f"{n} x/" for n in range(1_500))))
    assert summarize(findings) == [f"loc-not-encoded@{n + 3}" for n in range(1_000)]


HOSTS: dict[str, tuple[list[str], list[int]]] = {
    "another host": ([A, B, "https://example.com/c/"], [5]),
    "another host first": (["https://example.com/c/", A, B], [3]),
    "another scheme": ([A, B.replace("https", "http")], [4]),
    "another port": ([A, "https://example.org:444/b/"], [4]),
    **{
        f"{number} hosts": (
            [f"{BASE}{n}/" for n in range(501)]
            + [f"https://h{n % number}.example/{n}/" for n in range(500)],
            [*range(504, 504 + number)],  # the first URL of each host
        )
        for number in (1, 30, 500)
    },
}


@pytest.mark.parametrize(("locs", "lines"), HOSTS.values(), ids=HOSTS)
def test_urls_that_do_not_have_the_most_common_origin_are_reported(
    tmp_path: Path, locs: list[str], lines: list[int]
) -> None:
    site = write_site(tmp_path, {"sitemap.xml": urlset(*map(url, locs))})
    found = summarize(check(site / "sitemap.xml").diagnostics)
    assert found == [f"out-of-scope@{line}" for line in lines]
