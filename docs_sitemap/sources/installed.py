"""Find the files in git that installed or compiled modules are made from."""

import os
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache, cached_property
from pathlib import Path, PurePosixPath

from docs_sitemap.config.options import Options
from docs_sitemap.git.repository import RepositorySnapshot, find_repository
from docs_sitemap.git.run import GitError

LIBRARIES = {"site-packages", "dist-packages"}
"""The folders of installed packages."""

COMPILED = (".so", ".pyd")
"""The suffixes of compiled modules."""

# The files with the docstrings of compiled modules, and those that only add types.
_IMPLEMENTATIONS = (".pyx", ".py", ".c", ".cc", ".cpp", ".cxx", ".rs")
_TYPES = (".pxd", ".pyi")

_PACKAGE = "__init__"


def module_path(path: str) -> str:
    """Return the path of an installed file below the folder of all installed packages,
    with `/` as separator; empty if the file is not installed.
    """
    if not any(name in path for name in LIBRARIES):  # nearly always
        return ""
    parts = Path(path).parts
    for number in range(len(parts) - 1, 0, -1):
        if parts[number] in LIBRARIES:
            return "/".join(parts[number + 1 :])
    return ""


@cache
def import_names(path: str) -> tuple[str, ...]:
    """Return the names by which a Python file is imported, the package first."""
    folder, name = os.path.split(os.path.abspath(path))
    names = [name.removesuffix(".py")]
    while os.path.isfile(os.path.join(folder, f"{_PACKAGE}.py")):
        folder, name = os.path.split(folder)
        names.insert(0, name)
    return tuple(names)


class TrackedModules:
    """The files that git tracks in a project, by the paths of modules.

    Args:
        root: A folder of the project.
        options: The options of the site, which may name the repository of the project.
    """

    def __init__(self, root: str, options: Options) -> None:
        self._root = Path(root).resolve()
        self._options = options
        self._folders_of = cache(self._find_folders)

    def originals(self, path: str) -> Sequence[str] | None:
        """Return the files that an installed or compiled file is made from.

        A file of an installed package has the same path below a folder of the project.
        This folder also contains the package, and is in no other package, which may
        contain copies of others.

        Args:
            path: The absolute path of any file.

        Returns:
            The path itself if the file is neither installed nor compiled; nothing if it
            belongs to another project; `None` if it belongs to this project, but its
            original is unknown.
        """
        module = module_path(path)
        if not module and not path.endswith(COMPILED):
            return [path]
        is_installed = bool(module)
        if not is_installed:  # It can be compiled into any folder of the project.
            module = "/".join(Path(path).parts[-2:])
        package = _find_package(path, module)
        folders = self._folders_of(package, is_installed=is_installed)
        if not folders:
            return []
        candidates = []
        for folder in folders:
            files = self._files_of(folder + module)
            if files:
                candidates.append(files)
        if len(candidates) != 1:
            return None
        [files] = candidates
        top = self._top(files[0])
        return [os.path.join(top, file) for file in files]

    def _find_folders(self, package: str, *, is_installed: bool) -> list[str]:
        """Return the folders, each with `/` at the end, that contain a package or a
        module.

        Args:
            package: The path of the `__init__` of the package, or of the module,
                without suffix.
            is_installed: Whether folders in other packages are skipped.
        """
        folders = []
        for stem, files in self._tracked.items():
            if not f"/{stem}".endswith(f"/{package}"):
                continue
            if not any(map(_is_module, files)):
                continue
            folder = stem.removesuffix(package)
            parents = PurePosixPath(folder, "*").parents
            packages = {f"{parent}/{_PACKAGE}" for parent in parents}
            if not is_installed or packages.isdisjoint(self._tracked):
                folders.append(folder)
        return folders

    def _files_of(self, path: str) -> list[str]:
        """Return the tracked files that a file of the project is made from."""
        files = self._tracked.get(_stem(path), [])
        if not path.endswith(COMPILED):
            if path in files:
                return [path]
            return []
        if not any(file.endswith(_IMPLEMENTATIONS) for file in files):
            return []
        return list(filter(_is_module, files))

    @cached_property
    def _tracked(self) -> Mapping[str, list[str]]:
        """The files by their paths without suffixes; none if git fails, which dates
        report.
        """
        tracked = defaultdict(list)
        options = self._options
        try:
            git = find_repository(options.repository or os.fspath(self._root))
            snapshot = RepositorySnapshot.read(git, ref=options.ref, is_top=False)
            for file in snapshot.files():
                tracked[_stem(file)].append(file)
        except (GitError, OSError, ValueError):
            return {}
        return tracked

    def _top(self, file: str) -> str:
        """Return the folder of the repository, or of a copy of it, that contains a
        tracked file.
        """
        for folder in (self._root, *self._root.parents):
            if (folder / file).is_file():
                return os.fspath(folder)
        return os.fspath(self._root)


def _is_module(path: str) -> bool:
    return path.endswith((*_IMPLEMENTATIONS, *_TYPES))


def _stem(path: str) -> str:
    """Return a path without its suffixes, of which compiled modules have several."""
    folder, slash, name = path.rpartition("/")
    return folder + slash + name.partition(".")[0]


def _find_package(path: str, module: str) -> str:
    """Return the path of the `__init__` of the outermost package of a module that is
    not only a namespace, or else the path of the module, without suffixes.
    """
    library = path.removesuffix(module.replace("/", os.sep))
    parents = list(PurePosixPath(module).parents)[:-1]
    for parent in reversed(parents):
        if os.path.isfile(os.path.join(library, parent, f"{_PACKAGE}.py")):
            return f"{parent}/{_PACKAGE}"
    return _stem(module)
