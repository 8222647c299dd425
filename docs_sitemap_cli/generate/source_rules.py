"""The rules that find the sources of a page in the site of any generator."""

import os
import posixpath
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import PurePosixPath

from docs_sitemap.page import SourceRule
from docs_sitemap.tools.files import relative_path

from .built_files import BuiltFile
from .project_files import ProjectFiles
from .source_paths import (
    CODE,
    DOCUMENT,
    OTHER_FILES,
    SourceMapping,
    SourcePaths,
    find_unusual,
    has_same_name,
    is_usual,
)
from .source_words import (
    PageIndex,
    Words,
    count_common,
    document_words,
    find_code,
    find_documents,
    group_words,
    share,
)

# The share of pages with source links, from which a site has source links. Others are
# part of the text. API documentation also has pages of modules and lists without them.
_MIN_LINKED = 0.25

# The share of links with the form of edit links whose documents have other words than
# their pages, because components generate most of a page. Links in texts lead to other
# documents.
_MAX_CONTRADICTED = 0.2

# A page without translation has so much of the text of the original. Generators add a
# notice.
_MIN_COPIED = 0.9

# From this share of pages that no document explains, all code is read. That takes time,
# and lists have no sources.
_MIN_API = 0.1

_TEMPLATE_SUFFIXES = (".html", ".njk", ".liquid", ".hbs")
_TEMPLATE_CODE = re.compile(rb"\{[{%]")
_LOOP = re.compile(rb"\{%-?\s*for\s|\{\{-?\s*range\s|\{\{#each\s")

