"""What the documentation of a Python module can show."""

from __future__ import annotations

import ast
import inspect
import re
import warnings
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hashlib import _Hash as Hash

# Sphinx documents attributes with comments that start with `#:`.
_COMMENT = re.compile(r"#:.*")

# The start of a top-level statement. A line that starts with a string may be a docstring, which
# belongs to the statement above.
_START = re.compile(r"(?!(?:else|elif|except|finally)\b|[a-z]{0,2}[\"'])[^\s()\]}\\#@]", re.I)

# What can start or end a string that contains several lines, and what can contain such quotes.
_QUOTES = re.compile(
    r"""\\. | \"{3} | '{3} | "(?:\\.|[^"\\])*" | '(?:\\.|[^'\\])*' | \#""", re.VERBOSE
)

# Commits change few statements, so the others of a version are already parsed.
_MAX_STATEMENTS = 10_000

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
        folder, _, name = path.rpartition(b"/")
        is_package = name in (b"__init__.py", b"__init__.pyi")
        package = folder.rpartition(b"/")[2].decode("utf-8", "replace") if is_package else None
        try:
            with warnings.catch_warnings():
                # Python warns of invalid escapes, for example. With `-W error`, it would raise
                # them.
                warnings.simplefilter("ignore")
                self._statements = _parse_statements(content, package)
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
        digest = sha256()
        try:
            if "" in names:
                for part in ("nodes", "comments"):
                    for statements in self._statements:
                        digest.update(getattr(statements, part))
                self._update(digest, sorted(self._shown_imports() | {*names} - {""}))
            else:
                self._update(digest, self._with_used(names))
        except (RecursionError, MemoryError) as error:
            raise ValueError("the module cannot be parsed") from error
        return digest.digest()

    def _update(self, digest: Hash, names: Iterable[str]) -> None:
        for name in names:
            digest.update(name.encode("utf-8", "surrogatepass") + b"\0")
            for statements in self._objects.get(name, ()):
                digest.update(statements.digests_of(name))
            for statements in self._statements:
                digest.update(statements.imports.get(name, b""))
                digest.update(statements.mentions.get(name, b""))

    def _shown_imports(self) -> set[str]:
        """Return the imported names that documentation of the complete module shows: names in
        `__all__`, and base classes. An asterisk imports names that `__all__` can contain.
        """
        shown = {"*"}
        for statements in self._statements:
            shown |= statements.exported | statements.bases
        return shown & self._imported

    @cached_property
    def _imported(self) -> set[str]:
        return {name for statements in self._statements for name in statements.imports}

    @cached_property
    def _objects(self) -> dict[str, list[_Statements]]:
        """The statements that define each object."""
        objects: defaultdict[str, list[_Statements]] = defaultdict(list)
        objects["__doc__"] = []
        for statements in self._statements:
            for name in statements.objects:
                objects[name].append(statements)
        for name in self._imported:
            objects.setdefault(name, [])
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
            used = {
                other
                for statements in self._objects.get(name, ())
                for other in self._used(name, statements.uses(name))
            }
            queue += used - found
            found |= used
        return sorted(found)

    def _used(self, name: str, uses: _Uses) -> Iterator[str]:
        """Yield the objects of the module that readers see with an object: the values and type
        aliases in its signature and, because docstrings are inherited, its base classes.
        """
        scope, _, member = name.rpartition(".")
        for other in uses.names:
            for complete in (f"{scope}.{other}", other):
                target = self._find(complete)
                if any(part.uses(target).is_value for part in self._objects.get(target, ())):
                    yield target
        yield from uses.bases & self._objects.keys()
        # Another class with the same name can be imported.
        yield from {base.partition(".")[0] for base in uses.bases} & self._imported
        for owner in self._objects.get(scope, ()):
            inherited = {f"{base}.{member}" for base in owner.uses(scope).bases}
            yield from inherited & self._objects.keys()


@dataclass(frozen=True, slots=True)
class _Uses:
    """What an object uses.

    Attributes:
        names: The names in its expressions.
        bases: The names of its base classes.
        is_value: Whether the object is assigned.
    """

    names: frozenset[str]
    bases: frozenset[str]
    is_value: bool


