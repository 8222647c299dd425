"""`docs-sitemap`: the group of all commands, and how the process ends."""

import os
import signal
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from io import TextIOWrapper
from typing import Any

import click
from click.shell_completion import BashComplete, FishComplete, ZshComplete

from docs_sitemap.diagnostics import OptionError, SitemapError

from .arguments import choice_of
from .console import describe_unknown, print_error, print_line

# The packages of the commands.
_COMMANDS = {
    "check": "check",
    "compare": "compare",
    "explain": "explain",
    "generate": "generate",
    "index": "versions",
    "report": "report",
    "submit": "submit",
}

_SHELLS = {"bash": BashComplete, "fish": FishComplete, "zsh": ZshComplete}


class _Commands(click.Group):
    """Loads each of these commands when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted([*_COMMANDS, *super().list_commands(ctx)])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return super().get_command(ctx, cmd_name)
        module = import_module(f".{_COMMANDS[cmd_name]}.command", __package__)
        command: click.Command = getattr(module, cmd_name)
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args and not ctx.resilient_parsing:
            for line in ctx.get_help().splitlines():
                print_line(line, stderr=True)
            ctx.exit(2)
        if args[:1] == ["help"]:
            args = [*args[1:], "--help"]
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        known = self.list_commands(ctx)
        if args[0] not in known and not ctx.resilient_parsing:
            ctx.fail(describe_unknown("command", args[0], known))
        return super().resolve_command(ctx, args)


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="""\b
Exit codes:
  0   success
  1   interrupted, or what the help of the command says
  2   invalid arguments, or output that cannot be written
  70  an unexpected failure of docs-sitemap""",
)
@click.version_option(
    None, "--version", "-V", package_name="docs-sitemap", message="%(prog)s %(version)s"
)
@click.pass_context
def root_command(ctx: click.Context) -> None:
    """Write, check, compare, and explain sitemaps, and submit what changed."""
    # No command imports another one, so the group hands over what `report` needs.
    if ctx.invoked_subcommand == "report":
        ctx.obj = _plan_report


def _plan_report(*arguments: Any) -> Any:
    from .generate.built_site import plan_report  # Most sites have a report.

    return plan_report(*arguments)


@root_command.command(
    epilog="""\b
Examples:
  docs-sitemap completion bash > ~/.local/share/bash-completion/completions/docs-sitemap
  docs-sitemap completion zsh > ~/.zfunc/_docs-sitemap
  docs-sitemap completion fish > ~/.config/fish/completions/docs-sitemap.fish"""
)
@click.argument(
    "shell", metavar="|".join(_SHELLS), type=choice_of("shell", list(_SHELLS))
)
def completion(shell: str) -> None:
    """Print a script that completes commands with the Tab key."""
    variable = "_DOCS_SITEMAP_COMPLETE"
    source = _SHELLS[shell](root_command, {}, "docs-sitemap", variable).source()
    for line in source.splitlines():
        print_line(line)


def run_command(arguments: Sequence[str] | None = None) -> int:
    """Run the command, and return its exit code when all of its output is written.

    Args:
        arguments: The arguments; `None` for those of the process.
    """
    try:
        return _run(arguments)
    except click.Abort:
        print_line("Error: interrupted", stderr=True)
        return 1
    except click.ClickException as error:
        print_error(error)
        return error.exit_code
    except OptionError as error:
        for name, message in error.errors:
            text = f"Error: {name}: {message.removesuffix('.')}"
            print_line(text, stderr=True)
        return 2
    except SitemapError as error:
        print_line(f"Error: {error}", stderr=True)
        return 1
    except BrokenPipeError:  # The reader of the output needs no more of it.
        _discard_output()
        return 1
    except OSError as error:
        _discard_output()
        name = error.filename or "the output or the current folder"
        message = (
            f"{name} cannot be used: {error.strerror}. Fix: correct the cause and try "
            "again"
        )
        print_line(f"Error: {message}", stderr=True)
        return 2
    except Exception:
        for line in traceback.format_exc().splitlines():
            print_line(line, stderr=True)
        print_line(
            "Error: docs-sitemap has failed unexpectedly. Fix: report the lines above "
            "where you found docs-sitemap",
            stderr=True,
        )
        # EX_SOFTWARE: https://man.freebsd.org/cgi/man.cgi?query=sysexits
        return 70


def _run(arguments: Sequence[str] | None) -> int:
    try:
        # A command that does not call `Context.exit` returns `None`.
        code: int | None = root_command.main(
            arguments, prog_name="docs-sitemap", standalone_mode=False
        )
    finally:
        # The interpreter flushes the output after the last handler of errors.
        if sys.stdout is not None:
            sys.stdout.flush()
    return code or 0


def _discard_output() -> None:
    """Discard output that cannot be written, which the interpreter would try again at
    exit.

    Source: <https://docs.python.org/3/library/signal.html#note-on-sigpipe>.
    """
    with suppress(AttributeError, OSError):  # There is no output, or it is no file.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _terminate(number: int, frame: object) -> None:
    """End the process after its temporary files are removed."""
    sys.exit(128 + number)


def _ignore_unraisable(error: object) -> None:
    """Say nothing of objects that Ctrl-C left half-made, and that fail when they are
    removed.
    """


def main() -> None:
    """Run the command with the arguments of the process, and end the process."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # Not all encodings contain "…".
            stream.reconfigure(errors="backslashreplace")
    # Terminals send SIGHUP when they are closed. Windows has no such signal.
    for name in ("SIGHUP", "SIGTERM"):
        number = getattr(signal, name, None)
        # `nohup` ignores it.
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _terminate)
    sys.unraisablehook = _ignore_unraisable
    sys.exit(run_command())
