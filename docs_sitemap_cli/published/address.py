"""Where a built site is published: the option, the report of its build, or what the
site itself says.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, suppress
from enum import StrEnum
from itertools import islice
from typing import NamedTuple
from urllib.parse import urlsplit

from docs_sitemap.built.html import MAX_HEAD, parse_html
from docs_sitemap.built.verdict import Head
from docs_sitemap.git.remotes import read_remotes
from docs_sitemap.git.repository import find_repository
from docs_sitemap.git.run import GitError
from docs_sitemap.result import SavedReport
from docs_sitemap.sitemap.urls import BaseUrl, NormalizedUrl, check_url
from docs_sitemap.steps.published_address import (
    CNAME_FILE,
    MAX_CNAME,
    find_pages_url,
    has_domain,
    pages_url,
    parse_cname,
)
from docs_sitemap.tools.files import walk_html_files

from .folder import SiteFolder
from .page import BuiltPage
from .sitemap_sources import FolderSitemaps
from .sitemaps import walk_sitemaps

# The number of canonical links, or of entries of a sitemap, from which the base URL is
# guessed.
_SAMPLE = 100

# The number of pages whose stylesheets and scripts are read. All pages of a site have
# most of them in common.
_PAGES_WITH_ASSETS = 20

# Some generators write the address of the server on the author's computer.
_LOCAL = re.compile(r"https?://(?:localhost|127\.|0\.0\.0\.0|\[::1\])")

# Stands for the unknown host of the assets.
_UNKNOWN_HOST = "https://unknown.invalid"

# The icon can be the one of the site at the root of the host.
_ASSETS = (
    "link[rel~=stylesheet], link[rel~=preload], link[rel~=modulepreload], script[src]"
)

# A URL with a scheme or a host, such as `data:` or `//cdn.example/`.
_ON_A_HOST = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")


class Origin(StrEnum):
    """Where evidence for the address of a site comes from, in the words of messages."""

    OPTION = "the option base_url"
    REPORT = "the report of the build"
    SITEMAP = "the sitemap"
    CANONICAL_LINKS = "the canonical links"
    CNAME = "the file CNAME"
    ASSETS = "the paths of stylesheets and scripts"
    REMOTE = "the remote of the git repository"


class Evidence(NamedTuple):
    """What one origin says about the address of a site.

    Attributes:
        origin: The origin.
        url: The base URL. Assets know only its path, such as `/docs/`.
    """

    origin: Origin
    url: str

    def __str__(self) -> str:
        return f"{self.url} ({self.origin})"

    def contradicts(self, base_url: BaseUrl) -> bool:
        """Return whether a site cannot be published at a base URL if the evidence is
        accurate.
        """
        if self.origin is Origin.ASSETS:
            return urlsplit(base_url).path != self.url
        # It knows neither the scheme nor the folder of a version.
        if self.origin is Origin.CNAME:
            return not has_domain(base_url, self.url)
        return NormalizedUrl(base_url) != NormalizedUrl(self.url)


class Address(NamedTuple):
    """The address of a site.

    Attributes:
        base_url: The URL of its folder.
        evidence: What is known about it. The first evidence decides.
    """

    base_url: BaseUrl
    evidence: Sequence[Evidence]

    @property
    def origin(self) -> Origin:
        """What decides."""
        return self.evidence[0].origin

    @property
    def contradictions(self) -> list[Evidence]:
        """The evidence for other addresses."""
        return [one for one in self.evidence if one.contradicts(self.base_url)]


def is_local(url: str) -> bool:
    """Return whether a URL names a server on the author's computer."""
    return _LOCAL.match(url) is not None


def find_address(
    folder: SiteFolder,
    sitemaps: Sequence[str],
    *,
    option: BaseUrl | None = None,
    report: SavedReport | None = None,
    heads: Iterable[Head] | None = None,
    repository: str | None = None,
) -> Address | None:
    """Return the address of a built site; `None` if it is unknown.

    The first of these decides: the option, the report of the build, a sitemap, the
    canonical links, the file `CNAME`, and the address of the project at GitHub Pages or
    GitLab Pages, if the assets of the pages fit only one. A sitemap with the address of
    a local server comes last.

    Args:
        folder: The folder of the site.
        sitemaps: Its sitemaps.
        option: The base URL that the user names.
        report: The report of the build.
        heads: The heads of the pages. By default, those of some pages are read.
        repository: A folder in the git repository with the sources of the site. By
            default, the one that contains the site.
    """
    repository = repository or folder.root
    assets = _find_assets(folder)
    if option is not None:
        evidence = [Evidence(Origin.OPTION, option)]
    elif report is not None:
        evidence = [Evidence(Origin.REPORT, report.base_url)]
        evidence += _find_cname(folder)
    else:
        if heads is None:
            heads = (page.head for page in _read_pages(folder, _SAMPLE))
        evidence = _find_in_site(folder, sitemaps, heads)
        if assets and (not evidence or is_local(evidence[0].url)):
            evidence = _find_at_hosting_services(repository, assets[0]) or evidence
    if not evidence:
        return None
    base_url = BaseUrl(evidence[0].url)
    # Assets with the path of the base URL could not be loaded anywhere else.
    is_certain = any(not one.contradicts(base_url) for one in assets)
    if option is None and not is_certain:
        published = find_pages_url(base_url, repository)
        if published is not None:
            evidence.append(Evidence(Origin.REMOTE, published))
    return Address(base_url, [*evidence, *assets])


