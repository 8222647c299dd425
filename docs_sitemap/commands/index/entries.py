"""The entries of a merged sitemap, and their links to languages: on disk, each URL once."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import chain

import msgspec

from docs_sitemap.commands.index.children import is_past
from docs_sitemap.sitemap.hreflang import is_hreflang
from docs_sitemap.sitemap.protocol import Alternate, ChangeFreq, Url, is_priority
from docs_sitemap.sitemap.urls import check_url, normalize_url
from docs_sitemap.sitemap.validation import CheckedEntry, DateLimits

_CHANGEFREQS = frozenset(ChangeFreq)
_DECODE = msgspec.json.Decoder(Url).decode

_SCHEMA = """
PRAGMA cache_size = -16384;
PRAGMA journal_mode = MEMORY;
CREATE TABLE entries (url TEXT PRIMARY KEY, data BLOB) WITHOUT ROWID;
CREATE TABLE links (url TEXT, target TEXT, file TEXT);
CREATE INDEX links_by_url ON links (url, target);
CREATE TABLE dead (url TEXT, target TEXT, PRIMARY KEY (url, target)) WITHOUT ROWID;
"""
_FIND_DEAD = """
SELECT url, target, file FROM links AS one WHERE NOT EXISTS
    (SELECT 1 FROM links AS other WHERE other.url = one.target AND other.target = one.url)
"""


class MergedEntries:
    """Collects entries, which are sorted by URL. If a URL is added again, the first entry stays.
    Close it after use.

    Attributes:
        duplicates: The number of entries that were added again.
    """

    def __init__(self) -> None:
        # SQLite removes a database without a name. Little of it is in memory.
        self._database = sqlite3.connect("")
        self._database.executescript(_SCHEMA)
        self._size = self.duplicates = 0
        self._has_dead_links = False

    def close(self) -> None:
        """Remove the entries from the disk."""
        self._database.close()

    def add(self, urls: Iterable[Url]) -> int:
        """Add entries, and return how many are new."""
        added = 0

        def rows() -> Iterator[tuple[str, bytes]]:
            nonlocal added
            for url in urls:
                added += 1
                yield normalize_url(url.loc), msgspec.json.encode(url)

        with self._database:  # If an entry cannot be read, none is added.
            query = "INSERT OR IGNORE INTO entries VALUES (?, ?)"
            new = self._database.executemany(query, rows()).rowcount
        self._size += new
        self.duplicates += added - new
        return new

    def drop_dead_links(
        self, files: Iterable[tuple[str, Iterable[Url]]], base: str, unknown: tuple[str, ...]
    ) -> Counter[str]:
        """Leave out the links whose targets no entry lists, or whose targets do not link back.

        Args:
            files: The entries of the files that are listed next to the merged ones, by name.
            base: The start of the URLs that the entries would list if they existed.
            unknown: The starts of URLs whose entries are unknown.

        Returns:
            How many of these links each file has. The name of the merged entries is empty.
        """
        execute = self._database.execute
        execute("DELETE FROM links")
        execute("DELETE FROM dead")
        for file, urls in chain((("", self),), files):
            rows = ((url, target, file) for url, target in _links(urls))
            self._database.executemany("INSERT INTO links VALUES (?, ?, ?)", rows)
        counts: Counter[str] = Counter()
        for url, target, file in execute(_FIND_DEAD):
            if target.startswith(base) and not target.startswith(unknown):
                counts[file] += 1
                execute("INSERT OR IGNORE INTO dead VALUES (?, ?)", (url, target))
        self._has_dead_links = bool(counts)
        return counts

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[Url]:
        for url, data in self._database.execute("SELECT url, data FROM entries ORDER BY url"):
            entry = _DECODE(data)
            dead = {*self._dead_targets(url)} if self._has_dead_links else ()
            if dead:
                targets = {one: normalize_url(one.href) for one in entry.alternates}
                kept = tuple(one for one, target in targets.items() if target not in dead)
                # A page that is linked only with itself needs no links.
                is_alone = all(targets[one] == url for one in kept)
                entry = replace(entry, alternates=() if is_alone else kept)
            yield entry

    def _dead_targets(self, url: str) -> Iterator[str]:
        rows = self._database.execute("SELECT target FROM dead WHERE url = ?", (url,))
        return (target for (target,) in rows)


def make_url(entry: CheckedEntry, move: Callable[[str], str], dates: DateLimits) -> Url:
    """Return the valid values of an entry with a valid URL.

    Args:
        entry: The entry.
        move: Returns the URL at which a page is listed.
        dates: The dates that are kept.
    """
    lastmod, changefreq, priority = map(entry.entry.text, ("lastmod", "changefreq", "priority"))
    alternates: dict[str, Alternate] = {}
    for one in entry.entry.alternates:
        if is_hreflang(one.hreflang) and check_url(one.href).normalized is not None:
            href = move(_valid_url(one.href))
            alternates.setdefault(one.hreflang.lower(), Alternate(one.hreflang, href))
    return Url(
        loc=move(entry.loc if entry.loc == entry.url else _valid_url(entry.loc)),
        lastmod=lastmod if is_past(lastmod, dates) else None,
        changefreq=changefreq if changefreq in _CHANGEFREQS else None,
        priority=priority if priority is not None and is_priority(priority) else None,
        alternates=tuple(alternates.values()),
    )


def _valid_url(text: str) -> str:
    """Return a URL as it is written, or its normalized form if that has faults."""
    return normalize_url(text) if check_url(text).faults else text


def _links(urls: Iterable[Url]) -> Iterator[tuple[str, str]]:
    """Yield the URL of each page, and the targets of its links to other pages."""
    for one in urls:
        if one.alternates:
            url = normalize_url(one.loc)
            for target in {normalize_url(alternate.href) for alternate in one.alternates} - {url}:
                yield url, target
