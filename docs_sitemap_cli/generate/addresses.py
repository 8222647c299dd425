"""Where a site of any generator is published, and the URL of each of its pages."""

import re
from collections.abc import Iterable, Sequence

from docs_sitemap.errors import OptionError
from docs_sitemap.sitemap.urls import BaseUrl, is_index, normalize_url, page_url
from docs_sitemap_cli.site.address import find_base_url, guess_base_url
from docs_sitemap_cli.site.folder import SiteFolder
from docs_sitemap_cli.site.sitemaps import (
    read_all_entries,
)

from .built_files import BuiltFile

# The number of canonical links from which the base URL is guessed.
_SAMPLE = 100

# Some generators write the address of the server on the author's computer.
_LOCAL = re.compile(r"https?://(?:localhost|127\.|0\.0\.0\.0|\[::1\])")


def find_address(
    files: Iterable[BuiltFile], folder: SiteFolder, sitemaps: Sequence[str]
) -> BaseUrl:
    """Return the URL of a site, on which its canonical links and its sitemap agree.

    Raises:
        OptionError: They do not agree, there are none, or they name a local server.
    """
    canonicals: list[str] = []
    for file in files:
        canonicals += file.head.canonicals[:1]
    del canonicals[_SAMPLE:]
    by_links = find_base_url(folder, canonicals, len(canonicals) / 2)
    by_sitemap = guess_base_url(folder, sitemaps)
    urls = {url for url in (by_links, by_sitemap) if url is not None}
    reason = "its files fit neither canonical links nor a sitemap"
    for url in urls:
        if len(urls) == 1 and not _LOCAL.match(url):
            return url
        reason = f"the site itself names {' and '.join(sorted(urls))}"
    fix = "set it, for example with --base-url https://example.org/docs/"
    raise OptionError(
        [("base_url", f"the URL of the site is unknown: {reason}. Fix: {fix}")]
    )


def find_urls(
    files: Iterable[BuiltFile],
    folder: SiteFolder,
    sitemaps: Sequence[str],
    base_url: BaseUrl,
    *,
    clean_urls: bool,
) -> dict[str, str]:
    """Return the URL of each HTML file relative to the base URL: the one in its
    canonical link, in a sitemap, or the one of its path.

    Args:
        files: The HTML files.
        folder: The folder of the site.
        sitemaps: The sitemaps of the generator.
        base_url: The URL of the site.
        clean_urls: Whether the URL of the path `guide.html` is `guide`.
    """
    start = normalize_url(base_url)
    listed: dict[str | None, str] = {}
    for entry in read_all_entries(folder, sitemaps, base_url):
        url = normalize_url(entry.loc)
        listed.setdefault(folder.file_at(base_url, url), url.removeprefix(start))
    urls = {}
    for file in files:
        path = page_url(file.name)
        canonical = normalize_url(file.head.canonical_target(f"{start}{path}") or "")
        if "?" not in canonical and folder.file_at(base_url, canonical) == file.name:
            urls[file.name] = canonical.removeprefix(start)
            continue
        # An earlier sitemap of docs-sitemap may contain the path.
        named = listed.get(file.name) or str(path)
        if clean_urls and named == path and not is_index(file.name):
            named = named.removesuffix(".html")
        urls[file.name] = named
    return urls
