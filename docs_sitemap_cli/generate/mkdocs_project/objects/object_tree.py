"""The objects in the modules of a project, as Griffe finds them: with imported and
inherited members. A module is parsed when an object in it is needed.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from functools import cache, cached_property

from docs_sitemap.tools.files import read_regular

from .class_order import merge_orders
from .module_files import ModuleFiles, ModuleFinder
from .scopes import Name, NameKind, Scope, merge_stub, read_scope

# In bytes: larger files are data.
_MAX_MODULE = 2**22

# How a class becomes a data class.
_DATA_CLASS = "dataclasses.dataclass"


class UnknownPackageError(LookupError):
    """A package is not in the project."""


class ObjectTree:
    """Finds objects by their paths.

    Args:
        finder: Finds the files of modules.
        loads: Returns whether a package is known to another one, which imports it.
    """

    def __init__(self, finder: ModuleFinder, loads: Callable[[str, str], bool]) -> None:
        self._finder = finder
        self._loads = loads
        self._package = cache(self._find_package)

    def find(self, path: str) -> TreeObject:
        """Return the object with a path, which can be an inherited member.

        Raises:
            UnknownPackageError: Another package defines it.
            LookupError: There is none, or it cannot be resolved.
            OSError: A module cannot be read.
            ValueError: A module cannot be parsed.
        """
        name, *names = path.split(".")
        found = self._package(name)
        for name in names:
            found = found.all_members[name]
        _ = found.final_target
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

    def find_declared(self, path: str, importing: ModuleObject) -> TreeObject:
        """Return the object with a path that is no inherited member.

        Args:
            path: The path.
            importing: The module that uses it.

        Raises:
            LookupError: There is none, or it cannot be resolved.
        """
        name, *names = path.split(".")
        package, _, _ = importing.path.partition(".")
        if name != package and not self._loads(name, package):
            raise UnknownPackageError(name)
        found = self._package(name)
        for name in names:
            found = found.members[name]
        return found

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
    """An object: see `PythonObject` in `docs_sitemap/sources/python_objects.py`.

    Attributes:
        line: The number of the line that defines or imports it; 0 for a module.
        is_runtime: Whether it exists when the module runs, and not only for types.
    """

    is_alias = False
    inherited = False
    wildcard_imported = False

    def __init__(
        self,
        name: str,
        parent: TreeObject | None,
        definition: Name | None = None,
    ) -> None:
        self.name = name
        self.parent = parent
        self.line = 0
        self.is_runtime = True
        if definition is not None:
            self.line = definition.line
            self.is_runtime = definition.is_runtime

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
        """What an alias stands for, which is no alias."""
        return self

    def mro(self) -> Sequence[TreeObject]:
        raise LookupError(f"{self.name} is no class")

    def resolve(self, expression: str) -> str:
        """Return the path of an expression such as `module.Base`, as far as it is
        known: that of an import says from where.
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
        definition: Name | None = None,
        inherited: bool = False,
        wildcard_imported: bool = False,
    ) -> None:
        super().__init__(name, parent, definition)
        self._owner = parent
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
            return self._tree.find_declared(self._target, self._owner.module)
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
        return self._repeat(self.final_target.members, inherited=False)

    @cached_property
    def all_members(self) -> Mapping[str, TreeObject]:
        target = self.final_target
        inherited = dict(target.all_members)
        for name in target.members:
            inherited.pop(name, None)
        return {**self._repeat(inherited, inherited=True), **self.members}

    def _repeat(
        self, members: Mapping[str, TreeObject], *, inherited: bool
    ) -> dict[str, TreeObject]:
        """Return members with their paths below this one."""
        repeated: dict[str, TreeObject] = {}
        for name, member in members.items():
            repeated[name] = AliasObject(
                name, self, self._tree, member, inherited=inherited
            )
        return repeated

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
        self._is_exporting = False

    @property
    def module(self) -> ModuleObject:
        return self

    @property
    def filepath(self) -> str | Sequence[os.PathLike[str]]:
        return self.files.path or []

    @cached_property
    def scope(self) -> Scope:
        """The names in its files.

        Raises:
            OSError: A file cannot be read.
            ValueError: A file cannot be parsed.
        """
        if not self.files.path:
            return Scope()
        scope = read_scope(read_regular(self.files.path, _MAX_MODULE))
        if self.files.stub:
            merge_stub(scope, read_scope(read_regular(self.files.stub, _MAX_MODULE)))
        return scope

    @property
    def members(self) -> Mapping[str, TreeObject]:
        if self._members is None:
            # Modules can import all names from each other.
            self._members = dict(_read_members(self, self._tree, self.scope))
            for submodule in self._tree.submodules(self):
                self._members[submodule.name] = submodule
            self._add_stubs(self._members)
            for member in list(self._find_wildcards()):
                self._add_imported(member, self._members)
        return self._members

    def _add_stubs(self, members: dict[str, TreeObject]) -> None:
        """Replace imported objects by what the stub defines, if that is another kind of
        object.
        """
        for name, definition in self.scope.stubs.items():
            stub = _define(name, self, self._tree, definition)
            with suppress(LookupError, OSError, ValueError):
                if members[name].is_class == stub.is_class:
                    continue
            members[name] = stub

    def _find_wildcards(self) -> Iterator[AliasObject]:
        """Yield what the module imports with `from source import *`."""
        for wildcard in self.scope.wildcards:
            with suppress(LookupError, OSError, ValueError):
                path = self.absolute(wildcard.target)
                source = self._tree.find_declared(path, self).final_target
                if not isinstance(source, ModuleObject):
                    continue
                for member in source.exposed_members():
                    yield AliasObject(
                        member.name,
                        self,
                        self._tree,
                        member,
                        definition=wildcard,
                        wildcard_imported=True,
                    )

    def _add_imported(
        self, member: AliasObject, members: dict[str, TreeObject]
    ) -> None:
        """Add an imported member, unless a later one replaces it, or it is a module."""
        known = members.get(member.name)
        if known is not None:
            with suppress(LookupError, OSError, ValueError):
                if known.is_module or member.line <= known.line:
                    return
        if member.target_path != member.path:
            members[member.name] = member

    def exposed_members(self) -> list[TreeObject]:
        """Return the members that `from module import *` imports."""
        members = list(self.members.values())
        exports = self.exports
        if exports is not None:
            return [one for one in members if one.is_runtime and one.name in exports]
        exposed = []
        for member in members:
            if not member.is_runtime or member.name.startswith("_"):
                continue
            imported = self.scope.names.get(member.name)
            # A package that only contains a module does not import it.
            is_imported = imported is not None and imported.target != f".{member.name}"
            if is_imported or not isinstance(member, ModuleObject):
                exposed.append(member)
        return exposed

    @cached_property
    def exports(self) -> Set[str] | None:
        """The names in `__all__`; `None` if it is not set."""
        if self.scope.exports is None or self._is_exporting:
            return self.scope.exports
        self._is_exporting = True
        names = set(self.scope.exports)
        for expression in self.scope.export_lists:
            path, _, _ = self.resolve(expression).rpartition(".")
            with suppress(LookupError, OSError, ValueError):
                module = self._tree.find_declared(path, self).final_target
                if isinstance(module, ModuleObject):
                    names |= module.exports or set()
        return names

    def absolute(self, target: str) -> str:
        """Return the path of an import, which can be relative to the module."""
        name = target.lstrip(".")
        level = len(target) - len(name)
        if not level:
            return name
        module: TreeObject = self
        if self.files.is_package:
            level -= 1
        while level and module.parent is not None:
            module = module.parent
            level -= 1
        return f"{module.path}.{name}".rstrip(".")


