"""The hooks of the plugin, in the order in which MkDocs calls them."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import jinja2
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.plugins import BasePlugin, event_priority
from mkdocs.structure.files import Files
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page
from mkdocs.utils.templates import TemplateContext

from .config import SitemapConfig

if TYPE_CHECKING:
    from .build import SitemapBuild


class SitemapPlugin(BasePlugin[SitemapConfig]):  # type: ignore[no-untyped-call]
    """Replaces the built-in sitemap of MkDocs."""

    def __init__(self) -> None:
        self._is_serving = False

    @cached_property
    def _build(self) -> SitemapBuild:
        # Not every command that loads the configuration builds the site.
        from .build import SitemapBuild

        return SitemapBuild(is_serving=self._is_serving)

    def on_startup(self, *, command: str, dirty: bool) -> None:
        # With this method, MkDocs keeps the plugin for all builds of `mkdocs serve`, so
        # that they share one history:
        # https://www.mkdocs.org/dev-guide/plugins/#on_startup.
        self._is_serving = command == "serve"

    def on_pre_build(self, *, config: MkDocsConfig) -> None:
        self._build.start(self.config, config)

    @event_priority(1000)  # First, before the plugins that read files for a page.
    def on_pre_page(self, page: Page, *, config: MkDocsConfig, files: Files) -> None:
        self._build.start_page(config)

    # Before macros replace variables, and after mkdocs-include-markdown (100).
    @event_priority(90)
    def on_page_markdown(
        self, markdown: str, *, page: Page, config: MkDocsConfig, files: Files
    ) -> str:
        return self._build.mark_dates(markdown, page)

    @event_priority(-1000)  # Last, after the plugins that read files for a page.
    def on_page_content(
        self, html: str, *, page: Page, config: MkDocsConfig, files: Files
    ) -> None:
        self._build.finish_page(page, html, config)

    # Late, after the plugins that still change pages in this hook.
    @event_priority(-100)
    def on_env(
        self, env: jinja2.Environment, *, config: MkDocsConfig, files: Files
    ) -> None:
        self._build.collect_pages(files, env, config)

    @event_priority(-1000)  # Last, after the search plugins have read the content.
    def on_page_context(
        self,
        context: TemplateContext,
        *,
        page: Page,
        config: MkDocsConfig,
        nav: Navigation,
    ) -> None:
        self._build.show_dates(page, context)

    @event_priority(1000)  # First, so that no other plugin receives a token.
    def on_post_page(self, output: str, *, page: Page, config: MkDocsConfig) -> str:
        return self._build.replace_tokens(output, page)

    # Last, after mkdocs-static-i18n (-100) has built the other languages.
    @event_priority(-200)
    def on_post_build(self, *, config: MkDocsConfig) -> None:
        self._build.finish(config)

    def on_build_error(self, *, error: Exception) -> None:
        self._build.cancel()
