"""Find the source of a page by its path: the file that the option `sources` names for
it, or the same path below a folder of sources.

This folder is never guessed for one page: it contains the sources of other pages.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import (
    Callable,
    Collection,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
    Set,
)
from dataclasses import dataclass, field
from functools import cache
from pathlib import PurePosixPath
from posixpath import dirname, splitext

from docs_sitemap.config.parsers import PLACEHOLDER
from docs_sitemap.tools.files import compose_letters

from .project_files import TESTS, ProjectFiles

_DOCUMENTS = "mdx?|markdown|rst|txt|adoc|asciidoc|org|textile|rdoc|ipynb|[qr]md|x?html?"
DOCUMENT = re.compile(rf"\.(?:{_DOCUMENTS})\Z", re.I)
"""The suffixes of usual documents."""

# The suffixes of documents and templates that the usual generators turn into pages.
_SOURCE = re.compile(
    r"\.(?:(?:html|md)\.(?:md|erb|haml|njk)|11ty\.js|njk|liquid|hbs|ejs|pug|haml|astro"
    rf"|vue|svelte|[jt]sx|{_DOCUMENTS})\Z",
    re.I,
)
# A page in Docusaurus and Gatsby. Scripts in other folders are only parts of pages.
_SCRIPT = re.compile(r"(?:^|/)src/pages/.+\.js\Z")

CODE = re.compile(
    r"\.(?:[ch]|[ch]pp|cc|cs|cxx|dart|ex|f|f90|go|hs|java|jl|[cm]?js|kt|lua|m|ml|php"
    r"|p[lm]|pyi?|rb|rs|scala|swift|(?<!\.d\.)ts)\Z",
    re.I,
)
"""The suffixes of code whose comments become API documentation."""

_PAGE = re.compile(r"\.x?html?\Z", re.I)

# The files that become the page of their folder.
_FOLDER_PAGES = {"index", "_index", "readme", "__init__", "contents", "+page", "page"}

OTHER_FILES = re.compile(
    rf"(?:^|/)(?:{TESTS}|examples?|vendor|node_modules)(?:/|$)", re.I
)
"""Folders whose files have the names of pages or of code, but are not their sources."""

# At least so many pages, and this share of them, have the paths of files with a suffix
# that is no usual one of documents, if such files are sources.
_MIN_SUFFIX = 3
_MIN_SUFFIX_SHARE = 0.1

# Paths alone decide where links and words show the sources of fewer pages.
_MIN_KNOWN = 0.5
# At least two pages, and this share of all pages, must then agree on a folder: a few
# pages of large sites have the names of other files by chance.
_MIN_SHARE = 0.04

# The folder of pages in several generators, which may have a source of the home page
# and few others.
_PAGES = "src/pages"

PlainPath = tuple[str, ...]
"""The folders and the name in a path without what generators change: case, accents,
punctuation, suffixes, and the names of index files.
"""


def plain_path(path: str) -> PlainPath:
    """Return the plain path of an HTML file, a URL, or a slug that an author wrote."""
    path = _PAGE.sub("", path.strip()).strip("/")
    if path in ("", "index"):
        return ()
    return tuple(map(_fold, path.removesuffix("/index").split("/")))


def source_stem(path: str) -> str:
    """Return the path of a source without its suffix."""
    stem = _SOURCE.sub("", path)
    return splitext(path)[0] if stem == path else stem


def is_usual(path: str) -> bool:
    """Return whether the usual generators turn a file into a page."""
    return bool(_SOURCE.search(path) or _SCRIPT.search(path))


def find_unusual(files: Iterable[str], pages: Collection[str]) -> list[str]:
    """Return the files with an unusual suffix that may be sources: several pages have
    the paths of files with this suffix, and no usual document has them.

    Args:
        files: The files that git tracks, with `/` as separator.
        pages: The paths of the HTML files below the site whose sources are unknown.
    """
    usual = []
    unusual: defaultdict[str, list[str]] = defaultdict(list)
    for file in files:
        if is_usual(file):
            usual.append(file)
        else:
            unusual[splitext(file)[1].lower()].append(file)
    unusual.pop("", None)
    wanted = set(map(plain_path, pages)) - {()}
    free = wanted - index_files(usual, wanted).keys()
    least = max(_MIN_SUFFIX, _MIN_SUFFIX_SHARE * len(pages))
    found = []
    for same in unusual.values():
        likely = [file for file in same if not OTHER_FILES.search(file)]
        if len(index_files(likely, free)) >= least:
            found += same
    return found


def has_same_name(page: str, path: str) -> bool:
    """Return whether a source file may become a page with the name of an HTML file."""
    *folders, name = source_stem(path).split("/")
    paths = {*_plain_paths(folders[-1:], name), *_plain_paths([], name)}
    return plain_path(page)[-1:] in {path[-1:] for path in paths}


CompareWords = Callable[[str, Sequence[str]], tuple[Sequence[str], Sequence[str]]]
"""Returns which of some files have the words of a page, and which files have too few
words to tell.
"""


class SourcePaths:
    """Finds sources by the paths of pages: the same path below a folder of sources.

    Attributes:
        found: The sources by page.
        is_tied: Whether a page has files in two folders, and nothing tells which one
            contains its source.

    Args:
        files: The tracked files that may be sources, with `/` as separator.
        pages: The paths of the HTML files below the site whose sources are unknown.
        known: The sources of other pages.
        matched: The documents whose words these pages contain.
        root: The only folder of sources, if the user names it.
        compare: Compares the words of a page with those of files.
    """

    def __init__(
        self,
        files: Iterable[str],
        pages: Iterable[str],
        known: Mapping[str, str],
        matched: Mapping[str, str],
        root: str | None,
        compare: CompareWords,
    ) -> None:
        self.found: dict[str, str] = {}
        self.is_tied = False
        self._plain_paths = {page: plain_path(page) for page in pages}
        self._matched = matched
        self._used = {*known.values(), *matched.values()}
        self._compare = compare
        wanted = {(), *self._plain_paths.values()}
        wanted.update(map(plain_path, known), map(plain_path, matched))
        self._index = index_files(files, wanted)
        if root is None:
            self._ranks = self._rank_folders({**known, **matched})
        else:
            self._ranks = {root: 1}
        for page in self._plain_paths:
            file = self._match(page)
            if file is not None:
                self.found[page] = file

    def _rank_folders(self, known: Mapping[str, str]) -> dict[str, int]:
        """Return the folders of sources, with the number of pages that have the path of
        their source below them, and the folders above, which may have other pages.
        """
        numbers = Counter[str]()
        above: set[str] = set()
        for page, source in known.items():
            for folder, files in self._index[plain_path(page)].items():
                if source in files:
                    numbers[folder] += 1
            # Posts in the same folder may have any path.
            for parent in PurePosixPath(dirname(source)).parents:
                above.add(str(parent).removeprefix("."))
        for folder in self._index[()]:
            if folder.endswith(_PAGES) and not OTHER_FILES.search(folder):
                above.add(folder)
        ranks = dict(numbers)
        if not ranks and len(known) < _MIN_KNOWN * len(self._plain_paths):
            ranks = self._find_agreed_folders()
        return dict.fromkeys(above, 0) | ranks

    def _find_agreed_folders(self) -> dict[str, int]:
        """Return the folders with files for the most pages."""
        numbers = Counter[str]()
        for plain in self._plain_paths.values():
            for folder, files in self._index[plain].items():
                # Every folder with an index file has the plain path of the home page.
                if plain and not self._used.issuperset(files):
                    numbers[folder] += 1
        total = len(self._plain_paths)
        least = max(min(2, total - 1), _MIN_SHARE * total)
        likely = {}
        for folder, number in numbers.items():
            if number >= least and not OTHER_FILES.search(folder):
                likely[folder] = number
        most = max(likely.values(), default=0)
        return {folder: number for folder, number in likely.items() if number == most}

    def _match(self, page: str) -> str | None:
        """Return the file with the path of a page below the first folder that has one;
        `None` if it is unclear which file it is.
        """
        for folders in self._find_files(page):
            likely, unknown = self._compare(page, list(folders))
            possible = likely or unknown
            if len(possible) == 1:
                return possible[0]
            if possible:
                if len({folders[file] for file in possible}) > 1:
                    self.is_tied = True
                break
        return None

    def _find_files(self, page: str) -> list[dict[str, str]]:
        """Return the files with the path of a page, each with its folder of sources, in
        groups: those in the most likely folders first.
        """
        path = _PAGE.sub("", page)
        groups: defaultdict[tuple[int, int, bool], dict[str, str]] = defaultdict(dict)
        for folder, files in self._index[self._plain_paths[page]].items():
            if folder not in self._ranks:
                continue
            rank = self._ranks[folder]
            for file in files:
                # Another page contains more of its words, such as a newer version.
                if file in self._used and file != self._matched.get(page):
                    continue
                stem = compose_letters(source_stem(file).removeprefix(f"{folder}/"))
                is_exact = stem in (path, path.removesuffix("/index"))
                if rank:
                    groups[rank, 0, is_exact][file] = folder
                # The README of a project is not the home page of its documentation.
                elif is_exact:
                    groups[0, len(folder), is_exact][file] = folder
        return [groups[place] for place in sorted(groups, reverse=True)]


def index_files(
    files: Iterable[str], wanted: Set[PlainPath]
) -> Mapping[PlainPath, Mapping[str, list[str]]]:
    """Return files by the plain paths of their pages and the folders to which these are
    relative.

    Args:
        files: The files, with `/` as separator.
        wanted: The plain paths to look for. Deep files have too many others.
    """
    lengths = set(map(len, wanted))
    index: defaultdict[PlainPath, dict[str, list[str]]] = defaultdict(dict)
    for file in files:
        *folders, name = source_stem(file).split("/")
        for depth in range(len(folders) + 1):
            below = len(folders) - depth
            # The page of a folder has the path of the folder.
            if below not in lengths and below + 1 not in lengths:
                continue
            start = "/".join(folders[:depth])
            for plain in _plain_paths(folders[depth:], name):
                if plain in wanted:
                    index[plain].setdefault(start, []).append(file)
    return index


def _plain_paths(folders: list[str], name: str) -> Iterator[PlainPath]:
    """Yield the plain paths of the pages that a source file may become."""
    plain = [_fold(folder) for folder in folders]
    yield (*plain, _fold(name))
    if name.lower() in _FOLDER_PAGES:
        yield tuple(plain)


@cache
def _fold(name: str) -> str:
    letters = unicodedata.normalize("NFKD", name.casefold())
    return "".join(filter(str.isalnum, letters)) or name


@dataclass
class SourceMapping:
    """Finds the sources of pages that the user names.

    Attributes:
        sources: The sources below the top level of the project, by page: a folder by a
            folder, both with `/` at the end, or a file by a page. Both may contain
            `{name}`.
        project: The files that git tracks.
        used: Receives the pages of `sources` for which there are files.
    """

    sources: Mapping[str, str]
    project: ProjectFiles
    used: set[str] = field(default_factory=set)
    _indexes: dict[str, Mapping[PlainPath, Sequence[str]]] = field(default_factory=dict)

    def sources_of(self, page: str) -> Sequence[str]:
        """Return the files from which a page may be made: of the first mapping that
        has any.

        Args:
            page: The path of the HTML file below the site.
        """
        for pattern, source in self.sources.items():
            if pattern.endswith("/"):
                files = self._find_below(page, pattern, source.rstrip("/"))
            else:
                files = self._find_named(page, pattern, source)
            if files:
                self.used.add(pattern)
                return files
        return ()

    def _find_below(self, page: str, folder: str, source: str) -> Sequence[str]:
        """Return the files with the path of a page below a folder."""
        if not page.startswith(folder):
            return ()
        plain = plain_path(page.removeprefix(folder))
        if source not in self._indexes:
            self._indexes[source] = self._index_below(source)
        return self._indexes[source].get(plain, ())

    def _index_below(self, folder: str) -> Mapping[PlainPath, Sequence[str]]:
        """Return the documents below a folder by the plain paths of their pages."""
        start = f"{folder}/" if folder else ""
        index = defaultdict(list)
        for file in self.project.paths.values():
            if file.startswith(start) and is_usual(file):
                *folders, name = source_stem(file.removeprefix(start)).split("/")
                for plain in _plain_paths(folders, name):
                    index[plain].append(file)
        return index

    def _find_named(self, page: str, pattern: str, source: str) -> Sequence[str]:
        start, placeholder, end = pattern.partition(PLACEHOLDER)
        name = ".+" if placeholder else ""
        match = re.fullmatch(f"{re.escape(start)}({name}){re.escape(end)}", page)
        if match is None:
            return ()
        file = self.project.tracked(source.replace(PLACEHOLDER, match[1]))
        return () if file is None else (file,)
