"""Distinguish the content of the project from tools, caches, and output."""

from __future__ import annotations

import os
from collections.abc import Iterable

from mkdocs.config.defaults import MkDocsConfig

from mkdocs_sitemap.project import project_folder

_NOT_CONTENT = {".cache", ".git", "__pycache__", "node_modules", "site-packages"}
# These files mark virtual environments and caches: <https://bford.info/cachedir/>.
_MARKERS = ("pyvenv.cfg", "CACHEDIR.TAG")


class ProjectContent:
    """The files in the repositories that contain `mkdocs.yml` and `docs_dir`. Without a
    repository, the files in the folder of `mkdocs.yml` and in `docs_dir`. Caches, the output, the
    theme, and the `excluded` folders are not content.
    """

    def __init__(self, config: MkDocsConfig, excluded: Iterable[str]) -> None:
        project = os.path.realpath(project_folder(config))
        docs = os.path.realpath(config.docs_dir)
        self._real_paths: dict[str, str] = {}
        self._is_content = {_repository(folder) or folder: True for folder in (project, docs)}
        for folder in map(os.path.realpath, [config.site_dir, *config.theme.dirs, *excluded]):
            # A theme may be in a folder that contains `docs_dir`.
            if not _is_in(docs, folder):
                self._is_content[folder] = False

    def select(self, paths: set[str], own_source: str | None) -> tuple[str, ...]:
        """Return the real paths of the files that are content, sorted, without the own source."""
        # Most pages read only their own source file, and resolving paths is slow.
        selected = {self._find_content(path) for path in paths - {own_source}}
        if selected and own_source is not None:
            selected.discard(os.path.realpath(own_source))
        return tuple(sorted(filter(None, selected)))

    def _find_content(self, path: str) -> str | None:
        if path not in self._real_paths:
            real_path = os.path.realpath(path)
            folder, name = os.path.split(real_path)
            is_content = name not in _NOT_CONTENT and self._is_content_folder(folder)
            if not is_content or not os.path.isfile(real_path):
                return None
            self._real_paths[path] = real_path
        return self._real_paths[path]

    def _is_content_folder(self, folder: str) -> bool:
        unknown = []
        while folder not in self._is_content and folder != os.path.dirname(folder):
            unknown.append(folder)
            folder = os.path.dirname(folder)
        is_content = self._is_content.get(folder, False)  # The root folder is not content.
        for folder in reversed(unknown):
            is_content = is_content and not _is_tool_folder(folder)
            self._is_content[folder] = is_content
        return is_content


def _is_tool_folder(folder: str) -> bool:
    return os.path.basename(folder) in _NOT_CONTENT or any(
        os.path.exists(os.path.join(folder, marker)) for marker in _MARKERS
    )


def _is_in(path: str, folder: str) -> bool:
    return path == folder or path.startswith(os.path.join(folder, ""))


def _repository(folder: str) -> str | None:
    while not os.path.exists(os.path.join(folder, ".git")):
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent
    return folder
