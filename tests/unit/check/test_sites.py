"""Built sites: each has exactly the expected diagnostics."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from pathlib import Path

import pytest
from support.sitemaps import (
    BASE,
    check,
    index,
    links,
    page,
    summarize,
    url,
    urls,
    urlset,
    write_site,
)
from support.small_builds import Document, build_small_site

ROOT = "https://example.org/"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
NOINDEX = '<meta name="robots" content="noindex">'


def refresh(target: str) -> str:
    return f'<meta http-equiv="refresh" content="0; url={target}">'


def canonical(target: str) -> str:
    return f'<link rel="canonical" href="{target}">'


def at_root(content: str) -> str:
    return content.replace(BASE, ROOT)


PAGES = {"index.html": page(), "a/index.html": page(), "b.html": page()}
LISTED = {**PAGES, "sitemap.xml": urls("", "a/", "b.html")}
# As Hugo writes them: the folder of the first language contains only its sitemap.
LANGUAGES = {
    **PAGES,
    "de/index.html": page(),
    "sitemap.xml": index(f"{BASE}en/sitemap.xml", f"{BASE}de/sitemap.xml"),
    "en/sitemap.xml": urls("", "a/", "b.html"),
    "de/sitemap.xml": urls("de/"),
}
LANGUAGES_AT_ROOT = {name: at_root(text) for name, text in LANGUAGES.items()}

Files = Mapping[str, str | bytes]

GOOD: dict[str, Files] = {
    "all pages": LISTED,
    "one page": {"index.html": page(), "sitemap.xml": urls("")},
    "at the root of the origin": {
        **PAGES,
        "sitemap.xml": at_root(urls("", "a/", "b.html")),
    },
    "compressed copy": {**LISTED, "sitemap.xml.gz": urls("", "a/", "b.html")},
    "only compressed": {**PAGES, "sitemap.xml.gz": urls("", "a/", "b.html")},
    "compressed in two members": {
        **PAGES,
        "sitemap.xml.gz": gzip.compress(urls("", "a/", "b.html")[:90].encode())
        + gzip.compress(urls("", "a/", "b.html")[90:].encode()),
    },
    "URLs without .html": {**PAGES, "sitemap.xml": urls("", "a/", "b")},
    "URLs with index.html that are canonical": {
        "a/index.html": page(head=canonical(f"{BASE}a/index.html")),
        "sitemap.xml": urls("a/index.html"),
    },
    "Sphinx without suffixes": {
        **PAGES,
        "a/b/index.html": page(),
        "sitemap.xml": urls("index", "a/index", "a/b/index", "b"),
    },
    "file names that must be percent-encoded": {
        "a b/index.html": page(),
        "é.html": page(),
        "100%.html": page(),
        "q?#.html": page(),
        "-&'+,;=@.html": page(),
        "sitemap.xml": urls(
            "a%20b/", "%C3%A9.html", "100%25.html", "q%3F%23.html", "-&amp;'+,;=@.html"
        ),
    },
    "other files than pages": {
        **LISTED,
        "a.pdf": "x",
        "sitemap.xml": urls("", "a/", "b", "a.pdf"),
    },
    "queries": {"index.html": page(), "sitemap.xml": urls("?a=1", "?a=2")},
    "index of sitemaps": {
        **PAGES,
        "sitemap.xml": index(f"{BASE}sitemap-1.xml", f"{BASE}sitemap-2.xml.gz"),
        "sitemap-1.xml": urls("", "a/"),
        "sitemap-2.xml.gz": urls("b.html"),
    },
    "index of sitemaps with another usual name": {
        **PAGES,
        "sitemap-index.xml": index(f"{BASE}sitemap-0.xml"),
        "sitemap-0.xml": urls("", "a/", "b.html"),
    },
    "files with names of parts": {
        **LISTED,
        "sitemap-1.xml": "x",
        "sitemap-news.xml": "x",
    },
    "pages about noindex": {
        **LISTED,
        "a/index.html": page().replace("Text", NOINDEX.replace("<", "&lt;")),
        "b.html": page().replace(
            "Text", f"<script>'{NOINDEX}'</script><!-- {NOINDEX} -->"
        ),
    },
    "page with noindex in the body, which need not be listed": {
        **LISTED,
        "c.html": page().replace("Text", NOINDEX),
    },
    "all elements in the head": {
        **LISTED,
        "a/index.html": page(
            head='<meta name="robots" content="index, follow">' + canonical(f"{BASE}a/")
        ),
        "b.html": page(head=canonical("/docs/%62.html")),
    },
    "canonical links that contradict each other": {
        **LISTED,
        "a/index.html": page(head=canonical("/x/") + canonical("/y/")),
    },
    "page that reloads": {
        **LISTED,
        "a/index.html": page(head='<meta http-equiv="refresh" content="5">'),
    },
    "page that redirects to itself": {
        **LISTED,
        "a/index.html": page(head=refresh("index.html")),
    },
    "broken pages": {
        **LISTED,
        "index.html": b"\xff\xfe\x00<",
        "a/index.html": b"",
        "b.html": b"<html><head><title>&#xFFFFFFFF; \0 <meta <link <!-- <![CDATA[ </head",
    },
    "pages that need not be listed": {
        **LISTED,
        "404.html": page(),
        "404/index.html": page(),
        "search.html": page(),
        "de/search/index.html": page(),
        "genindex.html": page(),
        "genindex-A.html": page(),
        "genindex/index.html": page(),
        "py-modindex.html": page(),
        "blog/page/12/index.html": page(),
        "http-modindex/index.html": page(),
        "_modules/index.html": page(),
        "_modules/a/b.html": page(),
        "_static/demo.html": page(),
        "_sources/a.html": page(),
        "draft.html": page(head=NOINDEX),
        "old/index.html": page(head=refresh("../a/")),
        "copy.html": page(head=canonical("a/")),
        "elsewhere.html": page(head=canonical("https://example.com/")),
        "coverage/index.html": page(
            head="<script src=coverage_html_cb_1a.js></script>"
        ),
        "google0123456789abcdef.html": "google-site-verification: google0123456789abcdef.html",
        "fragment.html": "<p>Text</p>",
        ".hidden/index.html": page(),
        ".hidden.html": page(),
    },
    "another version with its own sitemap": {
        **LISTED,
        "1.0/index.html": page(),
        "1.0/a/b/index.html": page(),
        "1.0/sitemap.xml": "whatever",
    },
    "alternates": {
        "index.html": page(),
        "de/index.html": page(),
        "sitemap.xml": urlset(
            url(BASE, links(en=BASE, de=f"{BASE}de/")),
            url(f"{BASE}de/", links(en=BASE, de=f"{BASE}de/")),
        ),
    },
    "alternates on another site": {
        "index.html": page(),
        "sitemap.xml": urlset(url(BASE, links(en=BASE, de="https://example.de/"))),
    },
    "alternates with x-default outside the site": {
        "index.html": page(),
        "sitemap.xml": urlset(url(BASE, links(en=BASE, x_default=ROOT))),
    },
    "robots.txt that lists the sitemap": {
        **PAGES,
        "sitemap.xml": at_root(urls("", "a/", "b.html")),
        "robots.txt": "User-agent: *\nDisallow: /c/\nSitemap: https://example.org/sitemap.xml\n",
    },
    "robots.txt that lists the compressed copy": {
        **PAGES,
        "sitemap.xml": at_root(urls("", "a/", "b.html")),
        "sitemap.xml.gz": at_root(urls("", "a/", "b.html")),
        "robots.txt": "Sitemap: https://example.org/sitemap.xml.gz\n",
    },
    "robots.txt that lists a sitemap with another name": {
        **PAGES,
        "maps/site.xml": at_root(urls("", "a/", "b.html")),
        "robots.txt": "sitemap: https://example.org/maps/site.xml # ours\r\n",
    },
    "robots.txt that lists two sitemaps": {
        **PAGES,
        "1.xml": at_root(urls("", "a/")),
        "2.xml": at_root(urls("b.html")),
        "robots.txt": f"Sitemap: {ROOT}1.xml\nSitemap: {ROOT}2.xml\n",
    },
    "robots.txt that lists a sitemap and its compressed copy": {
        **PAGES,
        "sitemap.xml": at_root(urls("", "a/", "b.html")),
        "sitemap.xml.gz": at_root(urls("", "a/", "b.html")),
        "robots.txt": f"Sitemap: {ROOT}sitemap.xml.gz\nSitemap: {ROOT}sitemap.xml\n",
    },
    "robots.txt that lists a sitemap with a query": {
        **PAGES,
        "sitemap.xml": at_root(urls("", "a/", "b.html")),
        "robots.txt": f"Sitemap: {ROOT}sitemap.xml?v=2\n",
    },
    "robots.txt that lists an index and its sitemaps": {
        **PAGES,
        "1.xml": at_root(urls("", "a/")),
        "2.xml": at_root(urls("b.html")),
        "index.xml": index(f"{ROOT}1.xml", f"{ROOT}2.xml"),
        "robots.txt": "".join(
            f"Sitemap: {ROOT}{name}.xml\n" for name in ("1", "index", "2")
        ),
    },
    "index that lists a sitemap and its compressed copy": {
        **PAGES,
        "sitemap.xml": index(f"{BASE}sitemap-1.xml", f"{BASE}sitemap-1.xml.gz"),
        "sitemap-1.xml": urls("", "a/", "b.html"),
        "sitemap-1.xml.gz": urls("", "a/", "b.html"),
    },
    "index that lists feeds": {
        **PAGES,
        "sitemap.xml": index(
            *(f"{BASE}{name}" for name in ("map.xml", "rss.xml", "a/atom.xml", "rdf"))
        ),
        "map.xml": urls("", "a/", "b.html"),
        "rss.xml": '<rss version="2.0"><channel/></rss>',
        "a/atom.xml": '<feed xmlns="http://www.w3.org/2005/Atom"/>',
        "rdf": f'<r:RDF xmlns:r="{RDF}"/>',
    },
    "robots.txt that lists an index of the sitemap": {
        **PAGES,
        "sitemap-index.xml": at_root(urls("", "a/", "b.html")),
        "index.xml": index(f"{ROOT}feed.xml", f"{ROOT}sitemap-index.xml"),
        "feed.xml": "<rss/>",
        "robots.txt": f"Sitemap: {ROOT}index.xml\n",
    },
    "page and folder with the same name": {
        **LISTED,
        "a.html": page(),
        "b/index.html": page(),
        "sitemap.xml": urls("", "a/", "a", "b", "b/"),
    },
    "pages about errors": {
        **LISTED,
        "http/404.html": page(),
        "sitemap.xml": urls("", "a/", "b.html", "http/404.html"),
    },
    "robots.txt that disallows other crawlers": {
        **PAGES,
        "sitemap.xml": at_root(urls("", "a/", "b.html")),
        "robots.txt": f"User-agent: GPTBot\nDisallow: /\n\nSitemap: {ROOT}sitemap.xml\n",
    },
    "robots.txt that allows only search engines": {
        **PAGES,
        "sitemap.xml": at_root(urls("", "a/", "b.html")),
        "robots.txt": "User-agent: *\nDisallow: /\n\nUser-agent: Googlebot\n"
        f"User-agent: bingbot\nAllow: /\nSitemap: {ROOT}sitemap.xml\n",
    },
    "robots.txt that lists the sitemap after many rules": {
        **PAGES,
        "sitemap.xml": at_root(urls("", "a/", "b.html")),
        "robots.txt": "User-agent: *\n"
        + "Disallow: /x\n" * 1_900
        + f" SITEMAP : {ROOT}sitemap.xml\n",
    },
    "robots.txt with exceptions that allow all pages": {
        **PAGES,
        "sitemap.xml": at_root(urls("", "a/", "b.html")),
        "robots.txt": f"User-agent: *\nDisallow: /\nAllow: /$\nAllow: /a/\nAllow: /*.html\n"
        f"Allow: /sitemap.xml\nSitemap: {ROOT}sitemap.xml\n",
    },
    "robots.txt that lists sitemaps with numbers": {
        **PAGES,
        "sitemap.xml": at_root(urls("", "a/", "b.html")),
        "sitemap-1.xml": at_root(urls("a/")),
        "sitemap-index.xml": index(f"{ROOT}sitemap.xml"),
        "robots.txt": f"Sitemap: {ROOT}sitemap-1.xml\nSitemap: {ROOT}sitemap-index.xml\n",
    },
    "index in robots.txt, whose sitemaps list URLs above their folder": {
        **PAGES,
        "maps/index.xml": index(f"{ROOT}maps/all.xml"),
        "maps/all.xml": at_root(urls("", "a/", "b.html")),
        "robots.txt": f"Sitemap: {ROOT}maps/index.xml\n",
    },
    "index of languages in robots.txt": {
        **LANGUAGES_AT_ROOT,
        "robots.txt": f"Sitemap: {ROOT}sitemap.xml\n",
    },
    "sitemaps of languages in robots.txt": {
        **LANGUAGES_AT_ROOT,
        "robots.txt": f"Sitemap: {ROOT}en/sitemap.xml\nSitemap: {ROOT}de/sitemap.xml\n",
    },
    "a file whose name is encoded": {
        "a%20b.html": page(),
        "sitemap.xml": urls("a%2520b.html"),
    },
    "robots.txt below the root, which crawlers ignore": {
        **LISTED,
        "robots.txt": b"\xef\xbb\xbfUser-agent: *\nDisallow: /\n",
    },
}


@pytest.mark.parametrize("files", GOOD.values(), ids=GOOD)
def test_valid_site_has_no_findings(tmp_path: Path, files: Files) -> None:
    site = write_site(tmp_path, files)
    assert summarize(check(site).diagnostics, site) == []
    base = (
        BASE if b"/docs/" in b"".join(map(_content, site.glob("**/*.xml*"))) else ROOT
    )
    assert summarize(check(site, base_url=base).diagnostics, site) == []


def _content(path: Path) -> bytes:
    data = path.read_bytes()
    return gzip.decompress(data) if data.startswith(b"\x1f\x8b") else data


BAD: dict[str, tuple[Files, list[str]]] = {
    "noindex in UTF-16": (
        {**LISTED, "b.html": page(head=NOINDEX).encode("utf-16")},
        ["sitemap.xml noindex@5"],
    ),
    "noindex in UTF-16 in the other byte order": (
        {**LISTED, "b.html": f"\ufeff{page(head=NOINDEX)}".encode("utf-16-be")},
        ["sitemap.xml noindex@5"],
    ),
    "URL that is escaped twice": (
        {**LISTED, "sitemap.xml": urls("", "a/", "b.html", "?a=1&amp;amp;b=2")},
        ["sitemap.xml loc-encoded-twice@6"],
    ),
    "missing page with a URL in its query": (
        {**LISTED, "sitemap.xml": urls("", "a/", "b.html", "c/?next=%252Fdocs%2520a")},
        ["sitemap.xml not-found@6"],
    ),
    "missing page and its translation, encoded twice": (
        {
            **LISTED,
            "sitemap.xml": urlset(
                *map(url, (BASE, f"{BASE}a/", f"{BASE}b.html")),
                url(f"{BASE}c/", links(en=f"{BASE}c/", de=f"{BASE}d%2520e/")),
            ),
        },
        [
            "sitemap.xml not-found@6",
            "sitemap.xml loc-encoded-twice@6",
            "sitemap.xml alternate-not-found@6",
        ],
    ),
    "parts that no index lists": (
        {
            **PAGES,
            "sitemap.xml": index(f"{BASE}sitemap-1.xml", f"{BASE}s/x0.xml.gz"),
            "sitemap-1.xml": urls("", "a/", "b.html"),
            "sitemap-2.xml": urls("old/"),
            "sitemap-2.xml.gz": urls("old/"),
            "sitemap-3.xml.gz": urls("old/"),
            "sitemap-4.xml": "x",
            "sitemap-5.xml": urlset(),
            "news-1.xml": urls("old/"),
            "s/x0.xml.gz": urls("s/"),
            "s/x1.xml": urls("old/"),
            "s/index.html": page(),
        },
        [
            f"{name} not-in-index"
            for name in ("sitemap-2.xml", "sitemap-3.xml.gz", "s/x1.xml")
        ],
    ),
    "a part of an earlier sitemap": (
        {**LISTED, "sitemap-1.xml": urls("old/")},
        ["sitemap-1.xml not-in-index"],
    ),
    "many pages at the top": (
        {**LISTED, **{f"c{number}.html": page() for number in range(10)}},
        [f"c{number}.html missing" for number in range(10)],
    ),
    "empty folder": ({}, [". no-sitemap"]),
    "no sitemap": (PAGES, [". no-sitemap"]),
    "URL without a file": (
        {**LISTED, "sitemap.xml": urls("", "a/", "c/", "b.html", "d.html")},
        ["sitemap.xml not-found@5", "sitemap.xml not-found@7"],
    ),
    "slash after a file name": (
        {**LISTED, "sitemap.xml": urls("", "a/", "b.html/")},
        ["sitemap.xml not-found@5", "b.html missing"],
    ),
    "URL in another case": (
        {**LISTED, "sitemap.xml": urls("", "A/", "b.html")},
        ["sitemap.xml not-found@4", "a/index.html missing"],
    ),
    "URL that is encoded twice": (
        {
            **LISTED,
            "a b.html": page(),
            "sitemap.xml": urls("", "a/", "b.html", "a%2520b.html"),
        },
        [
            "sitemap.xml not-found@6",
            "sitemap.xml loc-encoded-twice@6",
            "a b.html missing",
        ],
    ),
    "page that is not listed": (
        {**LISTED, "c/index.html": page(), "d.HTM": page()},
        ["c/index.html missing", "d.HTM missing"],
    ),
    "page in a folder whose sitemap belongs to the site": (
        {
            "index.html": page(),
            "de/index.html": page(),
            "de/a/index.html": page(),
            "de/sitemap.xml": urls("de/"),
            "fr/index.html": page(),
            "fr/a/index.html": page(),
            "fr/sitemap.xml": urls("fr/a/"),
            "fr/sitemap.xml.gz": urls("fr/a/"),
            "sitemap-0.xml": urls(""),
            "sitemap.xml": index(
                f"{BASE}sitemap-0.xml",
                f"{BASE}de/sitemap.xml",
                f"{BASE}fr/sitemap.xml.gz",
            ),
        },
        ["de/a/index.html missing", "fr/index.html missing"],
    ),
    "page that is its own canonical page": (
        {**LISTED, "c/index.html": page(head=canonical(f"{BASE}c/index.html"))},
        ["c/index.html missing"],
    ),
    "redirect": (
        {
            **LISTED,
            "a/index.html": page(
                head=refresh("../b.html") + NOINDEX + canonical("/c/")
            ),
        },
        ["sitemap.xml redirect@4"],
    ),
    "noindex": (
        {
            **LISTED,
            "a/index.html": page(head=NOINDEX),
            "b.html": page(head=NOINDEX.upper()),
        },
        ["sitemap.xml noindex@4", "sitemap.xml noindex@5"],
    ),
    "noindex in the body": (
        {**LISTED, "a/index.html": page().replace("Text", f"<div>{NOINDEX}</div>")},
        ["sitemap.xml noindex@4"],
    ),
    "another canonical page": (
        {**LISTED, "a/index.html": page(head=canonical("../b.html"))},
        ["sitemap.xml canonical@4"],
    ),
    "a canonical page that does not exist": (
        {**LISTED, "a/index.html": page(head=canonical("../c/"))},
        ["sitemap.xml canonical-not-found@4"],
    ),
    "the same pages of another version are canonical": (
        {
            **LISTED,
            "index.html": page(head=canonical("https://example.org/v2.0/")),
            "a/index.html": page(head=canonical("/v2.0/a/")),
            "b.html": page(head=canonical("/latest/b.html")),
        },
        ["sitemap.xml canonical-version@3", "sitemap.xml canonical-version@5"],
    ),
    "another page of another version is canonical": (
        {**LISTED, "b.html": page(head=canonical("https://example.org/latest/a/"))},
        ["sitemap.xml canonical@5"],
    ),
    "a canonical URL with a long number": (
        {**LISTED, "b.html": page(head=canonical(f"/{'9' * 5000}/b.html"))},
        ["sitemap.xml canonical@5"],
    ),
    "the same page of another site is canonical": (
        {**LISTED, "b.html": page(head=canonical("https://example.org/blog/b.html"))},
        ["sitemap.xml canonical@5"],
    ),
    "canonical page on another host": (
        {**LISTED, "b.html": page(head=canonical("https://example.com/docs/b.html"))},
        ["sitemap.xml canonical@5"],
    ),
    "canonical link in another form": (
        {**LISTED, "a/index.html": page(head=canonical(f"{BASE}a/index.html"))},
        ["sitemap.xml canonical-form@4"],
    ),
    "two URLs for one page": (
        {**LISTED, "sitemap.xml": urls("", "a/", "b.html", "index.html", "a", "b")},
        [
            "sitemap.xml duplicate@6",
            "sitemap.xml duplicate@7",
            "sitemap.xml duplicate@8",
        ],
    ),
    "page whose URL is not encoded is not missing": (
        {
            **LISTED,
            "a b.html": page(),
            "sitemap.xml": urls("", "a/", "b.html", "a b.html"),
        },
        ["sitemap.xml loc-not-encoded@6"],
    ),
    "page without any URL is missing": (
        {**LISTED, "sitemap.xml": urls("", "a/") + ""},
        ["b.html missing"],
    ),
    "page whose URL is relative is not missing": (
        {
            **LISTED,
            "sitemap.xml": urlset(url(BASE), url(f"{BASE}a/"), url("/docs/b.html")),
        },
        ["sitemap.xml loc-invalid@5"],
    ),
    "page whose URL has another host is not missing": (
        {
            **LISTED,
            "sitemap.xml": urlset(
                url(BASE), url(f"{BASE}a/"), url("http://www.example.org/docs/b.html")
            ),
        },
        ["sitemap.xml out-of-scope@5"],
    ),
    "above the base URL": (
        {
            **LISTED,
            "sitemap.xml": urlset(*(url(BASE + u) for u in ("", "a/", "b")), url(ROOT)),
        },
        ["sitemap.xml out-of-scope@6"],
    ),
    "traversal": (
        {**LISTED, "sitemap.xml": urls("", "a/", "b.html", "%2e%2e/%2e%2e/etc/passwd")},
        ["sitemap.xml loc-invalid@6"],
    ),
    "traversal with encoded slashes": (
        {
            **LISTED,
            "sitemap.xml": urls("", "a/", "b.html", "..%2f..%2fetc/passwd", "%2Fetc/x"),
        },
        ["sitemap.xml not-found@6", "sitemap.xml not-found@7"],
    ),
    "encoded NUL": (
        {**LISTED, "sitemap.xml": urls("", "a/", "b.html", "b.html%00.png", "%00")},
        ["sitemap.xml not-found@6", "sitemap.xml not-found@7"],
    ),
    "name that is too long for file systems": (
        {**LISTED, "sitemap.xml": urls("", "a/", "b.html", "x" * 1000)},
        ["sitemap.xml not-found@6"],
    ),
    "sitemap that is not well-formed": (
        {**PAGES, "sitemap.xml": "<urlset"},
        ["sitemap.xml not-well-formed@1"],
    ),
    "empty sitemap": ({**PAGES, "sitemap.xml": urlset()}, ["sitemap.xml empty"]),
    "compressed copy that differs": (
        {**LISTED, "sitemap.xml.gz": urls("", "a/")},
        ["sitemap.xml.gz gzip-broken"],
    ),
    "compressed copy that is longer": (
        {**LISTED, "sitemap.xml.gz": urls("", "a/", "b.html") + "\n"},
        ["sitemap.xml.gz gzip-broken"],
    ),
    "compressed copy that is not compressed": (
        {**LISTED, "sitemap.xml.gz": urls("", "a/", "b.html").encode()},
        ["sitemap.xml.gz gzip-broken"],
    ),
    "compressed copy that is truncated": (
        {
            **LISTED,
            "sitemap.xml.gz": gzip.compress(LISTED["sitemap.xml"].encode())[:-9],
        },
        ["sitemap.xml.gz gzip-broken"],
    ),
    "index: sitemap is missing": (
        {
            **PAGES,
            "sitemap.xml": index(f"{BASE}sitemap-1.xml", f"{BASE}sitemap-2.xml"),
            "sitemap-1.xml": urls("", "a/"),
        },
        ["sitemap.xml part-not-found@4"],
    ),
    "index: sitemap is broken": (
        {
            **PAGES,
            "sitemap.xml": index(f"{BASE}sitemap-1.xml", f"{BASE}sitemap-2.xml"),
            "sitemap-1.xml": urls("", "a/"),
            "sitemap-2.xml": "",
        },
        ["sitemap-2.xml not-well-formed@1"],
    ),
    "index: lists itself": (
        {
            **PAGES,
            "sitemap.xml": index(f"{BASE}sitemap-1.xml", f"{BASE}sitemap.xml"),
            "sitemap-1.xml": urls("", "a/"),
        },
        ["sitemap.xml child-not-sitemap@4"],
    ),
    "index: lists an index": (
        {
            **PAGES,
            "sitemap.xml": index(f"{BASE}other.xml"),
            "other.xml": index(f"{BASE}sitemap-1.xml", "relative"),
            "sitemap-1.xml": urls("", "a/"),
        },
        ["other.xml loc-invalid@4", "sitemap.xml child-not-sitemap@3"],
    ),
    "index: lists an empty index": (
        {
            **PAGES,
            "sitemap.xml": index(f"{BASE}sitemap-1.xml", f"{BASE}other.xml"),
            "sitemap-1.xml": urls("", "a/"),
            "other.xml": index(),
        },
        ["other.xml empty", "sitemap.xml child-not-sitemap@4"],
    ),
    "index: lists a sitemap twice": (
        {
            **PAGES,
            "sitemap.xml": index(f"{BASE}sitemap-1.xml", f"{BASE}sitemap-1.xml"),
            "sitemap-1.xml": urls("", "a/", "b"),
        },
        ["sitemap.xml duplicate@4"],
    ),
    "index: lists a page": (
        {
            **PAGES,
            "sitemap.xml": index(f"{BASE}sitemap-1.xml", f"{BASE}b.html"),
            "sitemap-1.xml": urls("", "a/"),
        },
        ["sitemap.xml child-not-sitemap@4"],
    ),
    "index: lists a sitemap that is not well-formed": (
        {
            **PAGES,
            "sitemap.xml": index(f"{BASE}sitemap-1.xml", f"{BASE}2.xml"),
            "sitemap-1.xml": urls("", "a/", "b.html"),
            "2.xml": "x",
        },
        ["2.xml not-well-formed@1"],
    ),
    "index: URL in two sitemaps": (
        {
            **PAGES,
            "sitemap.xml": index(f"{BASE}sitemap-1.xml", f"{BASE}sitemap-2.xml"),
            "sitemap-1.xml": urls("", "a/", "b.html"),
            "sitemap-2.xml": urls("a/"),
        },
        ["sitemap-2.xml duplicate@3"],
    ),
    "index: sitemap that lists a URL above it": (
        {
            **PAGES,
            "sitemap.xml": index(f"{BASE}a/sitemap.xml", f"{BASE}sitemap-1.xml"),
            "sitemap-1.xml": urls("a/", "b.html"),
            "a/sitemap.xml": urls(""),
        },
        ["a/sitemap.xml out-of-scope@3"],
    ),
    "index: sitemap of a language whose pages are above it": (
        LANGUAGES,
        ["en/sitemap.xml out-of-scope@3"],
    ),
    "index: sitemap of a language, and a robots.txt without sitemaps": (
        {**LANGUAGES_AT_ROOT, "robots.txt": "User-agent: *\nDisallow: /x/\n"},
        ["en/sitemap.xml out-of-scope@3", "robots.txt robots-no-sitemap"],
    ),
    "above the folder, and on other hosts": (
        {
            **LANGUAGES,
            "en/sitemap.xml": urlset(
                *(url(f"https://{host}.example/") for host in "ab"),
                *(url(BASE + path) for path in ("", "a/", "b.html")),
            ),
        },
        [f"en/sitemap.xml out-of-scope@{line}" for line in (3, 4, 5)],
    ),
    "index: file with two URLs in two sitemaps": (
        {
            **PAGES,
            "sitemap.xml": index(f"{BASE}sitemap-1.xml", f"{BASE}sitemap-2.xml"),
            "sitemap-1.xml": urls("", "a/", "b.html"),
            "sitemap-2.xml": urls("a/index.html"),
        },
        ["sitemap-2.xml duplicate@3"],
    ),
    "index: incomplete, so its sitemaps are not read": (
        {
            **PAGES,
            "sitemap.xml": index(f"{BASE}sitemap-1.xml", f"{BASE}gone.xml")[:-9],
            "sitemap-1.xml": urls("gone/"),
        },
        ["sitemap.xml not-well-formed@5"],
    ),
    "index: alternates in two sitemaps": (
        {
            "index.html": page(),
            "de/index.html": page(),
            "fr/index.html": page(),
            "sitemap.xml": index(f"{BASE}sitemap-1.xml", f"{BASE}sitemap-2.xml"),
            "sitemap-1.xml": urlset(
                url(BASE, links(en=BASE, de=f"{BASE}de/", fr=f"{BASE}fr/")),
            ),
            "sitemap-2.xml": urlset(
                url(f"{BASE}de/", links(en=BASE, de=f"{BASE}de/")), url(f"{BASE}fr/")
            ),
        },
        ["sitemap-1.xml alternate-not-reciprocal@3"],
    ),
    "alternate without a file": (
        {
            "index.html": page(),
            "sitemap.xml": urlset(
                url(BASE, links(en=BASE) + "\n" + links(de=f"{BASE}de/"))
            ),
        },
        ["sitemap.xml alternate-not-found@4"],
    ),
    "listed alternate without a file": (
        {
            "index.html": page(),
            "sitemap.xml": urlset(
                url(BASE, links(en=BASE, de=f"{BASE}de/")),
                url(f"{BASE}de/", links(en=BASE, de=f"{BASE}de/")),
            ),
        },
        ["sitemap.xml not-found@4"],
    ),
    "robots.txt lists no sitemap": (
        {
            **PAGES,
            "sitemap.xml": at_root(urls("", "a/", "b")),
            "robots.txt": "User-agent: *\n",
        },
        ["robots.txt robots-no-sitemap"],
    ),
    "robots.txt lists an index without the sitemap": (
        {
            **PAGES,
            "sitemap-index.xml": at_root(urls("", "a/", "b")),
            "other.xml": index(f"{ROOT}news.xml"),
            "news.xml": at_root(urls("")),
            "robots.txt": f"Sitemap: {ROOT}other.xml\nSitemap: {ROOT}news.xml",
        },
        ["robots.txt robots-no-sitemap"],
    ),
    "a feed that no index lists": (
        {**PAGES, "sitemap.xml": "<rss/>"},
        ["sitemap.xml wrong-root@1"],
    ),
    "an index that lists a feed, and not all pages": (
        {
            **PAGES,
            "sitemap.xml": index(f"{BASE}map.xml", f"{BASE}rss.xml"),
            "map.xml": urls("", "a/"),
            "rss.xml": "<rss/>",
        },
        ["b.html missing"],
    ),
    "robots.txt lists a sitemap of another site": (
        {
            **PAGES,
            "sitemap.xml": at_root(urls("", "a/", "b")),
            "robots.txt": "Sitemap: https://example.com/sitemap.xml",
        },
        ["robots.txt robots-no-sitemap"],
    ),
    "robots.txt lists only a sitemap that does not exist": (
        {
            **PAGES,
            "sitemap.xml": at_root(urls("", "a/", "b")),
            "robots.txt": f"Sitemap: {ROOT}sitemap_index.xml",
        },
        ["robots.txt robots-no-sitemap", "robots.txt robots-sitemap-not-found"],
    ),
    "robots.txt also lists a sitemap that does not exist": (
        {
            **PAGES,
            "sitemap.xml": at_root(urls("", "a/", "b")),
            "robots.txt": f"Sitemap: {ROOT}sitemap.xml\nSitemap: {ROOT}news.xml?a\n"
            "Sitemap: https://elsewhere.example/news.xml",
        },
        ["robots.txt robots-sitemap-not-found"],
    ),
    "robots.txt disallows a sitemap of the index": (
        {
            **PAGES,
            "sitemap.xml": index(f"{ROOT}s1.xml", f"{ROOT}s2.xml"),
            "s1.xml": at_root(urls("", "a/")),
            "s2.xml": at_root(urls("b")),
            "robots.txt": f"User-agent: *\nDisallow: /s2.xml\nSitemap: {ROOT}sitemap.xml",
        },
        ["sitemap.xml robots-disallow@4"],
    ),
    "robots.txt disallows the second of two sitemaps": (
        {
            **PAGES,
            "s1.xml": at_root(urls("", "a/")),
            "s2.xml": at_root(urls("b")),
            "robots.txt": f"User-agent: *\nDisallow: /s2.xml\n"
            f"Sitemap: {ROOT}s1.xml\nSitemap: {ROOT}s2.xml",
        },
        ["robots.txt robots-disallow"],
    ),
    "robots.txt lists an index that another index lists": (
        {
            **PAGES,
            "1.xml": index(f"{ROOT}2.xml", f"{ROOT}a.xml"),
            "2.xml": index(f"{ROOT}b.xml", "not a URL"),
            "a.xml": at_root(urls("", "a/")),
            "b.xml": at_root(urls("b.html", "gone/")),
            "robots.txt": f"Sitemap: {ROOT}1.xml\nSitemap: {ROOT}2.xml",
        },
        ["1.xml child-not-sitemap@3", "2.xml loc-invalid@4", "b.xml not-found@4"],
    ),
    "broken compressed copy does not affect the sitemap": (
        {
            **PAGES,
            "s.xml": at_root(urls("", "a/", "gone/")),
            "s.xml.gz": b"broken",
            "robots.txt": f"Sitemap: {ROOT}s.xml.gz\nSitemap: {ROOT}s.xml",
        },
        ["b.html missing", "s.xml not-found@5", "s.xml.gz gzip-broken"],
    ),
    "incomplete compressed copy does not affect the sitemap": (
        {
            **PAGES,
            "s.xml": at_root(urls("", "a/", "gone/")),
            "s.xml.gz": at_root(urls("", "a/", "gone/")).replace("</urlset>", ""),
            "robots.txt": f"Sitemap: {ROOT}s.xml.gz\nSitemap: {ROOT}s.xml",
        },
        ["b.html missing", "s.xml not-found@5", "s.xml.gz gzip-broken"],
    ),
    "incomplete sitemap does not affect others": (
        {
            **PAGES,
            "1.xml": at_root(urls("c", "d/")).replace("</urlset>", ""),
            "2.xml": at_root(urls("", "a/", "b.html", "gone/")),
            "robots.txt": f"Sitemap: {ROOT}1.xml\nSitemap: {ROOT}2.xml",
        },
        ["1.xml not-well-formed@6", "2.xml not-found@6"],
    ),
    "robots.txt does not apply to other hosts and invalid URLs": (
        {
            **PAGES,
            "sitemap.xml": index(
                f"{ROOT}1.xml", "https://cdn.example/p/2.xml", "no URL"
            ),
            "1.xml": at_root(urls("", "a/", "b.html")),
            "robots.txt": f"User-agent: *\nDisallow: /p/\nDisallow: /no\n"
            f"Sitemap: {ROOT}sitemap.xml",
        },
        ["sitemap.xml out-of-scope@4", "sitemap.xml loc-invalid@5"],
    ),
    "robots.txt lists invalid URLs": (
        {
            **PAGES,
            "sitemap.xml": at_root(urls("", "a/", "b.html")),
            "robots.txt": f"Sitemap: /a.xml\nSitemap: /b.xml\nSitemap: {ROOT}{'x' * 3_000}\n"
            f"Sitemap: {ROOT}sitemap.xml",
        },
        ["robots.txt robots-sitemap-not-found"] * 3,
    ),
    "nested index with a compressed copy": (
        {
            **PAGES,
            "1.xml": index(f"{ROOT}s.xml"),
            "1.xml.gz": index(f"{ROOT}s.xml"),
            "2.xml": index(f"{ROOT}1.xml"),
            "s.xml": at_root(urls("", "a/", "b.html")),
            "robots.txt": "".join(
                f"Sitemap: {ROOT}{n}\n" for n in ("1.xml.gz", "1.xml", "2.xml")
            ),
        },
        ["2.xml child-not-sitemap@3"],
    ),
    "listed sitemap and listed compressed copy that differ": (
        {
            **PAGES,
            "sitemap.xml": index(*(f"{BASE}s.xml{end}" for end in (".gz", "", "?a"))),
            "s.xml": urls("", "a/"),
            "s.xml.gz": urls("", "a/", "b.html"),
        },
        ["b.html missing", "s.xml.gz gzip-broken"],
    ),
    "robots.txt disallows the sitemap": (
        {
            **PAGES,
            "sitemap.xml": at_root(urls("", "a/", "b")),
            "robots.txt": f"User-agent: *\nDisallow: /*.xml\nSitemap: {ROOT}sitemap.xml",
        },
        ["robots.txt robots-disallow"],
    ),
    "robots.txt has too many rules": (
        {
            **PAGES,
            "sitemap.xml": at_root(urls("", "a/", "b")),
            "robots.txt": "User-agent: *\n"
            + "Disallow: /x\n" * 2_000
            + f"Disallow: /\nSitemap: {ROOT}sitemap.xml",
        },
        ["robots.txt robots-too-long"],
    ),
    "robots.txt lists a path": (
        {
            **PAGES,
            "sitemap.xml": at_root(urls("", "a/", "b")),
            "robots.txt": "Sitemap: /sitemap.xml",
        },
        ["robots.txt robots-no-sitemap", "robots.txt robots-sitemap-not-found"],
    ),
    "robots.txt disallows a page for all crawlers": (
        {
            **PAGES,
            "sitemap.xml": at_root(urls("", "a/", "b.html")),
            "robots.txt": f"User-agent: *\nDisallow: /a\nSitemap: {ROOT}sitemap.xml",
        },
        ["sitemap.xml robots-disallow@4"],
    ),
    "robots.txt disallows a page for one search engine": (
        {
            **PAGES,
            "sitemap.xml": at_root(urls("", "a/", "b.html")),
            "robots.txt": f"User-agent: *\nAllow: /\n\nUser-agent: bingbot\nDisallow: /*.html$\n"
            f"Sitemap: {ROOT}sitemap.xml",
        },
        ["sitemap.xml robots-disallow@5"],
    ),
    "robots.txt is not text": (
        {
            **PAGES,
            "sitemap.xml": at_root(urls("", "a/", "b.html")),
            "robots.txt": bytes(range(256)) * 100,
        },
        ["robots.txt robots-no-sitemap"],
    ),
}


@pytest.mark.parametrize(("files", "expected"), BAD.values(), ids=BAD)
def test_invalid_site_has_these_findings(
    tmp_path: Path, files: Files, expected: list[str]
) -> None:
    site = write_site(tmp_path, files)
    found = summarize(check(site).diagnostics, site)
    assert sorted(found) == sorted(expected)


def test_result_has_counts_and_the_assumed_base_url(tmp_path: Path) -> None:
    site = write_site(tmp_path, {**LISTED, "c.html": page()})
    result = check(site)
    assert (result.sitemaps, result.urls, result.pages) == (1, 3, 4)
    assert result.assumed_base_url == BASE
    (finding,) = result.diagnostics
    assert (finding.file, finding.url) == (f"{site}/c.html", f"{BASE}c.html")
    assert check(site, base_url=BASE).assumed_base_url is None


@pytest.mark.parametrize(
    ("base", "expected"),
    [
        (BASE, []),
        ("https://EXAMPLE.org:443/docs/", []),
        ("https://example.com/docs/", ["sitemap.xml out-of-scope"]),
        ("http://localhost:8000/docs/", ["sitemap.xml out-of-scope"]),
        ("https://example.org/", ["sitemap.xml not-found"]),
        ("https://example.org/docs/1.0/", ["sitemap.xml out-of-scope"]),
    ],
)
def test_given_base_url_is_used(tmp_path: Path, base: str, expected: list[str]) -> None:
    site = write_site(tmp_path, LISTED)
    found = [
        text.partition("@")[0]
        for text in summarize(check(site, base_url=base).diagnostics, site)
    ]
    assert [text for text in found if not text.endswith("missing")] == expected


def test_base_url_is_guessed_although_pages_are_missing(tmp_path: Path) -> None:
    site = write_site(
        tmp_path, {**LISTED, "sitemap.xml": urls("", "a/", "b.html", "c/", "d/")}
    )
    result = check(site)
    assert result.assumed_base_url == BASE
    assert summarize(result.diagnostics) == ["not-found@6", "not-found@7"]


FOREIGN = "https://cdn.example/"


@pytest.mark.parametrize(
    ("listed", "expected"),
    [
        (
            [f"{BASE}c", FOREIGN, f"{BASE}d"],
            ["not-found@3", "out-of-scope@4", "not-found@5"],
        ),
        (
            [f"{BASE}c/", f"{FOREIGN}a/", f"{BASE}d/", f"{BASE}a/"],
            ["not-found@3", "out-of-scope@4", "not-found@5"],
        ),
    ],
    ids=["no file of two", "one file of three"],
)
def test_base_url_is_guessed_although_urls_have_other_hosts(
    tmp_path: Path, listed: list[str], expected: list[str]
) -> None:
    site = write_site(tmp_path, {**PAGES, "sitemap.xml": urlset(*map(url, listed))})
    result = check(site)
    assert result.assumed_base_url == BASE
    assert [
        text for text in summarize(result.diagnostics) if text != "missing"
    ] == expected


def test_index_that_lists_a_sitemap_on_another_host(tmp_path: Path) -> None:
    files = {
        **PAGES,
        "sitemap.xml": index(
            *(f"{base}sitemap-{base == BASE:d}.xml" for base in (BASE, FOREIGN))
        ),
        "sitemap-1.xml": urls("", "a/", "b.html", "c/"),
    }
    site = write_site(tmp_path, files)
    expected = ["sitemap.xml out-of-scope@4"]
    assert summarize(check(site / "sitemap.xml").diagnostics, site) == expected
    result = check(site)
    assert result.assumed_base_url == BASE
    assert summarize(result.diagnostics, site) == [
        *expected,
        "sitemap-1.xml not-found@6",
    ]


def test_index_without_any_of_its_sitemaps(tmp_path: Path) -> None:
    """An index that is checked on its own may be a copy; in a site, its sitemaps are
    missing.
    """
    names = [f"{BASE}{name}.xml" for name in ("s/1", "s/2", "s/3")]
    site = write_site(tmp_path, {"index.html": page(), "sitemap.xml": index(*names)})
    result = check(site / "sitemap.xml")
    assert not result.is_base_url_known
    assert summarize(result.diagnostics, site) == []
    missing = [f"sitemap.xml part-not-found@{line}" for line in (3, 4, 5)]
    assert (
        summarize(check(site / "sitemap.xml", base_url=BASE).diagnostics, site)
        == missing[:1]
    )
    assert summarize(check(site).diagnostics, site) == missing[:1]
    write_site(site, {"s/2.xml": urls("s/")})
    result = check(site / "sitemap.xml")
    assert result.is_base_url_known
    assert summarize(result.diagnostics, site) == [missing[0], missing[2]]


@pytest.mark.parametrize(
    "sitemap",
    ["", urlset(), urlset(url("a/"), url("b.html"))],
    ids=["invalid", "empty", "relative URLs"],
)
def test_result_says_whether_the_base_url_is_known(
    tmp_path: Path, sitemap: str
) -> None:
    site = write_site(tmp_path, {**PAGES, "sitemap.xml": sitemap, "robots.txt": "x"})
    assert not check(site).is_base_url_known
    assert check(site, base_url=BASE).is_base_url_known


def test_report_of_the_build_is_used(tmp_path: Path) -> None:
    build_small_site(
        tmp_path,
        Document("", {}),
        Document("draft/", {}, {"overrides": False}),
        filename="map.xml",
    )
    files = {
        "index.html": page(),
        "draft/index.html": page(),
        "sitemap.xml": "not a sitemap",
    }
    site = write_site(tmp_path / "site", files)
    result = check(site, report=tmp_path / "report.json")
    assert result.diagnostics == []
    assert result.assumed_base_url is None


def test_sitemap_on_its_own_is_not_compared_with_files(tmp_path: Path) -> None:
    site = write_site(
        tmp_path, {**LISTED, "sitemap.xml": urls("x/", "y/"), "robots.txt": "x"}
    )
    result = check(site / "sitemap.xml")
    assert result.diagnostics == []
    assert (result.sitemaps, result.urls, result.pages) == (1, 2, 0)
    assert summarize(check(site / "sitemap.xml", base_url=f"{BASE}x/").diagnostics) == [
        "out-of-scope@4"
    ]


def test_index_on_its_own_is_checked_with_its_sitemaps_and_compressed_copy(
    tmp_path: Path,
) -> None:
    files = {
        "sitemap.xml": index(f"{BASE}sitemap-1.xml", f"{BASE}sitemap-2.xml"),
        "sitemap.xml.gz": index(f"{BASE}sitemap-1.xml"),
        "sitemap-1.xml": urls("a/", "b c/"),
    }
    site = write_site(tmp_path, files)
    for base in (None, BASE):
        result = check(site / "sitemap.xml", base_url=base)
        assert sorted(summarize(result.diagnostics, site)) == [
            "sitemap-1.xml loc-not-encoded@4",
            "sitemap.xml part-not-found@4",
            "sitemap.xml.gz gzip-broken",
        ]


def test_path_relative_to_the_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_site(
        tmp_path / "site", {**LISTED, "sitemap.xml": urls("", "a/", "b.html", "c/")}
    )
    monkeypatch.chdir(tmp_path)
    (finding,) = check("site").diagnostics
    assert finding.file == "site/sitemap.xml"
    monkeypatch.chdir(tmp_path / "site")
    (finding,) = check(".").diagnostics
    assert finding.file == "./sitemap.xml"
    assert check("sitemap.xml").diagnostics == []


@pytest.mark.parametrize("file", ["404.html", "de/404.html", "404/index.html"])
def test_listed_error_page(tmp_path: Path, file: str) -> None:
    url = file.removesuffix("index.html")
    site = write_site(
        tmp_path, {"index.html": page(), file: page(), "sitemap.xml": urls("", url)}
    )
    assert summarize(check(site).diagnostics, site) == ["sitemap.xml error-page@4"]


GOOGLE = "User-agent: Googlebot\n"
BING = "User-agent: Bingbot\n"
ALL = "User-agent: *\n"
NO = "Disallow: /a\n\n"
YES = "Allow: /a\n\n"


@pytest.mark.parametrize(
    ("rules", "who"),
    [
        (ALL + NO, "Googlebot and Bingbot"),
        (ALL + NO + GOOGLE + NO + BING + NO, "Googlebot and Bingbot"),
        (ALL + NO + GOOGLE + NO, "Googlebot and Bingbot"),
        (ALL + NO + GOOGLE + YES, "Bingbot"),
        (ALL + NO + GOOGLE + YES + BING + NO, "Bingbot"),
        (ALL + YES + GOOGLE + NO + BING + NO, "Googlebot and Bingbot"),
        (GOOGLE + NO, "Googlebot"),
        (ALL + NO + GOOGLE + YES + BING + YES, None),
        # Names may be part of other names.
        ("User-agent: Googlebot-News\n" + NO, None),
        # Only CR and LF end a line.
        (ALL + "# a\u2028Disallow: /a\n", None),
        (ALL.replace("\n", "\r") + NO.replace("\n", "\r"), "Googlebot and Bingbot"),
    ],
)
def test_disallowed_crawlers(tmp_path: Path, rules: str, who: str | None) -> None:
    files = {
        "a/index.html": page(),
        "b.html": page(),
        "sitemap.xml": at_root(urls("a/", "b.html")),
    }
    (tmp_path / "robots.txt").write_bytes(rules.encode())
    diagnostics = check(write_site(tmp_path, files)).diagnostics
    found = [
        (one.line, one.message) for one in diagnostics if one.code == "robots-disallow"
    ]
    assert found == ([] if who is None else [(3, f"robots.txt disallows it for {who}")])


def test_missing_pages_are_unknown_if_urls_are_not_below_the_base_url(
    tmp_path: Path,
) -> None:
    for other in (f"{FOREIGN}a/", f"{ROOT}a/", "/docs/a/"):
        listed = urlset(url(BASE), url(other), url(f"{BASE}b.html"))
        site = write_site(tmp_path, {**PAGES, "c.html": page(), "sitemap.xml": listed})
        diagnostics = check(site, base_url=BASE).diagnostics
        assert [one.line for one in diagnostics] == [4]


def test_pages_that_the_build_does_not_know_are_missing(tmp_path: Path) -> None:
    pages = [Document(name, {}) for name in ("", "a/", "b.html", "new.html")]
    build_small_site(tmp_path, *pages, gzip=False)
    build = tmp_path / "report.json"
    files = {"old.html": page(), "new.html": page()}
    site = write_site(tmp_path / "site", files)
    (found,) = check(site, report=build).diagnostics
    assert summarize([found], site) == ["old.html missing"]
    assert "earlier build" in found.message
    write_site(site, LISTED)  # another build
    diagnostics = check(site, report=build).diagnostics
    assert summarize(diagnostics, site) == ["new.html missing", "old.html missing"]
    diagnostics += check(site).diagnostics
    assert len({one.message for one in diagnostics}) == 1
    assert "earlier build" not in diagnostics[0].message


def test_a_relative_sitemap_in_robots_txt_has_the_fix_to_write_its_url(
    tmp_path: Path,
) -> None:
    files = {**LISTED, "sitemap.xml": at_root(urls("", "a/", "b.html"))}
    site = write_site(tmp_path, {**files, "robots.txt": "Sitemap: /sitemap.xml\n"})
    (invalid, _) = check(site).diagnostics
    assert invalid.code == "robots-sitemap-not-found"
    assert "not absolute" in invalid.message
    assert "absolute URL" in invalid.fix


def test_pages_that_robots_txt_disallows_are_not_missing(tmp_path: Path) -> None:
    """Listing them would be an error, and crawlers could not read that they declare
    noindex.
    """
    files = {
        **LISTED,
        "private/a.html": page(),
        "open.html": page(),
        "bing/a.html": page(),
    }
    robots = (
        "User-agent: *\nDisallow: /private/\n\nUser-agent: Bingbot\nDisallow: /bing/\n"
    )
    lines = f"{robots}\nSitemap: {ROOT}sitemap.xml\n"
    sitemap = at_root(urls("", "a/", "b.html"))
    site = write_site(tmp_path, {**files, "sitemap.xml": sitemap, "robots.txt": lines})
    assert summarize(check(site).diagnostics, site) == ["open.html missing"]


def dated_site(shown: str, lastmod: str = "2024-05-10") -> dict[str, str]:
    html = page().replace("</body>", f"{shown}</body>")
    assert html != page() or not shown
    return {
        "index.html": html,
        "sitemap.xml": urlset(url(BASE, f"<lastmod>{lastmod}</lastmod>")),
    }


OTHER_DATES = {
    "Open Graph": '<meta property="article:modified_time" content="{}T10:00:00Z">',
    "structured data": '<script type="application/ld+json">{{"dateModified":"{}"}}</script>',
    "docs-sitemap": '<time class="docs-sitemap-date" datetime="{}">x</time>',
    "Docusaurus": '<time datetime="{}T12:00:00.000Z" itemprop="dateModified">x</time>',
    "VitePress": '<p class="VPLastUpdated">Last updated: <time datetime="{}">x</time></p>',
    "Starlight": '<footer class="a"><div class="meta b"><p>x <time datetime="{}">x</time>',
}


@pytest.mark.parametrize("name", OTHER_DATES)
def test_pages_that_show_another_date_are_reported(tmp_path: Path, name: str) -> None:
    write_site(tmp_path, dated_site(OTHER_DATES[name].format("2024-05-01")))
    assert summarize(check(tmp_path).diagnostics) == ["lastmod-not-shown@3"]


@pytest.mark.parametrize(
    ("document", "is_reported"),
    [
        ("---\nupdated: 2024-05-01\n---\n", False),
        # In another time zone, it is another day.
        ("---\nupdated: 2024-04-30 23:30:00 -0100\n---\n", False),
        ("---\nupdated: 2024-05-02 00:30:00 +0100\n---\n", False),
        ("---\nupdated: 2024-04-29\n---\n", True),
        ("---\nupdated: 2024-05-03\n---\n", True),
        (":updated: 2024-05-01\n\nText\n", False),
        (":updated: 2024-04-01\n\nText of 2024-05-01\n", True),
        # The date of the publication is no change, and nor is a date in the text.
        ("---\ndate: 2024-05-01\n---\n", True),
        ("---\ntitle: A\n---\nupdated: 2024-05-01\n", True),
        ("", True),
    ],
)
def test_the_date_that_a_page_shows_can_be_that_of_its_author(
    tmp_path: Path, document: str, is_reported: bool
) -> None:
    build_small_site(tmp_path, Document("a.html", {"docs/a.md": "2024-05-10"}))
    write_site(tmp_path, {"docs/a.md": document})
    shown = OTHER_DATES["Open Graph"].format("2024-05-01")
    write_site(tmp_path, {"site/a.html": page(head=shown)})
    found = check(tmp_path / "site").diagnostics
    codes = [one.code for one in found if one.code == "lastmod-not-shown"]
    assert codes == ["lastmod-not-shown"] * is_reported


@pytest.mark.parametrize(
    ("lastmod", "is_reported"),
    [
        ("2024-05-08", True),
        ("2024-05-09T00:00:01Z", False),
        ("2024-05-11T23:59:59Z", False),
        ("2024-05-12", True),
    ],
)
def test_the_date_of_a_page_can_be_that_of_another_time_zone(
    tmp_path: Path, lastmod: str, is_reported: bool
) -> None:
    write_site(
        tmp_path, dated_site(OTHER_DATES["Starlight"].format("2024-05-10"), lastmod)
    )
    codes = [one.code for one in check(tmp_path).diagnostics]
    assert codes == ["lastmod-not-shown"] * is_reported


def test_the_last_date_of_an_element_counts(tmp_path: Path) -> None:
    shown = '<time class="docs-sitemap-date" title="2020-01-01" datetime="{}">x</time>'
    write_site(tmp_path, dated_site(shown.format("2024-05-10")))
    assert summarize(check(tmp_path).diagnostics) == []


@pytest.mark.parametrize("name", OTHER_DATES)
@pytest.mark.parametrize("day", ["2024-05-09", "2024-05-10", "2024-05-11"])
def test_pages_that_show_the_same_day_are_not_reported(
    tmp_path: Path, name: str, day: str
) -> None:
    write_site(tmp_path, dated_site(OTHER_DATES[name].format(day)))
    assert summarize(check(tmp_path).diagnostics) == []


@pytest.mark.parametrize(
    "shown",
    [
        "",
        "<time datetime='2020-01-01'>An event</time>",
        '{"dateModified": "2020-01-01"} {"dateModified": "2021-01-01"}',
        '{"dateModified": "yesterday"}',
        '<meta property="article:modified_time" content="2020-99-99">',
    ],
)
def test_other_dates_on_pages_mean_nothing(tmp_path: Path, shown: str) -> None:
    write_site(tmp_path, dated_site(shown))
    assert summarize(check(tmp_path).diagnostics) == []


def test_each_page_that_shows_another_date_is_reported(tmp_path: Path) -> None:
    shown = OTHER_DATES["docs-sitemap"].format("2020-01-01")
    html = page().replace("</body>", f"{shown}</body>")
    entries = [url(f"{BASE}{n}.html", "<lastmod>2024-05-10</lastmod>") for n in "abcd"]
    files = {f"{n}.html": html for n in "abc"}
    write_site(tmp_path, {**files, "d.html": page(), "sitemap.xml": urlset(*entries)})
    diagnostics = check(tmp_path).diagnostics
    assert [one.code for one in diagnostics] == ["lastmod-not-shown"] * 3
    for name, diagnostic in zip("abc", diagnostics, strict=True):
        assert f"'{name}.html' shows 2020-01-01" in diagnostic.message


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("/docs/old/ /docs/a/", ["redirect@6"]),
        ("/docs/* https://example.com/:splat", ["redirect@6"]),
        ("/docs/b.html /docs/a/", ["not-found@6"]),
        ("/docs/b.html /docs/a/ 301!", ["redirect@5", "not-found@6"]),
        ("/docs/* /docs/index.html 200", ["not-found@6"]),
        ("/docs/* /docs/index.html 200!\n/* /new 301!", ["not-found@6"]),
        ("/* /de/:splat 302! Language=de", ["not-found@6"]),
        ("https://example.netlify.app/* /docs/:splat 301!", ["not-found@6"]),
        ("https://example.org/docs/a/ /new 301!", ["redirect@4", "not-found@6"]),
        ("/docs/a /docs/a/ 301!", ["not-found@6"]),
        ("/*/*/* /new 301!", ["not-found@6"]),
        ("/docs/old/ https://[b", ["redirect@6"]),
        (f"/{'*' * 30}x /new 301!", ["not-found@6"]),
    ],
)
def test_listed_urls_that_the_host_redirects(
    tmp_path: Path, line: str, expected: list[str]
) -> None:
    sitemap = urls("", "a/", "b.html", "old/")
    write_site(tmp_path, {**PAGES, "sitemap.xml": sitemap, "_redirects": line})
    found = check(tmp_path, base_url=BASE).diagnostics
    assert summarize(found) == expected


def test_pages_that_the_host_redirects_are_not_missing(tmp_path: Path) -> None:
    redirects = "/docs/c.html /docs/a/ 301!\n/docs/d.html /docs/a/ 301\n"
    site = {**LISTED, "c.html": page(), "d.html": page(), "_redirects": redirects}
    write_site(tmp_path, site)
    assert summarize(check(tmp_path).diagnostics, tmp_path) == ["d.html missing"]


@pytest.mark.parametrize("path", ["a", "a?b=c", "a/"])
def test_a_url_of_a_folder_without_a_slash_is_a_note(tmp_path: Path, path: str) -> None:
    write_site(tmp_path, {**PAGES, "sitemap.xml": urls("", path, "b.html")})
    result = check(tmp_path)
    expected = [] if path == "a/" else ["slash-missing@4"]
    assert summarize(result.diagnostics) == expected
    severities = {one.severity for one in result.diagnostics}
    assert severities <= {"notice"}


def test_urls_without_a_slash_are_reported_once(tmp_path: Path) -> None:
    names = [f"{number}/index.html" for number in range(3)]
    site = {"index.html": page(), **dict.fromkeys(names, page())}
    write_site(tmp_path, {**site, "sitemap.xml": urls("", "0", "1", "2")})
    (found,) = check(tmp_path).diagnostics
    assert found.url == f"{BASE}0"
    assert "'0/index.html'" in found.message
    assert found.message.endswith(" 2 more URLs")


def test_a_folder_without_listed_pages_is_missing_once(tmp_path: Path) -> None:
    tags = {f"blog/tags/{number}/index.html": page() for number in range(10)}
    posts = {f"blog/{number}.html": page() for number in range(10)}
    years = {f"years/{number}.html": page() for number in range(9)}
    sitemap = urls("", *posts, "blog/tags.html")
    site = {"index.html": page(), "blog/tags.html": page(), **posts, **tags, **years}
    write_site(tmp_path, {**site, "sitemap.xml": sitemap, "blog/new.html": page()})
    found = check(tmp_path).diagnostics
    assert summarize(found, tmp_path) == [
        "blog/new.html missing",
        "blog/tags missing",
        *(f"{name} missing" for name in years),
    ]
    assert "10 pages" in found[1].message


def test_a_home_page_that_a_server_renders(tmp_path: Path) -> None:
    files = {"a.html": page(), "sitemap.xml": urls("", "a.html", "b.html")}
    site = write_site(tmp_path, files)
    found = check(site, base_url=BASE).diagnostics
    lines = [one.line for one in found if one.code == "not-found"]
    assert lines == [3, 5]
    assert "home page" in found[0].fix
