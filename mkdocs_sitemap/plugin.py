"""The hooks of the plugin, in the order in which MkDocs calls them."""

from __future__ import annotations

import logging
import os
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.plugins import BasePlugin, event_priority, get_plugin_logger
from mkdocs.structure.files import File, Files
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page as MkDocsPage
from mkdocs.utils.templates import TemplateContext

# Only what every command of MkDocs needs is imported here. The rest is imported when a build needs
# it: `docs_sitemap` loads the module of each name when it is used.
import docs_sitemap
from docs_sitemap import OptionError, Options, ShallowError, UrlError
from docs_sitemap.cache_folder import find_cache_folder
from docs_sitemap.hosting import published_elsewhere
from docs_sitemap.sitemap.urls import parse_base_url
from mkdocs_sitemap.config import THEME_TEMPLATE, SitemapConfig, core_options
from mkdocs_sitemap.conflicts import find_replaced_file, find_template_override
from mkdocs_sitemap.hooks import find_url_hook
from mkdocs_sitemap.linked_languages import check_languages, link_languages, with_language
from mkdocs_sitemap.mike_version import published_url
from mkdocs_sitemap.pages import GENERATOR_PAGES, read_pages
from mkdocs_sitemap.project import config_file
from mkdocs_sitemap.sources import PageSources
from mkdocs_sitemap.theme import TEMPLATE, ThemeTemplate

if TYPE_CHECKING:
    from pathlib import Path

    import jinja2

    from docs_sitemap import History, Page
    from docs_sitemap.record.store import LoadedRecord

log = get_plugin_logger("mkdocs_sitemap")


