"""The redirects of Netlify and Cloudflare Pages, in the file `_redirects`."""

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple
from urllib.parse import unquote

from .folder import SiteFolder

# In bytes.
_MAX_REDIRECTS = 2**20

# With these statuses, a line does not redirect.
_REWRITES = {"200", "404", "410"}


class _Line(NamedTuple):
    """A line of the file.

    Attributes:
        pattern: What the URLs match, decoded, and without a slash at their ends.
        target: Where the line redirects them; `None` if it does not.
        is_forced: Whether it applies to URLs that open a file.
    """

    pattern: re.Pattern[str]
    target: str | None
    is_forced: bool


class Redirects:
    """The redirects of a site.

    Source: <https://docs.netlify.com/manage/routing/redirects/overview/> and
    <https://developers.cloudflare.com/pages/configuration/redirects/>.

    Args:
        folder: The folder of the site.
    """

    def __init__(self, folder: SiteFolder) -> None:
        self._lines = list(_read_lines(folder))
        self._forced = [line for line in self._lines if line.is_forced]

    def find(self, url: str, *, opens_file: bool) -> str | None:
        """Return where all readers of a URL are redirected, as written in the file;
        `None` if they are not.

        Args:
            url: The absolute URL.
            opens_file: Whether the URL opens a file of the site. Netlify ignores a line
                without `!` then.
        """
        page = _plain_url(url)
        for line in self._forced if opens_file else self._lines:
            if line.pattern.fullmatch(page) is not None:
                return line.target
        return None


def _read_lines(folder: SiteFolder) -> Iterator[_Line]:
    """Yield the lines of the file that apply to all readers."""
    data = b""
    with suppress(OSError), folder.open_file("_redirects") as file:
        data = file.read(_MAX_REDIRECTS)
    for text in data.decode("utf-8-sig", "replace").splitlines():
        words = text.partition("#")[0].split()
        # For example, `Country=de` or `id=:id` is a condition.
        if len(words) < 2 or any("=" in word for word in words[2:]):
            continue
        source, target, *options = words
        # Cloudflare ignores the line, and matching could take forever.
        if source.count("*") > 1:
            continue
        statuses = {option.rstrip("!") for option in options}
        pattern = re.escape(_plain_url(source))
        pattern = pattern.replace(r"/\*", "(?:/.*)?").replace(r"\*", ".*")
        pattern = re.sub(r"/:\w+", "/[^/]+", pattern)
        if source.startswith("/"):
            pattern = f"https?://[^/]*{pattern}"
        is_forced = any(option.endswith("!") for option in options)
        is_redirect = statuses.isdisjoint(_REWRITES)
        # A redirect that only adds a slash, or another one for the slash.
        if _plain_url(source) == _plain_url(target):
            is_redirect = False
        yield _Line(re.compile(pattern), target if is_redirect else None, is_forced)


def _plain_url(url: str) -> str:
    """Return the decoded URL without its query, and without a slash at its end."""
    return unquote(url.partition("?")[0]).rstrip("/")
