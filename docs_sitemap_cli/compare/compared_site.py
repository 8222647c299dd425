"""Find the URLs that a site loses."""

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from urllib.parse import unquote

from docs_sitemap.sitemap.urls import BaseUrl, NormalizedUrl
from docs_sitemap_cli.site.folder import SiteFolder

# In bytes.
_MAX_REDIRECTS = 2**20

# With these statuses, a line in `_redirects` does not redirect.
_REWRITES = {"200", "404", "410"}

_HOST = re.compile(r"\Ahttps?://[^/]*")


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
    redirects = list(_read_redirects(folder))
    for url in urls:
        path = NormalizedUrl(url).partition("?")[0]
        for base in (base_url, old_base):
            path = path.removeprefix(base or "")
        full_path = _plain_path(f"{base_url}{path}")
        is_redirected = any(pattern.fullmatch(full_path) for pattern in redirects)
        if not is_redirected and folder.file_of_url(path) is None:
            yield url


def _read_redirects(folder: SiteFolder) -> Iterator[re.Pattern[str]]:
    """Yield what the paths of URLs match that the file `_redirects` redirects.

    Source: <https://docs.netlify.com/manage/routing/redirects/overview/> and
    <https://developers.cloudflare.com/pages/configuration/redirects/>.
    """
    data = b""
    with suppress(OSError), folder.open_file("_redirects") as file:
        data = file.read(_MAX_REDIRECTS)
    for line in data.decode("utf-8-sig", "replace").splitlines():
        words = line.partition("#")[0].split()
        if len(words) < 2:
            continue
        options = {word.rstrip("!") for word in words[2:]}
        if options.isdisjoint(_REWRITES):
            pattern = re.escape(_plain_path(words[0]))
            pattern = pattern.replace(r"\*", ".*")
            pattern = re.sub(r"/:\w+", "/[^/]+", pattern)
            yield re.compile(pattern)


def _plain_path(url: str) -> str:
    """Return the decoded path of a URL, without a slash at its end."""
    path = _HOST.sub("", url).partition("?")[0]
    return unquote(path).rstrip("/")
