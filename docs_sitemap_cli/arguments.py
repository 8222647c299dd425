"""What people pass to commands: folders, files, URLs, and names. Each mistake has one
wording.
"""

import os
from collections.abc import Callable, Sequence
from typing import Any

import click
from click.shell_completion import CompletionItem

from docs_sitemap.diagnostics import UrlError
from docs_sitemap.sitemap.urls import BaseUrl, check_url, parse_base_url
from docs_sitemap.tools.files import open_regular
from docs_sitemap.tools.printing import one_line

from .console import describe_unknown

_BUILD = "build the site first, or correct the path"


def check_folder(path: str, fix: str = _BUILD) -> str:
    """Return the path of a folder.

    Args:
        path: The path.
        fix: What to do if it does not exist.

    Raises:
        click.BadParameter: It is missing, a file, or cannot be read.
    """
    try:
        os.listdir(path)
    except OSError as error:
        raise _unreadable(path, error, fix) from None
    return path


def check_file(path: str) -> str:
    """Return the path of a file.

    Raises:
        click.BadParameter: It is missing, a folder, or cannot be read.
    """
    _refuse_folder(path)
    try:
        open_regular(path).close()
    except OSError as error:
        raise _unreadable(path, error, "correct the path") from None
    return path


def check_output(path: str) -> str:
    """Return the path of a file to write.

    Raises:
        click.BadParameter: It is a folder, or its folder is missing.
    """
    _refuse_folder(path)
    check_folder(os.path.dirname(path) or os.curdir, "create it, or correct the path")
    return path


def no_pages(path: str) -> click.BadParameter:
    """Return the error about a folder without pages."""
    return _unusable(path, "contains no HTML files", _BUILD)


def check_place(path: str) -> str:
    """Return the path of a file or folder, or a URL."""
    if is_url(path):
        return parse_url(path)
    is_file = os.path.lexists(path) and not os.path.isdir(path)
    return path if is_file else check_folder(path)


def is_url(path: str) -> bool:
    """Return whether a path is a URL."""
    return "://" in path and not os.path.lexists(path)


def _refuse_folder(path: str) -> None:
    if os.path.isdir(path):
        raise _unusable(path, "is a folder", "pass a file")


def _unreadable(path: str, error: OSError, fix: str) -> click.BadParameter:
    if not os.path.lexists(path) or isinstance(error, FileNotFoundError):
        return _unusable(path, "does not exist", fix)
    if isinstance(error, NotADirectoryError):
        return _unusable(path, "is a file", "pass a folder")
    reason = f"cannot be read ({error.strerror})"
    return _unusable(path, reason, "make it readable or correct the path")


def _unusable(path: str, reason: str, fix: str) -> click.BadParameter:
    name = one_line(path) or repr(path)
    return click.BadParameter(f"{name} {reason}. Fix: {fix}")


class Value(click.ParamType):  # type: ignore[type-arg]  # of click 8.4 and newer
    """The type of an option or argument with a parser.

    Args:
        parse: Returns the value, or raises `ValueError` or `click.BadParameter` with
            the reason.
        completion: The type whose values shells complete.
    """

    name = "text"

    def __init__(
        self, parse: Callable[[str], Any], completion: Any = click.STRING
    ) -> None:
        self._parse = parse
        self._completion = completion

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        if not isinstance(value, str):  # the default
            return value
        try:
            return self._parse(value)
        except ValueError as error:
            raise click.BadParameter(str(error)) from None

    def shell_complete(self, *place: Any) -> list[CompletionItem]:
        items: list[CompletionItem] = self._completion.shell_complete(*place)
        return items


FOLDER = Value(check_folder, click.Path(file_okay=False))
"""The type of the folder of a site."""

FILE = Value(check_file, click.Path(dir_okay=False))
"""The type of a file."""


def choice_of(what: str, names: Sequence[str]) -> Value:
    """Return the type of a value that is one of some names, such as a `format`."""

    def parse(value: str) -> str:
        if value not in names:
            raise ValueError(describe_unknown(what, value, names))
        return value

    return Value(parse, click.Choice(names))


def parse_url(value: str) -> str:
    """Return an http or https URL as it is written.

    Raises:
        ValueError: It is invalid. The message is the reason, with the fix.
    """
    checked = check_url(value)
    if checked.normalized is not None:
        return value
    reasons = ", ".join(message for _, message in checked.faults)
    raise ValueError(
        f"{reasons}. Fix: write it as in the address bar of a browser: "
        "https://example.org/sitemap.xml"
    )


def _parse_base_url(value: str) -> BaseUrl:
    try:
        return parse_base_url(value)
    except UrlError as error:
        message = f"{error}. Fix: pass it as in https://example.org/docs/"
        raise ValueError(message) from None


OUTPUT = Value(check_output, click.Path())
"""The type of a file to write."""

PLACE = Value(check_place, click.Path())
"""The type of a sitemap, the folder of a site, or a URL."""

URL = Value(parse_url)
"""The type of an http or https URL."""

BASE_URL = Value(_parse_base_url)
"""The type of the URL of a site."""
