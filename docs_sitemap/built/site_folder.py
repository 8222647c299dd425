"""The folder of a built site: the files that URLs open."""

import errno
import os
from functools import cache
from glob import glob
from typing import BinaryIO
from urllib.parse import unquote_to_bytes

from docs_sitemap.sitemap.urls import INDEX_FILE, NormalizedUrl, normalize_url
from docs_sitemap.tools.files import StrPath, open_regular, real_path


class SiteFolder:
    """The folder of a built site.

    Attributes:
        path: The folder as the user wrote it.
        root: Its real path.

    Args:
        path: The folder.
        trusted_file: A file in the folder that the user named. It may be a link to
            anywhere.
    """

    def __init__(self, path: StrPath, trusted_file: str | None = None) -> None:
        self.path = os.fspath(path)
        self.root = os.path.realpath(path)
        self._trusted_file = trusted_file
        self._real_folder = cache(real_path)

    def open_url(self, path: str) -> str | None:
        """Return the file that a static web server sends: its real path relative to the
        folder, with `/` as separator. Return `None` if there is none, or a link leads
        out of the folder.

        Args:
            path: The URL relative to the base URL, percent-encoded and without a query.
        """
        for name in possible_files(path):
            candidate = os.path.join(self.root, *name.split("/"))
            if os.path.isfile(candidate):
                return self._relative(candidate)
        return None

    def file_at(self, base_url: str | None, url: NormalizedUrl) -> str | None:
        """Return the file that a URL opens if the folder is published at the base
        URL.
        """
        if not base_url:
            return None
        base = normalize_url(base_url)
        path = url.partition("?")[0]
        if not path.startswith(base):
            return None
        return self.open_url(path.removeprefix(base))

    def contains(self, file: str) -> bool:
        """Return whether a relative path stays in the folder, whether the file exists
        or not.
        """
        path = os.path.normpath(os.path.join(self.root, file))
        return self._relative(path) is not None

    def user_path(self, file: str) -> str:
        """Return the path of a file as the user would write it."""
        return os.path.join(self.path, file)

    def exists(self, file: str) -> bool:
        """Return whether there is anything at a relative path."""
        return os.path.lexists(os.path.join(self.root, file))

    def xml_files(self) -> list[str]:
        """Return the names of the XML files at the top, sorted."""
        return sorted(glob("*.xml", root_dir=self.root))

    def open_file(self, file: str) -> BinaryIO:
        """Open a file by its path relative to the folder.

        Raises:
            OSError: The file cannot be read, is not a regular file, or is outside the
                folder.
        """
        path = os.path.join(self.root, file)
        if file != self._trusted_file and self._relative(path) is None:
            raise OSError(errno.EACCES, "a link leads out of the site", path)
        return open_regular(path)

    def _relative(self, path: str) -> str | None:
        """Return the real path of a file relative to the folder; `None` if it is
        outside.
        """
        parent, name = os.path.split(path)
        real = os.path.join(self._real_folder(parent), name)
        if os.path.islink(real):
            real = real_path(real)
        prefix = os.path.join(self.root, "")
        if not real.startswith(prefix):
            return None
        return real.removeprefix(prefix).replace(os.sep, "/")


def possible_files(url: str) -> list[str]:
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
