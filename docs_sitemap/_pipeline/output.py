"""Seventh step: write the files into the site, and remove the files of an earlier build."""

from __future__ import annotations

import gzip
import io
import re
from collections.abc import Mapping
from html import unescape
from pathlib import Path
from urllib.parse import unquote

from docs_sitemap._files import has_content, is_part_name, replace_file
from docs_sitemap._options import Options
from docs_sitemap._result import Problem, ProblemKind


def write_files(
    files: Mapping[str, bytes], options: Options, out_dir: str, problems: list[Problem]
) -> tuple[Path, ...]:
    """Replace the sitemap of an earlier build: the parts first, and the sitemap itself last. Parts
    that the new sitemap does not name are then removed.

    Args:
        files: The content of all files by name, the sitemap itself first.
        options: The options of the sitemap.
        out_dir: The folder of the built site. It is created if it does not exist.
        problems: Receives a warning if a file cannot be written. Each file is then the old or the
            new one.

    Returns:
        The paths of the files. Empty if any of them cannot be written.
    """
    folder = Path(out_dir)
    if not files:
        return ()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        stale = _named_parts(folder, options.filename) - files.keys()
        sitemap, *parts = files
        for name in (*parts, sitemap):
            _write(folder / name, files[name], compress=options.gzip)
        _remove(folder, stale)
    except OSError as error:
        problems.append(_not_writable(error))
        return ()
    return tuple(folder / name for name in files)


def remove_files(filename: str, out_dir: str, problems: list[Problem]) -> None:
    """Remove the sitemap of an earlier build, its parts, and their compressed copies.

    Args:
        filename: The name of the sitemap.
        out_dir: The folder of the built site.
        problems: Receives a warning if a file cannot be removed.
    """
    folder = Path(out_dir)
    try:
        _remove(folder, _named_parts(folder, filename) | {filename})
    except OSError as error:
        problems.append(_not_writable(error))


def _write(path: Path, data: bytes, *, compress: bool) -> None:
    copy = path.with_name(f"{path.name}.gz")
    compressed = _compress(data) if compress else None
    # Remove an outdated copy first, so that a copy never differs from its file.
    if compressed is None or not has_content(copy, compressed):
        copy.unlink(missing_ok=True)
    replace_file(path, data)
    if compressed is not None:
        replace_file(copy, compressed)


def _named_parts(folder: Path, filename: str) -> set[str]:
    """Return the parts that the existing sitemap index names. Other files with similar names belong
    to the user.
    """
    try:
        text = (folder / filename).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return set()
    if "<sitemapindex" not in text[:2_000]:
        return set()
    locs = map(unescape, re.findall(r"<loc>\s*([^<]*?)\s*</loc>", text))
    names = {unquote(loc.rpartition("/")[2]) for loc in locs}
    return {name for name in names if is_part_name(filename, name)}


def _remove(folder: Path, names: set[str]) -> None:
    for name in names:
        (folder / name).unlink(missing_ok=True)
        (folder / f"{name}.gz").unlink(missing_ok=True)


def _compress(data: bytes) -> bytes:
    buffer = io.BytesIO()
    # Without a name and a time, equal sitemaps give equal bytes.
    with gzip.GzipFile(filename="", mode="wb", fileobj=buffer, mtime=0) as file:
        file.write(data)
    return buffer.getvalue()


def _not_writable(error: OSError) -> Problem:
    return Problem(
        ProblemKind.WRITE,
        f"the sitemap cannot replace {error.filename} ({error.strerror}). Fix: remove that file or "
        "folder, correct its permissions, or set the option filename.",
    )
