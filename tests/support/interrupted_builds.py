"""Builds that are killed, and builds at the same time. Run this file to start one of
them.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

from docs_sitemap.sitemap.protocol import SITEMAP_NAMESPACE, is_part_name
from docs_sitemap.sitemap.writer import remove_files, write_files
from docs_sitemap.tools.files import describe_write_error

BASE = "https://example.org/"

# What a build does with files, as named by the audit events of Python:
# https://docs.python.org/3/library/audit_events.html
OPERATIONS = {"open", "os.chmod", "os.listdir", "os.remove", "os.rename"}


def make_files(text: str, parts: int = 0) -> dict[str, bytes]:
    """Return the files of a sitemap with this text in each of them."""
    if not parts:
        content = f'<urlset xmlns="{SITEMAP_NAMESPACE}"><url><loc>{BASE}{text}</loc></url></urlset>'
        return {"sitemap.xml": content.encode()}
    names = [f"sitemap-{number}.xml" for number in range(1, parts + 1)]
    entries = "".join(f"<sitemap><loc>{BASE}{name}</loc></sitemap>" for name in names)
    index = f'<sitemapindex xmlns="{SITEMAP_NAMESPACE}">{entries}<!-- {text} --></sitemapindex>'
    return {"sitemap.xml": index.encode()} | {name: text.encode() for name in names}


def write(folder: Path, files: Mapping[str, bytes], *, gzip: bool = True) -> str:
    """Write a sitemap, and return the warning about it."""
    try:
        write_files(files, folder, gzip=gzip)
    except OSError as error:
        return describe_write_error(error)
    return ""


def read_all(folder: Path) -> dict[str, bytes]:
    """Return the content of all files of a folder."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def kill_each_operation(
    root: Path, before: int, killed: int | None, last: int, *, gzip: bool
) -> None:
    """Kill a build before each of its operations, run another one, and compare the
    result with that of a build into an empty folder. Only parts that nothing refers to
    may be left.

    Args:
        root: An empty folder.
        before: The number of parts of the sitemap that exists; 0 for a sitemap without
            parts.
        killed: The number of parts that the killed build writes; `None` to remove the
            sitemap.
        last: The number of parts of the last sitemap.
        gzip: Whether the last sitemap has compressed copies.
    """
    expected = _build_all(root / "expected", make_files("last", last), gzip=gzip)
    number = 0
    while True:
        folder = root / str(number)
        _build_all(folder, make_files("before", before))
        process = os.fork()
        if process == 0:
            _kill_at(number)
            if killed is None:
                remove_files("sitemap.xml", folder)
            else:
                write(folder, make_files("killed", killed))
            os._exit(0)
        _, status = os.waitpid(process, 0)
        if status == 0:
            break
        assert os.waitstatus_to_exitcode(status) == 9
        assert write(folder, make_files("last", last), gzip=gzip) == ""
        found = read_all(folder)
        assert found.items() >= expected.items(), (
            number,
            expected.keys() - found.keys(),
        )
        # Nothing refers to the parts of a killed build.
        left = {name.removesuffix(".gz") for name in found.keys() - expected.keys()}
        assert all(is_part_name("sitemap.xml", name) for name in left), left
        shutil.rmtree(folder)
        number += 1
    print(number)


def _build_all(
    folder: Path, files: Mapping[str, bytes], *, gzip: bool = True
) -> dict[str, bytes]:
    folder.mkdir()
    # A file of the user that looks like a part.
    (folder / "sitemap-9.xml").write_text("precious")
    assert write(folder, files, gzip=gzip) == ""
    return read_all(folder)


def _kill_at(number: int) -> None:
    """Kill this process before the operation with this number."""
    done = 0

    def count(event: str, arguments: tuple[object, ...]) -> None:
        nonlocal done
        if event in OPERATIONS:
            if done == number:
                os._exit(9)
            done += 1

    sys.addaudithook(count)


def build_often(folder: Path, name: str) -> None:
    """Build sitemaps with different numbers of parts, the last one without parts."""
    for number in range(40, -1, -1):
        assert write(folder, make_files(name, number % 4)) == ""


if __name__ == "__main__":
    kind, path, *details = sys.argv[1:]
    if kind == "kill":
        before, killed, last, gzip = (
            None if text == "None" else int(text) for text in details
        )
        kill_each_operation(Path(path), before or 0, killed, last or 0, gzip=bool(gzip))
    else:
        build_often(Path(path), details[0])
