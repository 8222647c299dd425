"""The lines of a file that pages show: `literalinclude`, `include`, snippets,
definitions of glossaries, and authors. Lines of text are compared like a document.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence, Set
from functools import lru_cache
from hashlib import sha256
from typing import Any

from docs_sitemap.tools.front_matter import (
    SplitDocument,
    split_document,
    write_values,
)

from .called_code import called_code
from .document_notations import canonical, heading_styles
from .glossaries import definition_name, find_definitions
from .paragraphs import strip_line_ends
from .python_blocks import find_lines

# A section of
# https://facelessuser.github.io/pymdown-extensions/extensions/snippets/#snippet-sections
_SECTION = re.compile(
    r"(?<![;-])-+8<-+[ \t]+\[[ \t]*(start|end)[ \t]*:[ \t]*([a-z][-\w]*)[ \t]*\]", re.I
)

# The directive autosummary with its lines, and how each of them starts.
_ENTRY = re.compile(r"^ *~?([\w.]+)", re.M)
_TABLE = re.compile(r"^( *)\.\. autosummary::.*\n(?:(?: *|\1 +\S.*)\n)*", re.M)

# A module whose objects sphinx-automodapi lists.
_LISTED_MODULE = re.compile(r"^ *\.\. automod(?:api|summ):: +([\w.]+)", re.M)


def digest(content: bytes, parts: Sequence[str]) -> bytes:
    """Return a digest of some lines.

    Args:
        content: The content of the file.
        parts: The inclusions, from `selected_lines`.

    Raises:
        ValueError: The file does not contain the lines.
    """
    text = content.decode("utf-8-sig", "surrogateescape")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    result = sha256()
    for part in parts:
        selection = json.loads(part)
        notation = selection.pop("notation", None)
        selected = "\n".join(_select(content, text, selection))
        shown = _bring_into_form(selected, notation)
        result.update(shown.encode("utf-8", "surrogateescape") + b"\0")
    return result.digest()


def select_text(text: str, selection: Mapping[str, str | None]) -> str:
    """Return the lines of a text that one inclusion selects.

    Args:
        text: The text of the file, with normalized ends of lines.
        selection: The options: see `selected_lines`.

    Raises:
        ValueError: The file does not contain the lines.
    """
    return "\n".join(_select(text.encode(), text, dict(selection)))


def _bring_into_form(text: str, notation: str | None) -> str:
    """Return some lines as they are compared.

    Args:
        text: The lines.
        notation: How the page reads them: see `selected_lines`.
    """
    if notation is None:
        return text
    if notation == "myst":
        return canonical(split_document(text).body, ".md")
    if notation == ".md":
        return canonical(text, notation)
    text = strip_line_ends(text)
    if notation == "code":
        return text
    # The document that includes the text decides the level of each style.
    return f"{heading_styles(text)}\n{canonical(text, notation)}"


def _select(content: bytes, text: str, selection: dict[str, Any]) -> Sequence[str]:
    """Return the lines of one inclusion.

    Raises:
        ValueError: The file does not contain the lines.
    """
    if not selection:
        return [text]
    # Other than for Python, form feeds do not end a line of a snippet.
    if "definition" in selection:
        return [_definition(text, selection["definition"])]
    if "author" in selection:
        return [_author(text, selection["author"], selection.get("field"))]
    if "entry" in selection:
        return [_entry(text, selection["entry"])]
    if "functions" in selection:
        return called_code(content, selection["functions"].split())
    if {"start", "end"} & selection.keys():
        return [_between(text, selection.get("start"), selection.get("end"))]
    if "section" in selection:
        return _section(text.split("\n"), selection["section"])
    if "ranges" in selection:
        return _ranges(text.split("\n"), selection["ranges"])
    if "text" in selection:
        return [_text(text.splitlines(), selection)]
    return _literal(content, text.splitlines(), selection)


def _definition(text: str, start: str) -> str:
    """Return the definitions that start with a name, such as `*[HTML]`.

    Raises:
        ValueError: There are none.
    """
    definition = find_definitions(text).get(definition_name(start))
    if definition is None:
        raise ValueError(f"there is no definition {start}")
    return canonical(definition.text, ".rst" if start.startswith("..") else ".md")


def _author(text: str, name: str, field: str | None) -> str:
    """Return what a file of authors contains of one of them:
    <https://squidfunk.github.io/mkdocs-material/plugins/blog/#config.authors_file>.

    Raises:
        ValueError: The author or the field is missing.
    """
    author = _authors(text).get(name)
    if not isinstance(author, dict):
        raise ValueError(f"there is no author {name}")
    if field is None:
        return write_values(author)
    if field not in author:
        raise ValueError(f"the author {name} has no {field}")
    return write_values({field: author[field]})


@lru_cache(maxsize=2)  # Pages show many authors of the same two versions.
def _authors(text: str) -> Mapping[str, Any]:
    """Return the authors in a file.

    Raises:
        ValueError: There are none.
    """
    values = SplitDocument(text, "").read_values()
    authors = values.get("authors", values)  # Older files have only authors.
    if not isinstance(authors, dict):
        raise ValueError("there are no authors")
    return authors


def _entry(text: str, name: str) -> str:
    """Return the name of an object if a table of autosummary, which generates pages,
    lists it, or sphinx-automodapi its module. A table can omit the name of the module.

    Raises:
        ValueError: It is not listed.
    """
    entries = _entries(text)
    module, _, _ = name.rpartition(".")
    if f"{module}.*" in entries:
        return name
    short_name = name
    while short_name:
        if short_name in entries:
            return name
        _, _, short_name = short_name.partition(".")
    raise ValueError(f"{name} is not listed")


@lru_cache(maxsize=2)  # as above
def _entries(text: str) -> Set[str]:
    """Return the first word of each line in tables of autosummary, and `module.*` for
    all objects of a module.
    """
    entries = {f"{module}.*" for module in _LISTED_MODULE.findall(text)}
    for table in _TABLE.finditer(text + "\n"):
        if "toctree:" in table[0]:
            entries.update(_ENTRY.findall(table[0]))
    return entries


def _section(lines: Iterable[str], name: str) -> list[str]:
    section = []
    is_inside = False
    for line in lines:
        marker = _SECTION.search(line)
        if marker is None:
            if is_inside:
                section.append(line)
        elif marker[2] == name:
            if marker[1].lower() == "end":
                break
            is_inside = True
    if not is_inside:
        raise ValueError(f"there is no section {name}")
    return section


def _ranges(lines: Sequence[str], ranges: str) -> list[str]:
    """Return the lines of ranges such as `1:3,5:`.

    Raises:
        ValueError: A number is below 0, and counts from the end. Versions of the
            extension count the last line in different ways.
    """
    if "-" in ranges:
        raise ValueError("a number is below 0")
    selected: list[str] = []
    for numbers in ranges.split(","):
        first, _, last = numbers.partition(":")
        start = max(0, int(first or 1) - 1)
        selected += lines[start : int(last or len(lines))]
    return selected


def _text(lines: Sequence[str], selection: dict[str, Any]) -> str:
    """Return the text that `include` selects.

    Source: <https://docutils.sourceforge.io/docs/ref/rst/directives.html#include>.
    """
    first = selection.get("start-line")
    last = selection.get("end-line")
    text = "\n".join(lines[first:last])
    start = selection.get("start-after", "")
    position = text.index(start) + len(start)
    text = text[position:]
    if "end-before" in selection:
        end = text.index(selection["end-before"])
        return text[:end]
    return text


def _between(text: str, start: str | None, end: str | None) -> str:
    """Return the text that mkdocs-include-markdown inserts. Marks that the text does
    not contain exclude nothing, except a start mark without an end mark.

    Source: <https://github.com/mondeja/mkdocs-include-markdown-plugin#start>.
    """
    if end is None:
        return text.partition(start or "")[2]
    if start is None:
        return text.partition(end)[0]
    parts = text.split(start)
    selected = []
    # After each start mark, every second end mark is a start mark, too.
    for part in parts[1:] or parts:
        selected += part.split(end)[::2]
    return "".join(selected)


def _literal(
    content: bytes, lines: Sequence[str], selection: dict[str, Any]
) -> Sequence[str]:
    """Return the lines that `literalinclude` selects, in the order in which it applies
    its options.

    Source:
    <https://www.sphinx-doc.org/en/master/usage/restructuredtext/directives.html#directive-literalinclude>.
    """
    if "pyobject" in selection:
        selected: list[str] = []
        for numbers in find_lines(content, selection["pyobject"]):
            selected += lines[numbers.start : numbers.stop]
        lines = selected
    if "start-at" in selection:
        start = _find(lines, selection["start-at"])
        lines = lines[start:]
    elif "start-after" in selection:
        start = _find(lines, selection["start-after"])
        lines = lines[start + 1 :]
    if "end-at" in selection:
        end = _find(lines, selection["end-at"])
        lines = lines[: end + 1]
    elif "end-before" in selection:
        # The first line is not searched.
        end = _find(lines[1:], selection["end-before"])
        lines = lines[: end + 1]
    if "lines" in selection:
        indexes = _line_indexes(selection["lines"], len(lines))
        lines = [lines[index] for index in indexes]
    if not lines:
        raise ValueError("no line is selected")
    return lines


def _find(lines: Iterable[str], text: str) -> int:
    for position, line in enumerate(lines):
        if text in line:
            return position
    raise ValueError(f"no line contains {text}")


def _line_indexes(numbers: str, total: int) -> list[int]:
    """Return the lines that `1,3,5-10,20-` selects, counted from 0.

    Raises:
        ValueError: The text has another form.
    """
    indexes: list[int] = []
    for part in numbers.split(","):
        first, is_range, last = part.strip().partition("-")
        start = int(first or 1)
        end = start
        if is_range:
            end = int(last or total)
        indexes += range(start - 1, min(end, total))
    return indexes
