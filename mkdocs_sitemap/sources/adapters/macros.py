"""mkdocs-macros: the templates that a page includes, and the files that define what it
uses.
"""

import functools
import inspect
import os
import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import yaml
from jinja2 import nodes

from docs_sitemap.page import Source
from docs_sitemap.shown import Shown, ShownKind, selected_lines
from docs_sitemap.tools.files import read_text_file
from mkdocs_sitemap.sources.adapters import (
    Functions,
    Plugins,
    RenderedPage,
    Selection,
    Sources,
    included_files,
    source_file,
)

# Variables of the plugin itself: the configuration, and the state of the build.
_BUILT_IN = {
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

_NAME = re.compile(r"\w+")

_Definitions = tuple[str, set[str], set[str]]
"""A file, the names that it defines for pages, and the names in Python of the functions
that run.
"""


def functions(plugins: Plugins) -> Functions:
    if "macros" in plugins:
        for name in ("from_string", "get_template", "select_template"):
            yield plugins["macros"].env, name


def sources(page: RenderedPage) -> Sources:
    included: list[tuple[str, Selection]] = []
    texts = []
    used: defaultdict[str, set[str]] = defaultdict(set)
    for call in page.calls:
        template = call.result
        text = call.arguments[0]
        if template.name is not None:  # an included file
            included.append((template.filename, {}))
            loader = template.environment.loader
            text = loader.get_source(template.environment, template.name)[0]
        texts.append(text)
        tree = template.environment.parse(text)
        names = set()
        for node in tree.find_all((nodes.Name, nodes.Filter)):
            names.add(node.name)
        for constant in tree.find_all(nodes.Const):  # {{ values | map("filter") }}
            names.add(constant.value)
        plugin = page.plugins["macros"]
        for path, defined, functions in _definitions(plugin, template.environment):
            if names & defined:
                used[path] |= functions
    yield from included_files(included, texts)
    for path, functions in used.items():
        if not path.endswith(".py"):
            yield Source(path)
            continue
        page.ran_code.add("mkdocs-macros")
        part = selected_lines(functions=" ".join(sorted(functions)))
        yield Source(path, shows=Shown(ShownKind.LINES, (part,)))


@functools.lru_cache(maxsize=1)
def _definitions(plugin: Any, environment: object) -> list[_Definitions]:
    """Return the files that define the names that pages can use.

    A file of the option `include_yaml` defines variables, and a Python file the macros
    and filters in it. All other variables are attributed to the module of the project.
    `mkdocs.yml` is not included, because it configures all pages.

    Args:
        plugin: The plugin.
        environment: Its environment, which is another one in each build.
    """
    definitions = list(_yaml_files(plugin))
    functions = plugin.macros | plugin.filters
    for name, function in functions.items():
        path = source_file(function)
        if path is not None:
            # For example, `define_env.<locals>.name`, or `Class.name`.
            names = {name, *_NAME.findall(inspect.unwrap(function).__qualname__)}
            definitions.append((path, {name}, names))
    variables = plugin.variables
    others = set(variables) - _BUILT_IN
    for _, names, _ in definitions:
        others -= names
    for name, value in variables["extra"].items():
        if variables[name] == value:
            others.discard(name)
    module = os.path.join(plugin.project_dir, plugin.config["module_name"])
    for path in (f"{module}.py", os.path.join(module, "__init__.py")):
        if os.path.isfile(path):
            definitions.append((path, others, set()))
    return definitions


def _yaml_files(plugin: Any) -> Iterator[_Definitions]:
    for entry in plugin.config["include_yaml"]:
        # Either a file, or a key under which the content of a file is available.
        if isinstance(entry, dict):
            for key, name in entry.items():
                yield os.path.join(plugin.project_dir, name), {key}, set()
            continue
        path = os.path.join(plugin.project_dir, entry)
        if os.path.isfile(path):
            names = yaml.safe_load(read_text_file(path, "strict")) or ()
            yield path, set(names), set()
