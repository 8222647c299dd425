"""Where the sitemaps of a site are: in its folder, or on its server."""

import io
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from docs_sitemap.built.robots_txt import (
    MAX_ROBOTS_BYTES,
    ROBOTS_FILE,
    find_sitemap_lines,
)
from docs_sitemap.result import SavedReport
from docs_sitemap.sitemap.protocol import MAX_BYTES, MAX_ENTRIES
from docs_sitemap.sitemap.reader import read_chunks
from docs_sitemap.sitemap.rules import UnusableFileError
from docs_sitemap.sitemap.urls import INDEX_FILE, NormalizedUrl, quote_path
from docs_sitemap.tools.files import HTML_SUFFIXES, StrPath

from .folder import SiteFolder
from .http_answers import Answer, FetchError, describe_status
from .sitemaps import OpenSitemap, Sitemap, Skip

if TYPE_CHECKING:
    from .client import HttpClient

# What `docs-sitemap index` writes next to the sitemap of one of the builds.
INDEX_OF_BUILDS = "sitemap-index.xml"

# The usual names of sitemaps.
USUAL_NAMES = ("sitemap.xml", INDEX_OF_BUILDS, "sitemap_index.xml", "sitemap.xml.gz")

# What Sphinx, Documenter, and MkDocs write into each version, also without a sitemap.
SEARCH_INDEXES = ("objects.inv", "search_index.js", "search/search_index.json")


def find_sitemaps(folder: SiteFolder, report: SavedReport | None = None) -> list[str]:
    """Return the index of several builds, the sitemap that the build wrote, those that
    robots.txt lists, or the first one with a usual name.

    Args:
        folder: The folder of a built site.
        report: The report of its build, if it is known.
    """
    names = [INDEX_OF_BUILDS]
    if report is not None:
        names += report.files[:1]
    for name in names:
        if folder.exists(name):
            return [name]
    robots = folder.read(ROBOTS_FILE, MAX_ROBOTS_BYTES).decode("utf-8-sig", "replace")
    listed: dict[str, None] = {}
    for url in find_sitemap_lines(robots):
        path = re.sub(r"https?://[^/]*/", "", url, count=1)
        file = folder.file_of_url(path)
        if file is not None:
            listed[folder.uncompressed(file)] = None
    if listed:
        return list(listed)
    for name in USUAL_NAMES:
        if folder.exists(name):
            return [name]
    return []


def find_other_site(site_dir: StrPath) -> str | None:
    """Return the only site in or next to a folder without a home page: the one that a
    user who passes the folder of the project or of its source files means.
    """
    folder = Path(site_dir)
    if (folder / INDEX_FILE).exists():
        return None
    name = USUAL_NAMES[0]
    found = {*folder.glob(f"*/{name}"), *folder.glob(f"*/*/{name}")}
    # Other projects are next to the current folder.
    if not folder.samefile(os.curdir):
        parent = Path(os.path.normpath(folder / os.pardir))
        found |= {*parent.glob(name), *parent.glob(f"*/{name}")}
    sites = [file.parent for file in found if (file.parent / INDEX_FILE).exists()]
    return str(sites[0]) if len(sites) == 1 else None


@dataclass
class FolderSitemaps:
    """The sitemaps in a folder, named by their paths.

    Attributes:
        folder: The folder.
        base_url: Where it is published; `None` if that is unknown. Then the sitemaps of
            an index are not found.
    """

    folder: SiteFolder
    base_url: str | None
    max_sitemaps: int = 1 + MAX_ENTRIES  # an index and all that it may list

    def url_of(self, name: str) -> NormalizedUrl | None:
        if self.base_url is None:
            return None
        return NormalizedUrl(self.base_url + quote_path(name))

    def locate(self, loc: str, url: NormalizedUrl) -> str | Skip:
        if url.endswith(("/", *HTML_SUFFIXES)):
            return Skip.PAGE
        if self.base_url is None:
            return Skip.ELSEWHERE
        base = NormalizedUrl(self.base_url)
        if not url.startswith(base):
            return Skip.ELSEWHERE
        file = self.folder.file_at(base, url)
        if file is None:
            return Skip.NOT_FOUND
        return self.folder.uncompressed(file)

    def describe_fault(self, sitemap: Sitemap) -> str:
        """Return why a sitemap is not read to its end, and how to fix it."""
        path = self.folder.user_path(sitemap.name)
        if isinstance(sitemap.error, UnusableFileError):
            return sitemap.error.describe(path)
        if sitemap.skip is Skip.LIMIT:
            return f"{path} is not read: {Skip.LIMIT.value}. Fix: list fewer sitemaps."
        if sitemap.parent is None or sitemap.listing is None:
            return f"{path} lists too many sitemaps. Fix: list fewer."
        index = self.folder.user_path(sitemap.parent.name)
        place = f"{index}, line {sitemap.listing.fields['loc'].line}"
        if sitemap.skip is Skip.PAGE:
            return (
                f"{place}: {sitemap.name} is a page, not a sitemap. Fix: list only "
                "sitemaps in the index."
            )
        return (
            f"{place}: the sitemap {sitemap.name} is not in the same folder. Fix: copy "
            "it there; if another repository publishes it, pass a sitemap of this site "
            "instead of the index."
        )

    def open_sitemap(self, name: str) -> OpenSitemap:
        return OpenSitemap(self._chunks(name))

    def _chunks(self, name: str) -> Iterator[bytes]:
        with self.folder.open_checked(name) as file:
            yield from read_chunks(file, name)


_GZIP_START = b"\x1f\x8b"

# More than any site needs: an index may list 50,000 sitemaps.
_MAX_SITEMAPS = 1_000


@dataclass
class LiveSitemaps:
    """The sitemaps of a server, named by their URLs.

    Attributes:
        client: Requests them.
        start: The URL of the first one. Sitemaps with another scheme, host, or port
            are not read.
    """

    client: "HttpClient"
    start: str
    max_sitemaps: int = _MAX_SITEMAPS

    @property
    def root(self) -> str:
        """The root of the server."""
        return f"{NormalizedUrl(self.start).origin}/"

    def url_of(self, name: str) -> NormalizedUrl | None:
        return NormalizedUrl(name)

    def locate(self, loc: str, url: NormalizedUrl) -> str | Skip:
        return loc if url.startswith(self.root) else Skip.ELSEWHERE

    def open_sitemap(self, name: str) -> OpenSitemap:
        answer = fetch_sitemap(self.client, name)
        # Servers may send a compressed copy as it is, or as compressed XML.
        suffix = ".gz" if answer.body.startswith(_GZIP_START) else ""
        chunks = read_chunks(io.BytesIO(answer.body), suffix)
        opened = OpenSitemap(chunks, size=len(answer.body))
        # They name the type of compressed files in many ways.
        if answer.url.endswith(".gz"):
            return opened
        return opened._replace(content_type=answer.header("content-type"))


def fetch_sitemap(client: "HttpClient", url: str) -> Answer:
    """Request a sitemap.

    Raises:
        FetchError: There is no answer, or it is an error or a redirect to another host.
    """
    # One more byte than the limit shows that the file is too large.
    answer = client.get(url, limit=MAX_BYTES + 1, follow=True)
    fault = describe_status(answer)
    if fault is not None:
        raise FetchError(url, fault)
    return answer
