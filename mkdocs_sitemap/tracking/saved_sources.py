"""The sources of pages from earlier builds, for `mkdocs build --dirty`."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig

from docs_sitemap import JsonStore
from mkdocs_sitemap.project import config_file


@dataclass(frozen=True, slots=True)
class SavedSites:
    """For each `site_dir`, the output files with their modification time in nanoseconds and their
    sources. If the time has changed, a build that did not save its sources has written the file.
    """

    sites: dict[str, dict[str, tuple[int, tuple[str, ...]]]]


class SavedSources:
    """The saved sources of one project, in the user's folder for caches."""

    def __init__(self, config: MkDocsConfig, cache_dir: Path | None) -> None:
        project = os.path.realpath(config_file(config))
        name = f"mkdocs-{hashlib.sha256(os.fsencode(project)).hexdigest()[:16]}.json"
        self._store: JsonStore[SavedSites] | None = None
        saved = None
        if cache_dir is not None:
            self._store = JsonStore(cache_dir / name, SavedSites, version=1)
            saved = self._store.load()
        self._sites = saved.sites if saved is not None else {}
        self._site = os.path.realpath(config.site_dir)

    def load(self, output: str) -> tuple[str, ...] | None:
        """Return the sources of an output file; `None` if they are unknown."""
        modified, sources = self._sites.get(self._site, {}).get(output, (None, ()))
        return sources if modified is not None and modified == _modified(output) else None

    def save(self, sources: Mapping[str, tuple[str, ...]]) -> None:
        """Save the sources of all output files of the site."""
        modified = {output: _modified(output) for output in sources}
        pages = {output: (time, sources[output]) for output, time in modified.items() if time}
        # `mkdocs serve` has a temporary `site_dir`.
        others = {site: pages for site, pages in self._sites.items() if os.path.isdir(site)}
        if self._store is not None:
            with suppress(OSError):  # the next `--dirty` build will have fewer dates
                self._store.save(SavedSites(others | {self._site: pages}))


def _modified(path: str) -> int | None:
    try:
        return os.stat(path).st_mtime_ns
    except OSError:
        return None
