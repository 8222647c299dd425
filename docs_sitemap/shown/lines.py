"""The lines of a file that pages show: `literalinclude`, `include`, and snippets."""

from __future__ import annotations

import ast
import json
import re
import warnings
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from typing import Any

from docs_sitemap.shown.python import imported_names

# A section of https://facelessuser.github.io/pymdown-extensions/extensions/snippets/#snippet-sections
_SECTION = re.compile(
    r"(?<![;-])-+8<-+[ \t]+\[[ \t]*(start|end)[ \t]*:[ \t]*([a-z][-\w]*)[ \t]*\]", re.I
)

# At most three spaces are allowed in front.
_DEFINITION_STARTS = tuple(
    " " * spaces + start for spaces in range(4) for start in ("[", "*[", "<!--")
)

_Definition = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


class SelectedLines:
    """The lines that pages show.

    Args:
        path: The path of the file.
        content: Its content.
    """

    def __init__(self, path: bytes, content: bytes) -> None:
        text = content.decode("utf-8-sig", "surrogateescape")
        self._text = text.replace("\r\n", "\n").replace("\r", "\n")

    def digest(self, parts: Sequence[str]) -> bytes:
        """Return a digest of some lines.

        Args:
            parts: The inclusions, in the form that `Shown` describes.

        Raises:
            ValueError: The file does not contain the lines.
        """
        digest = sha256()
        for part in parts:
            for line in _select(self._text, json.loads(part)):
                digest.update(line.encode("utf-8", "surrogateescape") + b"\n")
            digest.update(b"\0")
        return digest.digest()


def _select(text: str, selection: dict[str, Any]) -> Sequence[str]:
    """Return the lines of one inclusion.

    Raises:
        ValueError: The file does not contain the lines.
    """
    if "definition" in selection:
        return _definition(text.splitlines(), selection["definition"])
    if "section" in selection:
        return _section(text.split("\n"), selection["section"])
    if "ranges" in selection:
        return [*_ranges(text, selection["ranges"])]
    if "imported" in selection:
        return _imports(text, selection["imported"])
    return _literal(text.splitlines(), selection)


def _definition(lines: Sequence[str], start: str) -> list[str]:
    """Return the lines of the definitions in a Markdown file that start with a text."""
    found = []
    is_inside = False
    for line in lines:
        # A definition can have further lines. Labels do not depend on case.
        if line.startswith(_DEFINITION_STARTS):
            is_inside = line.lstrip().casefold().startswith(start.casefold())
        if is_inside and line.strip():
            found.append(line)
    if not found:
        raise ValueError(f"there is no definition {start}")
    return found


def _section(lines: Iterable[str], name: str) -> list[str]:
    found: list[str] | None = None
    for line in lines:
        marker = _SECTION.search(line)
        if marker is not None:
            if marker[2] == name:
                if marker[1].lower() == "end":
                    break
                found = found or []
        elif found is not None:
            found.append(line)
    if found is None:
        raise ValueError(f"there is no section {name}")
    return found


def _ranges(text: str, ranges: str) -> Iterator[str]:
    """Yield the lines of ranges such as `1:3,5:`. Other than for Python, form feeds do not end a
    line. Since version 13, the extension counts the empty line at the end of most files.
    """
    lines = text.split("\n")
    for counted in (lines, lines[:-1]) if lines[-1] == "" else (lines,):
        for numbers in ranges.split(","):
            yield from _range(counted, numbers)


def _range(lines: Sequence[str], numbers: str) -> Sequence[str]:
    """Return the lines of `first:last`, `first`, or `:last`. Numbers below 0 count from the end."""
    first, _, last = numbers.partition(":")
    start = _line_index(lines, first, default=1)
    end = _line_index(lines, last, default=len(lines))
    return lines[start : end + 1]


def _line_index(lines: Sequence[str], number: str, default: int) -> int:
    value = int(number) if number else default
    return max(0, len(lines) + value if value < 0 else value - 1)


