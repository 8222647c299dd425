"""Save the dates of files from one build to the next."""

import json
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from docs_sitemap.tools.files import StrPath
from docs_sitemap.tools.json_store import JsonStore

from .file_date import FileDate, HistoryOptions

# Increase this if the meaning of the content changes.
_VERSION = 10


@dataclass(frozen=True, slots=True)
class CachedDates:
    """The dates of files at one commit of a repository, and what they depend on.

    Attributes:
        head: The hash of the commit; empty if nothing is cached.
        boundary: The commits at which the history of the shallow clone ended, sorted.
        ignored_revs: The commits in the file of ignored commits, sorted.
        dates: The date of each file by its key; `None` if the file is not in the
            commit.
    """

    head: str = ""
    boundary: tuple[str, ...] = ()
    ignored_revs: tuple[str, ...] = ()
    dates: dict[str, FileDate | None] = field(default_factory=dict)


def open_cache(
    folder: StrPath | None, top: str, options: HistoryOptions
) -> JsonStore[CachedDates] | None:
    """Return the cached dates of one repository and one set of options; `None` without
    a folder.

    Args:
        folder: The folder of the cache; `None` to save nothing.
        top: The top level of the repository.
        options: The options.
    """
    if folder is None:
        return None
    # With or without a fetch, the same repository has the same dates.
    key = json.dumps([top, options._replace(fetch=False)])
    path = Path(folder, f"sitemap-git-{sha256(key.encode()).hexdigest()[:32]}.json")
    return JsonStore(path, CachedDates, version=_VERSION)
