"""What the documentation of a Python module shows: names, signatures, base classes, values, and
docstrings. The module is parsed, but never run.
"""

from __future__ import annotations

import ast
import json
import re
import textwrap
import warnings
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache, reduce
from hashlib import sha256
from importlib.util import decode_source
from typing import NamedTuple

# The pages of a package need the same versions, and so do consecutive commits.
_MAX_VERSIONS = 200

# Longer texts are not annotations.
_MAX_ANNOTATION = 200

_RETURN_SECTIONS = {"return", "returns", "rtype", "yield", "yields"}

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_Assignment = (
    ast.Assign | ast.AnnAssign | ast.AugAssign | getattr(ast, "TypeAlias", ast.AugAssign)  # 3.12
)


def digest(path: bytes, content: bytes, parts: Sequence[str]) -> bytes:
    """Return a digest of what pages show of a module.

    Args:
        path: The path of the module in the repository.
        content: Its content.
        parts: What the pages show, in the form that `Shown` describes.

    Raises:
        ValueError: The module cannot be parsed.
    """
    with warnings.catch_warnings():
        # Python warns of invalid escapes, for example. With `-W error`, it would raise them.
        warnings.simplefilter("ignore")
        module = _parse(content)
        if module is None:
            raise ValueError("the module cannot be parsed")
        rules = [part for part in parts if part.startswith("{")] or ["{}"]
        names = sorted({*parts} - {*rules}) or [""]
        result = sha256()
        try:
            for rule in rules:
                page = _Page(module, Rules(**json.loads(rule)))
                for name in names:
                    page.add(name)
                result.update("\0".join(page.texts).encode("utf-8", "surrogatepass"))
        except (SyntaxError, RecursionError, MemoryError) as error:
            raise ValueError("the module cannot be parsed") from error
        return result.digest()


class Rules(NamedTuple):
    """How the pages show the objects of a module.

    Attributes:
        tool: `autodoc` if the module is imported, so that pages show its values, and names from
            other modules with these modules. `griffe` if only its source is read.
        filters: Regular expressions. The last one that a name contains decides whether members with
            this name are shown: not with `!` in front. If there are only expressions without `!`,
            other members are hidden.
        undocumented: Whether members without a docstring are shown.
        init: Whether classes are shown with the `signature` of `__init__`, or also with its
            `docstring`.
        annotations: Whether signatures have annotations. Otherwise, only the documented parameters
            and results have them.
        source: Whether the code of functions is shown.
        class_source: Whether the code of classes is shown.
        ordered: Whether members are in the order of the module.
    """

    tool: str = ""
    filters: Sequence[str] = ()
    undocumented: bool = True
    init: str = "docstring"
    annotations: bool = True
    source: bool = False
    class_source: bool = False
    ordered: bool = False

    def shows(self, name: str) -> bool:
        """Return whether the name of a member passes the filters."""
        is_shown = not self.filters or any(regex.startswith("!") for regex in self.filters)
        for regex in self.filters:
            if re.search(regex.removeprefix("!"), name):
                is_shown = not regex.startswith("!")
        return is_shown


class _Definition:
    """A statement that defines one or more objects.

    Attributes:
        node: The statement.
        docs: Its docstrings.
        comments: Its comments that start with `#:`, which only Sphinx shows.
        method: The method that assigns an attribute of instances; otherwise empty.
    """

    def __init__(self, node: ast.stmt, method: str = "") -> None:
        self.node = node
        self.docs: list[str] = []
        self.comments: list[str] = []
        self.method = method


