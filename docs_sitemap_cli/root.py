"""`docs-sitemap`: the group of all commands, and how the process ends."""

import os
import signal
import sys
import traceback
from importlib import import_module
from io import TextIOWrapper
from typing import TYPE_CHECKING

import click
from click.shell_completion import BashComplete, FishComplete, ZshComplete

from .console import print_error, print_line

if TYPE_CHECKING:
    from docs_sitemap.sitemap.rules import Rule

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
    # No command imports another one, so the group hands over what these need.
    if ctx.invoked_subcommand == "report":
        from .generate.built_site import plan_report

        ctx.obj = plan_report
    if ctx.invoked_subcommand == "explain":
        ctx.obj = _load_rules


def _load_rules() -> "tuple[Rule, ...]":
    """Return the rules of `check`. Only codes need them."""
    from .check.rules import RULES

    return RULES


@root_command.command(
    epilog="""\b
Examples:
  docs-sitemap completion bash > ~/.local/share/bash-completion/completions/docs-sitemap
  docs-sitemap completion zsh > ~/.zfunc/_docs-sitemap
  docs-sitemap completion fish > ~/.config/fish/completions/docs-sitemap.fish"""
)
@click.argument("shell", type=click.Choice(["bash", "fish", "zsh"]))
def completion(shell: str) -> None:
    """Print a script that completes commands with the Tab key."""
    script = {"bash": BashComplete, "fish": FishComplete, "zsh": ZshComplete}[shell]
    variable = "_DOCS_SITEMAP_COMPLETE"
    source = script(root_command, {}, "docs-sitemap", variable).source()
    for line in source.splitlines():
        print_line(line)


def _run() -> int:
    """Run the command, and return its exit code when all of its output is written."""
    try:
        code: int = root_command.main(prog_name="docs-sitemap", standalone_mode=False)
    finally:
        # The interpreter flushes the output after the last handler of errors.
        if sys.stdout is not None:
            sys.stdout.flush()
    return code


def _discard_output() -> None:
    """Discard output that cannot be written, which the interpreter would try again at
    exit.

    Source: <https://docs.python.org/3/library/signal.html#note-on-sigpipe>.
    """
    if sys.stdout is not None:
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
    try:
        sys.exit(_run())
    except click.Abort:
        sys.exit("Error: interrupted")
    except click.ClickException as error:
        print_error(error)
        sys.exit(error.exit_code)
    except BrokenPipeError:  # The reader of the output needs no more of it.
        _discard_output()
        sys.exit(1)
    except OSError as error:
        _discard_output()
        name = error.filename or "the output or the current folder"
        message = (
            f"{name} cannot be used: {error.strerror}. Fix: correct the cause, and try "
            "again"
        )
        print_line(f"Error: {message}", stderr=True)
        sys.exit(2)
    except Exception:
        for line in traceback.format_exc().splitlines():
            print_line(line, stderr=True)
        print_line(
            "Error: docs-sitemap has failed unexpectedly. Fix: report the lines above "
            "where you found docs-sitemap",
            stderr=True,
        )
        # EX_SOFTWARE: https://man.freebsd.org/cgi/man.cgi?query=sysexits
        sys.exit(70)
