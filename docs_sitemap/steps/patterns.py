"""Patterns of pages: shell patterns that match source files and URLs.

A page has names in three tiers. A pattern applies only to the first tier in which it
matches any page: `guide` matches the page `guide.html`, unless `guide` is the exact
name of another page.
"""

import fnmatch
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from glob import has_magic
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
        names = [self.name]
        for url in self._urls():
            names += [url, strip_index(url)]
        if self.source is not None or self.name.endswith(".md"):
            names.append(splitext(self.name)[0])
        if self.output is not None:
            names.append(self.output)
        return names

    def short(self) -> list[str]:
        """Return the name and the URL without suffix or trailing slash."""
        stems = [_stem(url) for url in self._urls()]
        return [PAGE_SUFFIX.sub("", self.name), *stems]

    def full(self, base_url: str) -> list[str]:
        """Return the source file from the project folder, and the URL in full and from
        the host.
        """
        names = []
        source = self.source
        if source is not None:
            # In the site of any generator, the name is the HTML file.
            is_html = self.name == self.output
            if is_html or source.endswith(f"/{self.name}"):
                names += [source, splitext(source)[0]]
        path = urlsplit(base_url).path.lstrip("/")
        for start in (base_url, path):
            for url in self._urls():
                full = start + url
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
            _find(pattern, self._exact)
            or _find(pattern, self._short)
            or _find(pattern, self._full)
        )

    @cached_property
    def _exact(self) -> list[list[str]]:
        return [_compose(page.exact()) for page in self._pages]

    @cached_property
    def _short(self) -> list[list[str]]:
        return [_compose(page.short()) for page in self._pages]

    @cached_property
    def _full(self) -> list[list[str]]:
        return [_compose(page.full(self._base_url)) for page in self._pages]


def _compose(names: Iterable[str]) -> list[str]:
    return [compose_letters(name) for name in names]


def _find(pattern: str, pages: Sequence[Sequence[str]]) -> list[int]:
    """Return the numbers of the pages with a name that a pattern matches."""
    # A name can contain the characters of patterns.
    numbers = _find_name(pattern, pages)
    if numbers:
        return numbers
    if not has_magic(pattern):
        return _find_name(strip_index(pattern), pages)
    matches = compile_pattern(pattern).fullmatch
    for number, names in enumerate(pages):
        if any(map(matches, names)):
            numbers.append(number)
    return numbers


def _find_name(name: str, pages: Sequence[Sequence[str]]) -> list[int]:
    return [number for number, names in enumerate(pages) if name in names]


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
