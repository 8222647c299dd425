"""Read Python modules in blocks, which makes the dates of API pages four times as fast:
most versions of a module have most of their classes and functions in common, so each
function, and each method of a class, is parsed only once.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from importlib.util import decode_source
from itertools import pairwise

from .python_modules import Block, Module, lines_of, parsing

# The pages of a package need the same versions, and so do consecutive commits.
_MAX_VERSIONS = 50
_MAX_BLOCKS = 2_000
_MAX_METHODS = 5_000

# A pattern that starts with a line break is found fast.
_BLOCK_START = re.compile(r"\n(?:@|async[ \t]+def\b|def\b|class\b)")
_METHOD_START = r"(?:@|async[ \t]+def\b|def\b)"
# The indentation of the first line below `class A:` or `):`.
_INDENTATION = re.compile(r":[ \t]*(?:#.*)?\n\s*?^([ \t]+)(?=\S)", re.M)


@lru_cache(_MAX_VERSIONS)
def parse_module(content: bytes) -> Module:
    """Return what a module defines.

    Raises:
        ValueError: The module cannot be parsed.
    """
    text = _decode(content)
    module = Module()
    try:
        blocks = [_read_block(block) for block in _split(text, _BLOCK_START)]
    except ValueError:  # A string may contain the first line of a function.
        blocks = [_read_text(text)]
    module.doc = blocks[0].doc
    for block in blocks:
        module.add(block)
    return module


def find_lines(content: bytes, name: str) -> list[range]:
    """Return the numbers of the lines that define a class or a function, from 0. A name
    can be defined several times.

    Raises:
        ValueError: The module cannot be parsed.
    """
    module = _read_text(_decode(content))
    definitions = module.definitions.get(name, [])
    return [lines_of(item.node) for item in definitions]


def _decode(content: bytes) -> str:
    try:
        return decode_source(content)
    except (SyntaxError, LookupError) as error:
        raise ValueError("the module cannot be decoded") from error


def _split(text: str, start: re.Pattern[str]) -> list[str]:
    """Split a module or a class before its classes and functions."""
    starts = [0]
    is_decorated = False
    for match in start.finditer(text):
        if not is_decorated:
            starts.append(match.start() + 1)
        is_decorated = match[0].endswith("@")
    starts.append(len(text))
    return [text[start:end] for start, end in pairwise(starts)]


@lru_cache(_MAX_BLOCKS)
def _read_block(text: str) -> Module:
    """Read a class or a function, and the statements below it."""
    indentation = _INDENTATION.search(text)
    if indentation is not None:
        start = re.compile(f"\n{indentation[1]}{_METHOD_START}")
        first, *methods = _split(text, start)
        # It may be no class, or a string may contain the first line of a method.
        with suppress(ValueError):
            return _read_class(text, f"{first}{indentation[1]}pass\n", methods)
    return _read_text(text)


def _read_class(text: str, first: str, methods: Sequence[str]) -> Module:
    """Read a class, and the statements below it.

    Args:
        text: The complete text.
        first: The class without its methods, which ends in `pass`.
        methods: The methods. The last one ends with the statements below the class.

    Raises:
        ValueError: These are not the parts of a class.
    """
    if not methods:
        raise ValueError("there are no methods")
    block = _parse(first, text.split("\n"))
    node = block.tree.body[0]
    if not isinstance(node, ast.ClassDef) or not isinstance(node.body[-1], ast.Pass):
        raise ValueError("it is not a class")
    last = first.count("\n") - 1
    for method in methods:
        if len(block.tree.body) > 1:
            raise ValueError("a method is not in the class")
        part = _read_method(node.name, method)
        block.add(part)
        block.tree = part.tree
        statements = getattr(part.tree.body[0], "body", [])
        node.body += statements
        node.end_lineno = last + statements[-1].end_lineno - 1
        last += method.count("\n")
    return block


@lru_cache(_MAX_METHODS)
def _read_method(class_name: str, text: str) -> Block:
    text = f"class {class_name}:\n{text}"
    return _parse(text, text.split("\n"), class_name)


@lru_cache(_MAX_BLOCKS)
def _read_text(text: str) -> Block:
    return _parse(text, text.split("\n"))


def _parse(text: str, lines: list[str], class_name: str = "") -> Block:
    """Parse a part of a module.

    Raises:
        ValueError: It cannot be parsed.
    """
    with parsing():
        return Block(text, lines, class_name)
