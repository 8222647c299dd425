"""`docs-sitemap`: the group of all commands, and how the process ends."""

from __future__ import annotations

import os
import sys
import traceback
from io import TextIOWrapper

import click

from docs_sitemap.commands import EXIT_CLOSED_PIPE, EXIT_FAULT, EXIT_INTERRUPTED
from docs_sitemap.commands.check.command import check
from docs_sitemap.commands.compare.command import compare
from docs_sitemap.commands.explain.command import explain
from docs_sitemap.commands.help import HELP_SETTINGS, DocumentedGroup
from docs_sitemap.commands.index.command import index
from docs_sitemap.commands.record import record
from docs_sitemap.text import describe_error, printable

# If this environment variable is set, the traceback of a fault is printed.
DEBUG_VARIABLE = "DOCS_SITEMAP_DEBUG"


@click.group(
    cls=DocumentedGroup,
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


root_command.add_command(check)
root_command.add_command(compare)
root_command.add_command(explain)
root_command.add_command(index)
root_command.add_command(record)


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
        # click and rich exit with 1 if the reader of a pipe has ended, and git commands with the
        # number of a signal.
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
        print(printable(f"Error: {error}"), file=sys.stderr)
        return 2
    except Exception as error:
        if os.environ.get(DEBUG_VARIABLE):
            traceback.print_exc()
        message = (
            f"Error: docs-sitemap has failed unexpectedly: {describe_error(error)}. Fix: run the "
            f"command with {DEBUG_VARIABLE}=1 in the environment, and report the traceback where "
            "you found docs-sitemap"
        )
        print(printable(message), file=sys.stderr)
        return EXIT_FAULT
    return code if isinstance(code, int) else 0
