"""`pymdownx.snippets`: the files, sections, and lines that a page inserts."""

import html
import os
import re
import sys
from collections.abc import Iterable, Iterator, Set
from typing import Any

from docs_sitemap.page import Source
from docs_sitemap.shown import Shown, ShownKind, selected_lines
from docs_sitemap.shown.glossaries import (
    definition_name,
    find_definitions,
    is_glossary,
)
from docs_sitemap.tools.files import read_text_file
from mkdocs_sitemap.sources.adapters import (
    Functions,
    Plugins,
    RenderedPage,
    Selection,
    Sources,
    included_files,
)

# https://facelessuser.github.io/pymdown-extensions/extensions/snippets/#snippet-lines
_SELECTION = re.compile(
    r":(?:(?P<ranges>-?[\d:][-\d:,]*)|(?P<section>[a-z][-\w]*))\Z", re.I
)
_TAG = re.compile(r"<[^>]+>")
_ABBREVIATION = re.compile(r"<abbr\b[^>]*>(.*?)</abbr>", re.DOTALL)
# How definitions start, in the HTML of a page that shows them.
_SHOWN = re.compile(r"\*?\[[^\[\]]+\]")
# The start of a definition, or the label of a link without an address.
_LABEL = re.compile(r"^[ ]{0,3}\*?\[[^\[\]]+\]:|\[([^\[\]]+)\](?!\()", re.MULTILINE)


def functions(plugins: Plugins) -> Functions:
    if "pymdownx.snippets" in sys.modules:
        # The extension calls it for the Markdown of a page, and of each inserted file.
        yield sys.modules["pymdownx.snippets"].SnippetPreprocessor, "parse_snippets"


def sources(page: RenderedPage) -> Sources:
    inserted: list[tuple[str, Selection]] = []
    texts = []
    for call in page.calls:
        preprocessor, lines = call.arguments[:2]
        inserted += _inserted_files(preprocessor, lines)
        texts.append("\n".join(lines))
    markdown = "\n".join(texts)
    shown = set(map(html.unescape, _SHOWN.findall(page.html)))
    files = []
    for path, selection in inserted:
        text = ""
        if not selection:
            text = read_text_file(path)
        if not is_glossary(text) or _shows_all(text, shown):
            files.append((path, selection))
            continue
        parts = []
        for start in sorted(_used_definitions(text, shown, page.html, markdown)):
            parts.append(selected_lines(definition=start))
        if parts:
            yield Source(path, shows=Shown(ShownKind.LINES, tuple(parts)))
    yield from included_files(files, texts)


def _shows_all(glossary: str, shown: Set[str]) -> bool:
    """Return whether a page shows a glossary itself, for example inside HTML."""
    definitions = find_definitions(glossary).values()
    return all(item.start in shown for item in definitions)


def _used_definitions(
    glossary: str, shown: Set[str], content: str, markdown: str
) -> Iterator[str]:
    """Yield how the definitions start that a page uses, or shows, for example as code.

    Args:
        glossary: The text of a glossary.
        shown: How definitions start that the page shows.
        content: The HTML of the page.
        markdown: The Markdown of the page, with all inserted files.
    """
    terms = set()
    for term in _ABBREVIATION.findall(content):
        terms.add(html.unescape(_TAG.sub("", term)))
    labels = {definition_name(label) for label in _LABEL.findall(markdown)}
    for name, definition in find_definitions(glossary).items():
        start = definition.start
        is_used = name in labels
        if start.startswith("*"):
            is_used = start[2:-1].strip() in terms
        if is_used or start in shown:
            yield start


def _inserted_files(
    preprocessor: Any, lines: Iterable[str]
) -> Iterator[tuple[str, Selection]]:
    for statement in _statements(preprocessor, lines):
        selection = _SELECTION.search(statement)
        name = statement if selection is None else statement[: selection.start()]
        path = preprocessor.get_snippet_path(name.strip())
        # The path of an empty line, with some versions and options, is the base folder.
        if path is None or not os.path.isfile(path):
            continue
        yield path, {} if selection is None else selection.groupdict()


def _statements(preprocessor: Any, lines: Iterable[str]) -> Iterator[str]:
    """Yield the paths in statements such as `--8<-- "path"`, and between two lines
    `--8<--`.
    """
    is_block = False
    for line in lines:
        match = preprocessor.RE_ALL_SNIPPETS.match(line)
        if match is None and is_block:
            path = line.strip()
            if path and not path.startswith(";"):
                yield path
        elif match is not None and match["escape"]:
            continue
        elif match is not None and not match["inline_marker"]:
            is_block = not is_block
        elif match is not None and not is_block:
            yield match["snippet"][1:-1].strip()
