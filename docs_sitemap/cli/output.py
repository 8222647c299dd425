"""What is printed, and how: by all parts of the command."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import click
from rich.console import Console
from rich.text import Text

from docs_sitemap.model import printable

# Of the JSON; changes with the meaning of what is in it.
VERSION = 1


class Output:
    """Lines for people. Colours are for terminals, or by `FORCE_COLOR` and without `NO_COLOR`; no
    line is wrapped, and no text is taken for markup.
    """

    def __init__(self, *, stderr: bool = False) -> None:
        self._console = Console(
            stderr=stderr, soft_wrap=True, markup=False, highlight=False, emoji=False
        )

    def line(self, *parts: str | tuple[str, str]) -> None:
        """Print a line of texts, some of them with a style."""
        pairs = ((part, "") if isinstance(part, str) else part for part in parts)
        self._console.print(Text.assemble(*((printable(text), style) for text, style in pairs)))


def print_json(content: Mapping[str, Any]) -> None:
    """Print a document, for programs."""
    click.echo(json.dumps({"version": VERSION, **content}, indent=1))


def plural(number: int, noun: str) -> str:
    """Return a number of things."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
