"""Find the source of a page by its path: the same path below a folder of sources.

This folder is never guessed for one page: most pages must agree on it.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping

# The suffixes of documents and templates in the usual generators.
_DOCUMENT = re.compile(
    r"\.(?:(?:html|md)\.(?:md|erb|haml|njk)|11ty\.js|md|mdx|markdown|mdown|mkd|rst|txt|adoc"
    r"|asciidoc|asc|org|textile|ipynb|qmd|rmd|dj|x?html?|njk|liquid|hbs|ejs|pug|haml|astro|vue"
    r"|svelte|[jt]sx|typ|tex|pod)\Z",
    re.I,
)
# Sites of API documentation have pages of modules.
_MODULE = re.compile(r"\.(?:py|pyi|js|ts|rb|jl)\Z", re.I)
_PAGE = re.compile(r"\.x?html?\Z", re.I)

# The files that become the page of their folder.
_FOLDER_PAGES = {"index", "_index", "readme", "__init__"}

# The folder in which Jekyll keeps dated posts.
_POSTS = "_posts"
_DATED = re.compile(r"(\d{4})-(\d\d?)-(\d\d?)-(.+)")
_ORDERED = re.compile(r"\d+[\d.]*[-_. )]+(?=.)")
_IN_LANGUAGE = re.compile(r"(.+)\.([a-z]{2}(?:[-_][A-Za-z]{2,4})?)")

Key = tuple[str, ...]
"""The folders and the name in a path without what generators change: case, accents, punctuation,
suffixes, and the names of index files.
"""


def page_key(path: str) -> Key:
    """Return the key of an HTML file, a URL, or a slug that an author wrote."""
    path = _PAGE.sub("", path.strip()).strip("/")
    names = [] if path in ("", "index") else path.removesuffix("/index").split("/")
    return tuple(map(_fold, names))


def is_document(path: str) -> bool:
    """Return whether a file can be the source of a page, by its suffix."""
    return _DOCUMENT.search(path) is not None


def source_ends(path: str) -> set[Key]:
    """Return the last parts of the keys of pages that a file may become; `()` for the home page."""
    *folders, name = _DOCUMENT.sub("", path).split("/")
    keys = {*_source_keys(folders[-1:], name), *_source_keys([], name)}
    return {key[-1:] for key in keys}


class SourcePaths:
    """Finds sources by the paths of pages.

    Attributes:
        roots: The folders of sources, the one on which most pages agree first.
        tied: Folders on which equally many pages agree, so that none of them is used.

    Args:
        files: The files that git tracks, with `/` as separator.
        pages: The paths of the HTML files below the site.
        known: The sources that are already known, by page.
        root: The only folder of sources, if the user names it.
    """

    def __init__(
        self,
        files: Collection[str],
        pages: Iterable[str],
        known: Mapping[str, str],
        root: str | None = None,
    ) -> None:
        self.roots: list[str] = []
        self.tied: tuple[str, ...] = ()
        self._keys = {page: page_key(page) for page in pages}
        self._known = known
        self._root = root
        self._found: dict[str, str] = {}
        for suffix in (_DOCUMENT, _MODULE):
            index = _index_files(files, suffix)
            while (next_root := self._next_root(index)) is not None:
                self._match_below(next_root, index)

    def find(self, page: str) -> str | None:
        """Return the source of a page; `None` if no source is certain."""
        return self._found.get(page)

    def match_slugs(self, slugs: Mapping[str, Key]) -> None:
        """Match the other pages with files whose authors chose a URL. A page and a file match if
        no other one does.

        Args:
            slugs: The end of the URL that authors chose, by file.
        """
        used = self._used()
        by_slug = defaultdict(list)
        for file, slug in slugs.items():
            if slug and file not in used:
                by_slug[slug].append(file)
        pages = defaultdict(list)
        for page, key in self._keys.items():
            if page not in self._known and page not in self._found:
                for start in range(len(key)):
                    pages[key[start:]].append(page)
        for slug, files in by_slug.items():
            if len(files) == 1 and len(pages[slug]) == 1:
                self._found[pages[slug][0]] = files[0]

    def _used(self) -> set[str]:
        return {*self._known.values(), *self._found.values()}

    def _next_root(self, index: _Index) -> str | None:
        """Return the folder that contains the sources of the most pages; `None` if no pages agree
        on a folder.
        """
        if self._root is not None:
            return None if self._root in self.roots else self._root
        used = self._used()
        pages: defaultdict[str, set[str]] = defaultdict(set)
        weights: defaultdict[str, int] = defaultdict(int)
        for page, key in self._keys.items():
            known = self._known.get(page) or self._found.get(page)
            # Every folder with an index file has the key of the home page.
            for root, files in index[key].items() if key else ():
                if known in files or (known is None and not used.issuperset(files)):
                    pages[root].add(page)
                    weights[root] += len(key)
        for root in self.roots:
            pages.pop(root, None)
        # The files at the top of a repository describe the project.
        least = 2 if self.roots or len(self._keys) > 2 else 1
        agreed = [
            root
            for root, agreeing in pages.items()
            if len(agreeing) >= least and (root or not self.roots)
        ]
        if not agreed:
            return None
        agreed.sort()
        # Longer paths agree less often by chance.
        first = max(agreed, key=lambda root: (len(pages[root]), weights[root]))
        tied = [
            root
            for root in agreed
            if (len(pages[root]), weights[root]) == (len(pages[first]), weights[first])
            and any(
                index[self._keys[page]][root] != index[self._keys[page]][first]
                for page in pages[root] & pages[first]
            )
        ]
        if tied:
            self.tied = (first, *tied)
            return None
        return first

    def _match_below(self, root: str, index: _Index) -> None:
        """Match the pages without a source with the files below a folder."""
        self.roots.append(root)
        used = self._used()
        for page, key in self._keys.items():
            if page in self._known or page in self._found:
                continue
            files = [file for file in index[key].get(root, ()) if file not in used]
            exact = [file for file in files if _is_exact(file, root, page)]
            # The README of a project is not the home page of its documentation.
            if len(exact or files) == 1 and (exact or key or root):
                self._found[page] = (exact or files)[0]


_Index = Mapping[Key, Mapping[str, list[str]]]


def _index_files(files: Iterable[str], suffix: re.Pattern[str]) -> _Index:
    """Return files by the keys of their pages and the folders to which these are relative."""
    index: defaultdict[Key, defaultdict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for file in files:
        *folders, name = suffix.sub("", file).split("/")
        if suffix.search(file) is None:
            continue
        for depth in range(len(folders) + 1):
            root = "/".join(folders[:depth])
            for key in {*_source_keys(folders[depth:], name)}:
                index[key][root].append(file)
    return index


def _source_keys(folders: list[str], name: str) -> Iterator[Key]:
    """Yield the keys of the pages that a source file may become."""
    plain = [*map(_fold, folders)]
    yield (*plain, _fold(name))
    if name.lower() in _FOLDER_PAGES:
        yield tuple(plain)
    ordered = [_fold(_ORDERED.sub("", folder)) for folder in folders if folder != _POSTS]
    yield (*ordered, _fold(_ORDERED.sub("", name)))
    if name.lower() in _FOLDER_PAGES:
        yield tuple(ordered)
    if dated := _DATED.fullmatch(name):
        yield (*ordered, *dated.groups()[:3], _fold(dated[4]))
        yield (*ordered, _fold(dated[4]))
    if translated := _IN_LANGUAGE.fullmatch(name):
        for key in _source_keys(folders, translated[1]):
            yield (_fold(translated[2]), *key)


def _fold(name: str) -> str:
    letters = unicodedata.normalize("NFKD", name.casefold())
    return "".join(filter(str.isalnum, letters)) or name


def _is_exact(file: str, root: str, page: str) -> bool:
    """Return whether a file has the path of a page, except for the suffix."""
    below = os.path.relpath(file, root or ".").replace(os.sep, "/")
    return unicodedata.normalize("NFC", below.partition(".")[0]) == _PAGE.sub("", page)
