"""Versions whose canonical links name their pages in another folder, such as the alias
`latest`: the index lists their URLs in this folder.
"""

from datetime import datetime
from typing import NamedTuple

from docs_sitemap.sitemap import protocol
from docs_sitemap.sitemap.hreflang import is_hreflang
from docs_sitemap.sitemap.protocol import Alternate, Url
from docs_sitemap.sitemap.reader import SitemapEntry
from docs_sitemap.sitemap.urls import NormalizedUrl, check_url
from docs_sitemap_cli.published.sitemaps import read_alternates

from .canonical_version import canonical_folder
from .layout import Deployed, Layout, find_sitemap
from .valid_values import past_date, valid_url


class Move(NamedTuple):
    """Moves URLs from the folder of a version to another one.

    Attributes:
        before: The URL of the folder of the version.
        after: The URL of the other folder.
    """

    before: NormalizedUrl
    after: NormalizedUrl

    def normalized(self, url: NormalizedUrl) -> NormalizedUrl:
        """Return the normalized URL of a page after the move."""
        if url.startswith(self.before):
            return NormalizedUrl(self.after + url.removeprefix(self.before))
        return url

    def url(self, text: str) -> str:
        """Return a URL after the move, as it is written if it stays and is valid."""
        url = NormalizedUrl(text)
        if url.startswith(self.before):
            return str(self.normalized(url))
        return valid_url(text)

    def entry(self, entry: SitemapEntry, now: datetime) -> Url:
        """Return the valid values of an entry after the move."""
        links: dict[str, Alternate] = {}
        for hreflang, href in read_alternates(entry):
            if is_hreflang(hreflang) and check_url(href).normalized is not None:
                link = Alternate(hreflang, self.url(href))
                links.setdefault(hreflang.lower(), link)
        changefreq = entry.text("changefreq")
        if not protocol.is_changefreq(changefreq or ""):
            changefreq = None
        priority = entry.text("priority")
        if not protocol.is_priority(priority or ""):
            priority = None
        return Url(
            self.url(entry.text("loc") or ""),
            past_date(entry.text("lastmod"), now),
            changefreq,
            priority,
            tuple(links.values()),
        )


def find_move(layout: Layout, version: Deployed) -> Move | None:
    """Return how to move the URLs of a version; `None` if its canonical links do not
    name its pages in a link to the version, or a copy of it.
    """
    folder = canonical_folder(layout, version)
    if folder not in version.other_folders:
        return None
    # An alias that redirects has no sitemap.
    if find_sitemap(layout.tree, folder) is None:
        return None
    return Move(layout.url_of(version.folder), layout.url_of(folder))
