"""Objects in tables of autosummary and in inheritance diagrams. Sphinx does not record their files.

Both extensions import the objects while a document is read. Nothing else is imported here.
"""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Iterator
from functools import cached_property
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING

from docutils import nodes
from sphinx import addnodes

from sphinx_sitemap_ext.document_notes import current_notes

if TYPE_CHECKING:
    from sphinx.application import Sphinx


def note_shown_objects(app: Sphinx, doctree: nodes.document) -> None:
    """Note the files of the objects that a document shows: the event `doctree-read`."""
    names: set[str] = set()
    if "sphinx.ext.autosummary" in app.extensions:
        names.update(_names_in_tables(doctree))
        _note_stubs(app, doctree)
    if "sphinx.ext.inheritance_diagram" in app.extensions:
        names.update(_names_in_diagrams(app, doctree))
    for name in names:
        for path in find_files(name):
            current_notes(app.env).add_source(path)


def find_files(name: str) -> Iterator[str]:
    """Yield the Python files that define an object of an imported module.

    Args:
        name: The full name of the object, for example `package.module.Class.method`.
    """
    module_name, attributes = _find_module(name)
    if not module_name:
        return
    parent: object = None
    value: object = sys.modules[module_name]
    try:
        for attribute in attributes:
            parent, value = value, getattr(value, attribute)
        paths = [*_definition_files(parent, value, attributes[-1:])]
    except Exception:  # Attributes of the project can raise any exception.
        paths = [*_module_files(module_name)]
    yield from (path for path in paths if path.endswith(".py") and os.path.isfile(path))


def _find_module(name: str) -> tuple[str, list[str]]:
    """Return the name of the imported module that contains an object, and the rest of the name."""
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        module_name = ".".join(parts[:length])
        if isinstance(sys.modules.get(module_name), ModuleType):
            return module_name, parts[length:]
    return "", parts


def _definition_files(parent: object, value: object, attribute: list[str]) -> Iterator[str]:
    if isinstance(value, property):
        value = value.fget
    elif isinstance(value, cached_property):
        value = value.func
    if callable(value):
        value = inspect.unwrap(value)
    if isinstance(value, FunctionType):
        # Some projects replace `__module__`.
        yield value.__code__.co_filename
    elif isinstance(value, type):
        yield from _module_files(value.__module__)
        # The signature can be inherited.
        for constructor in ("__init__", "__new__"):
            function = inspect.unwrap(getattr(value, constructor))
            if isinstance(function, FunctionType):
                yield function.__code__.co_filename
    elif isinstance(value, ModuleType):
        yield from _module_files(value.__name__)
    elif isinstance(parent, type):  # an attribute of a class, perhaps inherited
        owners = (owner for owner in parent.__mro__ if {*attribute} <= vars(owner).keys())
        yield from _module_files(next(owners, parent).__module__)
    elif isinstance(parent, ModuleType):
        yield from _module_files(parent.__name__)


def _module_files(name: str) -> Iterator[str]:
    try:
        path = getattr(sys.modules.get(name), "__file__", None)
    except Exception:  # A module that is imported later can raise any exception.
        return
    if isinstance(path, str):
        yield path


def _names_in_tables(doctree: nodes.document) -> Iterator[str]:
    from sphinx.ext.autosummary import autosummary_table

    for table in doctree.findall(autosummary_table):
        for row in table.findall(nodes.row):
            # The first cell contains the name. The others can contain further references.
            for cell in row.children[:1]:
                for reference in cell.findall(addnodes.pending_xref):
                    yield reference["reftarget"]


def _note_stubs(app: Sphinx, doctree: nodes.document) -> None:
    from sphinx.ext.autosummary import autosummary_toc

    for node in doctree.findall(autosummary_toc):
        for tree in node.findall(addnodes.toctree):
            current_notes(app.env).stubs.update(tree["includefiles"])


def _names_in_diagrams(app: Sphinx, doctree: nodes.document) -> Iterator[str]:
    from sphinx.ext.inheritance_diagram import inheritance_diagram

    names = {alias: name for name, alias in app.config.inheritance_alias.items()}
    for diagram in doctree.findall(inheritance_diagram):
        for shown_name in diagram["graph"].get_all_class_names():
            yield names.get(shown_name, shown_name)
