"""The objects in the modules of a project, as Griffe finds them: with imported and
inherited members. A module is parsed when an object in it is needed.
"""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from functools import cache, cached_property
from importlib.util import resolve_name

from docs_sitemap.shown.python_blocks import parse_module
from docs_sitemap.shown.python_modules import Function, Module, join_names
from docs_sitemap.tools.files import read_regular

from .module_files import ModuleFiles, ModuleFinder

# In bytes: larger files are data.
_MAX_MODULE = 2**22

# How a class becomes a data class.
_DATA_CLASS = "dataclasses.dataclass"

# The name of a base class or a decorator, without types and arguments.
_NAME = re.compile(r"[\w.]*")


class UnknownPackageError(LookupError):
    """A package is not in the project."""


class ObjectTree:
    """Finds objects by their paths.

    Args:
        finder: Finds the files of modules.
    """

    def __init__(self, finder: ModuleFinder) -> None:
        self._finder = finder
        self._package = cache(self._find_package)

    def find(self, path: str) -> TreeObject:
        """Return the object with a path, which can be an inherited member.

        Raises:
            UnknownPackageError: Another package defines it.
            LookupError: There is none.
            OSError: A module cannot be read.
            ValueError: A module cannot be parsed.
        """
        name, *names = path.split(".")
        found = self._package(name)
        for name in names:
            found = found.all_members[name]
        return found

    def find_file(self, path: str) -> str | None:
        """Return the file of the module that defines an object or, if it is unknown, of
        the one that may contain it; `None` if neither is in the project.
        """
        with suppress(LookupError, OSError, ValueError, RecursionError):
            return self.find(path).final_target.module.files.path
        return self.find_module(path)

    def find_module(self, path: str) -> str | None:
        """Return the file of the module that may contain an object; `None` if it is not
        in the project.
        """
        file = None
        with suppress(LookupError):
            name, *names = path.split(".")
            module = self._package(name)
            while isinstance(module, ModuleObject):
                file = module.files.path or file
                submodules = {one.name: one for one in self.submodules(module)}
                module = submodules[names.pop(0)]
        return file

    def submodules(self, module: ModuleObject) -> Iterator[ModuleObject]:
        """Yield the modules in a package."""
        for name, files in self._finder.submodules(module.files).items():
            yield ModuleObject(name, module, self, files)

    def _find_package(self, name: str) -> TreeObject:
        files = self._finder.find_package(name)
        if files is None:
            raise UnknownPackageError(name)
        return ModuleObject(name, None, self, files)


class TreeObject:
    """An object: see `PythonObject` in `docs_sitemap/sources/python_objects.py`."""

    is_alias = False
    inherited = False
    wildcard_imported = False

    def __init__(self, name: str, parent: TreeObject | None) -> None:
        self.name = name
        self.parent = parent

    @property
    def path(self) -> str:
        if self.parent is None:
            return self.name
        return f"{self.parent.path}.{self.name}"

    @property
    def canonical_path(self) -> str:
        return self.path

    @property
    def is_module(self) -> bool:
        return isinstance(self.final_target, ModuleObject)

    @property
    def is_class(self) -> bool:
        return isinstance(self.final_target, ClassObject)

    @property
    def module(self) -> ModuleObject:
        if self.parent is None:
            raise LookupError(self.name)
        return self.parent.module

    @property
    def filepath(self) -> str | Sequence[os.PathLike[str]]:
        return self.module.filepath

    @property
    def members(self) -> Mapping[str, TreeObject]:
        return {}

    @property
    def all_members(self) -> Mapping[str, TreeObject]:
        return self.members

    @property
    def labels(self) -> Set[str]:
        return frozenset()

    @property
    def target(self) -> TreeObject:
        """What an alias stands for."""
        return self

    @property
    def final_target(self) -> TreeObject:
        """What an alias stands for at last, through other aliases."""
        return self

    def mro(self) -> Sequence[TreeObject]:
        raise LookupError(f"{self.name} is not a class")

    def resolve(self, expression: str) -> str:
        """Return the path of an expression such as `module.Base`, as far as it is
        known: the path of an import says from where.
        """
        first, dot, rest = expression.partition(".")
        return self._resolve_name(first) + dot + rest

    def _resolve_name(self, name: str) -> str:
        scope: TreeObject | None = self
        while scope is not None:
            member = scope.members.get(name)
            if isinstance(member, AliasObject):
                return member.target_path
            if member is not None:
                return member.path
            scope = scope.parent
            if scope is not None and scope.is_class and name == scope.name:
                return scope.path
        return name


