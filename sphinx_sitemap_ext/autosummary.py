"""What the tables of autosummary refer to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sphinx import addnodes

from sphinx_sitemap_ext.document_notes import current_notes

if TYPE_CHECKING:
    from docutils import nodes
    from sphinx.application import Sphinx


def note_stubs(app: Sphinx, doctree: nodes.document) -> None:
    """Note the documents that autosummary generates for a document: the event `doctree-read`."""
    if "sphinx.ext.autosummary" not in app.extensions:
        return
    from sphinx.ext.autosummary import autosummary_toc

    for node in doctree.findall(autosummary_toc):
        for tree in node.findall(addnodes.toctree):
            current_notes(app.env).stubs.update(tree["includefiles"])
