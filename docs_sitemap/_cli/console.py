"""Output for people and for programs."""

from __future__ import annotations

import json

import click
import msgspec
from rich.console import Console
from rich.text import Text

from docs_sitemap._text import printable


class LinePrinter:
    """Prints lines for people. Terminals show colors unless `NO_COLOR` is set. With `FORCE_COLOR`,
    files and pipes also contain colors. Lines are not wrapped, and text is never read as markup.
    """

    def __init__(self, *, stderr: bool = False) -> None:
        self._console = Console(
            stderr=stderr, soft_wrap=True, markup=False, highlight=False, emoji=False
        )

    def line(self, *parts: str | tuple[str, str]) -> None:
        """Print a line.

        Args:
            parts: Texts, or pairs of a text and its style.
        """
        pairs = ((part, "") if isinstance(part, str) else part for part in parts)
        self._console.print(Text.assemble(*((printable(text), style) for text, style in pairs)))


def print_json(document: msgspec.Struct) -> None:
    """Print a document in ASCII, which every terminal and pipe can encode."""
    click.echo(json.dumps(msgspec.to_builtins(document), indent=1))
