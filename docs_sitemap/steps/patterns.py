"""Patterns of pages: shell patterns that match source files and URLs.

A page has names in three tiers. A pattern applies only to the first tier in which it
matches any page: `guide` matches the page `guide.html`, unless `guide` is the exact
name of another page.
"""

import fnmatch
import re
from collections.abc import Callable, Iterable
from functools import cached_property, lru_cache, partial
from glob import has_magic
from itertools import compress, repeat
from operator import eq
from posixpath import splitext
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from docs_sitemap.sitemap.urls import PAGE_SUFFIX, is_index, strip_index
from docs_sitemap.tools.files import compose_letters

# A folder contains many pages.
_unquote_folder = lru_cache(maxsize=1_000)(unquote)

_FOLDERS = re.compile(r"(?:^|(?<=/))(?:\*\*/)+")


class PageNames(NamedTuple):
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
        if "%" not in self.url:
            return [self.url]
        folder, slash, name = self.url.rpartition("/")
        return [self.url, f"{_unquote_folder(folder)}{slash}{unquote(name)}"]

    def exact(self) -> list[str]:
        """Return the source file, with and without its suffix, and the URL."""
        names = [self.name]
        for url in self._urls():
            names.append(url)
            if is_index(url):
                names.append(strip_index(url))
        if self.source is not None or self.name.endswith(".md"):
            names.append(splitext(self.name)[0])
        if self.output is not None:
            names.append(self.output)
        return names

    def short(self) -> list[str]:
        """Return the name and the URL without suffix or trailing slash."""
        stems = [_stem(url) for url in self._urls()]
        return [PAGE_SUFFIX.sub("", self.name), *stems]

    def full(self, bases: Iterable[str]) -> list[str]:
        """Return the source file from the project folder, and the URL below each base:
        in full and from the host.
        """
        names = []
        source = self.source
        if source is not None:
            # In the site of any generator, the name is the HTML file.
            is_html = self.name == self.output
            if is_html or source.endswith(f"/{self.name}"):
                names += [source, splitext(source)[0]]
        for base in bases:
            for url in self._urls():
                full = base + url
                names += [full, strip_index(full), _stem(full)]
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
        self._pages = list(pages)
        self._base_url = base_url

    def find(self, pattern: str) -> list[int]:
        """Return the numbers of the pages that a pattern matches, sorted.

        All of them are from the first tier in which the pattern matches a page.
        """
        pattern = compose_letters(pattern).removeprefix("./").lstrip("/")
        return (
            self._exact.find(pattern)
            or self._short.find(pattern)
            or self._full.find(pattern)
        )

    @cached_property
    def _exact(self) -> "_Tier":
        return _Tier(map(PageNames.exact, self._pages))

    @cached_property
    def _short(self) -> "_Tier":
        return _Tier(map(PageNames.short, self._pages))

    @cached_property
    def _full(self) -> "_Tier":
        path = urlsplit(self._base_url).path.lstrip("/")
        return _Tier(page.full((self._base_url, path)) for page in self._pages)


class _Tier:
    """The names in one tier.

    Args:
        pages: The names of each page.
    """

    def __init__(self, pages: Iterable[Iterable[str]]) -> None:
        self._names: list[str] = []
        self._numbers: list[int] = []  # of the page of each name
        for number, names in enumerate(pages):
            before = len(self._names)
            self._names += map(compose_letters, names)
            self._numbers += repeat(number, len(self._names) - before)

    def find(self, pattern: str) -> list[int]:
        """Return the numbers of the pages with a name that a pattern matches."""
        # A name can contain the characters of patterns.
        numbers = self._find(partial(eq, pattern))
        if numbers:
            return numbers
        if has_magic(pattern):
            return self._find(compile_pattern(pattern).fullmatch)
        return self._find(partial(eq, strip_index(pattern)))

    def _find(self, matches: Callable[[str], object]) -> list[int]:
        numbers = compress(self._numbers, map(matches, self._names))
        return list(dict.fromkeys(numbers))


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
    return PAGE_SUFFIX.sub("", strip_index(url)).rstrip("/")
