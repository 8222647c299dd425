"""The files that the front matter of a page uses: its template, and the files such as
`.meta.yml` of Material's meta plugin.
"""

import os
from contextlib import suppress
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.pages import Page
from mkdocs.utils import meta

from docs_sitemap.page import Source
from docs_sitemap.shown import COMPLETE_FILE, Shown, ShownKind
from docs_sitemap.shown.front_matter import FrontMatterKeys, names_in_jinja
from docs_sitemap.sources.page_templates import PageTemplates
from docs_sitemap.tools.front_matter import SplitDocument

from .adapters import Sources


class FrontMatterFiles:
    """Finds the files that the front matter of a page uses.

    Args:
        config: The configuration of MkDocs.
        keys: Decides which keys of front matter the pages show.
    """

    def __init__(self, config: MkDocsConfig, keys: FrontMatterKeys) -> None:
        self._docs_dir = config.docs_dir
        self._keys = keys
        project = config.theme.dirs[:1] if config.theme.custom_dir else []
        theme = config.theme.dirs[len(project) :]
        self._templates = PageTemplates(project, theme, ["main.html"])

    def sources(self, page: Page) -> Sources:
        """Yield the files that a page uses."""
        # Plugins set the template of all their pages, such as `blog-post.html`.
        if "template" in page.meta:
            front_matter = meta.get_data(page.file.content_string)[1]
            for path in self._templates.find(str(front_matter.get("template", ""))):
                yield Source(path)
        # The meta plugin notes here which files it has used for the page.
        for name in page.meta.get("__extends", ()):
            path = os.path.join(self._docs_dir, name)
            with suppress(OSError, ValueError):
                text = Path(path).read_text(encoding="utf-8-sig")
                keys = SplitDocument(text, "").read_values().keys()
                shows = Shown(ShownKind.TEXT)
                if keys & names_in_jinja(page.file.content_string):
                    shows = COMPLETE_FILE
                if shows == COMPLETE_FILE or any(map(self._keys.shows, keys)):
                    yield Source(path, shows=shows)
