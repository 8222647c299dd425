"""The rules that find the sources of a page in the site of any generator."""

import os
import posixpath
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import PurePosixPath

from docs_sitemap.page import SourceRule
from docs_sitemap.tools.files import relative_path
from docs_sitemap_cli.site.page import read_page
from docs_sitemap_cli.site.version_names import is_release_name

from .built_files import BuiltFile
from .project_files import ProjectFiles
from .source_mapping import SourceMapping
from .source_paths import (
    DOCUMENT,
    MODULE,
    SourcePaths,
    has_same_name,
    source_stem,
)
from .words import (
    NO_WORDS,
    Words,
    count_common,
    document_words,
    find_documents,
    page_words,
    share,
)

# The share of pages with edit links, from which a site has edit links. Others are part
# of the text.
_MIN_EDITED = 0.5
# The same for source links. API documentation also has pages of modules and lists
# without them.
_MIN_LINKED = 0.25

# So many files with one name are compared with a page.
_MAX_SAME_NAME = 20

# Folders with the pages of older versions.
_OLD_NAMES = {"archive", "old"}
# A folder with the version of the newest sources. The version at the top of the site is
# older.
_NEWEST = re.compile(r"(?:^|/)(?:dev|next|nightly|main|master)/")
# One file such as `[slug].md` is the template of many pages.
_TEMPLATE = re.compile(r"\[[^/]*\][^/]*\Z")
_TEMPLATE_SUFFIXES = (".html", ".njk", ".liquid", ".hbs")
_TEMPLATE_CODE = re.compile(rb"\{[{%]")
_LOOP = re.compile(rb"\{%-?\s*for\s|\{\{-?\s*range\s|\{\{#each\s")


