"""What the documentation of a Python module can show."""

from __future__ import annotations

import ast
import inspect
import re
import warnings
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from typing import TypeGuard

# Sphinx documents attributes with comments that start with `#:`.
_COMMENT = re.compile(r"#:.*")

_NAME = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")

# Longer strings are not annotations.
_MAX_ANNOTATION = 200

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_Assignment = ast.Assign | ast.AnnAssign


class ModuleApi:
    """What the documentation of a module can show: docstrings, names, signatures, base classes,
    decorators, values. The module is parsed, but never run.

    Args:
        path: The path of the module.
        content: Its content.

    Raises:
        ValueError: The module cannot be parsed.
    """

    def __init__(self, path: bytes, content: bytes) -> None:
        self._lines = content.decode("utf-8", "replace").splitlines()
        try:
            with warnings.catch_warnings():
                # Python warns of invalid escapes, for example. With `-W error`, it would raise
                # them.
                warnings.simplefilter("ignore")
                self._tree = _parse(content)
            _ShownParts(path, self._lines).visit(self._tree)
            # The nodes of each object: its definitions, their docstrings, and the conditions around
            # them. A name can be defined several times.
            self._objects: defaultdict[str, list[ast.AST]] = defaultdict(list)
            self._objects["__doc__"] = []
            self._collect(self._tree.body, "", ())
        except (SyntaxError, RecursionError, MemoryError) as error:
            raise ValueError("the module cannot be parsed") from error

    def digest(self, parts: Sequence[str]) -> bytes:
        """Return a digest of some objects, and of the values and base classes of the module that
        they use. If the module does not define one of the objects, all of its objects count.

        Args:
            parts: The names of the objects, such as `Class.method`; empty for all objects. An
                object whose name ends with `?` need not be defined. `__doc__` is a docstring.

        Raises:
            ValueError: The module is nested too deeply.
        """
        names = [part if part[-1:] == "?" else self._find(part) for part in parts] or [""]
        try:
            if "" in names:
                text = "\n".join([ast.dump(self._tree), *self._comments(0, len(self._lines))])
            else:
                text = "\n".join(self._texts(self._with_used(names)))
        except (RecursionError, MemoryError) as error:
            raise ValueError("the module cannot be parsed") from error
        return sha256(text.encode("utf-8", "surrogatepass")).digest()

    def _collect(
        self, body: Sequence[ast.stmt], scope: str, conditions: tuple[ast.AST, ...]
    ) -> None:
        """Collect the objects of a module or a class.

        Args:
            body: The statements.
            scope: The name of the class with a dot; empty for the module.
            conditions: The conditions around the statements.
        """
        names = [f"{scope}__doc__"]
        for node in body:
            if _docstring(node) is not None:
                for name in names:
                    self._objects[name].append(node)
                continue
            names = []
            if isinstance(node, ast.ClassDef):
                names = [scope + node.name]
                self._collect(node.body, f"{scope}{node.name}.", conditions)
            elif isinstance(node, _Function):
                names = [scope + node.name]
                # The body contains only the attributes that are documented.
                for name, statements in _attributes_in(node.body).items():
                    self._objects[scope + name] += statements
            elif isinstance(node, _Assignment | ast.AugAssign):
                names = [scope + name for name in _target_names(node)]
            elif isinstance(node, getattr(ast, "TypeAlias", ())):
                names = [scope + node.name.id]  # type: ignore[attr-defined]
            elif isinstance(node, ast.ImportFrom):
                for imported in node.names:
                    alone = ast.ImportFrom(node.module, [imported], node.level)
                    self._objects[scope + (imported.asname or imported.name)].append(alone)
            else:
                inner = (*conditions, *_conditions_of(node))
                for field in ("body", "orelse", "handlers", "finalbody", "cases"):
                    for block in _blocks(getattr(node, field, [])):
                        self._collect(block, scope, inner)
            for name in names:
                self._objects[name] += (node, *conditions)

    def _find(self, name: str) -> str:
        """Return the name of an object, or of the innermost class that may contain it; an empty
        string if the module does not define them.
        """
        while name and name not in self._objects:
            name = name.rpartition(".")[0]
        return name

    def _with_used(self, names: Iterable[str]) -> list[str]:
        """Return the names of objects, and of the objects that readers see with them, sorted."""
        found = {name.removesuffix("?") for name in names}
        queue = [*found & self._objects.keys()]
        while queue:
            name = queue.pop()
            used = {other for node in self._objects[name] for other in self._used(name, node)}
            queue += used - found
            found |= used
        return sorted(found)

    def _used(self, name: str, node: ast.AST) -> Iterator[str]:
        """Yield the objects of the module that readers see with an object: the values and type
        aliases in its signature and, because docstrings are inherited, its base classes.
        """
        scope, _, member = name.rpartition(".")
        for other in _loaded_names(node):
            for complete in (f"{scope}.{other}", other):
                target = self._find(complete)
                if any(isinstance(part, _Assignment) for part in self._objects.get(target, ())):
                    yield target
        owners = [node] if isinstance(node, ast.ClassDef) else self._objects.get(scope, ())
        for owner in owners:
            for base in owner.bases if isinstance(owner, ast.ClassDef) else ():
                base_name = _dotted(base)
                inherited = base_name if owner is node else f"{base_name}.{member}"
                if inherited in self._objects:
                    yield inherited

    def _texts(self, names: Iterable[str]) -> Iterator[str]:
        for name in names:
            yield name
            for node in self._objects.get(name, ()):
                yield ast.dump(node)
                if hasattr(node, "lineno") and isinstance(node, ast.stmt):
                    yield from self._comments(*self._lines_of(node))

    def _lines_of(self, node: ast.stmt) -> tuple[int, int]:
        """Return the first line of a statement, with comments above, and the line after it."""
        decorators = getattr(node, "decorator_list", [])
        start = min([node.lineno, *(decorator.lineno for decorator in decorators)]) - 1
        while start > 0 and self._lines[start - 1].lstrip().startswith("#"):
            start -= 1
        return start, node.end_lineno or node.lineno

    def _comments(self, start: int, end: int) -> Iterator[str]:
        for line in self._lines[start:end]:
            yield from _COMMENT.findall(line)


