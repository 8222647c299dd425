"""Write the files of a sitemap, and remove the files of an earlier one."""

from __future__ import annotations

import os
from collections.abc import Mapping, Set
from contextlib import suppress
from pathlib import Path
from urllib.parse import unquote

from docs_sitemap.files import (
    compress,
    lock_folder,
    open_regular,
    read_regular,
    replace_files,
)
from docs_sitemap.sitemap.protocol import is_part_name

# The names of 50,000 parts, each with up to 100 characters.
_MAX_JOURNAL = 2**25


def write_files(
    files: Mapping[str, bytes], folder: Path, *, gzip: bool, timeout: float = 30.0
) -> None:
    """Replace the sitemap of an earlier build: the parts first, and the sitemap itself last. Parts
    that the new sitemap does not name are then removed.

    Args:
        files: The content of all files by name, the sitemap itself first.
        folder: The folder of the built site. It is created if it does not exist.
        gzip: Whether each file has a compressed copy.
        timeout: Seconds to wait for another build that writes into the folder.

    Raises:
        OSError: A file cannot be written. Each file is then the old or the new one.
    """
    sitemap, *parts = files
    contents: dict[Path, bytes | None] = {}
    for name in (*parts, sitemap):
        contents[folder / name] = files[name]
        contents[folder / f"{name}.gz"] = compress(files[name]) if gzip else None
    folder.mkdir(parents=True, exist_ok=True)
    with lock_folder(folder, timeout=timeout):
        replace_sitemap(folder, sitemap, contents, {*parts}, _parts_in_index(folder, sitemap))


def remove_files(filename: str, folder: Path, *, timeout: float = 30.0) -> None:
    """Remove the sitemap of an earlier build, its parts, and their compressed copies.

    Args:
        filename: The name of the sitemap.
        folder: The folder of the built site.
        timeout: Seconds to wait for another build that writes into the folder.

    Raises:
        OSError: The sitemap or its compressed copy cannot be removed.
    """
    sitemap, copy = folder / filename, folder / f"{filename}.gz"
    if not folder.is_dir():
        return
    try:
        with lock_folder(folder, timeout=timeout):
            old_parts = _parts_in_index(folder, filename)
            replace_sitemap(folder, filename, {copy: None, sitemap: None}, old_parts=old_parts)
    except OSError:
        if os.path.lexists(sitemap) or os.path.lexists(copy):
            raise


def replace_sitemap(
    folder: Path,
    filename: str,
    contents: Mapping[Path, bytes | Path | None],
    parts: Set[str] = frozenset(),
    old_parts: Set[str] = frozenset(),
) -> None:
    """Replace or remove the files of a sitemap, and remove the parts that it does not have any
    more. The folder must be locked.

    If this process is killed, the next build finds the names of all parts in a journal. Files
    with similar names that no index and no journal names belong to the user.

    Args:
        folder: The folder of the sitemap.
        filename: The name of the sitemap.
        contents: The files, as in `replace_files`.
        parts: The names of the parts of the new sitemap.
        old_parts: The names of the parts of the earlier sitemap.

    Raises:
        OSError: A file cannot be written or removed.
    """
    journal = folder / f".{filename}.parts"
    stale = (old_parts | _parts_in_journal(journal, filename)) - parts
    if stale or parts:
        replace_files({journal: "\n".join(sorted(stale | parts)).encode()})
    replace_files(contents)
    for name in stale:
        (folder / f"{name}.gz").unlink(missing_ok=True)
        (folder / name).unlink(missing_ok=True)
    journal.unlink(missing_ok=True)


def _parts_in_index(folder: Path, filename: str) -> set[str]:
    if not (folder / filename).is_file():
        return set()
    # Most builds write into an empty folder, and need no reader.
    from docs_sitemap.sitemap.reader import SitemapReader, read_chunks
    from docs_sitemap.sitemap.rules import UnusableFileError

    names = set()
    reader = SitemapReader()
    with suppress(OSError, UnusableFileError), open_regular(folder / filename) as file:
        for entry in reader.entries(read_chunks(file, filename)):
            if not reader.is_index:
                break
            names.add(unquote((entry.text("loc") or "").rpartition("/")[2]))
    return {name for name in names if is_part_name(filename, name)}


def _parts_in_journal(journal: Path, filename: str) -> set[str]:
    names: list[str] = []
    with suppress(OSError):
        names = read_regular(journal, _MAX_JOURNAL).decode("utf-8", "replace").split("\n")
    return {name for name in names if is_part_name(filename, name)}
