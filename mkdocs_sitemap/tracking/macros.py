"""mkdocs-macros-plugin: the files that define the variables, macros, and filters of a page."""

from __future__ import annotations

import inspect
import os
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

import yaml

# Variables of the plugin itself: the configuration, and the state of the build.
_BUILT_IN = {"config", "environment", "extra", "files", "filters", "filters_builtin"} | {
    *("git", "macros", "navigation", "page", "plugin"),
}


def find_definitions(plugin: Any) -> Mapping[str, set[str]]:
    """Return the files that define each name that a page can use. Names of filters start with `|`.

    A file of the option `include_yaml` defines variables, and a Python file the macros and
    filters in it. All other variables are attributed to the module of the project. `mkdocs.yml`
    is not included, because it configures all pages.
    """
    definitions: dict[str, set[str]] = defaultdict(set)
    for name, path in _yaml_variables(plugin):
        definitions[name].add(path)
    functions = plugin.macros | {f"|{name}": value for name, value in plugin.filters.items()}
    for name, function in functions.items():
        definitions[name].update(_source_file(function))
    variables = plugin.variables
    configured = {name for name, value in variables["extra"].items() if variables[name] == value}
    module = os.path.join(plugin.project_dir, plugin.config["module_name"])
    for name in variables.keys() - configured - definitions.keys() - _BUILT_IN:
        definitions[name].update((f"{module}.py", os.path.join(module, "__init__.py")))
    return definitions


def _yaml_variables(plugin: Any) -> Iterator[tuple[str, str]]:
    for entry in plugin.config["include_yaml"]:
        # Either a file, or a key under which the content of a file is available.
        [(key, name)] = entry.items() if isinstance(entry, dict) else [(None, entry)]
        path = os.path.join(plugin.project_dir, name)
        for variable in [key] if key else _top_level_keys(path):
            yield variable, path


def _top_level_keys(path: str) -> list[str]:
    try:
        with open(path, encoding="utf-8") as file:
            content = yaml.safe_load(file)
    except (OSError, ValueError, yaml.YAMLError):
        return []  # The plugin has reported the error.
    return [str(key) for key in content] if isinstance(content, dict) else []


def _source_file(function: Any) -> tuple[str, ...]:
    try:
        path = inspect.getsourcefile(inspect.unwrap(function))
    except (TypeError, ValueError):
        return ()  # not a function, or not written in Python
    return () if path is None else (path,)
