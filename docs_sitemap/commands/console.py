"""Output for people and for programs."""

import json
import os
import re
import sys

import click

from docs_sitemap.printing import CI_COMMAND, printable

# Increase this number whenever the meaning of a JSON key changes, or a key is removed.
JSON_VERSION = 1

# https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
_GITHUB_COMMAND = re.compile(" *::")


class LinePrinter:
    """Prints lines for people. Terminals show colors unless `NO_COLOR` is set. With `FORCE_COLOR`,
    files and pipes also contain colors. Text is never read as a control code of terminals, or as a
    command of a CI service.
    """

    def __init__(self, *, stderr: bool = False) -> None:
        self._is_error = stderr

    def line(self, *parts: str | tuple[str, str]) -> None:
        """Print a line.

        Args:
            parts: Texts, or pairs of a text and its style: `bold` or `dim`, a color, or both.
        """
        pairs = [(part, "") if isinstance(part, str) else part for part in parts]
        if _GITHUB_COMMAND.match("".join(text for text, _ in pairs)):
            pairs = [("\\", ""), *pairs]
        styled = "".join(_style(printable(text), style) for text, style in pairs)
        click.echo(styled, err=self._is_error, color=self._color())

    def _color(self) -> bool:
        """Return whether lines have colors: <https://no-color.org>, <https://force-color.org>."""
        if os.environ.get("NO_COLOR"):
            return False
        if os.environ.get("FORCE_COLOR"):
            return True
        stream = sys.stderr if self._is_error else sys.stdout
        return stream is not None and stream.isatty() and os.environ.get("TERM") != "dumb"


def _style(text: str, style: str) -> str:
    color = next((word for word in style.split() if word not in ("bold", "dim")), None)
    return click.style(text, fg=color, bold="bold" in style or None, dim="dim" in style or None)


def print_json(document: object) -> None:
    """Print a document in ASCII, which every terminal and pipe can encode."""
    import msgspec  # Most output is text.

    text = json.dumps(msgspec.to_builtins(document), indent=1)
    # A command can only be within a string, where any character can be escaped.
    click.echo(CI_COMMAND.sub(r"\1\\u005b", text))
