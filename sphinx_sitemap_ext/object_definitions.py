"""Where the objects on a page are defined: in which files, and with which names.

autodoc, autosummary, and inheritance diagrams import the objects while a document is read. Nothing
else is imported here.
"""

from __future__ import annotations

import ast
import functools
import inspect
import os
import sys
import typing
from collections.abc import Iterator
from types import FunctionType, ModuleType
from typing import Any, NamedTuple

# A chain of re-exports can be circular in broken modules.
_MAX_IMPORTS = 10

_WITH_FUNCTION = (
    functools.cached_property,
    functools.partial,
    functools.partialmethod,
    functools.singledispatchmethod,
)


class Definition(NamedTuple):
    """Where an object is defined.

    Attributes:
        path: The path of a Python file.
        name: The part of the file, in the form that `Shown` describes for `python`; empty for the
            complete file.
    """

    path: str
    name: str


def find_definitions(
    name: str, *, is_summary: bool = False, has_inherited: bool = False
) -> set[Definition]:
    """Return the definitions of what documentation shows of an object: its own, those of inherited
    docstrings and signatures, and re-exports.

    Args:
        name: The full name of the object, for example `package.module.Class.method`.
        is_summary: Whether members of a class are not shown, as in tables.
        has_inherited: Whether inherited members of a class are shown.
    """
    module_name, attributes = _find_module(name)
    if not module_name:
        return set()
    try:
        found = {*_definitions(sys.modules[module_name], attributes, is_summary=is_summary)}
        if has_inherited:
            # Other members of the base classes may have been removed.
            found.update(_base_classes(sys.modules[module_name], attributes))
        found = {item for item in found if _is_python_file(item.path)}
    except Exception:  # Attributes of the project can raise any exception.
        found = set()
    # The object is unknown, or a module creates it in an unknown way.
    return found or {Definition(path, "") for path in module_files(module_name)}


def module_files(name: str) -> list[str]:
    """Return the Python file of an imported module, if it has one."""
    try:
        path = getattr(sys.modules.get(name), "__file__", None)
    except Exception:  # A module that is imported later can raise any exception.
        return []
    return [path] if isinstance(path, str) and _is_python_file(path) else []


def _is_python_file(path: str) -> bool:
    return path.endswith(".py") and os.path.isfile(path)


def _find_module(name: str) -> tuple[str, list[str]]:
    """Return the name of the imported module that contains an object, and the rest of the name."""
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        module_name = ".".join(parts[:length])
        if isinstance(sys.modules.get(module_name), ModuleType):
            return module_name, parts[length:]
    return "", parts


def _definitions(
    module: ModuleType, attributes: list[str], *, is_summary: bool
) -> Iterator[Definition]:
    if not attributes:
        yield from _in_module(module.__name__, "__doc__")
        return
    value: object = module
    for position, attribute in enumerate(attributes):
        is_last = position == len(attributes) - 1
        if isinstance(value, ModuleType):
            parent = value
            yield from _bindings(parent.__name__, attribute)
            value = getattr(parent, attribute, _MISSING)
            if value is _MISSING:
                yield from _in_module(parent.__name__, ".".join(attributes[position:]))
                return
            if is_last:
                yield from _of_value(value, is_summary=is_summary)
        elif isinstance(value, type):
            parent_class, value = value, getattr(value, attribute, None)
            inner_name = f"{parent_class.__qualname__}.{attribute}"
            # A class in a class is only a part of the name, unless the name is inherited.
            if is_last or getattr(value, "__qualname__", None) != inner_name:
                yield from _of_member(parent_class, attribute)
            if is_last and isinstance(value, type):
                yield from _of_class(value, is_summary=is_summary)
        else:
            yield from _of_value(value, is_summary=False)
            yield from _in_module(module.__name__, ".".join(attributes))
            return


_MISSING = object()


def _in_module(module_name: str, name: str) -> Iterator[Definition]:
    for path in module_files(module_name):
        yield Definition(path, name)


def _of_value(value: object, *, is_summary: bool) -> Iterator[Definition]:
    function = _function_of(value)
    if isinstance(function, FunctionType):
        yield from _of_function(function)
    elif isinstance(function, type):
        yield from _of_class(function, is_summary=is_summary)
    elif isinstance(function, ModuleType):
        yield from _in_module(function.__name__, "__doc__")
    else:
        name = getattr(function, "__qualname__", None) or getattr(function, "__name__", None)
        module_name = getattr(function, "__module__", None)
        if isinstance(name, str) and isinstance(module_name, str):
            yield from _in_module(module_name, _without_locals(name))
        # Without a description of its own, the docstring of the class can be shown.
        yield from _class_docstring(type(value))