class _Module:
    """The objects of a module.

    Attributes:
        lines: The lines of the module.
        doc: Its docstring.
        definitions: The definitions of each object. A name can be defined several times.
        members: The names of the members of the module (an empty name) and of each class.
        imported: The names that the module imports. Imports are not shown.
    """

    def __init__(self, text: str) -> None:
        self.lines = text.split("\n")
        tree = _parse_text(text)
        self.doc = "".join(_docstrings(tree.body[:1]))
        self.definitions: defaultdict[str, list[_Definition]] = defaultdict(list)
        self.members: defaultdict[str, dict[str, None]] = defaultdict(dict)
        self.imported: set[str] = set()
        self._above, self._after = _find_comments(self.lines if "#:" in text else ())
        self._collect(tree.body)

    def _collect(self, body: list[ast.stmt]) -> None:
        # Each block, with the class that contains it, and the method with its first parameter.
        # A long chain of `elif` is too deep for recursive functions.
        blocks = [("", "", "", iter(body))]
        above: _Definition | None = None
        while blocks:
            scope, method, owner, block = blocks[-1]
            node = next(block, None)
            if node is None:
                blocks.pop()
            if above is not None and node is not None:
                above.docs += _docstrings([node])
            above = None
            if isinstance(node, ast.ClassDef | _Function) and not method:
                definition = self._add(scope, [node.name], _Definition(node))
                definition.docs += _docstrings(node.body[:1])
                name = f"{scope}.{node.name}".lstrip(".")
                if isinstance(node, ast.ClassDef):
                    blocks.append((name, "", "", iter(node.body)))
                elif scope and (parameters := [*node.args.posonlyargs, *node.args.args]):
                    blocks.append((scope, node.name, parameters[0].arg, iter(node.body)))
            elif isinstance(node, _Assignment):
                above = self._add(scope, _targets(node, owner), _Definition(node, method))
                above.comments += self._above.get(node.lineno, ())
                above.comments += self._after.get(node.end_lineno or 0, ())
            elif isinstance(node, ast.Import | ast.ImportFrom) and not scope:
                names = [alias.asname or alias.name.partition(".")[0] for alias in node.names]
                self.imported.update(names)
            elif node is not None and not isinstance(node, ast.ClassDef | _Function):
                inner = ("body", "handlers", "cases", "orelse", "finalbody")
                lists = [getattr(node, field, ()) for field in reversed(inner)]
                blocks += [(scope, method, owner, iter(nested)) for nested in lists]

    def _add(self, scope: str, names: Iterable[str], definition: _Definition) -> _Definition:
        for name in names:
            self.members[scope][name] = None
            self.definitions[f"{scope}.{name}".lstrip(".")].append(definition)
        return definition


@lru_cache(_MAX_VERSIONS)
def _parse(content: bytes) -> _Module | None:
    try:
        return _Module(decode_source(content))
    except (ValueError, SyntaxError, LookupError, RecursionError, MemoryError):
        return None


def _parse_text(text: str) -> ast.Module:
    """Parse a module, with types in comments, which autodoc shows, if all of them are valid."""
    try:
        return ast.parse(text, type_comments=True)
    except SyntaxError:
        return ast.parse(text)


def _find_comments(lines: Iterable[str]) -> tuple[dict[int, list[str]], dict[int, list[str]]]:
    """Return the comments that start with `#:` above lines, and those at the end of lines."""
    above: dict[int, list[str]] = {}
    after: dict[int, list[str]] = {}
    comments: list[str] = []
    for number, line in enumerate(lines, 1):
        start, marker, comment = line.partition("#:")
        if marker and not start.strip():
            comments.append(comment.strip())
            continue
        if comments:
            above[number] = comments
            comments = []
        if marker:
            after[number] = [comment.strip()]
    return above, after


def _docstrings(nodes: Iterable[ast.stmt]) -> Iterator[str]:
    """Yield the text of docstrings as documentation shows it, without indentation."""
    for node in nodes:
        value = getattr(getattr(node, "value", None), "value", None)
        if isinstance(node, ast.Expr) and isinstance(value, str):
            first, _, rest = value.expandtabs().partition("\n")
            text = f"{first.strip()}\n{textwrap.dedent(rest)}".strip("\n")
            yield "\n".join(line.rstrip() for line in text.split("\n"))


def _targets(node: ast.stmt, owner: str) -> Iterator[str]:
    """Yield the names that an assignment sets: in a method, those of attributes of `owner`."""
    targets = getattr(node, "targets", None) or [getattr(node, "target", None) or node.name]  # type: ignore[attr-defined]
    for part in (part for target in targets for part in ast.walk(target)):
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store) and not owner:
            yield part.id
        elif isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name):
            if owner and part.value.id == owner:
                yield part.attr
            elif part.attr == "__doc__" and not owner:
                yield f"{part.value.id}.__doc__"


