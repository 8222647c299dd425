"""Find the files that a shell pattern matches, whatever the pattern and the folders."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator
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
        return sorted(self._walk(path, _NamePatterns(names[start:])))

    def _walk(self, folder: str, patterns: _NamePatterns) -> Iterator[str]:
        pending = [(folder, patterns.start)]
        # The positions in the pattern with which each folder was searched. A symbolic link may
        # lead to a folder again.
        searched: dict[tuple[int, int], set[int]] = {}
        while pending:
            folder, positions = pending.pop()
            try:
                status = os.stat(folder)
                known = searched.setdefault((status.st_dev, status.st_ino), set())
                positions = positions - known - {patterns.end}
                known |= positions
                for entry in self._entries(folder) if positions else ():
                    is_folder = entry.is_dir()
                    is_link = is_folder and entry.is_symlink()
                    reached = patterns.step(positions, entry.name, is_link=is_link)
                    if is_folder and reached:
                        pending.append((entry.path, reached))
                    elif patterns.end in reached and entry.is_file():
                        yield entry.path
            except OSError:  # Like a shell, skip folders that cannot be read.
                continue

    def _entries(self, folder: str) -> Iterator[os.DirEntry[str]]:
        with os.scandir(folder) as entries:
            for entry in entries:
                self._remaining -= 1
                if self._remaining < 0:
                    raise SearchLimitError
                yield entry


class _NamePatterns:
    """The patterns of the names in a path, one for each folder and one for the file.

    A position is the number of the pattern that the next name must match. `**` leaves several
    positions open at the same time.
    """

    def __init__(self, names: list[str]) -> None:
        self.end = len(names)
        self._accepts_hidden = [name.startswith(".") for name in names]
        self._matches = [
            None if name == "**" else re.compile(translate(os.path.normcase(name))).match
            for name in names
        ]
        self.start = self._with_skipped({0})

    def step(self, positions: Collection[int], name: str, *, is_link: bool) -> set[int]:
        """Return the positions after a name.

        Args:
            positions: The positions before the name.
            name: The name of a file or folder.
            is_link: Whether the name is a symbolic link to a folder.
        """
        is_hidden = name.startswith(".")
        reached = set()
        for position in positions:
            if is_hidden and not self._accepts_hidden[position]:
                continue
            matches = self._matches[position]
            if matches is None:
                if not is_link:
                    reached.add(position)
            elif matches(os.path.normcase(name)):
                reached.add(position + 1)
        return self._with_skipped(reached)

    def _with_skipped(self, positions: set[int]) -> set[int]:
        """Add the positions after each `**`, which may match no folder."""
        for position in tuple(positions):
            while position < self.end and self._matches[position] is None:
                position += 1
                positions.add(position)
        return positions
