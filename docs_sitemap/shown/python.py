"""What the documentation of a Python module shows: names, signatures, base classes,
values, and docstrings. The module is parsed, but never run.
"""

from __future__ import annotations

import ast
import gc
import hashlib
import re
import textwrap
import warnings
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Set
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache, lru_cache
from importlib.util import decode_source
from inspect import cleandoc
from itertools import pairwise
from typing import NamedTuple

# The pages of a package need the same versions, and so do consecutive commits.
_MAX_VERSIONS = 50
_MAX_BLOCKS = 2_000

_BLOCK_START = re.compile(r"^(?:@|(?:async[ \t]+)?def\b|class\b)", re.M)

_NAME = re.compile(r"[^\W\d][\w.]*")

_RETURN_SECTIONS = {"return", "returns", "rtype", "yield", "yields"}
_DATA_CLASSES = {"dataclass", "define", "frozen", "attrs", "NamedTuple"}

# Attributes are shown without their code.
_PROPERTIES = {"property", "cached_property", "setter", "deleter"}

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_Assignment = (
    ast.Assign
    | ast.AnnAssign
    | ast.AugAssign
    | getattr(ast, "TypeAlias", ast.AugAssign)  # 3.12
)
_BLOCKS = ("body", "handlers", "cases", "orelse", "finalbody")


class Extent(StrEnum):
    """How much of an object a page shows."""

    ALL = "all"
    """The object with its members."""
    HEAD = "head"
    """A class without its members."""
    DOCSTRING = "docstring"
    """Only the docstring."""


class ObjectStyle(NamedTuple):
    """How pages show the objects of a module.

    Attributes:
        tool: `autodoc` imports the module, so pages show the values of names in
            signatures. It shows the names in `__all__`. `griffe` only reads the source.
            It shows classes without a docstring if it shows one of their members.
            `autoapi` shows the full names of types.
        filters: Regular expressions. The last one that matches the name of a member
            decides whether it is shown: not with `!` in front. If all of them are
            without `!`, others are hidden.
        undocumented: Whether members without a docstring are shown.
        init: Whether classes are shown with the `signature` of `__init__`, or also with
            its `docstring`.
        bases: Whether classes are shown with their base classes.
        annotations: Whether signatures have annotations. Otherwise, only the documented
            parameters and results have them.
        source: Whether the code of functions is shown, and the code of classes without
            `init`.
        ordered: Whether members are in the order of the module.
        summary: Whether only the first paragraph of docstrings is shown.
    """

    tool: str = ""
    filters: tuple[str, ...] = ()
    undocumented: bool = True
    init: str = "docstring"
    bases: bool = True
    annotations: bool = True
    source: bool = False
    ordered: bool = False
    summary: bool = False

    def shows(self, name: str) -> bool:
        """Return whether the name of a member passes the filters."""
        is_shown = not self.filters
        for regex in self.filters:
            if regex.startswith("!"):
                is_shown = True
        for regex in self.filters:
            expression = regex.removeprefix("!")
            if re.search(expression, name):
                is_shown = regex == expression
        return is_shown


class ShownObject(NamedTuple):
    """An object of a Python module that a page shows.

    Attributes:
        name: The name from the module on, such as `Class.method`; empty for the module
            itself. If the module does not define it, the complete module is compared.
        extent: How much of the object the page shows.
        is_optional: Whether nothing is compared if the module does not define the
            object. Members of such an object are not shown.
        style: How the page shows the object.
    """

    name: str = ""
    extent: Extent = Extent.ALL
    is_optional: bool = False
    style: ObjectStyle = ObjectStyle()


def digest(content: bytes, objects: Iterable[ShownObject]) -> bytes:
    """Return a digest of what pages show of a module.

    Args:
        content: The content of the module.
        objects: The objects that pages show.

    Raises:
        ValueError: The module cannot be parsed.
    """
    module = _parse(content)
    pages: dict[ObjectStyle, _PageObjects] = {}
    try:
        for item in objects:
            page = pages.get(item.style)
            if page is None:
                page = _PageObjects(module, item.style)
                pages[item.style] = page
            page.add(item)
    except (RecursionError, MemoryError) as error:
        raise ValueError("the module is nested too deeply") from error
    texts: list[str] = []
    for page in pages.values():
        texts += page.texts
    return _hash(texts).digest()


