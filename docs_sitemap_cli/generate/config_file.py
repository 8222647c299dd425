"""The options of `docs-sitemap generate`: from a TOML file and the command line."""

import os
import tomllib
from collections.abc import Mapping
from typing import Any, NamedTuple

from docs_sitemap.config.options import Options
from docs_sitemap.config.read_options import read_options
from docs_sitemap.diagnostics import OptionError, SitemapError
from docs_sitemap.tools.files import read_regular
from docs_sitemap.tools.printing import printable

CONFIG_FILES = ("docs-sitemap.toml", "pyproject.toml")

# In bytes.
_MAX_CONFIG = 2**20


class ProjectOptions(NamedTuple):
    """The options of a site, and the absolute path of its project folder."""

    options: Options
    folder: str


def read_settings(given: Mapping[str, Any]) -> ProjectOptions:
    """Return the options for the project in the current folder: those in
    `docs-sitemap.toml` or in `pyproject.toml`, if there is one.

    Args:
        given: The options from the command line, which replace those in the file.

    Raises:
        SitemapError: The file cannot be used.
        OptionError: Some options are invalid. The error lists all of them.
    """
    file = next(filter(os.path.lexists, CONFIG_FILES), None)
    configured = {}
    if file is not None:
        for name, value in _read_table(file).items():
            configured[name.replace("-", "_")] = value
    folder = os.getcwd()
    try:
        return ProjectOptions(read_options({**configured, **given}, folder), folder)
    except OptionError as error:
        errors = []
        for name, reason in error.errors:
            place = name if name in given else f"{file}: {name}"
            errors.append((printable(place), reason))
        raise OptionError(errors) from None


def _read_table(path: str) -> Mapping[str, Any]:
    """Return the options in a file."""
    try:
        document = tomllib.loads(read_regular(path, _MAX_CONFIG).decode("utf-8-sig"))
        if path == "pyproject.toml" or "tool" in document:
            document = document.get("tool", {}).get("docs-sitemap", {})
        return {**document}
    except (TypeError, AttributeError):
        reason: object = "tool.docs-sitemap is not a table"
    except OSError as error:
        reason = error.strerror
    except (ValueError, RecursionError) as error:
        reason = error
    raise SitemapError(
        f"{path} cannot be used as configuration: {reason}. Fix: correct the file"
    )
