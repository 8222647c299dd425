"""Sitemaps read back by other people's parsers."""

from __future__ import annotations

import gzip
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote, urlsplit

from lxml import etree
from usp.tree import sitemap_from_str

try:
    from scrapy.utils.sitemap import Sitemap as ScrapySitemap
except ImportError:  # It has many dependencies, so `make compat` does not install it.
    ScrapySitemap = None  # type: ignore[assignment, misc]

NAMESPACE = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
XHTML = "{http://www.w3.org/1999/xhtml}"
SCHEMA = etree.RelaxNG(etree.parse(Path(__file__).with_name("sitemap.rng")))


@dataclass
class Entry:
    loc: str
    lastmod: str | None = None
    changefreq: str | None = None
    priority: str | None = None
    alternates: dict[str, str] = field(default_factory=dict)


def parse(data: bytes) -> etree._Element:
    """Parse a sitemap or an index that is valid in every respect that a grammar can
    say.
    """
    assert data.startswith(b'<?xml version="1.0" encoding="UTF-8"?>')
    root = etree.fromstring(data)
    SCHEMA.assertValid(root)
    return root


def read(data: bytes) -> list[Entry]:
    root = parse(data)
    assert root.tag == f"{NAMESPACE}urlset"
    return [
        Entry(
            loc=str(url.findtext(f"{NAMESPACE}loc")),
            lastmod=url.findtext(f"{NAMESPACE}lastmod"),
            changefreq=url.findtext(f"{NAMESPACE}changefreq"),
            priority=url.findtext(f"{NAMESPACE}priority"),
            alternates={
                str(link.get("hreflang")): str(link.get("href"))
                for link in url.findall(f"{XHTML}link")
            },
        )
        for url in root.findall(f"{NAMESPACE}url")
    ]


def read_by_others(data: bytes) -> list[list[str]]:
    """Return the sorted URLs that ultimate-sitemap-parser and, if it is installed,
    Scrapy read.
    """
    urls = [sorted(page.url for page in sitemap_from_str(data.decode()).all_pages())]
    if ScrapySitemap is not None:
        urls.append(sorted(item["loc"] for item in ScrapySitemap(data)))
    return urls


def read_site(
    site: Path, base_url: str, filename: str = "sitemap.xml"
) -> dict[str, Entry]:
    """Read the sitemap of a built site: entries by URL relative to the base URL.

    Assert what applies to every sitemap: each URL is listed once and opens a file of
    the output,
    the entries are sorted by URL, and the compressed copy has the same content.
    """
    data = (site / filename).read_bytes()
    copy = site / f"{filename}.gz"
    if copy.exists():
        assert gzip.decompress(copy.read_bytes()) == data
    entries = read(data)
    locs = [entry.loc for entry in entries]
    assert locs == sorted(set(locs))
    assert all(urls == locs for urls in read_by_others(data))
    for loc in locs:
        assert loc.startswith(base_url)
        assert opened(site, loc, base_url) is not None, f"{loc} opens no file"
    return {entry.loc.removeprefix(base_url): entry for entry in entries}


def opened(site: Path, loc: str, base_url: str) -> Path | None:
    """The file that a static web server sends for a URL."""
    path = unquote(urlsplit(loc).path.removeprefix(urlsplit(base_url).path))
    for candidate in (site / path, site / path / "index.html", site / f"{path}.html"):
        if candidate.is_file():
            return candidate
    return None
