"""Save the newest commits of files from one build to the next."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Annotated

from msgspec import Meta

from docs_sitemap.git.commit_reader import CommitName
from docs_sitemap.git.walk import NewestCommit
from docs_sitemap.store import JsonStore

CacheKey = Annotated[
    str, Meta(pattern=r"\A[^\0\ud800-\udc7f\udd00-\udfff]*(\0[a-z]+:[0-9a-f]*)?\Z")
]
"""A path that a file can have on POSIX (see `FilePath`), and the key of a view."""

# Increase this if the meaning of the content changes.
_VERSION = 3


@dataclass(frozen=True, slots=True)
class CachedCommits:
    """The newest commits at one commit of a repository, and what they depend on.

    Attributes:
        head: The full name of the commit; `None` if nothing is cached.
        view: The digest of a `RepositorySnapshot`.
        ignored_revs: The commits in the file of ignored commits, sorted.
        commits: The newest commit of each file; `None` if the file is not in the commit. The keys
            are paths, with a NUL byte and the key of the view if not every change counts.
    """

    head: CommitName | None = None
    view: str = ""
    ignored_revs: tuple[str, ...] = ()
    commits: dict[CacheKey, NewestCommit | None] = field(default_factory=dict)


class CommitCache:
    """The cached commits of one repository and one set of options. If the file is damaged or cannot
    be read or written, the cache is empty.

    Args:
        folder: The folder of the cache; `None` to save nothing.
        key: What identifies the repository and the options.
    """

    def __init__(self, folder: str | os.PathLike[str] | None, key: Sequence[object]) -> None:
        self._store: JsonStore[CachedCommits] | None = None
        if folder is not None:
            name = sha256(json.dumps(key).encode()).hexdigest()[:32]
            path = Path(folder, f"sitemap-git-{name}.json")
            self._store = JsonStore(path, CachedCommits, version=_VERSION)

    def load(self) -> CachedCommits:
        cached = self._store.load() if self._store is not None else None
        return cached or CachedCommits()

    def save(self, commits: CachedCommits) -> None:
        if self._store is not None:
            with suppress(OSError):  # The next build reads the history again.
                self._store.save(commits)
