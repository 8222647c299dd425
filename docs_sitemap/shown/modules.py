"""What a Python module defines: its objects, and its imports. The module is parsed, but
never run.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cached_property, lru_cache
from importlib.util import decode_source
from inspect import cleandoc
from itertools import pairwise
from typing import NamedTuple

import msgspec

# The pages of a package need the same versions, and so do consecutive commits.
_MAX_VERSIONS = 50
_MAX_BLOCKS = 2_000
_MAX_METHODS = 5_000

# A pattern that starts with a line break is found fast.
_BLOCK_START = re.compile(r"\n(?:@|async[ \t]+def\b|def\b|class\b)")
_METHOD_START = r"(?:@|async[ \t]+def\b|def\b)"
# The indentation of the first line below `class A:` or `):`.
_INDENTATION = re.compile(r":[ \t]*(?:#.*)?\n\s*?^([ \t]+)(?=\S)", re.M)

# Directives whose content is text, with this content.
_TEXT_DIRECTIVE = re.compile(
    r"^( *)\.\. +(?:attention|caution|danger|deprecated|error|hint|important|note"
    r"|seealso|tip|todo|versionadded|versionchanged|versionremoved|warning)::.*"
    r"(?:\n+\1 +\S.*)*",
    re.M,
)

Function = ast.FunctionDef | ast.AsyncFunctionDef
Assignment = (
    ast.Assign
    | ast.AnnAssign
    | ast.AugAssign
    | getattr(ast, "TypeAlias", ast.AugAssign)  # 3.12
)
_LOOPS = (ast.For, ast.While, ast.With)
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

    Most versions of a module have most of their classes and functions in common. So a
    module is read in blocks, a class in its methods, and each of them only once.

    Attributes:
        doc: The docstring of the module.
        definitions: The definitions of each object. A name can be defined several
            times.
        members: The names of the members of the module (an empty name) and of each
            class.
        imported: The modules and the names there that the module imports, by their
            names here. Imports are not shown. The name of `from source import *` is
            `source.*`.
        others: The statements that define no name, and may change objects.
        unresolved: The names that only type checkers import or define.
    """

    def __init__(self) -> None:
        self.doc = ""
        self.definitions: defaultdict[str, list[Definition]] = defaultdict(list)
        self.members: defaultdict[str, dict[str, None]] = defaultdict(dict)
        self.imported: dict[str, tuple[str, str]] = {}
        self.others: list[ast.AST] = []
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
        self.others += block.others


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


class _Block(Module):
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
                names = list(_targets(node, scope.owner))
                self._add(scope.name, names, above)
                if not names and not scope.name:
                    self.others.append(node)
            elif isinstance(node, ast.Import | ast.ImportFrom) and not scope.name:
                self._add_imports(node)
            else:
                self._add_inner_blocks(node, scope)
                is_call = isinstance(getattr(node, "value", None), ast.Call)
                if not scope.name and (is_call or isinstance(node, _LOOPS)):
                    self.others.append(node)

    def _add_inner_blocks(self, node: ast.AST, scope: _Scope) -> None:
        """Add the objects that a statement such as `if` or `try` defines."""
        is_for_types = last_name(getattr(node, "test", None)) == "TYPE_CHECKING"
        known = set()
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


@lru_cache(_MAX_VERSIONS)
def parse_module(content: bytes) -> Module:
    """Return what a module defines.

    Raises:
        ValueError: The module cannot be parsed.
    """
    text = _decode(content)
    module = Module()
    try:
        blocks = [_read_block(block) for block in _split(text, _BLOCK_START)]
    except ValueError:  # A string may contain the first line of a function.
        blocks = [_read_text(text)]
    module.doc = blocks[0].doc
    for block in blocks:
        module.add(block)
    return module


def _decode(content: bytes) -> str:
    try:
        return decode_source(content)
    except (SyntaxError, LookupError) as error:
        raise ValueError("the module cannot be decoded") from error


def _split(text: str, start: re.Pattern[str]) -> list[str]:
    """Split a module or a class before its classes and functions."""
    starts = [0]
    is_decorated = False
    for match in start.finditer(text):
        if not is_decorated:
            starts.append(match.start() + 1)
        is_decorated = match[0].endswith("@")
    starts.append(len(text))
    return [text[start:end] for start, end in pairwise(starts)]


