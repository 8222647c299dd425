"""Where the objects on a page are defined: in which files, and with which names.

autodoc and autosummary import the objects while a document is read. Nothing else is
imported here.
"""

import inspect
import os
import sys
from collections.abc import Iterator, Mapping, Set
from contextlib import suppress
from functools import cache, lru_cache
from importlib.util import resolve_name
from types import FunctionType, ModuleType
from typing import get_origin

from docs_sitemap.shown.python_blocks import parse_module
from docs_sitemap.shown.shown_objects import Extent, ShownObject
from docs_sitemap.sources.installed import COMPILED, import_names
from docs_sitemap.tools.files import read_regular

# In bytes: larger files are data, or compiled.
_MAX_MODULE = 2**22

# In modules.
_MAX_IMPORTS = 2_000

Definition = tuple[str, ShownObject]
"""A Python file, and an object in it."""


def find_definitions(
    name: str,
    *,
    is_module: bool = False,
    has_members: bool = False,
    inherits: bool = False,
) -> set[Definition]:
    """Return the definitions of what documentation shows of an object.

    Args:
        name: The full name of the object, for example `package.module.Class.method`.
        is_module: Whether it is documented as a module. Other objects can hide modules
            with their names.
        has_members: Whether the members of a module or a class are shown with it.
        inherits: Whether inherited members of a class are shown with it.
    """
    module, attributes = _find_owner(name, is_module=is_module)
    try:
        definitions = set(
            _definitions(module, attributes, has_members=has_members, inherits=inherits)
        )
        for path, _ in list(definitions):
            definitions.update(_find_aliases(path))
        return definitions
    except Exception:  # Attributes of the project can raise any exception.
        module_name = name.removesuffix(".".join(attributes)).rstrip(".")
        return {(path, ShownObject()) for path in module_files(module_name)}


def _find_owner(name: str, *, is_module: bool) -> tuple[ModuleType | None, list[str]]:
    """Return the module that contains an object, and the names from there on. Several
    modules have such a name if a function has the name of a module, for example.
    """
    parts = name.split(".")
    known, unknown = [], []
    for number in range(len(parts), 0, -1):
        module = sys.modules.get(".".join(parts[:number]))
        if not isinstance(module, ModuleType):
            continue
        place = module, parts[number:]
        value: object = module
        try:
            for attribute in parts[number:]:
                value = getattr(value, attribute)
        except Exception:  # Attributes of the project can raise any exception.
            unknown.append(place)
            continue
        if isinstance(value, ModuleType) is is_module:
            return place
        known.append(place)
    return (*known, *unknown, (None, parts))[0]


def module_files(name: object) -> list[str]:
    """Return the Python file or compiled file of an imported module, if it has one."""
    path = _file_of(sys.modules.get(str(name)))
    if not isinstance(path, str) or not os.path.isfile(path):
        return []
    if path.endswith((".py", *COMPILED)):
        return [path]
    return []


def _file_of(module: object) -> object:
    try:
        return getattr(module, "__file__", None)
    except Exception:  # A module that is imported later can raise any exception.
        return None


@cache
def _find_aliases(path: str) -> Set[Definition]:
    """Return the definitions of the type aliases that a module imports from others of
    its package. autodoc shows their values in signatures. What else the other modules
    import does not matter, unless they define an alias, which can contain others.
    """
    aliases: set[Definition] = set()
    pending = [(path, name) for name in _imports_of(path)]
    while pending:
        for file, name in _import_alias(*pending.pop()):
            alias = file, ShownObject(name, Extent.VALUE, is_optional=True)
            if alias not in aliases:
                aliases.add(alias)
                imports = _imports_of(file)
                names = [name] if name in imports else imports
                pending += [(file, other) for other in names]
    return aliases


def _import_alias(path: str, name: str) -> Iterator[tuple[str, str]]:
    """Yield the file of its package from which a module imports a type alias, and the
    name there. Pydantic resolves names that only type checkers import, too.
    """
    source, original = _imports_of(path)[name]
    module = _find_module(path)
    with suppress(ImportError):
        source = resolve_name(source, getattr(module, "__package__", None))
        # Attributes can be functions that import other modules.
        values = getattr(sys.modules.get(source), "__dict__", {})
        if get_origin(values.get(original)) is None:
            return
        for file in module_files(source):
            if import_names(file)[0] == import_names(path)[0]:
                yield file, original


@cache
def _find_module(path: str) -> ModuleType | None:
    for module in list(sys.modules.values()):
        if _file_of(module) == path:
            return module
    return None


def _definitions(
    module: ModuleType | None,
    attributes: list[str],
    *,
    has_members: bool,
    inherits: bool,
) -> Iterator[Definition]:
    owner = None
    value = module
    for attribute in attributes:
        owner, value = value, getattr(value, attribute, None)
    if isinstance(owner, type):
        yield from _of_member(owner, attributes[-1])
    elif module is not None and not isinstance(value, ModuleType):
        yield from _of_value(module, ".".join(attributes), value)
    if isinstance(value, ModuleType):
        extent = Extent.DOCSTRING
        if has_members:
            extent = Extent.ALL
        for path in module_files(value.__name__):
            yield path, ShownObject(extent=extent)
    elif isinstance(value, type):
        yield from _of_class(value, has_members=has_members, inherits=inherits)
    else:
        yield from _of_function(value)


