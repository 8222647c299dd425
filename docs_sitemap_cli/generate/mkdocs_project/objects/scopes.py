"""The names in modules and classes as Griffe reads them, which mkdocstrings uses."""

import ast
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum

from docs_sitemap.shown.python_modules import Function, last_name, parse_statements

# The statements that contain others, and so do handlers of exceptions and cases.
_BLOCKS = ("body", "handlers", "cases", "orelse", "finalbody")

_PROPERTIES = {"property", "cached_property"}
_OVERLOADS = {"typing.overload", "typing_extensions.overload"}

_ALIAS_STATEMENT = getattr(ast, "TypeAlias", ())  # 3.12


class NameKind(StrEnum):
    """What a name stands for."""

    CLASS = "class"
    FUNCTION = "function"
    ATTRIBUTE = "attribute"
    IMPORT = "import"


@dataclass(slots=True)
class Scope:
    """The names in a module or a class.

    Attributes:
        names: What each of them stands for.
        wildcards: The imports of all names of another module.
        bases: The expressions of the base classes, such as `module.Base`.
        decorators: The expressions of the decorators.
        exports: The names in `__all__`; `None` if it is not set.
        export_lists: The expressions in `__all__` for the lists of other modules.
        stubs: What a stub defines in place of imports of the module.
    """

    names: "dict[str, Name]" = field(default_factory=dict)
    wildcards: "list[Name]" = field(default_factory=list)
    bases: list[str] = field(default_factory=list)
    decorators: list[str] = field(default_factory=list)
    exports: set[str] | None = None
    export_lists: list[str] = field(default_factory=list)
    stubs: "dict[str, Name]" = field(default_factory=dict)


@dataclass(slots=True)
class Name:
    """What a name in a module or a class stands for.

    Attributes:
        kind: What it is.
        line: The number of its first line.
        is_runtime: Whether it exists when the module runs, and not only for types.
        target: For an import, the full name, with a dot in front for each level above
            if it is relative.
        scope: For a class, the names in it.
        is_init_var: Whether it is only a parameter of a data class.
        replaced: What the name stood for before, if it is an import, which can be one
            of the module itself.
    """

    kind: NameKind
    line: int
    is_runtime: bool = True
    target: str = ""
    scope: Scope | None = None
    is_init_var: bool = False
    replaced: "Name | None" = None


def read_scope(content: bytes) -> Scope:
    """Return the names in a module.

    Raises:
        ValueError: The module cannot be parsed.
    """
    scope = Scope()
    try:
        _Reader(scope, scope).read(parse_statements(content))
    except RecursionError as error:
        raise ValueError("the module is nested too deeply") from error
    return scope


