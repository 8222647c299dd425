"""The rules that find the sources of a page in the site of any generator."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from docs_sitemap.page import NoSource, SourceRule
from docs_sitemap.tools.files import HTML_SUFFIXES
from docs_sitemap_cli.generate.built_files import BuiltFile
from docs_sitemap_cli.project_files import ProjectFiles

from .assignment import Assignment
from .document_pairs import CommonWords, compare_words
from .documents import DocumentReader
from .fingerprints import Rarity
from .source_mapping import SourceMapping


@dataclass
class SourceRules:
    """Finds the sources of each page of a site.

    Attributes:
        files: The pages.
        project: The files that git tracks.
        documents: Reads them.
        site_dir: The path of the site below the top level of the project, with `/` as
            separator and at the end; empty if it is the top level, and `None` if it is
            elsewhere.
        source_dir: The folder of sources in the same form, without the separator at the
            end; `None` if the user does not name it.
        mapping: The sources that the user names.
    """

    files: Collection[BuiltFile]
    project: ProjectFiles
    documents: DocumentReader
    site_dir: str | None
    source_dir: str | None
    mapping: SourceMapping

    def sources_of(self, file: BuiltFile) -> tuple[SourceRule | None, Sequence[str]]:
        """Return the sources of a page as tracked files, and the rule that found
        them.
        """
        for rule, find in RULES:
            sources = find(self, file)
            if sources and rule is not SourceRule.MAPPING:
                # A list shows what other files contain.
                if any(map(self.documents.is_list, sources)):
                    break
            if sources:
                return rule, sources
        return None, ()

    def document_of(self, name: str) -> str | None:
        """Return the absolute path of the only source of a page; `None` if there is
        none, or no such page.
        """
        file = self._pages.get(name)
        if file is None:
            return None
        _, sources = self.sources_of(file)
        return self.project.absolute(sources[0]) if len(sources) == 1 else None

    def explain_missing(self, file: BuiltFile) -> NoSource:
        """Return why a page has no source."""
        if file.is_list:
            return NoSource(is_list=True)
        return self._assignment.explain(file.name)

    def has_document(self, file: BuiltFile) -> bool:
        """Return whether a page has words of its document, and is no empty form."""
        rule, sources = self.sources_of(file)
        if rule is SourceRule.MARKDOWN_FILE:
            return True
        return any(self.compare(file, path).agrees for path in sources)

    def compare(self, file: BuiltFile, path: str) -> CommonWords:
        """Return what a page and a document have in common."""
        page = self._rarity.weigh(file.text)
        return compare_words(page, self.documents.read(path).text)

    def share_shown(self, file: BuiltFile, path: str) -> float:
        """Return the share of the words of a document that are on a page. A document
        that is not committed is assigned to no page.
        """
        pair = self._assignment.found.get(file.name)
        return self.compare(file, path).shown if pair is None else pair.shown

    def find_mapped(self, file: BuiltFile) -> Sequence[str]:
        """Return the file that the user names; of several ones, the only similar
        one.
        """
        files = self.mapping.sources_of(file.name)
        if len(files) > 1:
            files = [path for path in files if self.compare(file, path).agrees]
        return files if len(files) == 1 else ()

    def find_markdown(self, file: BuiltFile) -> Sequence[str]:
        """Return the Markdown file at the path of a page."""
        return () if file.markdown is None else [file.markdown]

    def find_itself(self, file: BuiltFile) -> Sequence[str]:
        """Return the HTML file if git tracks it, or the file that was copied to it."""
        if file.name in self._pages and not self._is_written_by_hand:
            return ()
        path = self._original_of(file)
        return () if path is None else [path]

    def find_recorded(self, file: BuiltFile) -> Sequence[str]:
        """Return the sources that the generator recorded."""
        return file.recorded

    def find_edited(self, file: BuiltFile) -> Sequence[str]:
        """Return the file that the edit link opens."""
        edited = file.links.edited
        if file.is_list or edited is None:
            return ()
        # Without a label, the link may be part of the text.
        if not file.links.has_label and self.compare(file, edited).agrees is False:
            return ()
        return [edited]

    def find_by_words(self, file: BuiltFile) -> Sequence[str]:
        """Return the document with the words of a page."""
        return self._find_assigned(file, SourceRule.WORDS)

    def find_by_path(self, file: BuiltFile) -> Sequence[str]:
        """Return the document with the path of a page."""
        return self._find_assigned(file, SourceRule.PATH)

    def find_linked(self, file: BuiltFile) -> Sequence[str]:
        """Return the files that links such as "Defined in" open."""
        if file.is_list or file.links.elsewhere is not None:
            return ()
        return file.links.linked

    def find_uncommitted(self, file: BuiltFile) -> Sequence[str]:
        """Return the document that is not in git: a page says so, and has no date."""
        path = f"{self.site_dir}{file.name}"
        if self._is_in_git and path in self.project.uncommitted:
            return [path]
        pair = self._uncommitted.found.get(file.name)
        return () if pair is None else [pair.path]

    @cached_property
    def _pages(self) -> Mapping[str, BuiltFile]:
        return {file.name: file for file in self.files}

    @cached_property
    def _is_written_by_hand(self) -> bool:
        """Whether the HTML files in git are not only a copy of what is built from other
        files in git.
        """
        own = copied = 0
        for file in self.files:
            path = self._original_of(file)
            if path is None or self._find_first(file, RULES[:2]):
                continue
            own += 1
            if list(self._find_first(file, RULES[3:-1]) or [path]) != [path]:
                copied += 1
        return 2 * copied <= own

    @cached_property
    def _is_in_git(self) -> bool:
        """Whether the site itself is in git, and most of its pages are."""
        own = [file for file in self.files if self.find_itself(file)]
        return 2 * len(own) > len(self.files)

    def _original_of(self, file: BuiltFile) -> str | None:
        return self.project.find_original(file.name, self.site_dir, file.same)

    @cached_property
    def _rarity(self) -> Rarity:
        return Rarity(file.text for file in self.files)

    @cached_property
    def _assignment(self) -> Assignment:
        """The documents of all pages that do not name theirs."""
        known = {}
        wanted = []
        for file in self.files:
            sources = self._find_first(file, (_MARKDOWN, *_NAMED))
            if sources:
                known[file.name] = sources[0]
            elif not file.is_list and file.links.elsewhere is None:
                wanted.append(file.name)
        return self._assign(self.project.paths.values(), known, wanted)

    @cached_property
    def _uncommitted(self) -> Assignment:
        """The documents of other pages among the files that are not in git, without
        HTML files, which may be built.
        """
        known = {}
        wanted = []
        for file in self.files:
            sources = self._find_committed(file)
            if sources:
                known[file.name] = sources[0]
            elif not self.explain_missing(file).is_tied:
                wanted.append(file.name)
        paths = []
        if wanted:
            for path in self.project.uncommitted.values():
                if not path.endswith(HTML_SUFFIXES):
                    paths.append(path)
        return self._assign(paths, known, wanted)

    def _find_committed(self, file: BuiltFile) -> Sequence[str]:
        """Return the sources of a page that are in git."""
        sources = self._find_first(file, RULES[:-1])
        if not sources and file.links.elsewhere is not None:
            return [file.links.elsewhere.path]
        return sources

    def _find_first(self, file: BuiltFile, rules: Iterable[Rule]) -> Sequence[str]:
        """Return the sources of a page that the first of some rules finds."""
        for _, find in rules:
            sources = find(self, file)
            if sources:
                return sources
        return ()

    def _assign(
        self, files: Iterable[str], known: Mapping[str, str], wanted: Sequence[str]
    ) -> Assignment:
        """Assign the files below the folder of sources, outside of the site and its
        copies in git, to pages.
        """
        start = f"{self.source_dir}/" if self.source_dir else ""
        built = set[str]()
        for file in self.files:
            built.update(file.same)
        paths = []
        for path in files if wanted else ():
            is_built = self.site_dir is not None and path.startswith(self.site_dir)
            if not is_built and path not in built and path.startswith(start):
                paths.append(path)
        pages = {file.name: file.text for file in self.files}
        documents = self.documents.read_all(paths, wanted)
        return Assignment(pages, documents, known, wanted, self._rarity)

    def _find_assigned(self, file: BuiltFile, rule: SourceRule) -> Sequence[str]:
        if self._assignment.rules.get(file.name) is not rule:
            return ()
        return [self._assignment.found[file.name].path]


Rule = tuple[SourceRule, Callable[[SourceRules, BuiltFile], Sequence[str]]]

_MARKDOWN: Rule = (SourceRule.MARKDOWN_FILE, SourceRules.find_markdown)

# What the generator says about the document of a page.
_NAMED: Sequence[Rule] = (
    (SourceRule.GENERATOR_DATA, SourceRules.find_recorded),
    (SourceRule.EDIT_LINK, SourceRules.find_edited),
)

RULES: Sequence[Rule] = (
    (SourceRule.MAPPING, SourceRules.find_mapped),
    _MARKDOWN,
    (SourceRule.OWN_FILE, SourceRules.find_itself),
    *_NAMED,
    (SourceRule.WORDS, SourceRules.find_by_words),
    (SourceRule.PATH, SourceRules.find_by_path),
    (SourceRule.SOURCE_LINKS, SourceRules.find_linked),
    (SourceRule.WORDS, SourceRules.find_uncommitted),
)
"""The rules, and what finds the sources of a page by each of them. The first one that
finds any wins.
"""
