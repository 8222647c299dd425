"""The entries of a merged sitemap, which may be millions."""

import errno
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from msgspec import msgpack

from docs_sitemap.sitemap.protocol import Url


class MergedUrls:
    """Entries, each URL once, sorted by URL. They are in a temporary database, as
    millions of them need too much memory. Close it after use.
    """

    def __init__(self) -> None:
        # SQLite keeps a database without a name in memory while it is small, then in a
        # temporary file.
        self._database = sqlite3.connect("")
        self._database.execute(
            "CREATE TABLE entries (url TEXT PRIMARY KEY, entry BLOB) WITHOUT ROWID"
        )

    def close(self) -> None:
        """Remove the database."""
        self._database.close()

    def add(self, urls: Mapping[str, Url]) -> None:
        """Add entries by normalized URL. If a URL is already there, its first entry
        stays.

        Raises:
            OSError: The database cannot be written.
        """
        rows = ((key, msgpack.encode(url)) for key, url in urls.items())
        with _os_errors():
            self._database.executemany(
                "INSERT OR IGNORE INTO entries VALUES (?, ?)", rows
            )

    def __len__(self) -> int:
        """The number of entries."""
        return self._database.total_changes

    def __iter__(self) -> Iterator[Url]:
        """Yield the entries."""
        decode = msgpack.Decoder(Url).decode
        with _os_errors():
            for (entry,) in self._database.execute(
                "SELECT entry FROM entries ORDER BY url"
            ):
                yield decode(entry)


@contextmanager
def _os_errors() -> Iterator[None]:
    """Raise an error of the temporary file as an `OSError`."""
    try:
        yield
    except sqlite3.OperationalError as error:
        raise OSError(errno.EIO, str(error), "the folder for temporary files") from None
