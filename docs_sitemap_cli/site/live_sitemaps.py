"""The sitemaps of a deployed site."""

import io
from collections.abc import Iterator
from typing import TYPE_CHECKING

from docs_sitemap.sitemap.protocol import MAX_BYTES
from docs_sitemap.sitemap.reader import SitemapReader, read_chunks
from docs_sitemap.sitemap.rules import UnusableFileError
from docs_sitemap.sitemap.urls import normalize_url, origin

from .answers import Answer, ContentError, FetchError, describe_status

if TYPE_CHECKING:
    from .client import HttpClient

_GZIP_START = b"\x1f\x8b"

# More than any site needs: an index may list 50,000 sitemaps.
MAX_SITEMAPS = 1_000


def sitemap_chunks(answer: Answer) -> Iterator[bytes]:
    """Return the content of a sitemap in parts, uncompressed.

    Raises:
        UnusableFileError: It is too large, or not a valid gzip file.
    """
    # Servers may send a compressed copy as it is, or as compressed XML.
    name = ".gz" if answer.body.startswith(_GZIP_START) else ""
    return read_chunks(io.BytesIO(answer.body), name)


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


def read_live_dates(client: "HttpClient", url: str) -> dict[str, str | None]:
    """Return the dates of all pages that a sitemap lists, as written, by the text of
    `<loc>`. The sitemaps that an index lists are included.

    Raises:
        FetchError: There is no answer.
        ContentError: A sitemap cannot be read to its end, or is on another host.
    """
    dates: dict[str, str | None] = {}
    pending = [url]
    known = {normalize_url(url)}
    while pending:
        sitemap = pending.pop()
        if len(known) > MAX_SITEMAPS:
            raise ContentError(url, f"it lists more than {MAX_SITEMAPS:,} sitemaps")
        answer = fetch_sitemap(client, sitemap)
        root = f"{origin(normalize_url(url))}/"
        reader = SitemapReader()
        try:
            for entry in reader.entries(sitemap_chunks(answer)):
                loc = entry.text("loc")
                if loc is None:
                    continue
                child = normalize_url(loc)
                if not reader.is_index:
                    dates[loc] = entry.text("lastmod")
                elif not child.startswith(root):
                    raise ContentError(child, f"the sitemap is not on {root}")
                elif child not in known:
                    known.add(child)
                    pending.append(loc)
        except UnusableFileError as error:
            raise ContentError(sitemap, str(error)) from None
    return dates
