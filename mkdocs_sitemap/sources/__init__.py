"""Find the files that each page is built from.

Each of the adapters knows how one plugin or Markdown extension includes files. To
support another one, write a module in `adapters/` with the two functions of `Adapter`,
and add it here.
"""

from collections.abc import Collection
from contextlib import ExitStack
from dataclasses import replace
from functools import cache
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File
from mkdocs.structure.pages import Page

from docs_sitemap.page import Source
from docs_sitemap.shown.front_matter import FrontMatterKeys
from docs_sitemap.tools.files import RealPaths
from docs_sitemap.tools.printing import describe_error

from .adapter import Adapter, Call, RenderedPage, record_calls
from .adapters import (
    blog,
    click,
    hooks,
    include_markdown,
    includes,
    macros,
    markdown_exec,
    mkdocstrings,
    snippets,
)
from .document import add_document
from .front_matter import FrontMatterFiles
from .python_files import is_standard_library
from .saved import Parts, SavedSources

_ADAPTERS: dict[str, Adapter] = {
    "blog": blog,
    "click": click,
    "hooks": hooks,
    "include_markdown": include_markdown,
    "includes": includes,
    "macros": macros,
    "markdown_exec": markdown_exec,
    "mkdocstrings": mkdocstrings,
    "snippets": snippets,
}


class PageSources:
    """Finds the files that each page includes, while MkDocs renders one page after the
    other.

    Args:
        config: The configuration of MkDocs.
        front_matter: Decides which keys of front matter the pages show.
        cache_dir: The folder for what `mkdocs build --dirty` needs; `None` to save
            nothing.
    """

    def __init__(
        self,
        config: MkDocsConfig,
        front_matter: FrontMatterKeys,
        cache_dir: Path | None,
    ) -> None:
        self._front_matter_files = FrontMatterFiles(config, front_matter)
        self._saved = SavedSources(config, cache_dir)
        self._parts = self._saved.load()  # by output file
        # The calls for the current page, by adapter.
        self._calls: dict[str, list[Call]] = {name: [] for name in _ADAPTERS}
        # Why the sources of pages are unknown, by adapter.
        self._failed: dict[str, str] = {}
        self._failure = ""  # of the page
        self._recording = ExitStack()
        self._recorded: set[tuple[int, str]] = set()
        self._real_path = cache(RealPaths().find)

    def start_page(self, config: MkDocsConfig) -> None:
        """Start recording what the plugins include for another page."""
        self._failure = ""
        plugins = config.plugins  # MkDocs looks up each attribute.
        for name, adapter in _ADAPTERS.items():
            calls = self._calls[name]
            calls.clear()
            try:
                for owner, function in adapter.functions(plugins):
                    if (id(owner), function) not in self._recorded:
                        stop = record_calls(owner, function, calls)
                        self._recording.callback(stop)
                        self._recorded.add((id(owner), function))
            # Other versions of the plugin may have other internals.
            except Exception as error:
                self._fail(name, error)

    def finish_page(self, page: Page, html: str, config: MkDocsConfig) -> None:
        """Find the files that a page includes: its text is complete.

        Args:
            page: The page.
            html: The HTML of its text, without the theme.
            config: The configuration of MkDocs.
        """
        found: list[Source] = []
        ran_code: set[str] = set()
        try:
            found.extend(self._front_matter_files.sources(page))
        # Authors can write anything, and templates may be unreadable.
        except Exception as error:
            self._fail("front matter", error)
        plugins = config.plugins
        for name, calls in self._calls.items():
            try:
                rendered = RenderedPage(page, html, plugins, calls, ran_code)
                sources = _ADAPTERS[name].sources(rendered)
                found.extend(sources)
            except Exception as error:  # as above
                self._fail(name, error)
        self._parts[page.file.abs_dest_path] = Parts(
            sources=self._select(found, page.file),
            ran_code=tuple(sorted(ran_code)),
            unknown_because=self._failure,
        )

    def _fail(self, adapter: str, error: Exception) -> None:
        reason = (
            f"the files that {adapter} includes are unknown: {describe_error(error)}"
        )
        # Other pages mostly have the same reason, in other words.
        self._failure = self._failed.setdefault(adapter, reason)

    def stop(self) -> None:
        """Stop recording: all pages are complete, or the build has failed."""
        self._recording.close()
        self._recorded.clear()

    def find(self, file: File, config: MkDocsConfig) -> Parts:
        """Return all sources of a page, its own file included, and what else is known
        of them.
        """
        parts = self._parts.get(file.abs_dest_path, Parts(None))
        if parts.sources is None:
            return parts
        sources = add_document(file, parts.sources, config)
        return replace(parts, sources=sources)

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
            if path == own or is_standard_library(path):
                continue
            if path != source.path:
                source = replace(source, path=path)
            selected[path, source.shows.key] = source
        return tuple(selected[key] for key in sorted(selected))
