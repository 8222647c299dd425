"""What the documentation of a Python module can show."""

from __future__ import annotations

import ast
import inspect
import re
import warnings
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from functools import cached_property
from hashlib import sha256

# Sphinx documents attributes with comments that start with `#:`.
_COMMENT = re.compile(r"#:.*")

# Lines that may be a docstring, or change what another line means.
_MAY_BE_SHOWN = re.compile(r"""[\s(]*[a-z]{0,2}["']|.*(?:\"{3}|'{3}|\#:|\#\s*type:|;|\\$)""", re.I)

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
        self._lines = self._parsed_lines = _split_lines(content)
        reduction = _Reduction(path, self._lines)
        try:
            with warnings.catch_warnings():
                # Python warns of invalid escapes, for example. With `-W error`, it would raise
                # them.
                warnings.simplefilter("ignore")
                self._tree = _parse(content)
            reduction.reduce(self._tree)
        except (SyntaxError, RecursionError, MemoryError) as error:
            raise ValueError("the module cannot be parsed") from error
        self._hidden = reduction.hidden
        self._digests: dict[tuple[str, ...], bytes] = {}

    def other_version(self, content: bytes) -> ModuleApi | None:
        """Return the API of another version of the module, if the versions differ only in hidden
        lines; `None` if the other version must be parsed.

        Most commits change only hidden lines, and parsing takes much longer than this comparison.
        """
        old, new = self._lines, _split_lines(content)
        start = _common_length(old, new, min(len(old), len(new)))
        end = _common_length(old[::-1], new[::-1], min(len(old), len(new)) - start)
        removed, added = old[start : len(old) - end], new[start : len(new) - end]
        affected = self._hidden[start : len(old) - end]
        if not affected:  # Lines that are only added belong to the function next to them.
            affected = [*filter(None, self._hidden[max(0, start - 1) : start + 1])][:1]
        indentation = affected[0] if affected else 0
        above, below = new[:start][-1:], new[len(new) - end :][:1]
        if (
            indentation == 0
            or any(other != indentation for other in affected)
            or any(_may_be_shown(line, indentation) for line in (*removed, *added))
            or any("#:" in line or line.endswith("\\") for line in above)
            or any(_MAY_BE_SHOWN.match(line) for line in below)
        ):
            return None
        version = copy(self)
        version._lines = new
        version._hidden = [
            *self._hidden[:start],
            *[indentation] * len(added),
            *self._hidden[len(old) - end :],
        ]
        return version

    def digest(self, parts: Sequence[str]) -> bytes:
        """Return a digest of some objects, and of the values and base classes of the module that
        they use. If the module does not define one of the objects, all of its objects count.

        Args:
            parts: The names of the objects, such as `Class.method`; empty for all objects. An
                object whose name ends with `?` need not be defined. `__doc__` is a docstring.

        Raises:
            ValueError: The module is nested too deeply.
        """
        key = tuple(parts)
        if key not in self._digests:  # Other versions share this dictionary.
            self._digests[key] = self._compute_digest(key)
        return self._digests[key]

    def _compute_digest(self, parts: Sequence[str]) -> bytes:
        names = [part if part[-1:] == "?" else self._find(part) for part in parts] or [""]
        try:
            if "" in names:
                comments = self._comments(0, len(self._parsed_lines))
                text = "\n".join([ast.dump(self._tree), *comments])
            else:
                text = "\n".join(self._texts(self._with_used(names)))
        except (RecursionError, MemoryError) as error:
            raise ValueError("the module cannot be parsed") from error
        return sha256(text.encode("utf-8", "surrogatepass")).digest()

    @cached_property
    def _objects(self) -> dict[str, list[ast.AST]]:
        """The nodes of each object: its definitions, their docstrings, and the conditions around
        them. A name can be defined several times.
        """
        objects: defaultdict[str, list[ast.AST]] = defaultdict(list)
        _collect(objects, self._tree.body, "", ())
        return dict(objects)

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
            used = {other for node in self._nodes(name) for other in self._used(name, node)}
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
                if any(isinstance(part, _Assignment) for part in self._nodes(target)):
                    yield target
        owners = [node] if isinstance(node, ast.ClassDef) else self._nodes(scope)
        for owner in owners:
            for base in owner.bases if isinstance(owner, ast.ClassDef) else ():
                base_name = _dotted(base)
                inherited = base_name if owner is node else f"{base_name}.{member}"
                if inherited in self._objects:
                    yield inherited

    def _nodes(self, name: str) -> Sequence[ast.AST]:
        return self._objects.get(name, ())

    def _texts(self, names: Iterable[str]) -> Iterator[str]:
        for name in names:
            yield name
            for node in self._nodes(name):
                yield ast.dump(node)
                if isinstance(node, ast.stmt):
                    yield from self._comments(*self._lines_of(node))

    def _lines_of(self, node: ast.stmt) -> tuple[int, int]:
        """Return the first line of a statement, with comments above, and the line after it."""
        decorators = getattr(node, "decorator_list", [])
        start = min([node.lineno, *(decorator.lineno for decorator in decorators)]) - 1
        while start > 0 and self._parsed_lines[start - 1].lstrip().startswith("#"):
            start -= 1
        return start, node.end_lineno or node.lineno

    def _comments(self, start: int, end: int) -> Iterator[str]:
        for line in self._parsed_lines[start:end]:
            yield from _COMMENT.findall(line)


