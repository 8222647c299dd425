"""The entries of a merged sitemap, each URL once. They are in a temporary database, as
millions of them need too much memory.
"""

import sqlite3
from collections.abc import Iterator, Mapping

from msgspec import msgpack

from docs_sitemap.sitemap.protocol import Url


def open_database() -> sqlite3.Connection:
    """Return an empty database. Its `total_changes` is the number of entries."""
    # SQLite keeps a database without a name in memory while it is small, then in a
    # temporary file.
    database = sqlite3.connect("")
    database.execute(
        "CREATE TABLE entries (url TEXT PRIMARY KEY, entry BLOB) WITHOUT ROWID"
    )
    return database


def add_urls(database: sqlite3.Connection, urls: Mapping[str, Url]) -> None:
    """Add entries by normalized URL. If a URL is already there, its first entry stays.

    Raises:
        sqlite3.OperationalError: The database cannot be written.
    """
    rows = ((key, msgpack.encode(url)) for key, url in urls.items())
    database.executemany("INSERT OR IGNORE INTO entries VALUES (?, ?)", rows)


def read_urls(database: sqlite3.Connection) -> Iterator[Url]:
    """Yield the entries, sorted by URL."""
    decode = msgpack.Decoder(Url).decode
    for (entry,) in database.execute("SELECT entry FROM entries ORDER BY url"):
        yield decode(entry)
