"""Patterns of pages: shell patterns that match source files and URLs.

A page has names in three tiers. A pattern applies only to the first tier in which it
matches any page: `guide` matches the page `guide.html`, unless `guide` is the exact
name of another page.
"""

import fnmatch
import re
from collections import defaultdict
from collections.abc import Iterable
from functools import cached_property, lru_cache
from posixpath import splitext
from urllib.parse import unquote, urlsplit

import msgspec

from docs_sitemap.sitemap.urls import INDEX_FILE, PAGE_SUFFIX, strip_index
from docs_sitemap.tools.files import compose_letters

# What makes a text a pattern.
_MAGIC = re.compile(r"[*?[]")

# A folder contains many pages.
_unquote_folder = lru_cache(maxsize=1_000)(unquote)

_FOLDERS = re.compile(r"(?:^|(?<=/))(?:\*\*/)+")


class PageNames(msgspec.Struct, frozen=True):
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

    def exact(self) -> list[str]:
        """Return the source file, with and without its suffix, and the URL."""
        names = [self.name]
        for url in _spellings(self.url):
            names.append(url)
            if url.endswith(INDEX_FILE):
                names.append(strip_index(url))
        if self.source is not None or self.name.endswith(".md"):
            names.append(splitext(self.name)[0])
        return names

    def short(self) -> list[str]:
        """Return the name and the URL without suffix or trailing slash."""
        stems = map(_stem, _spellings(self.url))
        return [PAGE_SUFFIX.sub("", self.name), *stems]

    def full(self, base_url: str) -> list[str]:
        """Return the URL in full and from the host, the source file from the project
        folder, and the HTML file.
        """
        names: list[str] = []
        for base in (base_url, urlsplit(base_url).path.lstrip("/")):
            for url in _spellings(base + self.url):
                names += (url, strip_index(url), _stem(url))
        # In the site of any generator, the name is the HTML file.
        is_html = self.name == self.output
        source = self.source
        if source is not None and (is_html or source.endswith(f"/{self.name}")):
            names += (source, splitext(source)[0])
        if self.output is not None:
            names.append(self.output)
        return names


class _Tier:
    """The names in one tier, each with the numbers of its pages.

    Args:
        pages: The names of each page.
    """

    def __init__(self, pages: Iterable[Iterable[str]]) -> None:
        # Nearly all names have one page, and many lists would take time and memory.
        self._first: dict[str, int] = {}
        self._others: defaultdict[str, list[int]] = defaultdict(list)
        for number, names in enumerate(pages):
            for name in names:
                if not name.isascii():
                    name = compose_letters(name)
                if self._first.setdefault(name, number) != number:
                    self._others[name].append(number)

    def match(self, pattern: str) -> set[int]:
        """Return the numbers of the pages with a name that a pattern matches."""
        start = _MAGIC.split(pattern, maxsplit=1)[0]
        # A name can contain the characters of patterns.
        if pattern in self._first:
            names = [pattern]
        elif start == pattern:
            names = [strip_index(pattern)]
        else:
            # Most names start differently.
            names = [name for name in self._first if name.startswith(start)]
            names = list(filter(compile_pattern(pattern).fullmatch, names))
        numbers: set[int] = set()
        for name in names:
            if name in self._first:
                numbers.add(self._first[name])
                numbers.update(self._others.get(name, ()))
        return numbers


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

    def match(self, pattern: str) -> list[int]:
        """Return the numbers of the pages that a pattern matches, sorted.

        All of them are from the first tier in which the pattern matches a page.
        """
        pattern = compose_letters(pattern).removeprefix("./").lstrip("/")
        return sorted(
            self._exact.match(pattern)
            or self._short.match(pattern)
            or self._full.match(pattern)
        )

    @cached_property
    def _exact(self) -> _Tier:
        return _Tier(map(PageNames.exact, self._pages))

    @cached_property
    def _short(self) -> _Tier:
        return _Tier(map(PageNames.short, self._pages))

    @cached_property
    def _full(self) -> _Tier:
        return _Tier(page.full(self._base_url) for page in self._pages)


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


def _spellings(url: str) -> tuple[str, ...]:
    """Return a URL as it is and, if that differs, decoded."""
    if "%" not in url:
        return (url,)
    folder, slash, name = url.rpartition("/")
    return url, f"{_unquote_folder(folder)}{slash}{unquote(name)}"
