"""Write the files of a sitemap, and remove the files of an earlier one."""

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from urllib.parse import unquote

from docs_sitemap.tools.files import compress, lock_folder, open_regular, replace_files

from .format_rules import UnusableFileError
from .protocol import is_part_name
from .reader import SitemapReader, read_chunks


def write_files(files: Mapping[str, bytes], folder: Path, *, gzip: bool) -> None:
    """Replace the sitemap of an earlier build: the parts first, and the sitemap itself
    last. Parts that the new sitemap does not name are then removed.

    Args:
        files: The content of all files by name, the sitemap itself first.
        folder: The folder of the built site. It is created if it does not exist.
        gzip: Whether each file has a compressed copy.

    Raises:
        OSError: A file cannot be written. Each file is then the old or the new one.
    """
    sitemap, *parts = files
    contents: dict[Path, bytes | None] = {}
    for name in (*parts, sitemap):
        contents[folder / name] = files[name]
        contents[folder / f"{name}.gz"] = compress(files[name]) if gzip else None
    folder.mkdir(parents=True, exist_ok=True)
    with lock_folder(folder):
        stale = _parts_in_index(folder, sitemap) - contents.keys()
        replace_files(contents)
        replace_files(dict.fromkeys(stale))


def remove_files(filename: str, folder: Path) -> None:
    """Remove the sitemap of an earlier build, its parts, and their compressed copies.

    Args:
        filename: The name of the sitemap.
        folder: The folder of the built site.

    Raises:
        OSError: The sitemap or its compressed copy cannot be removed.
    """
    sitemap = folder / filename
    copy = folder / f"{filename}.gz"
    if not folder.is_dir():
        return
    try:
        with lock_folder(folder):
            stale = _parts_in_index(folder, filename)
            replace_files(dict.fromkeys((copy, sitemap, *stale)))
    except OSError:
        if os.path.lexists(sitemap) or os.path.lexists(copy):
            raise


def _parts_in_index(folder: Path, filename: str) -> set[Path]:
    """Return the parts of a sitemap and their compressed copies. Files with similar
    names that the index does not list belong to the user.
    """
    parts: set[Path] = set()
    reader = SitemapReader()
    with suppress(OSError, UnusableFileError), open_regular(folder / filename) as file:
        for entry in reader.entries(read_chunks(file, filename)):
            if not reader.is_index:
                break
            name = unquote((entry.text("loc") or "").rpartition("/")[2])
            if is_part_name(filename, name):
                parts |= {folder / name, folder / f"{name}.gz"}
    return parts