def _collect(
    objects: defaultdict[str, list[ast.AST]],
    body: Sequence[ast.stmt],
    scope: str,
    conditions: tuple[ast.AST, ...],
) -> None:
    """Collect the objects of a module or a class.

    Args:
        objects: Receives the objects.
        body: The statements.
        scope: The name of the class with a dot; empty for the module.
        conditions: The conditions around the statements.
    """
    names = [f"{scope}__doc__"]
    objects[f"{scope}__doc__"] += ()
    for node in body:
        if _docstring(node) is not None:
            for name in names:
                objects[name].append(node)
            continue
        names = []
        if isinstance(node, ast.ClassDef):
            names = [scope + node.name]
            _collect(objects, node.body, f"{scope}{node.name}.", conditions)
        elif isinstance(node, _Function):
            names = [scope + node.name]
            # The body contains only the attributes that are documented.
            for name, statements in _attributes_in(node.body).items():
                objects[scope + name] += statements
        elif isinstance(node, _Assignment | ast.AugAssign):
            names = [scope + name for name in _target_names(node)]
        elif isinstance(node, getattr(ast, "TypeAlias", ())):
            names = [scope + node.name.id]  # type: ignore[attr-defined]
        elif isinstance(node, ast.ImportFrom):
            for imported in node.names:
                alone = ast.ImportFrom(node.module, [imported], node.level)
                name = scope + (imported.asname or imported.name)
                objects[name].append(ast.copy_location(alone, node))
        else:
            inner = (*conditions, *_conditions_of(node))
            for block in _blocks(node):
                _collect(objects, block, scope, inner)
        for name in names:
            objects[name] += (node, *conditions)


def _parse(content: bytes) -> ast.Module:
    """Parse a module, with the types in comments, which autodoc shows, if all of them are valid."""
    try:
        return ast.parse(content, type_comments=True)
    except SyntaxError:
        return ast.parse(content)


