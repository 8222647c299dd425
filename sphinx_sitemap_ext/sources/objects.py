"""The objects that a document shows: documented by autodoc, in tables of autosummary, and in
inheritance diagrams. Sphinx does not record all of their files.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Any

from docutils import nodes
from sphinx import addnodes

from docs_sitemap.shown import shown_objects
from sphinx_sitemap_ext.sources.definitions import find_definitions, top_package
from sphinx_sitemap_ext.sources.notes import current_notes

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.config import Config


class ShownObjects:
    """The handlers of the events, and the objects of the document that is read."""

    def __init__(self) -> None:
        self._docname = ""
        self._imported: dict[str, tuple[str, Any]] = {}

    def note_imported_object(
        self, app: Sphinx, what: str, name: str, obj: object, options: Any, lines: list[str]
    ) -> None:
        """Remember an object that autodoc imports, with its kind and its options: the event
        `autodoc-process-docstring`.

        autodoc imports more objects than it shows, and has no event for some attributes.
        """
        try:
            docname = app.env.docname
        except (AttributeError, KeyError):  # autosummary generates documents.
            return
        if docname != self._docname:
            self._docname, self._imported = docname, {}
        self._imported[name] = what, options

    def note_shown_objects(self, app: Sphinx, doctree: nodes.document) -> None:
        """Note the definitions of the objects that a document shows: the event `doctree-read`."""
        imported = self._imported if self._docname == app.env.docname else {}
        self._docname = ""
        notes = current_notes(app.env)
        # Files that are only included are not imported.
        recorded = {*map(os.path.realpath, doctree.settings.record_dependencies.list)}
        packages = {top_package(path) for path in recorded - notes.inclusions.keys()}
        names = {*_documented_names(doctree, imported.keys(), packages)}
        names |= {name for name, (what, _) in imported.items() if what == "module"}
        for name in names:
            kind, options = imported.get(name, ("", None))
            found = find_definitions(
                name,
                has_members=kind in ("module", "class", "exception") and _shows_members(options),
                inherits=bool(getattr(options, "inherited_members", None)),
            )
            for path, part in found:
                notes.add_object(path, part)
                notes.add_object(path, _rules(app.config, options))
        for name in _listed_names(app, doctree):
            for path, part in find_definitions(name):
                notes.add_object(path, part)
                notes.add_object(path, _rules(app.config, None))


def _shows_members(options: Any) -> bool:
    """Return whether all members are shown, or members that are not named."""
    members = getattr(options, "members", None)
    names = ("inherited_members", "private_members", "special_members")
    return (bool(members) and not isinstance(members, list | tuple | set)) or any(
        getattr(options, name, None) for name in names
    )


def _rules(config: Config, options: Any) -> str:
    """Return how autodoc shows objects with some options, for `Shown`. Other extensions can import
    objects without autodoc.
    """
    hidden = "!^__.+__$" if getattr(options, "private_members", None) else "!^_"
    filters = [hidden, "^__.+__$"] if getattr(options, "special_members", None) else [hidden]
    order = getattr(options, "member_order", None) or getattr(config, "autodoc_member_order", "")
    content = getattr(options, "class_doc_from", None) or getattr(config, "autoclass_content", "")
    return shown_objects(
        tool="autodoc",
        filters=filters,
        undocumented=bool(getattr(options, "undoc_members", None)),
        bases=bool(getattr(options, "show_inheritance", None)),
        init="signature" if content in ("class", "") else "docstring",
        ordered=order == "bysource",
    )


def _documented_names(
    doctree: nodes.document, imported: Collection[str], packages: set[str]
) -> Iterator[str]:
    """Yield the full names of the objects that autodoc imports for a document. Those that the
    author describes without autodoc may be imported only for other documents.

    Args:
        doctree: The document.
        imported: The names of objects that autodoc imports for the document.
        packages: The packages from which autodoc reads files for the document.
    """
    for signature in doctree.findall(addnodes.desc_signature):
        module, name = signature.get("module"), signature.get("fullname")
        if not name or signature.parent.get("domain") != "py":
            continue
        full_name = parent = f"{module}.{name}" if module else name
        while parent and parent != module and parent not in imported:
            parent = parent.rpartition(".")[0]
        if parent in imported or full_name.partition(".")[0] in packages:
            yield full_name


def _listed_names(app: Sphinx, doctree: nodes.document) -> Iterator[str]:
    """Yield the full names of the objects in tables of autosummary, and in diagrams."""
    if "sphinx.ext.autosummary" in app.extensions:
        from sphinx.ext.autosummary import autosummary_table, autosummary_toc

        # sphinx-autoapi has tables of objects that it does not import.
        others = getattr(app.env, "autoapi_all_objects", {})
        for row in (
            row for table in doctree.findall(autosummary_table) for row in table.findall(nodes.row)
        ):
            # The first cell contains the name. The others can contain further references.
            for reference in row.children[0].findall(addnodes.pending_xref):
                if reference["reftarget"] not in others:
                    yield reference["reftarget"]
        for toc in doctree.findall(autosummary_toc):
            for tree in toc.findall(addnodes.toctree):
                current_notes(app.env).stubs.update(tree["includefiles"])
    if "sphinx.ext.inheritance_diagram" in app.extensions:
        from sphinx.ext.inheritance_diagram import inheritance_diagram

        names = {alias: name for name, alias in app.config.inheritance_alias.items()}
        for diagram in doctree.findall(inheritance_diagram):
            for shown_name in diagram["graph"].get_all_class_names():
                yield names.get(shown_name, shown_name)
