"""The files that pages included in earlier builds, for `mkdocs build --dirty`.

A dirty build renders only changed pages, so it cannot find what the other pages
include.
"""

import hashlib
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import msgspec
from mkdocs.config.defaults import MkDocsConfig

from docs_sitemap.page import Source
from docs_sitemap.tools.json_store import JsonStore
from mkdocs_sitemap.project import config_file


class Parts(NamedTuple):
    """What plugins and hooks add to a page.

    Attributes:
        sources: The known files that the page includes; `None` if the page was not
            rendered.
        ran_code: See `docs_sitemap.Page`.
        unknown_because: The same.
    """

    sources: tuple[Source, ...] | None
    ran_code: tuple[str, ...] = ()
    unknown_because: str = ""


class SavedPages(msgspec.Struct, frozen=True):
    """The pages of a site.

    Attributes:
        pages: For each output file its modification time in nanoseconds, and the files
            that the plugins add to it. With another time, a build that saved nothing
            has written the file.
    """

    pages: dict[str, tuple[int, Parts]]


class SavedSources:
    """The saved pages of one site, in the user's folder for caches.

    Args:
        config: The configuration of MkDocs.
        cache_dir: The folder for caches; `None` to save nothing.
        is_serving: Whether `mkdocs serve` builds the site, each time in a new folder.
    """

    def __init__(
        self, config: MkDocsConfig, cache_dir: Path | None, *, is_serving: bool
    ) -> None:
        site_dir = "" if is_serving else os.path.realpath(config.site_dir)
        site = f"{os.path.realpath(config_file(config))}\0{site_dir}"
        digest = hashlib.sha256(os.fsencode(site)).hexdigest()
        name = f"mkdocs-{digest[:16]}.json"
        self._store = None
        if cache_dir is not None:
            self._store = JsonStore(cache_dir / name, SavedPages, version=10)

    def load(self) -> dict[str, Parts]:
        """Return the files that each page includes, by output file, if nothing has
        changed it.
        """
        saved = None if self._store is None else self._store.load()
        pages = {}
        if saved is not None:
            for page, (time, parts) in saved.pages.items():
                if time == _modified(page):
                    pages[page] = parts
        return pages

    def save(self, pages: Mapping[str, Parts]) -> None:
        """Save the files that each page includes, if its output file exists."""
        if self._store is None:
            return
        saved = {}
        for page, parts in pages.items():
            time = _modified(page)
            if parts.sources is not None and time is not None:
                saved[page] = time, parts
        with suppress(OSError):  # The next dirty build will find fewer dates.
            self._store.save(SavedPages(saved))


def _modified(path: str) -> int | None:
    with suppress(OSError):
        return os.stat(path).st_mtime_ns
    return None
