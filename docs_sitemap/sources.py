"""Third step: collect the source files of each page, including named dependencies."""

from __future__ import annotations

import os
from collections.abc import Sequence
from glob import has_magic

from docs_sitemap.entry import Candidate, Dependency
from docs_sitemap.file_search import FileSearch, SearchLimitError
from docs_sitemap.result import Problem, ProblemKind
from docs_sitemap.text import shorten


def find_sources(
    candidates: Sequence[Candidate], ignored: Sequence[str], root: str, problems: list[Problem]
) -> None:
    """Set the sources of each page: from the generator, and from named dependencies.

    Args:
        candidates: The listed pages.
        ignored: The paths and patterns of files that do not count if the generator detects them.
        root: The absolute path of the folder to which dependencies are relative.
        problems: Receives patterns that match no file.
    """
    files = _NamedFiles(root)
    for candidate in candidates:
        page = candidate.page
        own, detected = page.sources[:1], page.sources[1:]
        patterns = (*ignored, *candidate.overrides.ignore_dependencies)
        if patterns and detected:
            left_out = [files.find_real_paths(pattern) for pattern in dict.fromkeys(patterns)]
            real_paths = {path: os.path.realpath(path) for path in detected}
            detected = tuple(
                path
                for path in detected
                if not any(real_paths[path] in paths for paths in left_out)
            )
        named = [Dependency(pattern) for pattern in candidate.overrides.dependencies]
        found = files.of_page(named, page.name) + files.of_page(candidate.dependencies)
        candidate.sources = tuple(dict.fromkeys((*own, *detected, *(path for path, _ in found))))
        candidate.optional_sources = page.optional
        if found:
            # The user names the files that the page is generated from. The file of the page itself,
            # and files that were removed after the build, need not be in git.
            removed = [source for source in detected if not os.path.lexists(source)]
            # A pattern may match backups and caches.
            matched = [path for path, is_pattern in found if is_pattern]
            candidate.optional_sources |= {*own, *removed, *matched}
    problems += files.problems()


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
        self._problems: dict[tuple[str, str], Problem] = {}
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

    def of_page(
        self, dependencies: Sequence[Dependency], page_name: str | None = None
    ) -> list[tuple[str, bool]]:
        """Return the files of dependencies, and whether each is named by a pattern.

        Args:
            dependencies: The dependencies.
            page_name: The page that names them itself; `None` for those of the option.
        """
        found: list[tuple[str, bool]] = []
        for dependency in dependencies:
            paths = self.find(dependency.pattern)
            is_pattern = has_magic(dependency.pattern) and dependency.template is None
            found += [(path, is_pattern) for path in paths]
            if dependency.template is not None:
                known = self._templates.get(dependency.template, False)
                self._templates[dependency.template] = known or bool(paths)
            elif not paths:
                self._add_problem(dependency.pattern, page_name)
        return found

    def problems(self) -> list[Problem]:
        """Return the patterns that match no file."""
        for template, has_files in self._templates.items():
            if not has_files:
                self._add_problem(template, None)
        return [*self._problems.values()]

    def _add_problem(self, pattern: str, page_name: str | None) -> None:
        reason = f"it matches no file below {self._root}"
        if self._is_limited:
            reason = "there are too many files to search"
        origin = page_name or "the option dependencies"
        message = (
            f"the dependency {shorten(pattern)} of {origin} has no effect: {reason}. "
            "Fix: correct or remove it."
        )
        problem = Problem(ProblemKind.DEPENDENCY, message, page=page_name)
        self._problems.setdefault((pattern, origin), problem)