class ClassObject(TreeObject):
    """A class.

    Args:
        definition: Its name and scope.
    """

    def __init__(
        self, name: str, parent: TreeObject, tree: ObjectTree, definition: Name
    ) -> None:
        super().__init__(name, parent, definition)
        self._tree = tree
        self._scope = definition.scope or Scope()
        self._is_ordering = False

    @cached_property
    def members(self) -> Mapping[str, TreeObject]:
        names = dict(self._scope.names)
        if "__init__" not in names:
            for name, definition in self._scope.names.items():
                if definition.is_init_var:
                    del names[name]
            if self._is_data_class:
                names["__init__"] = Name(NameKind.FUNCTION, 0)
        return dict(_read_members(self, self._tree, Scope(names)))

    @cached_property
    def all_members(self) -> Mapping[str, TreeObject]:
        members: dict[str, TreeObject] = {}
        with suppress(LookupError, ValueError):
            for base in reversed(self.mro()):
                for name, member in base.members.items():
                    members[name] = AliasObject(
                        name, self, self._tree, member, inherited=True
                    )
        return {**members, **self.members}

    @cached_property
    def _is_data_class(self) -> bool:
        """Whether it has the decorator."""
        parent = self.parent or self
        return _DATA_CLASS in map(parent.resolve, self._scope.decorators)

    @cached_property
    def labels(self) -> Set[str]:
        is_data_class = self._is_data_class
        if "__init__" not in self._scope.names:
            for base in self.order:
                is_data_class |= base._is_data_class
        return frozenset({"dataclass"} if is_data_class else ())

    def mro(self) -> Sequence[TreeObject]:
        return self.order[1:]

    @cached_property
    def order(self) -> Sequence[ClassObject]:
        """The class and its base classes, in the order in which members are looked up.

        Raises:
            ValueError: There is no such order.
        """
        if self._is_ordering:
            raise ValueError(f"{self.path} is its own base class")
        self._is_ordering = True
        bases = []
        for expression in self._scope.bases:
            with suppress(LookupError, OSError, ValueError):
                path = self.resolve(expression)
                base = self._tree.find_declared(path, self.module).final_target
                if isinstance(base, ClassObject):
                    bases.append(base)
        return [self, *merge_orders([*[base.order for base in bases], bases])]


def _read_members(
    parent: TreeObject, tree: ObjectTree, scope: Scope
) -> Iterator[tuple[str, TreeObject]]:
    """Yield the names in a scope with their objects."""
    for name, definition in scope.names.items():
        shown: Name | None = definition
        while shown is not None and shown.kind is NameKind.IMPORT:
            path = parent.module.absolute(shown.target)
            if path != f"{parent.path}.{name}":
                yield name, AliasObject(name, parent, tree, path, definition=shown)
                break
            shown = shown.replaced
        else:
            if shown is not None:
                yield name, _define(name, parent, tree, shown)


def _define(
    name: str, parent: TreeObject, tree: ObjectTree, definition: Name
) -> TreeObject:
    """Return an object that is defined where it is found."""
    if definition.kind is NameKind.CLASS:
        return ClassObject(name, parent, tree, definition)
    return TreeObject(name, parent, definition)
