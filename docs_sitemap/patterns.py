"""Which pages a user's patterns mean: by source file or URL, in whatever way they are written."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fnmatch import translate
from posixpath import splitext
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from docs_sitemap.model import Page, Problem, ProblemKind, Rule
from docs_sitemap.options import Options
from docs_sitemap.site import page_url, walk_pages

_WILDCARDS = re.compile(r"[*?\[]")


class Names(NamedTuple):
    """What a page may be called: a pattern must match the whole of one of these.

    Attributes:
        own: the page's source file and URL, in each way to write them.
        other: its URL as it would be in the other URL styles.
    """

    own: frozenset[str]
    other: frozenset[str]


@dataclass(frozen=True, slots=True)
class Matches:
    """The pages of a site, and what the patterns of the options say of each.

    Attributes:
        pages: the pages that were given and, after them, other HTML files of the output that
            `include` asks for.
        included: from a page's number to the pattern of `include` that matches it first.
        excluded: the same for `exclude`.
        rules: from a page's number to the first rule that matches it.
        dependencies: from a page's number to the files that the options name for it.
        problems: patterns that match nothing.
    """

    pages: list[Page]
    included: dict[int, str] = field(default_factory=dict)
    excluded: dict[int, str] = field(default_factory=dict)
    rules: dict[int, Rule] = field(default_factory=dict)
    dependencies: dict[int, list[str]] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)


def match_patterns(
    pages: Iterable[Page],
    options: Options,
    base_url: str,
    out_dir: str | os.PathLike[str],
    root: str | os.PathLike[str],
) -> Matches:
    """Match the patterns of all options against all pages.

    Args:
        pages: those of the site.
        options: the options of the sitemap.
        base_url: what each page's `url` is relative to.
        out_dir: the folder of the built site.
        root: the folder that source files are named from.
    """
    matches = Matches([*pages])
    if not (options.include or options.exclude or options.rules or options.dependencies):
        return matches
    finder = _Finder(matches, base_url, out_dir, root)
    for pattern in options.include:
        for number in finder.find(pattern, "include", others=True):
            matches.included.setdefault(number, pattern)
    for pattern in options.exclude:
        for number in finder.find(pattern, "exclude"):
            matches.excluded.setdefault(number, pattern)
    for rule in options.rules:
        for pattern in rule.match:
            for number in finder.find(pattern, "rules"):
                matches.rules.setdefault(number, rule)
    for pattern, files in options.dependencies:
        for number in finder.find(pattern, "dependencies"):
            matches.dependencies.setdefault(number, []).extend(files)
    return matches


class _Finder:
    def __init__(
        self,
        matches: Matches,
        base_url: str,
        out_dir: str | os.PathLike[str],
        root: str | os.PathLike[str],
    ) -> None:
        self._matches = matches
        self._base_url = base_url
        self._out_dir = os.path.abspath(out_dir)
        self._root = os.path.join(os.path.abspath(root), "")
        self._names = [self._names_of(page) for page in matches.pages]
        self._others: list[tuple[Page, Names]] | None = None

    def find(self, pattern: str, option: str, *, others: bool = False) -> list[int]:
        """Return the numbers of the pages that a pattern matches; note if there is none.

        Args:
            pattern: the pattern.
            option: where it stands.
            others: whether HTML files that are no page of the site's may become one.
        """
        found = matching(pattern, self._names)
        if others:
            found += self._adopt(pattern)
        if not found and not matching(pattern, [names for _, names in self._other_pages()]):
            self._matches.problems.append(
                Problem(
                    ProblemKind.PATTERN,
                    f"{option}: {pattern!r} matches no page; correct it, or remove it",
                )
            )
        return found

    def _adopt(self, pattern: str) -> list[int]:
        others = self._other_pages()
        adopted = [others[i] for i in matching(pattern, [names for _, names in others])]
        first = len(self._names)
        self._matches.pages.extend(page for page, _ in adopted)
        self._names += [names for _, names in adopted]
        self._others = [other for other in others if other not in adopted]
        return [*range(first, len(self._names))]

    def _other_pages(self) -> list[tuple[Page, Names]]:
        """The HTML files in the output that belong to no page: static ones, redirects, 404."""
        if self._others is None:
            known = {page.output for page in self._matches.pages}
            self._others = []
            for path in walk_pages(self._out_dir):
                output = os.path.join(self._out_dir, *path.split("/"))
                if output not in known:
                    page = Page(url=page_url(path), name=path, output=output)
                    self._others.append((page, self._names_of(page)))
        return self._others

    def _names_of(self, page: Page) -> Names:
        source = page.sources[0].replace(os.sep, "/") if page.sources else None
        if source is not None:
            source = source.removeprefix(self._root.replace(os.sep, "/"))
        return page_names(page.name, page.url, source, self._base_url)


def page_names(name: str, url: str, source: str | None, base_url: str) -> Names:
    """Return what a page may be called.

    Args:
        name: what the build calls it.
        url: its URL relative to the base URL.
        source: its source file, relative to the project's folder; `None` if it has none.
        base_url: the URL that those of all pages begin with.
    """
    own = {name}
    if source is not None and source.endswith(f"/{name}"):
        own.add(source)
    if source is not None or name.endswith(".md"):
        own |= {splitext(name)[0] for name in own}
    folder = urlsplit(base_url).path.lstrip("/")
    other = set()
    for spelled in {url, unquote(url)}:
        plain = spelled.removesuffix("index.html") if _is_index(spelled) else spelled
        stem = plain.rstrip("/") if plain.endswith("/") else splitext(plain)[0]
        forms = {spelled, plain, stem}
        if not plain or plain.endswith("/"):
            forms.add(f"{plain}index.html")
        own |= forms | {f"{folder}{form}" for form in forms} | {f"{base_url}{spelled}"}
        if stem:
            other |= {f"{stem}/", f"{stem}.html", f"{folder}{stem}/", f"{folder}{stem}.html"}
    return Names(frozenset(own), frozenset(other))


def _is_index(url: str) -> bool:
    return url == "index.html" or url.endswith("/index.html")


def matching(pattern: str, pages: Sequence[Names]) -> list[int]:
    """Return the numbers of the pages that a pattern matches.

    Other URL styles count only for a pattern that means no page as the site is: `guide/` is
    the page `guide.html`, but not if there is a `guide/index.html`.
    """
    pattern = pattern.removeprefix("./").lstrip("/")
    found = _search(pattern, [names.own for names in pages])
    if not found and not _WILDCARDS.search(pattern) and _is_index(pattern):
        pattern = pattern.removesuffix("index.html")
    return found or _search(pattern, [names.other for names in pages])


def _search(pattern: str, pages: Sequence[frozenset[str]]) -> list[int]:
    if not _WILDCARDS.search(pattern):
        return [number for number, names in enumerate(pages) if pattern in names]
    match = re.compile(translate(pattern)).match
    return [number for number, names in enumerate(pages) if any(map(match, names))]