class _Reader:
    """Reads the names in a module or a class.

    Args:
        scope: Receives the names.
        module: The names in the module.
        is_method: Whether to read the attributes that `__init__` sets.
    """

    def __init__(self, scope: Scope, module: Scope, *, is_method: bool = False) -> None:
        self._scope = scope
        self._module = module
        self._is_method = is_method

    def read(
        self,
        block: Iterable[ast.AST],
        *,
        is_runtime: bool = True,
        is_alternative: bool = False,
    ) -> None:
        """Add the names in a block of statements.

        Args:
            block: The statements.
            is_runtime: Whether the block runs, and not only type checkers read it.
            is_alternative: Whether other blocks may set the same names.
        """
        for node in block:
            if isinstance(node, ast.Assign | ast.AnnAssign):
                self._add_attributes(node, is_runtime, is_alternative)
            elif self._is_method and isinstance(node, ast.ClassDef | Function):
                continue
            elif isinstance(node, ast.ClassDef):
                self._add_class(node, is_runtime)
            elif isinstance(node, Function):
                self._add_function(node, is_runtime)
            elif isinstance(node, ast.Import | ast.ImportFrom):
                self._add_imports(node, is_runtime)
            elif isinstance(node, ast.AugAssign):
                self._extend_exports(node)
            elif isinstance(node, _ALIAS_STATEMENT):
                name = last_name(getattr(node, "name", None))
                self._add(name, NameKind.ATTRIBUTE, node, is_runtime)
            else:
                self._read_blocks(node, is_runtime)

    def _read_blocks(self, node: ast.AST, is_runtime: bool) -> None:
        """Add the names in the blocks of a statement such as `if` or `try`."""
        if last_name(getattr(node, "test", None)) == "TYPE_CHECKING":
            is_runtime = False
        is_alternative = isinstance(node, ast.If | ast.ExceptHandler)
        for block in _BLOCKS:
            statements = getattr(node, block, None)
            if isinstance(statements, list):
                self.read(
                    statements, is_runtime=is_runtime, is_alternative=is_alternative
                )

    def _add(self, name: str, kind: NameKind, node: ast.AST, is_runtime: bool) -> Name:
        line = getattr(node, "lineno", 0)
        for decorator in getattr(node, "decorator_list", ())[:1]:
            line = decorator.lineno
        added = Name(kind, line, is_runtime)
        self._scope.names[name] = added
        return added

    def _add_class(self, node: ast.ClassDef, is_runtime: bool) -> None:
        added = self._add(node.name, NameKind.CLASS, node, is_runtime)
        added.scope = Scope(
            bases=list(map(_expression, node.bases)),
            decorators=list(map(_expression, node.decorator_list)),
        )
        _Reader(added.scope, self._module).read(node.body, is_runtime=is_runtime)

    def _add_function(self, node: Function, is_runtime: bool) -> None:
        kind = NameKind.FUNCTION
        for decorator in map(_expression, node.decorator_list):
            if self._is_part(node.name, decorator):
                return
            if decorator.rpartition(".")[2] in _PROPERTIES:
                kind = NameKind.ATTRIBUTE
        self._add(node.name, kind, node, is_runtime)
        if node.name == "__init__":
            _Reader(self._scope, self._module, is_method=True).read(node.body)

    def _is_part(self, name: str, decorator: str) -> bool:
        """Return whether a decorator makes a function a part of another one: a
        signature of it, or a setter of a property.
        """
        first, dot, rest = decorator.partition(".")
        imported = self._module.names.get(first)
        if imported is not None and imported.target:
            first = imported.target
        if first + dot + rest in _OVERLOADS:
            return True
        known = self._scope.names.get(name)
        is_property = known is not None and known.kind is NameKind.ATTRIBUTE
        return is_property and decorator in (f"{name}.setter", f"{name}.deleter")

    def _add_attributes(
        self,
        node: ast.Assign | ast.AnnAssign,
        is_runtime: bool,
        is_alternative: bool,
    ) -> None:
        for name in self._targets(node):
            if is_alternative and name in self._scope.names:
                continue
            added = self._add(name, NameKind.ATTRIBUTE, node, is_runtime)
            annotation = getattr(node, "annotation", None)
            annotation = getattr(annotation, "value", annotation)
            added.is_init_var = last_name(annotation) == "InitVar"
            if name == "__all__" and node.value is not None:
                self._scope.exports = set()
                self._scope.export_lists = []
                self._add_exports(node.value, self._scope.exports)

    def _targets(self, node: ast.Assign | ast.AnnAssign) -> list[str]:
        """Return the names that an assignment sets; none if it sets anything else,
        too.
        """
        names = []
        for target in getattr(node, "targets", None) or [getattr(node, "target", None)]:
            name = _dotted_name(target)
            if not name:
                return []
            if self._is_method:
                owner, _, name = name.partition(".")
                if owner != "self":
                    continue
            if name and "." not in name:
                names.append(name)
        return names

    def _extend_exports(self, node: ast.AugAssign) -> None:
        if last_name(node.target) == "__all__" and self._scope.exports is not None:
            self._add_exports(node.value, self._scope.exports)

    def _add_exports(self, node: ast.AST, names: set[str]) -> None:
        """Add the names in a value of `__all__`, and the lists of other modules."""
        if isinstance(node, ast.Constant):
            names.add(str(node.value))
        elif isinstance(node, ast.Name | ast.Attribute):
            self._scope.export_lists.append(_expression(node))
        else:
            for child in ast.iter_child_nodes(node):
                self._add_exports(child, names)

    def _add_imports(self, node: ast.Import | ast.ImportFrom, is_runtime: bool) -> None:
        if self._is_method:
            return
        source = ""
        if isinstance(node, ast.ImportFrom):
            source = "." * node.level
            if node.module:
                source += f"{node.module}."
        for alias in node.names:
            target = source + alias.name
            if isinstance(node, ast.Import) and not alias.asname:
                target, _, _ = target.partition(".")
            if alias.name == "*":
                target = target.removesuffix("*").removesuffix(".") or source
                added = Name(NameKind.IMPORT, node.lineno, is_runtime, target)
                self._scope.wildcards.append(added)
            else:
                name = alias.asname or alias.name.partition(".")[0]
                replaced = self._scope.names.get(name)
                added = self._add(name, NameKind.IMPORT, node, is_runtime)
                added.target = target
                added.replaced = replaced


def _expression(node: ast.AST) -> str:
    """Return a name such as `module.Base`, without arguments and types that follow it;
    an empty string for anything else.
    """
    while isinstance(node, ast.Subscript | ast.Call):
        node = node.value if isinstance(node, ast.Subscript) else node.func
    return _dotted_name(node)


def _dotted_name(node: ast.AST | None) -> str:
    names: list[str] = []
    while isinstance(node, ast.Attribute):
        names.insert(0, node.attr)
        node = node.value
    if isinstance(node, ast.Name):
        return ".".join([node.id, *names])
    return ""


def merge_stub(scope: Scope, stub: Scope) -> None:
    """Add the names in a stub to those of its module or class."""
    if stub.exports is not None:
        scope.exports = stub.exports
        scope.export_lists = stub.export_lists
    scope.wildcards += stub.wildcards
    for name, definition in stub.names.items():
        known = scope.names.get(name)
        if known is None:
            definition.is_runtime = False
            scope.names[name] = definition
        elif definition.kind is NameKind.IMPORT:
            continue
        elif known.kind is NameKind.IMPORT:
            scope.stubs[name] = definition
        elif known.scope is not None and definition.scope is not None:
            merge_stub(known.scope, definition.scope)
        elif known.kind is not definition.kind:
            scope.names[name] = definition
