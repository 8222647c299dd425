"""The blocks of mkdocstrings in the Markdown of a page:
<https://mkdocstrings.github.io/usage/#autodoc-syntax>.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import yaml

from docs_sitemap.config.typed_values import as_mapping, as_text

# In lists and quotes, below a heading, or alone.
_START = re.compile(
    r"(?P<indent> *(?:(?:[-*+]|\d+\.|>) +)*)(?:#{1,6} *)?::: ?(?P<name>\w[\w.]*) *"
)
_FENCE = re.compile(r"[ >]*+(?P<mark>`{3,}+|~{3,}+)(?P<language>[^`]*+)")

# How far the options of a block are indented, in spaces.
_INDENTATION = 4

# What can be below a block and an empty line.
_SEPARATED = ("handler:", "options:")


class ObjectBlock(NamedTuple):
    """A block that documents an object.

    Attributes:
        name: The path of the object.
        handler: The name of the handler; empty for the default.
        options: The options of the block.
    """

    name: str
    handler: str
    options: Mapping[str, Any]


def read_blocks(text: str) -> Iterator[ObjectBlock]:
    """Yield the blocks in a text of Markdown, but not those in fenced code."""
    if ":::" not in text:  # as on most pages
        return
    lines = text.expandtabs(_INDENTATION).split("\n")
    fence = ""
    for number, line in enumerate(lines):
        mark = _FENCE.fullmatch(line)
        if fence:
            if mark and mark["mark"].startswith(fence) and not mark["language"].strip():
                fence = ""
        elif mark:
            fence = mark["mark"]
        else:
            match = _START.fullmatch(line)
            if match:
                indentation = " " * (len(match["indent"]) + _INDENTATION)
                below = _read_indented(lines, number + 1, indentation)
                yield _parse(match["name"], below)


def _read_indented(lines: Sequence[str], start: int, indentation: str) -> str:
    """Return the options of a block, without their indentation."""
    is_separated = start < len(lines) and not lines[start].strip()
    if is_separated:
        start += 1
    options = []
    for line in lines[start:]:
        if not line.startswith(indentation) or not line.strip():
            break
        options.append(line.removeprefix(indentation))
    if is_separated and not (options and options[0].startswith(_SEPARATED)):
        return ""
    return "\n".join(options)


def _parse(name: str, text: str) -> ObjectBlock:
    """Return a block. mkdocstrings reports invalid options."""
    values: object = None
    # PyYAML raises many kinds of exceptions, for example for `!!int ""`.
    with suppress(Exception):
        values = yaml.safe_load(text)
    settings = as_mapping(values)
    handler = as_text(settings.get("handler"))
    return ObjectBlock(name, handler, as_mapping(settings.get("options")))
