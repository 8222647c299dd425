"""The help of a command: examples, and a table of its exit codes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from docs_sitemap.commands import EXIT_CLOSED_PIPE, EXIT_FAULT, EXIT_INTERRUPTED

# click wraps at 80 columns by default, even in wider terminals.
HELP_SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 1_000}

_COMMON_EXIT_CODES = {
    2: "invalid arguments, or output that cannot be written",
    EXIT_FAULT: "an unexpected failure of docs-sitemap",
    EXIT_INTERRUPTED: "interrupted",
    EXIT_CLOSED_PIPE: "the reader of the output has ended",
}


class DocumentedCommand(click.Command):
    """A command whose help ends with a table of exit codes.

    Args:
        exit_codes: The meanings of the exit codes of this command. Those that all commands have
            are added.
    """

    def __init__(self, *args: Any, exit_codes: Mapping[int, str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._exit_codes = {**exit_codes, **_COMMON_EXIT_CODES}

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples, and the exit codes with hanging indents."""
        super().format_epilog(ctx, formatter)
        with formatter.section("Exit codes"):
            formatter.write_dl([(f"{code}", text) for code, text in self._exit_codes.items()])
