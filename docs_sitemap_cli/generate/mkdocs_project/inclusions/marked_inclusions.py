"""mkdocs-include-markdown: `{% include-markdown "file.md" start="a" end="b" %}`.

Source: <https://github.com/mondeja/mkdocs-include-markdown-plugin>.
"""

import glob
import os
import re
from collections.abc import Iterator, Mapping
from typing import Any

from docs_sitemap.config.typed_values import as_mapping, as_text
from docs_sitemap.page import Source
from docs_sitemap.shown.lines import select_text
from docs_sitemap.sources.included_text import (
    Selection,
    between_marks,
    included_files,
)
from docs_sitemap.tools.printing import shorten
from docs_sitemap_cli.generate.mkdocs_project.markdown_page import MarkdownPage

from .insertions import InsertedTexts, text_option

_QUOTED = r"(?P<quote>[\"'])(?P<text>(?:(?!(?P=quote))[^\\]|\\.){1,4096})(?P=quote)"
_ARGUMENT = re.compile(
    rf"(?<![\w-])(?P<name>start|end|exclude)=(?:{_QUOTED}|(?P<word>\w+))"
)
_URL = re.compile(r"https?://", re.I)
_RELATIVE = ("./", "../")


def sources(page: MarkdownPage) -> Iterator[Source]:
    options = page.project.plugin("include-markdown")
    if options is None:
        return
    inclusions = _Inclusions(page, options)
    page.texts[:] = [inclusions.expand(text, page.document) for text in page.texts]
    yield from included_files(inclusions.files, [page.text, *inclusions.texts])


class _Inclusions:
    """Replaces inclusions by what they insert.

    Attributes:
        files: The inserted files, and what selects text in them.
        texts: Their complete texts.
    """

    def __init__(self, page: MarkdownPage, options: Mapping[str, Any]) -> None:
        self.files: list[tuple[str, Selection]] = []
        self.texts: list[str] = []
        self._docs_dir = page.project.docs_dir
        self._options = options
        self._reader = InsertedTexts()
        self._closing = text_option(options, "closing_tag", "%}")
        self._directive = _read_directive(options)

    def expand(self, text: str, path: str) -> str:
        """Return the text of a file with what it inserts.

        Raises:
            OSError: A file cannot be read.
            ValueError: A mark contains an invalid escape sequence, the page inserts
                too much, or it is unknown which files it inserts.
            RecursionError: A file inserts itself.
        """
        parts = []
        start = 0
        last = text.rfind(self._closing)
        for match in self._directive.finditer(text):
            if match.start() < start or match.end() > last:
                continue
            end = text.index(self._closing, match.end())
            name = _unquote(match)
            arguments = self._read_arguments(text[match.end() : end])
            parts += [text[start : match.start()], self._insert(name, arguments, path)]
            start = end + len(self._closing)
        return "".join([*parts, text[start:]])

    def _read_arguments(self, text: str) -> dict[str, str]:
        arguments = {}
        for name in ("start", "end"):
            mark = as_text(self._options.get(name))
            if mark:
                arguments[name] = mark
        for match in _ARGUMENT.finditer(text):
            arguments[match["name"]] = match["word"] or _unquote(match)
        return arguments

    def _insert(self, name: str, arguments: Mapping[str, str], path: str) -> str:
        """Return the text that an inclusion in a file inserts."""
        if "exclude" in arguments:
            raise ValueError("which files exclude leaves out is unknown")
        beside = os.path.dirname(path)
        folder = beside if name.startswith(_RELATIVE) else self._docs_dir
        marks: Selection = {}
        if arguments.get("start") or arguments.get("end"):
            marks = between_marks(arguments.get("start"), arguments.get("end"))
        texts = []
        for file in _find_paths(name, folder):
            self.files.append((file, marks))
            text = self._reader.read(file)
            self.texts.append(text)
            texts.append(self.expand(select_text(text, marks), file))
        return "".join(texts)


def _read_directive(options: Mapping[str, Any]) -> re.Pattern[str]:
    """Return the pattern of the start of an inclusion, up to the path."""
    names = as_mapping(options.get("directives"))
    directives = []
    for name in ("include-markdown", "include"):
        directives.append(re.escape(text_option(names, name, name)))
    opening = re.escape(text_option(options, "opening_tag", "{%"))
    return re.compile(rf"{opening}\s*+(?:{'|'.join(directives)})\s+{_QUOTED}", re.S)


def _unquote(match: re.Match[str]) -> str:
    """Return the text in quotes."""
    quote: str = match["quote"]
    return str(match["text"]).replace(f"\\{quote}", quote)


def _find_paths(pattern: str, folder: str) -> list[str]:
    """Return the files with a path or a pattern that is relative to a folder."""
    if _URL.match(pattern) is not None:
        return []
    path = os.path.join(folder, pattern)
    if os.path.isfile(path):
        return [os.path.normpath(path)]
    names = sorted(glob.glob(pattern, root_dir=folder, recursive=True))
    paths = [os.path.normpath(os.path.join(folder, name)) for name in names]
    files = list(filter(os.path.isfile, paths))
    if not files:  # for example a pattern with braces
        raise ValueError(f"no file is known for {shorten(pattern)}")
    return files
