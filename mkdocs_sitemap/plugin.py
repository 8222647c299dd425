"""The hooks of the plugin."""

from __future__ import annotations

import logging
import os
from dataclasses import replace
from pathlib import Path

import jinja2
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.plugins import BasePlugin, event_priority, get_plugin_logger
from mkdocs.structure.files import File, Files
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page as MkDocsPage
from mkdocs.utils.templates import TemplateContext
from platformdirs import user_cache_path

from docs_sitemap import (
    History,
    Page,
    ShallowError,
    UrlError,
    build_sitemap,
    check_base_url,
    remove_sitemap,
)
from mkdocs_sitemap.config import THEME_TEMPLATE, SitemapConfig, own_templates, read_options
from mkdocs_sitemap.conflicts import own_file, own_template
from mkdocs_sitemap.dependencies import Dependencies
from mkdocs_sitemap.pages import read_pages
from mkdocs_sitemap.theme import TEMPLATE, ThemeRenderer

log = get_plugin_logger(__name__)


class SitemapPlugin(BasePlugin[SitemapConfig]):  # type: ignore[no-untyped-call]  # MkDocs' own
    """Replaces MkDocs' built-in sitemap.

    A plugin such as mkdocs-static-i18n runs further builds inside its own `on_post_build`, one
    a language, with the same plugin objects: pages are gathered from all of them, and the
    sitemap is written at the end of the outermost.
    """

    def __init__(self) -> None:
        self._serves = False
        self._depth = 0
        self._pages: list[tuple[Page, File]] = []
        self._cache_dir = _cache_dir()
        self._history = History(self._cache_dir)
        self._dependencies: Dependencies | None = None

    def on_startup(self, *, command: str, **_: object) -> None:
        # MkDocs keeps a plugin that has this method while it serves: rebuilds do not wait for git
        # to say again what the first build was told.
        self._serves = command == "serve"

    def on_pre_build(self, *, config: MkDocsConfig) -> None:
        if self._depth == 0:
            self._pages = []
            self._dependencies = (
                Dependencies(config, self._cache_dir)
                if self.config["detect_dependencies"] is not False
                and self.config["lastmod"] is not False
                else None
            )
        self._depth += 1
        # A build inside a build would otherwise find the template to be a file of the theme, and
        # publish it as it is.
        config.theme.static_templates.add(TEMPLATE)
        config.watch += own_templates(self.config)

    def on_files(self, files: Files, *, config: MkDocsConfig) -> None:
        # Nor are one's own templates pages or files of the theme, wherever they lie.
        templates = {os.path.realpath(path) for path in own_templates(self.config)}
        for file in list(files) if templates else ():
            if file.abs_src_path and os.path.realpath(file.abs_src_path) in templates:
                files.remove(file)

    @event_priority(1000)  # First, before the plugins that read files for a page.
    def on_pre_page(self, page: MkDocsPage, *, config: MkDocsConfig, files: Files) -> None:
        if self._dependencies is not None:
            self._dependencies.start(config)

    @event_priority(-1000)  # Last, after them.
    def on_page_content(
        self, html: str, *, page: MkDocsPage, config: MkDocsConfig, files: Files
    ) -> None:
        if self._dependencies is not None:
            self._dependencies.stop(page.file)

    # In `on_nav`, another plugin might change it later, and awesome-pages would warn of that.
    def on_page_context(
        self, context: TemplateContext, *, page: MkDocsPage, config: MkDocsConfig, nav: Navigation
    ) -> None:
        self._nav = nav

    @event_priority(-100)  # Late, after the plugins that still change pages here.
    def on_env(self, env: jinja2.Environment, *, config: MkDocsConfig, files: Files) -> None:
        # Not earlier: MkDocs would publish the template as it is.
        config.theme.static_templates.discard(TEMPLATE)
        self._env = env
        self._files = files
        # `mkdocs build --dirty` may build no page that has the navigation.
        pages = (file.page for file in files.documentation_pages())
        self._nav = Navigation([], [page for page in pages if page is not None])
        known = self._dependencies
        self._pages += read_pages(files, config, known.of if known else lambda _: ())

    @event_priority(-200)  # Last, after mkdocs-static-i18n (-100) has built the other languages.
    def on_post_build(self, *, config: MkDocsConfig) -> None:
        self._depth -= 1
        if self._depth == 0:
            if self._dependencies is not None:
                self._dependencies.remember()
            self._write(config)

    def on_build_error(self, **_: object) -> None:
        self._depth = 0
        if self._dependencies is not None:
            self._dependencies.give_up()

    def _write(self, config: MkDocsConfig) -> None:
        options = read_options(self.config)
        owner = own_file(options.filename, config, self._files)
        try:
            base_url = check_base_url(_site_url(config))
        except UrlError as error:
            log.warning(
                f"no sitemap is written: {error}; set site_url in {_config_file(config)} to the "
                "address at which the site is published"
            )
            for problem in remove_sitemap(options, config.site_dir, owned=owner is None):
                log.warning(problem.message)
            return
        if owner is not None:
            log.warning(
                f"{owner}, which the sitemap plugin replaces by its own; remove one of the two, "
                "or give the plugin another filename"
            )
        renderer = None
        if self.config["template"] == THEME_TEMPLATE:
            files = {file.abs_dest_path: file for _, file in self._pages}
            renderer = ThemeRenderer(self._env, config, self._nav, files, options)
        elif self.config["template"] is None and (path := own_template(config)) is not None:
            log.warning(
                f"{path} is not used; set the sitemap plugin's option template to "
                f"{THEME_TEMPLATE!r} to use it, or remove it"
            )
        pages = [page for page, _ in self._pages]
        options = replace(options, base_url=base_url)
        if self._serves:  # it may lie where a change of it starts the next build
            options = replace(options, report=None)
        try:
            report = build_sitemap(
                pages,
                options,
                config.site_dir,
                renderer=renderer,
                owned=owner is None,
                root=_project(config),
                history=self._history,
                keep_report=not self._serves,  # of a folder that is gone once it ends
            )
        except ShallowError as error:
            raise PluginError(f"no sitemap is written: {error}") from None
        for problem in report.problems:
            log.warning(problem.message)
        for line in report.details if log.isEnabledFor(logging.DEBUG) else ():
            log.debug(line)
        log.info(report.summary)


def _site_url(config: MkDocsConfig) -> str:
    if not config.site_url:
        raise UrlError("site_url is not set")
    return config.site_url


def _project(config: MkDocsConfig) -> str:
    return os.path.dirname(os.path.abspath(config.config_file_path or "mkdocs.yml"))


def _cache_dir() -> Path | None:
    path = user_cache_path("docs-sitemap")
    return path if path.is_absolute() else None  # no home


def _config_file(config: MkDocsConfig) -> str:
    return os.path.basename(config.config_file_path or "mkdocs.yml")
