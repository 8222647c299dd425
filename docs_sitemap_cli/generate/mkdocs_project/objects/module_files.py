"""Find the files of modules, as Griffe does: packages, single modules, namespace
packages, and stubs.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from typing import NamedTuple

_PACKAGE = "__init__"
_CODE = ".py"
_STUB = ".pyi"


class ModuleFiles(NamedTuple):
    """The files of a module.

    Attributes:
        path: The absolute path of its code or, if there is only a stub, of the stub;
            empty for a namespace package.
        stub: The absolute path of its stub, if it is another file.
        folders: The absolute paths of the folders with its submodules.
    """

    path: str = ""
    stub: str = ""
    folders: tuple[str, ...] = ()

    @property
    def is_package(self) -> bool:
        """Whether it can contain submodules."""
        return bool(self.folders)


class ModuleFinder:
    """Finds the files of modules. Each folder is read once.

    Args:
        folders: The folders to search for packages, the first one first.
        find_others: Returns other folders that contain a package or a module with some
            name, to search last.
    """

    def __init__(
        self, folders: Sequence[str], find_others: Callable[[str], Sequence[str]]
    ) -> None:
        self._folders = folders
        self._find_others = find_others
        self._list = cache(_list_folder)

    def find_package(self, name: str) -> ModuleFiles | None:
        """Return the files of a package, or of a module in no package; `None` if it is
        not in any of the folders.
        """
        namespace = []
        for folder in self._folders:
            files = self._find(folder, name)
            if files is not None:
                return files
            path = os.path.join(folder, name)
            if name in self._list(folder) and os.path.isdir(path):
                namespace.append(path)
        for folder in self._find_others(name):
            files = self._find(folder, name)
            if files is not None:
                return files
        if namespace:
            return ModuleFiles(folders=tuple(namespace))
        return None

    def submodules(self, files: ModuleFiles) -> Mapping[str, ModuleFiles]:
        """Return the modules in a package, by name."""
        modules: dict[str, ModuleFiles] = {}
        namespaces: dict[str, tuple[str, ...]] = {}
        for folder in files.folders:
            for entry in sorted(self._list(folder)):
                name, suffix = os.path.splitext(entry)
                if name == _PACKAGE or name in modules:
                    continue
                found = None
                if suffix in ("", _CODE, _STUB):
                    found = self._find(folder, name)
                if found is not None:
                    modules[name] = found
                elif not files.path and not suffix and entry != "__pycache__":
                    path = os.path.join(folder, entry)
                    if os.path.isdir(path):
                        namespaces[name] = (*namespaces.get(name, ()), path)
        for name, folders in namespaces.items():
            modules.setdefault(name, ModuleFiles(folders=folders))
        return modules

    def _find(self, folder: str, name: str) -> ModuleFiles | None:
        """Return the files of a package or a module in a folder."""
        names = self._list(folder)
        if name in names:
            package = os.path.join(folder, name)
            files = self._choose(package, _PACKAGE)
            if files is not None:
                return files._replace(folders=(package,))
        return self._choose(folder, name)

    def _choose(self, folder: str, name: str) -> ModuleFiles | None:
        """Return the code and the stub of a module, if a folder contains any."""
        names = self._list(folder)
        code = os.path.join(folder, f"{name}{_CODE}")
        stub = os.path.join(folder, f"{name}{_STUB}")
        has_stub = f"{name}{_STUB}" in names
        if f"{name}{_CODE}" in names:
            return ModuleFiles(code, stub if has_stub else "")
        if has_stub:
            return ModuleFiles(stub)
        return None


def _list_folder(path: str) -> frozenset[str]:
    """Return the names in a folder; none if it is no folder, or cannot be read."""
    with suppress(OSError, ValueError):
        return frozenset(os.listdir(path))
    return frozenset()
