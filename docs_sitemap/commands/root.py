"""`docs-sitemap`: the group of all commands, and how the process ends."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from io import TextIOWrapper

import click

from docs_sitemap.commands import EXIT_CLOSED_PIPE, EXIT_FAULT, EXIT_INTERRUPTED
from docs_sitemap.commands.help import HELP_SETTINGS, DocumentedCommand
from docs_sitemap.text import describe_error, printable

# The module and the summary of each command. A module is imported when its command runs.
COMMANDS = {
    "check": ("check.command", "Check sitemaps and built sites."),
    "compare": ("compare.command", "Compare two sitemaps, for example of two tools."),
    "explain": ("explain.command", "Explain why pages are listed or excluded, and their dates."),
    "index": ("index.command", "Write one sitemap for all deployed versions or sites."),
    "record": ("record", "Copy the content record of the last deployment before a build."),
}

# If this environment variable is set, the traceback of a fault is printed.
DEBUG_VARIABLE = "DOCS_SITEMAP_DEBUG"


class _LazyGroup(DocumentedCommand, click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*COMMANDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"docs_sitemap.commands.{COMMANDS[cmd_name][0]}")
        command: click.Command = getattr(module, cmd_name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary) for name, (_, summary) in COMMANDS.items()])


@click.group(
    cls=_LazyGroup,
    context_settings=HELP_SETTINGS,
    epilog=f"Set {DEBUG_VARIABLE}=1 to see the traceback of an unexpected failure.",
    exit_codes={
        0: "success",
        1: "check: errors, or with --strict also warnings; explain: a page does not exist; index: "
        "a sitemap cannot be used",
    },
)
@click.version_option(package_name="docs-sitemap", message="%(prog)s %(version)s")
def root_command() -> None:
    """Check, compare, combine, and explain sitemaps of built sites, and copy content records."""


def run() -> int:
    """Run the command with the arguments of the process, and return its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # Not all encodings contain "…".
    try:
        code = root_command.main(prog_name="docs-sitemap", standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()
    except SystemExit as end:
        # click exits with 1 if the reader of a pipe has ended, and git commands with the number of
        # a signal.
        return EXIT_CLOSED_PIPE if end.code == 1 else int(end.code or 0)
    except click.Abort:
        print("Error: interrupted", file=sys.stderr)
        return EXIT_INTERRUPTED
    except click.ClickException as error:
        lines = map(printable, error.message.splitlines())
        error.message = "\n".join(lines)  # type: ignore[misc]
        error.show()
        return error.exit_code
    except OSError as error:  # for example, a full disk
        sys.stdout = None  # Python would try to flush it again.
        if isinstance(error, BrokenPipeError):
            return EXIT_CLOSED_PIPE
        print(printable(f"Error: {error}"), file=sys.stderr)
        return 2
    except Exception as error:
        if os.environ.get(DEBUG_VARIABLE):
            sys.excepthook(type(error), error, error.__traceback__)
        message = (
            f"Error: docs-sitemap has failed unexpectedly: {describe_error(error)}. Fix: run the "
            f"command with {DEBUG_VARIABLE}=1 in the environment, and report the traceback where "
            "you found docs-sitemap"
        )
        print(printable(message), file=sys.stderr)
        return EXIT_FAULT
    return code if isinstance(code, int) else 0
