"""Each rule of `check`: a site that breaks it, the message, and the fix."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from support.sitemaps import (
    BASE,
    check,
    index,
    links,
    page,
    read_fix,
    read_rules,
    url,
    urls,
    urlset,
    write_site,
)

ROOT = "https://example.org/"
A = f"{BASE}a/"
HOME = {"index.html": page()}


def entry(rest: str) -> dict[str, str]:
    return {"sitemap.xml": urlset(url(A, rest))}


def listed(*locs: str) -> dict[str, str]:
    return {"sitemap.xml": urlset(*map(url, locs))}


def home(head: str) -> dict[str, str]:
    return {"index.html": page(head=head), "sitemap.xml": urls("")}


def robots(text: str) -> dict[str, str]:
    return {**HOME, "sitemap.xml": urlset(url(ROOT)), "robots.txt": text}


# A site that breaks each rule, and what `check` says about it.
CASES: dict[str, tuple[str, Mapping[str, str | bytes]]] = {
    "unreadable": ("it cannot be read (", {"sitemap.xml/a": ""}),
    "gzip-broken": (
        "it cannot be uncompressed (it is incomplete)",
        {"sitemap.xml.gz": b"x"},
    ),
    "too-large": (
        "it has more than 52,428,800 bytes",
        {"sitemap.xml": b" " * 52_428_801},
    ),
    "encoding": (
        "it declares the encoding 'UTF-16'",
        {"sitemap.xml": "<?xml version='1.0' encoding='UTF-16'?>"},
    ),
    "xml-version": (
        "it declares XML '1.1'",
        {"sitemap.xml": urls("").replace('"1.0"', '"1.1"', 1)},
    ),
    "doctype": (
        "it declares the document type 'a'",
        {"sitemap.xml": "<!DOCTYPE a><a/>"},
    ),
    "not-well-formed": ("unclosed token, in column 1", {"sitemap.xml": "<urlset"}),
    "too-complex": (
        "its elements are nested more than 64 levels deep",
        entry("<b>" * 70),
    ),
    "wrong-root": ("the root element is <rss>", {"sitemap.xml": "<rss/>"}),
    "wrong-namespace": (
        "<urlset> is in the namespace ''",
        {"sitemap.xml": "<urlset/>"},
    ),
    "empty": ("<urlset> contains no <url>", {"sitemap.xml": urlset()}),
    "too-many-urls": (
        "it lists more than 50,000",
        {"sitemap.xml": urls(*(f"?{n}" for n in range(50_001))), **HOME},
    ),
    "unexpected-element": ("<title> is not allowed here", entry("<title/>")),
    "loc-missing": ("the entry has no URL", {"sitemap.xml": urlset("<url/>")}),
    "loc-invalid": ("'a/': it is not absolute", listed("a/")),
    "loc-too-long": ("it has more than 2,047 characters", listed(BASE + "a" * 2_048)),
    "loc-not-encoded": ("it contains ' ' unencoded", listed(f"{BASE}a b")),
    "loc-not-ascii": ("it contains 'é' unencoded", listed(f"{BASE}é")),
    "duplicate": ("it is already listed", listed(A, A)),
    "out-of-scope": (
        "it is not below 'https://example.org/docs/'",
        {**HOME, "a.html": page(), **listed(BASE, f"{BASE}a", ROOT)},
    ),
    "lastmod-invalid": (
        "'x': it is neither a date such as 2026-05-31 nor a time with its zone such as 2026-05-31T08:30:00+00:00",
        entry("<lastmod>x</lastmod>"),
    ),
    "lastmod-future": (
        "2999-01-01 is in the future",
        entry("<lastmod>2999-01-01</lastmod>"),
    ),
    "lastmod-old": (
        "1970-01-01 is older than the web",
        entry("<lastmod>1970-01-01</lastmod>"),
    ),
    "changefreq-invalid": (
        "the changefreq 'x' is not an allowed value",
        entry("<changefreq>x</changefreq>"),
    ),
    "priority-invalid": (
        "the priority '2' is not a number from 0.0 to 1.0",
        entry("<priority>2</priority>"),
    ),
    "alternate-invalid": (
        "the href for 'de': '': it is not absolute",
        entry('<xhtml:link rel="alternate" hreflang="de"/>'),
    ),
    "alternate-not-reciprocal": (
        "'https://example.org/docs/' does not link back to this page",
        {
            "sitemap.xml": urlset(url(A, links(en=A, de=BASE)), url(BASE)),
        },
    ),
    "alternate-no-self": (
        "its alternates do not include the page itself",
        entry(links(de=BASE)),
    ),
    "no-sitemap": (
        "it contains none of sitemap.xml, sitemap-index.xml, sitemap_index.xml, sitemap.xml.gz",
        HOME,
    ),
    "base-url": (
        "https://example.org/docs/ (the sitemap) contradicts https://elsewhere.example/ (the file CNAME)",
        {**HOME, **listed(BASE), "CNAME": "elsewhere.example"},
    ),
    "lastmod-all-same": (
        "5 of 5 dates are 2025-06-15",
        {
            "sitemap.xml": urlset(
                *(url(f"{A}{n}", "<lastmod>2025-06-15</lastmod>") for n in range(5))
            )
        },
    ),
    "lastmod-missing": (
        "none of the 5 URLs has a date",
        listed(*(f"{A}{n}" for n in range(5))),
    ),
    "alternate-not-found": (
        "there is no file for 'https://example.org/docs/de/'",
        {
            **HOME,
            "sitemap.xml": urlset(url(BASE, links(en=BASE, de=f"{BASE}de/"))),
        },
    ),
    "child-not-sitemap": (
        "'1.xml' is a sitemap index, too",
        {
            **HOME,
            "sitemap.xml": index(f"{BASE}1.xml"),
            "1.xml": index(f"{BASE}2.xml"),
        },
    ),
    "part-not-found": (
        "there is no file for it here; another repository may publish it",
        {**HOME, "sitemap.xml": index(f"{BASE}1.xml")},
    ),
    "not-found": ("there is no file for this URL", {**HOME, **listed(BASE, A)}),
    "index-listed": (
        "servers send the same page for 'https://example.org/docs/'",
        {**HOME, **listed(f"{BASE}index.html")},
    ),
    "local-address": (
        "http://localhost:3000 is a local server",
        {**HOME, **listed("http://localhost:3000/")},
    ),
    "placeholder-address": (
        "https://example.com is an example address",
        {**HOME, **listed("https://example.com/")},
    ),
    "loc-encoded-twice": (
        "'https://example.org/docs/a%2520b/' contains '%2520'",
        {**HOME, **listed(BASE, f"{BASE}a%2520b/")},
    ),
    "not-in-index": (
        "no sitemap index lists it",
        {
            **HOME,
            "sitemap.xml": index(f"{BASE}sitemap-1.xml"),
            "sitemap-1.xml": urls(""),
            "sitemap-2.xml": urls("a/"),
        },
    ),
    "redirect": (
        "'index.html' redirects to 'https://example.org/docs/a/'",
        home("<meta http-equiv=refresh content='0; url=a/'>"),
    ),
    "lastmod-not-shown": (
        "'index.html' shows 2020-01-01, but the sitemap has 2025-06-15",
        {
            **home('<meta property="article:modified_time" content="2020-01-01">'),
            "sitemap.xml": urlset(url(BASE, "<lastmod>2025-06-15</lastmod>")),
        },
    ),
    "noindex": (
        "'index.html' declares 'robots: noindex'",
        home("<meta name=robots content=noindex>"),
    ),
    "canonical": (
        "'index.html' declares the canonical URL 'https://example.com/'",
        home("<link rel=canonical href=https://example.com/>"),
    ),
    "canonical-not-found": (
        "'index.html' declares the canonical URL 'https://example.org/docs/none/'",
        home("<link rel=canonical href=/docs/none/>"),
    ),
    "canonical-version": (
        "its canonical URL, like those of other pages, is below 'https://example.org/latest/'",
        home("<link rel=canonical href=/latest/>"),
    ),
    "canonical-shared": (
        "2 of 3 pages declare this canonical URL",
        {
            **HOME,
            "a.html": page(head=f"<link rel=canonical href={BASE}>"),
            "b.html": page(head=f"<link rel=canonical href={BASE}>"),
            **listed(BASE),
        },
    ),
    "canonical-form": (
        "'index.html' declares the canonical URL 'https://example.org/docs/index.html'",
        home("<link rel=canonical href=index.html>"),
    ),
    "app-shell": (
        "'200.html' has no text until scripts fill it",
        {
            "200.html": page(body="<script></script>"),
            **listed(f"{BASE}200.html"),
        },
    ),
    "error-page": (
        "'404.html' is an error page",
        {**HOME, "404.html": page(), "sitemap.xml": urls("", "404.html")},
    ),
    "missing": (
        "no sitemap lists it",
        {**HOME, "a.html": page(), "sitemap.xml": urls("")},
    ),
    "slash-missing": (
        "its file is 'a/index.html'",
        {**HOME, "a/index.html": page(), **listed(BASE, A[:-1])},
    ),
    "robots-disallow": (
        "it disallows the sitemap for Googlebot and Bingbot",
        robots("User-agent: *\nDisallow: /"),
    ),
    "robots-no-sitemap": (
        "add the line Sitemap: https://example.org/sitemap.xml",
        robots(""),
    ),
    "robots-sitemap-not-found": (
        "there is no file for 'https://example.org/x.xml'",
        robots(f"Sitemap: {ROOT}x.xml"),
    ),
    "robots-bom": ("it starts with a byte order mark", robots("\ufeffUser-agent: *\n")),
    "robots-too-long": ("not all of its rules are checked", robots("#\n" * 500_000)),
}

# Only servers break these: see tests/unit/online/test_check_live.py.
LIVE_CODES = {"no-answer", "content-type"}

# The fix depends on the generator.
CODES_WITH_OTHER_FIXES = {"lastmod-all-same", "lastmod-missing", "no-sitemap"}

LEVELS = {"error": "error", "warning": "warning", "notice": "note"}


@pytest.mark.parametrize("code", CASES)
@pytest.mark.usefixtures("placeholders")
def test_each_rule_fires_and_is_explained(tmp_path: Path, code: str) -> None:
    message, files = CASES[code]
    for name, content in files.items():
        write_site(tmp_path, {name: content})
    diagnostics = check(tmp_path, ignore="").diagnostics
    (fired, *_) = [one for one in diagnostics if one.code == code]
    # The reason why a file cannot be read depends on the system.
    assert fired.message.startswith(message)
    (rule,) = [one for one in read_rules() if one["id"] == code]
    assert rule["defaultConfiguration"] == {"level": LEVELS[fired.severity]}
    if code not in CODES_WITH_OTHER_FIXES:
        assert read_fix(code) == fired.fix


def test_there_is_one_rule_for_each_code() -> None:
    rules = read_rules()
    assert sorted(rule["id"] for rule in rules) == sorted({*CASES, *LIVE_CODES})
    for rule in rules:
        assert re.fullmatch("[a-z]+(-[a-z]+)*", rule["id"])
        for text in (rule["shortDescription"]["text"], read_fix(rule["id"])):
            assert text
            assert text.isprintable()
            assert not text.endswith(".")
