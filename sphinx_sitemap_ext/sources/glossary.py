"""Glossaries: included files that only define links and substitutions.

Often, `rst_epilog` includes such a file in every document. Readers see only the
definitions that a document uses.
"""

import os
from collections import defaultdict
from pathlib import Path

from docutils import nodes
from sphinx.transforms import SphinxTransform

from docs_sitemap.shown import selected_lines
from docs_sitemap.shown.glossaries import (
    definition_name,
    find_definitions,
    is_glossary,
)

from .directives import ALL_LINES
from .notes import current_notes


class NoteDefinitions(SphinxTransform):
    """Notes which definitions in glossaries a document uses."""

    default_priority = 15  # before docutils replaces the names

    def apply(self, **kwargs: object) -> None:
        inclusions = current_notes(self.env).inclusions
        glossaries = {}
        for path, lines in inclusions.items():
            if lines == {ALL_LINES} and os.path.isfile(path):
                text = Path(path).read_text("utf-8-sig", "replace")
                if is_glossary(text):
                    glossaries[path] = find_definitions(text)
        if not glossaries:
            return
        used = _used_names(self.document)
        for path, definitions in glossaries.items():
            inclusions[path] = set()
            for name in used & definitions.keys():
                part = selected_lines(definition=definitions[name].start)
                inclusions[path].add(part)


def _used_names(document: nodes.document) -> set[str]:
    """Return the names of links and substitutions in the text of a document, and in the
    substitutions that the text uses.
    """
    # By the name of the substitution that contains them; the text has an empty name.
    names: defaultdict[str, set[str]] = defaultdict(set)
    for node in document.findall(nodes.Element):
        if "refname" in node:
            name = definition_name(node["refname"])
            names[_container(node)].add(name)
    used = {""}
    pending = [""]
    while pending:
        new = names[pending.pop()] - used
        used |= new
        pending += new
    return used


def _container(node: nodes.Element) -> str:
    """Return the name of the substitution that contains a node; empty for the text."""
    parent: nodes.Element | None = node
    while parent is not None:
        if isinstance(parent, nodes.substitution_definition):
            return definition_name("".join(parent["names"]))
        parent = parent.parent
    return ""
