"""What pages show of their front matter, and the files that it uses."""

import os
import sys
from collections.abc import Iterator
from functools import cached_property
from types import ModuleType
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.pages import Page
from mkdocs.utils import meta

from docs_sitemap.config.typed_values import as_text
from docs_sitemap.page import Source
from docs_sitemap.shown.front_matter import (
    FrontMatterKeys,
    names_in_code,
    names_in_macros,
    names_in_module,
    names_in_options,
    names_in_templates,
)
from docs_sitemap.sources.meta_files import meta_sources
from docs_sitemap.sources.page_templates import PageTemplates

# Plugins of the generator, and this one, read only keys that no page shows.
_OWN_PACKAGES = ("mkdocs", "properdocs", "mkdocs_sitemap")


def find_words(config: MkDocsConfig) -> set[str]:
    """Return the names in the templates, hooks, and plugins of a site, and in the
    options of plugins.
    """
    words: set[str] = set()
    for folder in config.theme.dirs:
        is_theme = folder != config.theme.custom_dir
        words |= names_in_templates(folder, is_theme=is_theme)
    for plugin in config.plugins.values():
        if isinstance(plugin, ModuleType):  # a hook
            for path in _files_of_hook(plugin):
                words |= names_in_code(path)
            continue
        module = type(plugin).__module__
        if module.partition(".")[0] not in _OWN_PACKAGES:
            words |= names_in_module(module)
        words |= names_in_options(dict(plugin.config))
    if "macros" in config.plugins:
        macros: Any = config.plugins["macros"]
        folder = macros.project_dir
        module = os.path.join(folder, macros.config["module_name"])
        include_dir = macros.config["include_dir"]
        if include_dir:
            include_dir = os.path.join(folder, include_dir)
        words |= names_in_macros(module, include_dir or None)
    return words


def _files_of_hook(hook: ModuleType) -> Iterator[str]:
    """Yield the file of a hook, and the modules next to it that it has imported."""
    path = str(hook.__file__)
    yield path
    for module in list(sys.modules.values()):
        file = getattr(module, "__file__", None) or ""
        if os.path.dirname(file) == os.path.dirname(path):
            yield file


class FrontMatterFiles:
    """Finds the files that the front matter of a page uses.

    Args:
        config: The configuration of MkDocs.
        keys: Decides which keys of front matter the pages show.
    """

    def __init__(self, config: MkDocsConfig, keys: FrontMatterKeys) -> None:
        self._docs_dir = config.docs_dir
        self._theme = config.theme
        self._keys = keys

    @cached_property
    def _templates(self) -> PageTemplates:
        folders = self._theme.dirs
        start = 1 if self._theme.custom_dir else 0
        env = self._theme.get_env()
        return PageTemplates(env, folders[:start], folders[start:], ["main.html"])

    def sources(self, page: Page) -> Iterator[Source]:
        """Yield the files that a page uses."""
        # Plugins set the template of all their pages, such as `blog-post.html`.
        if "template" in page.meta:
            front_matter = meta.get_data(page.file.content_string)[1]
            name = as_text(front_matter.get("template"))
            for path in self._templates.files_of(name):
                yield Source(path)
        # The meta plugin notes here which files it has used for the page.
        for name in page.meta.get("__extends", ()):
            path = os.path.join(self._docs_dir, name)
            yield from meta_sources(path, page.file.content_string, self._keys)
