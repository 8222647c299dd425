"""What the documentation of a Python module shows: names, signatures, base classes,
values, and docstrings.
"""

from __future__ import annotations

import ast
import hashlib
import re
import textwrap
from collections.abc import Iterable, Iterator, Set
from contextlib import suppress
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from .modules import (
    Assignment,
    Definition,
    Description,
    Function,
    Module,
    join_names,
    last_name,
    lines_of,
    parse_module,
)

# The pages of a package show the same versions, in few styles.
_MAX_STYLED = 100

_NAME = re.compile(r"[^\W\d][\w.]*")

_RETURN_SECTIONS = {"return", "returns", "rtype", "yield", "yields"}
_DATA_CLASSES = {"dataclass", "define", "frozen", "attrs", "NamedTuple"}

# Attributes are shown without their code.
_PROPERTIES = {"property", "cached_property", "setter", "deleter"}


class Extent(StrEnum):
    """How much of an object a page shows."""

    ALL = "all"
    """The object with its members."""
    HEAD = "head"
    """A class without its members."""
    DOCSTRING = "docstring"
    """Only the docstring."""
    SOURCE = "source"
    """The code of a function, which creates an object on the page."""
    VALUE = "value"
    """The value of a type alias, in signatures."""


class ObjectStyle(NamedTuple):
    """How pages show the objects of a module.

    Attributes:
        tool: `autodoc` imports the module, so pages show the values of names in
            signatures. `griffe` only reads the source. It shows classes without a
            docstring if it shows one of their members.
        filters: Regular expressions. The last one that matches the name of a member
            decides whether it is shown: not with `!` in front. If all of them are
            without `!`, others are hidden.
        exported: Whether pages show the names in `__all__`, also imported ones, and no
            others.
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
        full_types: Whether imported types are shown with the names of their modules.
    """

    tool: str = ""
    filters: tuple[str, ...] = ()
    exported: bool = False
    undocumented: bool = True
    init: str = "docstring"
    bases: bool = True
    annotations: bool = True
    source: bool = False
    ordered: bool = False
    summary: bool = False
    full_types: bool = False

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
            itself. If the module does not define it, all that may define it is
            compared: what its class shows, or the module.
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
    module = parse_module(content)
    pages: dict[ObjectStyle, dict[ShownObject, str]] = {}
    try:
        for item in objects:
            page = pages.setdefault(item.style, {})
            _read(module, item.style).add(item, page)
    except (RecursionError, MemoryError) as error:
        raise ValueError("the module is nested too deeply") from error
    texts: list[str] = []
    for page in pages.values():
        texts += page.values()
    return _hash(texts).digest()


