"""Deployed sites for tests: folders of versions, each with pages and a sitemap."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from urllib.parse import quote

from support.readers import Entry, parse, read
from support.sitemaps import page, url, urlset, write_site

BASE_URL = "https://example.org/docs/"
SITEMAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"


def write_version(
    root: Path,
    folder: str,
    pages: Iterable[str],
    *,
    dates: Mapping[str, str] | None = None,
    canonical: str | None = None,
    base_url: str = BASE_URL,
) -> None:
    """Write the pages of a version and its sitemap.

    Args:
        root: The deployed tree.
        folder: The folder of the version; empty for the root.
        pages: The URLs of the pages relative to the folder: empty, or with a slash at
            the end.
        dates: The dates of some of the pages.
        canonical: The folder that the canonical links name; `None` for no canonical
            links.
        base_url: Where the tree is published.
    """
    prefix = f"{folder}/" if folder else ""
    files, entries = {}, []
    for path in pages:
        link = ""
        if canonical is not None:
            link = f'<link rel="canonical" href="{base_url}{canonical}{path}">'
        files[f"{prefix}{path}index.html"] = page(head=link)
        date = (dates or {}).get(path)
        lastmod = "" if date is None else f"<lastmod>{date}</lastmod>"
        entries.append(url(f"{base_url}{quote(prefix)}{path}", lastmod))
    files[f"{prefix}sitemap.xml"] = urlset(*entries)
    write_site(root, files)


def read_index(path: Path, base_url: str = BASE_URL) -> dict[str, str | None]:
    """Return the dates of the sitemaps that an index lists, by URL relative to the base
    URL.
    """
    root = parse(path.read_bytes())
    assert root.tag == f"{SITEMAP}sitemapindex"
    sitemaps = {
        str(one.findtext(f"{SITEMAP}loc")): one.findtext(f"{SITEMAP}lastmod")
        for one in root
    }
    sitemaps.pop("None", None)  # the comment
    assert all(loc.startswith(base_url) for loc in sitemaps)
    return {loc.removeprefix(base_url): date for loc, date in sitemaps.items()}


def read_urls(path: Path, base_url: str = BASE_URL) -> dict[str, Entry]:
    """Return the entries of a sitemap by URL relative to the base URL."""
    entries = read(path.read_bytes())
    assert [entry.loc for entry in entries] == sorted({entry.loc for entry in entries})
    assert all(entry.loc.startswith(base_url) for entry in entries)
    return {entry.loc.removeprefix(base_url): entry for entry in entries}