class AliasObject(TreeObject):
    """An imported or inherited object.

    Args:
        target: What it stands for: the object, or its path.
    """

    is_alias = True

    def __init__(
        self,
        name: str,
        parent: TreeObject,
        tree: ObjectTree,
        target: TreeObject | str,
        *,
        inherited: bool = False,
        wildcard_imported: bool = False,
    ) -> None:
        super().__init__(name, parent)
        self._tree = tree
        self._target = target
        self.inherited = inherited
        self.wildcard_imported = wildcard_imported

    @property
    def target_path(self) -> str:
        """The path of what it stands for."""
        if isinstance(self._target, str):
            return self._target
        return self._target.path

    @property
    def target(self) -> TreeObject:
        if isinstance(self._target, str):
            return self._tree.find(self._target)
        return self._target

    @cached_property
    def final_target(self) -> TreeObject:
        passed = {self.path}
        target = self.target
        while target.is_alias:
            if target.path in passed:
                raise LookupError(f"{self.path} stands for itself")
            passed.add(target.path)
            target = target.target
        return target

    @property
    def canonical_path(self) -> str:
        return self.final_target.canonical_path

    @property
    def module(self) -> ModuleObject:
        return self.final_target.module

    @cached_property
    def members(self) -> Mapping[str, TreeObject]:
        return _repeat(self.final_target.members, self, self._tree)

    @cached_property
    def all_members(self) -> Mapping[str, TreeObject]:
        target = self.final_target
        inherited = dict(target.all_members)
        for name in target.members:
            inherited.pop(name, None)
        repeated = _repeat(inherited, self, self._tree, inherited=True)
        return {**repeated, **self.members}

    @property
    def labels(self) -> Set[str]:
        return self.final_target.labels

    def mro(self) -> Sequence[TreeObject]:
        return self.final_target.mro()


class ModuleObject(TreeObject):
    """A module.

    Args:
        files: Its files.
    """

    def __init__(
        self, name: str, parent: TreeObject | None, tree: ObjectTree, files: ModuleFiles
    ) -> None:
        super().__init__(name, parent)
        self.files = files
        self._tree = tree
        self._members: dict[str, TreeObject] | None = None

    @property
    def module(self) -> ModuleObject:
        return self

    @property
    def filepath(self) -> str | Sequence[os.PathLike[str]]:
        return self.files.path or []

    @property
    def members(self) -> Mapping[str, TreeObject]:
        if self._members is None:
            code = self._read()
            members = dict(_find_imported(code, self, self._tree))
            members.update(_find_defined(code, "", self, self._tree))
            for submodule in self._tree.submodules(self):
                members[submodule.name] = submodule
            self._members = members  # Modules can import all names from each other.
            for source, name in code.imported.values():
                if name == "*":
                    self._add_all(source, members)
        return self._members

    def _read(self) -> Module:
        """Read the module.

        Raises:
            OSError: The file cannot be read.
            ValueError: The file cannot be parsed.
        """
        if not self.files.path:
            return Module()
        return parse_module(read_regular(self.files.path, _MAX_MODULE))

    def _add_all(self, source: str, members: dict[str, TreeObject]) -> None:
        """Add what the module imports with `from source import *`. What pages show
        decides which of these names it has.
        """
        with suppress(LookupError, OSError, ValueError):
            found = self._tree.find(self.absolute(source)).final_target
            names = _repeat(found.members, self, self._tree, wildcard_imported=True)
            for name, alias in names.items():
                members.setdefault(name, alias)

    def absolute(self, target: str) -> str:
        """Return the path of an import, which can be relative to the module."""
        package = self.path
        if not self.files.folders:
            package, _, _ = package.rpartition(".")
        with suppress(ImportError):  # above the package
            return resolve_name(target, package)
        return target


