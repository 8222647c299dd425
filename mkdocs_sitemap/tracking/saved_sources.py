"""The files that earlier builds opened for each page, for `mkdocs build --dirty`."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig

from docs_sitemap import JsonStore
from mkdocs_sitemap.project import config_file
from mkdocs_sitemap.tracking.attribution import PageFiles


@dataclass(frozen=True, slots=True)
class SavedSite:
    """One `site_dir`.

    Attributes:
        pages: For each output file its modification time in nanoseconds, and the files of the
            page. If the time has changed, a build that did not save its sources has written the
            file.
        reread: The files that code opened again for each page.
    """

    pages: dict[str, tuple[int, PageFiles]] = field(default_factory=dict)
    reread: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SavedSites:
    """The sites of a project, by `site_dir`."""

    sites: dict[str, SavedSite]


class SavedSources:
    """The saved files of the pages of one project, in the user's folder for caches.

    Attributes:
        reread: The files that earlier builds opened again for each page.
    """

    def __init__(self, config: MkDocsConfig, cache_dir: Path | None) -> None:
        project = os.path.realpath(config_file(config))
        name = f"mkdocs-{hashlib.sha256(os.fsencode(project)).hexdigest()[:16]}.json"
        self._store: JsonStore[SavedSites] | None = None
        saved = None
        if cache_dir is not None:
            self._store = JsonStore(cache_dir / name, SavedSites, version=4)
            saved = self._store.load()
        self._sites = saved.sites if saved is not None else {}
        self._site_dir = os.path.realpath(config.site_dir)
        self._site = self._sites.get(self._site_dir, SavedSite())
        self.reread = self._site.reread

    def load(self, output: str) -> PageFiles | None:
        """Return the files of a page by its output file; `None` if they are unknown."""
        saved = self._site.pages.get(output)
        if saved is None or saved[0] != _modified(output):
            return None
        return saved[1]

    def save(self, pages: Mapping[str, PageFiles], reread: Iterable[str]) -> None:
        """Save the files of all pages of the site, by output file."""
        modified = {output: _modified(output) for output in pages}
        written = {output: (time, pages[output]) for output, time in modified.items() if time}
        site = SavedSite(written, tuple(sorted(reread)))
        # `mkdocs serve` has a temporary `site_dir`.
        others = {name: other for name, other in self._sites.items() if os.path.isdir(name)}
        if self._store is not None:
            with suppress(OSError):  # the next `--dirty` build will have fewer dates
                self._store.save(SavedSites(others | {self._site_dir: site}))


def _modified(path: str) -> int | None:
    try:
        return os.stat(path).st_mtime_ns
    except OSError:
        return None
