"""What the hooks of the plugin do."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING

import jinja2
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.plugins import get_plugin_logger
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page as MkDocsPage
from mkdocs.utils.templates import TemplateContext

from docs_sitemap.build import (
    build_sitemap,
    date_pages,
    remove_sitemap,
    with_few_collections,
)
from docs_sitemap.config.mkdocs_settings import find_conflicts
from docs_sitemap.config.options import Options
from docs_sitemap.config.read_options import with_published_address
from docs_sitemap.diagnostics import (
    Diagnostic,
    Diagnostics,
    OptionError,
    Severity,
    ShallowError,
)
from docs_sitemap.entry import Entry
from docs_sitemap.git.history import History
from docs_sitemap.page import Page
from docs_sitemap.shown.front_matter import FrontMatterKeys
from docs_sitemap.site import EditUrl, Site
from docs_sitemap.sitemap.protocol import Url
from docs_sitemap.sitemap.urls import BaseUrl
from docs_sitemap.tools.cache_folder import find_cache_folder

from .address import find_alias, find_languages, published_url, theme_language
from .config import SitemapConfig, config_file, core_options, project_folder
from .front_matter import find_words
from .pages import find_originals, has_own_sitemap, read_pages
from .sources import PageSources

if TYPE_CHECKING:
    from .page_dates import PageDates

log = get_plugin_logger("mkdocs_sitemap")

# The sitemap of MkDocs and of themes.
_TEMPLATE = "sitemap.xml"

# MkDocs accepts names that start with `on_` only for its own events.
_URL_HOOK = "edit_sitemap_url"


class SitemapBuild:
    """All builds with one plugin: one, or those of `mkdocs serve`, which share a
    history.

    Some plugins, such as mkdocs-static-i18n, build the other languages of a site within
    their own `on_post_build`, with the same plugin objects. The pages of all these
    builds are collected, with their dates if pages show them, and the sitemap is
    written at the end of the outermost build.

    Args:
        is_serving: Whether `mkdocs serve` builds the site.
    """

    def __init__(self, *, is_serving: bool) -> None:
        self._is_serving = is_serving
        self._history = History(find_cache_folder())
        self._options = Options()
        self._problem: Diagnostic | None = None  # why no sitemap can be written
        self._languages: dict[str, BaseUrl] | None = None
        self._depth = 0
        self._sources: PageSources
        self._page_dates: PageDates | None = None
        self._front_matter: FrontMatterKeys
        self._pages: list[Page] = []
        self._dated: list[Entry] = []
        self._originals: dict[str, str] = {}  # of files that are not pages
        self._is_owner = True

    def start(self, sitemap_config: SitemapConfig, config: MkDocsConfig) -> None:
        """Start a build, or one within it."""
        if self._depth == 0:
            try:
                self._read_options(sitemap_config, config)
            except OptionError as error:
                message = f"the sitemap plugin has invalid options: {error}"
                raise PluginError(message) from None
            self._pages = []
            self._dated = []
            self._originals = {}
            self._page_dates = None
            if self._options.page_dates:
                from .page_dates import PageDates  # Most sites show no dates.

                self._page_dates = PageDates()
            self._front_matter = FrontMatterKeys(partial(find_words, config))
            self._sources = PageSources(config, self._front_matter)
        self._depth += 1
        if self._options.template is not None:
            config.watch.append(self._options.template)
        # `on_env` of an outer build has removed the template. Without it, MkDocs would
        # publish the template as a static file of the theme.
        config.theme.static_templates.add(_TEMPLATE)

    def start_page(self, config: MkDocsConfig) -> None:
        """Note which files are read for the next page."""
        self._sources.start_page(config)

    def mark_dates(self, markdown: str, page: MkDocsPage) -> str:
        """Return the text of a page with tokens for the dates in it."""
        if self._page_dates is None:
            return markdown
        return self._page_dates.read_page(markdown, page)

    def finish_page(self, page: MkDocsPage, html: str, config: MkDocsConfig) -> None:
        """Note the sources of a page."""
        self._sources.finish_page(page, html, config)

    def collect_pages(
        self, files: Files, env: jinja2.Environment, config: MkDocsConfig
    ) -> None:
        """Collect the pages, and find their dates if pages show them."""
        # Next, MkDocs renders its own sitemap unless the template is removed. If an
        # earlier hook removed it, MkDocs would publish the template as a static file of
        # the theme.
        config.theme.static_templates.discard(_TEMPLATE)
        self._sources.stop()
        self._is_owner = not has_own_sitemap(self._options.filename, files, config)
        self._originals |= find_originals(files, config)
        documents = files.documentation_pages()
        has_dates = self._page_dates is not None
        pages = read_pages(documents, config, self._sources, page_dates=has_dates)
        if self._page_dates is not None:
            diagnostics = Diagnostics()
            entries = date_pages(self._site(pages, config), diagnostics)
            self._page_dates.set_dates(documents, entries, env, config)
            self._dated += entries
            _log_diagnostics(diagnostics)
        else:
            self._pages += pages

    def show_dates(self, page: MkDocsPage, context: TemplateContext) -> None:
        """Set the dates for the template of a page."""
        if self._page_dates is not None:
            self._page_dates.start_page(page, context)

    def replace_tokens(self, output: str, page: MkDocsPage) -> str:
        """Return the HTML of a page with dates instead of tokens."""
        if self._page_dates is None:
            return output
        return self._page_dates.finish_page(output, page)

    @with_few_collections()
    def finish(self, config: MkDocsConfig) -> None:
        """Write the sitemap at the end of the outermost build."""
        self._depth -= 1
        if self._depth > 0:
            return
        if self._page_dates is not None:
            _log_diagnostics(self._page_dates.report())
        if self._problem is None:
            self._write_sitemap(config)
            return
        removal = remove_sitemap(
            self._options, config.site_dir, is_owner=self._is_owner
        )
        _log_diagnostics([self._problem, *removal])

    def cancel(self) -> None:
        """End a build that has failed."""
        if self._depth:
            self._sources.stop()
        self._depth = 0

    def _read_options(
        self, sitemap_config: SitemapConfig, config: MkDocsConfig
    ) -> None:
        # Not in `on_config`, where hooks of the user may still change the options.
        options, self._problem = with_published_address(
            core_options(sitemap_config),
            published_url(config),
            setting="site_url",
            file=os.path.basename(config_file(config)),
        )
        if self._problem is None:
            self._languages = find_languages(options, config)
            if self._languages is None:
                options = options._replace(language=theme_language(config))
        self._options = options

    def _write_sitemap(self, config: MkDocsConfig) -> None:
        _log_diagnostics(find_alias(config))
        place = None
        if not self._is_owner:
            place = f"{os.path.basename(config.docs_dir)} or extra_templates"
        custom_dir = config.theme.custom_dir
        conflicts = find_conflicts(self._options, place=place, custom_dir=custom_dir)
        _log_diagnostics(conflicts)
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
            edit_url=_find_url_hook(config),
            find_original=self._originals.get,
            # Plugins add extensions that have no name.
            front_matter=self._front_matter,
            languages=self._languages,
            is_owner=self._is_owner,
            is_preview=self._is_serving,
        )


def _log_diagnostics(diagnostics: Iterable[Diagnostic]) -> None:
    for one in diagnostics:
        is_notice = one.severity is Severity.NOTICE
        log.log(logging.INFO if is_notice else logging.WARNING, one.message)


def _find_url_hook(config: MkDocsConfig) -> EditUrl | None:
    """Return a function that calls the hooks of all plugins and of the option `hooks`,
    in the order of the configuration; `None` if there are none.
    """
    # MkDocs adds the modules of the option `hooks` to the plugins.
    hooks = []
    for plugin in config.plugins.values():
        if hasattr(plugin, _URL_HOOK):
            hooks.append(getattr(plugin, _URL_HOOK))

    def edit_url(page: Page, url: Url) -> Url | None:
        edited: Url | None = url
        for hook in hooks:
            if edited is not None:
                edited = hook(page, edited)
        return edited

    return edit_url if hooks else None
