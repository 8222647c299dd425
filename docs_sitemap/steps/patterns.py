"""Patterns of pages: shell patterns that match source files and URLs.

A page has names in three tiers. A pattern applies only to the first tier in which it
matches any page: `guide` matches the page `guide.html`, unless `guide` is the exact
name of another page.
"""

import fnmatch
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, partial
from glob import has_magic
from operator import eq
from posixpath import splitext
from urllib.parse import unquote, urlsplit

from docs_sitemap.sitemap.urls import PAGE_SUFFIX, strip_index
from docs_sitemap.tools.files import compose_letters

_FOLDERS = re.compile(r"(?:^|(?<=/))(?:\*\*/)+")


@dataclass(frozen=True, slots=True)
class PageNames:
    """The names of a page that patterns can match.

    Attributes:
        name: The name of the page in the build.
        url: The URL relative to the base URL.
        source: The source file relative to the project folder; `None` if there is none.
        output: The HTML file relative to the site's folder, if it is a name, too.
    """

    name: str
    url: str
    source: str | None = None
    output: str | None = None

    def _urls(self) -> list[str]:
        if "%" in self.url:
            return [self.url, unquote(self.url)]
        return [self.url]

    def exact(self) -> list[str]:
        """Return the source file, with and without its suffix, and the URL."""
        urls = self._urls()
        names = [self.name, *urls, *map(strip_index, urls)]
        if self.source is not None or self.name.endswith(".md"):
            names.append(splitext(self.name)[0])
        if self.output is not None:
            names.append(self.output)
        return names

    def short(self) -> list[str]:
        """Return the name and the URL without suffix or trailing slash."""
        return [PAGE_SUFFIX.sub("", self.name), *map(_stem, self._urls())]

    def full(self, base_url: str) -> list[str]:
        """Return the source file from the project folder, and the URL in full and from
        the host.
        """
        names = []
        if self.source is not None:
            # In the site of any generator, the name is the HTML file.
            is_html = self.name == self.output
            if is_html or self.source.endswith(f"/{self.name}"):
                names += [self.source, splitext(self.source)[0]]
        for start in (base_url, urlsplit(base_url).path.lstrip("/")):
            for url in self._urls():
                names += [f"{start}{url}", f"{start}{strip_index(url)}"]
                names.append(f"{start}{_stem(url)}".rstrip("/"))
        return names

    def stem_between(self, start: str, end: str) -> str:
        """Return the part of a name that is between two texts, if possible without
        suffix. If no name contains them, return the name without suffix: a pattern can
        match the full path.
        """
        stem = splitext(self.name)[0]
        between = re.compile(f"{re.escape(start)}(.*){re.escape(end)}", re.DOTALL)
        for name in (stem, *self.short(), *self.exact()):
            match = between.fullmatch(name)
            if match is not None:
                return match[1]
        return stem


class NameIndex:
    """Finds pages by their names. The names of a tier are computed when a pattern needs
    them.

    Args:
        pages: The names of each page.
        base_url: The URL that the URLs of all pages start with.
    """

    def __init__(self, pages: Iterable[PageNames], base_url: str) -> None:
        self._pages = [*pages]
        full = partial(PageNames.full, base_url=base_url)
        tiers = (PageNames.exact, PageNames.short, full)
        self._tiers = [cache(partial(self._names, names)) for names in tiers]

    def find(self, pattern: str) -> list[int]:
        """Return the numbers of the pages that a pattern matches, sorted.

        All of them are from the first tier in which the pattern matches a page.
        """
        pattern = compose_letters(pattern).removeprefix("./").lstrip("/")
        # A name can contain the characters of patterns.
        is_name: Callable[[str], object] = partial(eq, pattern)
        matches: Callable[[str], object] = partial(eq, strip_index(pattern))
        if has_magic(pattern):
            matches = compile_pattern(pattern).fullmatch
        for tier in self._tiers:
            numbers = _find(is_name, tier()) or _find(matches, tier())
            if numbers:
                return numbers
        return []

    def _names(self, names_of: Callable[[PageNames], list[str]]) -> list[list[str]]:
        """Return the names of each page in a tier."""
        return [[*map(compose_letters, names_of(page))] for page in self._pages]


def _find(
    matches: Callable[[str], object], names: Iterable[Iterable[str]]
) -> list[int]:
    """Return the numbers of the pages with a name that matches."""
    numbers = []
    for number, own in enumerate(names):
        if any(map(matches, own)):
            numbers.append(number)
    return numbers


def compile_pattern(pattern: str) -> re.Pattern[str]:
    """Compile a shell pattern: `*` matches any text including `/`, and `**/` any
    folders or none.

    `guide/*` and `guide/**` do not match `guide/` itself.
    """
    pattern = re.sub(r"/\*+\Z", "/?*", pattern)
    # No name contains this character.
    expression = fnmatch.translate(_FOLDERS.sub("\0", pattern))
    return re.compile(expression.replace("\0", "(?:|.*?/)"))


def _stem(url: str) -> str:
    """Return a URL without its suffix, its index file, or its trailing slash."""
    url = strip_index(url)
    if url.endswith("/"):
        return url.rstrip("/")
    return PAGE_SUFFIX.sub("", url)
