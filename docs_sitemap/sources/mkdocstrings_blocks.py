"""Blocks of mkdocstrings: lines such as `::: package.module`, with indented options
that decide how pages show the objects of Python.
"""

import re
from collections.abc import Callable, Mapping, Set
from typing import Any

from docs_sitemap.shown.shown_objects import ObjectStyle

GetOption = Callable[[str, Any], Any]
"""Returns an option of a block, or a default."""

_BLOCK = "::: "


def has_only_blocks(text: str) -> bool:
    """Return whether a document has no text of its own: only headings and blocks.

    Args:
        text: The Markdown without front matter.
    """
    has_block = False
    for line in text.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        is_block = line.startswith(_BLOCK)
        is_option = has_block and line[0].isspace()
        if not is_block and not is_option:
            return False
        has_block = True
    return has_block


def read_style(option: GetOption, paths: Set[str]) -> ObjectStyle:
    """Return how a block shows objects:
    <https://mkdocstrings.github.io/python/usage/configuration/general/>.

    Args:
        option: Returns the options of the block.
        paths: The paths of the objects on the page.
    """
    filters = option("filters", ["!^_[^_]"])
    is_public = filters == "public"
    if is_public:
        filters = ["!^_"]
    has_diagram = bool(option("show_inheritance_diagram", False))
    init = bool(option("merge_init_into_class", False))
    # griffe-fieldz lists the fields of data classes.
    shows_fields = init or has_extension(option, "fieldz")
    for path in paths:
        shows_fields |= path.endswith(".__init__")
    shows_all = option("members", None) is True
    if shows_all:
        filters = []
    return ObjectStyle(
        tool="griffe",
        filters=tuple(map(_expression, filters or ())),
        exported=is_public and not shows_all,
        undocumented=shows_all or bool(option("show_if_no_docstring", False)),
        init=init,
        fields=shows_fields,
        bases=bool(option("show_bases", True)) or has_diagram,
        source=bool(option("show_source", True)),
    )


def has_extension(option: GetOption, name: str) -> bool:
    """Return whether a block uses an extension of Griffe."""
    extensions = option("extensions", ())
    if not isinstance(extensions, list | tuple):
        return False
    for extension in extensions:
        # One with options of its own is a mapping from its name.
        names = extension if isinstance(extension, Mapping) else [extension]
        if any(isinstance(one, str) and name in one for one in names):
            return True
    return False


def _expression(regex: str | tuple[re.Pattern[str], bool]) -> str:
    """Return a filter, which mkdocstrings may have compiled."""
    if isinstance(regex, str):
        return regex
    pattern, is_excluded = regex
    if is_excluded:
        return f"!{pattern.pattern}"
    return pattern.pattern
