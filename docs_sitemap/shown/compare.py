"""Compare versions of files by what a page shows of them. Changes to anything else do not count."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Protocol

from docs_sitemap.git.commit_reader import Change
from docs_sitemap.git.git_command import Git, GitError, InteractiveGit
from docs_sitemap.shown import Shown, ShownKind
from docs_sitemap.shown.catalogs import CatalogMessages
from docs_sitemap.shown.lines import SelectedLines
from docs_sitemap.shown.prose import DocumentText
from docs_sitemap.shown.python import ModuleApi

# Larger files are data.
_MAX_SIZE = 2**21

# Consecutive commits often change the same files.
_MAX_VERSIONS = 500


class Version(Protocol):
    """One version of a file.

    Raises:
        ValueError: The version cannot be parsed.
    """

    def __init__(self, path: bytes, content: bytes) -> None: ...

    def digest(self, parts: Sequence[str]) -> bytes:
        """Return a digest of what a page shows of the file.

        Raises:
            ValueError: The file does not contain these parts.
        """


_VERSIONS: dict[ShownKind, type[Version]] = {
    ShownKind.PYTHON: ModuleApi,
    ShownKind.LINES: SelectedLines,
    ShownKind.MESSAGES: CatalogMessages,
    ShownKind.TEXT: DocumentText,
}


class ContentComparer:
    """Compares versions of files by what a page shows of them. Close it after use.

    Args:
        git: Git in a folder of the repository.
    """

    def __init__(self, git: Git) -> None:
        self._git = git
        self._versions: dict[tuple[bytes, bytes, ShownKind], Version | None] = {}
        self._digests: dict[tuple[bytes, bytes, Shown], bytes | None] = {}
        self._cat_file: InteractiveGit | None = None
        self._is_broken = False

    def is_same(self, path: bytes, view: Shown, change: Change) -> bool:
        """Return whether a page shows the same of both versions of a file. A version that cannot be
        read or parsed differs from all others.
        """
        if change.status != b"M":
            return False
        new = self._digest(path, change.new, view)
        return new is not None and new == self._digest(path, change.old, view)

    def close(self) -> None:
        if self._cat_file is not None:
            self._cat_file.close()

    def _digest(self, path: bytes, object_name: bytes, view: Shown) -> bytes | None:
        # The digest depends on the path: the same text can be Markdown and reStructuredText.
        key = (path, object_name, view)
        if key not in self._digests:
            version = self._version(path, object_name, view.kind)
            try:
                self._digests[key] = None if version is None else version.digest(view.parts)
            except ValueError:
                self._digests[key] = None
        return self._digests[key]

    def _version(self, path: bytes, object_name: bytes, changes: ShownKind) -> Version | None:
        """Return a version; `None` if it cannot be read or parsed."""
        key = (path, object_name, changes)
        if key not in self._versions:
            if len(self._versions) >= _MAX_VERSIONS:
                del self._versions[next(iter(self._versions))]
            self._versions[key] = self._parse(path, object_name, changes)
        return self._versions[key]

    def _parse(self, path: bytes, object_name: bytes, changes: ShownKind) -> Version | None:
        content = self._content(object_name)
        if content is None:
            return None
        try:
            return _VERSIONS[changes](path, content)
        except ValueError:
            return None

    def _content(self, object_name: bytes) -> bytes | None:
        """Return the content of a file; `None` if a partial clone does not contain it."""
        if self._is_broken:
            return None
        try:
            if self._cat_file is None:
                self._cat_file = InteractiveGit(self._git, ["cat-file", "--batch"], " missing\n")
            answer = self._cat_file.ask(object_name)
        except GitError:
            self._is_broken = True
            return None
        header, _, content = answer.partition(b"\n")
        is_file = re.fullmatch(rb"[0-9a-f]+ blob [0-9]+", header) is not None
        return content[:-1] if is_file and len(content) <= _MAX_SIZE else None
