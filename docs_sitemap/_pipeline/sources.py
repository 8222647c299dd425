"""Third step: collect the source files of each page, including named dependencies."""

from __future__ import annotations

import glob
import os
from collections.abc import Sequence

from docs_sitemap._pipeline.candidate import Candidate
from docs_sitemap._result import Problem, ProblemKind


def find_sources(candidates: Sequence[Candidate], root: str, problems: list[Problem]) -> None:
    """Set the sources of each page: from the generator, and from named dependencies.

    Args:
        candidates: The listed pages.
        root: The absolute path of the folder to which dependencies are relative.
        problems: Receives patterns that match no file.
    """
    found: dict[str, list[str]] = {}
    for candidate in candidates:
        page = candidate.page
        candidate.sources, candidate.optional_sources = page.sources, page.optional
        named = [(pattern, page.name) for pattern in candidate.overrides.dependencies]
        named += [(pattern, "the option dependencies") for pattern in candidate.dependencies]
        if not named:
            continue
        sources = [*page.sources]
        optional = {*page.optional}
        for pattern, origin in named:
            if pattern not in found:
                found[pattern] = _find_files(root, pattern)
                if not found[pattern]:
                    message = (
                        f"the dependency {pattern!r} of {origin} has no effect: it matches no file "
                        f"below {root}. Fix: correct or remove it."
                    )
                    problems.append(Problem(ProblemKind.DEPENDENCY, message))
            sources += found[pattern]
            if glob.has_magic(pattern):  # may match backups and caches
                optional.update(found[pattern])
        candidate.sources = tuple(dict.fromkeys(sources))
        candidate.optional_sources = frozenset(optional)


def _find_files(root: str, pattern: str) -> list[str]:
    matches = glob.glob(os.path.join(glob.escape(root), pattern), recursive=True)
    return sorted(filter(os.path.isfile, {os.path.abspath(path) for path in matches}))
