"""The address of a site: where it is published, as far as the site itself says so."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import closing
from itertools import islice

from docs_sitemap.sitemap.urls import BaseUrl, check_url, origin

from .folder import SiteFolder
from .sitemaps import read_entries

# The number of entries of a sitemap from which the base URL is guessed.
_SAMPLE = 100


def guess_base_url(folder: SiteFolder, sitemaps: Iterable[str]) -> BaseUrl | None:
    """Guess the URL of a folder from the first sitemap that lists any URL: the URL
    below which the most URLs open files, or else the longest common folder of the URLs.
    """
    for sitemap in sitemaps:
        with closing(read_entries(folder, sitemap)) as lines:
            entries = list(islice(lines, _SAMPLE))
        urls = _most_common_origin([entry.loc for entry in entries])
        if not urls:
            continue
        # Any folder may have an index.html by chance, but not a sitemap.
        least = 0 if entries[0].is_index else len(urls) / 2
        base_url = find_base_url(folder, urls, least)
        if base_url is not None:
            return base_url
        common = set.intersection(*map(set, map(_folders, urls)))
        return BaseUrl(max(common, key=len))
    return None


def find_base_url(
    folder: SiteFolder, urls: Sequence[str], least: float = 0
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
        by_origin.setdefault(origin(path), []).append(path)
    return max(by_origin.values(), key=len, default=[])


def _folders(url: str) -> list[str]:
    """Return the URLs of the folders that contain a URL."""
    ends = [match.end() for match in re.finditer("/", url)]
    return [url[:end] for end in ends[2:]]
