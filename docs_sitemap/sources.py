"""Collect the source files of each page, including named dependencies."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from glob import has_magic

from docs_sitemap.diagnostics import BuildCode, Diagnostic
from docs_sitemap.entry import Dependency, Entry
from docs_sitemap.file_search import FileSearch, SearchLimitError
from docs_sitemap.page import Source, SourceRole
from docs_sitemap.site import Site
from docs_sitemap.text import shorten


def find_sources(entries: Sequence[Entry], site: Site, diagnostics: list[Diagnostic]) -> None:
    """Set the sources of each page: those from the generator, without the ones that options ignore,
    and those that options name. Patterns that match no file are reported.
    """
    files = _NamedFiles(os.fspath(site.root))
    for entry in entries:
        named = [Dependency(pattern) for pattern in entry.settings.dependencies]
        found = files.of_page(named, entry.page.name) + files.of_page(entry.dependencies)
        if entry.page.sources is None:
            entry.sources = None
            continue
        ignored = (*site.options.ignore_dependencies, *entry.settings.ignore_dependencies)
        sources = files.without_ignored(entry.page.sources, ignored)
        if found:
            sources = [_relax(source) for source in sources]
        known = {source.path for source in sources}
        sources += [source for source in found if source.path not in known]
        entry.sources = tuple(dict.fromkeys(sources))
    diagnostics += files.diagnostics()


def _relax(source: Source) -> Source:
    """Return a source of a page for which the user names the files that it is generated from. Its
    own file, and files that were removed after the build, need not be in git.
    """
    is_removed = source.role is SourceRole.PART and not os.path.lexists(source.path)
    is_optional = source.is_optional or is_removed or source.role is SourceRole.DOCUMENT
    return replace(source, is_optional=is_optional)


class _NamedFiles:
    """Finds the files that patterns name, and what is wrong with the patterns.

    Args:
        root: The absolute path of the folder to which patterns are relative.
    """

    def __init__(self, root: str) -> None:
        self._search = FileSearch(root)
        self._root = root
        self._found: dict[str, list[str]] = {}
        self._real_paths: dict[str, frozenset[str]] = {}
        self._is_limited = False
        self._diagnostics: dict[tuple[str, str], Diagnostic] = {}
        self._templates: dict[str, bool] = {}  # whether any page has files

    def find(self, pattern: str) -> list[str]:
        """Return the absolute paths of the files that a pattern matches."""
        if pattern not in self._found:
            try:
                self._found[pattern] = self._search.find(pattern)
            except SearchLimitError:
                self._is_limited = True
                self._found[pattern] = []
        return self._found[pattern]

    def find_real_paths(self, pattern: str) -> frozenset[str]:
        """Return the same files without symbolic links in their paths."""
        if pattern not in self._real_paths:
            self._real_paths[pattern] = frozenset(map(os.path.realpath, self.find(pattern)))
        return self._real_paths[pattern]

    def without_ignored(self, sources: Sequence[Source], patterns: Sequence[str]) -> list[Source]:
        """Return the sources without the parts that patterns match."""
        if not patterns:
            return [*sources]
        ignored = [self.find_real_paths(pattern) for pattern in dict.fromkeys(patterns)]
        kept = []
        for source in sources:
            real_path = os.path.realpath(source.path)
            is_ignored = any(real_path in paths for paths in ignored)
            if source.role is not SourceRole.PART or not is_ignored:
                kept.append(source)
        return kept

    def of_page(
        self, dependencies: Sequence[Dependency], page_name: str | None = None
    ) -> list[Source]:
        """Return the files of dependencies.

        Args:
            dependencies: The dependencies.
            page_name: The page that names them itself; `None` for those of the option.
        """
        found: list[Source] = []
        for dependency in dependencies:
            paths = self.find(dependency.pattern)
            # A pattern may match backups and caches.
            is_pattern = has_magic(dependency.pattern) and dependency.template is None
            found += [Source(path, SourceRole.NAMED, is_optional=is_pattern) for path in paths]
            if dependency.template is not None:
                known = self._templates.get(dependency.template, False)
                self._templates[dependency.template] = known or bool(paths)
            elif not paths:
                self._report(dependency.pattern, page_name)
        return found

    def diagnostics(self) -> list[Diagnostic]:
        """Return the patterns that match no file."""
        for template, has_files in self._templates.items():
            if not has_files:
                self._report(template, None)
        return [*self._diagnostics.values()]

    def _report(self, pattern: str, page_name: str | None) -> None:
        reason = f"it matches no file below {self._root}"
        if self._is_limited:
            reason = "there are too many files to search"
        origin = page_name or "the option dependencies"
        message = (
            f"the dependency {shorten(pattern)} of {origin} has no effect: {reason}. "
            "Fix: correct or remove it."
        )
        diagnostic = Diagnostic(BuildCode.DEPENDENCY, message, page=page_name)
        self._diagnostics.setdefault((pattern, origin), diagnostic)
