"""Patterns of pages: shell patterns that match source files and URLs.

A page has names in three tiers. A pattern applies only to the first tier in which it
matches any page: `guide` matches the page `guide.html`, unless `guide` is the exact
name of another page.
"""

import fnmatch
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from glob import has_magic
from posixpath import splitext
from urllib.parse import unquote, urlsplit

from docs_sitemap.sitemap.urls import PAGE_SUFFIX, is_index, strip_index
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
        return [self.url, unquote(self.url)] if "%" in self.url else [self.url]

    def exact(self) -> list[str]:
        """Return the source file, with and without its suffix, and the URL."""
        urls = self._urls()
        names = [self.name, *urls]
        names += [strip_index(url) for url in urls if is_index(url)]
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
        # In the site of any generator, the name is the HTML file.
        is_own = self.name == self.output or (self.source or "").endswith(
            f"/{self.name}"
        )
        if self.source is not None and is_own:
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
        for name in (stem, *self.short(), *self.exact()):
            if (
                len(name) >= len(start) + len(end)
                and name.startswith(start)
                and name.endswith(end)
            ):
                return name[len(start) : len(name) - len(end)]
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
        self._tiers = [cache(partial(self._number, names)) for names in tiers]

    def find(self, pattern: str) -> list[int]:
        """Return the numbers of the pages that a pattern matches, sorted.

        All of them are from the first tier in which the pattern matches a page.
        """
        pattern = compose_letters(pattern).removeprefix("./").lstrip("/")
        matches = (_find(pattern, tier()) for tier in self._tiers)
        return sorted(next(filter(None, matches), ()))

    def _number(self, names: Callable[[PageNames], list[str]]) -> dict[str, set[int]]:
        """Return all names of a tier, each with the numbers of its pages."""
        numbers: dict[str, set[int]] = {}
        for number, page in enumerate(self._pages):
            for name in names(page):
                numbers.setdefault(compose_letters(name), set()).add(number)
        return numbers


def _find(pattern: str, names: Mapping[str, set[int]]) -> set[int]:
    if pattern in names:
        return names[pattern]
    if has_magic(pattern):
        matches = compile_pattern(pattern).fullmatch
        return set().union(*(names[name] for name in filter(matches, names)))
    return names.get(strip_index(pattern), set())


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
    return url.rstrip("/") if url.endswith("/") else PAGE_SUFFIX.sub("", url)
