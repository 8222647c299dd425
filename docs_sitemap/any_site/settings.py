"""The settings of `docs-sitemap generate`: a TOML file and the command line."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from docs_sitemap import values
from docs_sitemap.errors import OptionError, SitemapError
from docs_sitemap.files import read_regular
from docs_sitemap.options import OPTIONS, REMOVED_OPTIONS, Options, read_options

CONFIG_FILES = ("docs-sitemap.toml", "pyproject.toml")
_TABLE = "docs-sitemap"

# In bytes.
_MAX_CONFIG = 2**20

# Whether a page is translated is known only to a generator.
_OPTIONS = [option.name for option in OPTIONS if option.name != "min_translated"]
_OWN_SETTINGS = {
    "source_dir": values.parse_path,
    "clean_urls": values.parse_bool,
    "min_dated": values.parse_percentage,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteSettings:
    """The settings for the site of any generator.

    Attributes:
        options: The options of the sitemap, perhaps without a base URL.
        folder: The absolute path of the project folder, to which all paths are relative.
        source_dir: The folder of the source files, if it must not be searched.
        clean_urls: Whether the URL of `guide.html` is `guide`, if the site does not say so itself.
        min_dated: The percentage of the listed pages that must have a date.
    """

    options: Options
    folder: str
    source_dir: str | None = None
    clean_urls: bool = False
    min_dated: float | None = None


def read_settings(file: str | None, given: Mapping[str, Any]) -> SiteSettings:
    """Return the settings of a project.

    Args:
        file: The configuration file; `None` to use `docs-sitemap.toml` or `pyproject.toml` of the
            current folder, if there is one with settings.
        given: The settings from the command line, which replace those in the file. Paths are
            relative to the current folder.

    Raises:
        SitemapError: The file cannot be used.
        OptionError: Some settings are invalid. The error lists all of them.
    """
    folder = os.path.dirname(os.path.abspath(file or CONFIG_FILES[0]))
    configured: dict[str, Any] = {}
    for path in [file] if file else filter(os.path.lexists, CONFIG_FILES):
        table = _read_table(path)
        if table is not None:
            configured = {str(name).replace("-", "_"): value for name, value in table.items()}
            break
    errors = [(name, _describe_unknown(name)) for name in configured if not _is_known(name)]
    merged = {name: value for name, value in {**configured, **given}.items() if _is_known(name)}
    own: dict[str, Any] = {}
    for name in merged.keys() & _OWN_SETTINGS.keys():
        try:
            own[name] = _OWN_SETTINGS[name](merged.pop(name))
        except ValueError as error:
            errors.append((name, str(error)))
    try:
        options = read_options(merged, folder)
    except OptionError as error:
        raise OptionError([*errors, *error.errors]) from None
    if errors:
        raise OptionError(errors)
    return SiteSettings(options=options, folder=folder, **own)


def _read_table(path: str) -> Mapping[str, Any] | None:
    """Return the settings in a file; `None` if it is a `pyproject.toml` without settings."""
    try:
        document = tomllib.loads(read_regular(path, _MAX_CONFIG).decode())
    except (OSError, ValueError, RecursionError) as error:
        raise SitemapError(f"{path} cannot be read: {error}. Fix: correct the file") from None
    if os.path.basename(path) != "pyproject.toml":
        return document
    tools = document.get("tool")
    table = tools.get(_TABLE) if isinstance(tools, dict) else None
    return table if isinstance(table, dict) else None


def _is_known(name: str) -> bool:
    return name in _OPTIONS or name in _OWN_SETTINGS


def _describe_unknown(name: str) -> str:
    names = [*_OPTIONS, *_OWN_SETTINGS]
    similar = get_close_matches(name, names, n=1) or names
    message = f"there is no such option. Fix: use {', '.join(similar)} instead."
    return REMOVED_OPTIONS.get(name, message)
