"""The content record: for each page, a digest of its main content, and its date.

A build reads the record of an earlier build, and writes its own.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Annotated

import msgspec

from docs_sitemap.files import read_regular
from docs_sitemap.json_store import MAX_BYTES, JsonStore, OtherVersionError, StoreError
from docs_sitemap.options import Options
from docs_sitemap.text import shorten

# Increase this number whenever the meaning of a field changes.
_VERSION = 1

# The clocks of the machines that commit and build may differ.
_TOLERANCE = timedelta(days=1)

_Timestamp = Annotated[
    str, msgspec.Meta(pattern=r"\A[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}\+00:00\Z")
]


class RecordedPage(msgspec.Struct, frozen=True, gc=False):
    """A page of an earlier build.

    Attributes:
        digest: The digest of the main content, as 32 hexadecimal digits.
        lastmod: The date of the last change to the main content, as a W3C datetime in UTC; `null`
            if it is unknown, or if the page has always set its own date.
    """

    digest: Annotated[str, msgspec.Meta(pattern=r"\A[0-9a-f]{32}\Z")]
    lastmod: _Timestamp | None

    def __post_init__(self) -> None:
        if self.lastmod is not None:
            datetime.fromisoformat(self.lastmod)


class ContentRecord(msgspec.Struct, frozen=True, kw_only=True):
    """The file of the option `lastmod_record`.

    Attributes:
        rules: The version of the rules for what is content.
        selector: The option `lastmod_record_selector`.
        base_path: The path of the URL that the URLs of all pages start with, without the domain.
        commit: The full name of the commit that was built.
        commit_date: The committer date of that commit, as a W3C datetime in UTC.
        pages: The listed pages by their URLs relative to the base URL.
    """

    rules: int
    selector: str | None
    base_path: str
    commit: Annotated[str, msgspec.Meta(pattern=r"\A(?:[0-9a-f]{40}|[0-9a-f]{64})\Z")]
    commit_date: _Timestamp
    pages: dict[str, RecordedPage]

    def __post_init__(self) -> None:
        datetime.fromisoformat(self.commit_date)


@dataclass(frozen=True, slots=True)
class LoadedRecord:
    """The content record of an earlier build, as it was when this build started.

    Attributes:
        path: The absolute path of the file.
        data: The bytes of the file; `None` if there is no valid record.
        record: The content of the file; `None` if there is no valid record.
        fault: Why the file is invalid; `None` if it is valid or does not exist.
        is_other_version: Whether it is invalid only because another version of docs-sitemap wrote
            it.
    """

    path: str
    data: bytes | None = None
    record: ContentRecord | None = None
    fault: str | None = None
    is_other_version: bool = False

    def store(self) -> JsonStore[ContentRecord]:
        """Return the file, to read or write it again."""
        return open_store(self.path)


def load_record(options: Options) -> LoadedRecord | None:
    """Read the content record of an earlier build, before this build changes the site.

    Integrations call this function if the generator empties the folder of the site: the record may
    be in this folder.

    Args:
        options: The options of the sitemap.

    Returns:
        The record for `build_sitemap`; `None` if the option `lastmod_record` is not set.
    """
    if options.lastmod_record is None:
        return None
    path = os.path.abspath(options.lastmod_record)
    if not os.path.lexists(path):
        return LoadedRecord(path)
    try:
        if os.path.islink(path):
            raise StoreError("it is a symbolic link")
        data = read_regular(path, MAX_BYTES)
        return LoadedRecord(path, data, parse_record(data))
    except OSError as error:
        return LoadedRecord(path, fault=f"it cannot be read ({error.strerror})")
    except StoreError as error:
        is_other_version = isinstance(error, OtherVersionError)
        return LoadedRecord(path, fault=str(error), is_other_version=is_other_version)


def parse_record(data: bytes) -> ContentRecord:
    """Return the content of a record.

    Raises:
        StoreError: The record is of another version, or invalid.
    """
    record = open_store("").parse(data)
    for url, page in record.pages.items():
        if page.lastmod is not None and is_future(datetime.fromisoformat(page.lastmod)):
            raise StoreError(f"the date of {shorten(url)} is in the future")
    return record


def is_future(timestamp: datetime) -> bool:
    """Return whether a timestamp is more than one day later than now."""
    try:
        return timestamp > datetime.fromtimestamp(time.time(), UTC) + _TOLERANCE
    except OverflowError:
        return False


def open_store(path: str) -> JsonStore[ContentRecord]:
    """Return the file of a record."""
    return JsonStore(path, ContentRecord, version=_VERSION)