def find_lines(content: bytes, name: str) -> list[range]:
    """Return the numbers of the lines that define a class or a function, from 0. A name
    can be defined several times.

    Raises:
        ValueError: The module cannot be parsed.
    """
    module = _read_block(_decode(content))
    definitions = module.definitions.get(name, [])
    return [_lines_of(item.node) for item in definitions]


def find_imports(content: bytes) -> Mapping[str, tuple[str, str]]:
    """Return the modules and the names there that a module imports, by their names in
    the module. The names of modules can be relative.

    Raises:
        ValueError: The module cannot be parsed.
    """
    return _parse(content).imported


_Description = tuple[str, set[str]]


@dataclass(eq=False, slots=True)
class _Statement:
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
    descriptions: dict[tuple[object, ...], _Description] = field(default_factory=dict)


class _Module:
    """The objects of a module.

    Most versions of a module have most of their classes and functions in common. So a
    module is read in blocks, and each block only once.

    Attributes:
        lines: The lines of the module.
        doc: Its docstring.
        definitions: The definitions of each object. A name can be defined several
            times.
        members: The names of the members of the module (an empty name) and of each
            class.
        imported: The modules and the names there that the module imports, by their
            names here. Imports are not shown.
        unresolved: The names that only type checkers import or define.
    """

    def __init__(self, text: str) -> None:
        self.lines = text.split("\n")
        self.doc = ""
        self.definitions: defaultdict[str, list[_Statement]] = defaultdict(list)
        self.members: defaultdict[str, dict[str, None]] = defaultdict(dict)
        self.imported: dict[str, tuple[str, str]] = {}
        self.unresolved: set[str] = set()

    def add(self, block: _Module) -> None:
        """Add the objects of the next block."""
        for name, definitions in block.definitions.items():
            self.definitions[name] += definitions
        for name, members in block.members.items():
            self.members[name] |= members
        self.unresolved |= block.unresolved - self.imported.keys()
        self.imported |= block.imported