@lru_cache(_MAX_BLOCKS)
def _read_block(text: str) -> Module:
    """Read a class or a function, and the statements below it."""
    indentation = _INDENTATION.search(text)
    if indentation is not None:
        start = re.compile(f"\n{indentation[1]}{_METHOD_START}")
        first, *methods = _split(text, start)
        # It may be no class, or a string may contain the first line of a method.
        with suppress(ValueError):
            return _read_class(text, f"{first}{indentation[1]}pass\n", methods)
    return _read_text(text)


def _read_class(text: str, first: str, methods: Sequence[str]) -> Module:
    """Read a class, and the statements below it.

    Args:
        text: The complete text.
        first: The class without its methods, which ends in `pass`.
        methods: The methods. The last one ends with the statements below the class.

    Raises:
        ValueError: These are not the parts of a class.
    """
    if not methods:
        raise ValueError("there are no methods")
    block = _parse(first, text.split("\n"))
    node = block.tree.body[0]
    if not isinstance(node, ast.ClassDef) or not isinstance(node.body[-1], ast.Pass):
        raise ValueError("it is not a class")
    last = first.count("\n") - 1
    for method in methods:
        if len(block.tree.body) > 1:
            raise ValueError("a method is not in the class")
        part = _read_method(node.name, method)
        block.add(part)
        block.tree = part.tree
        statements = getattr(part.tree.body[0], "body", [])
        node.body += statements
        node.end_lineno = last + statements[-1].end_lineno - 1
        last += method.count("\n")
    return block


@lru_cache(_MAX_METHODS)
def _read_method(class_name: str, text: str) -> _Block:
    text = f"class {class_name}:\n{text}"
    return _parse(text, text.split("\n"), class_name)


@lru_cache(_MAX_BLOCKS)
def _read_text(text: str) -> _Block:
    return _parse(text, text.split("\n"))


def _parse(text: str, lines: list[str], class_name: str = "") -> _Block:
    """Parse a part of a module.

    Raises:
        ValueError: It cannot be parsed.
    """
    try:
        with warnings.catch_warnings():
            # Python warns of invalid escapes. With `-W error`, it would raise them.
            warnings.simplefilter("ignore")
            return _Block(text, lines, class_name)
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
    text = "\n".join(line.rstrip() for line in lines)
    if "```" in text:
        return text
    text = _TEXT_DIRECTIVE.sub(_unwrap_directive, text)
    paragraphs = text.split("\n\n")
    return "\n\n".join(map(_unwrap, paragraphs))


def _unwrap(paragraph: str) -> str:
    """Return a paragraph of plain text on one line, and anything else as it is."""
    lines = paragraph.split("\n")
    if all(line[:1].isalpha() for line in lines):
        return " ".join(lines)
    return paragraph


def _unwrap_directive(match: re.Match[str]) -> str:
    """Return a directive with each paragraph of plain text on one line."""
    first, *others = match[0].split("\n")
    lines = [first]
    above = ""
    for line in others:
        words = line.lstrip()
        indentation = line.removesuffix(words)
        is_continued = lines[-1] == first or above == indentation
        # Below `::`, the text is code.
        if line.endswith("::"):
            return match[0]
        if words[:1].isalpha() and lines[-1] and is_continued:
            lines[-1] += f" {words}"
        else:
            lines.append(line)
        above = indentation
    return "\n".join(lines)


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


def find_lines(content: bytes, name: str) -> list[range]:
    """Return the numbers of the lines that define a class or a function, from 0. A name
    can be defined several times.

    Raises:
        ValueError: The module cannot be parsed.
    """
    module = _read_text(_decode(content))
    definitions = module.definitions.get(name, [])
    return [lines_of(item.node) for item in definitions]


def last_name(node: ast.AST | None) -> str:
    """Return the last part of a name such as `a.name`; an empty string for anything
    else.
    """
    if isinstance(node, ast.Attribute):
        return node.attr
    if isinstance(node, ast.Name):
        return node.id
    return ""
