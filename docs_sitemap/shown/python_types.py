"""How pages show types: annotations, base classes, and type aliases."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Set
from contextlib import suppress

from .python_modules import last_name


class ShownType(ast.NodeTransformer):
    """Bring an annotation or a base class into the form in which pages show it:
    without quotes, and without modules or with the full names of imports.

    Args:
        imported: The full names of what the module imports, by their names there.
        unresolved: The names that are shown as they are written.
        has_unions: Whether unions are shown as in `int | None`.
    """

    def __init__(
        self, imported: Mapping[str, str], unresolved: Set[str], *, has_unions: bool
    ) -> None:
        self._imported = imported
        self._unresolved = unresolved
        self._has_unions = has_unions

    def generic_visit(self, node: ast.AST) -> ast.AST:
        """Return a changed copy: other pages show the same node in other styles."""
        fields = {}
        for name, value in ast.iter_fields(node):
            fields[name] = list(value) if isinstance(value, list) else value
        return super().generic_visit(type(node)(**fields))

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if isinstance(node.value, str):
            with suppress(SyntaxError, ValueError):  # It is a text.
                parsed = ast.parse(node.value.strip(), mode="eval")
                return ast.Name(ast.unparse(self.visit(parsed)))
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        if self._imported:
            return self.generic_visit(node)
        text = ast.unparse(node)
        first_name, _, _ = text.partition(".")
        if first_name in self._unresolved:
            return ast.Name(text)
        return ast.Name(node.attr)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.Name(self._imported.get(node.id, node.id))

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        name = last_name(node.value)
        if name == "Literal":  # Its texts are not types.
            return ast.Name(f"{name}[{ast.unparse(node.slice)}]")
        if not self._has_unions or name not in ("Optional", "Union"):
            return self.generic_visit(node)
        types = list(getattr(node.slice, "elts", [node.slice]))
        if name == "Optional":
            types.append(ast.Constant(None))
        return ast.Name(" | ".join(ast.unparse(self.visit(item)) for item in types))
