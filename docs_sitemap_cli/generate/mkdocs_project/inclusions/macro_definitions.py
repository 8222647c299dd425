"""The macros, filters, and variables of mkdocs-macros that a project defines, found
without running its modules.

Source: <https://mkdocs-macros-plugin.readthedocs.io/en/latest/macros/>.
"""

import ast
import os
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from docs_sitemap.shown.python_modules import Function, last_name
from docs_sitemap.sources.template_names import Definitions, find_data_files
from docs_sitemap_cli.generate.mkdocs_project.project import MkDocsProject

from .insertions import list_option, text_option
from .project_modules import find_imports, parse_module

BUILT_IN = frozenset({"context", "fix_url", "macros_info", "now", "pretty"})
"""The macros and filters of the plugin itself."""

_NAME = re.compile(r"\w+")

# Ways to register a function: `@env.macro`, or `env.macro(function, "name")`.
_REGISTERS = ("macro", "filter")

_VARIABLES = "variables"


class MacroDefinitions(NamedTuple):
    """What a project defines.

    Attributes:
        files: The files that define names, and these names.
        module: The module that defines other variables when it runs; empty if there is
            none.
    """

    files: Sequence[Definitions]
    module: str = ""


@lru_cache(maxsize=1)  # It is the same for all pages.
def find_definitions(project: MkDocsProject) -> MacroDefinitions:
    """Return the files that define the names that pages can use.

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
            return _find_in_modules(path, project.folder, definitions)
    return MacroDefinitions(definitions)


def _find_in_modules(
    path: str, folder: str, definitions: list[Definitions]
) -> MacroDefinitions:
    """Return what the module of the project, and those that it imports, define, after
    other definitions.
    """
    variables = set[str]()
    modules = [path]
    has_others = False
    for module in modules:
        found = _ModuleDefinitions(module, folder)
        definitions += found.functions
        variables |= found.variables
        has_others = has_others or found.has_others
        modules += sorted(set(found.imported.values()) - set(modules))
    definitions.append(Definitions(path, variables))
    return MacroDefinitions(definitions, path if has_others else "")


class _ModuleDefinitions(ast.NodeVisitor):
    """Finds what a module registers.

    Attributes:
        functions: The macros and filters.
        variables: The names of variables.
        has_others: Whether it sets other variables, whose names are not constant.
        imported: The modules of the project from which it imports names.

    Args:
        path: The file of the module.
        folder: The folder of the project.
    """

    def __init__(self, path: str, folder: str) -> None:
        self.functions: list[Definitions] = []
        self.variables: set[str] = set()
        self.has_others = False
        self._path = path
        self._scope: list[str] = []
        self._qualified: dict[str, str] = {}
        module = parse_module(path)
        self.imported = dict(find_imports(module, path, folder))
        self.visit(module)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        """Note a function, and what it contains."""
        self._enter(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        """Note a function, and what it contains."""
        self._enter(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        """Note a class, and what it contains."""
        self._enter(node)

    def _enter(self, node: Function | ast.ClassDef) -> None:
        qualified = ".".join([*self._scope, node.name])
        self._qualified[node.name] = qualified
        for decorator in node.decorator_list:
            if last_name(decorator) in _REGISTERS:
                self._define(node.name, self._path, qualified)
        inner = [node.name]
        if isinstance(node, Function):
            inner.append("<locals>")
        self._scope += inner
        self.generic_visit(node)
        del self._scope[-len(inner) :]

    def visit_Call(self, node: ast.Call) -> None:
        """Note functions that a call registers, and variables that it sets."""
        self.generic_visit(node)
        if not isinstance(node.func, ast.Attribute):
            return
        if node.func.attr in _REGISTERS and node.args:
            self._register(node.args)
        elif node.func.attr == "update" and _is_variables(node.func.value):
            self._set([ast.Constant(one.arg) for one in node.keywords])
            for mapping in node.args:
                keys = mapping.keys if isinstance(mapping, ast.Dict) else [mapping]
                self._set(keys)

    def _register(self, arguments: Sequence[ast.expr]) -> None:
        """Note a function that a call registers."""
        function = arguments[0]
        own = last_name(function)
        names = list(_texts(arguments[1:])) or [own]
        path = self._path
        if isinstance(function, ast.Lambda):
            qualified = ".".join([*self._scope, "<lambda>"])
        else:
            qualified = self._qualified.get(own, own)
            # Such as `module.function`, or an imported name.
            path = self.imported.get(_first_name(function), path)
        for name in filter(None, names):
            self._define(name, path, qualified)

    def visit_Assign(self, node: ast.Assign) -> None:
        """Note variables, as in `env.variables["name"] = 1`."""
        self.generic_visit(node)
        for target in node.targets:
            if isinstance(target, ast.Subscript) and _is_variables(target.value):
                self._set([target.slice])
            elif isinstance(target, ast.Attribute) and _is_variables(target.value):
                self.variables.add(target.attr)

    def _set(self, names: Sequence[ast.expr | None]) -> None:
        """Note the names of variables."""
        constants = set(_texts(names))
        self.variables |= constants
        if len(constants) < len(names):
            self.has_others = True

    def _define(self, name: str, path: str, qualified: str) -> None:
        functions = frozenset({name, *_NAME.findall(qualified)})
        self.functions.append(Definitions(path, frozenset({name}), functions))


def _first_name(node: ast.expr) -> str:
    """Return the first name in an expression such as `module.function`."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _is_variables(node: ast.expr) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == _VARIABLES


def _texts(nodes: Sequence[ast.expr | None]) -> Iterator[str]:
    """Yield the texts among some expressions."""
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
