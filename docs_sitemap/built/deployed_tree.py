"""The files of a deployed site: in a folder, or in a branch that is not checked out."""

import errno
import io
import os
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import suppress
from typing import BinaryIO, NamedTuple

from docs_sitemap.git.branch import FOLDER_MODE, LINK_MODE, Branch
from docs_sitemap.git.run import InteractiveGit
from docs_sitemap.tools.files import HTML_SUFFIXES

from .html import Head, read_head
from .site_folder import SiteFolder, possible_files

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
    """What a web server publishes. All paths are relative, with `/` as separator; the
    empty path is the tree itself. No symbolic link leads out of the tree.
    """

    @abstractmethod
    def items(self, folder: str) -> list[Item]:
        """Return what a folder contains, sorted by name, without hidden items, and
        without links that lead nowhere or out of the tree.
        """

    @abstractmethod
    def is_file(self, path: str) -> bool:
        """Return whether there is a file, or a link to one."""

    @abstractmethod
    def open(self, path: str) -> BinaryIO:
        """Open a file.

        Raises:
            OSError: The file cannot be read, or is outside the tree.
        """

    def html_files(self, folder: str) -> Iterator[str]:
        """Yield the paths of the pages below a folder, sorted by folder and name.
        Symbolic links are skipped.
        """
        pending = [folder]
        while pending:
            folders: list[str] = []
            for item in self.items(pending.pop()):
                if item.target is not None:
                    continue
                if item.is_folder:
                    folders.insert(0, item.path)
                elif item.path.lower().endswith(HTML_SUFFIXES):
                    yield item.path
            pending += folders

    def head(self, path: str) -> Head:
        """Return the head of a page. It is empty if the page cannot be read."""
        with suppress(OSError), self.open(path) as file:
            return read_head(file)
        return Head()

    def open_url(self, url: str) -> str | None:
        """Return the file that a static web server sends.

        Args:
            url: The URL relative to the URL of the tree, percent-encoded.
        """
        files = possible_files(url.partition("?")[0])
        return next(filter(self.is_file, files), None)


class DeployedFolder(DeployedTree):
    """A deployed site in a folder."""

    def __init__(self, path: str) -> None:
        self._site = SiteFolder(path)

    def items(self, folder: str) -> list[Item]:
        items = []
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
                    path = join(folder, entry.name)
                    items.append(Item(path, entry.is_dir(), target))
        return sorted(items)

    def is_file(self, path: str) -> bool:
        return os.path.isfile(os.path.join(self._site.root, path))

    def open(self, path: str) -> BinaryIO:
        return self._site.open_file(path)


class DeployedBranch(DeployedTree):
    """A deployed site in a branch. Close it after use.

    Args:
        branch: The branch.
        folder: The folder of the site in the branch; empty for its top level.

    Raises:
        GitError: The branch does not contain the folder, or cannot be read.
    """

    def __init__(self, branch: Branch, folder: str = "") -> None:
        self._entries = branch.entries(folder)
        self._names: dict[str | None, list[str]] = {}
        for path in filter(None, self._entries):
            parent, _, name = path.rpartition("/")
            self._names.setdefault(parent, []).append(name)
        self._cat_file = InteractiveGit(
            branch.git, ["cat-file", "--batch"], " missing\n"
        )

    def close(self) -> None:
        self._cat_file.close()

    def items(self, folder: str) -> list[Item]:
        items = []
        for name in self._names.get(self._real_path(folder), ()):
            path = join(folder, name)
            real = self._real_path(path)
            if real is not None and not name.startswith("."):
                target = None if real == path else real
                items.append(Item(path, self._mode(real) == FOLDER_MODE, target))
        return sorted(items)

    def is_file(self, path: str) -> bool:
        real = self._real_path(path)
        return real is not None and self._mode(real) != FOLDER_MODE

    def open(self, path: str) -> BinaryIO:
        real = self._real_path(path)
        if real is None:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
        return io.BytesIO(self._read(real))

    def _read(self, real: str) -> bytes:
        answer = self._cat_file.ask(self._entries[real].object_name.encode())
        header, _, content = answer.partition(b"\n")
        if b" blob " not in header:  # for example, in a partial clone
            reason = "the file is not in the repository"
            raise FileNotFoundError(errno.ENOENT, reason, real)
        return content[:-1]

    def _mode(self, real: str) -> str:
        return self._entries[real].mode

    def _real_path(self, path: str) -> str | None:
        """Return the path that a path leads to, without symbolic links; `None` if there
        is nothing, or a link leads out of the tree.
        """
        real = ""
        names = path.split("/")[::-1]
        links = 0
        while names:
            name = names.pop()
            if name == "..":
                if not real:
                    return None
                real = real.rpartition("/")[0]
            elif name not in ("", "."):
                entry = join(real, name)
                if entry not in self._entries:
                    return None
                if self._mode(entry) != LINK_MODE:
                    real = entry
                    continue
                links += 1
                target = os.fsdecode(self._read(entry)[:_MAX_LINK_TARGET])
                if links > _MAX_LINKS or target.startswith("/"):
                    return None
                names += target.split("/")[::-1]
        return real


def join(folder: str, name: str) -> str:
    """Join a relative path of a folder, which may be empty, with a name."""
    return f"{folder}/{name}" if folder else name
