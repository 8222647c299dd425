"""Find the URLs that a site loses."""

from collections.abc import Iterable, Iterator

from docs_sitemap.sitemap.urls import BaseUrl, NormalizedUrl
from docs_sitemap_cli.published.folder import Redirects, SiteFolder


def find_lost(
    urls: Iterable[str],
    old_base: BaseUrl | None,
    folder: SiteFolder,
    base_url: BaseUrl | None,
) -> Iterator[str]:
    """Yield the URLs that neither open a file of a site nor are redirected.

    Args:
        urls: The URLs of an earlier site.
        old_base: The URL of the folder of that site; `None` if it is unknown.
        folder: The folder of the site.
        base_url: The URL of the folder; `None` if it is unknown.
    """
    redirects = Redirects(folder)
    for url in urls:
        path = NormalizedUrl(url).partition("?")[0]
        for base in (base_url, old_base):
            path = path.removeprefix(base or "")
        if folder.file_of_url(path) is None:
            if redirects.find(f"{base_url or ''}{path}", opens_file=False) is None:
                yield url
