"""The macros, filters, and variables of mkdocs-macros that a project defines, found
without running its modules.

Source: <https://mkdocs-macros-plugin.readthedocs.io/en/latest/macros/>.
"""

import ast
import os
from collections.abc import Iterator, Sequence, Set
from contextlib import suppress
from functools import lru_cache
from typing import NamedTuple

from docs_sitemap.shown.python_modules import (
    Function,
    last_name,
    parse_statements,
)
from docs_sitemap.sources.template_names import Definitions, find_data_files
from docs_sitemap.tools.files import read_text_file
from docs_sitemap_cli.generate.mkdocs_project.objects.object_tree import (
    ObjectTree,
    TreeObject,
)
from docs_sitemap_cli.generate.mkdocs_project.project import MkDocsProject

from .insertions import list_option, text_option

BUILT_IN = frozenset({"context", "fix_url", "macros_info", "now", "pretty"})
"""The macros and filters of the plugin itself."""

# The decorators of macros and filters.
_DECORATORS = ("macro", "filter")


class MacroDefinitions(NamedTuple):
    """What a project defines.

    Attributes:
        files: The files that define names, and these names.
        module: The module that defines other names when it runs; empty if there is
            none.
    """

    files: Sequence[Definitions]
    module: str = ""


@lru_cache(maxsize=1)  # It is the same for all pages.
def find_definitions(project: MkDocsProject, tree: ObjectTree) -> MacroDefinitions:
    """Return the files that define the names that pages can use.

    Args:
        project: The project.
        tree: Finds the modules that the one of the project imports.

    Raises:
        OSError: A file cannot be read.
        ValueError: A file is not UTF-8.
        yaml.YAMLError: A file of data cannot be parsed.
    """
    options = project.plugin("macros") or {}
    entries = list_option(options, "include_yaml")
    definitions = list(find_data_files(entries, project.folder))
    name = text_option(options, "module_name", "main")
    module = os.path.join(project.folder, name)
    for path in (f"{module}.py", os.path.join(module, "__init__.py")):
        if os.path.isfile(path):
            for file in [path, *_find_imported(name.replace("/", "."), tree)]:
                code = ast.Module(parse_statements(read_text_file(file)), [])
                definitions += _find_macros(code, file, frozenset())
            return MacroDefinitions(definitions, path)
    return MacroDefinitions(definitions)


def _find_imported(name: str, tree: ObjectTree) -> Iterator[str]:
    """Yield the files of the modules that a module imports, directly or not."""
    modules: list[TreeObject] = []
    with suppress(LookupError, OSError, ValueError):
        modules.append(tree.find(name))
    for module in modules:
        for member in module.members.values():
            with suppress(LookupError, OSError, ValueError):
                imported = member.final_target.module
                if imported not in modules and imported.files.path:
                    _ = imported.members
                    modules.append(imported)
                    yield imported.files.path


def _find_macros(block: ast.AST, path: str, scope: Set[str]) -> Iterator[Definitions]:
    """Yield the macros and filters with a decorator.

    Args:
        block: A part of a module.
        path: The file of the module.
        scope: The names of the functions and classes that contain the part.
    """
    for node in ast.iter_child_nodes(block):
        names = scope
        if isinstance(node, Function | ast.ClassDef):
            names = scope | {node.name}
            for decorator in node.decorator_list:
                if last_name(decorator) in _DECORATORS:
                    yield Definitions(path, frozenset({node.name}), names)
        yield from _find_macros(node, path, names)