class _Reduction:
    """Removes what no documentation shows: imports, and the bodies of functions, except for
    docstrings, and for attributes that are assigned with a description.

    sphinx-autoapi and mkdocstrings can also show the other attributes that `__init__` assigns. A
    package can show objects that it imports from its own modules.

    Args:
        path: The path of the module.
        lines: Its lines.

    Attributes:
        hidden: For each line in the body of a function that no documentation shows, the indentation
            of the body; 0 for all other lines.
    """

    def __init__(self, path: bytes, lines: Sequence[str]) -> None:
        folder, _, name = path.rpartition(b"/")
        self._package = folder.rpartition(b"/")[2].decode("utf-8", "surrogateescape")
        self._is_package = name in (b"__init__.py", b"__init__.pyi")
        self._lines = lines
        self._described = {number for number, line in enumerate(lines, 1) if "#:" in line}
        self.hidden = [0] * len(lines)

    def reduce(self, node: ast.AST) -> None:
        """Change a module, or a statement in which others are nested."""
        for block in _blocks(node):
            shown: list[ast.stmt] = []
            for statement in block:
                text = _docstring(statement)
                if text is not None:
                    shown.append(_with_text(statement, text))
                elif isinstance(statement, _Function):
                    self._reduce_function(statement)
                    shown.append(statement)
                elif not isinstance(statement, ast.Import | ast.ImportFrom):
                    self.reduce(statement)
                    shown.append(statement)
                elif isinstance(statement, ast.ImportFrom) and self._is_own(statement):
                    shown.append(statement)
            block[:] = shown

    def _is_own(self, node: ast.ImportFrom) -> bool:
        is_own = node.level > 0 or (node.module or "").partition(".")[0] == self._package
        return self._is_package and is_own

    def _reduce_function(self, node: _Function) -> None:
        first = node.body[0]
        end = node.end_lineno or node.lineno
        is_documented = _docstring(first) is not None
        start = (first.end_lineno or first.lineno) if is_documented else first.lineno - 1
        is_own_line = not self._lines[first.lineno - 1][: first.col_offset].strip(" ")
        body = [*self._shown_statements(node)]
        if is_own_line and node.name != "__init__":
            self.hidden[start:end] = [first.col_offset] * (end - start)
            for shown in body:
                lines = range(shown.lineno - 1, shown.end_lineno or shown.lineno)
                self.hidden[lines.start : lines.stop] = [0] * len(lines)
        node.body = body

    def _shown_statements(self, node: _Function) -> Iterator[ast.stmt]:
        yielded: ast.stmt | None = None
        for block in _nested_blocks(node):
            previous: ast.stmt | None = None
            for statement in block:
                text = _docstring(statement)
                if text is not None:
                    if isinstance(previous, _Assignment) and yielded is not previous:
                        yield previous
                    yield _with_text(statement, text)
                elif isinstance(statement, _Assignment) and (
                    self._has_comment(statement)
                    or (node.name == "__init__" and _sets_attribute(statement))
                ):
                    yielded = statement
                    yield statement
                previous = statement

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


def _sets_attribute(node: ast.AST) -> bool:
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


def _blocks(node: ast.AST) -> Iterator[list[ast.stmt]]:
    """Yield the lists of statements in a statement: of all branches, and of handlers and cases."""
    for name in ("body", "orelse", "finalbody"):
        block = getattr(node, name, None)
        if isinstance(block, list):  # `body` of a lambda is an expression
            yield block
    for name in ("handlers", "cases"):
        for child in getattr(node, name, ()):
            yield child.body


def _nested_blocks(node: ast.AST) -> Iterator[list[ast.stmt]]:
    for block in _blocks(node):
        yield block
        for statement in block:
            yield from _nested_blocks(statement)


def _split_lines(content: bytes) -> list[str]:
    """Return the lines, numbered as Python does. The bytes of each encoding stay distinct."""
    content = content.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return content.decode("utf-8", "surrogateescape").split("\n")


def _common_length(old: Sequence[str], new: Sequence[str], limit: int) -> int:
    """Return the number of lines at the start that are equal."""
    for number in range(limit):
        if old[number] != new[number]:
            return number
    return limit


def _may_be_shown(line: str, indentation: int) -> bool:
    """Whether a line may not belong to the body of a function that has this indentation, or may
    contain a docstring, for example.
    """
    text = line.lstrip(" ")
    is_outside = text != "" and len(line) - len(text) < indentation
    return is_outside or text[:1].isspace() or _MAY_BE_SHOWN.match(line) is not None


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
