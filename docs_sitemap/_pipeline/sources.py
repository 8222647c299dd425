"""Third step: collect the source files of each page, including named dependencies."""

from __future__ import annotations

import os
from collections.abc import Sequence
from glob import has_magic

from docs_sitemap._pipeline.candidate import Candidate
from docs_sitemap._pipeline.file_search import FileSearch, SearchLimitError
from docs_sitemap._result import Problem, ProblemKind
from docs_sitemap._text import shorten


def find_sources(candidates: Sequence[Candidate], root: str, problems: list[Problem]) -> None:
    """Set the sources of each page: from the generator, and from named dependencies.

    Args:
        candidates: The listed pages.
        root: The absolute path of the folder to which dependencies are relative.
        problems: Receives patterns that match no file.
    """
    search = FileSearch(root)
    found: dict[str, list[str]] = {}
    for candidate in candidates:
        page = candidate.page
        candidate.sources, candidate.optional_sources = page.sources, page.optional
        named: list[tuple[str, str | None]] = []
        named += [(pattern, page.name) for pattern in candidate.overrides.dependencies]
        named += [(pattern, None) for pattern in candidate.dependencies]
        if not named:
            continue
        sources = [*page.sources]
        # The user names the files that the page is generated from. The file of the page itself, and
        # files that were removed after the build, need not be in git.
        removed = [source for source in page.sources if not os.path.lexists(source)]
        optional = {*page.optional, *page.sources[:1], *removed}
        for pattern, page_name in named:
            if pattern not in found:
                reason = f"it matches no file below {root}"
                try:
                    found[pattern] = search.find(pattern)
                except SearchLimitError:
                    found[pattern] = []
                    reason = "there are too many files to search"
                if not found[pattern]:
                    origin = page_name or "the option dependencies"
                    message = (
                        f"the dependency {shorten(pattern)} of {origin} has no effect: {reason}. "
                        "Fix: correct or remove it."
                    )
                    problems.append(Problem(ProblemKind.DEPENDENCY, message, page=page_name))
            sources += found[pattern]
            if has_magic(pattern):  # may match backups and caches
                optional.update(found[pattern])
        candidate.sources = tuple(dict.fromkeys(sources))
        candidate.optional_sources = frozenset(optional)
