"""mkdocs-click and mkdocs-typer: the modules of the commands that a page documents."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterator
from typing import Any

_BLOCK = re.compile(r"^::: mkdocs-(?:click|typer2?)\b.*\n((?:[ \t]+:.*(?:\n|\Z))+)", re.MULTILINE)
_OPTION = re.compile(r"^[ \t]+:(.+?):[ \t]+(.*\S)", re.MULTILINE)
_MAX_DEPTH = 10  # A group can contain itself.


def documented_commands(markdown: str) -> set[str]:
    """Return the files that define the commands in the blocks of a page.

    A block looks like this. Only modules that the extension has imported are found.

        ::: mkdocs-click
            :module: package.cli
            :command: main
    """
    paths: set[str] = set()
    for block in _BLOCK.findall(markdown):
        options = dict(_OPTION.findall(block))
        module = sys.modules.get(options.get("module", ""))
        if module is not None:
            functions = _functions(getattr(module, options.get("command", ""), None), _MAX_DEPTH)
            paths.update(filter(None, map(_source_file, [module, *functions])))
    return paths


def _functions(command: Any, depth: int) -> Iterator[object]:
    """Yield the functions of a command of Click and of its subcommands."""
    yield getattr(command, "callback", None)
    commands = getattr(command, "commands", None)
    if isinstance(commands, dict) and depth:
        for subcommand in commands.values():
            yield from _functions(subcommand, depth - 1)


def _source_file(value: Any) -> str | None:
    try:
        return inspect.getsourcefile(inspect.unwrap(value))
    except (TypeError, ValueError):
        return None  # not written in Python, or not a function
