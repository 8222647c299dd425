"""Which repository a file lies in, once all symbolic links are followed."""

from __future__ import annotations

import os
from typing import NamedTuple

# As many as Linux follows.
_MAX_LINKS = 40


class Place(NamedTuple):
    """A file of a repository: the top level of the work tree, and the path below, as git has it."""

    top: str
    path: str


class Located(NamedTuple):
    """Where a file really lies, if in a repository, and the links that lead there."""

    place: Place | None
    links: tuple[Place, ...]


class Locator:
    """Finds the repository of a file, asking the file system once for each folder."""

    def __init__(self) -> None:
        self._folders: dict[str, tuple[str, tuple[str, ...]]] = {}
        self._tops: dict[str, str | None] = {}

    def __call__(self, file: str) -> Located:
        folder, name = os.path.split(file)
        if folder not in self._folders:
            self._folders[folder] = follow(folder)
        real, links = self._folders[folder]
        path = os.path.join(real, name)
        if os.path.islink(path):
            path, more = follow(path)
            links += more
        places = (self._place(link) for link in dict.fromkeys(links))
        return Located(self._place(path), tuple(place for place in places if place is not None))

    def _place(self, path: str) -> Place | None:
        top = self.top(os.path.dirname(path))
        below = path[len(os.path.join(top or "", "")) :].replace(os.sep, "/")
        return None if top is None else Place(top, below)

    def top(self, folder: str) -> str | None:
        """Return the top level of the work tree that holds a folder, given by its real path."""
        below = []
        while folder not in self._tops:
            below.append(folder)
            parent = os.path.dirname(folder)
            git = os.path.join(folder, ".git")
            # A worktree and a submodule have a file of this name, other repositories a folder.
            # Git does not stop at a folder that is no repository.
            if os.path.isfile(git) or os.path.lexists(os.path.join(git, "HEAD")):
                self._tops[folder] = folder
            elif parent == folder:
                self._tops[folder] = None
            folder = parent if folder not in self._tops else folder
        top = self._tops[folder]
        self._tops |= dict.fromkeys(below, top)
        return top


def follow(path: str) -> tuple[str, tuple[str, ...]]:
    """Return the real path, and the path of each symbolic link on the way."""
    drive, rest = os.path.splitdrive(os.path.abspath(path))
    root = drive + os.sep
    real = root
    ahead = rest.split(os.sep)[::-1]
    links: list[str] = []
    while ahead:
        name = ahead.pop()
        if name in ("", os.curdir):
            continue
        if name == os.pardir:
            real = os.path.dirname(real)
            continue
        path = os.path.join(real, name)
        if len(links) < _MAX_LINKS and os.path.islink(path):
            links.append(path)
            target = os.readlink(path)
            if os.path.isabs(target):
                real = root
            ahead += target.split(os.sep)[::-1]
        else:
            real = path
    return real, tuple(links)
