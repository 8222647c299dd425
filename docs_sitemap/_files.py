"""Files on disk: open only regular files, replace files atomically, find HTML files."""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path
from secrets import token_hex
from typing import Annotated, BinaryIO

from msgspec import Meta

FilePath = Annotated[str, Meta(pattern=r"\A[^\0\ud800-\udc7f\udd00-\udfff]*\Z")]
"""A path that a file can have on POSIX: no NUL byte, and only surrogate escapes (PEP 383)."""

_HTML_SUFFIXES = (".html", ".htm", ".xhtml")


def open_regular(path: str | os.PathLike[str], buffering: int = -1) -> BinaryIO:
    """Open a regular file for reading in binary mode.

    Raises:
        OSError: The file cannot be read, or is not a regular file.
    """
    try:
        # Without O_NONBLOCK, opening a named pipe waits until another process writes to it.
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    except ValueError as error:  # a NUL byte in the name
        raise OSError(errno.EINVAL, str(error), os.fspath(path)) from None
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "not a regular file", os.fspath(path))
    return open(descriptor, "rb", buffering=buffering)


def has_content(path: Path, data: bytes) -> bool:
    """Return whether a file exists, is not a symbolic link, and has this content."""
    try:
        return not path.is_symlink() and path.read_bytes() == data
    except OSError:
        return False


def replace_file(path: Path, data: bytes) -> None:
    """Write a file atomically. A file that has this content already is not touched, so that
    deployments that compare modification times do not upload it again.

    Raises:
        OSError: The file cannot be written; the old one is unchanged.
    """
    if has_content(path, data):
        return
    temporary = path.with_name(f".{path.name}.{token_hex(8)}.tmp")
    try:
        with open(temporary, "xb") as file:
            file.write(data)
        os.replace(temporary, path)
    except BaseException as error:
        temporary.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise OSError(error.errno, error.strerror, str(path)) from None
        raise


def walk_html_files(folder: str | os.PathLike[str]) -> Iterator[str]:
    """Yield the HTML files below a folder: relative paths with `/` as separator, sorted by name.

    Hidden files and folders, symbolic links, and unreadable folders are skipped.
    """
    pending = [""]
    while pending:
        parent = pending.pop()
        subfolders = []
        try:
            with os.scandir(os.path.join(folder, parent)) as scan:
                entries = sorted(scan, key=lambda entry: entry.name)
        except OSError:
            continue
        for entry in entries:
            path = f"{parent}{entry.name}"
            if entry.name.startswith("."):
                continue
            if entry.is_dir(follow_symlinks=False):
                subfolders.append(f"{path}/")
            elif path.lower().endswith(_HTML_SUFFIXES) and entry.is_file(follow_symlinks=False):
                yield path
        pending += reversed(subfolders)


def part_name(filename: str, number: int) -> str:
    """Return the name of one part of a split sitemap: `sitemap-1.xml` and so on."""
    return f"{filename.removesuffix('.xml')}-{number}.xml"


def is_part_name(filename: str, name: str) -> bool:
    """Return whether a part of a split sitemap could have this name."""
    stem = re.escape(filename.removesuffix(".xml"))
    return re.fullmatch(rf"{stem}-[1-9][0-9]*\.xml", name) is not None


def is_path(text: str) -> bool:
    """Return whether a text can be a path: the file system can encode it, and it has no NUL."""
    try:
        return b"\0" not in os.fsencode(text)
    except UnicodeEncodeError:
        return False
