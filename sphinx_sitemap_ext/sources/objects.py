"""The objects that a document shows: documented by autodoc, and in tables of
autosummary. Sphinx does not record all of their files.
"""

import os
import posixpath
from collections.abc import Iterator
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.config import Config

from docs_sitemap.shown.shown_objects import ObjectStyle
from docs_sitemap.sources.installed import import_names

from .definitions import find_definitions
from .generated import member_filters
from .noted_files import current_notes

# The key of the objects in the data that Sphinx discards after it has read a document.
_IMPORTED = "sitemap_imported"


def watch_autodoc(app: Sphinx, config: Config) -> None:
    """Connect the handler of the event that autodoc adds: the event `config-inited`."""
    # autodoc may be loaded later than this extension.
    if "sphinx.ext.autodoc" in app.extensions:
        app.connect("autodoc-process-docstring", _note_imported_object)


def _note_imported_object(
    app: Sphinx, what: str, name: str, obj: object, options: Any, lines: list[str]
) -> None:
    """Note an object that autodoc imports, with its kind and its options.

    autodoc imports more objects than it shows, and has no event for some attributes.
    """
    data = getattr(app.env, "temp_data", {})
    if data.get("docname"):  # autosummary generates documents without a name.
        data.setdefault(_IMPORTED, {})[name] = what, options


def note_shown_objects(app: Sphinx, doctree: nodes.document) -> None:
    """Note the definitions of the objects that a document shows: the event
    `doctree-read`.
    """
    imported = app.env.temp_data.get(_IMPORTED) or {}
    notes = current_notes(app.env)
    packages = set()
    for recorded in doctree.settings.record_dependencies.list:
        path = os.path.realpath(recorded)
        # Files that are only included are not imported.
        if path not in notes.inclusions:
            notes.imported.add(path)
            packages.add(import_names(path)[0])
    names = set()
    for name, (kind, _) in imported.items():
        package, _, _ = name.partition(".")
        packages.add(package)
        if kind == "module":
            names.add(name)
    names.update(_documented_names(doctree, packages))
    for name in names | _note_tables(app, doctree):
        kind, options = "", None
        if name in names and name in imported:
            kind, options = imported[name]
        has_members = _shows_members(kind, options)
        is_listed = name not in names
        if kind == "module" and not has_members:
            # Above a table of its functions, it shows only its own docstring.
            is_listed = True
        style = _style(options, is_listed=is_listed)
        definitions = find_definitions(
            name,
            is_module=kind == "module",
            has_members=has_members,
            inherits=_is_set(options, "inherited_members"),
        )
        for path, item in definitions:
            notes.add_object(path, item._replace(style=style))


def _shows_members(kind: str, options: Any) -> bool:
    """Return whether all members are shown, or members that are not named."""
    if kind not in ("module", "class", "exception"):
        return False
    members = getattr(options, "members", None)
    if members and not isinstance(members, list | tuple | set):
        return True
    for name in ("inherited_members", "private_members", "special_members"):
        if _is_set(options, name):
            return True
    return False


def _is_set(options: Any, name: str) -> bool:
    return bool(getattr(options, name, None))


def _style(options: Any, *, is_listed: bool) -> ObjectStyle:
    """Return how autodoc shows objects with some options. Other extensions can import
    objects without autodoc. A table of autosummary lists objects with their first
    sentence.
    """
    is_private = _is_set(options, "private_members")
    is_special = _is_set(options, "special_members")
    end = ""
    if is_listed:
        end = "\n\n"
    return ObjectStyle(
        tool="autodoc",
        filters=member_filters(is_private, is_special),
        exported=not _is_set(options, "ignore_module_all"),
        undocumented=_is_set(options, "undoc_members"),
        bases=_is_set(options, "show_inheritance"),
        end=end,
    )


def _documented_names(doctree: nodes.document, packages: set[str]) -> Iterator[str]:
    """Yield the full names of the objects that a document describes, from some
    packages.
    """
    if not packages:  # Most documents describe none, and have many nodes.
        return
    for signature in doctree.findall(addnodes.desc_signature):
        name = signature.get("fullname")
        if not name or signature.parent.get("domain") != "py":
            continue
        module = signature.get("module")
        if module:
            name = f"{module}.{name}"
        package, _, _ = name.partition(".")
        if package in packages:
            yield name


def _note_tables(app: Sphinx, doctree: nodes.document) -> set[str]:
    """Note the documents that autosummary generates for its tables. Return the full
    names of the objects in the tables.
    """
    names = set[str]()
    if "sphinx.ext.autosummary" not in app.extensions:
        return names
    from sphinx.ext.autosummary import autosummary_table, autosummary_toc

    places = {}
    for table in doctree.findall(autosummary_table):
        for row in table.findall(nodes.row):
            # The first cell contains the name. The others can contain further
            # references.
            for reference in row.children[0].findall(addnodes.pending_xref):
                name = reference["reftarget"]
                names.add(name)
                # A path and, in a docstring, its object; a line; and the directive.
                source, *_ = str(reference.source).rsplit(":", 2)
                path, _, _ = source.partition(":docstring of ")
                file_name = app.config.autosummary_filename_map.get(name, name)
                places[file_name] = path, name
    stubs = current_notes(app.env).stubs
    for toc in doctree.findall(autosummary_toc):
        for tree in toc.findall(addnodes.toctree):
            for docname in tree["includefiles"]:
                stubs[docname] = places.get(posixpath.basename(docname), ("", ""))
    return names
