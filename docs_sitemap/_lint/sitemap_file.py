"""Sitemap files: opened, uncompressed, and read in chunks up to the limit of the protocol."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Iterator
from typing import BinaryIO, cast

from docs_sitemap._lint.codes import Code
from docs_sitemap._lint.finding import UnusableFileError
from docs_sitemap._protocol import MAX_BYTES
from docs_sitemap._site_folder import OutsideSiteError, SiteFolder

_CHUNK = 2**16


def open_file(folder: SiteFolder, file: str) -> BinaryIO:
    """Open a file of a site.

    Raises:
        UnusableFileError: It cannot be read, or is not in the folder.
    """
    try:
        return folder.open_file(file)
    except OutsideSiteError:
        message = "a symbolic link leads out of the site"
        raise UnusableFileError(Code.OUTSIDE_SITE, message) from None
    except OSError as error:
        raise _unreadable(error) from None


def read_chunks(file: BinaryIO, name: str) -> Iterator[bytes]:
    """Yield the content of a sitemap. If its name ends in `.gz`, it is uncompressed.

    Raises:
        UnusableFileError: It is too large, cannot be read, or is not a valid gzip file.
    """
    source = _uncompress(file) if name.endswith(".gz") else file
    size = 0
    try:
        while chunk := source.read(_CHUNK):
            size += len(chunk)
            if size > MAX_BYTES:
                raise UnusableFileError(Code.TOO_LARGE, f"it has more than {MAX_BYTES:,} bytes")
            yield chunk
    except (gzip.BadGzipFile, zlib.error, EOFError) as error:
        message = f"it cannot be uncompressed ({error})"
        raise UnusableFileError(Code.GZIP_BROKEN, message) from None
    except OSError as error:
        raise _unreadable(error) from None


def other_form(file: str) -> str:
    """Return the name of the compressed copy of a sitemap, or the name of the sitemap for a
    compressed copy.
    """
    return file.removesuffix(".gz") if file.endswith(".gz") else f"{file}.gz"


def has_same_content(sitemap: BinaryIO, compressed: BinaryIO) -> bool:
    """Compare a sitemap with its compressed copy.

    Raises:
        UnusableFileError: The compressed copy cannot be uncompressed.
    """
    for chunk in read_chunks(compressed, ".gz"):
        if sitemap.read(len(chunk)) != chunk:
            return False
    return not sitemap.read(1)


def _uncompress(file: BinaryIO) -> BinaryIO:
    # GzipFile.read() may return less than requested. BufferedReader.read() does not.
    return cast(BinaryIO, io.BufferedReader(gzip.GzipFile(fileobj=file), _CHUNK))


def _unreadable(error: OSError) -> UnusableFileError:
    return UnusableFileError(Code.UNREADABLE, f"it cannot be read ({error.strerror or error})")
