"""The redirects of a site in a folder: the lines of `_redirects`, and pages that
redirect.

Source: <https://docs.netlify.com/manage/routing/redirects/overview/> and
<https://developers.cloudflare.com/pages/configuration/redirects/>.
"""

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import NamedTuple
from urllib.parse import unquote

from docs_sitemap.sitemap.urls import NormalizedUrl, resolve

from .folder import SiteFolder

MAX_HOPS = 10
"""The crawler of Google follows so many redirects in a row:
<https://developers.google.com/crawling/docs/troubleshooting/http-status-codes>.
"""

# In bytes.
_MAX_FILE = 2**20

# With these statuses, a line does not redirect.
_REWRITES = {"200", "404", "410"}

# What a line names in its source and repeats in its target.
_PLACEHOLDER = r":([A-Za-z_]\w*)"

# Hosts redirect one to the other.
_SCHEME = re.compile(r"\Ahttps?(?=:)")

# A line with a path applies to all hosts.
_ANY_ORIGIN = "https?://[^/]*"
_ORIGIN = re.compile(rf"\A{_ANY_ORIGIN}")


class _Line(NamedTuple):
    """A line of the file.

    Attributes:
        source: The URL, decoded, and without a slash at its end.
        pattern: What the URLs match; `None` if the source is their path.
        target: Where the line redirects them; `None` if it does not.
        is_forced: Whether it applies to URLs that open a file.
    """

    source: str
    pattern: re.Pattern[str] | None
    target: str | None
    is_forced: bool


class _Lines:
    """Finds the first of several lines that applies to a URL. Files have thousands of
    lines, but few with placeholders.

    Args:
        lines: The lines in their order.
    """

    def __init__(self, lines: Iterable[_Line]) -> None:
        self._targets: list[str | None] = []
        self._numbers: dict[str, int] = {}
        self._patterns: list[tuple[int, re.Pattern[str]]] = []
        for number, line in enumerate(lines):
            self._targets.append(line.target)
            if line.pattern is None:
                self._numbers.setdefault(line.source, number)
            else:
                self._patterns.append((number, line.pattern))

    def target_of(self, url: str) -> str | None:
        """Return where the first line redirects a URL; `None` if no line does."""
        if not self._targets:
            return None
        page = _plain_url(url)
        first = self._numbers.get(_ORIGIN.sub("", page))
        values: dict[str, str | None] = {}
        for number, pattern in self._patterns:
            if first is not None and first < number:
                break
            match = pattern.fullmatch(page)
            if match is not None:
                first, values = number, match.groupdict()
                break
        target = None if first is None else self._targets[first]
        return None if target is None else _fill(target, values)


class Redirects:
    """The redirects of a site.

    Args:
        folder: The folder of the site.
    """

    def __init__(self, folder: SiteFolder) -> None:
        self._folder = folder
        lines = list(_read_lines(folder))
        self._lines = _Lines(lines)
        self._forced = _Lines(line for line in lines if line.is_forced)

    def target_of(self, url: str, *, opens_file: bool) -> str | None:
        """Return where a line redirects all readers of a URL, as written in the file;
        `None` if no line does.

        Args:
            url: The absolute URL.
            opens_file: Whether the URL opens a file of the site. Netlify ignores a line
                without `!` then.
        """
        lines = self._forced if opens_file else self._lines
        return lines.target_of(url)

    def lead_to_page(self, url: str, base: NormalizedUrl) -> bool:
        """Return whether a URL opens a page of the site that does not redirect, or
        redirects lead to one, or to another site.

        Args:
            url: The absolute URL.
            base: The URL of the site.
        """
        known: set[str] = set()
        while url not in known and len(known) <= MAX_HOPS:
            known.add(url)
            page = NormalizedUrl(_SCHEME.sub(base.partition(":")[0], url))
            if not page.startswith(base):
                return True
            file = self._folder.file_at(base, page)
            target = self.target_of(page, opens_file=file is not None)
            if target is None and file is not None:
                target = self._target_in(file, page)
                if target is None:
                    return True
            if target is None:
                return False
            # A target that is no URL leads nowhere.
            url = resolve(page, target) or url
        return False

    def _target_in(self, file: str, url: NormalizedUrl) -> str | None:
        """Return where a page redirects, maybe to itself; `None` if it does not."""
        head = self._folder.head(file)
        if head.refresh is None:
            return None
        return head.redirect_target(url) or url


def _read_lines(folder: SiteFolder) -> Iterator[_Line]:
    """Yield the lines of the file that apply to all readers."""
    data = folder.read("_redirects", _MAX_FILE)
    for text in data.decode("utf-8-sig", "replace").splitlines():
        words = text.partition("#")[0].split()
        # `Country=de` and `id=:id` are conditions, but not the query of a URL.
        if len(words) < 2 or any("=" in word.partition("/")[0] for word in words):
            continue
        source, target, *options = words
        # Cloudflare ignores the line, and matching could take forever.
        if source.count("*") > 1:
            continue
        statuses = {option.rstrip("!") for option in options}
        is_forced = any(option.endswith("!") for option in options)
        is_redirect = statuses.isdisjoint(_REWRITES)
        # A redirect that only adds a slash, or another one for the slash.
        if _plain_url(source) == _plain_url(target):
            is_redirect = False
        with suppress(re.error):  # The source has two placeholders with one name.
            yield _Line(
                _plain_url(source),
                _compile(source),
                target if is_redirect else None,
                is_forced,
            )


def _compile(source: str) -> re.Pattern[str] | None:
    """Return what the URLs of a line match, with a group for each placeholder; `None`
    for a path without any.
    """
    literal = re.escape(_plain_url(source))
    pattern = re.sub(rf"(?<=/){_PLACEHOLDER}", r"(?P<\1>[^/]+)", literal)
    pattern = pattern.replace(r"/\*", "(?:/(?P<splat>.*))?")
    pattern = pattern.replace(r"\*", "(?P<splat>.*)")
    if source.startswith("/"):
        if pattern == literal:
            return None
        pattern = _ANY_ORIGIN + pattern
    return re.compile(pattern)


def _fill(target: str, values: dict[str, str | None]) -> str:
    """Return a target with what the URL has instead of placeholders."""
    parts = re.split(_PLACEHOLDER, target)
    parts[1::2] = [values.get(name, f":{name}") or "" for name in parts[1::2]]
    return "".join(parts)


def _plain_url(url: str) -> str:
    """Return the decoded URL without its query, and without a slash at its end."""
    return unquote(url.partition("?")[0]).rstrip("/")
