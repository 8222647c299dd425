"""Find the files that each page is built from.

Each of the adapters knows how one plugin or Markdown extension includes files. To
support another one, write a module in `adapters/` with the two functions of `Adapter`.
"""

import functools
import importlib
import os
import pkgutil
from collections.abc import Callable, Collection
from dataclasses import replace
from pathlib import Path
from typing import cast

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File
from mkdocs.structure.pages import Page

from docs_sitemap import Source, describe_error

from . import adapters
from .adapter import Adapter, Call, RenderedPage, record_calls
from .document import add_document
from .python_files import is_standard_library
from .saved import Parts, SavedSources


class PageSources:
    """Finds the files that each page includes, while MkDocs renders one page after the
    other.

    Args:
        config: The configuration of MkDocs.
        cache_dir: The folder for what `mkdocs build --dirty` needs; `None` to save
            nothing.
    """

    def __init__(self, config: MkDocsConfig, cache_dir: Path | None) -> None:
        self._saved = SavedSources(config, cache_dir)
        self._parts = self._saved.load()  # by output file
        self._adapters = {
            name: cast(Adapter, importlib.import_module(f"{adapters.__name__}.{name}"))
            for _, name, _ in pkgutil.iter_modules(adapters.__path__)
        }
        self._calls: dict[str, list[Call]] = {}
        self._failed: dict[
            str, str
        ] = {}  # why the sources of pages are unknown, by adapter
        self._failure = ""  # of the page
        self._undo: list[Callable[[], None]] = []
        self._real_path = functools.cache(os.path.realpath)

    def start_page(self, config: MkDocsConfig) -> None:
        """Start recording what the plugins include."""
        self._calls, self._failure = {}, ""
        for name, adapter in self._adapters.items():
            calls = self._calls[name] = []
            try:
                for owner, function in adapter.functions(config.plugins):
                    self._undo.append(record_calls(owner, function, calls))
            except (
                Exception
            ) as error:  # Other versions of the plugin may have other internals.
                self._fail(name, error)

    def finish_page(self, page: Page, html: str, config: MkDocsConfig) -> None:
        """Find the files that a page includes: its text is complete.

        Args:
            page: The page.
            html: The HTML of its text, without the theme.
            config: The configuration of MkDocs.
        """
        self.cancel_page()
        found: set[Source] = set()
        ran_code: set[str] = set()
        for name, calls in self._calls.items():
            try:
                rendered = RenderedPage(page, html, config.plugins, calls, ran_code)
                found.update(self._adapters[name].sources(rendered))
            except Exception as error:  # as above
                self._fail(name, error)
        # A page has no date if any of its sources is unknown.
        sources = None if self._failure else self._select(found, page.file)
        parts = Parts(sources, tuple(sorted(ran_code)), self._failure)
        self._parts[page.file.abs_dest_path] = parts

    def _fail(self, adapter: str, error: Exception) -> None:
        reason = (
            f"the files that {adapter} includes are unknown: {describe_error(error)}"
        )
        # Other pages mostly have the same reason, in other words.
        self._failure = self._failed.setdefault(adapter, reason)

    def cancel_page(self) -> None:
        """Stop recording. The build has perhaps failed within a page."""
        while self._undo:
            self._undo.pop()()

    def find(self, file: File, config: MkDocsConfig) -> Parts:
        """Return all sources of a page, its own file included, and what else is known
        of them.
        """
        parts = self._parts.get(file.abs_dest_path, Parts(None))
        if parts.sources is None:
            return parts
        return replace(parts, sources=add_document(file, parts.sources, config))

    def save(self) -> None:
        """Save what the pages include for dirty builds, after all pages are written."""
        self._saved.save(self._parts)

    def _select(self, sources: Collection[Source], file: File) -> tuple[Source, ...]:
        """Return all files without the page's own file and those of Python."""
        if not sources:
            return ()
        own = self._real_path(file.abs_src_path or "")
        selected = {}
        for source in sorted(sources, key=lambda source: not source.is_optional):
            path = self._real_path(source.path)
            if path != own and not is_standard_library(path):
                selected[path, source.shows.key] = replace(source, path=path)
        return tuple(selected[key] for key in sorted(selected))
