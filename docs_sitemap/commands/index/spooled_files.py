"""Write sitemaps and sitemap indexes into temporary files, however many URLs they list."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from pathlib import Path
from typing import NamedTuple

from docs_sitemap.commands.index.child_sitemaps import NewestDate
from docs_sitemap.commands.index.merged_entries import MergedEntry
from docs_sitemap.files import compress_file
from docs_sitemap.sitemap.protocol import MAX_BYTES, MAX_ENTRIES, SITEMAP_NAMESPACE, XHTML_NAMESPACE

_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
_FIELDS = ("loc", "lastmod", "changefreq", "priority")
# By this comment, the command recognizes its own sitemaps, which it may replace.
MARK = "<!-- Written by docs-sitemap index -->\n"


class SpooledSitemap(NamedTuple):
    """A sitemap in a temporary file: its path, and the newest date in it."""

    path: Path
    lastmod: str | None


def write_urlsets(
    entries: Iterable[MergedEntry],
    folder: Path,
    *,
    has_alternates: bool,
    max_entries: int = MAX_ENTRIES,
    max_bytes: int = MAX_BYTES,
) -> list[SpooledSitemap]:
    """Write as many sitemaps as the limits of the protocol require.

    Args:
        entries: The entries in order.
        folder: The folder of the new files.
        has_alternates: Whether any entry has alternates.
        max_entries: The number of entries that a file may have.
        max_bytes: The number of bytes that a file may have.
    """
    xhtml = f' xmlns:xhtml="{XHTML_NAMESPACE}"' if has_alternates else ""
    start = f'{_DECLARATION}{MARK}<urlset xmlns="{SITEMAP_NAMESPACE}"{xhtml}>\n'.encode()
    end = b"</urlset>\n"
    parts: list[SpooledSitemap] = []
    pending = iter(entries)
    entry = next(pending, None)
    while entry is not None:
        path = folder / f"part-{len(parts)}.xml"
        newest = NewestDate()
        with path.open("wb") as file:
            size = file.write(start)
            number = 0
            while entry is not None and number < max_entries:
                text = _render_url(entry).encode()
                if number and size + len(text) + len(end) > max_bytes:
                    break
                size += file.write(text)
                number += 1
                newest.add(entry.lastmod)
                entry = next(pending, None)
            file.write(end)
        parts.append(SpooledSitemap(path, newest.text))
    return parts


def write_index(sitemaps: Iterable[tuple[str, str | None]], path: Path) -> None:
    """Write a sitemap index.

    Args:
        sitemaps: The URL and the newest date of each sitemap.
        path: The new file.
    """
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.write(f'{_DECLARATION}{MARK}<sitemapindex xmlns="{SITEMAP_NAMESPACE}">\n')
        for loc, lastmod in sitemaps:
            date = "" if lastmod is None else f"    <lastmod>{escape(lastmod)}</lastmod>\n"
            file.write(f"  <sitemap>\n    <loc>{escape(loc)}</loc>\n{date}  </sitemap>\n")
        file.write("</sitemapindex>\n")


def compress(path: Path) -> Path:
    """Write a compressed copy of a file next to it. Equal files have equal copies."""
    copy = path.with_name(f"{path.name}.gz")
    with path.open("rb") as source, copy.open("wb") as target:
        compress_file(source, target)
    return copy


def _render_url(entry: MergedEntry) -> str:
    fields = [
        f"    <{name}>{escape(value)}</{name}>\n"
        for name, value in zip(_FIELDS, entry[:4], strict=True)
        if value is not None
    ]
    fields += [
        f'    <xhtml:link rel="alternate" hreflang="{escape(language)}" href="{escape(href)}"/>\n'
        for language, href in entry.alternates
    ]
    return f"  <url>\n{''.join(fields)}  </url>\n"
