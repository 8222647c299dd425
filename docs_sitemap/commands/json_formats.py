"""The JSON that `--format json` prints. Each class is one object, each attribute one key."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from docs_sitemap.commands.console import JSON_VERSION
from docs_sitemap.commands.index import Composition, IndexedVersion, IndexMessage
from docs_sitemap.text import printable


class IndexJson(msgspec.Struct, frozen=True, kw_only=True):
    """The document that `docs-sitemap index --format json` prints.

    Attributes:
        version: The version of this format.
        files: The sitemap and its parts that were written; empty if nothing was written.
        commit: The name of the commit; `null` if nothing was committed.
        sitemaps: The number of sitemaps that the index lists; 0 if it is no index.
        urls: The number of URLs in all of them.
        kept: The number of these URLs that only older versions have.
        duplicates: The number of entries that were omitted, because their URLs were already listed.
        metadata: The file that names the versions; `null` if there is none.
        versions: The versions and sites that are deployed.
        messages: The errors, warnings, and notes.
    """

    version: int = JSON_VERSION
    files: list[str]
    commit: str | None
    sitemaps: int
    urls: int
    kept: int
    duplicates: int
    metadata: str | None
    versions: list[IndexedVersion]
    messages: list[IndexMessage]


def make_index_json(
    composition: Composition, files: Sequence[str], commit: str | None
) -> IndexJson:
    """Return the JSON document of an index."""
    return IndexJson(
        files=[*map(printable, files)],
        commit=commit,
        sitemaps=composition.sitemaps,
        urls=composition.urls,
        kept=composition.kept,
        duplicates=composition.duplicates,
        metadata=composition.metadata,
        versions=composition.versions,
        messages=composition.messages,
    )
