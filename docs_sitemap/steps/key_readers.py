"""Find what reads the front matter of pages: templates and Python code."""

import os
import re
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from types import ModuleType

import msgspec

from docs_sitemap.shown.front_matter import (
    KeyReaders,
    keys_in_template,
    names_in_jinja,
)
from docs_sitemap.tools.files import walk_files

_IMPORT = re.compile(r"^\s*(?:from|import)\s+(\w+)", re.M)

_TEMPLATES = (".html", ".htm", ".jinja", ".jinja2", ".j2")

ReadKeys = Callable[[str], set[str] | None]
"""Returns the keys that a file reads; `None` if it may read any key."""


class KeyReaderSearch(msgspec.Struct):
    """Collects the keys that templates and code read.

    Attributes:
        keys: The keys.
        unknown: The names of what may read any key.
    """

    keys: set[str] = set()
    unknown: set[str] = set()

    def add_templates(self, folders: Iterable[str]) -> None:
        """Add the templates in some folders."""
        for folder in folders:
            for path in walk_files(folder):
                if path.endswith(_TEMPLATES):
                    file = os.path.join(folder, path)
                    self.add_file(f"template {path}", file, keys_in_template)

    def add_jinja(self, folder: str) -> None:
        """Add all names that the files in a folder use in Jinja."""
        for path in walk_files(folder):
            self.add_file(path, os.path.join(folder, path), names_in_jinja)

    def add_module(
        self, name: str, module: ModuleType | None, read_keys: ReadKeys
    ) -> None:
        """Add an installed module: if it is in a package, all modules there and
        below.
        """
        file = getattr(module, "__file__", None)
        if module is None or file is None:
            self.unknown.add(name)
        elif module.__package__:
            self.add_folder(name, os.path.dirname(file), read_keys)
        else:
            self.add_file(name, file, read_keys)

    def add_script(self, name: str, path: str, read_keys: ReadKeys) -> None:
        """Add a file of the project, and the modules next to it that it imports."""
        self.add_file(name, path, read_keys)
        with suppress(OSError, UnicodeDecodeError):
            text = Path(path).read_text(encoding="utf-8")
            for imported in _IMPORT.findall(text):
                file = getattr(sys.modules.get(imported), "__file__", None) or ""
                if os.path.dirname(file) == os.path.dirname(path):
                    self.add_file(name, file, read_keys)

    def add_folder(self, name: str, folder: str, read_keys: ReadKeys) -> None:
        """Add the Python modules in a folder and below."""
        for path in walk_files(folder):
            if path.endswith(".py"):
                self.add_file(name, os.path.join(folder, path), read_keys)

    def add_file(self, name: str, path: str, read_keys: ReadKeys) -> None:
        """Add a file.

        Args:
            name: Its name in messages.
            path: Its path.
            read_keys: Returns the keys that it reads.
        """
        try:
            with open(path, encoding="utf-8", errors="replace") as file:
                keys = read_keys(file.read())
        except OSError:
            keys = None
        if keys is None:
            self.unknown.add(name)
        else:
            self.keys |= keys

    def result(self) -> KeyReaders:
        """Return what was found."""
        return KeyReaders(frozenset(self.keys), tuple(sorted(self.unknown)))
