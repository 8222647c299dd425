"""Find the files of a project that a pattern matches, in the pattern language of pages."""

from __future__ import annotations

import os
from glob import has_magic
from itertools import islice

from docs_sitemap.files import walk_files
from docs_sitemap.patterns import compile_pattern

# The largest repositories have a million files. Patterns in different folders share the limit.
MAX_FILES = 5_000_000


class FileSearch:
    """Searches the files of a project.

    Patterns match the path below the folder in front of their first wildcard. They match no hidden
    files and folders, and nothing behind symbolic links to folders.

    Args:
        root: The absolute path of the folder to which patterns are relative.
        max_files: The number of files that all searches may read.
    """

    def __init__(self, root: str, max_files: int = MAX_FILES) -> None:
        self._root = root
        self._remaining = max_files
        self._files: dict[str, list[str]] = {}

    def find(self, pattern: str) -> list[str]:
        """Return the absolute paths of the files that match a pattern, sorted; none if it would
        search too many files.
        """
        names = os.path.normpath(pattern).split(os.sep)
        start = next((number for number, name in enumerate(names) if has_magic(name)), len(names))
        folder = os.path.abspath(os.path.join(self._root, *names[:start]))
        if start == len(names):
            return [folder] if os.path.isfile(folder) else []
        if folder not in self._files:
            files = [*islice(walk_files(folder), self._remaining + 1)]
            if len(files) > self._remaining:
                files = []
            self._remaining -= len(files)
            self._files[folder] = sorted(files)
        matches = compile_pattern("/".join(names[start:])).fullmatch
        return [os.path.join(folder, path) for path in self._files[folder] if matches(path)]
