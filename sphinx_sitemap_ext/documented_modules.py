"""The Python modules that a page documents without showing their code."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING

from docutils import nodes

from sphinx_sitemap_ext.document_notes import all_notes, current_notes

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment


class DocumentedModules:
    """Finds the modules that pages document without showing their code.

    Args:
        env: The environment, after the build.
    """

    def __init__(self, env: BuildEnvironment) -> None:
        self._notes = all_notes(env)
        self._packages: defaultdict[str, set[str]] = defaultdict(set)  # by document
        for name, entry in env.domains["py"].objects.items():
            self._packages[entry.docname].add(name.partition(".")[0])
        self._top_package = cache(_top_package)

    def of(self, docnames: Sequence[str], files: Iterable[str]) -> frozenset[str]:
        """Return the modules in packages whose objects a page documents, and the modules of the
        objects in its tables and diagrams, unless the page also shows code of the module.

        Args:
            docnames: The documents of the page.
            files: The absolute paths of its sources.
        """
        modules = [file for file in files if file.endswith(".py")]
        if not modules:
            return frozenset()
        notes = [self._notes[docname] for docname in docnames if docname in self._notes]
        code = {path for note in notes for path in note.code}
        in_tables = {path for note in notes for path in note.sources}
        packages = {name for docname in docnames for name in self._packages.get(docname, ())}
        return frozenset(
            file
            for file in modules
            if os.path.realpath(file) not in code
            and (file in in_tables or self._top_package(file) in packages)
        )


@cache
def _top_package(file: str) -> str:
    """Return the name of the package that contains a module; its own name if there is none."""
    folder, name = os.path.split(os.path.abspath(file))
    while os.path.isfile(os.path.join(folder, "__init__.py")):
        folder, name = os.path.split(folder)
    return name.removesuffix(".py")


def note_shown_code(app: Sphinx, doctree: nodes.document) -> None:
    """Note the files whose code a document shows: the event `doctree-read`."""
    # `literalinclude` and `include` name the file of a block.
    sources = {str(block.get("source", "")) for block in doctree.findall(nodes.literal_block)}
    paths = {os.path.realpath(source) for source in sources if source.endswith(".py")}
    if paths:
        current_notes(app.env).code |= paths
