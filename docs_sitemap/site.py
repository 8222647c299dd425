"""The files of a built site: which pages there are, the URL of each, and how to open one."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from typing import BinaryIO

from docs_sitemap.loc import quote_path

_SUFFIXES = (".html", ".htm", ".xhtml")
_INDEX = "index.html"


def open_regular(path: str | os.PathLike[str], buffering: int = -1) -> BinaryIO | None:
    """Open a regular file; `None` if what is there is none.

    Raises:
        OSError: it cannot be read.
        ValueError: no file can have this name.
    """
    # A named pipe would wait for somebody to write.
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        return None
    return open(descriptor, "rb", buffering=buffering)


def walk_pages(folder: str | os.PathLike[str]) -> Iterator[str]:
    """Yield the HTML files below a folder, as paths relative to it with `/` between their parts,
    in the same order everywhere.

    Symbolic links are not followed, and hidden files are none of the site. What cannot be read
    is left out.
    """
    ahead = [""]
    while ahead:
        below = ahead.pop()
        folders = []
        try:
            with os.scandir(os.path.join(folder, below)) as found:
                entries = sorted(found, key=lambda entry: entry.name)
        except OSError:
            continue
        for entry in entries:
            path = f"{below}{entry.name}"
            if entry.name.startswith("."):
                continue
            if entry.is_dir(follow_symlinks=False):
                folders.append(f"{path}/")
            elif path.lower().endswith(_SUFFIXES) and entry.is_file(follow_symlinks=False):
                yield path
        ahead += reversed(folders)


def page_url(path: str) -> str:
    """Return the URL of an HTML file relative to the site's: that of its folder for an index."""
    folder, _, name = path.rpartition("/")
    if name == _INDEX:
        return quote_path(f"{folder}/") if folder else ""
    return quote_path(path)
