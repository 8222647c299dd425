"""Text for messages: always one printable line, however long or hostile the input."""

import re
import reprlib

_MAX_SHOWN = 80
_MAX_MESSAGE = 300

_REPR = reprlib.Repr()
_REPR.maxlevel = 1
_REPR.maxstring = _REPR.maxother = _MAX_SHOWN

# The user and the password in a URL. A slash in the password makes the URL invalid: its
# port is no number.
_USER = r"://(?:[^/?#\s]*|[^/?#\s:\[]+:(?![0-9]*+(?:[/?#\s'\"]|\Z))\S{0,200})@"

# Parameters of URLs with secrets, such as `private_token`, `apikey`, and
# `X-Amz-Signature`, in a query or a fragment.
_PARAMETER = (
    r"(?i)([?&#;](?:[^=?&#;\s]*[_-])?(?:token|secret|signature|credential|password|passwd|"
    r"auth|sig|(?:api|access)?key)=)[^&#;\s'\"]+"
)

# The start of a command that Azure Pipelines and older versions of GitHub Actions run,
# wherever it is in a line:
# https://learn.microsoft.com/en-us/azure/devops/pipelines/scripts/logging-commands
CI_COMMAND = re.compile(r"(##(?:vso)?)\[", re.I)


def printable(line: str) -> str:
    """Hide the secrets of URLs, and escape what file names may contain, but would
    affect where a line is shown: line breaks, terminal control codes, and commands of
    CI services.
    """
    line = hide_secrets(line)
    if not line.isprintable():
        line = "".join(map(_escape, line))
    return CI_COMMAND.sub(r"\1\\[", line)


def hide_secrets(text: str) -> str:
    """Return a text with `***` instead of the passwords and tokens of its URLs."""
    if "://" not in text:
        return text
    return re.sub(_PARAMETER, r"\1***", re.sub(_USER, "://***@", text))


def _escape(character: str) -> str:
    if character.isprintable():
        return character
    return ascii(character)[1:-1]


def shorten(value: object) -> str:
    """Return a short representation of any value. A few bytes of YAML can make a huge
    one.
    """
    if isinstance(value, str):
        value = hide_secrets(value)
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
    text = hide_secrets(text)
    start = printable(" ".join(text[:_MAX_MESSAGE].split()))
    if len(text) > _MAX_MESSAGE:
        start += "…"
    return start


def count(number: int, noun: str) -> str:
    """Return a number and its noun: `1 page`, `2,000 pages`."""
    if number != 1:
        noun += "s"
    return f"{number:,} {noun}"
