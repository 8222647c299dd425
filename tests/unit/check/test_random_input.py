"""Random and mutated files: the rules never raise, and agree with the schema of the
protocol.
"""

from __future__ import annotations

from urllib.parse import quote

import pytest
from hypothesis import given, strategies as st
from lxml import etree
from support.readers import SCHEMA
from support.sitemaps import (
    BASE,
    check,
    check_data,
    links,
    page,
    summarize,
    url,
    urlset,
    write_site,
)

VALID = urlset(
    url(
        f"{BASE}a/",
        "<lastmod>2024-05-01</lastmod>" + links(de=f"{BASE}a/", en=f"{BASE}b/"),
    ),
    url(
        f"{BASE}b/",
        "<changefreq>daily</changefreq>" + links(de=f"{BASE}a/", en=f"{BASE}b/"),
    ),
    url(f"{BASE}c/", "<priority>0.5</priority><x:y xmlns:x='urn:x'>z</x:y>"),
).encode()

# Likely to reveal errors: markup, line ends, multi-byte characters and parts of them.
pieces = st.one_of(
    st.binary(max_size=8),
    st.text(max_size=4).map(lambda text: text.encode("utf-8", "surrogatepass")),
    st.sampled_from(
        [
            *(b"<", b">", b"&", b"]]>", b"<![CDATA[", b"<!--", b"<?", b"\0", b"\r"),
            *(
                b"<url>",
                b"</url>",
                b"<loc>",
                b"</loc>",
                b"<lastmod>",
                b'xmlns=""',
                b"\xef\xbb\xbf",
            ),
            *(
                b"https://[",
                b"%",
                b"#",
                b"../",
                b"xn--",
                b":99999999/",
                "\u0130\u00df".encode(),
            ),
            *(b"0001-01-01", b"+99:99"),
        ]
    ),
)
edits = st.lists(
    st.tuples(st.integers(0, len(VALID)), st.integers(0, 30), pieces),
    min_size=1,
    max_size=4,
)


def mutated(changes: list[tuple[int, int, bytes]]) -> bytes:
    data = VALID
    for start, length, piece in changes:
        data = data[:start] + piece + data[start + length :]
    return data


@given(st.binary(max_size=300), st.sampled_from(["sitemap.xml", "sitemap.xml.gz"]))
def test_random_bytes_have_one_finding(data: bytes, name: str) -> None:
    assert len(summarize(check_data(data, name, BASE))) == 1


@given(edits)
def test_mutated_sitemap_raises_nothing(changes: list[tuple[int, int, bytes]]) -> None:
    summarize(check_data(mutated(changes), scope=BASE))
    summarize(check_data(mutated(changes)))


@given(
    st.text(max_size=60),
    st.sampled_from(
        [
            "",
            "https://",
            BASE,
            "http://[",
            "https://stra\u00dfe.example",
            "http://[:::]/../",
        ]
    ),
)
def test_random_loc_raises_nothing(
    tmp_path_factory: pytest.TempPathFactory, text: str, start: str
) -> None:
    node = etree.Element("loc")
    try:
        node.text = start + text
    except ValueError:
        return  # not allowed in XML
    loc = etree.tostring(node, encoding="unicode")
    href = loc[5:-6].replace('"', "&quot;")
    data = urlset(f"<url>{loc}{links(de=href)}</url>", url(BASE))
    site = write_site(
        tmp_path_factory.mktemp("site"), {"sitemap.xml": data, "index.html": page()}
    )
    for base_url in (None, BASE):
        summarize(check(site, base_url=base_url).diagnostics)


@given(
    st.one_of(st.binary(max_size=200), st.text(max_size=200).map(str.encode)), st.text()
)
def test_random_robots_txt_blocks_all_crawlers_or_none(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, path: str
) -> None:
    listed = f"https://example.org/{quote(path, errors='replace')}"
    files: dict[str, str | bytes] = {
        "robots.txt": b"User-agent: *\nDisallow: " + data,
        "sitemap.xml": urlset(url(listed)),
        "index.html": page(),
    }
    site = write_site(tmp_path_factory.mktemp("site"), files)
    for one in check(site, base_url="https://example.org/").diagnostics:
        if one.code == "robots-disallow":
            assert one.message.endswith(" for Googlebot and Bingbot")


# Codes for which the schema of the protocol has no rule.
BEYOND_THE_SCHEMA = {
    *("duplicate", "out-of-scope", "lastmod-future"),
    *("alternate-not-reciprocal", "alternate-no-self"),
}
# No repeated languages: the schema has no rule for them, either. No dates that it
# rejects although the W3C allows them.
values = st.sampled_from(
    [
        *(
            f"<loc>{text}</loc>"
            for text in (f"{BASE}a/", f"{BASE}a b/", "/a/", "", f"{BASE}é/")
        ),
        *(f"<loc>{BASE}{text}</loc>" for text in ("%zz", "%41", "x" * 2100, "a?b=c")),
        *(
            f"<lastmod>{text}</lastmod>"
            for text in ("2024-05-01", "2024-02-30", "", "x")
        ),
        *(
            f"<lastmod>2024-05-01T08:{text}</lastmod>"
            for text in (
                "30:00Z",
                "30:00",
                "30:00+14:00",
                "61:00Z",
                "30:00.5-02:30",
            )
        ),
        *(
            f"<changefreq>{text}</changefreq>"
            for text in ("daily", " daily ", "Daily", "")
        ),
        *(
            f"<priority>{text}</priority>"
            for text in ("0.5", "1", ".5", "+1.", "1.01", "1e0", "")
        ),
        *(links(**{lang: f"{BASE}a/"}) for lang in ("de", "en_GB", "x_default", "12")),
        links(fr="/a/"),
        "<title/>",
        "<!-- comment -->",
    ]
)


# The schema requires this order, which readers ignore.
ORDER = ("<loc>", "<lastmod>", "<changefreq>", "<priority>", "<xhtml:link")


def position(value: str) -> int:
    return next(
        (n for n, start in enumerate(ORDER) if value.startswith(start)), len(ORDER)
    )


@given(st.lists(st.lists(values, max_size=6, unique=True), max_size=3))
def test_schema_of_the_protocol_agrees(entries: list[list[str]]) -> None:
    texts = ("".join(sorted(entry, key=position)) for entry in entries)
    data = urlset(*(f"<url>{text}</url>" for text in texts)).encode()
    codes = {finding.code for finding in check_data(data)}
    valid = SCHEMA.validate(etree.fromstring(data))
    assert valid == (not codes - BEYOND_THE_SCHEMA), (codes, SCHEMA.error_log)
