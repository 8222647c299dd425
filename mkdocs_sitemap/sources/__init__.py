"""Find the files that each page is built from.

Each of the adapters knows how one plugin or Markdown extension includes files. To
support another one, write a module in `adapters/` with the two functions of `Adapter`,
and add it here with the packages that it follows.
"""

import os
import sys
from collections import defaultdict
from collections.abc import Collection, Sequence
from contextlib import ExitStack
from importlib import import_module

import msgspec
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File
from mkdocs.structure.pages import Page
from mkdocs.utils import meta

from docs_sitemap.page import Source, SourceRole
from docs_sitemap.shown.front_matter import FrontMatterKeys
from docs_sitemap.tools.files import RealPaths
from docs_sitemap.tools.printing import describe_error
from mkdocs_sitemap.config import project_folder
from mkdocs_sitemap.front_matter import FrontMatterFiles

from .adapters import (
    Adapter,
    Call,
    Plugins,
    RenderedPage,
    is_standard_library,
    record_calls,
)

# The adapters, and the packages that they follow. Builds load those that follow nothing
# or one of the loaded packages. The latter have nothing to do for pages without calls.
_ADAPTERS = {
    "blog": (),
    "click": ("mkdocs_click", "mkdocs_typer"),
    "hooks": (),
    "include_markdown": ("mkdocs_include_markdown_plugin",),
    "includes": (
        "mdx_include",
        "markdown_include",
        "codeinclude",
        "mkdocs_table_reader_plugin",
    ),
    "macros": ("mkdocs_macros",),
    "markdown_exec": ("markdown_exec",),
    "mkdocstrings": ("mkdocstrings",),
    "snippets": ("pymdownx.snippets",),
}

_NOT_RENDERED = (
    "with --dirty, MkDocs renders only changed pages, so the sources of all others "
    "are unknown. Fix: build without --dirty"
)


class Parts(msgspec.Struct, frozen=True):
    """What plugins and hooks add to a page.

    Attributes:
        sources: The known files that the page includes; `None` if MkDocs has not
            rendered it.
        ran_code: See `docs_sitemap.Page`.
        unknown_because: The same.
    """

    sources: tuple[Source, ...] | None
    ran_code: tuple[str, ...] = ()
    unknown_because: str = ""


class _RenderedPage(msgspec.Struct, frozen=True):
    """What is known of a page whose text is complete.

    Attributes:
        file: The page.
        sources: The files that it includes, with any spelling of their paths.
        ran_code: See `Parts`.
        unknown_because: The same.
    """

    file: File
    sources: list[Source]
    ran_code: set[str]
    unknown_because: str


