"""The sources that the user names, in the option `sources`."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from docs_sitemap.config.parsers import PLACEHOLDER
from docs_sitemap_cli.project_files import ProjectFiles

from .path_names import Names, is_usual, page_names, source_names


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
        names = page_names(page.removeprefix(folder)).names
        return self._files_below.get((source, names), ())

    @cached_property
    def _files_below(self) -> Mapping[tuple[str, Names], Sequence[str]]:
        """The documents below each folder by the names of their pages."""
        folders = set()
        for pattern, source in self.sources.items():
            if pattern.endswith("/"):
                folders.add(source.rstrip("/"))
        index = defaultdict(list)
        for file in filter(is_usual, self.project.paths.values()):
            for folder in folders:
                start = f"{folder}/" if folder else ""
                if file.startswith(start):
                    names = source_names(file.removeprefix(start))
                    index[folder, names.names].append(file)
                    if names.index_name:
                        with_index = names.names | {names.index_name}
                        index[folder, with_index].append(file)
        return index

    def _find_named(self, page: str, pattern: str, source: str) -> Sequence[str]:
        start, placeholder, end = pattern.partition(PLACEHOLDER)
        name = ".+" if placeholder else ""
        match = re.fullmatch(f"{re.escape(start)}({name}){re.escape(end)}", page)
        if match is None:
            return ()
        file = self.project.tracked(source.replace(PLACEHOLDER, match[1]))
        return () if file is None else (file,)