def _function_of(value: object) -> object:
    """Return the function in a property, a class method, or a decorated function, for example."""
    for _ in range(_MAX_IMPORTS):
        inner: object
        if isinstance(value, property):
            inner = value.fget
        elif isinstance(value, classmethod | staticmethod):
            inner = value.__func__
        elif isinstance(value, _WITH_FUNCTION):
            inner = value.func
        elif callable(value) and not isinstance(value, type):
            inner = inspect.unwrap(getattr(value, "__func__", value))
        else:
            break
        if inner is value:
            break
        value = inner
    return value


def _of_function(function: FunctionType) -> Iterator[Definition]:
    # Some projects replace `__module__` and `__qualname__`.
    path, name = function.__code__.co_filename, function.__code__.co_qualname
    if _is_python_file(path):
        yield Definition(path, _without_locals(name))
    else:  # Generated code, for example of a data class.
        yield from _in_module(function.__module__, _without_locals(function.__qualname__))


def _implementations(value: object) -> Iterator[FunctionType]:
    """Yield the functions whose signatures are shown together with a function."""
    dispatcher = getattr(value, "dispatcher", value)
    registry: Any = getattr(dispatcher, "registry", None)
    if callable(getattr(dispatcher, "dispatch", None)) and hasattr(registry, "values"):
        for function in registry.values():
            inner = _function_of(function)
            if isinstance(inner, FunctionType):
                yield inner


def _without_locals(name: str) -> str:
    """Return the outermost function of a local function. Its name is empty for a lambda."""
    outer = name.partition(".<locals>")[0]
    return outer.removesuffix("<lambda>").removesuffix(".")


def _of_class(cls: type, *, is_summary: bool) -> Iterator[Definition]:
    constructors = [_find_attribute(cls, name) for name in ("__init__", "__new__")]
    is_generated = any("__signature__" in vars(owner) for owner in cls.__mro__) or any(
        isinstance(function, FunctionType) and not _is_python_file(function.__code__.co_filename)
        for function in constructors
    )
    for owner in cls.__mro__:
        if is_generated or (owner is cls and not is_summary):
            # The signature of a data class, for example, has the attributes of its base classes.
            yield from _in_class(owner, "")
    for base in _typed_dict_bases(cls):
        yield from _in_class(base, "")
    for name in ("__init__", "__new__"):
        yield from _of_member(cls, name)
    call = _find_attribute(type(cls), "__call__")
    if isinstance(call, FunctionType):
        yield from _of_function(call)
    yield from _class_docstring(cls)


def _base_classes(value: object, attributes: list[str]) -> Iterator[Definition]:
    for attribute in attributes:
        value = getattr(value, attribute, None)
    if isinstance(value, type):
        for owner in value.__mro__[1:]:
            yield from _in_class(owner, "")


def _typed_dict_bases(cls: type) -> Iterator[type]:
    """Yield the base classes of a `TypedDict`, which has their keys, but does not inherit them."""
    for base in getattr(cls, "__orig_bases__", ()) if typing.is_typeddict(cls) else ():
        if isinstance(base, type):
            yield base
            yield from _typed_dict_bases(base)


def _class_docstring(cls: type) -> Iterator[Definition]:
    for owner in cls.__mro__:
        yield from _in_class(owner, "__doc__?")
        if vars(owner).get("__doc__") is not None:
            return


def _find_attribute(cls: type, name: str) -> object:
    for owner in cls.__mro__:
        if name in vars(owner):
            return _function_of(vars(owner)[name])
    return None


def _of_member(cls: type, name: str) -> Iterator[Definition]:
    """Yield the definitions of a member of a class. It can be inherited, also only its docstring.

    If a class does not define the member, the member may have been removed from it.
    """
    is_found = False
    for owner in cls.__mro__:
        if name not in vars(owner):
            yield from _in_class(owner, f"{name}?")
            continue
        is_found = True
        value = vars(owner)[name]
        yield from _in_class(owner, name)
        for implementation in _implementations(value):
            yield from _of_function(implementation)
        function = _function_of(value)
        if isinstance(function, FunctionType):
            yield from _of_function(function)
            if function.__doc__:
                return
    if not is_found:
        # An attribute of instances, or of the metaclass.
        yield from _in_class(cls, name)
        for owner in inspect.getmro(type(cls)):
            if name in vars(owner):
                yield from _in_class(owner, name)


