"""The folder of a built or deployed site: its files, those that URLs open, its
redirects, and the generator that wrote it.
"""

import errno
import os
import re
from collections.abc import Iterator
from contextlib import suppress
from enum import Enum, auto
from typing import BinaryIO, NamedTuple
from urllib.parse import unquote, unquote_to_bytes

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
        prefix = os.path.join(self.root, "")
        if not real.startswith(prefix):
            return None
        return real.removeprefix(prefix).replace(os.sep, "/")

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
        path = "/".join(map(_file_name, url.split("/")))
    except ValueError:
        return []
    if not path:
        return [INDEX_FILE]
    index = f"{path.removesuffix('/')}/{INDEX_FILE}"
    if path.endswith("/"):
        return [index]
    return [path, f"{path}.html", index]


def _file_name(segment: str) -> str:
    """Return the file name that a segment of a URL represents.

    Raises:
        ValueError: The segment is not a file name, or would lead to another folder.
    """
    name = os.fsdecode(unquote_to_bytes(segment))
    separators = {"/", "\0", os.sep, os.altsep or "/"}
    if name in (".", "..") or not separators.isdisjoint(name):
        raise ValueError(name)
    if os.name == "nt" and ":" in name:  # a drive, or an alternate data stream
        raise ValueError(name)
    return name


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


def find_generator(folder: SiteFolder) -> Generator:
    """Return the generator that built the site in a folder."""
    for file, generator in _FILES.items():
        if folder.exists(file):
            return generator
    if any(walk_html_files(folder.root)):
        return Generator.OTHER
    return Generator.UNKNOWN


# In bytes.
_MAX_REDIRECTS = 2**20

# With these statuses, a line does not redirect.
_REWRITES = {"200", "404", "410"}


class _Line(NamedTuple):
    """A line of the file.

    Attributes:
        pattern: What the URLs match, decoded, and without a slash at their ends.
        target: Where the line redirects them; `None` if it does not.
        is_forced: Whether it applies to URLs that open a file.
    """

    pattern: re.Pattern[str]
    target: str | None
    is_forced: bool


class Redirects:
    """The redirects of a site.

    Source: <https://docs.netlify.com/manage/routing/redirects/overview/> and
    <https://developers.cloudflare.com/pages/configuration/redirects/>.

    Args:
        folder: The folder of the site.
    """

    def __init__(self, folder: SiteFolder) -> None:
        self._lines = list(_read_lines(folder))
        self._forced = [line for line in self._lines if line.is_forced]

    def target_of(self, url: str, *, opens_file: bool) -> str | None:
        """Return where all readers of a URL are redirected, as written in the file;
        `None` if they are not.

        Args:
            url: The absolute URL.
            opens_file: Whether the URL opens a file of the site. Netlify ignores a line
                without `!` then.
        """
        page = _plain_url(url)
        for line in self._forced if opens_file else self._lines:
            if line.pattern.fullmatch(page) is not None:
                return line.target
        return None


def _read_lines(folder: SiteFolder) -> Iterator[_Line]:
    """Yield the lines of the file that apply to all readers."""
    data = folder.read("_redirects", _MAX_REDIRECTS)
    for text in data.decode("utf-8-sig", "replace").splitlines():
        words = text.partition("#")[0].split()
        # For example, `Country=de` or `id=:id` is a condition.
        if len(words) < 2 or any("=" in word for word in words[2:]):
            continue
        source, target, *options = words
        # Cloudflare ignores the line, and matching could take forever.
        if source.count("*") > 1:
            continue
        statuses = {option.rstrip("!") for option in options}
        pattern = re.escape(_plain_url(source))
        pattern = pattern.replace(r"/\*", "(?:/.*)?").replace(r"\*", ".*")
        pattern = re.sub(r"/:\w+", "/[^/]+", pattern)
        if source.startswith("/"):
            pattern = f"https?://[^/]*{pattern}"
        is_forced = any(option.endswith("!") for option in options)
        is_redirect = statuses.isdisjoint(_REWRITES)
        # A redirect that only adds a slash, or another one for the slash.
        if _plain_url(source) == _plain_url(target):
            is_redirect = False
        yield _Line(re.compile(pattern), target if is_redirect else None, is_forced)


def _plain_url(url: str) -> str:
    """Return the decoded URL without its query, and without a slash at its end."""
    return unquote(url.partition("?")[0]).rstrip("/")
