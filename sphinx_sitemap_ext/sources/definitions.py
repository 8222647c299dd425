"""Where the objects on a page are defined: in which files, and with which names.

autodoc, autosummary, and inheritance diagrams import the objects while a document is read. Nothing
else is imported here.
"""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Iterator
from functools import cache
from types import FunctionType, ModuleType
from typing import NamedTuple


class PythonDefinition(NamedTuple):
    """Where an object is defined.

    Attributes:
        path: The path of a Python file.
        name: The part of the file, in the form that `Shown` describes for `python`.
    """

    path: str
    name: str


def find_definitions(
    name: str, *, has_members: bool = False, inherits: bool = False
) -> set[PythonDefinition]:
    """Return the definitions of what documentation shows of an object.

    Args:
        name: The full name of the object, for example `package.module.Class.method`.
        has_members: Whether the members of a module or a class are shown with it.
        inherits: Whether inherited members of a class are shown with it.
    """
    module_name, attributes = _find_module(name)
    module = sys.modules.get(module_name)
    if module is None:
        return set()
    try:
        found = {*_definitions(module, attributes, has_members=has_members, inherits=inherits)}
    except Exception:  # Attributes of the project can raise any exception.
        found = {PythonDefinition(path, "") for path in module_files(module_name)}
    return {item for item in found if _is_python_file(item.path)}


def module_files(name: object) -> list[str]:
    """Return the Python file of an imported module, if it has one."""
    try:
        path = getattr(sys.modules.get(str(name)), "__file__", None)
    except Exception:  # A module that is imported later can raise any exception.
        return []
    return [path] if isinstance(path, str) and _is_python_file(path) else []


@cache
def top_package(file: str) -> str:
    """Return the name of the package that contains a module; its own name if there is none."""
    folder, name = os.path.split(os.path.abspath(file))
    while os.path.isfile(os.path.join(folder, "__init__.py")):
        folder, name = os.path.split(folder)
    return name.removesuffix(".py")


def _is_python_file(path: str) -> bool:
    return path.endswith(".py") and os.path.isfile(path)


def _find_module(name: str) -> tuple[str, list[str]]:
    """Return the name of the imported module that contains an object, and the rest of the name."""
    attributes: list[str] = []
    while name and not isinstance(sys.modules.get(name), ModuleType):
        name, _, last = name.rpartition(".")
        attributes.insert(0, last)
    return name, attributes


def _definitions(
    module: ModuleType, attributes: list[str], *, has_members: bool, inherits: bool
) -> Iterator[PythonDefinition]:
    owner: object = None
    value: object = module
    for attribute in attributes:
        owner, value = value, getattr(value, attribute, None)
    if isinstance(owner, type):
        yield from _of_member(owner, attributes[-1])
    elif owner is not None:
        # The statement that assigns the name. A module can create values in unknown ways.
        is_value = value is not None and not callable(value)
        for path in module_files(module.__name__):
            yield PythonDefinition(path, ".".join(attributes) + ("" if is_value else "?"))
    if isinstance(value, ModuleType):
        for path in module_files(value.__name__):
            yield PythonDefinition(path, "" if has_members else "__doc__")
    elif isinstance(value, type):
        yield from _of_class(value, has_members=has_members, inherits=inherits)
    elif owner is not None:
        yield from _of_function(value)


def _of_function(value: object) -> Iterator[PythonDefinition]:
    """Yield the definition of the function in a decorated function or a property, for example."""
    for name in ("fget", "func", "__func__"):
        value = getattr(value, name, value)
    function = inspect.unwrap(value) if callable(value) else value
    if isinstance(function, FunctionType):
        code = function.__code__
        name = code.co_qualname.partition(".<locals>")[0]
        if _is_python_file(code.co_filename) and name != "<lambda>":
            # Some projects replace `__module__` and `__qualname__`.
            yield PythonDefinition(code.co_filename, name)


def _of_member(cls: type, name: str) -> Iterator[PythonDefinition]:
    """Yield the definitions of a member of a class. It, or only its docstring, can be inherited."""
    owners = [owner for owner in cls.__mro__ if name in vars(owner)]
    for owner in owners or cls.__mro__:  # Attributes of instances are not in the class.
        yield from _in_class(owner, name if owners else f"{name}?")
        value = vars(owner).get(name)
        yield from _of_function(value)
        # Python 3.13 gave `None` a docstring of its own.
        if value is not None and getattr(value, "__doc__", None):
            return


def _of_class(cls: type, *, has_members: bool, inherits: bool) -> Iterator[PythonDefinition]:
    yield from _in_class(cls, "" if has_members else "()")
    for owner in cls.__mro__[1:]:
        if inherits:
            yield from _in_class(owner, "")
    for owner in cls.__mro__:
        constructors = {"__init__", "__new__"} & vars(owner).keys()
        if "__dataclass_fields__" in vars(owner):
            # The parameters of a data class are its attributes, and those of its base classes.
            yield from _in_class(owner, "()")
        elif constructors:
            for name in constructors if owner is not cls else ():
                yield from _in_class(owner, name)
            break
    if cls.__doc__ is None:
        for owner in cls.__mro__[1:]:
            if owner.__doc__ is not None:
                yield from _in_class(owner, "__doc__")
                break


def _in_class(cls: type, name: str) -> Iterator[PythonDefinition]:
    """Yield the definition of a class, or of a member."""
    qualname = cls.__qualname__.partition(".<locals>")[0]
    separator = "." if name not in ("", "()") else ""
    for path in _class_files(cls):
        yield PythonDefinition(path, f"{qualname}{separator}{name}")


def _class_files(cls: type) -> list[str]:
    """Return the file that defines a class. Some projects replace `__module__`."""
    for value in vars(cls).values():
        for path, name in _of_function(value):
            if name.startswith(f"{cls.__qualname__}."):
                return [path]
    return [] if cls.__module__ in sys.builtin_module_names else module_files(cls.__module__)
