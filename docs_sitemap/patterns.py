"""Patterns of pages: shell patterns that match source files and URLs.

A page has names in three tiers. A pattern applies only to the first tier in which it matches any
page: `guide` matches the page `guide.html`, unless `guide` is the exact name of another page.
"""

from __future__ import annotations

import fnmatch
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable
from enum import IntEnum
from posixpath import splitext
from urllib.parse import unquote, urlsplit

from docs_sitemap.sitemap.urls import PAGE_SUFFIX, is_index, strip_index

_WILDCARD = re.compile(r"[*?\[]")
# The parts of a pattern that match texts of different lengths, sets of characters, and characters.
_TOKEN = re.compile(
    r"(?P<folders>(?:^|(?<=/))(?:\*\*/)+) | (?P<text>\*+) | \[!?\]?[^\]]*\] | .", re.S | re.X
)


class PageNames:
    """The names of a page that patterns can match.

    Args:
        name: The name of the page in the build.
        url: The URL relative to the base URL.
        source: The source file relative to the project folder; `None` if there is none.
        output: The HTML file relative to the site's folder, if it is a name, too.
    """

    __slots__ = ("_name", "_output", "_source", "_url")

    def __init__(
        self, name: str, url: str, source: str | None = None, output: str | None = None
    ) -> None:
        self._name = name
        self._source = source
        self._output = output
        self._url = url

    def _urls(self) -> list[str]:
        return [self._url, unquote(self._url)] if "%" in self._url else [self._url]

    def exact(self) -> list[str]:
        """Return the source file, with and without its suffix, and the URL."""
        urls = self._urls()
        names = [self._name, *urls]
        if self._source is not None or self._name.endswith(".md"):
            names.append(splitext(self._name)[0])
        if self._output is not None:
            names.append(self._output)
        names += [strip_index(url) for url in urls if is_index(url)]
        return names

    def short(self) -> list[str]:
        """Return the name and the URL without suffix or trailing slash."""
        return [PAGE_SUFFIX.sub("", self._name), *map(_stem, self._urls())]

    def stem_between(self, start: str, end: str) -> str:
        """Return the part of a name that is between two texts, if possible without suffix. If no
        name contains them, return the name without suffix: a pattern can match the full path.
        """
        stem = splitext(self._name)[0]
        for name in (stem, *self.short(), *self.exact()):
            if len(name) >= len(start) + len(end) and name.startswith(start) and name.endswith(end):
                return name[len(start) : len(name) - len(end)]
        return stem

    def source_folder(self) -> str | None:
        """Return the folder of the sources relative to the project folder, if it is known."""
        if self._source is None or not self._source.endswith(f"/{self._name}"):
            return None
        return self._source.removesuffix(self._name)

    def full(self, base_url: str, base_path: str) -> list[str]:
        """Return the source file from the project folder, and the URL in full and from the host."""
        names = []
        folder = self.source_folder()
        if folder is not None:
            names += [f"{folder}{self._name}", f"{folder}{splitext(self._name)[0]}"]
        for start in (base_url, base_path):
            for url in self._urls():
                names += [f"{start}{url}", f"{start}{strip_index(url)}"]
                names.append(f"{start}{_stem(url)}".rstrip("/"))
        return names


class Tier(IntEnum):
    """The groups of names, in the order in which they are searched."""

    EXACT = 0
    SHORT = 1
    FULL = 2


class NameIndex:
    """Finds pages by their names. The names of a tier are computed when a pattern needs them.

    Args:
        pages: The names of each page.
        base_url: The URL that the URLs of all pages start with.
    """

    def __init__(self, pages: Iterable[PageNames], base_url: str) -> None:
        self._pages = [*pages]
        self._base_url = base_url
        self._base_path = urlsplit(base_url).path.lstrip("/")
        self._tiers: dict[Tier, dict[str, set[int]]] = {}

    def find(self, pattern: str, tier: Tier) -> list[int]:
        """Return the numbers of the pages that a pattern matches in one tier, sorted."""
        pattern = _normalize(pattern).removeprefix("./").lstrip("/")
        names = self._names(tier)
        found = {*names.get(pattern, ())}
        if not found and _WILDCARD.search(pattern):
            start = _WILDCARD.split(pattern, maxsplit=1)[0]
            matches = compile_pattern(pattern).fullmatch
            for name, numbers in names.items():
                if name.startswith(start) and matches(name):
                    found |= numbers
        elif not found and is_index(pattern):
            found = {*names.get(strip_index(pattern), ())}
        return sorted(found)

    def _names(self, tier: Tier) -> dict[str, set[int]]:
        """Return all names of a tier, each with the numbers of its pages."""
        if tier not in self._tiers:
            found: defaultdict[str, set[int]] = defaultdict(set)
            for number, page in enumerate(self._pages):
                for name in self._names_of(page, tier):
                    found[_normalize(name)].add(number)
            self._tiers[tier] = dict(found)
        return self._tiers[tier]

    def _names_of(self, page: PageNames, tier: Tier) -> list[str]:
        if tier is Tier.EXACT:
            return page.exact()
        if tier is Tier.SHORT:
            return page.short()
        return page.full(self._base_url, self._base_path)


def find_pages(pattern: str, *indexes: NameIndex) -> tuple[list[int], ...]:
    """Return the numbers of the pages that a pattern matches, for each index.

    All of them are from the first tier in which the pattern matches a page of any index.
    """
    found: list[list[int]] = [[] for _ in indexes]
    for tier in Tier:
        if not any(found):
            found = [index.find(pattern, tier) for index in indexes]
    return tuple(found)


def compile_pattern(pattern: str) -> re.Pattern[str]:
    """Compile a shell pattern: `*` matches any text including `/`, and `**/` any folders or none.

    `guide/*` and `guide/**` do not match `guide/` itself.
    """
    pattern = re.sub(r"/\*+\Z", "/?*", pattern)
    expression = gap = fixed = ""
    for token in _TOKEN.finditer(pattern):
        if token.lastgroup is None:
            fixed += token[0]
            continue
        # The first place where the fixed text matches is as good as any later one. With an atomic
        # group, no other places are tried, so the work does not grow with the number of `*`.
        expression += f"(?>{gap}{_translate(fixed)})"
        gap = "(?:|.*?/)" if token.lastgroup == "folders" else ".*?"
        fixed = ""
    return re.compile(f"{expression}{gap}{_translate(fixed)}", re.S)


def _translate(pattern: str) -> str:
    r"""Return the regular expression of a pattern without its anchor at the end, which is `\Z` or,
    from Python 3.14 on, `\z`.
    """
    return re.sub(r"\\[Zz]\Z", "", fnmatch.translate(pattern))


def _stem(url: str) -> str:
    """Return a URL without its suffix, its index file, or its trailing slash."""
    url = strip_index(url)
    return url.rstrip("/") if url.endswith("/") else PAGE_SUFFIX.sub("", url)


def _normalize(text: str) -> str:
    """Compose letters, because file systems, editors, and keyboards write them differently."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)
