"""Text for messages: always one printable line, however long or hostile the input."""

import re
import reprlib

_MAX_SHOWN = 80
_MAX_MESSAGE = 300

_REPR = reprlib.Repr()
_REPR.maxlevel = 1
_REPR.maxstring = _REPR.maxother = _MAX_SHOWN


# The start of a command that Azure Pipelines and older versions of GitHub Actions run,
# wherever it is in a line:
# https://learn.microsoft.com/en-us/azure/devops/pipelines/scripts/logging-commands
CI_COMMAND = re.compile(r"(##(?:vso)?)\[", re.I)


def printable(line: str) -> str:
    """Escape what file names may contain, but would affect where a line is shown: line
    breaks, terminal control codes, and commands of CI services.
    """
    if not line.isprintable():
        line = "".join(map(_escape, line))
    return CI_COMMAND.sub(r"\1\\[", line)


def _escape(character: str) -> str:
    if character.isprintable():
        return character
    return ascii(character)[1:-1]


def shorten(value: object) -> str:
    """Return a short representation of any value. A few bytes of YAML can make a huge
    one.
    """
    if isinstance(value, str):
        if len(value) > _MAX_SHOWN:
            value = f"{value[: _MAX_SHOWN - 1]}…"
        return repr(value)
    try:
        return _REPR.repr(value)
    except ValueError:  # an integer with more than 4,300 digits
        return f"<{type(value).__name__}>"


def describe_error(error: Exception) -> str:
    """Return the type and the start of the message of an exception that any code may
    raise.
    """
    text = type(error).__name__
    if str(error):
        text += f": {error}"
    return one_line(text)


def one_line(text: str) -> str:
    """Return the start of a text of any length on one line, such as the message of a
    library.
    """
    start = printable(" ".join(text[:_MAX_MESSAGE].split()))
    if len(text) > _MAX_MESSAGE:
        start += "…"
    return start


def count(number: int, noun: str) -> str:
    """Return a number and its noun: `1 page`, `2,000 pages`."""
    if number != 1:
        noun += "s"
    return f"{number:,} {noun}"
