"""Which files are content of the project, and which are tools, caches or output."""

from __future__ import annotations

import os
from collections.abc import Iterable

from mkdocs.config.defaults import MkDocsConfig

_NOT_CONTENT = {".cache", ".git", "__pycache__", "node_modules", "site-packages"}
# A virtual environment, and https://bford.info/cachedir/.
_MARKERS = ("pyvenv.cfg", "CACHEDIR.TAG")


class Project:
    """The repositories around `mkdocs.yml` and the pages or, where there is none, their folders.

    Args:
        config: the configuration of the site.
        tools: further files and folders that shape pages but are no part of their text.
    """

    def __init__(self, config: MkDocsConfig, tools: Iterable[str] = ()) -> None:
        folder = os.path.realpath(os.path.dirname(config.config_file_path or ""))
        docs = os.path.realpath(config.docs_dir)
        left_out = map(os.path.realpath, [config.site_dir, *config.theme.dirs, *tools])
        # Whether a folder holds content.
        self._folders = {_repository(start) or start: True for start in (folder, docs)}
        # A theme may lie in the folder of the pages, or around it.
        self._folders |= {path: False for path in left_out if not _lies_in(docs, path)}

    def content(self, paths: Iterable[str]) -> set[str]:
        """Return the real paths of those files that are content of the project."""
        real = {os.path.realpath(path) for path in paths}
        return {
            path
            for path in real
            if os.path.basename(path) not in _NOT_CONTENT
            and self._holds(os.path.dirname(path))
            and _is_file(path)
        }

    def _holds(self, folder: str) -> bool:
        known = self._folders.get(folder)
        if known is None:
            parent, name = os.path.split(folder)
            known = (
                parent != folder
                and name not in _NOT_CONTENT
                and self._holds(parent)
                and not any(os.path.exists(os.path.join(folder, marker)) for marker in _MARKERS)
            )
            self._folders[folder] = known
        return known


def _lies_in(path: str, folder: str) -> bool:
    return path == folder or path.startswith(os.path.join(folder, ""))


def _is_file(path: str) -> bool:
    try:
        return os.path.isfile(path)
    except ValueError:
        return False


def _repository(folder: str) -> str | None:
    while not os.path.exists(os.path.join(folder, ".git")):
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent
    return folder