def _of_value(
    module: ModuleType, name: str, value: object, *, imported_by: Set[str] = frozenset()
) -> Iterator[Definition]:
    """Yield the statements that assign a value to a name: in a module and, if it
    imports the value, in the modules from which it does.
    """
    origins = list(_find_imports(module, name, value))
    # A module can create values in unknown ways.
    is_value = value is not None and not callable(value)
    for path in module_files(module.__name__):
        yield path, ShownObject(name, is_optional=not is_value or origins != [])
    if isinstance(value, FunctionType | type):
        return  # Its own module is known.
    importers = {*imported_by, module.__name__}
    for origin, original in origins:
        if origin.__name__ not in importers:
            yield from _of_value(origin, original, value, imported_by=importers)


def _find_imports(
    module: ModuleType, name: str, value: object
) -> Iterator[tuple[ModuleType, str]]:
    """Yield the modules from which a module imports a value, and its names there."""
    for path in module_files(module.__name__):
        imports = _imports_of(path)
        for local_name, (source, original) in imports.items():
            if original == "*":
                original = name
            elif local_name != name:
                continue
            origin = sys.modules.get(resolve_name(source, module.__package__))
            if origin and getattr(origin, original, module) is value:
                yield origin, original


def _imports_of(path: str) -> Mapping[str, tuple[str, str]]:
    return _read_imports(path, os.stat(path).st_mtime_ns)


@lru_cache(maxsize=_MAX_IMPORTS)
def _read_imports(path: str, mtime: int) -> Mapping[str, tuple[str, str]]:
    """Return what a module imports, as in `Module.imported`; nothing if it cannot be
    parsed.
    """
    try:
        return parse_module(read_regular(path, _MAX_MODULE)).imported
    except (OSError, ValueError):
        return {}


def _of_function(value: object) -> Iterator[Definition]:
    """Yield the definition of the function in a decorated function or a property, for
    example.
    """
    for name in ("fget", "func", "__func__"):
        value = getattr(value, name, value)
    if callable(value):
        value = inspect.unwrap(value)
    if isinstance(value, FunctionType):
        # Some projects replace `__module__` and `__qualname__`.
        code = value.__code__
        path, name = code.co_filename, code.co_qualname
        # The names of lambdas and local functions contain "<".
        if path.endswith(".py") and os.path.isfile(path) and "<" not in name:
            yield path, ShownObject(name)
        return
    for path in module_files(getattr(value, "__module__", None)):
        if path.endswith(COMPILED):
            yield path, ShownObject()


def _of_member(cls: type, name: str) -> Iterator[Definition]:
    """Yield the definitions of a member of a class. It, or only its docstring, can be
    inherited.
    """
    owners = [owner for owner in cls.__mro__ if name in vars(owner)]
    for owner in owners or cls.__mro__:  # Attributes of instances are not in the class.
        yield from _in_class(owner, member=f".{name}", is_optional=not owners)
        value = vars(owner).get(name)
        yield from _of_function(value)
        # Python 3.13 gave `None` a docstring of its own.
        if value is not None and getattr(value, "__doc__", None):
            return


def _of_class(cls: type, *, has_members: bool, inherits: bool) -> Iterator[Definition]:
    extent = Extent.HEAD
    if has_members:
        extent = Extent.ALL
    yield from _in_class(cls, extent)
    if inherits:
        for owner in cls.__mro__[1:]:
            yield from _in_class(owner)
    for owner in cls.__mro__:
        constructors = {"__init__", "__new__"} & vars(owner).keys()
        if "__dataclass_fields__" in vars(owner):
            # The parameters of a data class are its attributes, and those of its base
            # classes.
            yield from _in_class(owner, Extent.HEAD)
        elif constructors:
            if owner is not cls:
                for name in constructors:
                    yield from _in_class(owner, member=f".{name}")
            break
    for owner in cls.__mro__:
        if owner.__doc__ is not None:
            if owner is not cls:
                yield from _in_class(owner, Extent.DOCSTRING)
            break


def _in_class(
    cls: type,
    extent: Extent = Extent.ALL,
    *,
    member: str = "",
    is_optional: bool = False,
) -> Iterator[Definition]:
    """Yield the definition of a class, or of a member, whose name starts with a dot."""
    # A function may have created the class. Its name is then that of a value.
    if "<" not in cls.__qualname__:
        for path in _class_files(cls):
            yield path, ShownObject(cls.__qualname__ + member, extent, is_optional)


def _class_files(cls: type) -> list[str]:
    """Return the file that defines a class. Some projects replace `__module__`."""
    for value in vars(cls).values():
        for path, item in _of_function(value):
            if item.name.startswith(f"{cls.__qualname__}."):
                return [path]
    return module_files(cls.__module__)
