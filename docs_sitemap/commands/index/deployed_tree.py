"""The files of a deployed site: in a folder, or in a branch that is not checked out."""

from __future__ import annotations

import errno
import os
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from typing import BinaryIO, NamedTuple

from docs_sitemap.files import HTML_SUFFIXES, OutsideSiteError, walk_html_files
from docs_sitemap.git import (
    FOLDER_MODE,
    LINK_MODE,
    Branch,
    BranchReader,
    GitError,
    TreeEntry,
)
from docs_sitemap.html import Head, read_head_of
from docs_sitemap.site_folder import SiteFolder, file_name
from docs_sitemap.sitemap.urls import INDEX_FILE

# Longer chains of symbolic links are not followed, as in Linux.
_MAX_LINKS = 40
_MAX_LINK_TARGET = 4_096
_MAX_DEPTH = 100


class Subfolder(NamedTuple):
    """A folder in a folder.

    Attributes:
        path: Its path below the deployed tree, with `/` as separator.
        target: The path of the folder that it stands for, if it is a symbolic link; `None` if it
            is a folder.
    """

    path: str
    target: str | None = None


class DeployedTree(ABC):
    """What a web server publishes. All paths are relative, with `/` as separator; the empty path
    is the tree itself. No symbolic link leads out of the tree.
    """

    @abstractmethod
    def subfolders(self, folder: str) -> list[Subfolder]:
        """Return the visible folders in a folder, and links to folders, sorted by name."""

    @abstractmethod
    def is_file(self, path: str) -> bool:
        """Return whether there is a file, or a link to one."""

    @abstractmethod
    def open(self, path: str) -> BinaryIO:
        """Open a file.

        Raises:
            OutsideSiteError: A symbolic link leads out of the tree.
            OSError: The file cannot be read.
        """

    @abstractmethod
    def html_files(self, folder: str) -> Iterator[str]:
        """Yield the paths of the pages below a folder, sorted by folder and name. Hidden files and
        symbolic links are skipped.
        """

    def close(self) -> None:  # noqa: B027  # Only a branch has resources.
        """Free the resources."""

    def read(self, path: str, limit: int) -> bytes | None:
        """Return the content of a file; `None` if it does not exist, or cannot be read.

        Raises:
            OSError: The file has more bytes than the limit.
        """
        data = None
        with suppress(OSError), self.open(path) as file:
            data = file.read(limit + 1)
        if data is not None and len(data) > limit:
            raise OSError(errno.EFBIG, f"it has more than {limit:,} bytes", path)
        return data

    def head(self, path: str) -> Head | None:
        """Return the head of a page; `None` if it cannot be read."""
        try:
            with self.open(path) as file:
                return read_head_of(file)
        except OSError:
            return None

    def open_url(self, url: str) -> str | None:
        """Return the file that a static web server sends.

        Args:
            url: The URL relative to the URL of the tree, percent-encoded.
        """
        try:
            path = "/".join(map(file_name, url.partition("?")[0].split("/")))
        except ValueError:
            return None
        index = join(path.removesuffix("/"), INDEX_FILE)
        candidates = [path, f"{path}.html", index] if path and path[-1] != "/" else [index]
        return next(filter(self.is_file, candidates), None)


class DeployedFolder(DeployedTree):
    """A deployed site in a folder."""

    def __init__(self, path: str) -> None:
        self._site = SiteFolder(path)

    def subfolders(self, folder: str) -> list[Subfolder]:
        found = []
        root = os.path.join(self._site.root, "")
        with suppress(OSError), os.scandir(self._path(folder)) as scan:
            for entry in scan:
                if _is_hidden(entry.name) or not _is_folder(entry):
                    continue
                target = None
                if entry.is_symlink():
                    real = os.path.realpath(entry.path)
                    if not real.startswith(root):
                        continue
                    target = real.removeprefix(root).replace(os.sep, "/")
                found.append(Subfolder(join(folder, entry.name), target))
        return sorted(found)

    def is_file(self, path: str) -> bool:
        with suppress(ValueError):  # a NUL byte in the name
            return os.path.isfile(self._path(path))
        return False

    def open(self, path: str) -> BinaryIO:
        return self._site.open_file(path)

    def html_files(self, folder: str) -> Iterator[str]:
        return (join(folder, file) for file in walk_html_files(self._path(folder)))

    def _path(self, path: str) -> str:
        return os.path.join(self._site.root, path)