def _parse(content: bytes) -> ast.Module:
    """Parse a module, with the types in comments, which autodoc shows, if all of them are valid."""
    try:
        return ast.parse(content, type_comments=True)
    except SyntaxError:
        return ast.parse(content)


class _ShownParts(ast.NodeTransformer):
    """Removes what no documentation shows: imports, and the bodies of functions, except for
    docstrings, and for attributes that are assigned with a description.

    sphinx-autoapi and mkdocstrings can also show the other attributes that `__init__` assigns. A
    package can show objects that it imports from its own modules.

    Args:
        path: The path of the module.
        lines: Its lines.
    """

    def __init__(self, path: bytes, lines: Sequence[str]) -> None:
        folder, _, name = path.rpartition(b"/")
        self._package = folder.rpartition(b"/")[2].decode("utf-8", "surrogateescape")
        self._is_package = name in (b"__init__.py", b"__init__.pyi")
        self._described = {number for number, line in enumerate(lines, 1) if "#:" in line}

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return self._without_body(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        return self._without_body(node)

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        text = _docstring(node)
        return node if text is None else _with_text(node, text)

    def visit_Import(self, node: ast.Import) -> None:
        return None

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST | None:
        is_own = node.level > 0 or (node.module or "").partition(".")[0] == self._package
        return node if self._is_package and is_own else None

    def _without_body(self, node: _Function) -> ast.AST:
        shown: list[ast.stmt] = []
        for child in ast.walk(node):
            statements = getattr(child, "body", ())
            if not isinstance(statements, list):  # the expression of a lambda
                continue
            for previous, statement in zip([None, *statements], statements, strict=False):
                text = _docstring(statement)
                if text is not None:
                    if isinstance(previous, _Assignment) and shown[-1:] != [previous]:
                        shown.append(previous)
                    shown.append(_with_text(statement, text))
                elif isinstance(statement, _Assignment) and (
                    self._has_comment(statement)
                    or (node.name == "__init__" and _sets_attribute(statement))
                ):
                    shown.append(statement)
        node.body = shown
        return node

    def _has_comment(self, statement: ast.stmt) -> bool:
        """Whether an assignment has a comment that starts with `#:`, in its lines or above."""
        end = statement.end_lineno or statement.lineno
        return not self._described.isdisjoint(range(statement.lineno - 1, end + 1))


def _docstring(node: ast.AST) -> str | None:
    """Return the text of a docstring as documentation shows it, without indentation; `None` for
    other statements.
    """
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        value = node.value.value
        if isinstance(value, str):
            return inspect.cleandoc(value)
    return None


def _with_text(node: ast.stmt, text: str) -> ast.stmt:
    return ast.copy_location(ast.Expr(ast.Constant(text)), node)


def _sets_attribute(node: ast.AST) -> TypeGuard[_Assignment]:
    return any("." in name for name in _target_names(node))


def _target_names(node: ast.AST) -> Iterator[str]:
    """Yield the names that an assignment sets, such as `name` and `self.name`."""
    targets = getattr(node, "targets", None) or [getattr(node, "target", None)]
    for target in filter(None, targets):
        for part in ast.walk(target):
            name = _dotted(part)
            if name:
                yield name


def _attributes_in(body: Iterable[ast.stmt]) -> dict[str, list[ast.AST]]:
    """Return the assignments of each attribute in a method, with their docstrings."""
    attributes: defaultdict[str, list[ast.AST]] = defaultdict(list)
    names: list[str] = []
    for node in body:
        if isinstance(node, _Assignment):
            names = [name.partition(".")[2] for name in _target_names(node) if "." in name]
        for name in names:
            attributes[name].append(node)
    return attributes


def _conditions_of(node: ast.stmt) -> list[ast.AST]:
    """Return what decides whether the body of an `if` statement, for example, is run."""
    return [
        value
        for name, value in ast.iter_fields(node)
        if isinstance(value, ast.expr) and name in ("test", "iter", "subject")
    ]


def _blocks(value: Sequence[ast.AST]) -> Iterator[Sequence[ast.stmt]]:
    """Yield the blocks of statements in a field of a node: itself, or those of its handlers."""
    statements = [node for node in value if isinstance(node, ast.stmt)]
    if statements:
        yield statements
    for node in value:
        if isinstance(node, ast.ExceptHandler | ast.match_case):
            yield node.body


def _loaded_names(node: ast.AST) -> set[str]:
    """Return the names in expressions and in quoted annotations, such as `name` and `a.name`."""
    names = set()
    docstrings = {id(child.value) for child in ast.walk(node) if isinstance(child, ast.Expr)}
    for child in ast.walk(node):
        if isinstance(child, ast.Name | ast.Attribute) and isinstance(child.ctx, ast.Load):
            names.add(_dotted(child))
        elif isinstance(child, ast.Constant) and id(child) not in docstrings:
            value = child.value
            if isinstance(value, str) and len(value) <= _MAX_ANNOTATION:
                names.update(_NAME.findall(value))
    return names - {""}


def _dotted(node: ast.AST) -> str:
    """Return a name with its attributes, such as `a.name`; an empty string for anything else."""
    attributes: list[str] = []
    while isinstance(node, ast.Attribute):
        attributes.insert(0, node.attr)
        node = node.value
    return ".".join([node.id, *attributes]) if isinstance(node, ast.Name) else ""