Found = tuple[SourceRule, Sequence[str]]


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
        self._pages = {file.name: file for file in self.files}
        self._page_words = cache(self._read_page_words)
        self._document_words = cache(self._read_document_words)
        # The numbers of pages with a link, and of those with the name of its file.
        self._links: Counter[str] = Counter()
        self._named: Counter[str] = Counter()
        recorded: set[str] = set()
        linked = 0
        for file in self.files:
            self._links.update(file.edited)
            for path in file.edited:
                if has_same_name(file.name, path):
                    self._named[path] += 1
            recorded.update(file.recorded)
            if file.linked:
                linked += 1
        self._has_plain_links = self._agree_with_words()
        self._has_source_links = linked >= _MIN_LINKED * len(self.files)
        self._recorded_root = _find_root(recorded, self.project, self.site_dir)
        self.is_tied = False
        self._found = self._find_sources()

    def sources_of(self, file: BuiltFile) -> tuple[SourceRule | None, Sequence[str]]:
        """Return the sources of a page as tracked files, and the rule that found
        them.
        """
        if file.name not in self._found:
            # Users can include files that are no pages.
            path = None if file.name in self._pages else self._find_itself(file)
            return (None, ()) if path is None else (SourceRule.OWN_FILE, [path])
        rule, sources = self._found[file.name]
        if rule is not SourceRule.MAPPING and any(map(self._is_list, sources)):
            return None, ()
        return rule, sources

    def has_document(self, file: BuiltFile) -> bool:
        """Return whether a page has words of its document, and is no empty form."""
        _, sources = self.sources_of(file)
        likely, _ = self._compare(file.name, sources)
        return bool(likely)

    def _find_sources(self) -> dict[str, Found]:
        """Return the sources of all pages, with the rule that found them: first those
        that the site names, then documents by their words and paths, and code last.
        """
        found: dict[str, Found] = {}
        known = {}
        rest = []
        for file in self.files:
            mapped = self.mapped(file)
            recorded = self.recorded(file)
            edited = self.edit_link(file)
            if mapped:
                found[file.name] = SourceRule.MAPPING, mapped
            elif file.is_list or file.elsewhere is not None:
                continue
            elif recorded:
                found[file.name] = SourceRule.GENERATOR_DATA, recorded
                known[file.name] = recorded[0]
            elif edited:
                found[file.name] = SourceRule.EDIT_LINK, edited
                known[file.name] = edited[0]
            else:
                rest.append(file)
        self._add_documents(found, known, [file.name for file in rest])
        self._add_linked(found, rest)
        self._add_own(found)
        self._add_code(found, [file.name for file in rest])
        return found

    def _add_documents(
        self, found: dict[str, Found], known: Mapping[str, str], pages: Sequence[str]
    ) -> None:
        """Add the documents of pages by their words and paths, with the help of the
        known sources of other pages.
        """
        tracked = list(self._tracked_files())
        files = list(filter(is_usual, tracked))
        for path in find_unusual(tracked, pages):
            if b"\0" not in self.project.read_file(path):
                files.append(path)
        free = set(files) - set(known.values())
        index = PageIndex({page: self._page_words(page) for page in pages})
        matched = find_documents(
            index, sorted(free), self._document_words, known.values()
        )
        paths = SourcePaths(
            files, pages, known, matched, self.source_dir, self._compare
        )
        self.is_tied = paths.is_tied
        for page in pages:
            if page in paths.found:
                found[page] = SourceRule.PATH, [paths.found[page]]
            elif page in matched:
                found[page] = SourceRule.WORDS, [matched[page]]

    def _add_linked(self, found: dict[str, Found], rest: Sequence[BuiltFile]) -> None:
        """Add the sources of pages to which their links lead: copies without
        translation have the edit link of the original.
        """
        originals = {sources[0]: page for page, (_, sources) in found.items()}
        for file in rest:
            if file.name in found:
                continue
            linked = self.source_links(file)
            original = originals.get("".join(file.edited), file.name)
            copied = share(self._page_words(original), self._page_words(file.name))
            if original != file.name and copied >= _MIN_COPIED:
                found[file.name] = SourceRule.EDIT_LINK, file.edited
            elif linked:
                found[file.name] = SourceRule.SOURCE_LINKS, linked

    def _add_own(self, found: dict[str, Found]) -> None:
        """Add the files that are pages themselves. If most of them have other sources,
        the site in git is only a copy of what is built from these.
        """
        own = {}
        copied = 0
        for file in self.files:
            path = self._find_itself(file)
            rule, sources = found.get(file.name, (None, ()))
            if path is None or rule is SourceRule.MAPPING:
                continue
            own[file.name] = path
            if rule is not None and list(sources) != [path]:
                copied += 1
        if 2 * copied <= len(own):
            for page, path in own.items():
                found[page] = SourceRule.OWN_FILE, [path]

    def _add_code(self, found: dict[str, Found], pages: Sequence[str]) -> None:
        """Add the code whose comments pages without another source contain."""
        others = [page for page in pages if page not in found]
        if len(others) < _MIN_API * len(self.files):
            return
        code = []
        for path in self._tracked_files():
            if CODE.search(path) and not OTHER_FILES.search(path):
                code.append(path)
        index = PageIndex({page: self._page_words(page) for page in others})
        for page, path in find_code(index, code, self.project.read_file).items():
            found[page] = SourceRule.WORDS, [path]

    def mapped(self, file: BuiltFile) -> Sequence[str]:
        """Return the file that the user names."""
        likely, others = self._compare(file.name, self.mapping.sources_of(file.name))
        files = likely or others
        return files if len(files) == 1 else ()

    def _is_list(self, path: str) -> bool:
        """Return whether a file is the template of a list of other pages."""
        return self._contains(path, _LOOP)

    def _contains(self, path: str, code: re.Pattern[bytes]) -> bool:
        """Return whether a file is a template with some code."""
        is_template = path.endswith(_TEMPLATE_SUFFIXES)
        return is_template and code.search(self.project.read_file(path)) is not None

    def recorded(self, file: BuiltFile) -> Sequence[str]:
        """Return the sources that the generator recorded."""
        found = []
        for recorded in file.recorded:
            path = self._find_recorded(recorded)
            if path is not None and path not in found:
                found.append(path)
        return found

    def _find_recorded(self, path: str) -> str | None:
        """Return the tracked file that a generator recorded."""
        if not path.startswith("/"):
            path = posixpath.normpath(f"{self._recorded_root}/{path}")
            return self.project.tracked(path)
        if not os.path.exists(path):
            return None
        real = os.path.realpath(path)
        return self.project.tracked(relative_path(real, self.project.top))

    def _agree_with_words(self) -> bool:
        """Return whether pages have the words of the documents that their links open,
        where these links do not say that they are for editing.
        """
        links = contradicted = 0
        for file in self.files:
            if file.words is not None and file.edited:
                links += 1
                if not any(self._compare(file.name, file.edited)):
                    contradicted += 1
        return contradicted <= _MAX_CONTRADICTED * links

    def edit_link(self, file: BuiltFile) -> Sequence[str]:
        """Return the file that the only edit link opens, if no other page has the same
        link: several pages link to a template, or have no translation.
        """
        if len(file.edited) != 1:
            return ()
        link = file.edited[0]
        # A link to a file that is no document may be part of the text, and so may one
        # that does not open an editor.
        is_edit = file.words is None or self._has_plain_links
        if self._links[link] == 1 and is_edit and DOCUMENT.search(link):
            return file.edited
        if self._named[link] == 1 and has_same_name(file.name, link):
            return file.edited
        return ()

    def source_links(self, file: BuiltFile) -> Sequence[str]:
        """Return the files that links such as "Defined in" open. If few pages have such
        links, they are part of the text.
        """
        if self._has_source_links:
            return file.linked
        return [path for path in file.linked if has_same_name(file.name, path)]

    def _find_itself(self, file: BuiltFile) -> str | None:
        """Return the HTML file if git tracks it, or the file that was copied to it."""
        if self.site_dir is not None:
            path = self.project.tracked(f"{self.site_dir}{file.name}")
            if path is not None:
                return path
        same: Sequence[str] = file.same
        if len(same) > 1:
            same = [path for path in same if f"/{path}".endswith(f"/{file.name}")]
        return same[0] if len(same) == 1 else None

    def _tracked_files(self) -> Iterator[str]:
        """Yield the tracked files outside of the site."""
        for path in self.project.paths.values():
            if self.site_dir is None or not path.startswith(self.site_dir):
                yield path

    def _compare(
        self, page: str, files: Sequence[str]
    ) -> tuple[Sequence[str], Sequence[str]]:
        """See `CompareWords`."""
        best: list[str] = []
        unknown: list[str] = []
        most = 0
        for file in files:
            common = None
            # The words of templates are code.
            if DOCUMENT.search(file) or not is_usual(file):
                common = count_common(
                    self._page_words(page), self._document_words(file)
                )
            if common is None:
                unknown.append(file)
            elif common > most:
                best = [file]
                most = common
            elif common == most > 0:
                best.append(file)
        return best, unknown

    def shared_words(self, page: str, path: str) -> float:
        """Return the share of the words of a file that are on a page."""
        return share(self._document_words(path), self._page_words(page))

    def _read_page_words(self, page: str) -> Words:
        if page not in self._pages:  # a redirect, or a page for navigation
            return group_words("")
        return self._pages[page].read_words()

    def _read_document_words(self, path: str) -> Words:
        # The text of such a template comes from other files.
        if self._contains(path, _TEMPLATE_CODE):
            return group_words("")
        return document_words(self.project.read_file(path))


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
        found = [path for path in paths if project.tracked(path)]
        if 2 * len(found) > len(relative):
            return folder
    return "."
