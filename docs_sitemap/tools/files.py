"""Files on disk: open only regular files, replace files atomically, find HTML files."""

import errno
import gzip
import io
import os
import re
import stat
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache, lru_cache
from pathlib import Path, PurePath
from typing import Any, BinaryIO
from unicodedata import normalize

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

# The names of all temporary files start like this.
_PREFIX = ".docs-sitemap-"
_LOCK = f"{_PREFIX}lock"
# In seconds: how long to wait for a lock, and how long between two attempts.
LOCK_TIMEOUT = 30.0
_LOCK_PAUSE = 0.05
_TEMPORARY = re.compile(rf"{re.escape(_PREFIX)}[0-9a-f]{{16}}\.tmp")

MAX_TEXT = 2**25
"""The largest file that is read although no format limits its size, in bytes."""

HTML_SUFFIXES = (".html", ".htm", ".xhtml")

# Without O_NONBLOCK, opening a named pipe waits until another process writes.
_READ = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)

# The file of a lock may be a link in a repository.
_OPEN_LOCK = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)

StrPath = str | os.PathLike[str]
"""The path of a file or folder."""


class _ReadyFile(io.FileIO):
    """A file that never waits. Some regular files below `/proc` have no end, and answer
    with `None` until there is more.
    """

    def readinto(self, buffer: Any, /) -> int:
        size: int | None = super().readinto(buffer)
        if size is None:
            raise OSError(errno.EAGAIN, "it has no end", self.name)
        return size


def open_regular(path: StrPath) -> BinaryIO:
    """Open a regular file for reading in binary mode.

    Raises:
        OSError: The file cannot be read, or is not a regular file.
    """
    file = _ReadyFile(_open_descriptor(path))
    file.name = os.fspath(path)
    return io.BufferedReader(file)


def _open_descriptor(path: StrPath) -> int:
    """Return a descriptor of a regular file, for reading.

    Raises:
        OSError: The file cannot be read, or is not a regular file.
    """
    try:
        descriptor = os.open(path, _READ)
    except ValueError as error:  # a NUL byte in the name
        raise OSError(errno.EINVAL, str(error), os.fspath(path)) from None
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "not a regular file", os.fspath(path))
    return descriptor


def read_start(path: StrPath, max_bytes: int) -> bytes:
    """Return the content of a regular file, or the start of a larger one.

    Raises:
        OSError: The file cannot be read, or is not a regular file.
    """
    descriptor = _open_descriptor(path)
    try:
        # Python allocates as many bytes as may be read, which takes time.
        size = os.fstat(descriptor).st_size
        return os.read(descriptor, min(size, max_bytes))
    finally:
        os.close(descriptor)


def read_regular(path: StrPath, max_bytes: int) -> bytes:
    """Return the content of a regular file.

    Raises:
        OSError: The file cannot be read, is not a regular file, or has more bytes.
    """
    with open_regular(path) as file:
        # As above. Files below `/proc` have more bytes than their size.
        size = os.fstat(file.fileno()).st_size
        data = file.read(min(size, max_bytes) + 1)
        if len(data) > size:
            data += file.read(max_bytes + 1 - len(data))
    if len(data) > max_bytes:
        message = f"it has more than {max_bytes:,} bytes"
        raise OSError(errno.EFBIG, message, os.fspath(path))
    return data


def read_text_file(path: StrPath, errors: str = "replace") -> str:
    """Return the text of a file that people write, without a byte order mark.

    Args:
        path: The file.
        errors: What to do with invalid bytes, for `bytes.decode`.

    Raises:
        OSError: The file cannot be read, is not a regular file, or is too large.
        UnicodeDecodeError: It is not UTF-8, and `errors` is `strict`.
    """
    text = read_regular(path, MAX_TEXT).decode("utf-8-sig", errors)
    return text.replace("\r\n", "\n").replace("\r", "\n")


