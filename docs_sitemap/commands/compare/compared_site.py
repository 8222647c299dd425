"""Read the two sitemaps, and what else is in their sites."""

import re
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, suppress
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from docs_sitemap.build_report import SavedReport
from docs_sitemap.built.site_folder import SiteFolder
from docs_sitemap.commands.read_sitemaps import Entries, read_entries
from docs_sitemap.sitemap.urls import BaseUrl, normalize_url

# In bytes.
_MAX_REDIRECTS = 2**20

# A part of a path in `_redirects` that stands for other texts.
_ANY = re.compile(r"\\\*|/:\w+")


class ComparedSite(NamedTuple):
    """A sitemap, or the sitemaps of a site.

    Attributes:
        entries: The entries of all sitemaps.
        folder: The folder that contains them.
        base_url: The URL of this folder; `None` if there are no URLs.
        redirects: What the paths of URLs match that `_redirects` redirects.
    """

    entries: Entries
    folder: SiteFolder
    base_url: BaseUrl | None
    redirects: list[re.Pattern[str]]

    def answers(self, url: str, base_url: BaseUrl | None) -> bool:
        """Return whether a URL of an earlier site at a base URL opens a file, or is
        redirected.
        """
        path = normalize_url(url).partition("?")[0]
        for base in (self.base_url, base_url):
            path = path.removeprefix(base or "")
        if self.folder.open_url(path) is not None:
            return True
        full = unquote(urlsplit(f"{self.base_url}{path}").path).rstrip("/")
        return any(pattern.fullmatch(full) for pattern in self.redirects)


def read_site(
    path: str, stack: ExitStack, report: SavedReport | None = None
) -> ComparedSite:
    """Read sitemaps like `read_entries`, which explains the arguments and errors, and
    the redirects of their site.
    """
    folder, base_url, entries = read_entries(path, stack, report)
    return ComparedSite(entries, folder, base_url, [*_read_redirects(folder)])


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
        if len(words) > 1 and _is_redirect(words[2:]):
            path = re.escape(unquote(urlsplit(words[0]).path).rstrip("/"))
            yield re.compile(_ANY.sub(_expand, path))


def _is_redirect(words: Iterable[str]) -> bool:
    """Return whether the status after the two paths, which is 301 by default, is one of
    a redirect. Other rules send a page of the site.
    """
    statuses = [word for word in words if re.fullmatch(r"[0-9]{3}!?", word)]
    return all(status.startswith("3") for status in statuses)


def _expand(match: re.Match[str]) -> str:
    """Return the regular expression of `*` or of a placeholder such as `/:name`."""
    return "/[^/]+" if match[0].startswith("/") else ".*"
