"""Find the source of a page by its path: the same path below a folder of sources.

This folder is never guessed for one page: most pages must agree on it.
"""

import posixpath
import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from functools import cache

from docs_sitemap.tools.files import compose_letters

from .project_files import TESTS

# The suffixes of documents, templates, and modules that the usual generators turn into
# pages.
_SOURCE = re.compile(
    r"\.(?:(?:html|md)\.(?:md|erb|haml|njk)|11ty\.js|md|mdx|markdown|mdown|mkd|rst|txt|adoc"
    r"|asciidoc|asc|org|textile|lr|dmark|ipynb|qmd|rmd|dj|x?html?|njk|liquid|hbs|ejs|pug|haml|astro|vue"
    r"|svelte|[jt]sx|typ|tex|pod|pyi?|jl)\Z",
    re.I,
)
# A page in Docusaurus and Gatsby. Scripts in other folders are only parts of pages.
_SCRIPT = re.compile(r"((?:^|/)src/pages/.+)\.js\Z")
DOCUMENT = re.compile(
    r"\.(?:md|mdx|markdown|mdown|mkd|rst|txt|adoc|asciidoc|asc|org|textile|lr|dmark|ipynb|qmd|rmd|dj|x?html?"
    r"|typ|tex|pod)\Z",
    re.I,
)
"""The suffixes of documents."""

MODULE = re.compile(r"\.(?:pyi?|jl)\Z")
"""The suffixes of modules from which API documentation is made."""

_PAGE = re.compile(r"\.x?html?\Z", re.I)

# The files that become the page of their folder.
_FOLDER_PAGES = {"index", "_index", "readme", "__init__", "contents", "+page", "page"}

# Their files have the same names as the pages of documentation, but are not its
# sources.
_OTHER_FILES = re.compile(
    rf"(?:^|/)(?:{TESTS}|examples?|vendor|node_modules)(?:/|$)", re.I
)

# At least two pages, and this share of all pages, must agree on a folder: a few pages
# of large sites have the names of other files by chance.
_MIN_SHARE = 0.04

# The folder of pages in several generators, which may have a source of the home page
# and few others.
_PAGES = "src/pages"

Key = tuple[str, ...]
"""The folders and the name in a path without what generators change: case, accents,
punctuation, suffixes, and the names of index files.
"""


def page_key(path: str) -> Key:
    """Return the key of an HTML file, a URL, or a slug that an author wrote."""
    path = _PAGE.sub("", path.strip()).strip("/")
    if path in ("", "index"):
        return ()
    return tuple(map(_fold, path.removesuffix("/index").split("/")))


def source_stem(path: str) -> str:
    """Return the path of a source without its suffix, and that of any other file
    unchanged.
    """
    stem = _SOURCE.sub("", path)
    if stem == path:
        return _SCRIPT.sub(r"\1", path)
    return stem


def has_same_name(page: str, path: str) -> bool:
    """Return whether a source file may become a page with the name of an HTML file.
    Files that never become a page, such as `contents.lr`, have the name of their
    folder.
    """
    *folders, name = source_stem(path).split("/")
    keys = {page_key(folder) for folder in folders[-1:]}
    if name != posixpath.basename(path):
        keys = {*_source_keys(folders[-1:], name), *_source_keys([], name)}
    return page_key(page)[-1:] in {key[-1:] for key in keys}


ChooseSources = Callable[[str, Sequence[str]], Sequence[str]]
"""Returns which of the files with the path of a page may be its source, because of
their words: several if the words do not decide, and none if all words differ.
"""


