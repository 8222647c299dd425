"""The tracker of source files. This class is the interface of the package."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from docs_sitemap import COMPLETE_FILE, Shown, ShownKind, selected_lines
from mkdocs_sitemap.tracking import mkdocstrings
from mkdocs_sitemap.tracking.attribution import PageFiles, attribute
from mkdocs_sitemap.tracking.command_docs import documented_commands
from mkdocs_sitemap.tracking.configuration import is_configuration
from mkdocs_sitemap.tracking.definitions import Definitions, RenderedPage
from mkdocs_sitemap.tracking.macros import find_definitions
from mkdocs_sitemap.tracking.opened_files import Call, start_recording, stop_recording
from mkdocs_sitemap.tracking.project_content import ProjectContent
from mkdocs_sitemap.tracking.saved_sources import SavedSources
from mkdocs_sitemap.tracking.snippets import view_of
from mkdocs_sitemap.tracking.template_lookups import CodeCache, Lookups, observe

# The options of plugins for folders with templates. Like the templates of a theme, such templates
# change how pages look, but are not part of their text.
_TEMPLATE_FOLDERS = {"mkdocstrings": "custom_templates", "social": "cards_layout_dir"}


class SourceTracker:
    """Finds the files that each page reads while MkDocs renders it.

    MkDocs renders the text of one page after the other. Files that the page includes, and that are
    opened meanwhile, are sources of the current page. Files that other code opens are sources if
    that code does not keep them in memory for other pages. mkdocs-macros and mkdocstrings also read
    files in advance, for all pages. Of these, the files that define what the templates of a page
    look up are its sources.
    """

    def __init__(self, config: MkDocsConfig, cache_dir: Path | None) -> None:
        self._content = ProjectContent(config, _template_folders(config))
        self._saved = SavedSources(config, cache_dir)
        self._rendered: dict[str, PageFiles] = {}  # by output file, in the current build
        self._calls: Counter[tuple[str, Call]] = Counter()  # of files, by the number of pages
        self._pages: dict[str, PageFiles] = {}  # the same in all builds of all languages
        self._reread: set[str] = set()
        self._sources: dict[str, tuple[str, ...] | None] = {}
        self._texts: dict[str, str] = {}  # of included files
        self._definitions: dict[str, Definitions | None] = {}
        self._macros: Any = None
        self._macros_code = CodeCache()
        self._macros_definitions: Mapping[str, set[str]] | None = None
        self._macros_lookups = Lookups()
        self._mkdocstrings: Any = None
        self._mkdocstrings_lookups = Lookups()
        self._is_observed = False

    def start_page(self, config: MkDocsConfig) -> None:
        """Start recording the files of a page."""
        self._macros_lookups.clear()
        self._mkdocstrings_lookups.clear()
        try:
            self._observe_plugins(config)
            self._is_observed = True
        except Exception:  # other versions of these plugins may have other internals
            self._is_observed = False
        start_recording(*([] if self._macros is None else [self._macros.env]))

    def finish_page(self, page: Page, content: str) -> None:
        """Stop recording: the text of the page is complete.

        Args:
            page: The page.
            content: Its HTML, without the theme.
        """
        opened = stop_recording()
        file = page.file
        try:
            documented = self._documented_modules(page.markdown or "", content)
            complete = self._macros_files() | documented_commands(page.markdown or "")
        except Exception:  # as above
            self._is_observed = False
        if not self._is_observed:
            self._sources[file.abs_dest_path] = None
            return
        shown = self._included_files(opened.included, page, content, bool(documented))
        shown += [*documented.items(), *((path, COMPLETE_FILE) for path in complete)]
        others = set()
        for path, calls in opened.others.items():
            if not is_configuration(path):
                for source in self._content.select({path}, file.abs_src_path):
                    others.add(source)
                    self._calls.update((source, call) for call in calls)
        views: defaultdict[str, set[Shown]] = defaultdict(set)
        for path, view in shown:
            for source in self._content.select({path}, file.abs_src_path):
                views[source].add(view)
        self._rendered[file.abs_dest_path] = PageFiles(
            tuple(sorted(views)),
            tuple(sorted(others)),
            {
                source: view
                for source, (view, *more) in sorted(views.items())
                if not more and view != COMPLETE_FILE and source not in others
            },
        )

    def finish_pages(self, files: Files) -> None:
        """Set the sources of each page, after all pages of this language are complete.

        `mkdocs build --dirty` renders only changed pages. What the others read is known if the
        build that rendered them has saved it.
        """
        documents = {file.abs_dest_path: file for file in files.documentation_pages()}
        pages = {}
        for output in documents.keys() - self._sources.keys():
            page = self._rendered.get(output) or self._saved.load(output)
            if page is not None:
                pages[output] = page
        reread = {path for (path, _), count in self._calls.items() if count > 1}
        if pages.keys() - self._rendered.keys():
            reread.update(self._saved.reread)
        self._sources |= attribute(pages, reread, documents)
        self._pages |= pages
        self._reread |= reread
        self._rendered = {}
        self._calls.clear()

    def cancel_page(self) -> None:
        """Stop recording: the build has failed, perhaps within a page."""
        stop_recording()

    def sources_of(self, file: File) -> tuple[str, ...] | None:
        """Return the absolute paths of the files, sorted; `None` if they are unknown."""
        return self._sources.get(file.abs_dest_path)

    def views_of(self, file: File) -> Mapping[str, Shown]:
        """Return what the page shows of its sources, if it does not show all of them."""
        page = self._pages.get(file.abs_dest_path)
        return {} if page is None else page.views

    def save(self) -> None:
        """Save what the pages read for `mkdocs build --dirty`, after all pages are written."""
        self._saved.save(self._pages, self._reread)

    def _documented_modules(self, markdown: str, content: str) -> dict[str, Shown]:
        """Return the modules that mkdocstrings documents, and what the page shows of them."""
        objects = mkdocstrings.documented_objects(self._mkdocstrings_lookups.values.values())
        return {
            path: mkdocstrings.view_of(names, self._mkdocstrings, markdown, content)
            for path, names in objects.items()
        }

    def _included_files(
        self, included: Mapping[str, set[str]], page: Page, content: str, has_documented: bool
    ) -> list[tuple[str, Shown]]:
        """Return the included files, without those whose definitions the page does not use, and
        what the page shows of them.
        """
        views = {path: view_of(statements) for path, statements in included.items()}
        definitions = {}
        for path in included.keys() - {page.file.abs_src_path}:
            if path not in self._texts:
                self._texts[path] = _read(path)
                self._definitions[path] = Definitions.parse(self._texts[path])
            definitions[path] = self._definitions[path]
        if not any(definitions.values()):
            return [*views.items()]
        # The Markdown of docstrings is unknown.
        markdown = None
        if not has_documented:
            texts = [self._texts[path] for path, value in definitions.items() if value is None]
            markdown = "\n".join([page.markdown or "", *texts])
        rendered = RenderedPage(content, markdown)
        for path, value in definitions.items():
            used = None if value is None else value.used_by(rendered)
            if used is not None and not used:
                del views[path]
            elif used is not None and views[path] == COMPLETE_FILE:
                views[path] = _definitions_view(used)
        return [*views.items()]

    def _observe_plugins(self, config: MkDocsConfig) -> None:
        self._macros = config.plugins.get("macros")
        if self._macros is not None:
            environment = self._macros.env
            # Each page must open its templates again, but need not compile them again.
            if environment.cache is not None:
                environment.cache.clear()
            environment.bytecode_cache = environment.bytecode_cache or self._macros_code
            observe(environment, self._macros_lookups)
        self._mkdocstrings = config.plugins.get("mkdocstrings")
        if self._mkdocstrings is not None:
            for environment in mkdocstrings.handler_environments(self._mkdocstrings):
                observe(environment, self._mkdocstrings_lookups)

    def _macros_files(self) -> set[str]:
        names = self._macros_lookups.names
        if not names:
            return set()
        if self._macros_definitions is None:
            self._macros_definitions = find_definitions(self._macros)
        return set().union(*(self._macros_definitions.get(name, ()) for name in names))


def _definitions_view(starts: Iterable[str]) -> Shown:
    parts = [selected_lines(definition=start) for start in sorted(starts)]
    return Shown(ShownKind.LINES, tuple(parts))


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8-sig") as file:
            return file.read()
    except (OSError, ValueError):
        return ""


def _template_folders(config: MkDocsConfig) -> list[str]:
    folders = []
    for name, plugin in config.plugins.items():
        # Material's plugins may have a prefix: `material/social`.
        option = _TEMPLATE_FOLDERS.get(name.rpartition("/")[2])
        if option is not None and plugin.config.get(option):
            folders.append(plugin.config[option])
    return folders
