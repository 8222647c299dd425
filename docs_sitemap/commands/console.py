"""Output for people and for programs."""

from __future__ import annotations

import json
import re
import shutil

import click
import msgspec
from rich.console import Console
from rich.text import Text

from docs_sitemap.text import CI_COMMAND, printable

# Increase this number whenever the meaning of a JSON key changes, or a key is removed.
JSON_VERSION = 1

# https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
_GITHUB_COMMAND = re.compile(" *::")


def make_console(*, stderr: bool = False) -> Console:
    """Return a console that has a usable size, even if `COLUMNS` or `LINES` has none."""
    width, height = shutil.get_terminal_size()
    return Console(
        stderr=stderr,
        width=width,
        height=height,
        soft_wrap=True,
        markup=False,
        highlight=False,
        emoji=False,
    )


class LinePrinter:
    """Prints lines for people. Terminals show colors unless `NO_COLOR` is set. With `FORCE_COLOR`,
    files and pipes also contain colors. Lines are not wrapped, and text is never read as markup,
    as a control code of terminals, or as a command of a CI service.
    """

    def __init__(self, *, stderr: bool = False) -> None:
        self._console = make_console(stderr=stderr)

    def line(self, *parts: str | tuple[str, str]) -> None:
        """Print a line.

        Args:
            parts: Texts, or pairs of a text and its style.
        """
        pairs = ((part, "") if isinstance(part, str) else part for part in parts)
        text = Text.assemble(*((printable(text), style) for text, style in pairs))
        if _GITHUB_COMMAND.match(text.plain):
            text = Text("\\") + text
        self._console.print(text)


def print_json(document: msgspec.Struct) -> None:
    """Print a document in ASCII, which every terminal and pipe can encode."""
    text = json.dumps(msgspec.to_builtins(document), indent=1)
    # A command can only be within a string, where any character can be escaped.
    click.echo(CI_COMMAND.sub(r"\1\\u005b", text))
