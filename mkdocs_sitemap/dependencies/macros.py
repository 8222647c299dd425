"""mkdocs-macros-plugin: the files that the names come from which a page prints."""

from __future__ import annotations

import inspect
import os
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

import yaml

# What mkdocs-macros-plugin defines itself: the configuration, and the state of the build.
_STANDARD = {"config", "environment", "extra", "files", "filters", "filters_builtin"} | {
    *("git", "macros", "navigation", "page", "plugin"),
}


def find_origins(plugin: Any) -> Mapping[str, set[str]]:
    """Return, for each name that a page can print, the files that it comes from.

    A variable comes from the files of the option `include_yaml`, a macro or a filter from the
    Python file that defines it, and a variable of no other known origin from the module of the
    project. `mkdocs.yml` is not among them: it configures all pages.
    """
    origins: dict[str, set[str]] = defaultdict(set)
    for name, path in _data(plugin):
        origins[name].add(path)
    functions = plugin.macros | {f"|{name}": value for name, value in plugin.filters.items()}
    for name, function in functions.items():
        origins[name].update(_defined_in(function))
    variables = plugin.variables
    configured = {name for name, value in variables["extra"].items() if variables[name] == value}
    module = os.path.join(plugin.project_dir, plugin.config["module_name"])
    for name in variables.keys() - configured - origins.keys() - _STANDARD:
        origins[name].update((f"{module}.py", os.path.join(module, "__init__.py")))
    return origins


def _data(plugin: Any) -> Iterable[tuple[str, str]]:
    for entry in plugin.config["include_yaml"]:
        [(key, name)] = entry.items() if isinstance(entry, dict) else [(None, entry)]
        path = os.path.join(plugin.project_dir, name)
        yield from ((name, path) for name in ([key] if key else _top_level(path)))


def _top_level(path: str) -> list[str]:
    try:
        with open(path, encoding="utf-8") as file:
            content = yaml.safe_load(file)
            return [str(key) for key in content] if isinstance(content, dict) else []
    except (OSError, ValueError, yaml.YAMLError):
        return []  # the plugin has said so


def _defined_in(function: Any) -> tuple[str, ...]:
    try:
        path = inspect.getsourcefile(inspect.unwrap(function))
    except (TypeError, ValueError):
        return ()  # it is not written in Python, or not a function
    return () if path is None else (path,)
