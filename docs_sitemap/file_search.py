"""Find the files that a shell pattern matches, whatever the pattern and the folders."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from fnmatch import translate
from glob import has_magic

# The largest repositories have a million files. Pages with different patterns share the limit.
_MAX_ENTRIES = 5_000_000


class SearchLimitError(Exception):
    """The patterns of a build search more files than `FileSearch` allows."""


class FileSearch:
    """Searches the files of a project.

    In a pattern, `*` matches a part of one name, and a name `**` matches any folders or none. At
    the end, `**` matches all files below a folder. Wildcards do not match a dot at the start of a
    name, and `**` does not follow symbolic links to folders.

    Args:
        root: The absolute path of the folder to which patterns are relative.
        max_entries: The number of files and folders that all searches may read.
    """

    def __init__(self, root: str, max_entries: int = _MAX_ENTRIES) -> None:
        self._root = root
        self._remaining = max_entries

    def find(self, pattern: str) -> list[str]:
        """Return the absolute paths of the files that match a pattern, sorted.

        Raises:
            SearchLimitError: The limit of entries is reached.
        """
        names = os.path.normpath(pattern).split(os.sep)
        # A repeated `**` has no other meaning than a single one.
        names = [
            name
            for name, previous in zip(names, ["", *names], strict=False)
            if (name, previous) != ("**", "**")
        ]
        start = next((number for number, name in enumerate(names) if has_magic(name)), len(names))
        path = os.path.abspath(os.path.join(self._root, *names[:start]))
        if start == len(names):
            return [path] if os.path.isfile(path) else []
        return sorted({*self._walk(path, names[start:])})

    def _walk(self, folder: str, names: Sequence[str]) -> Iterator[str]:
        matches = [re.compile(translate(os.path.normcase(name))).match for name in names]
        last = len(names) - 1
        # Folders, each with the position of the name in the pattern that its entries must match.
        pending = [(folder, 0)]
        # A symbolic link may lead to a folder again.
        searched = set()
        while pending:
            folder, first = pending.pop()
            try:
                status = os.stat(folder)
            except OSError:  # Like a shell, skip folders that cannot be read.
                continue
            if (status.st_dev, status.st_ino, first) in searched:
                continue
            searched.add((status.st_dev, status.st_ino, first))
            # `**` may match no folder. The next name then matches an entry of this one.
            positions = {first, min(first + 1, last)} if names[first] == "**" else {first}
            for entry in self._entries(folder):
                for position in positions:
                    name = names[position]
                    is_hidden = entry.name.startswith(".") and not name.startswith(".")
                    if is_hidden or not matches[position](os.path.normcase(entry.name)):
                        continue
                    if position == last and os.path.isfile(entry.path):
                        yield entry.path
                    elif name == "**":
                        if _is_folder(entry) and not entry.is_symlink():
                            pending.append((entry.path, position))
                    elif position < last and _is_folder(entry):
                        pending.append((entry.path, position + 1))

    def _entries(self, folder: str) -> Iterator[os.DirEntry[str]]:
        with suppress(OSError), os.scandir(folder) as entries:
            for entry in entries:
                self._remaining -= 1
                if self._remaining < 0:
                    raise SearchLimitError
                yield entry


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # for example, a link to itself
        return False