class _Page:
    """What pages show of a module.

    Args:
        module: The module.
        rules: How its objects are shown.

    Attributes:
        texts: What is shown.
    """

    def __init__(self, module: _Module, rules: Rules) -> None:
        self.texts: list[str] = []
        self._module = module
        self._rules = rules
        self._added: set[str] = set()
        self._digests: dict[tuple[int, bool], str] = {}
        self._everything: _Page | None = None

    def add(self, part: str) -> None:
        """Add an object."""
        module = self._module
        name = part.removesuffix("?").removesuffix("()")
        scope, _, last = name.rpartition(".")
        if part in self._added:
            return
        self._added.add(part)
        self.texts.append(name)
        if last in ("", "__doc__"):
            docs = [text for item in module.definitions.get(scope, ()) for text in item.docs]
            self.texts += docs if scope else [module.doc]
            self._add_head(name)
        elif name in module.definitions:
            self._add_head(name)
        elif part[-1:] != "?" and name.partition(".")[0] not in module.imported:
            self._add_unknown(scope)
        if last != "__doc__" and part[-2:] != "()":
            for member in self._shown_members(name):
                self.add(member)

    def _add_head(self, name: str) -> None:
        """Add an object without its members."""
        definitions = self._module.definitions
        for item in definitions.get(name, ()):
            if self._has_docs(item) or self._is_known(item):
                self.texts.append(self._digest(item, name))
        for method in ("__init__", "__new__") if self._rules.init else ():
            for item in definitions.get(f"{name}.{method}", ()):
                has_docs = self._rules.init == "docstring"
                self.texts.append(self._digest(item, name, has_docs=has_docs))
        for item in definitions.get(f"{name}.__doc__", ()):
            self.texts.append(self._digest(item, name))

    def _add_unknown(self, scope: str) -> None:
        """Add the innermost class that may define an object, or the complete module."""
        while scope and scope not in self._module.definitions:
            scope = scope.rpartition(".")[0]
        if self._everything is None:
            self._everything = _Page(self._module, Rules())
            self._everything.texts = self.texts
        self._everything.add(scope)

    def _shown_members(self, name: str) -> list[str]:
        module, is_autodoc = self._module, self._rules.tool == "autodoc"
        names = [*module.members.get(name, ())]
        exported = module.definitions.get("__all__") if is_autodoc and not name else None
        if exported:
            listed = {
                child.value
                for item in exported
                for child in ast.walk(item.node)
                if isinstance(child, ast.Constant) and isinstance(child.value, str)
            }
            self.texts += sorted(listed.difference(names))
            names = [item for item in names if item in listed]
        prefix = f"{name}." if name else ""
        shown = [prefix + item for item in names if self._is_shown(prefix, item)]
        return shown if self._rules.ordered else sorted(shown)

    def _is_shown(self, prefix: str, name: str) -> bool:
        if not self._rules.shows(name):
            return False
        items = self._module.definitions.get(prefix + name, ())
        has_docs = any(map(self._has_docs, items))
        is_class = any(isinstance(item.node, ast.ClassDef) for item in items)
        return (
            has_docs
            or (self._rules.undocumented and (not items or any(map(self._is_known, items))))
            or (
                is_class
                and self._rules.tool == "griffe"
                and self._shown_members(prefix + name) != []
            )
        )

    def _has_docs(self, item: _Definition) -> bool:
        return any(item.docs) or (bool(item.comments) and self._rules.tool != "griffe")

    def _is_known(self, item: _Definition) -> bool:
        """Return whether pages can show a definition without a docstring."""
        return not item.method or (item.method == "__init__" and self._rules.tool != "autodoc")

    def _digest(self, item: _Definition, name: str, *, has_docs: bool = True) -> str:
        """Return a digest of a definition. A statement can define many objects."""
        key = id(item), has_docs
        if key not in self._digests:
            docs = [*item.docs, *item.comments] if has_docs else []
            writer = _Writer(self._module, self._rules, docs)
            writer.write_definition(item)
            writer.texts += docs
            if self._rules.tool == "autodoc" and not isinstance(item.node, _Assignment):
                self._write_values(writer, name.rpartition(".")[0])
            text = "\0".join(writer.texts).encode("utf-8", "surrogatepass")
            self._digests[key] = sha256(text).hexdigest()
        return self._digests[key]

    def _write_values(self, writer: _Writer, scope: str) -> None:
        """Add the values of names in a signature, which autodoc shows in place of the names."""
        for name in sorted(writer.names):
            for place in {f"{scope}.{name}".lstrip("."), name}:
                for item in self._module.definitions.get(place, ()):
                    if isinstance(item.node, _Assignment) and not item.method:
                        writer.texts.append(self._digest(item, place, has_docs=False))


