"""Find the repository of each file."""

import errno
import os
from collections import defaultdict
from collections.abc import Collection, Iterable
from functools import cache
from pathlib import PurePath
from typing import NamedTuple

from docs_sitemap.tools.files import RealPaths, real_path


class RepositoryFile(NamedTuple):
    """A file in a repository.

    Attributes:
        top: The top level of the work tree: an absolute path.
        path: The path below the top level, with `/` as separator.
    """

    top: str
    path: str


class FileLocator:
    """Locates files. The result for each folder is kept to save system calls."""

    def __init__(self) -> None:
        self._real_paths = RealPaths()
        self._is_top = cache(_is_top)

    def locate(self, file: str) -> RepositoryFile | None:
        """Return a file, given by its absolute path, with all symbolic links resolved;
        `None` if it is not in a repository.
        """
        path = self._real_paths.find(file)
        top = self.find_top(os.path.dirname(path))
        if top is None:
            return None
        below = path[len(os.path.join(top, "")) :]
        return RepositoryFile(top, below.replace(os.sep, "/"))

    def find_top(self, folder: str) -> str | None:
        """Return the top level of the work tree that contains a folder without links;
        `None` if there is none.
        """
        while not self._is_top(folder):
            parent = os.path.dirname(folder)
            if parent == folder:
                return None
            folder = parent
        return folder


def check_parents(path: str, project: str) -> None:
    """Check that no folder of a path is a symbolic link out of the project, or out of
    its repository, which anyone could commit. The path itself may be outside.

    Raises:
        OSError: One is.
    """
    parent = os.path.dirname(os.path.abspath(path))
    project = os.path.abspath(project)
    top = FileLocator().find_top(project) or project
    if not PurePath(parent).is_relative_to(top):
        return
    if PurePath(real_path(parent)).is_relative_to(real_path(top)):
        return
    message = (
        "its folder is a symbolic link to a place outside the project; if you want "
        "this place, name it without the link"
    )
    raise OSError(errno.ELOOP, message, path)


def _is_top(folder: str) -> bool:
    git = os.path.join(folder, ".git")
    # Submodules and linked work trees have a file with this name. Like git, ignore a
    # folder with this name that is not a repository.
    return os.path.isfile(git) or os.path.lexists(os.path.join(git, "HEAD"))


def match_copies(files: Iterable[str], tree: Collection[str]) -> dict[str, str]:
    """Find the file of a repository that each file is a copy of.

    The root of the copied tree is the folder with which the most paths match, and of
    several such folders the outermost.

    Args:
        files: Absolute paths.
        tree: The paths of all files of the repository, with `/` as separator.

    Returns:
        The path in the repository of each file that has a counterpart.
    """
    matches: defaultdict[tuple[str, ...], dict[str, str]] = defaultdict(dict)
    for file in files:
        parts = PurePath(file).parts
        for start in range(1, len(parts)):
            path = "/".join(parts[start:])
            if path in tree:
                matches[parts[:start]][file] = path

    best: dict[str, str] = {}
    for folder in sorted(matches, key=len):
        if len(matches[folder]) > len(best):
            best = matches[folder]
    return best
