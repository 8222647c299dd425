"""Find and read the configuration of Zensical or MkDocs."""

import os
import re
import tomllib
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from docs_sitemap.diagnostics import OptionError
from docs_sitemap.tools.files import is_path, read_regular, read_text_file
from docs_sitemap.tools.printing import one_line, shorten

from .project import MkDocsProject, named_items
from .yaml_values import parse_yaml

PROJECT_FILES = ("zensical.toml", "mkdocs.yml", "mkdocs.yaml", "mkdocs.toml")
"""The names of configurations, in the order of Zensical. MkDocs 2 has the last one."""

PLUGIN = "sitemap"
"""The plugin of MkDocs whose options describe the sitemap."""

# In bytes.
_MAX_CONFIG = 2**20

# The settings that decide where pages are, and their types.
_TYPES: Mapping[str, tuple[type | tuple[type, ...], str]] = {
    "docs_dir": (str, "text"),
    "site_dir": (str, "text"),
    "site_url": (str, "text"),
    "use_directory_urls": (bool, "true or false"),
    "plugins": ((list, dict), "a list or a mapping"),
}

# Where the options of docs-sitemap start, in a file with other settings.
_SECTION = re.compile(
    r"""^[ \t]*(?:\[+tool\.["']?docs-sitemap\b|\[+(?:project\.)?plugins\.sitemap\b|"""
    r"""(?:-[ \t]*)?["']?sitemap["']?[ \t]*:)""",
    re.M,
)

# A key of YAML or TOML, or the name of a table.
_KEY = r"""(?:^|[\[{{,.])[ \t]*["']?({})["']?[ \t]*[\]=:.]"""

# The number of files that inherit from each other. Real projects have two or three.
_MAX_PARENTS = 20


def find_project_files(folder: str) -> list[str]:
    """Return the paths of the configurations in a folder, the one that Zensical reads
    first.
    """
    paths = [os.path.join(folder, name) for name in PROJECT_FILES]
    return [path for path in paths if os.path.lexists(path)]


def read_project(path: str) -> MkDocsProject:
    """Return the project that a configuration describes.

    Raises:
        OptionError: The file cannot be used.
    """
    values = read_project_file(path)
    for name, (types, meaning) in _TYPES.items():
        value = values.get(name)
        if value is not None and not isinstance(value, types):
            raise unusable_file(path, f"{name} is {shorten(value)}, not {meaning}")
        if isinstance(value, str) and not is_path(value):
            raise unusable_file(path, f"{name} is {shorten(value)}, which is invalid")
    for name, options in named_items(values.get("plugins")):
        if name == PLUGIN and options and not isinstance(options, dict):
            reason = f"the options of {PLUGIN} are {shorten(options)}, not a mapping"
            raise unusable_file(path, reason)
    # Git and the paths of pages know no links.
    folder = os.path.realpath(os.path.dirname(path))
    return MkDocsProject(os.path.join(folder, os.path.basename(path)), values)


def read_project_file(path: str) -> Mapping[str, Any]:
    """Return the values in the configuration of Zensical or MkDocs. No code runs:
    values with tags that name code are `TaggedValue`.

    Args:
        path: The file, `mkdocs.yml` unless its name ends in `.toml`.

    Raises:
        OptionError: The file cannot be used.
    """
    if path.lower().endswith(".toml"):
        document = read_toml(path)
        # Zensical also reads files without this table.
        return check_table(document.get("project", document), path, "project")
    return _read_yaml(path, ())


def read_toml(path: str) -> dict[str, Any]:
    """Return the values in a TOML file.

    Raises:
        OptionError: The file cannot be used.
    """
    text = _read_text(path)
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise unusable_file(path, one_line(str(error))) from None


def check_table(value: object, path: str, name: str) -> Mapping[str, Any]:
    """Return a table of a TOML file, or a mapping of a YAML file.

    Raises:
        OptionError: The value is something else.
    """
    if not isinstance(value, dict):
        raise unusable_file(path, f"{name} is not a table")
    return value


def unusable_file(path: str, reason: str, fix: str = "correct the file") -> OptionError:
    """Return the error about a file of configuration that cannot be used."""
    return OptionError([(path, f"{reason}. Fix: {fix}")])


def locate(path: str, name: str) -> str:
    """Return where a file sets an option or a setting, and its name as it is written:
    `mkdocs.yml:3: exclude`.

    Args:
        path: The file.
        name: The name. TOML may have hyphens instead of underscores.
    """
    with suppress(OSError):
        text = read_text_file(path)
        key = re.escape(name).replace("_", "[_-]")
        pattern = re.compile(_KEY.format(key), re.M)
        section = _SECTION.search(text)
        match = pattern.search(text, section.start() if section else 0)
        match = match or pattern.search(text)
        if match is not None:
            path += f":{text.count(chr(10), 0, match.start(1)) + 1}"
            name = match[1]
    return f"{path}: {name}"


def _read_text(path: str) -> str:
    """Return the text of a file of configuration.

    Raises:
        OptionError: The file cannot be read, is too large, or is not UTF-8.
    """
    try:
        return read_regular(path, _MAX_CONFIG).decode("utf-8-sig")
    except OSError as error:
        fix = "correct the path or the file"
        raise unusable_file(path, str(error.strerror), fix) from None
    except UnicodeDecodeError as error:
        raise unusable_file(path, f"it is not UTF-8 ({error.reason})") from None


def _read_yaml(path: str, children: tuple[str, ...]) -> dict[str, Any]:
    """Return the values in a YAML file, and those that it inherits.

    Args:
        path: The file.
        children: The files that inherit from it, the first one first.
    """
    try:
        values = parse_yaml(_read_text(path))
    except ValueError as error:
        raise unusable_file(path, str(error)) from None
    if values is None:
        return {}
    if not isinstance(values, dict):
        raise unusable_file(path, "it is not a mapping")
    parent = values.pop("INHERIT", None)
    if parent is None:
        return values
    if not isinstance(parent, str):
        raise unusable_file(path, f"INHERIT is {shorten(parent)}, not a path")
    file = os.path.normpath(os.path.join(os.path.dirname(path), parent))
    children = (*children, path)
    if len(children) > _MAX_PARENTS:
        reason = f"more than {_MAX_PARENTS} files inherit from each other"
        raise unusable_file(children[0], reason)
    if file in children:
        raise unusable_file(children[0], f"INHERIT leads to {shorten(file)} again")
    if not os.path.lexists(file):
        raise unusable_file(
            path, f"INHERIT leads to {shorten(parent)}, which is missing"
        )
    inherited = _read_yaml(file, children)
    _merge(inherited, values, set())
    return inherited


def _merge(
    inherited: dict[Any, Any],
    values: dict[Any, Any],
    merged: set[tuple[int, int]],
) -> None:
    """Add values to inherited ones. Only mappings are merged.

    Args:
        inherited: The mapping to change.
        values: The values that win.
        merged: The identities of the mappings that were merged before: aliases can
            repeat them any number of times.
    """
    pair = (id(inherited), id(values))
    if pair in merged:
        return
    merged.add(pair)
    for key, value in values.items():
        old = inherited.get(key)
        if isinstance(old, dict) and isinstance(value, dict):
            _merge(old, value, merged)
        else:
            inherited[key] = value
