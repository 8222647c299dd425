"""The sitemaps of a deployed site."""

import io
from dataclasses import dataclass
from typing import TYPE_CHECKING

from docs_sitemap.sitemap.protocol import MAX_BYTES
from docs_sitemap.sitemap.reader import read_chunks
from docs_sitemap.sitemap.urls import NormalizedUrl

from .answers import Answer, FetchError, describe_status
from .sitemap_walk import OpenSitemap, Skip

if TYPE_CHECKING:
    from .client import HttpClient

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

    def find(self, loc: str, url: NormalizedUrl) -> str | Skip:
        return loc if url.startswith(self.root) else Skip.ELSEWHERE

    def open(self, name: str) -> OpenSitemap:
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
