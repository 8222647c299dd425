"""The objects that a document shows: documented by autodoc, in tables of autosummary, and in
inheritance diagrams. Sphinx does not record all of their files.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from docutils import nodes
from sphinx import addnodes

from sphinx_sitemap_ext.document_notes import current_notes
from sphinx_sitemap_ext.object_definitions import (
    find_definitions,
    find_listed_files,
    module_files,
)

if TYPE_CHECKING:
    from sphinx.application import Sphinx


class ShownObjects:
    """The handlers of the events, and the objects of the document that is read."""

    def __init__(self) -> None:
        self._docname = ""
        self._imported: set[str] = set()
        self._has_inherited = False

    def note_imported_object(
        self, app: Sphinx, what: str, name: str, obj: object, options: Any, lines: list[str]
    ) -> None:
        """Remember an object that autodoc imports: the event `autodoc-process-docstring`.

        autodoc imports more objects than it shows, and has no event for some attributes.
        """
        try:
            docname = app.env.docname
        except (AttributeError, KeyError):  # autosummary generates documents.
            return
        if docname != self._docname:
            self._docname, self._imported, self._has_inherited = docname, set(), False
        self._imported.add(name)
        self._has_inherited |= bool(getattr(options, "inherited_members", None))
        if what == "module":
            for path in module_files(name):
                part = "" if _shows_all_members(options) else "__doc__"
                current_notes(app.env).add_object(path, part)
            if _shows_all_members(options) and hasattr(obj, "__all__"):
                for path in find_listed_files(name):
                    current_notes(app.env).add_object(path, "")

    def note_shown_objects(self, app: Sphinx, doctree: nodes.document) -> None:
        """Note the definitions of the objects that a document shows: the event `doctree-read`."""
        documented: set[str] = set()
        has_inherited = False
        if "sphinx.ext.autodoc" in app.extensions:
            is_current = self._docname == app.env.docname
            imported = self._imported if is_current else set()
            has_inherited = is_current and self._has_inherited
            # Files that are only included are not imported.
            inclusions = current_notes(app.env).inclusions
            recorded = map(os.path.realpath, doctree.settings.record_dependencies.list)
            files = {path for path in recorded if path not in inclusions}
            documented.update(_documented_names(doctree, imported, files))
        self._docname = ""
        listed: set[str] = set()
        if "sphinx.ext.autosummary" in app.extensions:
            listed.update(_names_in_tables(doctree))
            _note_stubs(app, doctree)
        if "sphinx.ext.inheritance_diagram" in app.extensions:
            listed.update(_names_in_diagrams(app, doctree))
        notes = current_notes(app.env)
        for name in documented:
            for path, part in find_definitions(name, has_inherited=has_inherited):
                notes.add_object(path, part)
        for name in listed:
            for path, part in find_definitions(name, is_summary=True):
                notes.add_object(path, part)


def _shows_all_members(options: Any) -> bool:
    """Return whether `automodule` shows all members, or members that are not named."""
    members = getattr(options, "members", None)
    names = ("inherited_members", "private_members", "special_members")
    return (bool(members) and not isinstance(members, list | tuple | set)) or any(
        getattr(options, name, None) for name in names
    )


def _documented_names(
    doctree: nodes.document, imported: set[str], files: set[str]
) -> Iterator[str]:
    """Yield the full names of the objects that autodoc imports for a document. Those that the
    author describes without autodoc may be imported only for other documents.

    Args:
        doctree: The document.
        imported: The names of objects that autodoc imports for the document.
        files: The real paths of the files that autodoc reads for the document.
    """
    folders = {os.path.dirname(path) for path in files}
    for signature in doctree.findall(addnodes.desc_signature):
        module, name = signature.get("module"), signature.get("fullname")
        if not name or signature.parent.get("domain") != "py":
            continue
        full_name = parent = f"{module}.{name}" if module else name
        while parent and parent != module and parent not in imported:
            parent = parent.rpartition(".")[0]
        if parent in imported or any(
            path in files or _is_package_of(path, folders)
            for path in map(os.path.realpath, module_files(module or ""))
        ):
            yield full_name


def _is_package_of(path: str, folders: set[str]) -> bool:
    """Return whether a file is a package above modules in some folders."""
    package, name = os.path.split(path)
    prefix = os.path.join(package, "")
    return name == "__init__.py" and any(
        folder == package or folder.startswith(prefix) for folder in folders
    )


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
