"""Each rule fires on an input, and is explained."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from support.sitemaps import (
    BASE,
    NOW,
    index,
    links,
    page,
    url,
    urls,
    urlset,
    write_site,
)

from docs_sitemap.sitemap.rules import Rule
from docs_sitemap_cli.check.check_path import NO_SITEMAP, check_path
from docs_sitemap_cli.check.dates import LASTMOD_ALL_SAME, LASTMOD_MISSING
from docs_sitemap_cli.check.pages import NO_ANSWER
from docs_sitemap_cli.check.rules import RULES
from docs_sitemap_cli.check.sitemaps import CONTENT_TYPE

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


INPUTS: dict[str, Mapping[str, str | bytes]] = {
    "unreadable": {"sitemap.xml/a": ""},
    "gzip-broken": {"sitemap.xml.gz": b"x"},
    "too-large": {"sitemap.xml": b" " * 52_428_801},
    "encoding": {"sitemap.xml": "<?xml version='1.0' encoding='UTF-16'?>"},
    "xml-version": {"sitemap.xml": urls("").replace('"1.0"', '"1.1"', 1)},
    "doctype": {"sitemap.xml": "<!DOCTYPE a><a/>"},
    "not-well-formed": {"sitemap.xml": "<urlset"},
    "too-complex": entry("<b>" * 70),
    "wrong-root": {"sitemap.xml": "<rss/>"},
    "wrong-namespace": {"sitemap.xml": "<urlset/>"},
    "empty": {"sitemap.xml": urlset()},
    "too-many-urls": {"sitemap.xml": urls(*(f"?{n}" for n in range(50_001))), **HOME},
    "unexpected-element": entry("<title/>"),
    "loc-missing": {"sitemap.xml": urlset("<url/>")},
    "loc-invalid": listed("a/"),
    "loc-too-long": listed(BASE + "a" * 2_048),
    "loc-not-encoded": listed(f"{BASE}a b"),
    "loc-not-ascii": listed(f"{BASE}é"),
    "duplicate": listed(A, A),
    "out-of-scope": {**HOME, "a.html": page(), **listed(BASE, f"{BASE}a", ROOT)},
    "lastmod-invalid": entry("<lastmod>x</lastmod>"),
    "lastmod-future": entry("<lastmod>2999-01-01</lastmod>"),
    "lastmod-old": entry("<lastmod>1970-01-01</lastmod>"),
    "changefreq-invalid": entry("<changefreq>x</changefreq>"),
    "priority-invalid": entry("<priority>2</priority>"),
    "alternate-invalid": entry('<xhtml:link rel="alternate" hreflang="de"/>'),
    "alternate-not-reciprocal": {
        "sitemap.xml": urlset(url(A, links(en=A, de=BASE)), url(BASE)),
    },
    "alternate-no-self": entry(links(de=BASE)),
    "no-sitemap": HOME,
    "base-url": {**HOME, **listed(BASE), "CNAME": "elsewhere.example"},
    "lastmod-all-same": {
        "sitemap.xml": urlset(
            *(url(f"{A}{n}", "<lastmod>2025-06-15</lastmod>") for n in range(5))
        )
    },
    "lastmod-missing": listed(*(f"{A}{n}" for n in range(5))),
    "alternate-not-found": {
        **HOME,
        "sitemap.xml": urlset(url(BASE, links(en=BASE, de=f"{BASE}de/"))),
    },
    "child-not-sitemap": {
        **HOME,
        "sitemap.xml": index(f"{BASE}1.xml"),
        "1.xml": index(f"{BASE}2.xml"),
    },
    "not-found": {**HOME, **listed(BASE, A)},
    "loc-encoded-twice": {**HOME, **listed(BASE, f"{BASE}a%2520b/")},
    "not-in-index": {
        **HOME,
        "sitemap.xml": index(f"{BASE}sitemap-1.xml"),
        "sitemap-1.xml": urls(""),
        "sitemap-2.xml": urls("a/"),
    },
    "redirect": home("<meta http-equiv=refresh content='0; url=a/'>"),
    "lastmod-not-shown": {
        **home('<meta property="article:modified_time" content="2020-01-01">'),
        "sitemap.xml": urlset(url(BASE, "<lastmod>2025-06-15</lastmod>")),
    },
    "noindex": home("<meta name=robots content=noindex>"),
    "canonical": home("<link rel=canonical href=https://example.com/>"),
    "canonical-not-found": home("<link rel=canonical href=/docs/none/>"),
    "canonical-version": home("<link rel=canonical href=/latest/>"),
    "canonical-form": home("<link rel=canonical href=index.html>"),
    "error-page": {**HOME, "404.html": page(), "sitemap.xml": urls("", "404.html")},
    "missing": {**HOME, "a.html": page(), "sitemap.xml": urls("")},
    "slash-missing": {**HOME, "a/index.html": page(), **listed(BASE, A[:-1])},
    "robots-disallow": robots("User-agent: *\nDisallow: /"),
    "robots-no-sitemap": robots(""),
    "robots-sitemap-not-found": robots(f"Sitemap: {ROOT}x.xml"),
    "robots-bom": robots("\ufeffUser-agent: *\n"),
    "robots-too-long": robots("#\n" * 500_000),
}

# Only servers break these: see tests/unit/online/test_check_live.py.
LIVE_RULES = (NO_ANSWER, CONTENT_TYPE)
RULES_OF_FILES = [rule for rule in RULES if rule not in LIVE_RULES]


@pytest.mark.parametrize(
    "rule", RULES_OF_FILES, ids=[rule.slug for rule in RULES_OF_FILES]
)
def test_each_rule_fires_and_is_explained(tmp_path: Path, rule: Rule) -> None:
    for name, content in INPUTS[rule.slug].items():
        write_site(tmp_path, {name: content})
    diagnostics = check_path(str(tmp_path), now=NOW).diagnostics
    (fired, *_) = [one for one in diagnostics if one.code == rule.slug]
    assert fired.severity == rule.severity
    # The fix may depend on the generator.
    assert fired.fix == rule.fix or rule in (
        LASTMOD_ALL_SAME,
        LASTMOD_MISSING,
        NO_SITEMAP,
    )
    assert re.fullmatch("[a-z]+(-[a-z]+)*", rule.slug)
    for text in (rule.meaning, rule.fix):
        assert text
        assert text.isprintable()
        assert not text.endswith(".")


def test_there_is_one_rule_for_each_code() -> None:
    assert sorted(INPUTS) == sorted(rule.slug for rule in RULES_OF_FILES)
    assert len(RULES) == len({rule.slug for rule in RULES})
