"""mkdocstrings and its handler for Python: the modules that a page documents."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Set
from typing import Any

import jinja2

from docs_sitemap import COMPLETE_FILE, CountedChanges, SourceView, selected_lines


def handler_environments(plugin: Any) -> list[jinja2.Environment]:
    """Return the template environments of the configured handlers."""
    environments = []
    for name in dict.fromkeys([plugin.config.default_handler, *plugin.config.handlers]):
        try:
            environments.append(plugin.handlers.get_handler(name).env)
        except Exception:  # noqa: S112  # A handler that is not installed renders nothing.
            continue
    return environments


def view_of(names: Set[str], plugin: Any, markdown: str, content: str) -> SourceView:
    """Return what a page shows of a module.

    Source: <https://mkdocstrings.github.io/python/usage/configuration/general/#show_source>.

    Args:
        names: The names of the documented objects.
        plugin: The plugin mkdocstrings.
        markdown: The Markdown of the page.
        content: Its HTML, without the theme.
    """
    options = plugin.config.handlers.get("python", {}).get("options", {})
    is_off = options.get("show_source") is False and "show_source" not in markdown
    shows_source = not is_off or "mkdocstrings-source" in content
    # A custom template can show anything.
    if plugin.config.custom_templates or (shows_source and "" in names):
        return COMPLETE_FILE
    # A page that documents a class shows its members, too.
    parts = [name for name in sorted(names) if not _has_parent(name, names)]
    if shows_source:
        return SourceView(
            CountedChanges.LINES, tuple(selected_lines(pyobject=part) for part in parts)
        )
    return SourceView(CountedChanges.API, () if "" in names else tuple(parts))


def _has_parent(name: str, names: Set[str]) -> bool:
    parent = name.rpartition(".")[0]
    return parent != "" and (parent in names or _has_parent(parent, names))


def documented_objects(values: Iterable[object]) -> dict[str, set[str]]:
    """Return the objects of Griffe among some values, such as modules and classes: their files, and
    their names from the module on. The name of a module is empty.
    """
    objects: defaultdict[str, set[str]] = defaultdict(set)
    for value in values:
        if not type(value).__module__.startswith("griffe."):
            continue
        griffe_object: Any = value
        try:
            path = griffe_object.filepath
            # The module that defines the object, if another one only imports it.
            module = griffe_object.module.canonical_path
            name = griffe_object.canonical_path.removeprefix(module).removeprefix(".")
        except Exception:  # noqa: S112  # a built-in module, or an alias that cannot be resolved
            continue
        # A namespace package has a list of folders. The types of a module may be in a stub file.
        if not isinstance(path, list):
            objects[str(path)].add(name)
            objects[str(path.with_suffix(".pyi"))].add(name)
    return dict(objects)
