"""Each page is watched while it is made."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File

from mkdocs_sitemap.dependencies.apidocs import files_of, handler_environments, is_documented
from mkdocs_sitemap.dependencies.context import Compiled, ObservedFilters, observe
from mkdocs_sitemap.dependencies.macros import find_origins
from mkdocs_sitemap.dependencies.memory import Memory
from mkdocs_sitemap.dependencies.project import Project
from mkdocs_sitemap.dependencies.reads import start_reading, stop_reading

# Folders with templates of plugins, which shape pages as those of the theme do.
_TEMPLATES = {"mkdocstrings": "custom_templates", "social": "cards_layout_dir"}


class Dependencies:
    """Finds them by watching: MkDocs makes the text of one page after the other, and what is
    read meanwhile is what the page is made from.

    mkdocs-macros and mkdocstrings read files ahead, for all pages: what their templates use is
    watched as well.
    """

    def __init__(self, config: MkDocsConfig, cache_dir: Path | None) -> None:
        self._project = Project(config, _templates(config))
        self._memory = Memory(config, cache_dir)
        self._found: dict[str, tuple[str, ...]] = {}
        self._names: set[str] = set()
        self._objects: dict[int, object] = {}
        self._origins: Mapping[str, set[str]] = {}
        self._compiled = Compiled()

    def start(self, config: MkDocsConfig) -> None:
        """Watch, for a page begins."""
        self._macros: Any = config.plugins.get("macros")
        if self._macros is not None:
            environment = self._macros.env
            # What is in there was read for another page.
            if environment.cache is not None:
                environment.cache.clear()
            environment.bytecode_cache = environment.bytecode_cache or self._compiled
            observe(environment, self._note_name)
            if not isinstance(environment.filters, ObservedFilters):
                environment.filters = ObservedFilters(environment.filters, self._note_filter)
        mkdocstrings = config.plugins.get("mkdocstrings")
        for environment in handler_environments(mkdocstrings) if mkdocstrings else ():
            observe(environment, self._note_object)
        self._names.clear()
        self._objects.clear()
        start_reading()

    def stop(self, file: File) -> None:
        """Note what the page is made from, for its text is complete."""
        paths = stop_reading().union(*map(files_of, self._objects.values()))
        if self._names:
            origins = self._origins = self._origins or find_origins(self._macros)
            paths.update(*(origins[name] for name in self._names & origins.keys()))
        found = self._project.content(paths)
        if file.abs_src_path is not None:
            found -= self._project.content([file.abs_src_path])
        self._found[file.abs_dest_path] = tuple(sorted(found))

    def of(self, file: File) -> tuple[str, ...] | None:
        """Return the absolute paths, sorted; `None` if they are not known.

        They are not if this build did not make the page (`mkdocs build --dirty`), and the one
        that did is not remembered.
        """
        found = self._found.get(file.abs_dest_path)
        if found is None:
            found = self._memory.recall(file.abs_dest_path)
            if found is not None:
                self._found[file.abs_dest_path] = found
        return found

    @staticmethod
    def give_up() -> None:
        """Stop watching, for the build has failed, maybe in the middle of a page."""
        stop_reading()

    def remember(self) -> None:
        """Keep what is known for the next build, for this one has written its pages."""
        self._memory.remember(self._found)

    def _note_name(self, name: str, value: object) -> None:
        self._names.add(name)

    def _note_filter(self, name: str) -> None:
        self._names.add(f"|{name}")

    def _note_object(self, name: str, value: object) -> None:
        if is_documented(value):
            self._objects[id(value)] = value


def _templates(config: MkDocsConfig) -> list[str]:
    plugins = {name.rpartition("/")[2]: plugin for name, plugin in config.plugins.items()}
    known = plugins.keys() & _TEMPLATES.keys()
    paths = [plugins[name].config.get(_TEMPLATES[name]) for name in known]
    return [path for path in paths if path]
