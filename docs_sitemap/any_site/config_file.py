"""The options of `docs-sitemap generate`: from a TOML file and the command line."""

import os
import tomllib
from collections.abc import Mapping
from typing import Any, NamedTuple

from docs_sitemap.config.options import (
    OPTIONS,
    Options,
    describe_unknown_option,
    read_options,
)
from docs_sitemap.errors import OptionError, SitemapError
from docs_sitemap.tools.files import read_regular
from docs_sitemap.tools.printing import printable

CONFIG_FILE = "docs-sitemap.toml"

# In bytes.
_MAX_CONFIG = 2**20


class SiteSettings(NamedTuple):
    """The options of a site, and the absolute path of its project folder."""

    options: Options
    folder: str


def read_settings(given: Mapping[str, Any]) -> SiteSettings:
    """Return the options for the project in the current folder: those in
    `docs-sitemap.toml`, if there is one, and those from the command line.

    Args:
        given: The options from the command line, which replace those in the file.

    Raises:
        SitemapError: The file cannot be used.
        OptionError: Some options are invalid. The error lists all of them.
    """
    configured = _read_file()
    names = [option.name for option in OPTIONS]
    unknown = sorted(configured.keys() - names)
    folder = os.getcwd()
    try:
        if unknown:
            raise OptionError(
                [(name, describe_unknown_option(name, names)) for name in unknown]
            )
        return SiteSettings(read_options({**configured, **given}, folder), folder)
    except OptionError as error:
        errors = []
        for name, reason in error.errors:
            place = name if name in given else f"{CONFIG_FILE}: {name}"
            errors.append((printable(place), reason))
        raise OptionError(errors) from None


def _read_file() -> dict[str, Any]:
    """Return the options in the configuration file."""
    if not os.path.lexists(CONFIG_FILE):
        return {}
    try:
        data = read_regular(CONFIG_FILE, _MAX_CONFIG)
        options = tomllib.loads(data.decode("utf-8-sig"))
    except (OSError, ValueError, RecursionError) as error:
        raise SitemapError(
            f"{CONFIG_FILE} cannot be used as configuration: {error}. Fix: correct the "
            "file"
        ) from None
    return {name.replace("-", "_"): value for name, value in options.items()}
