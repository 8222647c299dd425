"""The command, and how it ends."""

from __future__ import annotations

import sys
from io import TextIOWrapper
from typing import Any

import click

from docs_sitemap.cli import CLOSED, INTERRUPTED
from docs_sitemap.cli.check import check
from docs_sitemap.cli.explain import explain


class _Interrupted(click.ClickException):
    exit_code = INTERRUPTED


class _Group(click.Group):
    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise _Interrupted("interrupted") from None


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="docs-sitemap", message="%(prog)s %(version)s")
def command() -> None:
    """Check the sitemap of a built site, and explain what it says of a page."""


command.add_command(check)
command.add_command(explain)


def run() -> int:
    """Run the command with the arguments of the process; return its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # not all can write "…"
    try:
        code = command.main(prog_name="docs-sitemap", standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()
    except SystemExit as end:  # the libraries': 1 where nobody reads the output any more
        return CLOSED if end.code == 1 else 0
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except OSError as error:  # a disk that is full, a folder that is gone
        sys.stdout = None  # what is left cannot be written, either
        print(f"Error: {error}", file=sys.stderr)
        return 2
    return code if isinstance(code, int) else 0
