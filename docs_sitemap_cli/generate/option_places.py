"""Merge the options of the places where a user can set them: the configuration of the
generator, that of docs-sitemap, and the command line.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from docs_sitemap.config.options import OPTIONS, Options, describe_unknown_option
from docs_sitemap.config.read_options import read_options
from docs_sitemap.diagnostics import OptionError
from docs_sitemap.tools.printing import printable, shorten

from .mkdocs_project.project_file import locate

_PARSERS = {option.name: option.parse for option in OPTIONS}

CONFIG_FILES = ("docs-sitemap.toml", "pyproject.toml")
"""The names of configurations of docs-sitemap: the first that exists is read."""

COMMAND_LINE = "command line"

OWN_NAMES = {option.name: option.name for option in OPTIONS}
"""The options of `docs-sitemap.toml` and the command line."""

_NOT_IN_PLUGIN = f"the plugin has no such option. Fix: move it to {CONFIG_FILES[0]}"


def label_option(name: str, place: str) -> str:
    """Return what errors call an option: as the user types it in a file, or on the
    command line.
    """
    if place in ("", COMMAND_LINE):
        return f"--{name.replace('_', '-')}"
    return printable(locate(place, name))


class OptionPlace(NamedTuple):
    """The options that a user sets in one place.

    Attributes:
        place: What messages call it, such as `mkdocs.yml`; empty for the command line.
        values: The values as users write them. `None` means the default.
        folder: The folder to which paths are relative.
        names: The options that can be set here, with their names in `Options`.
    """

    place: str
    values: Mapping[str, Any]
    folder: str
    names: Mapping[str, str] = OWN_NAMES

    def label(self, name: str) -> str:
        """Return what errors call an option in this place."""
        return label_option(name, self.place)

    def read_values(self, errors: list[tuple[str, str]]) -> dict[str, Any]:
        """Return the values that are set, by their names in `Options`.

        Args:
            errors: Receives the unknown options.
        """
        values = {}
        for written, value in self.values.items():
            name = self.names.get(written)
            if name is None:
                # YAML has keys of all types.
                text = written if isinstance(written, str) else shorten(written)
                message = _NOT_IN_PLUGIN
                if text not in OWN_NAMES:
                    message = describe_unknown_option(text, list(self.names))
                errors.append((self.label(text), message))
            elif value is not None:
                values[name] = value
        return values


def merge_options(places: Sequence[OptionPlace]) -> tuple[Options, dict[str, str]]:
    """Return the options of a user. If files set any, return also which file sets each
    option, or that it is the command line.

    Args:
        places: The files, and at last the command line, which wins over all. Files must
            not contradict each other.

    Raises:
        OptionError: Options are unknown or invalid, or contradict each other. The error
            lists all of them.
    """
    errors: list[tuple[str, str]] = []
    values: dict[str, Any] = {}
    found: dict[str, OptionPlace] = {}
    for one in places:
        for name, value in one.read_values(errors).items():
            # The command line decides between files.
            is_open = name in found and places[-1].values.get(name) is None
            if is_open and not _are_equal(name, values[name], value):
                message = (
                    f"{found[name].place} has {shorten(values[name])}, but "
                    f"{one.place} has {shorten(value)}. Fix: remove one of them."
                )
                errors.append((name, message))
            values[name] = value
            found[name] = one
    options = Options()
    folders = {name: one.folder for name, one in found.items()}
    try:
        options = read_options(values, folders=folders)
    except OptionError as error:
        for name, message in error.errors:
            label = name
            if name in found:
                label = found[name].label(name)
            errors.append((label, message))
    if errors:
        raise OptionError(errors)
    set_in = {name: one.place or COMMAND_LINE for name, one in found.items()}
    if {*set_in.values()} == {COMMAND_LINE}:
        return options, {}
    return options, set_in


def _are_equal(name: str, value: object, other: object) -> bool:
    """Return whether two values of an option mean the same."""
    parse = _PARSERS[name]
    try:
        return bool(parse(value) == parse(other))
    except ValueError:  # `read_options` reports invalid values.
        return False
