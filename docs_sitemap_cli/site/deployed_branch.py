"""A deployed site in a branch that is not checked out, read like a folder."""

import errno
import io
import os
from collections.abc import Iterable
from typing import BinaryIO

from docs_sitemap.git.run import InteractiveGit

from .branch import FOLDER_MODE, LINK_MODE, Branch
from .folder import SiteFolder, join

# Longer chains of symbolic links are not followed, as in Linux.
_MAX_LINKS = 40
_MAX_LINK_TARGET = 4_096


class DeployedBranch(SiteFolder):
    """A deployed site in a branch. Close it after use.

    Args:
        branch: The branch.
        folder: The folder of the site in the branch; empty for its top level.

    Raises:
        GitError: The branch does not contain the folder, or cannot be read.
    """

    def __init__(self, branch: Branch, folder: str = "") -> None:
        super().__init__(join(branch.name, folder))
        self._entries = branch.entries(folder)
        self._children: dict[str | None, list[str]] = {}
        for path in filter(None, self._entries):
            parent, _, name = path.rpartition("/")
            self._children.setdefault(parent, []).append(name)
        self._cat_file = InteractiveGit(
            branch.git, ["cat-file", "--batch"], " missing\n"
        )

    def close(self) -> None:
        self._cat_file.close()

    def exists(self, file: str) -> bool:
        return self.is_file(file)

    def is_file(self, file: str) -> bool:
        real = self.real_path(file)
        return real is not None and not self._is_folder(real)

    def open_file(self, file: str) -> BinaryIO:
        real = self.real_path(file)
        if real is None:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), file)
        return io.BytesIO(self._read(real))

    def real_path(self, file: str) -> str | None:
        real = ""
        names = file.split("/")[::-1]
        links = 0
        while names:
            name = names.pop()
            if name in ("", "."):
                continue
            if name == "..":
                if not real:
                    return None
                real = real.rpartition("/")[0]
                continue
            entry = join(real, name)
            if entry not in self._entries:
                return None
            if self._entries[entry].mode != LINK_MODE:
                real = entry
                continue
            links += 1
            target = os.fsdecode(self._read(entry)[:_MAX_LINK_TARGET])
            if links > _MAX_LINKS or target.startswith("/"):
                return None
            names += target.split("/")[::-1]
        return real

    def _names(self, folder: str) -> Iterable[str]:
        return self._children.get(self.real_path(folder), ())

    def _is_folder(self, path: str) -> bool:
        return self._entries[path].mode == FOLDER_MODE

    def _read(self, real: str) -> bytes:
        answer = self._cat_file.ask(self._entries[real].object_name.encode())
        header, _, content = answer.partition(b"\n")
        if b" blob " not in header:  # for example, in a partial clone
            reason = "the file is not in the repository"
            raise FileNotFoundError(errno.ENOENT, reason, real)
        return content[:-1]
