"""Find the files of modules: packages, single modules, and namespace packages."""

import os
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from docs_sitemap.tools.files import list_names

_PACKAGE = "__init__"

# A stub is the module if there is no other code, as for compiled modules.
_SUFFIXES = (".py", ".pyi")


class ModuleFiles(NamedTuple):
    """The files of a module.

    Attributes:
        path: The absolute path of its code; empty for a namespace package.
        folders: The absolute paths of the folders with its submodules.
    """

    path: str = ""
    folders: tuple[str, ...] = ()


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
        self._list = cache(list_names)

    def find_package(self, name: str) -> ModuleFiles | None:
        """Return the files of a package, or of a module in no package; `None` if it is
        not in any of the folders.
        """
        namespace: list[str] = []
        for folder in (*self._folders, *self._find_others(name)):
            files = self._find(folder, name)
            if files is not None and files.path:
                return files
            if files is not None:
                namespace += files.folders
        return ModuleFiles(folders=tuple(namespace)) if namespace else None

    def submodules(self, files: ModuleFiles) -> Mapping[str, ModuleFiles]:
        """Return the modules in a package, by name."""
        modules: dict[str, ModuleFiles] = {}
        for folder in files.folders:
            for entry in sorted(self._list(folder)):
                name, suffix = os.path.splitext(entry)
                is_module = suffix in ("", *_SUFFIXES) and not name.startswith("__")
                if is_module and name not in modules:
                    found = self._find(folder, name)
                    if found is not None:
                        modules[name] = found
        return modules

    def _find(self, folder: str, name: str) -> ModuleFiles | None:
        """Return the files of a package or a module in a folder."""
        package = os.path.join(folder, name)
        folders = (package,) if name in self._list(folder) else ()
        for place, stem, inner in ((package, _PACKAGE, folders), (folder, name, ())):
            for suffix in _SUFFIXES:
                if stem + suffix in self._list(place):
                    return ModuleFiles(os.path.join(place, stem + suffix), inner)
        return ModuleFiles(folders=folders) if os.path.isdir(package) else None