@dataclass
class SourceRules:
    """Finds the sources of each page of a site.

    Attributes:
        files: The pages.
        project: The files that git tracks.
        site_dir: The path of the site below the top level of the project, with `/` as
            separator and at the end; empty if it is the top level, and `None` if it is
            elsewhere.
        source_dir: The folder of sources in the same form, without the separator at the
            end; `None` if the user does not name it.
        mapping: The sources that the user names.
    """

    files: Collection[BuiltFile]
    project: ProjectFiles
    site_dir: str | None
    source_dir: str | None
    mapping: SourceMapping

    def __post_init__(self) -> None:
        self._paths = {file.name: file.path for file in self.files}
        # The pages without a source, and then all pages, need what the rules find.
        self._find_first = cache(self._apply_rules)
        self._page_words = cache(self._read_page_words)
        self._document_words = cache(self._read_document_words)
        self._links: Counter[str] = Counter()
        self._newest_links: set[str] = set()
        recorded: set[str] = set()
        edited = linked = 0
        for file in self.files:
            self._links.update(file.edited + file.linked)
            recorded.update(file.recorded)
            if _NEWEST.search(file.name):
                self._newest_links.update(file.edited)
            if file.edited or file.elsewhere:
                edited += 1
            if file.linked:
                linked += 1
        self._has_edit_links = edited >= _MIN_EDITED * len(self.files)
        self._has_source_links = linked >= _MIN_LINKED * len(self.files)
        self._recorded_root = _find_root(recorded, self.project, self.site_dir)

    def find(self, file: BuiltFile) -> tuple[SourceRule | None, Sequence[str]]:
        """Return the sources of a page as tracked files, and the rule that found them:
        the first rule that finds any.
        """
        sources = self.mapped(file)
        if sources:
            return SourceRule.MAPPING, sources
        if file.is_list or self._is_older_version(file):
            return None, ()
        rule, sources = self._find_first(file)
        if not sources and file.name in self._matched_words:
            return SourceRule.WORDS, [self._matched_words[file.name]]
        return rule, sources

    def _apply_rules(self, file: BuiltFile) -> tuple[SourceRule | None, Sequence[str]]:
        """Return what the first rule finds that needs no words."""
        for rule, find in (
            (SourceRule.GENERATOR_DATA, self.recorded),
            (SourceRule.EDIT_LINK, self.edit_link),
            (SourceRule.PATH, self.path),
            (SourceRule.SOURCE_LINKS, self.source_links),
            (SourceRule.OWN_FILE, self.own_file),
        ):
            sources = find(file)
            if len(sources) == 1 and self._is_list(sources[0]):
                return None, ()
            if sources:
                return rule, sources
        return None, ()

    def mapped(self, file: BuiltFile) -> Sequence[str]:
        """Return the file that the user names."""
        files = self._choose_sources(file.name, self.mapping.find(file.name))
        return files if len(files) == 1 else ()

    def _is_list(self, path: str) -> bool:
        """Return whether a file is the template of a list of other pages."""
        return self._contains(path, _LOOP)

    def _contains(self, path: str, code: re.Pattern[bytes]) -> bool:
        """Return whether a file is a template with some code."""
        if not path.endswith(_TEMPLATE_SUFFIXES):
            return False
        with suppress(OSError):
            return code.search(self.project.read_file(path)) is not None
        return False

    def _is_older_version(self, file: BuiltFile) -> bool:
        """Return whether a page has the edit link of a page of the newest version. It
        often has the path of that page, too.
        """
        if file.recorded:
            return False
        newest = self._newest_links.intersection(file.edited)
        return any(self._links[path] > 1 for path in newest)

    def recorded(self, file: BuiltFile) -> Sequence[str]:
        """Return the sources that the generator recorded."""
        found = []
        for recorded in file.recorded:
            path = self._find_recorded(recorded)
            if path is not None and path not in found and not _TEMPLATE.search(path):
                found.append(path)
        return found

    def _find_recorded(self, path: str) -> str | None:
        """Return the tracked file that a generator recorded."""
        if not path.startswith("/"):
            path = posixpath.normpath(f"{self._recorded_root}/{path}")
            return self.project.find(path)
        if not os.path.exists(path):
            return None
        real = os.path.realpath(path)
        return self.project.find(relative_path(real, self.project.top))

    def edit_link(self, file: BuiltFile) -> Sequence[str]:
        """Return the file that the only edit link opens, unless it is a template of
        many pages.
        """
        if len(file.edited) != 1 or _TEMPLATE.search(file.edited[0]):
            return ()
        link = file.edited[0]
        number = self._links[link]
        # If several pages have the same link, it opens a template, or a page without
        # translation. On a site without edit links, or to a file that is no document,
        # it is part of the text.
        if self._has_edit_links and number == 1 and DOCUMENT.search(link):
            return file.edited
        # The other page may belong to the version that is checked out.
        if number > 1 and _is_released(file):
            return ()
        if not has_same_name(file.name, link):
            return ()
        if number > 1:
            # Translations may have the link of their original.
            name = posixpath.basename(link)
            same_name = self.project.find_named(name)[:_MAX_SAME_NAME]
            best = self._choose_sources(file.name, same_name)
            if link not in best and len(best) == 1:
                return best
        return file.edited

    def source_links(self, file: BuiltFile) -> Sequence[str]:
        """Return the files that links such as "Defined in" open. If few pages have such
        links, they are part of the text, and a file to which most pages link belongs to
        the site.
        """
        most = len(self.files) / 2 if self._has_source_links else 0
        linked = []
        for path in file.linked:
            if self._links[path] <= most or has_same_name(file.name, path):
                linked.append(path)
        return linked

    def path(self, file: BuiltFile) -> Sequence[str]:
        """Return the file with the same path below the folder of sources."""
        if file.name in self.matched_paths.found:
            return [self.matched_paths.found[file.name]]
        return ()

    def own_file(self, file: BuiltFile) -> Sequence[str]:
        """Return the HTML file itself, if no page of the site has another source."""
        path = self._find_itself(file)
        if path is None or self.matched_paths.found:
            return ()
        return [path]

    def _find_itself(self, file: BuiltFile) -> str | None:
        """Return the HTML file if git tracks it."""
        if self.site_dir is None:
            return None
        return self.project.find(f"{self.site_dir}{file.name}")

    @cached_property
    def matched_paths(self) -> SourcePaths:
        """The sources of all pages by their paths, also by those that authors choose in
        front matter.
        """
        known = {}  # by better rules
        for file in self.files:
            linked = self.recorded(file) or self.edit_link(file)
            if linked:
                known[file.name] = linked[0]
        sources = self._possible_sources(known)
        return self._match_paths(sources, known)

    def _possible_sources(self, known: Mapping[str, str]) -> list[str]:
        """Return the tracked files that may be sources of pages."""
        # Where links show that documents are the sources, a module with the same path
        # is none.
        has_modules = not known or any(map(MODULE.search, known.values()))
        has_own = any(map(self._find_itself, self.files))
        sources = []
        for path in self.project.paths.values():
            # The site itself is no source, nor are other versions of it, if the site is
            # in git.
            is_built = self.site_dir is not None and path.startswith(self.site_dir)
            if is_built or (has_own and path.endswith(".html")):
                continue
            if source_stem(path) == path:  # It never becomes a page.
                continue
            if has_modules or not MODULE.search(path):
                sources.append(path)
        return sources

    def _match_paths(
        self, sources: Sequence[str], known: Mapping[str, str]
    ) -> SourcePaths:
        """Match pages with files, first those of the package that contains the site:
        the others in the repository may have pages of the same names.
        """
        names = [file.name for file in self.files if file.elsewhere is None]
        # A site outside of the repository belongs to no package.
        for package in PurePosixPath(self.site_dir or "site").parents:
            start = f"{package}/".removeprefix("./")
            own = [path for path in sources if path.startswith(start)]
            paths = SourcePaths(
                own, names, known, self.source_dir, self._choose_sources
            )
            if paths.is_tied or 2 * len(paths.found) >= len(self.files) + len(known):
                break
        return paths

    def _choose_sources(self, page: str, files: Sequence[str]) -> Sequence[str]:
        """Return the files that have the most words in common with a page; the others
        if no file has enough words to tell. See `ChooseSources`.
        """
        best: list[str] = []
        others: list[str] = []
        most = 0
        for file in files:
            common = None
            if DOCUMENT.search(file):
                common = count_common(
                    self._page_words(page), self._document_words(file)
                )
            if common is None:
                others.append(file)
            elif common > most:
                best = [file]
                most = common
            elif common == most > 0:
                best.append(file)
        return best or others

    @cached_property
    def _matched_words(self) -> Mapping[str, str]:
        """The documents whose words pages without another source contain."""
        used: set[str] = set()
        pages = {}
        for file in self.files:
            sources = self.mapped(file) or self._find_first(file)[1]
            used.update(sources)
            if not sources and not file.is_list and not self._is_older_version(file):
                pages[file.name] = self._page_words(file.name)
        documents = []
        for path in self._possible_sources({}):
            if (
                path in used
                or not DOCUMENT.search(path)
                or self._contains(path, _TEMPLATE_CODE)
            ):
                continue
            documents.append(path)
        return find_documents(pages, documents, self._document_words)

    def shared_words(self, page: str, path: str) -> float:
        """Return the share of the words of a document that are on a page."""
        return share(self._document_words(path), self._page_words(page))

    def _read_page_words(self, page: str) -> Words:
        if page not in self._paths:  # a redirect, or a page for navigation
            return NO_WORDS
        return page_words(read_page(self._paths[page]).parse())

    def _read_document_words(self, path: str) -> Words:
        try:
            return document_words(self.project.read_file(path))
        except OSError:
            return NO_WORDS


def _find_root(
    recorded: Collection[str], project: ProjectFiles, site_dir: str | None
) -> str:
    """Return the folder below which most of the recorded relative paths exist: one that
    contains the site or, if the site is elsewhere, one at the top level.
    """
    relative = [path for path in recorded if not path.startswith("/")]
    folders = [str(folder) for folder in PurePosixPath(site_dir or "site").parents]
    for path in sorted(project.paths):
        if "/" in path:
            folders.append(path.partition("/")[0])
    for folder in dict.fromkeys(folders):
        paths = [posixpath.normpath(f"{folder}/{path}") for path in relative]
        found = [path for path in paths if project.find(path)]
        if 2 * len(found) > len(relative):
            return folder
    return "."


def _is_released(file: BuiltFile) -> bool:
    """Return whether a page is in a folder of a released version."""
    folders = file.name.split("/")[:-1]
    return any(
        is_release_name(folder) or folder.lower() in _OLD_NAMES for folder in folders
    )
