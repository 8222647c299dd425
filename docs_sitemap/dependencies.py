"""The files that a page is made from, as its author names them."""

from __future__ import annotations

import glob
import os
from collections.abc import Sequence
from dataclasses import replace

from docs_sitemap.model import Page, Problem, ProblemKind
from docs_sitemap.overrides import Overrides


class Dependencies:
    """Adds what the options, and the page itself, name to the sources of a page.

    Attributes:
        problems: patterns of the files that match none.
    """

    def __init__(self, root: str | os.PathLike[str]) -> None:
        self._root = os.path.abspath(root)
        self._found: dict[str, list[str]] = {}
        self.problems: list[Problem] = []

    def add(self, page: Page, overrides: Overrides, files: Sequence[str]) -> Page:
        """Return the page with these sources, too: those that it names itself, and those that the
        options name. Of the files that a pattern finds, those that git does not know (backups,
        caches) do not count.
        """
        named = [(pattern, page.name) for pattern in overrides.dependencies]
        named += [(pattern, "the option dependencies") for pattern in files]
        if not named:
            return page
        sources, optional = list(page.sources), set(page.optional)
        for pattern, author in named:
            found = self._match(pattern, author)
            sources += found
            if glob.has_magic(pattern):
                optional.update(found)
        return replace(page, sources=tuple(dict.fromkeys(sources)), optional=frozenset(optional))

    def _match(self, pattern: str, author: str) -> list[str]:
        if pattern not in self._found:
            whole = os.path.join(glob.escape(self._root), pattern)
            found = {os.path.abspath(path) for path in glob.glob(whole, recursive=True)}
            self._found[pattern] = sorted(filter(os.path.isfile, found))
            if not self._found[pattern]:
                message = f"{author}: no file below {self._root} matches {pattern!r}; correct it"
                self.problems.append(Problem(ProblemKind.DEPENDENCY, message))
        return self._found[pattern]
