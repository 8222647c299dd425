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
    find_jinja,
    names_in_jinja,
)
from docs_sitemap.tools.files import walk_files

_IMPORT = re.compile(r"^\s*(?:from|import)\s+(\w+)", re.M)

# The front matter in templates and in Python: `meta` or `page.meta`. In a string, it is
# another word.
_META = r"(?:\.|(?<![\w.'\"<-]))meta(?![\w'\"-])"
_OF_PAGE = rf"[\w.\[\]'\"]*?{_META}"
_USE = re.compile(
    # "key" in meta
    rf"[\"'](?P<member>[^\"']+)[\"']\s+(?:not\s+)?in\s+{_OF_PAGE}(?!\s*[.\[])"
    # meta["key"], meta.get("key")
    rf"|{_META}(?:\.(?:get|pop|setdefault)\(\s*|\[\s*)[\"'](?P<item>[^\"']+)"
    # meta.key, in templates
    rf"|{_META}\.(?P<attribute>\w+)"
    # if page.meta, meta = page.meta, page.meta = ...
    rf"|\b(?:if|and|or|not)\s+{_OF_PAGE}(?=\s*(?:and|or|else|is|-?%|:|\)))"
    rf"|\bmeta\s*=\s*{_OF_PAGE}(?=\s*(?:or|and|if|,|\)|-?%|$))"
    rf"|{_META}\s*=(?!=)"
    # All other uses: they may read any key.
    r"|(?P<any>\.meta(?![\w'\"-])|\bin\s+meta\b|(?<![\w.'\"<-])meta\s*[\[|]"
    r"|\[[\"']meta[\"']\])",
    re.M,
)
_MENTION = re.compile(rf"{_META}|\[[\"']meta[\"']\]")
_OR_EMPTY = re.compile(r"\(([\w.]*\bmeta) or \{\}\)")
_METHODS = {"copy", "get", "items", "keys", "pop", "setdefault", "values"}
# A template passes all keys to a macro, in which they have the same name.
_ARGUMENT = re.compile(rf"{_META}(?=\s*[,)])")
_COMMENT = re.compile(r"\"\"\".*?\"\"\"|\n[^\S\n]*+#[^\n]*", re.S)

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


def keys_in_template(text: str) -> set[str] | None:
    """Return the keys that a template reads; `None` if it may read any key."""
    if _MENTION.search(text) is None:
        return set()
    blocks = "\n".join(find_jinja(text))
    return _find_keys(_ARGUMENT.sub("", blocks))


def keys_in_code(text: str) -> set[str] | None:
    """Return the keys that a Python module reads; `None` if it may read any key."""
    if "meta" not in text:
        return set()
    return _find_keys(_COMMENT.sub("", text))


def _find_keys(text: str) -> set[str] | None:
    keys = set()
    for use in _USE.finditer(_OR_EMPTY.sub(r"\1", text)):
        if use["any"] or use["attribute"] in _METHODS:
            return None
        key = use["member"] or use["item"] or use["attribute"]
        if key:
            keys.add(key)
    return keys