class _Statements:
    """A top-level statement of a module, with comments above and docstrings below; or all
    statements, if they cannot be separated.

    Args:
        text: The lines.
        package: The name of the package, if the module is the `__init__.py` of one.

    Attributes:
        objects: The nodes of each object: its definitions, their docstrings, and the conditions
            around them. A name can be defined several times.
        imports: The digest of the imports of each name. The objects of a package contain its
            imports from its own modules, too.
        exported: The texts in statements that use `__all__`.
        bases: The first parts of the names of base classes.
        mentions: The digest of the calls and loops that name each object: they can change its
            docstring.

    Raises:
        SyntaxError: The statements cannot be parsed.
    """

    def __init__(self, text: str, package: str | None) -> None:
        self._lines = text.split("\n")
        self._tree = _parse(text)
        self.imports = _imports(self._tree)
        self.exported = _exported_names(self._tree) if "__all__" in text else set()
        self.mentions = _mentions(self._tree)
        _Reduction(package, self._lines).reduce(self._tree)
        objects: defaultdict[str, list[ast.AST]] = defaultdict(list)
        _collect(objects, self._tree.body, "", ())
        self.objects = dict(objects)
        self.bases = {
            _dotted(base).partition(".")[0]
            for nodes in self.objects.values()
            for node in nodes
            for base in getattr(node, "bases", ())
        }
        self._digests: dict[str, bytes] = {}
        self._uses: dict[str, _Uses] = {}

    @cached_property
    def nodes(self) -> bytes:
        """The digests of all nodes that documentation can show."""
        return _digests(map(ast.dump, self._tree.body))

    @cached_property
    def comments(self) -> bytes:
        """The digests of all comments that documentation can show."""
        return _digests(self._comments(0, len(self._lines)))

    def digests_of(self, name: str) -> bytes:
        """Return the digests of the nodes of an object, with their comments."""
        if name not in self._digests:
            texts = []
            for node in self.objects[name]:
                texts.append(ast.dump(node))
                if isinstance(node, ast.stmt):
                    texts += self._comments(*self._lines_of(node))
            self._digests[name] = _digests(texts)
        return self._digests[name]

    def uses(self, name: str) -> _Uses:
        """Return what an object uses."""
        if name not in self._uses:
            nodes = self.objects[name]
            bases = [base for node in nodes for base in getattr(node, "bases", ())]
            self._uses[name] = _Uses(
                frozenset[str]().union(*map(_loaded_names, nodes)),
                frozenset(map(_dotted, bases)) - {""},
                any(isinstance(node, _Assignment) for node in nodes),
            )
        return self._uses[name]

    def _lines_of(self, node: ast.stmt) -> tuple[int, int]:
        """Return the first line of a statement, with comments above, and the line after it."""
        decorators = getattr(node, "decorator_list", [])
        start = min([node.lineno, *(decorator.lineno for decorator in decorators)]) - 1
        while start > 0 and self._lines[start - 1].find("#") == node.col_offset:
            start -= 1
        return start, node.end_lineno or node.lineno

    def _comments(self, start: int, end: int) -> Iterator[str]:
        for line in self._lines[start:end]:
            yield from _COMMENT.findall(line)


def _parse_statements(content: bytes, package: str | None) -> list[_Statements]:
    """Return the statements of a module, each parsed only once for all versions.

    Raises:
        SyntaxError: The module cannot be parsed.
    """
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        # A comment may name another encoding. Python finds it.
        text = ast.unparse(ast.parse(content))
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    try:
        statements = [*_split(text)]
        # Generated modules can contain more than can be kept. To parse all at once is faster then.
        if len(statements) > _MAX_STATEMENTS // 2:
            return [_parse_lines(text, package)]
        return [_parse_lines(lines, package) for lines in statements]
    except SyntaxError:
        # A line of a string or in brackets looked like the start of a statement.
        return [_parse_lines(text, package)]


def _split(text: str) -> Iterator[str]:
    """Yield the lines of each top-level statement. Comments and decorators belong to the statement
    below, and strings, which may be docstrings, to the one above.
    """
    lines = text.split("\n")
    start = 0
    above: int | None = None  # the first of the comments and decorators directly above
    has_statement = False
    quotes = ""  # of the string that contains the line
    for number, line in enumerate(lines):
        is_in_string = quotes != ""
        if '"""' in line or "'''" in line:
            quotes = _open_quotes(line, quotes)
        if is_in_string:
            continue
        if line.startswith(("#", "@")):
            above = number if above is None else above
        elif _START.match(line):
            first = number if above is None else above
            if has_statement:
                yield "\n".join(lines[start:first])
                start = first
            has_statement = True
            above = None
        elif line.strip():
            above = None
    yield "\n".join(lines[start:])


