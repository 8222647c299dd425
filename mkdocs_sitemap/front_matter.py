"""Which keys of front matter the pages of MkDocs show."""

import os
import re
import sys
from types import ModuleType
from typing import Any

from mkdocs.config.defaults import MkDocsConfig

from docs_sitemap.shown.front_matter import KeyReaders
from docs_sitemap.sources.key_readers import KeyReaderSearch, keys_in_code

# Plugins whose code does not name the keys that it reads, and the keys that they show.
_KNOWN_PLUGINS = {
    "awesome-nav": (),
    "awesome-pages": (),
    "blog": ("authors", "categories", "date", "links", "readtime"),
    "git-authors": (),
    "git-committers": (),
    "git-revision-date-localized": (),
    "macros": (),
    "meta": (),
    "print-site": (),
    "rss": (),
    "sitemap": (),
    "social": (),
    "tags": ("tags",),
    "typeset": (),
}

# How hooks read the front matter in the source of a page.
_SOURCE = re.compile(r"abs_src_path|content_string|front.?matter")

# A plugin that runs code of the project.
_SIMPLE_HOOKS = "mkdocs-simple-hooks"


def find_readers(config: MkDocsConfig) -> KeyReaders:
    """Return the keys that the templates, hooks, and plugins of a site read."""
    search = KeyReaderSearch()
    search.add_templates(config.theme.dirs)
    for full_name, plugin in config.plugins.items():
        # Material's plugins are in a namespace, and the second blog is `blog #2`.
        name = full_name.rpartition("/")[2].partition(" ")[0]
        if isinstance(plugin, ModuleType):  # a hook
            path = str(plugin.__file__)
            search.add_script(f"hook {full_name}", path, _keys_in_hook)
        elif name in _KNOWN_PLUGINS:
            search.keys.update(_KNOWN_PLUGINS[name])
        elif name == _SIMPLE_HOOKS:
            search.unknown.add(f"plugin {name}")
        else:
            module = sys.modules.get(type(plugin).__module__)
            search.add_module(f"plugin {name}", module, keys_in_code)
    tags = config.plugins.get("material/tags")
    if tags is not None:
        # Older versions of Material have no such option.
        search.keys.add(tags.config.get("tags_name_property", "tags"))
    if "macros" in config.plugins:
        _add_macros(config.plugins["macros"], search)
    return search.result()


def _keys_in_hook(text: str) -> set[str] | None:
    """Return the keys that a hook reads; `None` if it may read any key."""
    return keys_in_code(text) if _SOURCE.search(text) is None else None


def _add_macros(plugin: Any, search: KeyReaderSearch) -> None:
    """Add the module of the project for mkdocs-macros, and the files that pages include
    there.
    """
    module = os.path.join(plugin.project_dir, plugin.config["module_name"])
    search.add_folder("macros", module, keys_in_code)
    if os.path.isfile(f"{module}.py"):
        search.add_script("macros", f"{module}.py", keys_in_code)
    folder = plugin.config["include_dir"]
    if folder:
        search.add_jinja(os.path.join(plugin.project_dir, folder))
