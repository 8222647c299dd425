"""mkdocs-click and mkdocs-typer: the modules of the commands that a page documents."""

import sys
from collections.abc import Iterator
from typing import Any

from docs_sitemap.page import Source
from mkdocs_sitemap.sources.adapters import (
    Functions,
    Plugins,
    RenderedPage,
    Sources,
    source_file,
)

_MAX_DEPTH = 10  # A group can contain itself.


def functions(plugins: Plugins) -> Functions:
    for name in ("mkdocs_click._extension", "mkdocs_typer._extension"):
        if name in sys.modules:
            yield sys.modules[name], "load_command"


def sources(page: RenderedPage) -> Sources:
    for call in page.calls:
        page.ran_code.add("mkdocs-click")
        module = sys.modules.get(call.arguments[0])
        for value in (module, *_callbacks(call.result, _MAX_DEPTH)):
            path = source_file(value)
            if path is not None:
                yield Source(path, is_optional=True)


def _callbacks(command: Any, depth: int) -> Iterator[object]:
    """Yield the functions of a command of Click and of its subcommands."""
    yield getattr(command, "callback", None)
    commands = getattr(command, "commands", None)
    if isinstance(commands, dict) and depth:
        for subcommand in commands.values():
            yield from _callbacks(subcommand, depth - 1)