class DeployedBranch(DeployedTree):
    """A deployed site in a branch. Close it after use.

    Args:
        branch: The branch.
        folder: The folder of the site in the branch; empty for its top level.

    Raises:
        FileNotFoundError: The branch does not contain the folder.
        GitError: The branch cannot be read.
    """

    def __init__(self, branch: Branch, folder: str = "") -> None:
        self._reader = BranchReader(branch)
        self._entries = lru_cache(512)(lambda tree: dict(self._reader.entries(tree)))
        self._root = TreeEntry(FOLDER_MODE, self._reader.root)
        # A site in a folder must not contain links to files outside this folder.
        found = self._find(folder)
        if found is None or found[1].mode != FOLDER_MODE:
            self.close()
            raise FileNotFoundError(errno.ENOENT, "the branch does not contain it", folder)
        self._root = found[1]

    def close(self) -> None:
        self._reader.close()

    def subfolders(self, folder: str) -> list[Subfolder]:
        found = []
        parent = self._find(folder)
        for name in () if parent is None else self._children(parent[1]):
            path = join(folder, name)
            entry = None if _is_hidden(name) else self._find(path)
            if entry is not None and entry[1].mode == FOLDER_MODE:
                found.append(Subfolder(path, None if entry[0] == path else entry[0]))
        return sorted(found)

    def is_file(self, path: str) -> bool:
        found = self._find(path)
        return found is not None and found[1].mode != FOLDER_MODE

    def open(self, path: str) -> BinaryIO:
        found = self._find(path)
        if found is None:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
        try:
            return self._reader.open(found[1].object_name)
        except GitError as error:
            raise OSError(errno.EIO, str(error), path) from None

    def html_files(self, folder: str) -> Iterator[str]:
        found = self._find(folder)
        if found is not None:
            yield from self._walk(join(folder, ""), found[1], 0)

    def _walk(self, folder: str, tree: TreeEntry, depth: int) -> Iterator[str]:
        subfolders = []
        for name, entry in sorted(self._children(tree).items()):
            if name.startswith("."):
                continue
            if entry.mode == FOLDER_MODE and depth < _MAX_DEPTH:
                subfolders.append((name, entry))
            elif entry.mode != LINK_MODE and name.lower().endswith(HTML_SUFFIXES):
                yield folder + name
        for name, entry in subfolders:
            yield from self._walk(f"{folder}{name}/", entry, depth + 1)

    def _children(self, tree: TreeEntry) -> dict[str, TreeEntry]:
        return self._entries(tree.object_name) if tree.mode == FOLDER_MODE else {}

    def _find(self, path: str) -> tuple[str, TreeEntry] | None:
        """Return the path and the entry that a path leads to, without symbolic links; `None` if
        there is none, or a link leads out of the tree.
        """
        names = [name for name in reversed(path.split("/")) if name not in ("", ".")]
        parents: list[tuple[str, TreeEntry]] = [("", self._root)]
        links = 0
        while names:
            name = names.pop()
            if name == "..":
                parents.pop()
                if not parents:
                    return None
                continue
            folder, tree = parents[-1]
            entry = self._children(tree).get(name)
            if entry is None:
                return None
            if entry.mode != LINK_MODE:
                parents.append((join(folder, name), entry))
                continue
            links += 1
            with self._reader.open(entry.object_name) as file:
                target = os.fsdecode(file.read(_MAX_LINK_TARGET))
            if links > _MAX_LINKS or target.startswith("/"):
                return None
            names += [name for name in reversed(target.split("/")) if name not in ("", ".")]
        return parents[-1]


def join(folder: str, name: str) -> str:
    """Join a relative path of a folder, which may be empty, with a name."""
    return f"{folder}/{name}" if folder else name


def _is_hidden(name: str) -> bool:
    """Return whether a folder belongs to a generator, such as `_static`, or to a program."""
    return name.startswith((".", "_"))


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # for example, a link to itself
        return False


__all__ = [
    "DeployedBranch",
    "DeployedFolder",
    "DeployedTree",
    "OutsideSiteError",
    "Subfolder",
    "join",
]
