"""The rules about robots.txt: <https://www.rfc-editor.org/rfc/rfc9309>."""

import re
from codecs import BOM_UTF8
from collections.abc import Sequence

from docs_sitemap.built.robots_txt import (
    MAX_ROBOTS_BYTES,
    ROBOTS_FILE,
    find_sitemap_lines,
    is_robots_effective,
)
from docs_sitemap.sitemap.hosts import check_origin
from docs_sitemap.sitemap.rules import (
    FileDiagnostics,
    UnusableFileError,
    error,
    warning,
)
from docs_sitemap.sitemap.urls import BaseUrl, NormalizedUrl, check_url, quote_path
from docs_sitemap.sitemap.validation import CheckedEntry
from docs_sitemap.tools.printing import shorten
from docs_sitemap_cli.published.sitemap_sources import FolderSitemaps
from docs_sitemap_cli.published.sitemaps import (
    Sitemap,
    SitemapSource,
    read_sitemap,
    walk_sitemaps,
)

from .path_result import PathResult

# Each rule applies to each crawler: with more lines, a hostile file could take minutes.
_MAX_LINES = 2_000
# Each wildcard is compared with each URL. Without this limit, a hostile file could take
# hours.
_MAX_WILDCARDS = 500

_COMMENT = re.compile(r"#[^\r\n]*")

# The crawlers of search engines that use sitemaps.
_CRAWLERS = ("Googlebot", "Bingbot")


class RobotsTxt:
    """A robots.txt. An empty one allows everything.

    Attributes:
        is_incomplete: Whether it has too many rules, so that some or all of them are
            not checked.
        has_bom: Whether it starts with a byte order mark.
        sitemaps: The URLs of the sitemaps that it lists, as written, each once.
    """

    def __init__(self, data: bytes = b"") -> None:
        text = data[:MAX_ROBOTS_BYTES].decode("utf-8-sig", "replace")
        self.has_bom = data.startswith(BOM_UTF8)
        self.sitemaps = tuple(dict.fromkeys(find_sitemap_lines(text)))
        self._sitemap_urls = {_without_query(sitemap) for sitemap in self.sitemaps}
        without_comments = _COMMENT.sub("", text)
        lines = re.split(r"[\r\n]+", without_comments)
        rules = "\n".join(lines[:_MAX_LINES])
        self.is_incomplete = len(data) > MAX_ROBOTS_BYTES or len(lines) > _MAX_LINES
        if rules.count("*") + rules.count("$") > _MAX_WILDCARDS:
            self.is_incomplete = True
            rules = ""
        from protego import Protego  # A sitemap alone has no robots.txt.

        self._rules = Protego.parse(rules)

    def lists(self, url: NormalizedUrl) -> bool:
        """Return whether the file lists a sitemap or its compressed copy.

        Such a sitemap may list URLs outside its folder:
        <https://www.sitemaps.org/protocol.html#sitemaps_cross_submits>.
        """
        path = _without_query(url)
        return path in self._sitemap_urls or f"{path}.gz" in self._sitemap_urls

    def read_indexes(self, source: SitemapSource) -> None:
        """Find the sitemaps of the indexes that the file lists: it lists these, too.

        Args:
            source: Opens the indexes.
        """
        names = []
        for text in self.sitemaps:
            url = check_url(text).normalized
            if url is not None:
                name = source.locate(text, url)
                if isinstance(name, str):
                    names.append(name)
        for sitemap in walk_sitemaps(source, names, _read_index, nested=False):
            if sitemap.url is not None:
                self._sitemap_urls.add(_without_query(sitemap.url))

    def allows(self, url: str, crawler: str) -> bool:
        """Return whether a crawler may read a URL."""
        return self._rules.can_fetch(url, crawler)

    def disallowed_crawlers(self, url: str) -> str | None:
        """Return the names of the crawlers that may not read a URL; `None` if the
        crawlers of all search engines may.
        """
        names = [name for name in _CRAWLERS if not self.allows(url, name)]
        return " and ".join(names) or None


def _without_query(url: str) -> str:
    return NormalizedUrl(url).partition("?")[0]


def _read_index(source: SitemapSource, sitemap: Sitemap) -> Sitemap:
    """Return which sitemaps an index lists. Nothing else is read."""
    if sitemap.parent is not None:
        return sitemap
    return read_sitemap(source, sitemap, max_pages=1)