class SourcePaths:
    """Finds sources by the paths of pages.

    Attributes:
        found: The sources by page.
        is_tied: Whether equally many pages agree on two folders, and words do not
            decide which one contains the source of a page.

    Args:
        files: The files that git tracks, with `/` as separator.
        pages: The paths of the HTML files below the site.
        known: The sources that are already known, by page.
        root: The only folder of sources, if the user names it.
        choose: Compares the words of a page with those of its possible sources.
    """

    def __init__(
        self,
        files: Iterable[str],
        pages: Iterable[str],
        known: Mapping[str, str],
        root: str | None,
        choose: ChooseSources,
    ) -> None:
        self.found = dict(known)
        self.is_tied = False
        # The pages with possible sources in one of the matched folders. Even if there
        # are several of these sources, no other folder contains the correct one.
        self._settled: set[str] = set()
        self._keys = {page: page_key(page) for page in pages}
        self._choose = choose
        self._index = index_files(files)
        if root is None:
            self._match_below_agreed_folders()
        else:
            self._match_below([root])

    def _match_below_agreed_folders(self) -> None:
        """Match pages below the folder that contains the sources of the most pages,
        then below the folder that contains the sources of the most other pages, and so
        on.
        """
        done: set[str] = set()
        folders = self._find_folders(done)
        while folders:
            best = max(sorted(folders), key=lambda folder: len(folders[folder]))
            tied = []
            for folder, pages in sorted(folders.items()):
                is_equal = len(pages) == len(folders[best])
                if folder == best or (is_equal and _contradict(pages, folders[best])):
                    tied.append(folder)
            done.update(tied)
            self._match_below(tied)
            folders = self._find_folders(done)

    def _find_folders(self, done: set[str]) -> dict[str, dict[str, list[str]]]:
        """Return the folders on which pages agree, with the possible sources of each
        page.
        """
        folders: defaultdict[str, dict[str, list[str]]] = defaultdict(dict)
        used = set(self.found.values())
        for page, key in self._keys.items():
            if page in self._settled:
                continue
            known = self.found.get(page)
            for folder, files in self._index[key].items():
                # Every folder with an index file has the key of the home page.
                if not key and not folder.endswith(_PAGES):
                    continue
                is_free = known is None and not used.issuperset(files)
                if is_free or known in files:
                    folders[folder][page] = files
        likely = {}
        for folder, pages in folders.items():
            if folder not in done and self._is_likely(folder, len(pages), done):
                likely[folder] = pages
        return likely

    def _is_likely(self, folder: str, number: int, done: set[str]) -> bool:
        """Return whether a folder may be one of sources, because many pages agree on
        it.
        """
        if _OTHER_FILES.search(folder):
            return False
        # The other files at the top of a repository describe the project.
        if not folder and done:
            return False
        total = len(self._keys)
        least = max(min(2, total - 1), _MIN_SHARE * total)
        return number >= least or folder.endswith(_PAGES)

    def _match_below(self, folders: Sequence[str]) -> None:
        """Match the pages without a source with the files below folders."""
        exact: defaultdict[str, list[str]] = defaultdict(list)
        similar: defaultdict[str, list[str]] = defaultdict(list)
        # The README of a project is not the home page of its documentation.
        is_project = any(map(self._is_project, folders))
        used = set(self.found.values())
        for page, key in self._keys.items():
            if page in self.found or page in self._settled:
                continue
            possible, is_exact = self._possible_files(page, folders, used)
            if not possible or (is_project and not key and not is_exact):
                continue
            files = self._choose(page, possible)
            if not files:
                continue
            self._settled.add(page)
            if len(files) > 1:
                if len(folders) > 1:
                    self.is_tied = True
                continue
            similar[files[0]].append(page)
            if is_exact:
                exact[files[0]].append(page)
        for file, pages in similar.items():
            best = exact[file] or pages
            if len(best) == 1:
                self.found[best[0]] = file

    def _is_project(self, folder: str) -> bool:
        """Return whether a folder contains more than documents."""
        return not folder or f"{folder}/{_PAGES}" in self._index[()]

    def _possible_files(
        self, page: str, folders: Sequence[str], used: Set[str]
    ) -> tuple[list[str], bool]:
        """Return the files below folders that may become a page, and whether they have
        its path. If a file has the path, the others are left out, and so are the
        sources of other pages.
        """
        files = []
        exact = []
        path = _PAGE.sub("", page)
        for folder in folders:
            for file in self._index[self._keys[page]].get(folder, ()):
                if file in used:
                    continue
                files.append(file)
                stem = compose_letters(source_stem(file).removeprefix(f"{folder}/"))
                if stem in (path, path.removesuffix("/index")):
                    exact.append(file)
        return exact or files, bool(exact)


def _contradict(
    sources: Mapping[str, list[str]], others: Mapping[str, list[str]]
) -> bool:
    """Return whether two folders have different sources of the same page."""
    common = sources.keys() & others.keys()
    return any(sources[page] != others[page] for page in common)


def index_files(files: Iterable[str]) -> Mapping[Key, Mapping[str, list[str]]]:
    """Return files by the keys of their pages and the folders to which these are
    relative.
    """
    index: defaultdict[Key, dict[str, list[str]]] = defaultdict(dict)
    for file in files:
        stem = source_stem(file)
        if stem == file:
            continue
        *folders, name = stem.split("/")
        for depth in range(len(folders) + 1):
            start = "/".join(folders[:depth])
            for key in _source_keys(folders[depth:], name):
                index[key].setdefault(start, []).append(file)
    return index


def _source_keys(folders: list[str], name: str) -> Iterator[Key]:
    """Yield the keys of the pages that a source file may become."""
    plain = [_fold(folder) for folder in folders]
    yield (*plain, _fold(name))
    if name.lower() in _FOLDER_PAGES or folders[-1:] == [name]:
        yield tuple(plain)


@cache
def _fold(name: str) -> str:
    letters = unicodedata.normalize("NFKD", name.casefold())
    return "".join(filter(str.isalnum, letters)) or name
