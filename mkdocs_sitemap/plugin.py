"""The hooks of the plugin, in the order in which MkDocs calls them."""

import logging
import os
from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property, partial

import jinja2
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.plugins import BasePlugin, event_priority, get_plugin_logger
from mkdocs.structure.files import Files
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page as MkDocsPage
from mkdocs.utils.templates import TemplateContext

from docs_sitemap.build import build_sitemap, date_pages, remove_sitemap
from docs_sitemap.config.options import Options
from docs_sitemap.configure import with_published_address
from docs_sitemap.diagnostics import Diagnostic, Diagnostics, Severity
from docs_sitemap.entry import Entry
from docs_sitemap.errors import OptionError, ShallowError
from docs_sitemap.git.history import History
from docs_sitemap.page import Page
from docs_sitemap.shown.front_matter import FrontMatterKeys
from docs_sitemap.site import Site
from docs_sitemap.sitemap.urls import BaseUrl
from docs_sitemap.tools.cache_folder import find_cache_folder

from .address import find_alias, published_url
from .config import SitemapConfig, core_options
from .conflicts import find_conflicts, has_own_sitemap
from .front_matter import find_readers
from .languages import find_languages, theme_language
from .page_dates import PageDates
from .pages import find_originals, read_pages
from .project import config_file, project_folder
from .sources import PageSources
from .url_hook import find_url_hook

log = get_plugin_logger("mkdocs_sitemap")

# The sitemap of MkDocs and of themes.
_TEMPLATE = "sitemap.xml"


