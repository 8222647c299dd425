"""The theme's own `sitemap.xml`, for those who ask for it by `template: theme`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import jinja2
from mkdocs.commands.build import get_context
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File
from mkdocs.structure.nav import Navigation

from docs_sitemap import Listed, Options, Renderer, TemplateError, to_xml

TEMPLATE = "sitemap.xml"


class ThemeRenderer:
    """Renders the theme's template as MkDocs would, but escaped, and with the pages and dates
    that the plugin selected: `pages` holds them as MkDocs' `File`, `urls` as the core's `Url`.
    """

    def __init__(
        self,
        env: jinja2.Environment,
        config: MkDocsConfig,
        nav: Navigation,
        files: Mapping[str, File],
        options: Options,
    ) -> None:
        self._env = env.overlay(autoescape=True)
        self._config = config
        self._nav = nav
        self._files = files
        self._options = options

    def sitemap(self, listed: Sequence[Listed]) -> bytes:
        try:
            return to_xml(self._render(listed), "urlset", TEMPLATE)
        except TemplateError:
            raise
        except Exception as error:  # a theme's template may raise anything
            message = f"the theme's {TEMPLATE} failed: {type(error).__name__}: {error}"
            raise TemplateError(message) from None

    def sitemapindex(self, locs: Sequence[str]) -> bytes:
        return Renderer(self._options).sitemapindex(locs)

    def _render(self, listed: Sequence[Listed]) -> str:
        pages = [self._files.get(entry.page.output or "", _stand_in(entry)) for entry in listed]
        for file, entry in zip(pages, listed, strict=True):
            if file.page is not None:
                file.page.update_date = entry.url.lastmod or ""
        plugins = self._config.plugins
        about: Mapping[str, Any] = {"template_name": TEMPLATE, "config": self._config}
        template = plugins.on_pre_template(self._env.get_template(TEMPLATE), **about)
        context = get_context(self._nav, pages, self._config, base_url=".")
        context = plugins.on_template_context(context, **about)
        urls = [entry.url for entry in listed]
        output: str = plugins.on_post_template(template.render(context, urls=urls), **about)
        return output


def _stand_in(entry: Listed) -> Any:
    """What a template reads of a page that MkDocs does not know: other HTML that is included."""
    page = SimpleNamespace(canonical_url=entry.url.loc, abs_url=entry.url.loc, is_link=False)
    return SimpleNamespace(url=entry.page.url, src_uri=entry.page.name, page=page)
