"""What the documentation of a Python module shows: names, signatures, base classes,
values, and docstrings.
"""

from __future__ import annotations

import ast
import hashlib
import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Set
from functools import lru_cache

from .python_blocks import parse_module
from .python_modules import (
    Assignment,
    Definition,
    Description,
    Function,
    Module,
    join_names,
    last_name,
    lines_of,
)
from .python_types import ShownType
from .shown_objects import Extent, ObjectStyle, ShownObject

# The pages of a package show the same versions, in few styles.
_MAX_STYLED = 100

# Each version is compared with the one before and with the one after.
_MAX_DIGESTED = 100

# A name in code, but no name of a keyword argument.
_NAME = re.compile(r"(?<![\w.])[^\W\d][\w.]*+(?!=)")

# A string. What is compared with code, but is no code, is written as one.
_TEXT = re.compile(r"b?(?:'[^'\\]*'|\"[^\"\\]*\")")

# Where indentation starts to matter in a docstring of Markdown: below a line such as
# `Args:`, in a section of NumPy, or in code.
_SECTION = re.compile(r"^(?:.*:\n +\S|.*\n-{3,}$| *>>> )", re.M)

# A parameter in the style of Google, which is a field in reStructuredText.
_PARAMETER = re.compile(r"^( +)(?=\*{0,2}\w[\w.]*(?: \(.+?\))?:(?: |$))", re.M)

_DATA_CLASSES = {"dataclass", "define", "frozen", "attrs", "NamedTuple"}

# Attributes are shown without their code.
_PROPERTIES = {"property", "cached_property", "setter", "deleter"}


def shows_same(old: bytes, new: bytes, objects: tuple[ShownObject, ...]) -> bool:
    """Return whether two versions of a module show readers the same. The canonical form
    of a docstring takes time, so only objects that differ are compared by it.

    Args:
        old: The content of one version.
        new: The content of the other.
        objects: The objects that pages show.

    Raises:
        ValueError: A version cannot be parsed.
    """
    old_digests = digest_objects(old, objects)
    new_digests = digest_objects(new, objects)
    if old_digests.keys() != new_digests.keys():
        return False
    for item in new_digests:
        if old_digests[item] != new_digests[item]:
            old_form = digest_objects(old, (item,), is_canonical=True)
            if old_form != digest_objects(new, (item,), is_canonical=True):
                return False
    return True


@lru_cache(_MAX_DIGESTED)
def digest_objects(
    content: bytes, objects: tuple[ShownObject, ...], *, is_canonical: bool = False
) -> Mapping[ShownObject, str]:
    """Return the digests of objects of a module and of the members that pages show with
    them or, in the canonical form, of the objects alone.

    Args:
        content: The content of the module.
        objects: The objects that pages show.
        is_canonical: Whether docstrings are compared in their canonical form.

    Raises:
        ValueError: The module cannot be parsed.
    """
    module = parse_module(content)
    digests: dict[ShownObject, str] = {}
    try:
        for item in objects:
            styled = _read(module, item.style, is_canonical=is_canonical)
            if is_canonical:
                digests[item] = styled.digest(item)
            else:
                styled.add(item, digests)
    except (RecursionError, MemoryError) as error:
        raise ValueError("the module is nested too deeply") from error
    return digests