def _find_in_site(
    folder: SiteFolder, sitemaps: Sequence[str], heads: Iterable[Head]
) -> list[Evidence]:
    """Return what the site itself says. If a sitemap names a local server, the others
    decide.
    """
    evidence = []
    listed = guess_base_url(folder, sitemaps)
    if listed is not None:
        evidence.append(Evidence(Origin.SITEMAP, listed))
    # A page that was first published elsewhere says nothing about the others.
    least_pages = 0 if listed is None or is_local(listed) else 0.5
    canonical = _find_by_canonical_links(folder, heads, least_pages)
    if canonical is not None:
        evidence.append(Evidence(Origin.CANONICAL_LINKS, canonical))
    evidence += _find_cname(folder)
    published = [one for one in evidence if not is_local(one.url)]
    return published or evidence


def _find_by_canonical_links(
    folder: SiteFolder, heads: Iterable[Head], least_pages: float
) -> BaseUrl | None:
    """Return the URL on which most canonical links agree. A local server is ignored.

    Args:
        folder: The folder of the site.
        heads: The heads of the pages.
        least_pages: The share of pages that must have canonical links.
    """
    urls = []
    pages = 0
    for head in heads:
        pages += 1
        if head.canonicals and not is_local(head.canonicals[0]):
            urls.append(head.canonicals[0])
        if len(urls) == _SAMPLE:
            break
    if len(urls) < least_pages * pages:
        return None
    return find_base_url(folder, urls, len(urls) / 2)


def _find_cname(folder: SiteFolder) -> list[Evidence]:
    """Return the address in the file `CNAME`, if there is one."""
    url = None
    with suppress(OSError), folder.open_file(CNAME_FILE) as file:
        url = parse_cname(file.read(MAX_CNAME))
    return [] if url is None else [Evidence(Origin.CNAME, url)]


def _read_pages(folder: SiteFolder, limit: int) -> Iterator[BuiltPage]:
    """Yield the starts of some pages."""
    for name in islice(walk_html_files(folder.root), limit):
        with suppress(OSError), folder.open_file(name) as file:
            yield BuiltPage(file.read(MAX_HEAD))


def _find_assets(folder: SiteFolder) -> list[Evidence]:
    """Return the path of the URL below which the assets of the pages open files; empty
    if their URLs are on other hosts, or most pages have relative ones. Such pages work
    at any address, and what else they load can be from the root of the host. Error
    pages have absolute URLs on such sites, too.
    """
    urls: dict[str, None] = {}
    pages_with_path = 0
    relative_pages = 0
    for page in _read_pages(folder, _PAGES_WITH_ASSETS):
        # Parsing complete pages is slow.
        start = parse_html(page.data.partition(b"<body")[0])
        assets = []
        for node in start.css(_ASSETS):
            assets.append(node.attributes.get("href") or node.attributes.get("src"))
        local = [url for url in assets if url and not _ON_A_HOST.match(url)]
        if any(not url.startswith("/") for url in local):
            relative_pages += 1
        elif local:
            pages_with_path += 1
            urls |= dict.fromkeys(f"{_UNKNOWN_HOST}{url}" for url in local)
    base_url = find_base_url(folder, list(urls), len(urls) / 2)
    if base_url is None or pages_with_path <= relative_pages:
        return []
    return [Evidence(Origin.ASSETS, base_url.removeprefix(_UNKNOWN_HOST))]


def _find_at_hosting_services(repository: str, assets: Evidence) -> list[Evidence]:
    """Return the address of a project at GitHub Pages or GitLab Pages, if the assets
    have the same path. Several remotes, such as those of a fork, decide nothing.
    """
    urls = set()
    with suppress(GitError):
        for remote in read_remotes(find_repository(repository)):
            url = pages_url(remote)
            if url is not None and not assets.contradicts(url):
                urls.add(url)
    if len(urls) != 1:
        return []
    return [Evidence(Origin.REMOTE, urls.pop())]


def guess_base_url(folder: SiteFolder, sitemaps: Iterable[str]) -> BaseUrl | None:
    """Guess the URL of a folder from the first sitemap that lists any URL: the URL
    below which the most URLs open files, or else the longest common folder of the URLs.
    """
    for sitemap in walk_sitemaps(FolderSitemaps(folder, None), sitemaps):
        with closing(sitemap.entries()) as entries:
            locs = [entry.text("loc") or "" for entry in islice(entries, _SAMPLE)]
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