class PageSources:
    """Finds the files that each page includes, while MkDocs renders one page after the
    other.

    Args:
        config: The configuration of MkDocs.
        front_matter: Decides which keys of front matter the pages show.
    """

    def __init__(self, config: MkDocsConfig, front_matter: FrontMatterKeys) -> None:
        self._front_matter_files = FrontMatterFiles(config, front_matter)
        self._parts: dict[str, Parts] = {}  # by output file
        self._rendered: list[_RenderedPage] = []
        self._adapters: dict[str, Adapter] = {}
        # The calls for the current page, by adapter.
        self._calls = defaultdict[str, list[Call]](list)
        # Why the sources of pages are unknown, by adapter.
        self._failed: dict[str, str] = {}
        self._failure = ""  # the reason for all pages
        self._recording = ExitStack()
        self._recorded: set[tuple[int, str]] = set()
        self._module_count = 0
        self._real_path = RealPaths().resolve

    def start_page(self, config: MkDocsConfig) -> None:
        """Start recording what the plugins include for another page."""
        for calls in self._calls.values():
            calls.clear()
        # An extension may be loaded when MkDocs renders the first page.
        if self._module_count != len(sys.modules):
            self._load_adapters()
            self._module_count = len(sys.modules)
            self._start_recording(config.plugins)

    def _load_adapters(self) -> None:
        for name, packages in _ADAPTERS.items():
            if not packages or not sys.modules.keys().isdisjoint(packages):
                self._adapters[name] = import_module(f".adapters.{name}", __name__)

    def _start_recording(self, plugins: Plugins) -> None:
        self._failure = ""
        for name, adapter in self._adapters.items():
            try:
                for owner, function in adapter.functions(plugins):
                    if (id(owner), function) not in self._recorded:
                        stop = record_calls(owner, function, self._calls[name])
                        self._recording.callback(stop)
                        self._recorded.add((id(owner), function))
            # Other versions of the plugin may have other internals.
            except Exception as error:
                self._failure = self._describe(name, error)

    def finish_page(self, page: Page, html: str, config: MkDocsConfig) -> None:
        """Find the files that a page includes: its text is complete.

        Args:
            page: The page.
            html: The HTML of its text, without the theme.
            config: The configuration of MkDocs.
        """
        found: list[Source] = []
        ran_code: set[str] = set()
        failure = self._failure
        try:
            found.extend(self._front_matter_files.sources(page))
        # Authors can write anything, and templates may be unreadable.
        except Exception as error:
            failure = self._describe("front matter", error)
        plugins = config.plugins  # MkDocs looks up each attribute.
        for name, adapter in self._adapters.items():
            calls = self._calls[name]
            if _ADAPTERS[name] and not calls:
                continue
            try:
                rendered = RenderedPage(page, html, plugins, calls, ran_code)
                found.extend(adapter.sources(rendered))
            except Exception as error:  # as above
                failure = self._describe(name, error)
        self._rendered.append(_RenderedPage(page.file, found, ran_code, failure))

    def _describe(self, adapter: str, error: Exception) -> str:
        """Return why the sources of a page are unknown."""
        reason = (
            f"the files that {adapter} includes are unknown: {describe_error(error)}"
        )
        # Other pages mostly have the same reason, in other words.
        return self._failed.setdefault(adapter, reason)

    def stop(self) -> None:
        """Stop recording: all pages are complete, or the build has failed."""
        self._recording.close()
        self._recorded.clear()
        self._module_count = 0
        # One after the other, this takes much less time than between other plugins.
        for page in self._rendered:
            self._parts[page.file.abs_dest_path] = Parts(
                sources=self._select(page.sources, page.file),
                ran_code=tuple(sorted(page.ran_code)),
                unknown_because=page.unknown_because,
            )
        self._rendered.clear()

    def parts_of(self, file: File, config: MkDocsConfig) -> Parts:
        """Return all sources of a page, its own file included, and what else is known
        of them.
        """
        parts = self._parts.get(file.abs_dest_path)
        if parts is None or parts.sources is None:
            return Parts(None, unknown_because=_NOT_RENDERED)
        sources = add_document(file, parts.sources, config)
        return Parts(sources, parts.ran_code, parts.unknown_because)

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
            if path != source.path:  # Adapters set no `ref`.
                source = Source(path, source.role, source.shows, source.is_optional)
            selected[path, source.shows.name] = source
        return tuple(selected[key] for key in sorted(selected))


def add_document(
    file: File, parts: Sequence[Source], config: MkDocsConfig
) -> tuple[Source, ...]:
    """Return all sources of a page; nothing if its text is generated from unknown
    files.

    Args:
        file: The page.
        parts: The files that the page includes.
        config: The configuration of MkDocs.
    """
    document = find_document(file, config)
    # The own file of such a page contributes nothing. Often, git ignores it.
    # A view of Material's blog lists posts: the index, an archive, or a category.
    is_view = bool(getattr(file.page, "posts", None))
    is_optional = bool(parts) and (is_view or _is_api_stub(file))
    if document is None:
        return tuple(parts) if is_optional else ()
    return (
        Source(document, SourceRole.DOCUMENT, is_optional=is_optional),
        *parts,
    )


def find_document(file: File, config: MkDocsConfig) -> str | None:
    """Return the source file of a page or of another file; `None` if a plugin generates
    it.
    """
    path = file.abs_src_path
    if path is None or file.generated_by is None:
        return path
    # Plugins generate pages from files of the project or from temporary files.
    project = os.path.join(project_folder(config), "")
    if path.startswith(project):
        return path
    return None


def _is_api_stub(file: File) -> bool:
    """Whether a page has no text of its own, only blocks of mkdocstrings."""
    # MkDocs reads the file again each time it is asked for the content.
    markdown = None if file.page is None else file.page.markdown
    if markdown is not None and "::: " not in markdown:
        return False
    content = file.content_string
    if "::: " not in content:
        return False
    # Few pages have blocks.
    from docs_sitemap.sources.mkdocstrings_blocks import has_only_blocks

    text, _ = meta.get_data(content)
    return has_only_blocks(text)
