"""Sitemap files: opened, uncompressed, and read in chunks up to the limit of the protocol."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Iterator
from typing import BinaryIO, cast

from docs_sitemap.commands.check.codes import Code
from docs_sitemap.commands.check.finding import UnusableFileError
from docs_sitemap.site_folder import OutsideSiteError, SiteFolder
from docs_sitemap.sitemap.protocol import MAX_BYTES

_CHUNK = 2**16

# Compression makes a file at most a little larger. Empty parts of a gzip file, its header, and
# padding after its end are not content, so the limit of the content does not apply to them.
_MAX_OVERHEAD = 2**20


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
    compressed = _CompressedFile(file)
    source = _uncompress(compressed) if name.endswith(".gz") else file
    size = 0
    try:
        while chunk := source.read(_CHUNK):
            size += len(chunk)
            compressed.limit = size + _MAX_OVERHEAD
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


class _CompressedFile:
    """A gzip file that cannot be read beyond a limit.

    Attributes:
        limit: The number of compressed bytes that may be read.
    """

    def __init__(self, file: BinaryIO) -> None:
        self.limit = _MAX_OVERHEAD
        self._file = file
        self._size = 0

    def read(self, size: int) -> bytes:
        data = self._file.read(size)
        self._size += len(data)
        if self._size > self.limit:
            raise gzip.BadGzipFile(f"it is over {_MAX_OVERHEAD:,} bytes larger than its content")
        return data


def _uncompress(file: _CompressedFile) -> BinaryIO:
    # GzipFile.read() may return less than requested. BufferedReader.read() does not.
    stream = gzip.GzipFile(fileobj=cast(BinaryIO, file), mode="rb")
    return cast(BinaryIO, io.BufferedReader(stream, _CHUNK))


def _unreadable(error: OSError) -> UnusableFileError:
    return UnusableFileError(Code.UNREADABLE, f"it cannot be read ({error.strerror or error})")