class _Block(_Module):
    """The objects of a part of a module, or of a complete module."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        # A line can contain many statements.
        self._comments = cache(self._find_comments)
        try:
            tree = ast.parse(text, type_comments=True)
        except SyntaxError:  # A comment can start like one with a type.
            tree = ast.parse(text)
        self.doc = _docstring(tree)
        self._collect(tree.body)

    def _collect(
        self,
        block: Iterable[ast.AST],
        scope: str = "",
        method: str = "",
        owner: str = "",
    ) -> None:
        """Add the objects that a block defines.

        Args:
            block: The statements.
            scope: The class that contains the block.
            method: The method that contains the block.
            owner: The first parameter of the method.
        """
        above: _Statement | None = None
        for node in block:
            if above is not None and isinstance(node, ast.Expr):
                above.docs.append(_docstring(node))
            above = None
            if isinstance(node, ast.ClassDef | _Function):
                if not method:  # A definition in a method is not shown.
                    self._collect_definition(node, scope)
            elif isinstance(node, _Assignment):
                last = node.end_lineno or node.lineno
                docs = self._comments(node.lineno, last)
                above = _Statement(node, self.lines, [*docs], method)
                self._add(scope, _targets(node, owner), above)
            elif isinstance(node, ast.Import | ast.ImportFrom) and not scope:
                self._collect_imports(node)
            else:
                known = self.imported.keys() | self.definitions.keys()
                for field in _BLOCKS:
                    inner = getattr(node, field, ())
                    self._collect(inner, scope, method, owner)
                if _last_name(getattr(node, "test", None)) == "TYPE_CHECKING":
                    self.unresolved |= self.imported.keys() - known
                    if not getattr(node, "orelse", None):
                        self.unresolved |= self.definitions.keys() - known

    def _collect_imports(self, node: ast.Import | ast.ImportFrom) -> None:
        source = ""
        if isinstance(node, ast.ImportFrom):
            source = "." * node.level + (node.module or "")
        for alias in node.names:
            name = alias.asname or alias.name.partition(".")[0]
            self.imported[name] = (source, alias.name)

    def _collect_definition(self, node: ast.ClassDef | _Function, scope: str) -> None:
        """Add a class or a function with its members."""
        docs = [_docstring(node)]
        definition = _Statement(node, self.lines, docs)
        self._add(scope, [node.name], definition)
        if isinstance(node, ast.ClassDef):
            inner_scope = _join(scope, node.name)
            self._collect(node.body, inner_scope)
            return
        parameters = [*node.args.posonlyargs, *node.args.args]
        if scope and parameters:
            owner = parameters[0].arg
            self._collect(node.body, scope, node.name, owner)
        node.body = []  # Only its docstring and its attributes are needed.

    def _add(self, scope: str, names: Iterable[str], definition: _Statement) -> None:
        for name in names:
            self.members[scope][name] = None
            self.definitions[_join(scope, name)].append(definition)

    def _find_comments(self, first: int, last: int) -> list[str]:
        """Return the comments that start with `#:` above and after some lines."""
        _, _, comment = self.lines[last - 1].partition("#:")
        comments = [comment.strip()]
        while first > 1:
            first -= 1
            text = self.lines[first - 1].strip()
            if not text.startswith("#:"):
                break
            comments.append(text)
        return comments


@lru_cache(_MAX_VERSIONS)
def _parse(content: bytes) -> _Module:
    text = _decode(content)
    module = _Module(text)
    try:
        blocks = [_read_block(block) for block in _split(text)]
    except ValueError:  # A multiline string may contain the first line of a function.
        blocks = [_read_block(text)]
    module.doc = blocks[0].doc
    for block in blocks:
        module.add(block)
    return module


def _decode(content: bytes) -> str:
    try:
        return decode_source(content)
    except (SyntaxError, LookupError) as error:
        raise ValueError("the module cannot be decoded") from error


def _split(text: str) -> list[str]:
    """Split a module before its top-level classes and functions."""
    starts = [0]
    is_decorated = False
    for match in _BLOCK_START.finditer(text):
        if not is_decorated:
            starts.append(match.start())
        is_decorated = match[0] == "@"
    starts.append(len(text))
    return [text[start:end] for start, end in pairwise(starts)]


@lru_cache(_MAX_BLOCKS)
def _read_block(text: str) -> _Block:
    is_enabled = gc.isenabled()
    gc.disable()  # Collections while many nodes are created take most of the time.
    try:
        with warnings.catch_warnings():
            # Python warns of invalid escapes. With `-W error`, it would raise them.
            warnings.simplefilter("ignore")
            return _Block(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise ValueError("the module cannot be parsed") from error
    finally:
        if is_enabled:
            gc.enable()


def _join(scope: str, name: str) -> str:
    if scope:
        return f"{scope}.{name}"
    return name


def _lines_of(node: ast.stmt) -> range:
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
    paragraphs = text.split("\n\n")
    return "\n\n".join(map(_unwrap, paragraphs))


def _unwrap(paragraph: str) -> str:
    """Return a paragraph of plain text on one line, and anything else as it is."""
    lines = paragraph.split("\n")
    if all(line[:1].isalpha() for line in lines):
        return " ".join(lines)
    return paragraph


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


class _PageObjects:
    """What pages show of a module in one style.

    Attributes:
        texts: What they show.

    Args:
        module: The module.
        style: How its objects are shown.
    """

    def __init__(self, module: _Module, style: ObjectStyle) -> None:
        self.texts: list[str] = []
        self._module = module
        self._style = style
        self._is_autodoc = style.tool == "autodoc"
        self._added: set[ShownObject] = set()
        self._exported: set[str] = set()
        for item in module.definitions.get("__all__", ()):
            for child in ast.walk(item.node):
                if isinstance(child, ast.Constant):
                    self._exported.add(str(child.value))
        # Imports decide how types are shown.
        imported = frozenset(module.imported.items())
        self._key = (style, imported, frozenset(module.unresolved))

    def add(self, item: ShownObject) -> None:
        """Add an object."""
        if item in self._added:
            return
        self._added.add(item)
        name = item.name
        module = self._module
        first_name, _, _ = name.partition(".")
        self.texts.append(name)
        if item.extent is Extent.DOCSTRING or not name:
            self._add_docstring(name)
        elif name in module.definitions:
            self._add_head(name)
        elif name in module.imported:
            self.texts.append("import")
        elif not item.is_optional and first_name not in module.imported:
            self.texts += module.lines  # It is defined in an unknown way.
        if item.extent is Extent.ALL and not item.is_optional:
            for member in self._shown_members(name):
                self.add(item._replace(name=member))

    def _add_docstring(self, name: str) -> None:
        if not name:
            self.texts.append(self._module.doc)
        for item in self._module.definitions.get(name, ()):
            self.texts += self._shown_docs(item.docs)

    def _add_head(self, name: str) -> None:
        """Add an object without its members."""
        definitions = self._module.definitions
        for item in definitions[name]:
            if self._is_shown_alone(item) or any(item.docs):
                self.texts.append(self._digest(item, name))
        if not self._style.init:
            return
        has_docs = self._style.init == "docstring"
        for method in (f"{name}.__init__", f"{name}.__new__"):
            for item in definitions.get(method, ()):
                self.texts.append(self._digest(item, name, has_docs=has_docs))

    def _shown_members(self, name: str) -> list[str]:
        shown = []
        for member in self._module.members.get(name, ()):
            member_name = _join(name, member)
            if self._is_shown(member_name):
                shown.append(member_name)
        if not self._style.ordered:
            shown.sort()
        return shown

    def _is_shown(self, name: str) -> bool:
        if name == "__lazy_modules__":
            return False
        scope, _, last_name = name.rpartition(".")
        if self._is_autodoc and not scope:
            # autodoc reads the names in `__all__`, and does not show the list.
            if name == "__all__":
                return False
            if self._exported and name not in self._exported:
                return False
        if not self._style.shows(last_name):
            return False
        for item in self._module.definitions[name]:
            if any(item.docs):
                return True
            if self._style.undocumented and self._is_shown_alone(item):
                return True
        return self._style.tool == "griffe" and self._shown_members(name) != []

    def _is_shown_alone(self, item: _Statement) -> bool:
        """Return whether pages can show a definition without a docstring."""
        if not item.method:
            return True
        return item.method == "__init__" and not self._is_autodoc

    def _digest(self, item: _Statement, name: str, *, has_docs: bool = True) -> str:
        """Return a digest of a definition."""
        docs: list[str] = []
        if has_docs:
            docs = self._shown_docs(item.docs)
        # A statement can define many objects, and be in many versions of a module.
        key = (*self._key, *docs)
        if key not in item.descriptions:
            item.descriptions[key] = self._describe(item, docs)
        digest, names = item.descriptions[key]
        if not self._is_autodoc or isinstance(item.node, _Assignment):
            return digest
        values = self._values(names, name)
        return _hash([digest, *values]).hexdigest()

    def _shown_docs(self, docs: list[str]) -> list[str]:
        if self._style.summary:
            return [text.partition("\n\n")[0] for text in docs]
        return docs

    def _values(self, names: Set[str], owner: str) -> Iterator[str]:
        """Yield the values of names in a signature, which autodoc shows in place of the
        names.
        """
        definitions = self._module.definitions
        scope, _, _ = owner.rpartition(".")
        for name in sorted(names - self._module.unresolved):
            for place in (name, _join(scope, name)):
                for item in definitions.get(place, ()):
                    if isinstance(item.node, _Assignment) and not item.method:
                        yield self._digest(item, place, has_docs=False)

    def _describe(self, item: _Statement, docs: list[str]) -> _Description:
        """Return a digest of what pages show of a definition, and the names in it."""
        node = item.node
        if not isinstance(node, ast.ClassDef | _Function):
            is_shown = not (item.method and self._is_autodoc)
            texts = [*self._describe_value(node, is_shown=is_shown)]
        elif self._shows_source(node):
            numbers = _lines_of(node)
            lines = item.lines[numbers.start : numbers.stop]
            texts = [textwrap.dedent("\n".join(lines))]
        else:
            texts = [*self._describe_definition(node, docs)]
        names = {*_NAME.findall(" ".join(texts))}
        kind = type(node).__name__
        return _hash([kind, *docs, *texts]).hexdigest(), names

    def _shows_source(self, node: ast.ClassDef | _Function) -> bool:
        if isinstance(node, ast.ClassDef) and self._style.init:
            return False
        names = {_last_name(decorator) for decorator in node.decorator_list}
        return self._style.source and _PROPERTIES.isdisjoint(names)

    def _describe_definition(
        self, node: ast.ClassDef | _Function, docs: list[str]
    ) -> Iterator[str]:
        """Yield what pages show of a class or a function besides its docstrings."""
        for decorator in node.decorator_list:
            yield ast.unparse(decorator)
        for parameter in getattr(node, "type_params", ()):
            yield ast.unparse(parameter)
        if isinstance(node, ast.ClassDef):
            yield from self._describe_class(node)
        else:
            text = " ".join(docs)
            words = re.findall(r"\w+", text.lower())
            yield from self._describe_signature(node, {*words})

    def _describe_class(self, node: ast.ClassDef) -> Iterator[str]:
        names = set()
        for base in node.bases:
            names.add(_last_name(base))
            if self._style.bases:
                yield self._type(base)
        for decorator in node.decorator_list:
            function = getattr(decorator, "func", decorator)
            names.add(_last_name(function))
        if _DATA_CLASSES.isdisjoint(names):
            return
        for statement in node.body:
            if isinstance(statement, ast.AnnAssign):
                yield ast.unparse(statement.target)
                yield from self._describe_value(statement)

    def _describe_signature(
        self, node: _Function, documented: Set[str]
    ) -> Iterator[str]:
        has_all = self._style.annotations
        for kind, value in ast.iter_fields(node.args):
            yield kind
            items = value
            if not isinstance(value, list):
                items = [value]
            for item in items:
                if not isinstance(item, ast.arg):
                    yield _text(item)  # a default
                    continue
                yield item.arg
                if has_all or item.arg.lower() in documented:
                    yield self._type(item.annotation)
        if has_all or documented & _RETURN_SECTIONS:
            yield self._type(node.returns)

    def _describe_value(
        self, node: ast.stmt, *, is_shown: bool = True
    ) -> Iterator[str]:
        if self._style.annotations:
            annotation = getattr(node, "annotation", None)
            comment = getattr(node, "type_comment", None)
            if comment and self._is_autodoc:
                annotation = ast.Constant(comment)
            yield self._type(annotation)
        if is_shown:
            yield _text(getattr(node, "value", None))

    def _type(self, node: ast.expr | None) -> str:
        """Return an annotation or a base class in the form in which it is shown:
        without modules and quotes.
        """
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            with suppress(SyntaxError, ValueError):
                text = node.value.strip()
                node = ast.parse(text, mode="eval").body
        if isinstance(node, ast.BinOp):
            left = self._type(node.left)
            right = self._type(node.right)
            return f"{left} | {right}"
        if isinstance(node, ast.List):
            items = map(self._type, node.elts)
            return f"[{', '.join(items)}]"
        if isinstance(node, ast.Subscript):
            return self._generic_type(node)
        text = _text(node)
        name, dot, rest = text.partition(".")
        # autodoc shows a name that it cannot import as it is written.
        if self._is_autodoc and name in self._module.unresolved:
            return text
        if self._style.tool == "autoapi" and name in self._module.imported:
            source, original = self._module.imported[name]
            return f"{source}.{original}{dot}{rest}".lstrip(".")
        return _last_name(node) or text

    def _generic_type(self, node: ast.Subscript) -> str:
        """Return a type with parameters, such as `list[str]`."""
        name = _last_name(node.value)
        if name == "Literal":  # Its texts are not types.
            return f"{name}[{_text(node.slice)}]"
        parameters = getattr(node.slice, "elts", [node.slice])
        items = [self._type(parameter) for parameter in parameters]
        if self._is_autodoc and name == "Optional":
            items.append("None")
            name = "Union"
        if self._is_autodoc and name == "Union":
            return " | ".join(items)
        return f"{self._type(node.value)}[{', '.join(items)}]"


def _hash(texts: Iterable[str]) -> hashlib._Hash:
    text = "\0".join(texts)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass"))


def _text(node: ast.AST | None) -> str:
    if node is None:
        return ""
    return ast.unparse(node)


def _last_name(node: ast.AST | None) -> str:
    """Return the last part of a name such as `a.name`; an empty string for anything
    else.
    """
    if isinstance(node, ast.Attribute):
        return node.attr
    if isinstance(node, ast.Name):
        return node.id
    return ""
