"""The one way out for text: lines for people, and JSON and commands for programs."""

import json
import os
import re
import shlex
import sys
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from time import monotonic
from typing import Any, TextIO, TypeVar
from urllib.parse import unquote

import click
import msgspec

from docs_sitemap.diagnostics import Diagnostic, Severity
from docs_sitemap.tools.printing import CI_COMMAND, printable, shorten
from docs_sitemap.tools.suggestion import suggest

_Item = TypeVar("_Item")

# In seconds: people wait so long without knowing for what.
_PATIENCE = 2

# Increase this number whenever the meaning of a JSON key changes, or a key is removed.
JSON_VERSION = 1

MAX_NAMES = 5
"""A line names this many files, pages, or URLs."""

# A message lists so many names if none is similar: all commands, options, and formats.
_MAX_KNOWN = 20

QUIET = f"{__name__}.quiet"
"""The key for the value of `--quiet` in `click.Context.meta`."""

SEVERITY_STYLES = {
    Severity.ERROR: "bold red",
    Severity.WARNING: "bold yellow",
    Severity.NOTICE: "bold",
}

# Characters outside of ASCII in a URL.
_ENCODED = re.compile(r"(?:%[89A-F][0-9A-F])+", re.I)

# https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
_GITHUB_COMMAND = re.compile(" *::")


def print_line(*parts: str | tuple[str, str], stderr: bool = False) -> None:
    """Print a line for people. Terminals show colors unless `NO_COLOR` is set. With
    `FORCE_COLOR`, files and pipes also contain colors. Text is never read as a control
    code of terminals, or as a command of a CI service.

    Args:
        parts: Texts, or pairs of a text and its style: `bold` or `dim`, a color, or
            both.
        stderr: Whether to print to standard error.
    """
    plain = ""
    styled = ""
    for part in parts:
        text, style = (part, "") if isinstance(part, str) else part
        text = _ENCODED.sub(_decode, text)
        plain += text
        styled += _style(printable(text), style)
    if _GITHUB_COMMAND.match(plain):
        styled = f"\\{styled}"
    _write(styled, stderr=stderr)


def _decode(match: re.Match[str]) -> str:
    """Return percent-encoded letters as people read them, and other bytes unchanged."""
    letters = unquote(match[0], errors="replace")
    is_text = letters.isprintable() and "\ufffd" not in letters
    return letters if is_text else match[0]


def print_summary(*parts: str | tuple[str, str]) -> None:
    """Print a line of `print_line` that `--quiet` leaves out."""
    if not is_quiet():
        print_line(*parts)


def print_option_files(files: Mapping[str, str]) -> None:
    """Print which options come from which file.

    Args:
        files: The file that sets each option.
    """
    names = defaultdict[str, list[str]](list)
    for name, file in files.items():
        names[file].append(name)
    for file in names:
        print_line((f"options from {file}: {', '.join(names[file])}", "dim"))


def is_quiet() -> bool:
    """Return whether the user wants to see only what is wrong."""
    return bool(click.get_current_context().meta.get(QUIET))


def print_error(error: click.ClickException) -> None:
    """Print an error on one line, after the usage of the command if the command has
    been used incorrectly, and the message has no fix. The message may contain what a
    file or a server says.
    """
    message = error.format_message()
    context = getattr(error, "ctx", None)
    if isinstance(error, click.NoSuchOption) and context is not None:
        known = []
        for param in context.command.params:
            if isinstance(param, click.Option):
                known += param.opts
        message = describe_unknown("option", error.option_name, known)
    elif isinstance(error, click.MissingParameter) and error.param is not None:
        message = f"{_name(error.param)} is missing"
    elif isinstance(error, click.BadParameter):
        context = None  # The usage shows no values.
        message = error.message
        # The name of an argument says less than its value.
        if isinstance(error.param, click.Option):
            message = f"{_name(error.param)}: {message}"
    if context is not None and ". Fix: " not in message:
        print_line(" ".join(context.get_usage().split()), stderr=True)
        help_option = f"{context.command_path} {context.help_option_names[-1]}"
        print_line(f"Try '{help_option}' for help.", stderr=True)
        print_line(stderr=True)
    print_line(f"Error: {message}", stderr=True)