class _Writer:
    """Writes definitions as pages show them.

    Args:
        module: The module.
        rules: How its objects are shown.
        docs: The docstrings of the definition.

    Attributes:
        texts: What is shown.
        names: The names in expressions.
    """

    def __init__(self, module: _Module, rules: Rules, docs: Iterable[str]) -> None:
        self.texts: list[str] = []
        self.names: set[str] = set()
        self._module = module
        self._rules = rules
        words = () if rules.annotations else re.findall(r"\w+", " ".join(docs).lower())
        self._documented = {*words}

    def write_definition(self, item: _Definition) -> None:
        node = item.node
        self.texts.append(type(node).__name__)
        if isinstance(node, _Function):
            if self._rules.source:
                self._write_lines(node)
                return
            self.write(node.decorator_list)
            self.write(node.args)
            self.write(node.type_comment)
            if self._has_annotation("") or self._documented & _RETURN_SECTIONS:
                self.write(node.returns, is_type=True)
        elif isinstance(node, ast.ClassDef):
            if self._rules.class_source:
                self._write_lines(node)
                return
            self.write(node.decorator_list)
            self.write(node.bases, is_type=True)
            self.write(node.keywords)
            if _has_fields(node):
                for field in node.body:
                    if isinstance(field, ast.AnnAssign):
                        self.write(field.target)
                        self._write_value(field)
        elif item.method and self._rules.tool == "autodoc":
            self.write(getattr(node, "annotation", None), is_type=True)
        else:
            self._write_value(node)
        self.write(getattr(node, "type_params", None))

    def _write_value(self, node: ast.stmt) -> None:
        if self._rules.annotations:
            self.write(getattr(node, "annotation", None), is_type=True)
            self.write(getattr(node, "type_comment", None))
        self.write(getattr(node, "value", None))

    def _write_lines(self, node: ast.ClassDef | _Function) -> None:
        start = min([node.lineno, *(item.lineno for item in node.decorator_list)])
        lines = self._module.lines[start - 1 : node.end_lineno]
        self.texts.append(textwrap.dedent("\n".join(lines)))

    def _has_annotation(self, parameter: str) -> bool:
        return self._rules.annotations or parameter.lower() in self._documented

    def write(self, value: object, *, is_type: bool = False) -> None:
        """Write an expression, or other parts of the syntax tree.

        Args:
            value: The expression.
            is_type: Whether it is an annotation or a base class.
        """
        if is_type:
            value = self._type(value)
        if isinstance(value, ast.arg):
            self.texts.append(value.arg)
            if self._has_annotation(value.arg):
                self.write(value.annotation, is_type=True)
                self.write(value.type_comment)
        elif isinstance(value, ast.AST):
            if isinstance(getattr(value, "value", value), ast.Name):
                self.names.add(_dotted(value))
            self.texts.append(type(value).__name__)
            for field in value._fields:
                if field not in ("ctx", "kind"):
                    self.write(getattr(value, field, None), is_type=is_type)
        elif isinstance(value, list):
            self.texts.append(str(len(value)))
            for item in value:
                self.write(item, is_type=is_type)
        else:
            self.texts.append(repr(value))

    def _type(self, value: object) -> object:
        """Return a type in the form in which it is shown."""
        text = getattr(value, "value", None)
        if isinstance(text, str) and len(text) <= _MAX_ANNOTATION:
            try:
                value = ast.parse(text.strip(), mode="eval").body
            except (ValueError, SyntaxError):
                return value
        name = _dotted(value)
        if name:
            self.names.add(name)
            return name.rpartition(".")[2]
        if isinstance(value, ast.Subscript) and self._rules.tool == "autodoc":
            kind = _dotted(value.value).rpartition(".")[2]
            if kind == "Optional":
                return ast.BinOp(value.slice, ast.BitOr(), ast.Constant(None))
            if kind == "Union" and isinstance(value.slice, ast.Tuple) and value.slice.elts:
                return reduce(lambda a, b: ast.BinOp(a, ast.BitOr(), b), value.slice.elts)
        return value


def _has_fields(node: ast.ClassDef) -> bool:
    """Return whether the annotated attributes of a class are parameters, as in a data class."""
    decorators = [getattr(item, "func", item) for item in node.decorator_list]
    names = {_dotted(item).rpartition(".")[2] for item in (*decorators, *node.bases)}
    return not names.isdisjoint(("dataclass", "define", "frozen", "attrs", "NamedTuple"))


def _dotted(node: object) -> str:
    """Return a name with its attributes, such as `a.name`; an empty string for anything else."""
    attributes: list[str] = []
    while isinstance(node, ast.Attribute):
        attributes.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(attributes)]) if isinstance(node, ast.Name) else ""
