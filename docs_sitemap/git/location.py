"""Find the repository of each file, and the symbolic links that lead to the file."""

import errno
import os
from collections import defaultdict
from collections.abc import Collection, Iterable
from functools import cache
from pathlib import PurePath
from typing import NamedTuple

from docs_sitemap.files import is_path

# The limit of Linux.
_MAX_LINKS = 40
# No system allows more characters in a path.
_MAX_PATH = 2**15


class RepositoryFile(NamedTuple):
    """A file in a repository.

    Attributes:
        top: The top level of the work tree: an absolute path.
        path: The path below the top level, with `/` as separator.
    """

    top: str
    path: str


class FileLocation(NamedTuple):
    """Where a file is.

    Attributes:
        file: The file, with all symbolic links resolved; `None` if it is not in a repository.
        links: The symbolic links that lead to the file and are in repositories.
    """

    file: RepositoryFile | None
    links: tuple[RepositoryFile, ...]


class FileLocator:
    """Locates files. The result for each folder is kept to save system calls."""

    def __init__(self) -> None:
        self._resolve_folder = cache(resolve_links)
        self._is_top = cache(_is_top)

    def locate(self, file: str) -> FileLocation:
        """Return the location of a file, given by its absolute path."""
        folder, name = os.path.split(file)
        real_folder, links = self._resolve_folder(folder)
        path = os.path.join(real_folder, name)
        if os.path.islink(path):
            path, more = resolve_links(path)
            links += more
        in_repositories = map(self._repository_file, dict.fromkeys(links))
        return FileLocation(self._repository_file(path), tuple(filter(None, in_repositories)))

    def _repository_file(self, path: str) -> RepositoryFile | None:
        top = self.find_top(os.path.dirname(path))
        if top is None:
            return None
        below = path[len(os.path.join(top, "")) :]
        return RepositoryFile(top, below.replace(os.sep, "/"))

    def find_top(self, folder: str) -> str | None:
        """Return the top level of the work tree that contains a folder without links."""
        while not self._is_top(folder):
            parent = os.path.dirname(folder)
            if parent == folder:
                return None
            folder = parent
        return folder


def is_possible(path: str) -> bool:
    """Return whether a file can have this path."""
    return is_path(path) and len(path) < _MAX_PATH


def check_parents(path: str, project: str) -> None:
    """Check that no folder of a path is a symbolic link out of the project, or out of its
    repository, which anyone could commit. The path itself may be outside.

    Raises:
        OSError: One is.
    """
    parent, project = os.path.dirname(os.path.abspath(path)), os.path.abspath(project)
    top = FileLocator().find_top(project) or project
    is_inside = [PurePath(f(parent)).is_relative_to(f(top)) for f in (str, os.path.realpath)]
    if is_inside == [True, False]:
        message = "its folder is a symbolic link to a place outside the project; if you want this "
        raise OSError(errno.ELOOP, f"{message}place, name it without the link", path)


def _is_top(folder: str) -> bool:
    git = os.path.join(folder, ".git")
    # Submodules and linked work trees have a file with this name. Like git, ignore a folder with
    # this name that is not a repository.
    return os.path.isfile(git) or os.path.lexists(os.path.join(git, "HEAD"))


def resolve_links(path: str) -> tuple[str, tuple[str, ...]]:
    """Return a path without symbolic links, and the path of each link that was resolved."""
    real, pending = split_root(os.path.abspath(path))
    links: list[str] = []
    while pending:
        name = pending.pop(0)
        path = os.path.join(real, name)
        if name == os.pardir:
            real = os.path.dirname(real)
        elif len(links) < _MAX_LINKS and os.path.islink(path):
            links.append(path)
            root, names = split_root(os.readlink(path))
            if root:
                real = os.path.join(real, root)
            pending = names + pending
        else:
            real = path
    return real, tuple(links)


def split_root(path: str, path_type: type[PurePath] = PurePath) -> tuple[str, list[str]]:
    r"""Split a path into its root and the names below: `/` or `C:\`, and a list. The root of a
    relative path is empty.
    """
    # Windows returns the targets of links in this form.
    if path.startswith("\\\\?\\") and path[5:6] == ":":
        path = path[4:]
    pure = path_type(path)
    return pure.anchor, list(pure.parts[1:] if pure.anchor else pure.parts)


def match_copies(
    files: Iterable[str], tree: Collection[str], path_type: type[PurePath] = PurePath
) -> dict[str, str]:
    """Find the file of a repository that each file is a copy of.

    The root of the copied tree is the folder with which the most paths match.

    Args:
        files: Absolute paths.
        tree: The paths of all files of the repository, with `/` as separator.
        path_type: The flavor of the absolute paths.

    Returns:
        The path in the repository of each file that has a counterpart.
    """
    matches: defaultdict[tuple[str, ...], dict[str, str]] = defaultdict(dict)
    for file in files:
        parts = path_type(file).parts
        for start in range(1, len(parts)):
            path = "/".join(parts[start:])
            if path in tree:
                matches[parts[:start]][file] = path
    best = max(matches, key=lambda folder: (len(matches[folder]), -len(folder)), default=())
    return matches[best]
