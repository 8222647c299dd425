"""The content record: for each page, a digest of its main content, and its date.

A build reads the record of an earlier build, and writes its own.
"""

import os
from datetime import datetime
from typing import Annotated, NamedTuple

import msgspec

from docs_sitemap.config.options import Options
from docs_sitemap.tools.json_store import JsonStore, StoreError

# Increase this number whenever the meaning of a field changes.
_VERSION = 1

_Timestamp = Annotated[datetime, msgspec.Meta(tz=True)]


class RecordedPage(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A page of an earlier build.

    Attributes:
        digest: The digest of the main content, as 32 hexadecimal digits.
        lastmod: The date of the last change to the main content, as a W3C datetime in
            UTC; `null` if it is unknown, or if the page sets its own date.
        body: The digest of the base URL and of the bytes of the body, as 16 hexadecimal
            digits. While it stays the same, the page is not parsed. It is missing in
            records that older versions wrote.
    """

    digest: Annotated[str, msgspec.Meta(pattern=r"\A[0-9a-f]{32}\Z")]
    lastmod: _Timestamp | None
    body: str = ""


class ContentRecord(msgspec.Struct, frozen=True, kw_only=True):
    """The file of the option `lastmod_record`.

    Attributes:
        rules: The version of the rules for what is content.
        base_path: The path of the URL that the URLs of all pages start with, without
            the domain.
        commit: The full hash of the commit that was built.
        commit_date: The committer date of that commit, as a W3C datetime in UTC.
        pages: The listed pages by their URLs relative to the base URL.
    """

    rules: int
    base_path: str
    commit: Annotated[str, msgspec.Meta(pattern=r"\A(?:[0-9a-f]{40}|[0-9a-f]{64})\Z")]
    commit_date: _Timestamp
    pages: dict[str, RecordedPage]


class LoadedRecord(NamedTuple):
    """The content record of an earlier build, as it was when this build started.

    Attributes:
        path: The absolute path of the file.
        record: The content; `None` if the file does not exist or cannot be used.
        fault: Why the file cannot be used; `None` if it can, or if it does not exist.
    """

    path: str
    record: ContentRecord | None = None
    fault: StoreError | None = None


def load_record(options: Options) -> LoadedRecord | None:
    """Read the content record before a generator empties the folder of the site: the
    record may be in this folder.

    Args:
        options: The options of the sitemap.

    Returns:
        The record for `build_sitemap`; `None` if the option `lastmod_record` is not
        set.
    """
    if options.lastmod_record is None:
        return None
    path = os.path.abspath(options.lastmod_record)
    try:
        return LoadedRecord(path, open_store(path).read())
    except StoreError as error:
        if os.path.lexists(path):
            return LoadedRecord(path, fault=error)
        return LoadedRecord(path)


def open_store(path: str) -> JsonStore[ContentRecord]:
    """Return the file of a record."""
    return JsonStore(path, ContentRecord, version=_VERSION)