class SitemapPlugin(BasePlugin[SitemapConfig]):  # type: ignore[no-untyped-call]
    """Replaces the built-in sitemap of MkDocs.

    Some plugins, such as mkdocs-static-i18n, build the other languages of a site within
    their own `on_post_build`, with the same plugin objects. The pages of all these
    builds are collected, with their dates if pages show them, and the sitemap is
    written at the end of the outermost build.
    """

    def __init__(self) -> None:
        self._is_serving = False
        self._options = Options()
        self._problem: Diagnostic | None = None  # why no sitemap can be written
        self._languages: dict[str, BaseUrl] | None = None
        self._depth = 0
        self._sources: PageSources
        self._page_dates: PageDates
        self._front_matter: FrontMatterKeys
        self._pages: list[Page] = []
        self._dated: list[Entry] = []
        self._originals: dict[str, str] = {}  # of HTML files that are not pages
        self._is_owner = True

    @cached_property
    def _history(self) -> History:
        return History(find_cache_folder())

    def on_startup(self, *, command: str, dirty: bool) -> None:
        # With this method, MkDocs keeps the plugin for all builds of `mkdocs serve`, so
        # that they share one history:
        # https://www.mkdocs.org/dev-guide/plugins/#on_startup.
        self._is_serving = command == "serve"

    def on_pre_build(self, *, config: MkDocsConfig) -> None:
        if self._depth == 0:
            try:
                self._read_options(config)
            except OptionError as error:
                message = f"the sitemap plugin has invalid options: {error}"
                raise PluginError(message) from None
            self._pages = []
            self._dated = []
            self._originals = {}
            self._page_dates = PageDates()
            self._front_matter = FrontMatterKeys(partial(find_readers, config))
            self._sources = PageSources(config, self._front_matter, find_cache_folder())
        self._depth += 1
        if self._options.template is not None:
            config.watch.append(self._options.template)
        # `on_env` of an outer build has removed the template. Without it, MkDocs would
        # publish the template as a static file of the theme.
        config.theme.static_templates.add(_TEMPLATE)

    @event_priority(1000)  # First, before the plugins that read files for a page.
    def on_pre_page(
        self, page: MkDocsPage, *, config: MkDocsConfig, files: Files
    ) -> None:
        self._sources.start_page(config)

    # Before macros replace variables, and after mkdocs-include-markdown (100).
    @event_priority(90)
    def on_page_markdown(
        self, markdown: str, *, page: MkDocsPage, config: MkDocsConfig, files: Files
    ) -> str:
        if not self._options.page_dates:
            return markdown
        return self._page_dates.read_page(markdown, page)

    @event_priority(-1000)  # Last, after the plugins that read files for a page.
    def on_page_content(
        self, html: str, *, page: MkDocsPage, config: MkDocsConfig, files: Files
    ) -> None:
        self._sources.finish_page(page, html, config)

    # Late, after the plugins that still change pages in this hook.
    @event_priority(-100)
    def on_env(
        self, env: jinja2.Environment, *, config: MkDocsConfig, files: Files
    ) -> None:
        # Next, MkDocs renders its own sitemap unless the template is removed. If an
        # earlier hook removed it, MkDocs would publish the template as a static file of
        # the theme.
        config.theme.static_templates.discard(_TEMPLATE)
        self._is_owner = not has_own_sitemap(self._options.filename, files, config)
        page_dates = self._options.page_dates
        self._originals |= find_originals(files, config)
        documents = files.documentation_pages()
        pages = read_pages(documents, config, self._sources, page_dates=page_dates)
        if page_dates:
            diagnostics = Diagnostics()
            entries = date_pages(self._site(pages, config), diagnostics)
            self._page_dates.set_dates(documents, entries, env, config)
            self._dated += entries
            _log_diagnostics(diagnostics)
        else:
            self._pages += pages

    @event_priority(-1000)  # Last, after the search plugins have read the content.
    def on_page_context(
        self,
        context: TemplateContext,
        *,
        page: MkDocsPage,
        config: MkDocsConfig,
        nav: Navigation,
    ) -> None:
        if self._options.page_dates:
            self._page_dates.start_page(page, context, config)

    @event_priority(1000)  # First, so that no other plugin receives a token.
    def on_post_page(
        self, output: str, *, page: MkDocsPage, config: MkDocsConfig
    ) -> str:
        if not self._options.page_dates:
            return output
        return self._page_dates.finish_page(output, page)

    # Last, after mkdocs-static-i18n (-100) has built the other languages.
    @event_priority(-200)
    def on_post_build(self, *, config: MkDocsConfig) -> None:
        self._depth -= 1
        if self._depth > 0:
            return
        self._sources.save()
        _log_diagnostics(self._page_dates.report())
        if self._problem is None:
            self._write_sitemap(config)
            return
        removal = remove_sitemap(
            self._options, config.site_dir, is_owner=self._is_owner
        )
        _log_diagnostics([self._problem, *removal])

    def on_build_error(self, *, error: Exception) -> None:
        if self._depth:
            self._sources.cancel_page()
        self._depth = 0

    def _read_options(self, config: MkDocsConfig) -> None:
        # Not in `on_config`, where hooks of the user may still change the options.
        options, self._problem = with_published_address(
            core_options(self.config),
            published_url(config),
            setting="site_url",
            file=os.path.basename(config_file(config)),
        )
        if self._problem is None:
            self._languages = find_languages(options, config)
            if self._languages is None:
                options = replace(options, language=theme_language(config))
        self._options = options

    def _write_sitemap(self, config: MkDocsConfig) -> None:
        _log_diagnostics(find_alias(config))
        _log_diagnostics(find_conflicts(self._options, config, is_owner=self._is_owner))
        try:
            result = build_sitemap(self._site(self._pages, config), self._dated)
        except ShallowError as error:  # MkDocs prints no traceback of a `PluginError`.
            raise PluginError(f"no sitemap is written: {error}") from None
        _log_diagnostics(result.diagnostics)
        if log.isEnabledFor(logging.DEBUG):
            for line in result.details:
                log.debug(line)
        log.info(result.summary)

    def _site(self, pages: list[Page], config: MkDocsConfig) -> Site:
        return Site(
            pages=pages,
            options=self._options,
            out_dir=config.site_dir,
            root=project_folder(config),
            history=self._history,
            edit_url=find_url_hook(config),
            find_original=self._originals.get,
            # Plugins add extensions that have no name.
            markdown_extensions=[str(name) for name in config.markdown_extensions],
            front_matter=self._front_matter,
            languages=self._languages,
            is_owner=self._is_owner,
            is_preview=self._is_serving,
        )


def _log_diagnostics(diagnostics: Iterable[Diagnostic]) -> None:
    for one in diagnostics:
        is_notice = one.severity is Severity.NOTICE
        log.log(logging.INFO if is_notice else logging.WARNING, one.message)