def _open_quotes(line: str, quotes: str) -> str:
    """Return the quotes of the string that continues in the next line; empty if there is none.

    Args:
        line: The line.
        quotes: The quotes of the string that continues in this line; empty if there is none.
    """
    for match in _QUOTES.finditer(line):
        text = match[0]
        if quotes:
            quotes = "" if text == quotes else quotes
        elif text in ('"""', "'''"):
            quotes = text
        elif text == "#":
            break
    return quotes


_parse_lines = lru_cache(_MAX_STATEMENTS)(_Statements)


def _digests(texts: Iterable[str]) -> bytes:
    return b"".join(sha256(text.encode("utf-8", "surrogatepass")).digest() for text in texts)


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


def _parse(text: str) -> ast.Module:
    """Parse statements, with types in comments, which autodoc shows, if all of them are valid."""
    try:
        return ast.parse(text, type_comments=True)
    except SyntaxError:
        return ast.parse(text)


class _Reduction:
    """Removes what no documentation shows: imports, and the bodies of functions, except for
    attributes that are assigned with a description.

    sphinx-autoapi and mkdocstrings can also show the other attributes that `__init__` assigns. A
    package can show objects that it imports from its own modules.

    Args:
        package: The name of the package, if the module is the `__init__.py` of one.
        lines: The lines of the statements.
    """

    def __init__(self, package: str | None, lines: Sequence[str]) -> None:
        self._package = package
        self._described = {number for number, line in enumerate(lines, 1) if "#:" in line}

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
        return self._package is not None and is_own

    def _reduce_function(self, node: _Function) -> None:
        parameters = [*node.args.posonlyargs, *node.args.args]
        # The attributes of other objects are not documented.
        owner = parameters[0].arg if parameters and node.name == "__init__" else None
        shown: list[ast.stmt] = []
        for statement in node.body[:1]:
            text = _docstring(statement)
            if text is not None:
                shown.append(_with_text(statement, text))
        for block in _nested_blocks(node):
            for statement, following in zip(block, [*block[1:], None], strict=False):
                if isinstance(statement, _Assignment):
                    text = None if following is None else _docstring(following)
                    if text is not None and following is not None:
                        shown += (statement, _with_text(following, text))
                    elif self._has_comment(statement) or _sets_attribute(statement, owner):
                        shown.append(statement)
        node.body = shown

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


def _sets_attribute(node: _Assignment, owner: str | None) -> bool:
    names = [name.split(".") for name in _target_names(node)]
    return any(len(parts) == 2 and parts[0] == owner for parts in names)


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


def _imports(tree: ast.Module) -> dict[str, bytes]:
    """Return the digest of the imports of each name, outside of functions and classes."""
    imports: defaultdict[str, bytes] = defaultdict(bytes)
    for block in _nested_blocks(tree):
        for statement in block:
            for name, text in imported_names(statement):
                imports[name] += _digests([text])
    return dict(imports)


def imported_names(statement: ast.AST) -> Iterator[tuple[str, str]]:
    """Yield the names that a statement imports, and a text that differs for different objects."""
    if isinstance(statement, ast.Import | ast.ImportFrom):
        place = getattr(statement, "level", 0), getattr(statement, "module", None)
        for alias in statement.names:
            yield alias.asname or alias.name.partition(".")[0], repr((*place, alias.name))


def _exported_names(tree: ast.Module) -> set[str]:
    return {
        child.value
        for statement in tree.body
        if any(
            isinstance(child, ast.Name) and child.id == "__all__" for child in ast.walk(statement)
        )
        for child in ast.walk(statement)
        if isinstance(child, ast.Constant) and isinstance(child.value, str)
    }


def _mentions(tree: ast.Module) -> dict[str, bytes]:
    """Return the digest of the calls and loops that name each object."""
    mentions: defaultdict[str, bytes] = defaultdict(bytes)
    for block in _nested_blocks(tree):
        for statement in block:
            if isinstance(statement, ast.For | ast.While | ast.With) or (
                isinstance(statement, ast.Expr) and _docstring(statement) is None
            ):
                digest = _digests([ast.dump(statement)])
                for name in _loaded_names(statement):
                    mentions[name] += digest
    return dict(mentions)


def _nested_blocks(node: ast.AST) -> Iterator[list[ast.stmt]]:
    """Yield the lists of statements in a function, without those of functions in it."""
    for block in _blocks(node):
        yield block
        for statement in block:
            if not isinstance(statement, _Function | ast.ClassDef):
                yield from _nested_blocks(statement)


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