class _StyledModule:
    """What pages show of a module in one style.

    Args:
        module: The module.
        style: How its objects are shown.
        is_canonical: Whether docstrings are compared in their canonical form.
    """

    def __init__(
        self, module: Module, style: ObjectStyle, *, is_canonical: bool = False
    ) -> None:
        self._module = module
        self._style = style
        self._is_canonical = is_canonical
        self._is_autodoc = style.tool == "autodoc"
        # Imports only decide the full names of types.
        self._imported: dict[str, str] = {}
        if style.full_types:
            for name, (source, original) in module.imported.items():
                self._imported[name] = f"{source}.{original}".lstrip(".")
        # autodoc shows a name that it cannot import as it is written.
        self._unresolved = frozenset[str]()
        if self._is_autodoc:
            self._unresolved = frozenset(module.unresolved)
        self._key = (
            style,
            is_canonical,
            frozenset(self._imported.items()),
            self._unresolved,
        )

    def add(self, item: ShownObject, page: dict[ShownObject, str]) -> None:
        """Add digests of an object and of its members to those on a page."""
        if item in page:
            return
        page[item] = self.digest(item)
        if item.extent is Extent.ALL and not item.is_optional:
            for member in self._shown_members(item.name):
                self.add(item._replace(name=member), page)

    def digest(self, item: ShownObject) -> str:
        """Return a digest of an object without its members."""
        return _hash([item.name, *self._show(item)])

    def _show(self, item: ShownObject) -> Iterable[str]:
        """Return what a page shows of an object without its members: what the page
        needs of it or, if the module only imports the object or creates it in an
        unknown way, what is known.
        """
        if item.extent is Extent.EXPORTS:
            return sorted(self._module.exported)
        if item.extent is Extent.NAMES:
            members = self._shown_members(item.name)
            return [*members, *self._show(item._replace(extent=Extent.HEAD))]
        if item.extent is Extent.DOCSTRING or not item.name:
            return self._show_docstring(item.name)
        if item.name in self._module.definitions:
            if item.extent is Extent.VALUE:
                return self._values({item.name}, item.name)
            return self._show_head(item.name)
        first_name, _, _ = item.name.partition(".")
        if first_name in self._module.imported:
            return ["import"]
        if item.is_optional:
            return []
        return self._show_unknown(item.name)

    def _show_docstring(self, name: str) -> Iterator[str]:
        if not name:
            yield self._form(self._module.doc)
        for item in self._module.definitions.get(name, ()):
            yield from self._shown_docs(item)

    def _show_head(self, name: str) -> Iterator[str]:
        """Yield an object without its members."""
        definitions = self._module.definitions
        for item in definitions[name]:
            if self._is_shown_alone(item) or any(item.docs):
                yield self._digest(item, name)
        if self._style.init:
            for method in (f"{name}.__init__", f"{name}.__new__"):
                for item in definitions.get(method, ()):
                    yield self._digest(item, name)

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

    def _shown_members(self, name: str) -> list[str]:
        shown = []
        for member in self._module.members.get(name, ()):
            member_name = join_names(name, member)
            if self._is_shown(member_name):
                shown.append(member_name)
        if not name and self._style.exported:
            shown += self._module.exported.keys() & self._module.imported.keys()
        return sorted(shown)

    def _is_shown(self, name: str) -> bool:
        scope, _, last_name = name.rpartition(".")
        exported = self._module.exported
        if self._style.exported and not scope and exported and name not in exported:
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
        return item.method == "" or (item.method == "__init__" and not self._is_autodoc)

    def _digest(self, item: Definition, name: str) -> str:
        """Return a digest of a definition and, for autodoc, of the values that it shows
        in place of names in the signature.
        """
        digest, names = self._describe(item)
        if not self._is_autodoc or isinstance(item.node, Assignment):
            return digest
        return _hash([digest, *self._values(names, name)])

    def _values(self, names: Set[str], owner: str) -> Iterator[str]:
        """Yield digests of the values that are assigned to names: in the module, and in
        the class of the owner.
        """
        definitions = self._module.definitions
        scope, _, _ = owner.rpartition(".")
        names = names - self._unresolved
        places = names | {join_names(scope, name) for name in names}
        for place in sorted(places & definitions.keys()):
            for item in definitions[place]:
                if isinstance(item.node, Assignment) and not item.method:
                    digest, _ = self._describe(item)
                    yield digest

    def _describe(self, item: Definition) -> Description:
        """Return a digest of a definition alone, and for autodoc the names in it. A
        statement can define many objects, and be in many versions of a module.
        """
        if self._key not in item.descriptions:
            node = item.node
            if not isinstance(node, ast.ClassDef | Function):
                texts = [*self._describe_value(node, is_type=not any(item.docs))]
            elif self._shows_source(node):
                texts = [_source(item)]
            else:
                texts = [*self._describe_definition(node)]
            names = set[str]()
            if self._is_autodoc:
                code = [text for text in texts if _TEXT.fullmatch(text) is None]
                names.update(_NAME.findall(" ".join(code)))
            digest = _hash([type(node).__name__, *self._shown_docs(item), *texts])
            item.descriptions[self._key] = digest, names
        return item.descriptions[self._key]

    def _shown_docs(self, item: Definition) -> Iterator[str]:
        for text in item.docs:
            if self._style.end:
                text, _, _ = text.partition(self._style.end)
            yield self._form(text)

    def _form(self, docstring: str) -> str:
        """Return a docstring as it is compared."""
        if not self._is_canonical:
            return docstring
        if self._style.tool == "griffe":
            return _canonical_markdown(docstring)
        if "```" in docstring:  # Markdown, in which code can be anywhere.
            return docstring
        # Most builds compare no docstrings.
        from .document_notations import canonical

        return canonical(_PARAMETER.sub(r"\1:~", docstring), ".rst")

    def _shows_source(self, node: ast.ClassDef | Function) -> bool:
        if isinstance(node, ast.ClassDef) and self._style.init:
            return False
        names = {last_name(decorator) for decorator in node.decorator_list}
        return self._style.source and _PROPERTIES.isdisjoint(names)

    def _describe_definition(self, node: ast.ClassDef | Function) -> Iterator[str]:
        """Yield what pages show of a class or a function besides its docstrings."""
        for decorator in node.decorator_list:
            yield ast.unparse(decorator)
        for parameter in getattr(node, "type_params", ()):
            yield ast.unparse(parameter)
        if isinstance(node, ast.ClassDef):
            yield from self._describe_class(node)
        else:
            yield from self._describe_signature(node)

    def _describe_class(self, node: ast.ClassDef) -> Iterator[str]:
        if self._style.bases:
            yield from map(self._type, node.bases)
        names = set(map(last_name, node.bases))
        for decorator in node.decorator_list:
            function = getattr(decorator, "func", decorator)
            names.add(last_name(function))
        if not self._style.fields or _DATA_CLASSES.isdisjoint(names):
            return
        # The fields of a data class are the parameters of its signature.
        for statement in node.body:
            if isinstance(statement, ast.AnnAssign):
                yield repr(ast.unparse(statement.target))
                yield from self._describe_value(statement, is_type=False)

    def _describe_signature(self, node: Function) -> Iterator[str]:
        for kind, value in ast.iter_fields(node.args):
            yield repr(kind)
            items = value
            if not isinstance(value, list):
                items = [value]
            for item in items:
                if isinstance(item, ast.arg):
                    yield repr(item.arg)
                    yield self._type(item.annotation)
                else:
                    yield _text(item)  # a default
        yield self._type(node.returns)

    def _describe_value(self, node: ast.stmt, *, is_type: bool) -> Iterator[str]:
        """Yield the type and the value of an assignment. If pages show it in place of a
        name, the value can be a type.
        """
        annotation = getattr(node, "annotation", None)
        comment = getattr(node, "type_comment", None)
        if comment and self._is_autodoc:
            annotation = ast.Constant(comment)
        yield self._type(annotation)
        value = getattr(node, "value", None)
        if is_type and isinstance(value, ast.BinOp | ast.Subscript):
            yield self._type(value)
        else:
            yield _text(value)

    def _type(self, node: ast.expr | None) -> str:
        if node is None:
            return ""
        shown_type = ShownType(
            self._imported, self._unresolved, has_unions=self._is_autodoc
        )
        return ast.unparse(shown_type.visit(node))


_read = lru_cache(_MAX_STYLED)(_StyledModule)


def _canonical_markdown(docstring: str) -> str:
    """Return a docstring with the canonical form of the text above its sections."""
    from .document_notations import canonical

    match = _SECTION.search(docstring)
    end = len(docstring)
    if match is not None:
        end = match.start()
    return f"{canonical(docstring[:end], '.md')}\n{docstring[end:]}"


def _hash(texts: Iterable[str]) -> str:
    text = "\0".join(texts)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _source(item: Definition) -> str:
    numbers = lines_of(item.node)
    lines = [line.rstrip() for line in item.lines[numbers.start : numbers.stop]]
    return textwrap.dedent("\n".join(lines))


def _text(node: ast.AST | None) -> str:
    if node is None:
        return ""
    return ast.unparse(node)
