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
        # `None`: what the page was made from could not be seen.
        self._found: dict[str, tuple[str, ...] | None] = {}
        self._names: set[str] = set()
        self._objects: dict[int, object] = {}
        self._origins: Mapping[str, set[str]] = {}
        self._compiled = Compiled()

    def start(self, config: MkDocsConfig) -> None:
        """Watch, for a page begins."""
        self._names.clear()
        self._objects.clear()
        try:
            self._observe_templates(config)
            self._observed = True
        except Exception:  # another version of a plugin may be made in another way
            self._observed = False
        start_reading()

    def _observe_templates(self, config: MkDocsConfig) -> None:
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

    def stop(self, file: File) -> None:
        """Note what the page is made from, for its text is complete."""
        paths = stop_reading().union(*map(files_of, self._objects.values()))
        self._found[file.abs_dest_path] = None
        if not self._observed:
            return
        if self._names:
            try:
                self._origins = self._origins or find_origins(self._macros)
            except Exception:
                return
            named = self._names & self._origins.keys()
            paths.update(*(self._origins[name] for name in named))
        found = self._project.content(paths)
        if file.abs_src_path is not None:
            found -= self._project.content([file.abs_src_path])
        self._found[file.abs_dest_path] = tuple(sorted(found))

    def of(self, file: File) -> tuple[str, ...] | None:
        """Return the absolute paths, sorted; `None` if they are not known.

        They are not if this build did not make the page (`mkdocs build --dirty`), and the one
        that did is not remembered.
        """
        output = file.abs_dest_path
        if output not in self._found:
            self._found[output] = self._memory.recall(output)
        return self._found[output]

    @staticmethod
    def give_up() -> None:
        """Stop watching, for the build has failed, maybe in the middle of a page."""
        stop_reading()

    def remember(self) -> None:
        """Keep what is known for the next build, for this one has written its pages."""
        known = {output: found for output, found in self._found.items() if found is not None}
        self._memory.remember(known)

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