@contextmanager
def lock_folder(folder: Path) -> Iterator[None]:
    """Keep other builds from writing into a folder, and remove the temporary files of
    builds that were killed. `replace_files` needs this lock.

    Args:
        folder: The folder. It must exist.

    Raises:
        TimeoutError: Another build still has the lock.
        OSError: The folder cannot be written.
    """
    path = folder / _LOCK
    deadline = time.monotonic() + LOCK_TIMEOUT
    descriptor = _try_lock(path)
    while descriptor is None:
        if time.monotonic() > deadline:
            message = "another build is writing into this folder"
            raise TimeoutError(errno.ETIMEDOUT, message, str(folder))
        time.sleep(_LOCK_PAUSE)
        descriptor = _try_lock(path)
    try:
        for name in os.listdir(folder):
            if _TEMPORARY.fullmatch(name):
                (folder / name).unlink(missing_ok=True)
        yield
    finally:
        # Others must not lock a file that is removed, and Windows removes no open file.
        if os.name == "nt":
            os.close(descriptor)
        with suppress(OSError):
            path.unlink()
        if os.name != "nt":
            os.close(descriptor)


def _try_lock(path: Path) -> int | None:
    """Return the descriptor of a file, which is locked until it is closed; `None` if
    another process has the lock.

    Raises:
        OSError: The file cannot be created or locked.
    """
    descriptor = os.open(path, _OPEN_LOCK, 0o600)
    is_locked = False
    try:
        if sys.platform == "win32":
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        # The process with the lock may have removed the file.
        is_locked = os.fstat(descriptor).st_nlink > 0
    except (BlockingIOError, PermissionError):
        is_locked = False  # Another process has the lock.
    except OSError as error:
        # Some file systems have no locks: most builds are alone there.
        is_locked = error.errno == errno.ENOSYS
        if not is_locked:
            raise
    finally:
        if not is_locked:
            os.close(descriptor)
    return descriptor if is_locked else None


def replace_files(
    contents: Mapping[Path, bytes | None], temporary_folder: Path | None = None
) -> None:
    """Write files so that each is the old or the new one at any time. No file is
    replaced before all of them could be written.

    A file that has its content already is not touched, so that deployments that compare
    modification times do not upload it again. The permissions of an existing file are
    kept.

    Args:
        contents: The new content of each file, in the order in which they are replaced;
            `None` to remove a file.
        temporary_folder: The folder for temporary files, which is locked; `None` for
            the folder of each file.

    Raises:
        OSError: A file cannot be written.
    """
    temporaries: dict[Path, Path] = {}
    try:
        for path, data in contents.items():
            if data is not None and not has_content(path, data):
                name = f"{_PREFIX}{os.urandom(8).hex()}.tmp"
                temporaries[path] = (temporary_folder or path.parent) / name
                _write_new(temporaries[path], data, like=path)
        for path, data in contents.items():
            if data is None:
                path.unlink(missing_ok=True)
        for path, temporary in temporaries.items():
            os.replace(temporary, path)
    except BaseException as error:
        for temporary in temporaries.values():
            temporary.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise OSError(error.errno, error.strerror, str(path)) from None
        raise


def has_content(path: Path, data: bytes) -> bool:
    """Return whether a file exists, is not a symbolic link, and has this content."""
    try:
        return not path.is_symlink() and read_regular(path, len(data)) == data
    except OSError:
        return False


def _write_new(path: Path, data: bytes, *, like: Path) -> None:
    """Write a new file with the permissions of another file, if there is one."""
    try:
        mode = like.lstat().st_mode
    except FileNotFoundError:
        mode = 0
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    with open(path, "xb") as file:
        if stat.S_ISREG(mode):
            path.chmod(stat.S_IMODE(mode) & 0o777)
        file.write(data)


def create_file(path: StrPath, data: bytes) -> None:
    """Write a file that does not exist yet.

    Raises:
        OSError: The file exists, or cannot be written.
    """
    with open(path, "xb") as file:
        file.write(data)