def _in_class(cls: type, name: str) -> Iterator[Definition]:
    if cls.__module__ in sys.builtin_module_names:
        return
    qualname = _without_locals(cls.__qualname__)
    for path in _class_files(cls):
        yield Definition(path, f"{qualname}.{name}" if name else qualname)


@functools.lru_cache(4096)
def _class_files(cls: type) -> frozenset[str]:
    """Return the files that define a class. Some projects replace `__module__`."""
    functions = map(_function_of, [*vars(cls).values()])
    prefix = f"{cls.__qualname__}."
    files = {
        function.__code__.co_filename
        for function in functions
        if isinstance(function, FunctionType)
        and function.__code__.co_qualname.startswith(prefix)
        and _is_python_file(function.__code__.co_filename)
    }
    outer = cls.__qualname__.partition(".")[0]
    for path in module_files(cls.__module__):
        if not files or outer in _names_in(path):
            files.add(path)
    return frozenset(files)


def _bindings(module_name: str, attribute: str) -> Iterator[Definition]:
    """Yield the statements that assign a name in a module, or re-export it."""
    for _ in range(_MAX_IMPORTS):
        value = getattr(sys.modules.get(module_name), attribute, None)
        for implementation in _implementations(value):
            yield from _of_function(implementation)
        imported = None
        for path in module_files(module_name):
            names = _names_in(path)
            if attribute not in names:
                continue
            imported = names[attribute]
            # Otherwise, the name is the class itself. The page may show only parts of the class.
            if not isinstance(value, type) or (value.__module__, value.__qualname__) != (
                module_name,
                attribute,
            ):
                yield Definition(path, attribute)
        if imported is None:
            return
        module_name, attribute = _resolve(module_name, imported), imported.name


def find_listed_files(name: str) -> set[str]:
    """Return the files that decide which objects a module exports: of the modules from which it
    imports all names.
    """
    found: set[str] = set()
    queue = [name]
    for module_name in queue:  # The list grows.
        for path in module_files(module_name):
            for imported in _names_in(path).values():
                if imported is not None and imported.name == "*":
                    module = _resolve(module_name, imported)
                    files = {file for file in module_files(module) if file not in found}
                    queue += [module] * bool(files)
                    found |= files
    return found


class _Import(NamedTuple):
    """What `from module import name` imports.

    Attributes:
        module: The module; empty for `from . import name`.
        level: The number of leading dots.
        name: The imported name.
    """

    module: str
    level: int
    name: str


def _resolve(module_name: str, imported: _Import) -> str:
    """Return the name of the module from which another module imports."""
    if not imported.level:
        return imported.module
    parts = module_name.split(".")
    path = next(iter(module_files(module_name)), "")
    up = imported.level - (os.path.basename(path) == "__init__.py")
    package = parts[: len(parts) - up] if up else parts
    return ".".join([*package, *filter(None, [imported.module])])


def _names_in(path: str) -> dict[str, _Import | None]:
    """Return the names that a module defines, and where it imports them from."""
    try:
        return _parse_names(path, os.stat(path).st_mtime_ns)
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return {}


@functools.lru_cache(1024)
def _parse_names(path: str, mtime: int) -> dict[str, _Import | None]:
    names: dict[str, _Import | None] = {}
    with open(path, "rb") as file:
        statements: list[ast.AST] = [*ast.parse(file.read()).body]
    for node in statements:  # The list grows by the blocks in it.
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            names[node.name] = None
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                imported = _Import(node.module or "", node.level, alias.name)
                name = alias.asname or alias.name
                # Names can be imported from several modules in this way.
                names.setdefault(f"*{imported}" if name == "*" else name, imported)
        else:
            for child in ast.iter_child_nodes(node):
                if isinstance(child, ast.Name) and isinstance(child.ctx, ast.Store):
                    names[child.id] = None
                elif isinstance(child, ast.stmt | ast.ExceptHandler | ast.Tuple | ast.List):
                    statements.append(child)
    return names