def _name(parameter: click.Parameter) -> str:
    """Return what people call an option or argument: its long name."""
    if isinstance(parameter, click.Option):
        return max(parameter.opts, key=len)
    return parameter.metavar or parameter.human_readable_name


def print_diagnostics(diagnostics: Iterable[Diagnostic]) -> None:
    """Print the warnings and notices of a build to standard error, each once."""
    for diagnostic in dict.fromkeys(diagnostics):
        is_notice = diagnostic.severity is Severity.NOTICE
        if is_notice and is_quiet():
            continue
        label = "Note" if is_notice else "Warning"
        print_line(f"{label}: {diagnostic.message}", stderr=True)


def print_annotation(severity: str, properties: Mapping[str, str], text: str) -> None:
    """Print a command that shows a message in GitHub Actions.

    Source:
    <https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands>.

    Args:
        severity: `error`, `warning`, or `notice`.
        properties: The place and the title of the message.
        text: The message.
    """
    values = []
    for name, value in properties.items():
        escaped = _escape(value).replace(":", "%3A").replace(",", "%2C")
        values.append(f"{name}={escaped}")
    _write(f"::{severity} {','.join(values)}::{_escape(text)}")


def _escape(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _write(line: str, *, stderr: bool = False) -> None:
    stream = sys.stderr if stderr else sys.stdout
    if stream is not None:  # A process can be without it.
        click.echo(line, err=stderr, color=_has_color(stream))


def _has_color(stream: TextIO) -> bool:
    """Return whether lines have colors: <https://no-color.org>,
    <https://force-color.org>.
    """
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def _style(text: str, style: str) -> str:
    effects: dict[str, Any] = {}
    for word in style.split():
        if word in ("bold", "dim"):
            effects[word] = True
        else:
            effects["fg"] = word
    return click.style(text, **effects)


def print_json(document: object) -> None:
    """Print a document in ASCII, which every terminal and pipe can encode."""
    text = json.dumps(msgspec.to_builtins(document), indent=1)
    # A command can only be within a string, where any character can be escaped.
    _write(CI_COMMAND.sub(r"\1\\u005b", text))


def with_progress(items: Sequence[_Item], label: str) -> Iterator[_Item]:
    """Yield items. If this takes long, show the progress in a terminal, but not in a
    log.
    """
    rest = iter(items)
    number = 0
    start = monotonic()
    for item in rest:
        yield item
        number += 1
        if sys.stderr.isatty() and monotonic() - start > _PATIENCE:
            break
    else:
        return
    with click.progressbar(
        rest, length=len(items), label=label, file=sys.stderr
    ) as progress:
        progress.update(number)
        yield from progress


def shell_word(text: str) -> str:
    """Quote a path or name, if necessary, so that it can be pasted into a shell."""
    # A command would read a leading hyphen as an option.
    if text.startswith("-"):
        text = f"./{text}"
    return shlex.quote(text)


def describe_unknown(what: str, name: str, names: Collection[str]) -> str:
    """Return what is wrong with a name that is unknown, and the one to use instead.

    Args:
        what: What it is the name of, such as `command`.
        name: The name, as typed.
        names: The known names, the most important first.
    """
    known = suggest(name, names) or f"one of {join_some([*names], _MAX_KNOWN)}"
    return f"there is no {what} {shorten(name)}. Fix: use {known}"


def join_some(names: Sequence[str], limit: int = MAX_NAMES) -> str:
    """Join the first names with commas, and count the rest."""
    text = ", ".join(names[:limit])
    if len(names) > limit:
        text += f" and {len(names) - limit:,} more"
    return text
