"""Glossaries: included files that only define links and substitutions.

Often, `rst_epilog` includes such a file in every document. Readers see only the
definitions that a document uses.
"""

import os
import re
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from docutils import nodes
from sphinx.transforms import SphinxTransform

from docs_sitemap.shown import selected_lines

from .directives import ALL_LINES
from .notes import current_notes

# A link or a substitution, which can have further lines; a comment; or an empty line.
_DEFINITION = re.compile(
    r"^(\.\. +(?:_(?:`[^`\n]+`|[^_`\s](?:\\.|[^\\:\n])*):|\|[^|\n]+\|)) +\S.*"
    r"(?:\n[ \t]+\S.*)*\n|"
    r"^\.\.(?: ++(?!_|\[|\||[\w.+:-]+::).*)?(?:\n[ \t]+\S.*)*\n|"
    r"^[ \t]*\n",
    re.MULTILINE,
)


class NoteDefinitions(SphinxTransform):
    """Notes which definitions in glossaries a document uses."""

    default_priority = 15  # before docutils replaces the names

    def apply(self, **kwargs: object) -> None:
        inclusions = current_notes(self.env).inclusions
        glossaries = {}
        for path, lines in inclusions.items():
            if lines == {ALL_LINES} and os.path.isfile(path):
                definitions = _find_definitions(path)
                if definitions is not None:
                    glossaries[path] = definitions
        if not glossaries:
            return
        used = _used_names(self.document)
        for path, definitions in glossaries.items():
            inclusions[path] = set()
            for start in definitions:
                if _normalize(start) in used:
                    inclusions[path].add(selected_lines(definition=start))


def _find_definitions(path: str) -> Sequence[str] | None:
    """Return how the links and substitutions in a glossary start; `None` if the file
    contains anything else.
    """
    text = Path(path).read_text("utf-8-sig", "replace") + "\n"
    if _DEFINITION.sub("", text):
        return None
    return [start for start in _DEFINITION.findall(text) if start]


def _used_names(document: nodes.document) -> set[str]:
    """Return the names of links and substitutions in the text of a document, and in the
    substitutions that the text uses.
    """
    # By the name of the substitution that contains them; the text has an empty name.
    names: defaultdict[str, set[str]] = defaultdict(set)
    for node in document.findall(nodes.Element):
        if "refname" in node:
            name = _normalize(node["refname"])
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
            return _normalize("".join(parent["names"]))
        parent = parent.parent
    return ""


def _normalize(name: str) -> str:
    """Return the name of a definition or reference, without its marks."""
    return nodes.fully_normalize_name(name.replace("\\", "").strip(".:_|` "))
