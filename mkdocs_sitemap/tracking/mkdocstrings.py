"""mkdocstrings and its handler for Python: the modules that a page documents."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import jinja2


def handler_environments(plugin: Any) -> list[jinja2.Environment]:
    """Return the template environments of the configured handlers."""
    environments = []
    for name in dict.fromkeys([plugin.config.default_handler, *plugin.config.handlers]):
        try:
            environments.append(plugin.handlers.get_handler(name).env)
        except Exception:  # noqa: S112  # A handler that is not installed renders nothing.
            continue
    return environments


def shows_source(plugin: Any, markdown: str, content: str) -> bool:
    """Return whether a page may show the code of the objects that it documents.

    Source: <https://mkdocstrings.github.io/python/usage/configuration/general/#show_source>.

    Args:
        plugin: The plugin mkdocstrings.
        markdown: The Markdown of the page.
        content: Its HTML, without the theme.
    """
    options = plugin.config.handlers.get("python", {}).get("options", {})
    is_off = options.get("show_source") is False and "show_source" not in markdown
    # A custom template can show anything.
    return not is_off or bool(plugin.config.custom_templates) or "mkdocstrings-source" in content


def documented_files(values: Iterable[object]) -> set[str]:
    """Return the files of those values that are objects of Griffe, such as modules and classes."""
    paths: set[str] = set()
    for value in values:
        if not type(value).__module__.startswith("griffe."):
            continue
        try:
            path: Any = value.filepath  # type: ignore[attr-defined]
        except Exception:  # noqa: S112  # a built-in module, or an alias that cannot be resolved
            continue
        # A namespace package has a list of folders. The types of a module may be in a stub file.
        if not isinstance(path, list):
            paths.update((str(path), str(path.with_suffix(".pyi"))))
    return paths
