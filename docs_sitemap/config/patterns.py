"""Patterns of pages: shell patterns that match source files and URLs.

A page has names in three tiers. A pattern applies only to the first tier in which it
matches any page: `guide` matches the page `guide.html`, unless `guide` is the exact
name of another page.
"""

import fnmatch
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache, partial
from itertools import compress, count, repeat
from operator import eq
from posixpath import splitext
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from docs_sitemap.sitemap.urls import PAGE_SUFFIX, strip_index
from docs_sitemap.tools.files import compose_letters

# What makes a text a pattern.
_MAGIC = re.compile(r"[*?[]")

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

    def stem_between(self, start: str, end: str) -> str:
        """Return the part of a name that is between two texts, if possible without
        suffix. If no name contains them, return the name without suffix: a pattern can
        match the full path.
        """
        stem = splitext(self.name)[0]
        between = re.compile(f"{re.escape(start)}(.*){re.escape(end)}", re.DOTALL)
        urls = _spellings([self.url])
        short = _short_names([self], urls)
        for names in ([stem], *short, *_exact_names([self], urls)):
            match = between.fullmatch(names[0])
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
    def _urls(self) -> list[list[str]]:
        return _spellings([page.url for page in self._pages])

    @cached_property
    def _exact(self) -> "_Tier":
        return _Tier(_exact_names(self._pages, self._urls))

    @cached_property
    def _short(self) -> "_Tier":
        return _Tier(_short_names(self._pages, self._urls))

    @cached_property
    def _full(self) -> "_Tier":
        path = urlsplit(self._base_url).path.lstrip("/")
        return _Tier(_full_names(self._pages, self._urls, (self._base_url, path)))


class _Tier:
    """The names in one tier.

    Args:
        columns: Lists with one name of each page. If a page has no name of a kind, the
            list repeats another of its names.
    """

    def __init__(self, columns: Iterable[list[str]]) -> None:
        self._columns: list[list[str]] = []
        for names in columns:
            if not all(map(str.isascii, names)):
                names = list(map(compose_letters, names))
            # In many sites, no URL has an index file to strip.
            if names not in self._columns:
                self._columns.append(names)

    def find(self, pattern: str) -> list[int]:
        """Return the numbers of the pages with a name that a pattern matches."""
        # A name can contain the characters of patterns.
        numbers = self._find_name(pattern)
        if numbers:
            return numbers
        start = _MAGIC.split(pattern, maxsplit=1)[0]
        if start == pattern:
            return self._find_name(strip_index(pattern))
        matches = compile_pattern(pattern).fullmatch
        found: set[int] = set()
        for names in self._columns:
            # Most names start differently.
            are_possible = map(str.startswith, names, repeat(start))
            for number in compress(count(), are_possible):
                if matches(names[number]):
                    found.add(number)
        return sorted(found)

    def _find_name(self, name: str) -> list[int]:
        found: set[int] = set()
        for names in self._columns:
            if name in names:
                found.update(compress(count(), map(partial(eq, name), names)))
        return sorted(found)


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


def _decode(url: str) -> str:
    if "%" not in url:
        return url
    folder, slash, name = url.rpartition("/")
    return f"{_unquote_folder(folder)}{slash}{unquote(name)}"


def _spellings(urls: list[str]) -> list[list[str]]:
    """Return the URLs as they are and, if any of them differs, decoded."""
    decoded = list(map(_decode, urls))
    return [urls] if decoded == urls else [urls, decoded]


def _exact_names(
    pages: Sequence[PageNames], spellings: Iterable[list[str]]
) -> Iterator[list[str]]:
    """Yield the source file of each page, with and without its suffix, the URL, and the
    HTML file.
    """
    yield [page.name for page in pages]
    for urls in spellings:
        yield urls
        yield list(map(strip_index, urls))
    stems = []
    for page in pages:
        is_source = page.source is not None or page.name.endswith(".md")
        stems.append(splitext(page.name)[0] if is_source else page.name)
    yield stems
    yield [page.output or page.name for page in pages]


def _short_names(
    pages: Sequence[PageNames], spellings: Iterable[list[str]]
) -> Iterator[list[str]]:
    """Yield the name and the URL of each page without suffix or trailing slash."""
    yield [PAGE_SUFFIX.sub("", page.name) for page in pages]
    for urls in spellings:
        yield list(map(_stem, urls))


def _full_names(
    pages: Sequence[PageNames], spellings: Iterable[list[str]], bases: Iterable[str]
) -> Iterator[list[str]]:
    """Yield the source file of each page from the project folder, and the URL below
    each base: in full and from the host.
    """
    for base in bases:
        for urls in spellings:
            full = [base + url for url in urls]
            yield full
            yield list(map(strip_index, full))
            yield list(map(_stem, full))
    sources = []
    stems = []
    for page in pages:
        source = page.source
        # In the site of any generator, the name is the HTML file.
        is_html = page.name == page.output
        if source is not None and (is_html or source.endswith(f"/{page.name}")):
            sources.append(source)
            stems.append(splitext(source)[0])
        else:  # a name in the first tier, in which the pattern matched no page
            sources.append(page.name)
            stems.append(page.name)
    yield sources
    yield stems
