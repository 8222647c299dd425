"""What a Python module defines: its objects, and its imports. The module is parsed, but
never run.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cached_property
from inspect import cleandoc
from typing import NamedTuple

import msgspec

Function = ast.FunctionDef | ast.AsyncFunctionDef
Assignment = (
    ast.Assign
    | ast.AnnAssign
    | ast.AugAssign
    | getattr(ast, "TypeAlias", ast.AugAssign)  # 3.12
)
_BLOCKS = ("body", "handlers", "cases", "orelse", "finalbody")


Description = tuple[str, set[str]]
"""A digest of what pages show of a definition, and for autodoc the names in it."""


class Definition(msgspec.Struct, eq=False):
    """A statement that defines one or more objects.

    Attributes:
        node: The statement.
        lines: The lines of its block.
        docs: Its docstrings, and its comments that start with `#:`.
        method: The method that assigns an attribute of instances; otherwise empty.
        descriptions: A digest of what pages show, and the names in it, by all that
            decides this.
    """

    node: ast.stmt
    lines: list[str]
    docs: list[str]
    method: str = ""
    descriptions: dict[tuple[object, ...], Description] = {}


class Module:
    """The objects of a module.

    Attributes:
        doc: The docstring of the module.
        definitions: The definitions of each object. A name can be defined several
            times.
        members: The names of the members of the module (an empty name) and of each
            class.
        imported: The modules and the names there that the module imports, by their
            names here. Imports are not shown. The name of `from source import *` is
            `source.*`.
        unresolved: The names that only type checkers import or define.
    """

    def __init__(self) -> None:
        self.doc = ""
        self.definitions: defaultdict[str, list[Definition]] = defaultdict(list)
        self.members: defaultdict[str, dict[str, None]] = defaultdict(dict)
        self.imported: dict[str, tuple[str, str]] = {}
        self.unresolved: set[str] = set()

    @cached_property
    def exported(self) -> dict[str, None]:
        """The names in `__all__`."""
        names: dict[str, None] = {}
        for item in self.definitions.get("__all__", ()):
            for child in ast.walk(item.node):
                if isinstance(child, ast.Constant):
                    names[str(child.value)] = None
        return names

    def add(self, block: Module) -> None:
        """Add the objects of the next block."""
        repeated = {}
        for name in self.definitions.keys() & block.definitions.keys():
            repeated[name] = self.definitions[name] + block.definitions[name]
        self.definitions |= block.definitions
        self.definitions |= repeated
        for name, members in block.members.items():
            self.members[name] |= members
        self.unresolved |= block.unresolved - self.imported.keys()
        self.imported |= block.imported


class _Scope(NamedTuple):
    """Where a block of statements is.

    Attributes:
        name: The class that contains the block; empty in no class.
        method: The method that contains the block; empty in no method.
        owner: The first parameter of the method.
    """

    name: str = ""
    method: str = ""
    owner: str = ""


class Block(Module):
    """The objects of a part of a module, or of a complete module.

    Attributes:
        tree: The statements.

    Args:
        text: The text of the statements.
        lines: The lines of the text, and those below that belong to its class.
        class_name: The class whose methods the first statement contains; empty if it
            is a statement of the module.
    """

    def __init__(self, text: str, lines: list[str], class_name: str = "") -> None:
        super().__init__()
        self._lines = lines
        # By the first and last line. A line can contain many statements.
        self._comments: dict[tuple[int, int], list[str]] = {}
        try:
            self.tree = ast.parse(text, type_comments=True)
        except SyntaxError:  # A comment can start like one with a type.
            self.tree = ast.parse(text)
        statements = self.tree.body
        if class_name:
            class_, *statements = statements
            self._add_block(getattr(class_, "body", ()), _Scope(class_name))
        else:
            self.doc = _docstring(self.tree)
        self._add_block(statements, _Scope())

    def _add_block(self, block: Iterable[ast.AST], scope: _Scope) -> None:
        """Add the objects that a block defines."""
        above: Definition | None = None
        for node in block:
            if above is not None and isinstance(node, ast.Expr):
                above.docs.append(_docstring(node))
            above = None
            if isinstance(node, ast.ClassDef | Function):
                if not scope.method:  # A definition in a method is not shown.
                    self._add_definition(node, scope.name)
            elif isinstance(node, Assignment):
                last = node.end_lineno or node.lineno
                docs = self._find_comments(node.lineno, last)
                above = Definition(node, self._lines, docs, scope.method)
                self._add(scope.name, _targets(node, scope.owner), above)
            elif isinstance(node, ast.Import | ast.ImportFrom) and not scope.name:
                self._add_imports(node)
            else:
                self._add_inner_blocks(node, scope)

    def _add_inner_blocks(self, node: ast.AST, scope: _Scope) -> None:
        """Add the objects that a statement such as `if` or `try` defines."""
        is_for_types = last_name(getattr(node, "test", None)) == "TYPE_CHECKING"
        known = set[str]()
        if is_for_types:
            known = self.imported.keys() | self.definitions.keys()
        for name in _BLOCKS:
            self._add_block(getattr(node, name, ()), scope)
        if is_for_types:
            self.unresolved |= self.imported.keys() - known
            if not getattr(node, "orelse", None):
                self.unresolved |= self.definitions.keys() - known

    def _add_imports(self, node: ast.Import | ast.ImportFrom) -> None:
        source = ""
        if isinstance(node, ast.ImportFrom):
            source = "." * node.level + (node.module or "")
        for alias in node.names:
            name = alias.asname or alias.name.partition(".")[0]
            if name == "*":
                name = f"{source}.*"
            self.imported[name] = (source, alias.name)

    def _add_definition(self, node: ast.ClassDef | Function, class_name: str) -> None:
        """Add a class or a function with its members."""
        definition = Definition(node, self._lines, [_docstring(node)])
        self._add(class_name, [node.name], definition)
        if isinstance(node, ast.ClassDef):
            self._add_block(node.body, _Scope(join_names(class_name, node.name)))
            return
        parameters = node.args.posonlyargs + node.args.args
        if class_name and parameters:
            scope = _Scope(class_name, node.name, parameters[0].arg)
            self._add_block(node.body, scope)
        node.body = []  # Only its docstring and its attributes are needed.

    def _add(
        self, class_name: str, names: Iterable[str], definition: Definition
    ) -> None:
        for name in names:
            self.members[class_name][name] = None
            self.definitions[join_names(class_name, name)].append(definition)

    def _find_comments(self, first: int, last: int) -> list[str]:
        """Return the comments that start with `#:` above and after some lines."""
        if (first, last) not in self._comments:
            self._comments[first, last] = self._read_comments(first, last)
        return list(self._comments[first, last])

    def _read_comments(self, first: int, last: int) -> list[str]:
        _, _, comment = self._lines[last - 1].partition("#:")
        comments = [comment.strip()]
        while first > 1:
            first -= 1
            text = self._lines[first - 1].strip()
            if not text.startswith("#:"):
                break
            comments.append(text)
        return comments


def parse_statements(content: bytes | str) -> list[ast.stmt]:
    """Return the statements of a module.

    Raises:
        ValueError: It cannot be parsed.
    """
    with parsing():
        return ast.parse(content).body


@contextmanager
def parsing() -> Iterator[None]:
    """Parse Python without warnings.

    Raises:
        ValueError: It cannot be parsed.
    """
    try:
        with warnings.catch_warnings():
            # Python warns of invalid escapes. With `-W error`, it would raise them.
            warnings.simplefilter("ignore")
            yield
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise ValueError("the module cannot be parsed") from error


def join_names(scope: str, name: str) -> str:
    """Return the name of a member of a class or, with an empty scope, of the module."""
    if scope:
        return f"{scope}.{name}"
    return name


def lines_of(node: ast.stmt) -> range:
    """Return the numbers of the lines of a definition with its decorators, from 0."""
    start = node.lineno
    for decorator in getattr(node, "decorator_list", ()):
        start = min(start, decorator.lineno)
    return range(start - 1, node.end_lineno or node.lineno)


def _docstring(node: ast.AST) -> str:
    """Return the docstring of a node as documentation shows it, without indentation."""
    body = getattr(node, "body", None) or [node]
    first = body[0]
    if not isinstance(first, ast.Expr):
        return ""
    text = getattr(first.value, "value", None)
    if not isinstance(text, str):
        return ""
    # The lines below an empty first line decide the indentation. `cleandoc` is slow for
    # many empty lines.
    text = re.sub(r"\A\s*\n", "\n", text.rstrip())
    lines = cleandoc(text).split("\n")
    return "\n".join(line.rstrip() for line in lines)


def _targets(node: ast.AST, owner: str) -> Iterator[str]:
    """Yield the names that an assignment sets: in a method, those of attributes of
    `owner`.
    """
    single = getattr(node, "target", None) or getattr(node, "name", None)
    for target in getattr(node, "targets", [single]):
        for part in ast.walk(target):
            if owner:
                value = getattr(part, "value", None)
                if isinstance(part, ast.Attribute) and isinstance(value, ast.Name):
                    if value.id == owner:
                        yield part.attr
            elif isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
                yield part.id


def last_name(node: ast.AST | None) -> str:
    """Return the last part of a name such as `a.name`; an empty string for anything
    else.
    """
    if isinstance(node, ast.Attribute):
        return node.attr
    if isinstance(node, ast.Name):
        return node.id
    return ""