class SitemapPlugin(BasePlugin[SitemapConfig]):  # type: ignore[no-untyped-call]
    """Replaces the built-in sitemap of MkDocs.

    Some plugins, such as mkdocs-static-i18n, build the other languages of a site within their own
    `on_post_build`, with the same plugin objects. The pages of all these builds are collected, and
    the sitemap is written at the end of the outermost build.
    """

    def __init__(self) -> None:
        self._is_serving = False
        self._is_dirty = False
        self._options = Options()
        self._record: LoadedRecord | None = None
        self._depth = 0
        self._sources: PageSources
        self._pages: list[Page] = []
        self._files: dict[str, File] = {}
        self._replaced_file: str | None = None
        self._theme_template: ThemeTemplate | None = None

    @cached_property
    def _cache_dir(self) -> Path | None:
        return find_cache_folder()

    @cached_property
    def _history(self) -> History:
        return docs_sitemap.History(self._cache_dir)

    def on_startup(self, *, command: str, dirty: bool) -> None:
        # With this method, MkDocs keeps the plugin for all builds of `mkdocs serve`, so that they
        # share one history: https://www.mkdocs.org/dev-guide/plugins/#on_startup.
        self._is_serving = command == "serve"
        self._is_dirty = dirty

    def on_pre_build(self, *, config: MkDocsConfig) -> None:
        from docs_sitemap.dates import check_repository
        from docs_sitemap.record.store import load_record

        if self._depth == 0:
            # Not in `on_config`, where hooks of the user may still change the options.
            self._options = core_options(self.config)
            with suppress(UrlError):  # The end of the build warns of it.
                self._options_with_base_url(config)
            try:
                check_languages(self._options, config)
                check_repository(self._options)
            except OptionError as error:
                raise _invalid_options(error) from None
            # Next, MkDocs empties the folder of the site, which may contain the record.
            self._record = load_record(self._options)
            self._pages, self._files, self._theme_template = [], {}, None
            self._sources = PageSources(config, self._cache_dir)
        self._depth += 1
        config.watch += self._templates()
        # `on_env` of an outer build has removed the template. Without it, MkDocs would publish the
        # template as a static file of the theme.
        config.theme.static_templates.add(TEMPLATE)

    def on_files(self, files: Files, *, config: MkDocsConfig) -> None:
        # Templates of the user in `docs_dir` or `custom_dir` are not published.
        templates = {os.path.realpath(path) for path in self._templates()}
        for file in list(files) if templates else ():
            if file.abs_src_path and os.path.realpath(file.abs_src_path) in templates:
                files.remove(file)

    @event_priority(1000)  # First, before the plugins that read files for a page.
    def on_pre_page(self, page: MkDocsPage, *, config: MkDocsConfig, files: Files) -> None:
        self._sources.start_page(config)

    @event_priority(-1000)  # Last, after the plugins that read files for a page.
    def on_page_content(
        self, html: str, *, page: MkDocsPage, config: MkDocsConfig, files: Files
    ) -> None:
        self._sources.finish_page(page, html, config)

    @event_priority(-100)  # Late, after the plugins that still change pages in this hook.
    def on_env(self, env: jinja2.Environment, *, config: MkDocsConfig, files: Files) -> None:
        # Next, MkDocs renders its own sitemap unless the template is removed. If an earlier hook
        # removed it, MkDocs would publish the template as a static file of the theme.
        config.theme.static_templates.discard(TEMPLATE)
        self._replaced_file = find_replaced_file(self._options.filename, config, files)
        self._pages += read_pages(files, config, self._sources)
        self._files |= {file.abs_dest_path: file for file in files.documentation_pages()}
        if self.config["template"] == THEME_TEMPLATE:
            # `mkdocs build --dirty` may skip all pages, and `on_page_context` with them.
            pages = [file.page for file in files.documentation_pages() if file.page is not None]
            self._theme_template = ThemeTemplate(env, config, Navigation([], pages), self._files)

    # Not `on_nav`: later plugins may replace the navigation there.
    def on_page_context(
        self, context: TemplateContext, *, page: MkDocsPage, config: MkDocsConfig, nav: Navigation
    ) -> None:
        if self._theme_template is not None:
            self._theme_template.nav = nav

    @event_priority(-200)  # Last, after mkdocs-static-i18n (-100) has built the other languages.
    def on_post_build(self, *, config: MkDocsConfig) -> None:
        self._depth -= 1
        if self._depth == 0:
            self._sources.save()
            self._write_sitemap(config)

    def on_build_error(self, *, error: Exception) -> None:
        if self._depth:
            self._sources.cancel_page()
        self._depth = 0

    def _templates(self) -> list[str]:
        """Return the template of the user, and the template of the index next to it."""
        if self._options.template is None:
            return []
        index = os.path.join(os.path.dirname(self._options.template), "sitemapindex.xml")
        return [self._options.template, *([index] if os.path.isfile(index) else [])]

    def _write_sitemap(self, config: MkDocsConfig) -> None:
        from docs_sitemap.git.run import forward_git_commands

        is_owner = self._replaced_file is None
        config_path = config_file(config)
        try:
            options = self._options_with_base_url(config)
        except UrlError as error:
            # Local builds often have no address.
            log.log(
                logging.WARNING if config.site_url else logging.INFO,
                f"no sitemap is written: {error}. Fix: set site_url in "
                f"{os.path.basename(config_path)} to the address of the published site.",
            )
            for one in docs_sitemap.remove_sitemap(
                self._options, config.site_dir, is_owner=is_owner
            ):
                log.warning(one.message)
            return
        self._warn_of_conflicts(config)
        published = published_elsewhere(options.page_base_url())
        if published is not None:
            log.warning(
                f"the URLs of the sitemap start with {config.site_url}, but Read the Docs "
                f"publishes this build at {published}. Fix: set "
                f"site_url: !ENV READTHEDOCS_CANONICAL_URL in {os.path.basename(config_path)}, or "
                "set enabled: false for the plugin in this build."
            )
        linked = link_languages(self._pages, options, config)
        for notice in () if self._is_serving else linked.notices:  # The address is a local one.
            log.info(notice)
        try:
            with forward_git_commands(log.debug):
                site = docs_sitemap.Site(
                    pages=linked.pages,
                    options=options,
                    out_dir=config.site_dir,
                    root=os.path.dirname(config_path),
                    history=self._history,
                    record=self._record,
                    render_sitemap=self._theme_template,
                    edit_url=find_url_hook(config),
                    languages=linked.languages,
                    generator_pages=GENERATOR_PAGES,
                    is_owner=is_owner,
                    is_preview=self._is_serving,
                    is_complete=not self._is_dirty,
                )
                report = docs_sitemap.build_sitemap(site)
        except ShallowError as error:
            raise PluginError(f"no sitemap is written: {error}") from None
        for one in report.diagnostics:
            is_notice = one.severity is docs_sitemap.Severity.NOTICE
            log.log(logging.INFO if is_notice else logging.WARNING, one.message)
        if log.isEnabledFor(logging.DEBUG):
            for line in report.details:
                log.debug(line)
        log.info(report.summary)

    def _options_with_base_url(self, config: MkDocsConfig) -> Options:
        """Return all options.

        Raises:
            UrlError: `site_url` is not set, or is invalid.
            PluginError: Other options do not fit `site_url`.
        """
        if not config.site_url:
            raise UrlError("site_url is not set")
        base_url = parse_base_url(published_url(config))
        try:
            return with_language(replace(self._options, base_url=base_url), config)
        except OptionError as error:
            raise _invalid_options(error) from None

    def _warn_of_conflicts(self, config: MkDocsConfig) -> None:
        if self._replaced_file is not None:
            log.warning(
                f"{self._replaced_file} is replaced: the sitemap plugin writes a file with this "
                "name. Fix: remove the file, or set the option filename of the plugin."
            )
        override = find_template_override(config)
        if override is not None and self.config["template"] is None:
            log.warning(
                f"{override} is not used: the sitemap plugin has its own template. Fix: set the "
                f"option template of the plugin to {THEME_TEMPLATE!r}, or remove the file."
            )


def _invalid_options(error: OptionError) -> PluginError:
    return PluginError(f"the sitemap plugin has invalid options: {error}")