class ClassObject(TreeObject):
    """A class.

    Args:
        code: The module that defines it.
        node: The statement.
    """

    def __init__(
        self,
        name: str,
        parent: TreeObject,
        tree: ObjectTree,
        code: Module,
        node: ast.ClassDef,
    ) -> None:
        super().__init__(name, parent)
        self._tree = tree
        self._code = code
        self._node = node
        self._is_ordering = False

    @cached_property
    def members(self) -> Mapping[str, TreeObject]:
        scope = self.path.removeprefix(f"{self.module.path}.")
        members = dict(_find_defined(self._code, scope, self, self._tree))
        if self._is_data_class:
            members.setdefault("__init__", TreeObject("__init__", self))
        return members

    @cached_property
    def all_members(self) -> Mapping[str, TreeObject]:
        members: dict[str, TreeObject] = {}
        with suppress(LookupError, ValueError):
            for base in reversed(self.mro()):
                members |= _repeat(base.members, self, self._tree, inherited=True)
        return {**members, **self.members}

    @cached_property
    def _is_data_class(self) -> bool:
        """Whether it has the decorator."""
        parent = self.parent or self
        decorators = _names_of(self._node.decorator_list)
        return _DATA_CLASS in map(parent.resolve, decorators)

    @cached_property
    def labels(self) -> Set[str]:
        for base in self.order:
            if base._is_data_class:
                return frozenset({"dataclass"})
            if "__init__" in base.members:
                break
        return frozenset()

    def mro(self) -> Sequence[TreeObject]:
        return self.order[1:]

    @cached_property
    def order(self) -> Sequence[ClassObject]:
        """The class and its base classes, in the order in which members are looked up.

        Raises:
            ValueError: The class is its own base class.
        """
        if self._is_ordering:
            raise ValueError(f"{self.path} is its own base class")
        self._is_ordering = True
        order: dict[ClassObject, None] = {}
        for expression in _names_of(self._node.bases):
            with suppress(LookupError, OSError, ValueError):
                path = self.resolve(expression)
                base = self._tree.find(path).final_target
                if isinstance(base, ClassObject):
                    for one in base.order:
                        # A class comes after all that have it as a base class.
                        order.pop(one, None)
                        order[one] = None
        return [self, *order]


def _repeat(
    members: Mapping[str, TreeObject],
    parent: TreeObject,
    tree: ObjectTree,
    **details: bool,
) -> dict[str, TreeObject]:
    """Return members with their paths below another object.

    Args:
        members: The members.
        parent: The other object.
        tree: Finds other objects.
        details: Arguments of `AliasObject`.
    """
    repeated: dict[str, TreeObject] = {}
    for name, member in members.items():
        repeated[name] = AliasObject(name, parent, tree, member, **details)
    return repeated


def _names_of(nodes: Iterable[ast.expr]) -> Iterator[str]:
    """Yield the names of base classes or decorators, such as `module.Base`."""
    for node in nodes:
        match = _NAME.match(ast.unparse(node))
        if match is not None:
            yield match[0]


def _find_imported(
    code: Module, parent: ModuleObject, tree: ObjectTree
) -> Iterator[tuple[str, TreeObject]]:
    """Yield the names that a module imports one by one."""
    for name, (source, original) in code.imported.items():
        target = original
        if source:
            target = f"{source}.{original}" if source.strip(".") else source + original
        elif original.startswith(f"{name}."):
            target = name  # import package.module
        path = parent.absolute(target)
        if original != "*" and path != f"{parent.path}.{name}":
            yield name, AliasObject(name, parent, tree, path)


def _find_defined(
    code: Module, scope: str, parent: TreeObject, tree: ObjectTree
) -> Iterator[tuple[str, TreeObject]]:
    """Yield the names that a module or a class defines.

    Args:
        code: The module.
        scope: The name of the class in it; empty for the module.
        parent: The module or the class.
        tree: Finds other objects.
    """
    for name in code.members.get(scope, ()):
        node = None
        for definition in code.definitions[join_names(scope, name)]:
            # Griffe ignores attributes that other methods set.
            if definition.method in ("", "__init__"):
                node = definition.node
        if node is None:
            continue
        if isinstance(node, ast.ClassDef):
            yield name, ClassObject(name, parent, tree, code, node)
        # `name = None` is for installations without the imported module.
        elif scope or name not in code.imported or isinstance(node, Function):
            yield name, TreeObject(name, parent)
