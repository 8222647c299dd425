"""The files that define what templates in the Markdown of a page use, as mkdocs-macros
reads them: data, and modules with macros, filters, and variables.
"""

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Set
from typing import Any, NamedTuple

import yaml
from jinja2 import nodes

from docs_sitemap.page import Source
from docs_sitemap.shown import Shown, ShownKind, selected_lines
from docs_sitemap.tools.files import read_text_file

BUILT_IN_VARIABLES = frozenset(
    {
        "config",
        "environment",
        "extra",
        "files",
        "filters",
        "filters_builtin",
        "git",
        "macros",
        "navigation",
        "page",
        "plugin",
    }
)
"""Variables of mkdocs-macros itself: the configuration, and the state of the build."""


class Definitions(NamedTuple):
    """What a file defines.

    Attributes:
        path: The file.
        names: The names that templates can use.
        functions: The names in Python of the functions that run if one of them is used.
    """

    path: str
    names: Set[str]
    functions: Set[str] = frozenset()


def find_names(template: nodes.Template) -> set[str]:
    """Return the names that a template uses."""
    names = set()
    for name in template.find_all(nodes.Name):
        names.add(name.name)
    for one in template.find_all(nodes.Filter):
        names.add(one.name)
    for constant in template.find_all(nodes.Const):  # {{ values | map("filter") }}
        if isinstance(constant.value, str):
            names.add(constant.value)
    return names


def find_data_files(entries: Iterable[Any], folder: str) -> Iterator[Definitions]:
    """Yield the files of the option `include_yaml`, and the variables that they define.

    Args:
        entries: The value of the option: a file, or a key under which the content of a
            file is available.
        folder: The folder of the project.

    Raises:
        OSError: A file cannot be read.
        ValueError: It is not UTF-8.
        yaml.YAMLError: It is not YAML.
    """
    for entry in entries:
        if isinstance(entry, dict):
            for key, name in entry.items():
                yield Definitions(os.path.join(folder, name), {key})
            continue
        path = os.path.join(folder, entry)
        if os.path.isfile(path):
            names = yaml.safe_load(read_text_file(path, "strict")) or ()
            yield Definitions(path, set(names))


def definition_sources(
    definitions: Iterable[Definitions], templates: Iterable[nodes.Template]
) -> Iterator[Source]:
    """Yield the files that define what templates use: complete data, and the code of
    modules that runs.
    """
    used: defaultdict[str, set[str]] = defaultdict(set)
    all_definitions = list(definitions)
    for template in templates:
        names = find_names(template)
        for path, defined, functions in all_definitions:
            if names & defined:
                used[path] |= functions
    for path, functions in used.items():
        if not path.endswith(".py"):
            yield Source(path)
            continue
        part = selected_lines(functions=" ".join(sorted(functions)))
        yield Source(path, shows=Shown(ShownKind.LINES, (part,)))
