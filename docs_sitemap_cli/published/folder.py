"""The folder of a built or deployed site: its files, those that URLs open, and the
generator that wrote it.
"""

import errno
import os
from contextlib import suppress
from enum import Enum, auto
from typing import BinaryIO, NamedTuple
from urllib.parse import unquote_to_bytes

from docs_sitemap.built.html import MAX_HEAD, parse_head
from docs_sitemap.built.verdict import Head
from docs_sitemap.sitemap.reader import unreadable
from docs_sitemap.sitemap.urls import INDEX_FILE, NormalizedUrl
from docs_sitemap.tools.files import (
    RealPaths,
    StrPath,
    open_regular,
    walk_html_files,
)


class Item(NamedTuple):
    """A file or folder in a folder.

    Attributes:
        path: Its path below the folder of the site, with `/` as separator.
        is_folder: Whether it is a folder, or a symbolic link to one.
        target: The path that a symbolic link leads to; `None` for other items.
    """

    path: str
    is_folder: bool
    target: str | None = None


class SiteFolder:
    """The folder of a site. The paths of files are relative to it, with `/` as
    separator; the empty path is the folder itself. No symbolic link leads out of it.

    Attributes:
        path: The folder as the user wrote it.
        root: Its real path.

    Args:
        path: The folder.
        name: How the user calls it; by default, this is its path.
    """

    def __init__(self, path: StrPath, name: str | None = None) -> None:
        self.path = os.fspath(path) if name is None else name
        self.root = os.path.realpath(path)
        self._prefix = os.path.join(self.root, "")
        self._real_paths = RealPaths()

    def file_of_url(self, url: str) -> str | None:
        """Return the real path of the file that a static web server sends; `None` if
        there is none, or a link leads out of the folder.

        Args:
            url: The URL relative to the base URL, percent-encoded.
        """
        for file in _possible_files(url.partition("?")[0]):
            if self.is_file(file):
                return self.real_path(file)
        return None

    def file_at(self, base: NormalizedUrl, url: NormalizedUrl) -> str | None:
        """Return the file that a URL opens if the folder is published at a base URL."""
        if not url.startswith(base):
            return None
        return self.file_of_url(url.removeprefix(base))

    def user_path(self, file: str) -> str:
        """Return the path of a file as the user would write it."""
        return os.path.join(self.path, file)

    def exists(self, file: str) -> bool:
        """Return whether there is anything with this path."""
        return os.path.lexists(os.path.join(self.root, file))

    def uncompressed(self, file: str) -> str:
        """Return the original of a compressed copy; the file itself if it is none."""
        original = file.removesuffix(".gz")
        return original if self.exists(original) else file

    def is_file(self, file: str) -> bool:
        """Return whether there is a file, or a link to one."""
        return os.path.isfile(os.path.join(self.root, file))

    def real_path(self, file: str) -> str | None:
        """Return the path without symbolic links; `None` if one leads out of the
        folder.
        """
        real = self._real_paths.resolve(os.path.join(self.root, file))
        if not real.startswith(self._prefix):
            return None
        return real.removeprefix(self._prefix).replace(os.sep, "/")

    def open_file(self, file: str) -> BinaryIO:
        """Open a file.

        Raises:
            OSError: The file cannot be read, is not a regular file, or is outside the
                folder.
        """
        path = os.path.join(self.root, file)
        if self.real_path(file) is None:
            raise OSError(errno.EACCES, "a link leads out of the site", path)
        return open_regular(path)

    def read(self, file: str, limit: int) -> bytes:
        """Return the start of a file; empty if it cannot be read."""
        with suppress(OSError), self.open_file(file) as opened:
            return opened.read(limit)
        return b""

    def open_checked(self, file: str) -> BinaryIO:
        """Open a file that is checked.

        Raises:
            UnusableFileError: The file cannot be read, is not a regular file, or is
                outside the folder.
        """
        try:
            return self.open_file(file)
        except OSError as error:
            raise unreadable(error) from None

    def head(self, file: str) -> Head:
        """Return the head of a page. It is empty if the page cannot be read."""
        return parse_head(self.read(file, MAX_HEAD))

    def items(self, folder: str) -> list[Item]:
        """Return what a folder contains, sorted by name, without hidden items, and
        without links that lead out of the site.
        """
        items = []
        names: list[str] = []
        with suppress(OSError):  # It is no folder.
            names = os.listdir(os.path.join(self.root, folder))
        for name in names:
            path = join(folder, name)
            real = self.real_path(path)
            if real is None or name.startswith("."):
                continue
            target = None if real == path else real
            is_folder = os.path.isdir(os.path.join(self.root, real))
            items.append(Item(path, is_folder, target))
        return sorted(items)


def join(folder: str, name: str) -> str:
    """Join a relative path of a folder, which may be empty, with a name."""
    return f"{folder}/{name}" if folder else name


def _possible_files(url: str) -> list[str]:
    """Return the files that a static web server may send, the first that exists; none
    if a segment of the URL cannot be a file name.

    Args:
        url: The URL relative to the URL of the site, percent-encoded and without a
            query.
    """
    try:
        path = os.fsdecode(unquote_to_bytes(url))
    except ValueError:
        return []
    segments = path.split("/")
    has_encoded_slash = len(segments) > url.count("/") + 1
    if has_encoded_slash or "\0" in path or "." in segments or ".." in segments:
        return []
    # On Windows, these separate folders, drives, and alternate data streams.
    if os.name == "nt" and ("\\" in path or ":" in path):
        return []
    if not path:
        return [INDEX_FILE]
    index = f"{path.removesuffix('/')}/{INDEX_FILE}"
    if path.endswith("/"):
        return [index]
    return [path, f"{path}.html", index]


class Generator(Enum):
    """The generator of a site. `UNKNOWN` stands for a folder without pages, such as one
    with a copy of a sitemap.
    """

    MKDOCS = auto()
    SPHINX = auto()
    OTHER = auto()
    UNKNOWN = auto()


# What only these generators write, with every theme.
_FILES = {
    "search/search_index.json": Generator.MKDOCS,
    "_static/documentation_options.js": Generator.SPHINX,
}


ADDRESS_OPTIONS = {Generator.MKDOCS: "site_url", Generator.SPHINX: "html_baseurl"}
"""The options of generators that set the address of a site."""


def find_generator(folder: SiteFolder) -> Generator:
    """Return the generator that built the site in a folder."""
    for file, generator in _FILES.items():
        if folder.exists(file):
            return generator
    if any(walk_html_files(folder.root)):
        return Generator.OTHER
    return Generator.UNKNOWN
