"""Files into the output: atomic, deterministic, without leftovers of an earlier run."""

from __future__ import annotations

import gzip
import io
import os
import re
from collections.abc import Mapping
from html import unescape
from pathlib import Path
from secrets import token_hex
from urllib.parse import unquote


def write_files(out_dir: Path, filename: str, files: Mapping[str, bytes], gzip_twins: bool) -> None:
    """Replace the sitemap of an earlier run: its parts first, the sitemap itself last, and only
    then are the parts that it no longer names removed.

    Args:
        out_dir: the folder of the built site; made if it does not exist.
        filename: the name of the sitemap.
        files: the content of all files by name; `filename` is one of them.
        gzip_twins: whether each file gets a compressed twin.

    Raises:
        OSError: a file cannot be written; each file is the old one or the new one, whole.
    """
    out_dir.mkdir(parents=True, exist_ok=True)
    stale = _parts(out_dir, filename) - files.keys()
    for name in sorted(files, key=lambda name: (name == filename, name)):
        twin = out_dir / f"{name}.gz"
        data = _compress(files[name]) if gzip_twins else None
        # Whatever fails, there is never a twin that says something else.
        if not _holds(twin, data):
            twin.unlink(missing_ok=True)
        replace_file(out_dir / name, files[name])
        if data is not None:
            replace_file(twin, data)
    _remove(out_dir, stale)


def remove_files(out_dir: Path, filename: str) -> None:
    """Remove the sitemap of an earlier run, for there is none now.

    Raises:
        OSError: a file cannot be removed.
    """
    _remove(out_dir, _parts(out_dir, filename) | {filename})


def part_name(filename: str, number: int) -> str:
    """The name of one part of a sitemap that is split: `sitemap-1.xml` and so on."""
    return f"{filename.removesuffix('.xml')}-{number}.xml"


def is_part_name(filename: str, name: str) -> bool:
    """Whether a name is one that a part of a sitemap would have."""
    stem = re.escape(filename.removesuffix(".xml"))
    return re.fullmatch(rf"{stem}-[1-9][0-9]*\.xml", name) is not None


def _parts(out_dir: Path, filename: str) -> set[str]:
    """The parts that the existing sitemap index names, if it is one. Files with such names that
    no index of ours names belong to somebody else.
    """
    try:
        with open(out_dir / filename, encoding="utf-8", errors="replace") as file:
            text = file.read()
    except OSError:
        return set()
    if "<sitemapindex" not in text[:2_000]:
        return set()
    locs = map(unescape, re.findall(r"<loc>\s*([^<]*?)\s*</loc>", text))
    names = {unquote(loc.rpartition("/")[2]) for loc in locs}
    return {name for name in names if is_part_name(filename, name)}


def _remove(out_dir: Path, names: set[str]) -> None:
    for name in names:
        (out_dir / name).unlink(missing_ok=True)
        (out_dir / f"{name}.gz").unlink(missing_ok=True)


def replace_file(path: Path, data: bytes) -> None:
    """Write a file whole or not at all, and not if it holds the same already.

    Raises:
        OSError: it cannot be written; the old one is left as it was.
    """
    if _holds(path, data):
        return  # deployments that compare times need not send it again
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


def _holds(path: Path, data: bytes | None) -> bool:
    try:
        return not path.is_symlink() and path.read_bytes() == data
    except OSError:
        return False


def _compress(data: bytes) -> bytes:
    buffer = io.BytesIO()
    # Without a name and a time, the same sitemap gives the same bytes.
    with gzip.GzipFile(filename="", mode="wb", fileobj=buffer, mtime=0) as file:
        file.write(data)
    return buffer.getvalue()
