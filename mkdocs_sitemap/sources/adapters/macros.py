"""mkdocs-macros: the templates that a page includes, and the files that define what it
uses.
"""

import functools
import inspect
import os
import re
from typing import Any

from docs_sitemap.sources.included_text import Selection, included_files
from docs_sitemap.sources.template_names import (
    BUILT_IN_VARIABLES,
    Definitions,
    definition_sources,
    find_data_files,
)
from mkdocs_sitemap.sources.adapters import (
    Functions,
    Plugins,
    RenderedPage,
    Sources,
    source_file,
)

_NAME = re.compile(r"\w+")


def functions(plugins: Plugins) -> Functions:
    if "macros" in plugins:
        for name in ("from_string", "get_template", "select_template"):
            yield plugins["macros"].env, name


def sources(page: RenderedPage) -> Sources:
    included: list[tuple[str, Selection]] = []
    texts = []
    templates = []
    for call in page.calls:
        template = call.result
        text = call.arguments[0]
        if template.name is not None:  # an included file
            included.append((template.filename, {}))
            loader = template.environment.loader
            text = loader.get_source(template.environment, template.name)[0]
        texts.append(text)
        templates.append(template.environment.parse(text))
    yield from included_files(included, texts)
    definitions = _definitions(page.plugins["macros"], template.environment)
    for source in definition_sources(definitions, templates):
        if source.path.endswith(".py"):
            page.ran_code.add("mkdocs-macros")
        yield source


@functools.lru_cache(maxsize=1)
def _definitions(plugin: Any, environment: object) -> list[Definitions]:
    """Return the files that define the names that pages can use.

    A file of the option `include_yaml` defines variables, and a Python file the macros
    and filters in it. All other variables are attributed to the module of the project.
    `mkdocs.yml` is not included, because it configures all pages.

    Args:
        plugin: The plugin.
        environment: Its environment, which is another one in each build.
    """
    definitions = list(
        find_data_files(plugin.config["include_yaml"], plugin.project_dir)
    )
    functions = plugin.macros | plugin.filters
    for name, function in functions.items():
        path = source_file(function)
        if path is not None:
            # For example, `define_env.<locals>.name`, or `Class.name`.
            names = {name, *_NAME.findall(inspect.unwrap(function).__qualname__)}
            definitions.append(Definitions(path, {name}, names))
    variables = plugin.variables
    others = set(variables) - BUILT_IN_VARIABLES
    for one in definitions:
        others -= one.names
    for name, value in variables["extra"].items():
        if variables[name] == value:
            others.discard(name)
    module = os.path.join(plugin.project_dir, plugin.config["module_name"])
    for path in (f"{module}.py", os.path.join(module, "__init__.py")):
        if os.path.isfile(path):
            definitions.append(Definitions(path, others))
    return definitions
