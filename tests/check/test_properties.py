"""Whatever a file holds, a check ends in findings; and what this project writes has none."""

from __future__ import annotations

import ast
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from support.checks import BASE, NOW, links, page, told, url, urlset, write_site
from support.readers import SCHEMA

from docs_sitemap import (
    Alternate,
    ChangeFreq,
    Lastmod,
    LastmodState,
    Listed,
    Options,
    Page,
    Renderer,
    Url,
    quote_path,
)
from docs_sitemap.check import CODES, Severity, check_sitemap
from docs_sitemap.check.paths import check_paths
from docs_sitemap.check.robots import Robots
from docs_sitemap.loc import make_loc

ROOT = Path(__file__).parents[2]

VALID = urlset(
    url(f"{BASE}a/", "<lastmod>2024-05-01</lastmod>" + links(de=f"{BASE}a/", en=f"{BASE}b/")),
    url(f"{BASE}b/", "<changefreq>daily</changefreq>" + links(de=f"{BASE}a/", en=f"{BASE}b/")),
    url(f"{BASE}c/", "<priority>0.5</priority><x:y xmlns:x='urn:x'>z</x:y>"),
).encode()

# What breaks things: markup, line ends, characters of several bytes and parts of such.
pieces = st.one_of(
    st.binary(max_size=8),
    st.text(max_size=4).map(lambda text: text.encode("utf-8", "surrogatepass")),
    st.sampled_from(
        [
            *(b"<", b">", b"&", b"]]>", b"<![CDATA[", b"<!--", b"<?", b"\0", b"\r"),
            *(b"<url>", b"</url>", b"<loc>", b"</loc>", b"<lastmod>", b'xmlns=""', b"\xef\xbb\xbf"),
            *(b"https://[", b"%", b"#", b"../", b"xn--", b":99999999/", "\u0130\u00df".encode()),
            *(b"0001-01-01", b"+99:99"),
        ]
    ),
)
edits = st.lists(
    st.tuples(st.integers(0, len(VALID)), st.integers(0, 30), pieces), min_size=1, max_size=4
)


def mutated(changes: list[tuple[int, int, bytes]]) -> bytes:
    data = VALID
    for start, length, piece in changes:
        data = data[:start] + piece + data[start + length :]
    return data


@given(st.binary(max_size=300), st.sampled_from(["sitemap.xml", "sitemap.xml.gz"]))
def test_random_bytes_give_one_finding(data: bytes, name: str) -> None:
    assert len(told(check_sitemap(data, name, url=f"{BASE}{name}", now=NOW))) == 1


@given(edits)
def test_a_sitemap_with_changes_never_raises(changes: list[tuple[int, int, bytes]]) -> None:
    told(check_sitemap(mutated(changes), "sitemap.xml", url=f"{BASE}sitemap.xml", now=NOW))
    told(check_sitemap(mutated(changes), "sitemap.xml", now=NOW))


@given(
    st.text(max_size=60),
    st.sampled_from(
        ["", "https://", BASE, "http://[", "https://stra\u00dfe.example", "http://[:::]/../"]
    ),
)
def test_no_loc_raises(tmp_path_factory: pytest.TempPathFactory, text: str, start: str) -> None:
    node = etree.Element("loc")
    try:
        node.text = start + text
    except ValueError:
        return  # XML cannot hold it
    loc = etree.tostring(node, encoding="unicode")
    href = loc[5:-6].replace('"', "&quot;")
    data = urlset(f"<url>{loc}{links(de=href)}</url>", url(BASE))
    site = write_site(tmp_path_factory.mktemp("site"), {"sitemap.xml": data, "index.html": page()})
    for base_url in (None, BASE):
        told(check_paths([str(site)], now=NOW, base_url=base_url).findings)


@given(st.one_of(st.binary(max_size=200), st.text(max_size=200).map(str.encode)), st.text())
def test_no_robots_txt_raises(data: bytes, path: str) -> None:
    robots = Robots(b"User-agent: *\nDisallow: " + data)
    robots.forbids(BASE + path)


