"""Where a built site is published: the option, the report of its build, or what the
site itself declares.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from enum import StrEnum
from functools import partial
from itertools import islice
from typing import NamedTuple

from docs_sitemap.built.verdict import Head
from docs_sitemap.config.published_address import (
    CNAME_FILE,
    MAX_CNAME,
    has_domain,
    parse_cname,
)
from docs_sitemap.result import SavedReport
from docs_sitemap.sitemap.hosts import is_local
from docs_sitemap.sitemap.urls import BaseUrl, NormalizedUrl, check_url
from docs_sitemap.tools.files import walk_html_files

from .folder import SiteFolder
from .sitemap_sources import FolderSitemaps
from .sitemaps import read_sitemap, walk_sitemaps

# The number of pages, canonical links, or entries of a sitemap from which the base URL
# is guessed.
_SAMPLE = 100

# If there is a sitemap, canonical links decide only if this share of the pages has one:
# a page that was first published elsewhere says nothing about the others.
_LEAST_CANONICAL = 0.5


class Origin(StrEnum):
    """Where evidence for the address of a site comes from, in the words of messages."""

    OPTION = "the option --base-url"
    REPORT = "the report of the build"
    SITEMAP = "the sitemap"
    CANONICAL_LINKS = "the canonical links"
    CNAME = "the file CNAME"


class Evidence(NamedTuple):
    """What one origin says about the address of a site."""

    origin: Origin
    url: BaseUrl

    def __str__(self) -> str:
        return f"{self.url} ({self.origin})"

    def contradicts(self, base_url: BaseUrl) -> bool:
        """Return whether a site cannot be published at a base URL if the evidence is
        accurate.
        """
        # It knows neither the scheme nor the folder of a version.
        if self.origin is Origin.CNAME:
            return not has_domain(base_url, self.url)
        return NormalizedUrl(base_url) != NormalizedUrl(self.url)


class Address(NamedTuple):
    """The address of a site.

    Attributes:
        evidence: What is known about it. The first evidence decides.
    """

    evidence: Sequence[Evidence]

    @property
    def base_url(self) -> BaseUrl:
        """The URL of the folder of the site."""
        return self.evidence[0].url

    @property
    def origin(self) -> Origin:
        """What decides."""
        return self.evidence[0].origin

    @property
    def contradictions(self) -> list[Evidence]:
        """The evidence for other addresses."""
        return [one for one in self.evidence if one.contradicts(self.base_url)]


_Finder = tuple[Origin, Callable[[], BaseUrl | None]]


def find_address(
    folder: SiteFolder,
    sitemaps: Sequence[str],
    *,
    option: BaseUrl | None = None,
    report: SavedReport | None = None,
    heads: Iterable[Head] | None = None,
) -> Address | None:
    """Return the address of a built site; `None` if it is unknown.

    The first of these decides: the option, the report of the build, a sitemap, the
    canonical links, and the file `CNAME`. The address of a local server in a sitemap
    decides only if there is no other.

    Args:
        folder: The folder of the site.
        sitemaps: Its sitemaps.
        option: The base URL that the user names.
        report: The report of the build.
        heads: The heads of the pages. By default, those of some pages are read.
    """
    if option is not None:
        return Address([Evidence(Origin.OPTION, option)])
    cname: _Finder = (Origin.CNAME, partial(_read_cname, folder))
    if report is not None:
        known = Evidence(Origin.REPORT, report.base_url)
        others = [] if report.is_address_chosen else [cname]
        return Address([known, *_collect(others)])
    if heads is None:
        files = islice(walk_html_files(folder.root), _SAMPLE)
        heads = map(folder.head, files)
    least = _LEAST_CANONICAL if sitemaps else 0
    evidence = _collect(
        [
            (Origin.SITEMAP, partial(guess_base_url, folder, sitemaps)),
            (Origin.CANONICAL_LINKS, partial(_read_links, folder, heads, least)),
            cname,
        ]
    )
    published = [one for one in evidence if not is_local(one.url)]
    if not evidence:
        return None
    return Address(published or evidence)


def _collect(finders: Iterable[_Finder]) -> list[Evidence]:
    """Return the evidence of all origins that have any, in their order."""
    evidence = []
    for origin, find in finders:
        url = find()
        if url is not None:
            evidence.append(Evidence(origin, url))
    return evidence


def _read_links(
    folder: SiteFolder, heads: Iterable[Head], least: float
) -> BaseUrl | None:
    """Return the URL on which most canonical links agree. A local server is ignored.

    Args:
        folder: The folder of the site.
        heads: The heads of the pages.
        least: The share of the pages that must have canonical links.
    """
    urls = []
    pages = 0
    for head in heads:
        pages += 1
        if head.canonicals and not is_local(head.canonicals[0]):
            urls.append(head.canonicals[0])
        if len(urls) == _SAMPLE:
            break
    if len(urls) < least * pages:
        return None
    return find_base_url(folder, urls, len(urls) / 2)


def _read_cname(folder: SiteFolder) -> BaseUrl | None:
    """Return the address in the file `CNAME`, if there is one."""
    with suppress(OSError), folder.open_file(CNAME_FILE) as file:
        return parse_cname(file.read(MAX_CNAME))
    return None


def guess_base_url(folder: SiteFolder, sitemaps: Iterable[str]) -> BaseUrl | None:
    """Guess the URL of a folder from the first sitemap that lists any URL: the URL
    below which the most URLs open files, or else the longest common folder of the URLs.
    """
    read = partial(read_sitemap, max_pages=_SAMPLE)
    for sitemap in walk_sitemaps(FolderSitemaps(folder, None), sitemaps, read):
        locs = [page.loc for page in sitemap.pages]
        locs += [child.name for child in sitemap.children[:_SAMPLE]]
        urls = _most_common_origin(locs)
        if not urls:
            continue
        # Any folder may have an index.html by chance, but not a sitemap.
        least = 0 if sitemap.is_index else len(urls) / 2
        base_url = find_base_url(folder, urls, least)
        if base_url is not None:
            return base_url
        common = set.intersection(*map(set, map(_folders, urls)))
        return BaseUrl(max(common, key=len))
    return None


def find_base_url(
    folder: SiteFolder, urls: Sequence[str], least: float
) -> BaseUrl | None:
    """Return the URL below which the most URLs open files of a folder; `None` if that
    is true for no more than `least` of them. Only URLs with the most common origin are
    used.
    """
    opening: Counter[str] = Counter()
    for url in _most_common_origin(urls):
        for base in _folders(url):
            if folder.file_of_url(url.removeprefix(base)) is not None:
                opening[base] += 1
    # The URL of any folder opens its index file. If several base URLs open equally many
    # files, the shortest one explains the longest paths.
    best = max(opening, key=lambda base: (opening[base], -len(base)), default="")
    return BaseUrl(best) if opening[best] > least else None


def _most_common_origin(urls: Iterable[str]) -> list[str]:
    """Return the valid ones of the URLs that have the most common origin, without
    queries.
    """
    by_origin: dict[str, list[str]] = {}
    for url in urls:
        normalized = check_url(url).normalized
        if normalized is None:
            continue
        path = normalized.partition("?")[0]
        by_origin.setdefault(normalized.origin, []).append(path)
    return max(by_origin.values(), key=len, default=[])


def _folders(url: str) -> list[str]:
    """Return the URLs of the folders that contain a URL."""
    ends = [match.end() for match in re.finditer("/", url)]
    return [url[:end] for end in ends[2:]]
