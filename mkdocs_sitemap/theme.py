"""The `sitemap.xml` of the theme, for `template: theme`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import jinja2
from mkdocs.commands.build import get_context
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File
from mkdocs.structure.nav import Navigation

from docs_sitemap import Entry

TEMPLATE = "sitemap.xml"


@dataclass
class ThemeTemplate:
    """Renders the template of the theme as MkDocs does, but with escaping.

    The variable `pages` contains a `File` of MkDocs for each listed page, and `urls` a `Url`.

    Attributes:
        env: The environment of the theme.
        config: The configuration of the site.
        nav: The navigation of the site.
        files: The pages by output file.
    """

    env: jinja2.Environment
    config: MkDocsConfig
    nav: Navigation
    files: Mapping[str, File]

    def __call__(self, listed: Sequence[Entry]) -> str:
        """Render a `<urlset>`. The template and other plugins may raise any exception."""
        files = [self._file(entry) for entry in listed]
        env, plugins = self.env.overlay(autoescape=True), self.config.plugins
        about: Mapping[str, Any] = {"template_name": TEMPLATE, "config": self.config}
        template = plugins.on_pre_template(env.get_template(TEMPLATE), **about)
        context = get_context(self.nav, files, self.config, base_url=".")
        context = plugins.on_template_context(context, **about)
        output = template.render(context, urls=[entry.url for entry in listed])
        return str(plugins.on_post_template(output, **about))

    def _file(self, entry: Entry) -> Any:
        file: Any = self.files.get(entry.page.output or "")
        if file is None:  # an HTML file that is not a page of MkDocs, but that `include` lists
            loc = entry.loc
            page = SimpleNamespace(canonical_url=loc, abs_url=loc, is_link=False)
            file = SimpleNamespace(url=entry.page.url, src_uri=entry.page.name, page=page)
        if file.page is not None:
            file.page.update_date = entry.url.lastmod or ""
        return file
