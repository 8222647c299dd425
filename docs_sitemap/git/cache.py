"""Save the dates of files from one build to the next."""

import json
import os
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from hashlib import sha256
from pathlib import Path

from docs_sitemap.git.file_date import FileDate, HistoryOptions

# Increase this if the meaning of the content changes.
_VERSION = 7


@dataclass(frozen=True, slots=True)
class CachedDates:
    """The dates of files at one commit of a repository, and what they depend on.

    Attributes:
        head: The hash of the commit; empty if nothing is cached.
        state: The digest of a `RepositorySnapshot`.
        ignored_revs: The commits in the file of ignored commits, sorted.
        dates: The date of each file by its key; `None` if the file is not in the commit.
    """

    head: str = ""
    state: str = ""
    ignored_revs: tuple[str, ...] = ()
    dates: dict[str, FileDate | None] = field(default_factory=dict)


class DateCache:
    """The cached dates of one repository and one set of options. If the file is damaged or cannot
    be read or written, the cache is empty.

    Args:
        folder: The folder of the cache; `None` to save nothing.
        top: The top level of the repository.
        options: The options.
    """

    def __init__(
        self, folder: str | os.PathLike[str] | None, top: str, options: HistoryOptions
    ) -> None:
        self._store = None
        if folder is not None:
            # Builds without a cache do not need the module.
            from docs_sitemap.json_store import JsonStore

            # With or without a fetch, the same repository has the same dates.
            key = json.dumps([top, asdict(replace(options, fetch=False))])
            path = Path(folder, f"sitemap-git-{sha256(key.encode()).hexdigest()[:32]}.json")
            self._store = JsonStore(path, CachedDates, version=_VERSION)

    def load(self) -> CachedDates:
        return (self._store and self._store.load()) or CachedDates()

    def save(self, dates: CachedDates) -> None:
        if self._store is not None:
            with suppress(OSError):  # The next build reads the history again.
                self._store.save(dates)
