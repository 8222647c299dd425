"""What a document shows of its source files."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Collection
from functools import cache
from typing import TYPE_CHECKING

from docs_sitemap import COMPLETE_FILE, Shown, ShownKind
from sphinx_sitemap_ext.document_notes import DocumentNotes, all_notes
from sphinx_sitemap_ext.generated_documents import GeneratedDocuments

if TYPE_CHECKING:
    from sphinx.environment import BuildEnvironment


class DocumentViews:
    """Finds out what documents show of their source files.

    Args:
        env: The environment, after the build.
        generated: The documents that other extensions generate.
    """

    def __init__(self, env: BuildEnvironment, generated: GeneratedDocuments) -> None:
        self._generated = generated
        self._notes = all_notes(env)
        self._packages: defaultdict[str, set[str]] = defaultdict(set)  # by document
        for name, entry in env.domains["py"].objects.items():
            self._packages[entry.docname].add(name.partition(".")[0])
        self._real_path = cache(os.path.realpath)
        self._assets: defaultdict[str, set[str]] = defaultdict(set)  # images and downloads
        for assets in (env.images, env.dlfiles):
            for path, (docnames, *_) in assets.items():
                self._assets[os.path.realpath(env.srcdir / path)] |= docnames

    def of(self, docname: str, path: str) -> Shown:
        """Return what a document shows of a file.

        Args:
            docname: The name of the document.
            path: The absolute path of the file, as Sphinx or this extension recorded it.
        """
        notes = self._notes.get(docname) or DocumentNotes()
        real_path = self._real_path(path)
        inclusions = notes.inclusions.get(real_path, ())
        objects = self._objects(docname, notes, path)
        messages = notes.messages.get(path)
        views = []
        if inclusions:
            views.append(_view(ShownKind.LINES, inclusions))
        if objects is not None:
            views.append(_view(ShownKind.PYTHON, objects))
        if messages is not None:
            views.append(_view(ShownKind.MESSAGES, messages))
        is_shown_otherwise = real_path in notes.code or docname in self._assets.get(real_path, ())
        return COMPLETE_FILE if is_shown_otherwise or len(views) != 1 else views[0]

    def _objects(self, docname: str, notes: DocumentNotes, path: str) -> Collection[str] | None:
        """Return the objects of a module that a document shows; `None` if it shows no objects. An
        empty name stands for the complete module.
        """
        if not path.endswith(".py"):
            return None
        names = {*notes.objects.get(self._real_path(path), ())}
        names |= self._generated.autoapi_objects.get(docname, {}).get(path, set())
        if "__doc__" in names and self._generated.is_autosummary_stub(docname):
            names.add("")  # Its template lists the members of the module.
        if names:
            return names
        # autodoc also reads modules for objects that this extension does not know.
        return {""} if _top_package(path) in self._packages.get(docname, ()) else None


def _view(changes: ShownKind, parts: Collection[str]) -> Shown:
    """Return a view of the parts. An empty name stands for all of them."""
    # If a page shows all lines, it shows everything. A complete module does not contain all of its
    # imports, which are other parts.
    if "" in parts and changes is not ShownKind.PYTHON:
        return COMPLETE_FILE if changes is ShownKind.LINES else Shown(changes)
    return Shown(changes, () if {*parts} == {""} else tuple(sorted({*parts})))


def unite(first: Shown, second: Shown) -> Shown:
    """Return what a page shows of a file if two of its documents show these parts."""
    if first.kind is not second.kind:
        return COMPLETE_FILE
    if not (first.parts and second.parts):
        return Shown(first.kind)
    return _view(first.kind, (*first.parts, *second.parts))


@cache
def _top_package(file: str) -> str:
    """Return the name of the package that contains a module; its own name if there is none."""
    folder, name = os.path.split(os.path.abspath(file))
    while os.path.isfile(os.path.join(folder, "__init__.py")):
        folder, name = os.path.split(folder)
    return name.removesuffix(".py")
