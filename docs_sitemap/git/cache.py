"""Save the dates of files from one build to the next."""

import json
import sys
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

import msgspec

from docs_sitemap.shown.front_matter import FrontMatterKeys
from docs_sitemap.tools.files import StrPath
from docs_sitemap.tools.json_store import JsonStore

from .file_date import FileDate, HistoryOptions, WantedFile
from .repository import RepositorySnapshot

# Increase this if the meaning of the content changes.
_VERSION = 12


class CachedDates(msgspec.Struct, frozen=True):
    """The dates of files at one commit of a repository, and what they depend on.

    Attributes:
        head: The hash of the commit; empty if nothing is cached.
        shape: What else changed the history before the commit, from
            `RepositorySnapshot`.
        ignored_revs: The commits in the file of ignored commits, sorted.
        dates: The date of each file, by `file_key`; `None` if the file is not in the
            commit.
    """

    head: str = ""
    shape: str = ""
    ignored_revs: tuple[str, ...] = ()
    dates: dict[str, FileDate | None] = {}


def file_key(file: WantedFile, path: str) -> str:
    """Return what decides the date of a file in a repository: its path below the top
    level, and what the page shows of it.
    """
    return f"{path}\0{file.shown.key}"


class DateCache:
    """The cached dates of one repository and one set of options.

    Args:
        folder: The folder of the cache; `None` to save nothing.
        top: The top level of the repository.
        options: The options.
    """

    def __init__(
        self, folder: StrPath | None, top: str, options: HistoryOptions
    ) -> None:
        self._store: JsonStore[CachedDates] | None = None
        if folder is not None:
            # With or without a fetch, the same repository has the same dates. Some
            # modules can only be parsed by some versions of Python.
            same = options._replace(fetch=False)
            key = json.dumps([top, same, sys.version_info[:2]])
            name = f"sitemap-git-{sha256(key.encode()).hexdigest()[:32]}.json"
            self._store = JsonStore(Path(folder, name), CachedDates, version=_VERSION)

    def load(
        self, snapshot: RepositorySnapshot, front_matter: FrontMatterKeys
    ) -> CachedDates:
        """Return the cached dates: none if the history had another shape, and without
        those of files whose pages show other keys of front matter now.
        """
        cached = None if self._store is None else self._store.load()
        if cached is None or cached.shape != snapshot.shape:
            return CachedDates()
        dates = {}
        for key, date in cached.dates.items():
            if date is None or front_matter.agrees(date.hidden_keys, date.shown_keys):
                dates[key] = date
        return msgspec.structs.replace(cached, dates=dates)

    def save(
        self,
        snapshot: RepositorySnapshot,
        ignored_revs: tuple[str, ...],
        dates: dict[str, FileDate | None],
    ) -> None:
        """Save dates. If this fails, the next build reads the history again."""
        if self._store is not None:
            cached = CachedDates(snapshot.head, snapshot.shape, ignored_revs, dates)
            with suppress(OSError):
                self._store.save(cached)