def read_robots(
    source: FolderSitemaps, sitemaps: Sequence[str], result: PathResult
) -> RobotsTxt:
    """Read and check the robots.txt of a built site. Return an empty one if crawlers
    read none, or it cannot be read.

    Args:
        source: The sitemaps of the site.
        sitemaps: The names of the first ones.
        result: Receives the diagnostics.
    """
    folder = source.folder
    base_url = BaseUrl(source.base_url or "")
    robots = RobotsTxt()
    if not is_robots_effective(base_url) or not folder.exists(ROBOTS_FILE):
        return robots
    diagnostics = FileDiagnostics(folder.user_path(ROBOTS_FILE))
    try:
        with folder.open_checked(ROBOTS_FILE) as file:
            robots = RobotsTxt(file.read(MAX_ROBOTS_BYTES + 1))
    except UnusableFileError as error:
        diagnostics.add_only(error)
    else:
        urls = [NormalizedUrl(base_url + quote_path(file)) for file in sitemaps]
        check_robots(robots, source, urls, diagnostics)
    result.add(diagnostics)
    return robots


ROBOTS_DISALLOW = error(
    "robots-disallow",
    "robots.txt disallows a listed URL",
    "allow it or remove the entry",
)


def check_disallowed(robots: RobotsTxt, entry: CheckedEntry) -> None:
    """Check whether crawlers may read the URL of an entry."""
    crawlers = robots.disallowed_crawlers(entry.loc)
    if crawlers is not None:
        message = f"robots.txt disallows it for {crawlers}"
        entry.diagnose(ROBOTS_DISALLOW, message)


ROBOTS_BOM = warning(
    "robots-bom",
    "robots.txt starts with a byte order mark, so some crawlers ignore its first line",
    "save it as UTF-8 without a byte order mark",
)

ROBOTS_TOO_LONG = warning(
    "robots-too-long",
    "robots.txt has over 2,000 lines or 500 KiB, or too many wildcards",
    "shorten it: crawlers may ignore everything after the first 500 KiB",
)

ROBOTS_SITEMAP_NOT_FOUND = warning(
    "robots-sitemap-not-found",
    "robots.txt lists a sitemap that the site does not have, or an invalid URL",
    "write the absolute URL of the sitemap; ignore this if another service "
    "provides the file",
)

ROBOTS_NO_SITEMAP = warning(
    "robots-no-sitemap",
    "robots.txt does not list the sitemap",
    "add a Sitemap line",
)


def check_robots(
    robots: RobotsTxt,
    source: SitemapSource,
    sitemap_urls: Sequence[NormalizedUrl],
    diagnostics: FileDiagnostics,
) -> None:
    """Check the robots.txt of a site.

    Args:
        robots: The robots.txt.
        source: The site, which is published at the root of its origin.
        sitemap_urls: Where the sitemaps of the site are published.
        diagnostics: Receives the diagnostics.
    """
    if robots.has_bom:
        message = "it starts with a byte order mark"
        diagnostics.add(ROBOTS_BOM, message, 1)
    if robots.is_incomplete:
        diagnostics.add(ROBOTS_TOO_LONG, "not all of its rules are checked")
    for url in sitemap_urls:
        crawlers = robots.disallowed_crawlers(url)
        if crawlers is not None:
            message = f"it disallows the sitemap for {crawlers}"
            diagnostics.add(ROBOTS_DISALLOW, message, url=url)
    root = NormalizedUrl(f"{sitemap_urls[0].origin}/")
    for text in robots.sitemaps:
        checked = check_url(text)
        message = ", ".join(message for _, message in checked.faults)
        if checked.normalized is not None:
            url = checked.normalized
            # The sitemaps of a live site are requested.
            if not isinstance(source, FolderSitemaps):
                continue
            fault = check_origin(url.origin)
            if fault is not None:
                diagnostics.add(*fault, cause=url.origin)
            if not url.startswith(root):
                continue
            if source.folder.file_at(root, url) is not None:
                continue
            message = f"there is no file for {shorten(text)}"
        diagnostics.add(ROBOTS_SITEMAP_NOT_FOUND, message)
    if not any(map(robots.lists, sitemap_urls)):
        robots.read_indexes(source)
    if not any(map(robots.lists, sitemap_urls)):
        message = f"add the line Sitemap: {sitemap_urls[0]}"
        diagnostics.add(ROBOTS_NO_SITEMAP, message)
