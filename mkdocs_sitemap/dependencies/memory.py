"""What is remembered of the pages of a site, for `mkdocs build --dirty` does not make all anew."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig

from docs_sitemap.write import replace_file

_Pages = dict[str, tuple[int, list[str]]]


class Memory:
    """A file in the user's folder for caches: the dependencies of each output file.

    They are true of that very file only: one that was written since, by a build that did not
    remember its dependencies, is not known.
    """

    def __init__(self, config: MkDocsConfig, cache_dir: Path | None) -> None:
        project = os.path.realpath(config.config_file_path or "")
        name = hashlib.sha256(os.fsencode(project)).hexdigest()[:16]
        self._path = None if cache_dir is None else cache_dir / f"mkdocs-{name}.json"
        self._site = os.path.realpath(config.site_dir)
        self._sites: dict[str, _Pages] | None = None

    def recall(self, output: str) -> tuple[str, ...] | None:
        """Return the dependencies of an output file; `None` if they are not known."""
        when, paths = self._load().get(self._site, {}).get(output, (None, []))
        return tuple(paths) if when is not None and when == _written(output) else None

    def remember(self, dependencies: Mapping[str, tuple[str, ...]]) -> None:
        """Remember these output files, and no others of this site."""
        written = {output: _written(output) for output in dependencies}
        pages = {
            output: (when, list(dependencies[output]))
            for output, when in written.items()
            if when is not None
        }
        # `mkdocs serve` builds into a folder that it removes at its end.
        others = {site: old for site, old in self._load().items() if os.path.isdir(site)}
        self._sites = others | {self._site: pages}
        if self._path is not None:
            with suppress(OSError):  # the next build with --dirty knows less
                self._path.parent.mkdir(parents=True, exist_ok=True)
                replace_file(self._path, json.dumps(self._sites).encode())

    def _load(self) -> dict[str, _Pages]:
        if self._sites is None:
            try:
                text = self._path.read_text(encoding="utf-8") if self._path else "{}"
                self._sites = dict(json.loads(text))
            except (OSError, ValueError, TypeError):
                self._sites = {}
        return self._sites


def _written(output: str) -> int | None:
    try:
        return os.stat(output).st_mtime_ns
    except OSError:
        return None
