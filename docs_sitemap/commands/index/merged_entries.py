"""The entries of a merged sitemap: on disk, sorted by URL, each URL once."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import NamedTuple, Self

from docs_sitemap.sitemap.protocol import (
    ChangeFreq,
    is_hreflang,
    is_priority,
    parse_w3c_datetime,
)
from docs_sitemap.sitemap.urls import NormalizedUrl, check_url, normalize_url
from docs_sitemap.sitemap.validation import CheckedEntry, DateLimits

_CHANGEFREQS = frozenset(ChangeFreq)

# In KiB. Everything else is in a temporary file.
_CACHE = 16_384
_BATCH = 1_000


class MergedEntry(NamedTuple):
    """An entry of a merged sitemap.

    Attributes:
        loc: The URL.
        lastmod: The date of the last change; `None` if it is unknown.
        changefreq: How often the page is likely to change; `None` if it is not declared.
        priority: The priority of the page; `None` if it is not declared.
        alternates: Pairs of a language and the URL of a translation.
    """

    loc: str
    lastmod: str | None
    changefreq: str | None
    priority: str | None
    alternates: tuple[tuple[str, str], ...] = ()


class MergedEntries:
    """Collects entries. If a URL is added again, the first entry stays. Close it after use.

    Args:
        limits: The dates that are kept. Dates in the future are omitted.

    Attributes:
        duplicates: The number of entries that were added again.
    """

    def __init__(self, limits: DateLimits | None = None) -> None:
        self._limits = limits or DateLimits()
        # SQLite removes a database without a name.
        self._database = sqlite3.connect("", isolation_level=None)
        self._database.execute(f"PRAGMA cache_size = -{_CACHE}")
        self._database.execute("PRAGMA journal_mode = MEMORY")
        self._database.execute(
            "CREATE TABLE entries (url TEXT PRIMARY KEY, loc TEXT, lastmod TEXT, changefreq TEXT,"
            " priority TEXT, alternates TEXT) WITHOUT ROWID"
        )
        self._database.execute("CREATE TABLE pages (path TEXT PRIMARY KEY) WITHOUT ROWID")
        self._pending: list[tuple[str | None, ...]] = []
        self._size = self._added = self._inserted = 0
        self.duplicates = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._database.close()

    def begin(self) -> None:
        """Start to add the entries of a sitemap, which may turn out to be unusable."""
        self._database.execute("BEGIN")
        self._added = self._inserted = 0

    def add(self, entry: CheckedEntry, move: Callable[[str], str] = str) -> None:
        """Add an entry with a valid URL.

        Args:
            entry: The entry.
            move: Returns the URL at which a page is listed.
        """
        if entry.url is None:
            return
        merged = _merge(entry, move, self._limits)
        url = normalize_url(merged.loc)
        alternates = json.dumps(merged.alternates) if merged.alternates else None
        loc = None if merged.loc == url else merged.loc
        self._pending.append((url, loc, *merged[1:4], alternates))
        if len(self._pending) == _BATCH:
            self._flush()

    def commit(self) -> None:
        """Keep the entries that were added since `begin`."""
        self._flush()
        self._database.execute("COMMIT")
        self._size += self._inserted
        self.duplicates += self._added - self._inserted

    def roll_back(self) -> None:
        """Remove the entries that were added since `begin`."""
        self._pending.clear()
        self._database.execute("ROLLBACK")

    def add_page(self, path: str) -> bool:
        """Note a page of the canonical version. Return whether it was unknown."""
        cursor = self._database.execute("INSERT OR IGNORE INTO pages VALUES (?)", (path,))
        return cursor.rowcount == 1

    def forget_pages(self) -> None:
        """Forget the pages that `add_page` noted."""
        self._database.execute("DELETE FROM pages")

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[MergedEntry]:
        rows = self._database.execute("SELECT * FROM entries ORDER BY url")
        for url, loc, lastmod, changefreq, priority, alternates in rows:
            links = () if alternates is None else tuple(map(tuple, json.loads(alternates)))
            yield MergedEntry(loc or url, lastmod, changefreq, priority, links)

    def has_alternates(self) -> bool:
        query = "SELECT EXISTS (SELECT 1 FROM entries WHERE alternates IS NOT NULL)"
        return bool(self._database.execute(query).fetchone()[0])

    def _flush(self) -> None:
        query = "INSERT OR IGNORE INTO entries VALUES (?, ?, ?, ?, ?, ?)"
        self._added += len(self._pending)
        self._inserted += self._database.executemany(query, self._pending).rowcount
        self._pending.clear()


def _merge(entry: CheckedEntry, move: Callable[[str], str], limits: DateLimits) -> MergedEntry:
    """Return the values of an entry that are valid."""
    changefreq, priority = entry.entry.text("changefreq"), entry.entry.text("priority")
    return MergedEntry(
        move(_valid_url(entry.loc, entry.url)),
        _valid_date(entry.entry.text("lastmod"), limits),
        changefreq if changefreq in _CHANGEFREQS else None,
        priority if priority is not None and is_priority(priority) else None,
        tuple(_alternates(entry, move)),
    )


def _valid_url(text: str, normalized: NormalizedUrl | None) -> str:
    """Return a URL as it is written, or its normalized form if that has faults."""
    return str(normalized) if normalized is not None and check_url(text).faults else text


def _valid_date(text: str | None, limits: DateLimits) -> str | None:
    if text is None:
        return None
    try:
        timestamp, _ = parse_w3c_datetime(text)
    except ValueError:
        return None
    return None if limits.is_future(timestamp) else text


def _alternates(entry: CheckedEntry, move: Callable[[str], str]) -> Iterator[tuple[str, str]]:
    languages = set()
    for link in entry.entry.alternates:
        normalized = check_url(link.href).normalized
        is_new = link.hreflang.lower() not in languages
        if is_new and normalized is not None and is_hreflang(link.hreflang):
            languages.add(link.hreflang.lower())
            yield link.hreflang, move(_valid_url(link.href, normalized))
