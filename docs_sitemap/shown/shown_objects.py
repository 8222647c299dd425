"""Which objects of a Python module a page shows, and how."""

import re
from enum import StrEnum
from typing import NamedTuple


class Extent(StrEnum):
    """How much of an object a page shows."""

    ALL = "all"
    """The object with its members."""
    HEAD = "head"
    """A class without its members."""
    DOCSTRING = "docstring"
    """Only the docstring."""
    VALUE = "value"
    """The value of a type alias, in signatures."""
    NAMES = "names"
    """The docstring, and the names of the members."""
    EXPORTS = "exports"
    """The names in `__all__`."""


class ObjectStyle(NamedTuple):
    """How pages show the objects of a module.

    Attributes:
        tool: `autodoc` imports the module, so pages show the values of names in
            signatures. `griffe` only reads the source. It shows classes without a
            docstring if it shows one of their members.
        filters: Regular expressions. The last one that matches the name of a member
            decides whether it is shown: not with `!` in front. If all of them are
            without `!`, others are hidden.
        exported: Whether pages show the names in `__all__`, also imported ones, and no
            others.
        undocumented: Whether members without a docstring are shown.
        init: Whether classes are shown with the signature and docstring of `__init__`.
        fields: Whether data classes are shown with a signature of their fields.
        bases: Whether classes are shown with their base classes.
        source: Whether the code of functions is shown, and the code of classes without
            `init`.
        end: The separator below the part of docstrings that is shown, such as an empty
            line; empty for complete docstrings.
        full_types: Whether imported types are shown with the names of their modules.
    """

    tool: str = ""
    filters: tuple[str, ...] = ()
    exported: bool = False
    undocumented: bool = True
    init: bool = True
    fields: bool = True
    bases: bool = True
    source: bool = False
    end: str = ""
    full_types: bool = False

    def shows(self, name: str) -> bool:
        """Return whether the name of a member passes the filters."""
        excludes = [regex for regex in self.filters if regex.startswith("!")]
        is_shown = excludes != [] or not self.filters
        for regex in self.filters:
            expression = regex.removeprefix("!")
            if re.search(expression, name):
                is_shown = regex == expression
        return is_shown


class ShownObject(NamedTuple):
    """An object of a Python module that a page shows.

    Attributes:
        name: The name from the module on, such as `Class.method`; empty for the module
            itself. If the module does not define it, all that may define it is
            compared: what its class shows, or the module.
        extent: How much of the object the page shows.
        is_optional: Whether nothing is compared if the module does not define the
            object. Members of such an object are not shown.
        style: How the page shows the object.
    """

    name: str = ""
    extent: Extent = Extent.ALL
    is_optional: bool = False
    style: ObjectStyle = ObjectStyle()