def walk_html_files(folder: StrPath) -> Iterator[str]:
    """Yield the HTML files below a folder, without symbolic links, in the order of
    `walk_files`.
    """
    for path in walk_files(folder):
        is_html = path.lower().endswith(HTML_SUFFIXES)
        if is_html and not os.path.islink(os.path.join(folder, path)):
            yield path


def list_names(folder: StrPath) -> frozenset[str]:
    """Return the names in a folder; none if it is not a folder, or cannot be read."""
    with suppress(OSError, ValueError):
        return frozenset(os.listdir(folder))
    return frozenset()


def walk_files(folder: StrPath) -> Iterator[str]:
    """Yield the files below a folder: relative paths with `/` as separator, sorted by
    name, and the files of each folder before its subfolders.

    Hidden files and folders, symbolic links to folders, and unreadable folders are
    skipped.
    """
    start = len(os.path.join(folder, ""))
    for parent, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            path = os.path.join(parent, name)
            if not name.startswith(".") and os.path.isfile(path):
                yield path[start:].replace(os.sep, "/")


def compress(data: bytes) -> bytes:
    """Return the content of a compressed copy. Equal files have equal copies."""
    return gzip.compress(data, mtime=0)


def describe_write_error(error: OSError) -> str:
    """Return why files cannot be written, and how to fix it."""
    place = error.filename or "the output"
    return f"{place} ({error.strerror}). Fix: correct the cause and try again."


def is_path(text: str) -> bool:
    """Return whether a text can be a path: the file system can encode it, and it has no
    NUL.
    """
    try:
        return b"\0" not in os.fsencode(text)
    except UnicodeEncodeError:
        return False


# It takes long, and many pages have the same sources in other folders.
_relative_path = lru_cache(maxsize=10_000)(os.path.relpath)


def relative_path(path: str, folder: str) -> str:
    """Return a path relative to an absolute folder, with `/` as separator; absolute on
    another drive.
    """
    below = path.removeprefix(folder + os.sep)
    if below == path:
        with suppress(ValueError):
            below = _relative_path(os.path.abspath(path), folder)
    return below.replace(os.sep, "/")


def compose_letters(path: str) -> str:
    """Compose letters, because file systems, generators, and keyboards write them
    differently.
    """
    if path.isascii():
        return path
    return normalize("NFC", path)


class RealPaths:
    """Finds the real paths of many files. The result for each folder is kept to save
    system calls.
    """

    def __init__(self) -> None:
        self._real_folder = cache(real_path)

    def resolve(self, path: str) -> str:
        """Return the path of a file without symbolic links."""
        folder, name = os.path.split(path)
        path = os.path.join(self._real_folder(folder), name)
        if os.path.islink(path) or name in (os.curdir, os.pardir):
            return real_path(path)
        return path


def real_path(path: str) -> str:
    """Return a path without symbolic links. A path that cannot exist, or a longer chain
    of links than any system follows, is returned as it is.
    """
    try:
        return os.path.realpath(path)
    except (RecursionError, ValueError):
        return path


def find_top(folder: str) -> str | None:
    """Return the top level of the work tree of git that contains a folder without
    links; `None` if there is none.
    """
    git = os.path.join(folder, ".git")
    # Submodules and linked work trees have a file with this name. Like git, ignore a
    # folder with this name that is not a repository.
    while not os.path.isfile(git) and not os.path.lexists(os.path.join(git, "HEAD")):
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent
        git = os.path.join(folder, ".git")
    return folder


def check_parents(path: str, project: str) -> None:
    """Check that no folder of a path is a symbolic link out of the project, or out of
    its repository, which anyone could commit. The path itself may be outside.

    Raises:
        OSError: One is.
    """
    parent = os.path.dirname(os.path.abspath(path))
    project = os.path.abspath(project)
    top = find_top(project) or project
    if not PurePath(parent).is_relative_to(top):
        return
    if PurePath(real_path(parent)).is_relative_to(real_path(top)):
        return
    message = (
        "its folder is a symbolic link to a place outside the project; if you want "
        "this place, set it without the link"
    )
    raise OSError(errno.ELOOP, message, path)