def _literal(lines: Sequence[str], selection: dict[str, Any]) -> Sequence[str]:
    """Return the lines that `literalinclude` and `include` select, in the order in which they apply
    their options.

    Sources: <https://www.sphinx-doc.org/en/master/usage/restructuredtext/directives.html#directive-literalinclude>,
    <https://docutils.sourceforge.io/docs/ref/rst/directives.html#include>.
    """
    numbered = list(enumerate(lines))
    if "pyobject" in selection:
        indexes = _python_object("\n".join(lines), selection["pyobject"])
        numbered = [numbered[index] for index in indexes]
    if "start-line" in selection or "end-line" in selection:
        numbered = numbered[selection.get("start-line") : selection.get("end-line")]
    if "start-at" in selection:
        numbered = numbered[_find(numbered, selection["start-at"]) :]
    elif "start-after" in selection:
        numbered = numbered[_find(numbered, selection["start-after"]) + 1 :]
    if "end-at" in selection:
        numbered = numbered[: _find(numbered, selection["end-at"]) + 1]
    elif "end-before" in selection:
        # The first line is not searched.
        numbered = numbered[: _find(numbered[1:], selection["end-before"]) + 1]
    if "lines" in selection:
        numbered = [numbered[index] for index in _line_indexes(selection["lines"], len(numbered))]
    if not numbered:
        raise ValueError("no line is selected")
    selected = [line for _, line in numbered]
    if "text-after" in selection or "text-before" in selection:
        selected = _between("\n".join(selected), selection).split("\n")
    # The numbers of the lines are shown, too.
    numbers = [str(number) for number, _ in numbered] if selection.get("lineno-match") else []
    return [*numbers, *selected]


def _parse(text: str) -> ast.Module:
    """Parse a Python file.

    Raises:
        ValueError: The text is not Python.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except (SyntaxError, RecursionError, MemoryError) as error:
        raise ValueError("the file cannot be parsed") from error


def _python_object(text: str, name: str) -> list[int]:
    """Return the indexes of the lines that define an object. A name can be defined several times.

    Raises:
        ValueError: The text is not Python, or does not define the object.
    """
    nodes: list[ast.AST] = [_parse(text)]
    for part in name.split("."):
        nodes = [found for node in nodes for found in _definitions(node, part)]
    if not nodes:
        raise ValueError(f"there is no object {name}")
    indexes: list[int] = []
    for node in nodes:
        decorators = getattr(node, "decorator_list", [])
        first = min(getattr(child, "lineno", 1) for child in (*decorators, node))
        indexes += range(first - 1, getattr(node, "end_lineno", None) or first)
    return indexes


def _imports(text: str, name: str) -> list[str]:
    """Return the imports of a name. It need not be imported."""
    return [
        place
        for node in ast.walk(_parse(text))
        for imported, place in imported_names(node)
        if imported == name
    ]


def _definitions(scope: ast.AST, name: str) -> Iterator[ast.AST]:
    """Yield the statements of a module or class that define a name, with docstrings of values."""
    is_found = False
    for node in ast.iter_child_nodes(scope):
        if isinstance(node, ast.Expr):  # perhaps the docstring of the value before it
            if is_found:
                yield node
            is_found = False
        elif isinstance(node, _Definition):
            is_found = False
            if node.name == name:
                yield node
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            is_found = any(isinstance(target, ast.Name) and target.id == name for target in targets)
            if is_found:
                yield node
        elif isinstance(node, ast.stmt | ast.ExceptHandler | ast.match_case):
            yield from _definitions(node, name)


def _find(numbered: Iterable[tuple[int, str]], text: str) -> int:
    for position, (_, line) in enumerate(numbered):
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
        end = (int(last) if last else total) if is_range else start
        indexes += range(start - 1, min(end, total))
    return indexes


def _between(text: str, selection: dict[str, Any]) -> str:
    """Return the text after one text and before another one."""
    if "text-after" in selection:
        _, separator, text = text.partition(selection["text-after"])
        if not separator:
            raise ValueError("the text of start-after is missing")
    if "text-before" in selection:
        text, separator, _ = text.partition(selection["text-before"])
        if not separator:
            raise ValueError("the text of end-before is missing")
    return text
