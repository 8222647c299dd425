"""Files that others wrote: read piece by piece, up to the protocol's limit and no further."""

from __future__ import annotations

import gzip
import io
import os
import zlib
from collections.abc import Iterator
from typing import BinaryIO, cast

from docs_sitemap.check.findings import Unusable
from docs_sitemap.model import MAX_BYTES
from docs_sitemap.site import open_regular

_CHUNK = 2**16


def open_file(path: str | os.PathLike[str]) -> BinaryIO:
    """Open a regular file.

    Raises:
        Unusable: it is none, or cannot be read.
    """
    try:
        file = open_regular(path)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise Unusable("unreadable", f"it cannot be read ({reason})") from None
    if file is None:
        raise Unusable("unreadable", "it is no regular file")
    return file


def read_chunks(file: BinaryIO, name: str) -> Iterator[bytes]:
    """Yield the content of a file; that of one whose name ends in `.gz` uncompressed.

    Raises:
        Unusable: it is too large, cannot be read, or is not compressed as its name says.
    """
    source = _unpacked(file) if name.endswith(".gz") else file
    size = 0
    try:
        while chunk := source.read(_CHUNK):
            size += len(chunk)
            if size > MAX_BYTES:
                raise Unusable("too-large", f"it has more than {MAX_BYTES:,} bytes")
            yield chunk
    except (gzip.BadGzipFile, zlib.error, EOFError) as error:
        raise Unusable("gzip-broken", f"it cannot be uncompressed ({error})") from None
    except OSError as error:
        raise Unusable("unreadable", f"it cannot be read ({error.strerror})") from None


def same_content(one: BinaryIO, twin: BinaryIO) -> bool:
    """Whether a file holds what its compressed twin holds.

    Raises:
        Unusable: the twin is not what it should be.
    """
    pieces = read_chunks(twin, ".gz")
    for piece in pieces:
        if one.read(len(piece)) != piece:
            return False
    return not one.read(1)


def _unpacked(file: BinaryIO) -> BinaryIO:
    # Unlike a buffered file, the bare one may give less than it is asked for.
    return cast(BinaryIO, io.BufferedReader(gzip.GzipFile(fileobj=file), _CHUNK))
