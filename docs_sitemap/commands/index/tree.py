"""The files of a deployed site: in a folder, or in a branch that is not checked out."""

from __future__ import annotations

import errno
import os
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from typing import BinaryIO, NamedTuple

from docs_sitemap.files import HTML_SUFFIXES
from docs_sitemap.git.branch import FOLDER_MODE, LINK_MODE, Branch, BranchReader, TreeEntry
from docs_sitemap.git.run import GitError
from docs_sitemap.html import Head, read_head
from docs_sitemap.site_folder import SiteFolder, file_name
from docs_sitemap.sitemap.urls import INDEX_FILE

# Longer chains of symbolic links are not followed, as in Linux.
_MAX_LINKS = 40
_MAX_LINK_TARGET = 4_096


class Item(NamedTuple):
    """A file or folder in a folder.

    Attributes:
        path: Its path below the deployed tree, with `/` as separator.
        is_folder: Whether it is a folder, or a symbolic link to one.
        target: The path that a symbolic link leads to; `None` for other items.
    """

    path: str
    is_folder: bool
    target: str | None = None


class DeployedTree(ABC):
    """What a web server publishes. All paths are relative, with `/` as separator; the empty path
    is the tree itself. No symbolic link leads out of the tree.
    """

    @abstractmethod
    def items(self, folder: str) -> list[Item]:
        """Return what a folder contains, sorted by name, without hidden items, and without links
        that lead nowhere or out of the tree.
        """

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

    def close(self) -> None:  # noqa: B027  # Only a branch has resources.
        """Free the resources."""

    def html_files(self, folder: str) -> Iterator[str]:
        """Yield the paths of the pages below a folder, sorted by folder and name. Symbolic links
        are skipped.
        """
        pending = [folder]
        while pending:
            items = [one for one in self.items(pending.pop()) if one.target is None]
            for one in items:
                if not one.is_folder and one.path.lower().endswith(HTML_SUFFIXES):
                    yield one.path
            pending += [one.path for one in reversed(items) if one.is_folder]

    def head(self, path: str) -> Head:
        """Return the head of a page. The head of a page that cannot be read is empty."""
        try:
            with self.open(path) as file:
                return read_head(file)
        except OSError:
            return Head()

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

    def items(self, folder: str) -> list[Item]:
        found = []
        root = os.path.join(self._site.root, "")
        with suppress(OSError), os.scandir(root + folder) as scan:
            for entry in scan:
                target = None
                if entry.is_symlink():
                    real = os.path.realpath(entry.path)
                    if not real.startswith(root) or not os.path.exists(real):
                        continue
                    target = real.removeprefix(root).replace(os.sep, "/")
                if not entry.name.startswith("."):
                    found.append(Item(join(folder, entry.name), entry.is_dir(), target))
        return sorted(found)

    def is_file(self, path: str) -> bool:
        with suppress(ValueError):  # a NUL byte in the name
            return os.path.isfile(os.path.join(self._site.root, path))
        return False

    def open(self, path: str) -> BinaryIO:
        return self._site.open_file(path)


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

    def items(self, folder: str) -> list[Item]:
        parent = self._find(folder)
        names = () if parent is None else self._children(parent[1])
        found = []
        for path in (join(folder, name) for name in names if not name.startswith(".")):
            entry = self._find(path)
            if entry is not None:
                target = None if entry[0] == path else entry[0]
                found.append(Item(path, entry[1].mode == FOLDER_MODE, target))
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