segments = st.text(min_size=1, max_size=20).filter(lambda text: text not in (".", ".."))
languages = st.sampled_from(["de", "en", "pt-BR", "zh-Hant", "x-default"])
listed_urls = st.builds(
    Url,
    loc=segments.map(
        lambda text: make_loc(
            BASE,
            quote_path(
                text.replace("/", "_"),
            ),
        )
    ),
    lastmod=st.none() | st.dates(date(2005, 6, 3), NOW.date()).map(str),
    changefreq=st.none() | st.sampled_from(ChangeFreq),
    priority=st.none() | st.sampled_from(["0.0", "0.5", "1.0"]),
)


@given(
    st.lists(listed_urls, min_size=1, max_size=8, unique_by=lambda entry: entry.loc),
    st.lists(languages, min_size=2, max_size=5, unique=True),
    st.integers(0, 4),
)
def test_what_this_project_renders_has_no_finding(
    entries: list[Url], hreflangs: list[str], indent: int
) -> None:
    count = min(len(entries), len(hreflangs))
    alternates = tuple(
        Alternate(hreflang, entry.loc)
        for hreflang, entry in zip(hreflangs[:count], entries[:count], strict=True)
    )
    listed = [
        Listed(
            Page(url="", name="page"),
            Url(
                entry.loc,
                entry.lastmod,
                entry.changefreq,
                entry.priority,
                alternates if number < count else (),
            ),
            Lastmod(LastmodState.OFF),
        )
        for number, entry in enumerate(entries)
    ]
    renderer = Renderer(Options(base_url=BASE, indent=indent))
    for name, data in (
        ("sitemap.xml", renderer.sitemap(listed)),
        ("sitemap-index.xml", renderer.sitemapindex([entry.loc for entry in entries])),
    ):
        assert check_sitemap(data, name, url=BASE + name, now=NOW) == []


# What the schema of the tests, which is that of the protocol, says nothing about.
BEYOND_THE_SCHEMA = {
    *("duplicate", "host-differs", "out-of-scope", "lastmod-future", "lastmod-old"),
    *("loc-dot-segments", "alternate-not-reciprocal", "alternate-no-self", "unusual-prefix"),
}
# Without a language that stands twice, of which it says nothing, either.
values = st.sampled_from(
    [
        *(f"<loc>{text}</loc>" for text in (f"{BASE}a/", f"{BASE}a b/", "/a/", "", f"{BASE}é/")),
        *(f"<loc>{BASE}{text}</loc>" for text in ("%zz", "%41", "x" * 2100, "a#b", "a?b=c")),
        *(f"<lastmod>{text}</lastmod>" for text in ("2024-05-01", "2024-02-30", "2024", "", "x")),
        *(
            f"<lastmod>2024-05-01T08:{text}</lastmod>"
            for text in ("30:00Z", "30:00", "30Z", "30:00+14:00", "61:00Z", "30:00.5-02:30")
        ),
        *(f"<changefreq>{text}</changefreq>" for text in ("daily", " daily ", "Daily", "")),
        *(f"<priority>{text}</priority>" for text in ("0.5", "1", ".5", "+1.", "1.01", "1e0", "")),
        *(links(**{lang: f"{BASE}a/"}) for lang in ("de", "en_GB", "x_default", "12")),
        links(fr="/a/"),
        "<xhtml:link/>",
        "<title/>",
        "text",
        "<!-- comment -->",
    ]
)


@given(st.lists(st.lists(values, max_size=6, unique=True), max_size=3))
def test_the_schema_of_the_protocol_agrees(entries: list[list[str]]) -> None:
    data = urlset(*(f"<url>{''.join(entry)}</url>" for entry in entries)).encode()
    codes = {finding.code.name for finding in check_sitemap(data, "sitemap.xml", now=NOW)}
    valid = SCHEMA.validate(etree.fromstring(data))
    assert valid == (not codes - BEYOND_THE_SCHEMA), (codes, SCHEMA.error_log)


def test_each_code_is_documented_and_used() -> None:
    used: set[str] = set()
    for path in (ROOT / "docs_sitemap/check").glob("*.py"):
        if path.name == "findings.py":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                used.add(node.value)
    assert set(CODES) <= used
    for name, code in CODES.items():
        assert name == code.name
        assert code.severity in Severity
        for text in (code.meaning, code.cure):
            assert text.isprintable()
            assert not text.endswith(".")


def test_builds_need_no_library_for_a_check() -> None:
    script = (
        "import sys, docs_sitemap.check;"
        "print(*{'lxml', 'click', 'rich', 'protego'} & {*sys.modules})"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == ""
