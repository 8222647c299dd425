"""Save the dates of files from one build to the next."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from hashlib import sha256
from pathlib import Path

from docs_sitemap.git.file_date import FileDate

# Increase this if the meaning of the content changes.
_VERSION = 4

_HASH = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")

# A path that a file can have on POSIX (see `FilePath`), and the key of a fragment.
_KEY = re.compile(r"[^\0\ud800-\udc7f\udd00-\udfff]*(\0[a-z]+:[0-9a-f]*)?")


@dataclass(frozen=True, slots=True)
class CachedDates:
    """The dates of files at one commit of a repository, and what they depend on.

    Attributes:
        head: The hash of the commit; `None` if nothing is cached.
        state: The digest of a `RepositorySnapshot`.
        ignored_revs: The commits in the file of ignored commits, sorted.
        dates: The date of each file by its key; `None` if the file is not in the commit.
    """

    head: str | None = None
    state: str = ""
    ignored_revs: tuple[str, ...] = ()
    dates: dict[str, FileDate | None] = field(default_factory=dict)

    @property
    def is_valid(self) -> bool:
        """Whether the content can be what a build has saved."""
        dates = [date for date in self.dates.values() if date is not None]
        hashes = {self.head, *(name for one in dates for name in (one.hash, one.newest_skipped))}
        times = {time for one in dates for time in (one.date, one.authored, one.not_after)}
        return (
            all(map(_KEY.fullmatch, self.dates))
            and all(map(_HASH.fullmatch, filter(None, hashes)))
            and all(time.utcoffset() == timedelta() for time in times if time is not None)
        )


class DateCache:
    """The cached dates of one repository and one set of options. If the file is damaged or cannot
    be read or written, the cache is empty.

    Args:
        folder: The folder of the cache; `None` to save nothing.
        key: What identifies the repository and the options.
    """

    def __init__(self, folder: str | os.PathLike[str] | None, key: Sequence[object]) -> None:
        self._store = None
        if folder is not None:
            # Builds without a cache do not need the module.
            from docs_sitemap.json_store import JsonStore

            name = sha256(json.dumps(key).encode()).hexdigest()[:32]
            path = Path(folder, f"sitemap-git-{name}.json")
            self._store = JsonStore(path, CachedDates, version=_VERSION)

    def load(self) -> CachedDates:
        cached = self._store.load() if self._store is not None else None
        return cached if cached is not None and cached.is_valid else CachedDates()

    def save(self, dates: CachedDates) -> None:
        if self._store is not None:
            with suppress(OSError):  # The next build reads the history again.
                self._store.save(dates)
