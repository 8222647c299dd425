"""The sitemaps of a built site: which it has, and what they list."""

import re
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple

from docs_sitemap.built.robots_txt import (
    MAX_ROBOTS_BYTES,
    ROBOTS_FILE,
    find_sitemap_lines,
)
from docs_sitemap.sitemap.protocol import Alternate
from docs_sitemap.sitemap.reader import SitemapReader, open_file, read_chunks
from docs_sitemap.sitemap.rules import UnusableFileError
from docs_sitemap.sitemap.urls import BaseUrl, normalize_url

from .folder import SiteFolder

# What `docs-sitemap index` writes next to the sitemap of one of the builds.
INDEX_OF_BUILDS = "sitemap-index.xml"

# The usual names of sitemaps.
USUAL_NAMES = ("sitemap.xml", INDEX_OF_BUILDS, "sitemap_index.xml", "sitemap.xml.gz")

# What Sphinx, Documenter, and MkDocs write into each version, also without a sitemap.
SEARCH_INDEXES = ("objects.inv", "search_index.js", "search/search_index.json")


class SitemapLine(NamedTuple):
    """An entry of a sitemap.

    Attributes:
        file: The sitemap, relative to the folder of the site.
        line: The line of `<loc>`.
        loc: The text of `<loc>`.
        lastmod: The text of `<lastmod>`; `None` if there is none.
        alternates: The links to languages, as written.
        is_index: Whether the file is a sitemap index.
        has_extensions: Whether the entry contains images, videos, news, or the like.
    """

    file: str
    line: int
    loc: str
    lastmod: str | None
    alternates: tuple[Alternate, ...]
    is_index: bool
    has_extensions: bool = False


def read_complete(folder: SiteFolder, file: str) -> Generator[SitemapLine]:
    """Yield the entries of a sitemap.

    Args:
        folder: The folder of a site.
        file: The sitemap relative to the folder.

    Raises:
        UnusableFileError: The file cannot be read to its end, or has too many entries.
    """
    reader = SitemapReader()
    with open_file(folder.open_file, file) as source:
        for entry in reader.entries(read_chunks(source, file)):
            loc = entry.text("loc")
            if loc is not None:
                yield SitemapLine(
                    file,
                    entry.fields["loc"].line,
                    loc,
                    entry.text("lastmod"),
                    tuple(entry.alternates),
                    reader.is_index,
                    entry.has_extensions,
                )


def read_entries(folder: SiteFolder, file: str) -> Generator[SitemapLine]:
    """Yield the entries of a sitemap like `read_complete`, as far as it can be read."""
    with suppress(UnusableFileError):
        yield from read_complete(folder, file)


def read_all_entries(
    folder: SiteFolder,
    sitemaps: Sequence[str],
    base_url: BaseUrl | None,
    read: Callable[[SiteFolder, str], Iterable[SitemapLine]] = read_entries,
) -> Iterator[SitemapLine]:
    """Yield the entries of sitemaps, and of the sitemaps in the folder that an index
    names.

    Args:
        folder: The folder of a site.
        sitemaps: The sitemaps relative to the folder.
        base_url: The URL of the folder; `None` if it is unknown.
        read: Returns the entries of a file, and may raise `UnusableFileError`.
    """
    pending = deque(sitemaps)
    known = set(sitemaps)
    while pending:
        for entry in read(folder, pending.popleft()):
            if not entry.is_index:
                yield entry
                continue
            file = folder.file_at(base_url, normalize_url(entry.loc))
            if file is not None and file not in known:
                known.add(file)
                pending.append(file)


def find_sitemaps(folder: SiteFolder, files: Sequence[str] = ()) -> list[str]:
    """Return the index of several builds, the sitemap that the build wrote, those that
    robots.txt lists, or the first one with a usual name.

    Args:
        folder: The folder of a built site.
        files: The files that its build wrote, the sitemap itself first.
    """
    for name in (INDEX_OF_BUILDS, *files[:1]):
        if folder.exists(name):
            return [name]
    text = ""
    with suppress(OSError), folder.open_file(ROBOTS_FILE) as robots:
        text = robots.read(MAX_ROBOTS_BYTES).decode("utf-8-sig", "replace")
    listed: dict[str, None] = {}
    for url in find_sitemap_lines(text):
        path = re.sub(r"https?://[^/]*/", "", url, count=1)
        file = folder.file_of_url(path)
        if file is not None:
            listed[file] = None
    if listed:
        return [*listed]
    for name in USUAL_NAMES:
        if folder.exists(name):
            return [name]
    return []