class _StyledModule:
    """What pages show of a module in one style.

    Args:
        module: The module.
        style: How its objects are shown.
    """

    def __init__(self, module: Module, style: ObjectStyle) -> None:
        self._module = module
        self._style = style
        self._is_autodoc = style.tool == "autodoc"
        self._exported = module.exported
        # Imports only decide the full names of types.
        imported: frozenset[tuple[str, tuple[str, str]]] = frozenset()
        if style.full_types:
            imported = frozenset(module.imported.items())
        self._key = (style, imported, frozenset(module.unresolved))
        self._digests: dict[ShownObject, str] = {}

    def add(self, item: ShownObject, page: dict[ShownObject, str]) -> None:
        """Add digests of an object and of its members to those on a page."""
        if item in page:
            return
        if item not in self._digests:
            self._digests[item] = _hash(self._show(item)).hexdigest()
        page[item] = self._digests[item]
        if item.extent is Extent.ALL and not item.is_optional:
            for member in self._shown_members(item.name):
                self.add(item._replace(name=member), page)

    def _show(self, item: ShownObject) -> Iterator[str]:
        """Yield what a page shows of an object without its members."""
        name = item.name
        module = self._module
        first_name, _, _ = name.partition(".")
        yield name
        if name == "__all__":
            yield from self._show_wildcards()
        if name == "__all__" and item.is_optional:
            yield from self._show_exported()
        elif item.extent is Extent.DOCSTRING or not name:
            yield from self._show_docstring(name)
        elif name in module.definitions:
            yield from self._show_definition(name, item.extent)
        elif name in module.imported:
            yield "import"
        elif not item.is_optional and first_name not in module.imported:
            yield from self._show_unknown(name)

    def _show_unknown(self, name: str) -> Iterator[str]:
        """Yield all that may define an object in an unknown way: what its class or its
        module shows.
        """
        definitions = self._module.definitions
        scope = name
        while scope and scope not in definitions:
            scope, _, _ = scope.rpartition(".")
        for place in sorted(definitions):
            if not scope or f"{place}.".startswith(f"{scope}."):
                yield place
                yield from self._show_head(place)
        yield from map(_text, self._module.others)
        yield from self._show_wildcards()

    def _show_wildcards(self) -> Iterator[str]:
        """Yield the modules from which the module imports all names."""
        for source, original in self._module.imported.values():
            if original == "*":
                yield source

    def _show_exported(self) -> Iterator[str]:
        """Yield the names in `__all__`, and the expressions that add others to it."""
        names: list[str] = list(self._exported)
        if not self._style.ordered:
            names.sort()
        yield from names
        for item in self._module.definitions.get("__all__", ()):
            for child in ast.walk(item.node):
                if isinstance(child, ast.Attribute | ast.Call):
                    yield _text(child)

    def _show_docstring(self, name: str) -> Iterator[str]:
        if not name:
            yield self._module.doc
        for item in self._module.definitions.get(name, ()):
            yield from self._shown_docs(item.docs)

    def _show_definition(self, name: str, extent: Extent) -> Iterator[str]:
        """Yield an object whose members are shown on their own."""
        if extent is Extent.SOURCE:
            yield from map(_source, self._module.definitions[name])
        elif extent is Extent.VALUE:
            yield from self._values({name}, name)
        else:
            yield from self._show_head(name)

    def _show_head(self, name: str) -> Iterator[str]:
        """Yield an object without its members."""
        definitions = self._module.definitions
        for item in definitions[name]:
            if self._is_shown_alone(item) or any(item.docs):
                yield self._digest(item, name)
        if not self._style.init:
            return
        has_docs = self._style.init == "docstring"
        for method in (f"{name}.__init__", f"{name}.__new__"):
            for item in definitions.get(method, ()):
                yield self._digest(item, name, has_docs=has_docs)

    def _shown_members(self, name: str) -> list[str]:
        shown = []
        for member in self._module.members.get(name, ()):
            member_name = join_names(name, member)
            if self._is_shown(member_name):
                shown.append(member_name)
        if not name and self._style.exported:
            shown += sorted(self._exported.keys() & self._module.imported.keys())
        if not self._style.ordered:
            shown.sort()
        return shown

    def _is_shown(self, name: str) -> bool:
        if name == "__lazy_modules__":
            return False
        scope, _, last_name = name.rpartition(".")
        if self._style.exported and not scope:
            # Its names are shown, and not the list.
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

    def _is_shown_alone(self, item: Definition) -> bool:
        """Return whether pages can show a definition without a docstring."""
        if not item.method:
            return True
        return item.method == "__init__" and not self._is_autodoc

    def _digest(self, item: Definition, name: str, *, has_docs: bool = True) -> str:
        """Return a digest of a definition."""
        docs: list[str] = []
        if has_docs:
            docs = self._shown_docs(item.docs)
        # A statement can define many objects, and be in many versions of a module.
        key = (*self._key, *docs)
        if key not in item.descriptions:
            item.descriptions[key] = self._describe(item, docs)
        digest, names = item.descriptions[key]
        if not self._is_autodoc or isinstance(item.node, Assignment):
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
        places = names - self._module.unresolved
        if scope:
            places |= {join_names(scope, name) for name in places}
        for place in sorted(places & definitions.keys()):
            for item in definitions[place]:
                if isinstance(item.node, Assignment) and not item.method:
                    yield self._digest(item, place, has_docs=False)

    def _describe(self, item: Definition, docs: list[str]) -> Description:
        """Return a digest of what pages show of a definition, and for autodoc the names
        in it, whose values pages show.
        """
        node = item.node
        if not isinstance(node, ast.ClassDef | Function):
            is_shown = not (item.method and self._is_autodoc)
            # A value in a signature has no docstring. It can be a type.
            is_type = not docs
            texts = list(self._describe_value(node, is_shown=is_shown, is_type=is_type))
        elif self._shows_source(node):
            texts = [_source(item)]
        else:
            texts = list(self._describe_definition(node, docs))
        names: set[str] = set()
        if self._is_autodoc:
            names.update(_NAME.findall(" ".join(texts)))
        kind = type(node).__name__
        return _hash([kind, *docs, *texts]).hexdigest(), names

    def _shows_source(self, node: ast.ClassDef | Function) -> bool:
        if isinstance(node, ast.ClassDef) and self._style.init:
            return False
        names = {last_name(decorator) for decorator in node.decorator_list}
        return self._style.source and _PROPERTIES.isdisjoint(names)

    def _describe_definition(
        self, node: ast.ClassDef | Function, docs: list[str]
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
            words = set(re.findall(r"\w+", text.lower()))
            yield from self._describe_signature(node, words)

    def _describe_class(self, node: ast.ClassDef) -> Iterator[str]:
        names = set()
        for base in node.bases:
            names.add(last_name(base))
            if self._style.bases:
                yield self._type(base)
        for decorator in node.decorator_list:
            function = getattr(decorator, "func", decorator)
            names.add(last_name(function))
        if _DATA_CLASSES.isdisjoint(names):
            return
        for statement in node.body:
            if isinstance(statement, ast.AnnAssign):
                yield ast.unparse(statement.target)
                yield from self._describe_value(statement)

    def _describe_signature(
        self, node: Function, documented: Set[str]
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
        self, node: ast.stmt, *, is_shown: bool = True, is_type: bool = False
    ) -> Iterator[str]:
        if self._style.annotations:
            annotation = getattr(node, "annotation", None)
            comment = getattr(node, "type_comment", None)
            if comment and self._is_autodoc:
                annotation = ast.Constant(comment)
            yield self._type(annotation)
        value = getattr(node, "value", None)
        if is_type and isinstance(value, ast.BinOp | ast.Subscript):
            yield self._type(value)
        elif is_shown:
            yield _text(value)

    def _type(self, node: ast.expr | None) -> str:
        """Return an annotation or a base class in the form in which it is shown:
        without modules and quotes.
        """
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            with suppress(SyntaxError, ValueError):
                text = node.value.strip()
                node = ast.parse(text, mode="eval").body
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
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
        if self._style.full_types and name in self._module.imported:
            source, original = self._module.imported[name]
            return f"{source}.{original}{dot}{rest}".lstrip(".")
        return last_name(node) or text

    def _generic_type(self, node: ast.Subscript) -> str:
        """Return a type with parameters, such as `list[str]`."""
        name = last_name(node.value)
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


@lru_cache(_MAX_STYLED)
def _read(module: Module, style: ObjectStyle) -> _StyledModule:
    return _StyledModule(module, style)


def _hash(texts: Iterable[str]) -> hashlib._Hash:
    text = "\0".join(texts)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass"))


def _source(item: Definition) -> str:
    numbers = lines_of(item.node)
    return textwrap.dedent("\n".join(item.lines[numbers.start : numbers.stop]))


def _text(node: ast.AST | None) -> str:
    if node is None:
        return ""
    return ast.unparse(node)
