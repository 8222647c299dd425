"""`pymdownx.snippets`: the files, sections, and lines that a page inserts."""

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from docs_sitemap.config.typed_values import as_text, as_texts
from docs_sitemap.page import Source
from docs_sitemap.shown.lines import select_text
from docs_sitemap.sources.included_text import Selection
from docs_sitemap.sources.snippet_statements import read_statements, snippet_sources
from docs_sitemap_cli.generate.mkdocs_project.markdown_page import MarkdownPage
from docs_sitemap_cli.generate.mkdocs_project.yaml_values import TaggedValue

from .insertions import InsertedTexts, list_option

EXTENSION = "pymdownx.snippets"
"""The name of the extension."""


def sources(page: MarkdownPage) -> Iterator[Source]:
    options = page.project.extension(EXTENSION)
    if options is None:
        return
    snippets = Snippets(page, options)
    appended = as_texts(list_option(options, "auto_append"))
    if appended:
        # The first text is the one of the page. Others are parts of it.
        page.texts[0] += "\n\n--8<--\n{}\n--8<--\n".format("\n\n".join(appended))
    page.texts[:] = map(snippets.expand, page.texts)
    if snippets.files:
        yield from snippet_sources(snippets.files, snippets.texts, page.html)


class Snippets:
    """Replaces statements by what they insert.

    Attributes:
        files: The inserted files, and what selects lines of them.
        texts: All texts with statements, and the lines that they insert.
    """

    def __init__(self, page: MarkdownPage, options: Mapping[str, Any]) -> None:
        self.files: list[tuple[str, Selection]] = []
        self.texts: list[str] = []
        self._bases = list(_read_bases(page, options))
        self._is_restricted = options.get("restrict_base_path") is not False
        self._reader = InsertedTexts()

    def expand(self, text: str) -> str:
        """Return a text with what it inserts.

        Raises:
            OSError: A file cannot be read.
            ValueError: The page inserts too much.
        """
        return "\n".join(self._expand_lines(text.split("\n"), ()))

    def _expand_lines(
        self, lines: Sequence[str], parents: tuple[str, ...]
    ) -> list[str]:
        """Return lines with what they insert.

        Args:
            lines: The lines.
            parents: The files that contain them, the first one first.
        """
        self.texts.append("\n".join(lines))
        expanded: list[str] = []
        start = 0
        for statement in read_statements(lines):
            expanded += lines[start : statement.line]
            start = statement.line + 1
            path = self._find(statement.name)
            if path is None:
                continue
            self.files.append((path, statement.selection))
            if path not in parents:
                text = _select(self._reader.read(path), statement.selection)
                inner = self._expand_lines(text.split("\n"), (*parents, path))
                line = lines[statement.line]
                indent = line[: len(line) - len(line.lstrip())]
                expanded += [indent + one for one in inner]
        return expanded + list(lines[start:])

    def _find(self, name: str) -> str | None:
        """Return the path of a file; `None` if there is none with this name."""
        for base in self._bases:
            is_file = os.path.isfile(base)
            folder = os.path.dirname(base) if is_file else base
            path = os.path.normpath(os.path.join(folder, name))
            if is_file and path != base:
                continue
            if self._is_restricted and not path.startswith(os.path.join(folder, "")):
                continue
            if os.path.isfile(path):
                return path
        return None


def _read_bases(page: MarkdownPage, options: Mapping[str, Any]) -> Iterator[str]:
    """Yield the folders and files of the option `base_path`."""
    folder = page.project.folder
    places = {
        "$docs_dir": page.project.docs_dir,
        "$config_dir": folder,
        "": os.path.dirname(page.document),
    }
    for base in list_option(options, "base_path") or ["."]:
        if isinstance(base, TaggedValue):
            place, _, rest = as_text(base.value).partition("/")
            base = os.path.join(places.get(place, folder), rest)
        path = os.path.normpath(os.path.join(folder, as_text(base)))
        if os.path.exists(path):
            yield path


def _select(text: str, selection: Selection) -> str:
    """Return the lines that a statement inserts; nothing if the file has no such
    section.
    """
    try:
        return select_text(text, selection)
    except ValueError:
        # Versions of the extension count negative numbers in different ways.
        return text if "ranges" in selection else ""
