"""Where a site of any generator is published, and the URL of each of its pages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from docs_sitemap.any_site.built_files import BuiltFile
from docs_sitemap.errors import OptionError
from docs_sitemap.site_folder import SiteFolder
from docs_sitemap.site_sitemaps import guess_base_url, read_all_entries
from docs_sitemap.sitemap.urls import (
    BaseUrl,
    NormalizedUrl,
    check_url,
    is_index,
    normalize_url,
    page_url,
    parse_base_url,
)


def find_base_url(
    files: Iterable[BuiltFile], folder: SiteFolder, sitemaps: Sequence[str]
) -> BaseUrl:
    """Return the URL of a site that its canonical links and its sitemap agree on.

    Raises:
        OptionError: They do not agree, or there are none.
    """
    votes = Counter(filter(None, map(_canonical_base, files)))
    from_sitemap = guess_base_url(folder, sitemaps)
    from_links = max(votes, key=lambda base: (votes[base], -len(base)), default=None)
    found = {base for base in (from_links, from_sitemap) if base is not None}
    if len(found) == 1:
        return parse_base_url(found.pop())
    message = "it is not set, and the site contains neither canonical links nor a sitemap"
    if found:
        message = (
            f"it is not set. By its canonical links, the site is published at {from_links}, but by "
            f"its sitemap {sitemaps[0]} at {from_sitemap}"
        )
    fix = "Fix: set it to the address of the site, for example --base-url https://example.org/docs/"
    raise OptionError([("base_url", f"{message}. {fix}")])


def _canonical_base(file: BuiltFile) -> str | None:
    """Return the URL of a site in which a file has its canonical link; `None` if none fits."""
    target = next(iter(file.head.canonicals), "")
    checked = check_url(target).normalized
    if checked is None:
        return None
    for url in _possible_urls(file.name):
        # The home page fits everywhere.
        if url and checked.endswith(f"/{url}"):
            return checked.removesuffix(url)
    return None


def _possible_urls(name: str) -> list[str]:
    """Return the URLs that open a file of a site, relative to the site."""
    url = page_url(name)
    urls = [url, page_url(f"{name}/").removesuffix("/")]
    urls.append(url.removesuffix("/") if url.endswith("/") else _without_suffix(url))
    return urls


def _without_suffix(url: str) -> str:
    return url.removesuffix(".html")


class PageUrls:
    """Finds the URL of each HTML file of a site.

    Args:
        folder: The folder of the site.
        base_url: The URL of the site.
        sitemaps: The sitemaps of the generator.
        clean_urls: Whether `guide.html` is published as `guide`, if neither its canonical link nor
            a sitemap says so.
    """

    def __init__(
        self,
        folder: SiteFolder,
        base_url: BaseUrl,
        sitemaps: Sequence[str],
        *,
        clean_urls: bool = False,
    ) -> None:
        self._folder = folder
        self._base_url = normalize_url(base_url)
        self._clean_urls = clean_urls
        self._listed = self._read_listed(sitemaps, base_url)

    def _read_listed(self, sitemaps: Sequence[str], base_url: BaseUrl) -> Mapping[str, str]:
        """Return the URLs in the sitemaps by the files that they open."""
        urls: dict[str, str] = {}
        for entry in read_all_entries(self._folder, sitemaps, base_url):
            url = normalize_url(entry.loc)
            file = self._opened(url)
            if file is not None:
                urls.setdefault(file, url.removeprefix(self._base_url))
        return urls

    def of(self, file: BuiltFile) -> str:
        """Return the URL of a file relative to the base URL."""
        canonical = file.head.canonical_target(f"{self._base_url}{page_url(file.name)}")
        if canonical is not None:
            normalized = normalize_url(canonical)
            if "?" not in normalized and self._opened(normalized) == file.name:
                return normalized.removeprefix(self._base_url)
        if file.name in self._listed:
            return self._listed[file.name]
        url = page_url(file.name)
        return _without_suffix(url) if self._clean_urls and not is_index(file.name) else url

    def _opened(self, url: NormalizedUrl) -> str | None:
        opened = self._folder.open_below(self._base_url, url)
        return None if opened is None else opened.file
