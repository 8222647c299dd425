"""What Sphinx does not record itself: noted while documents are read.

Notes are saved in the environment: another process, or an earlier build, may have read
a document.
"""

import os
from collections.abc import Collection
from dataclasses import dataclass, field

from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

from docs_sitemap.shown.shown_objects import ShownObject

# Increase this number if the notes change: Sphinx then reads all documents again.
ENV_VERSION = 16


@dataclass
class DocumentNotes:
    """The notes of one document.

    Attributes:
        sources: The absolute paths of further source files.
        stubs: The documents that autosummary generates for the tables of this document:
            the file that contains the table, and the full name of the object.
        objects: The real paths of modules, and the objects that the document shows of
            each.
        imported: The real paths of the files that autodoc and directives of docutils
            read, without included files.
        inclusions: The real paths of included files, and the lines that each inclusion
            shows. An empty text stands for all lines. Without any, the document shows
            nothing of the file.
        messages: The paths of message catalogs, and the suffix of the document with
            the messages that each could translate.
        ran_code: The directives that ran code, which may have read further files.
    """

    sources: set[str] = field(default_factory=set)
    stubs: dict[str, tuple[str, str]] = field(default_factory=dict)
    objects: dict[str, set[ShownObject]] = field(default_factory=dict)
    imported: set[str] = field(default_factory=set)
    inclusions: dict[str, set[str]] = field(default_factory=dict)
    messages: dict[str, tuple[str, ...]] = field(default_factory=dict)
    ran_code: set[str] = field(default_factory=set)

    def add_source(self, path: str | os.PathLike[str]) -> None:
        """Add a source file."""
        absolute = os.path.abspath(path)
        self.sources.add(absolute)

    def add_object(self, path: str, item: ShownObject) -> None:
        """Add an object of a module."""
        self.add_source(path)
        real_path = os.path.realpath(path)
        self.objects.setdefault(real_path, set()).add(item)

    def add_inclusion(self, path: str, lines: str) -> None:
        """Add lines of an included file."""
        real_path = os.path.realpath(path)
        self.inclusions.setdefault(real_path, set()).add(lines)


def all_notes(env: BuildEnvironment) -> dict[str, DocumentNotes]:
    """Return the notes of each document that has any."""
    attributes = vars(env)
    notes: dict[str, DocumentNotes] = attributes.setdefault("sitemap_notes", {})
    return notes


def current_notes(env: BuildEnvironment) -> DocumentNotes:
    """Return the notes of the document that is read."""
    notes = all_notes(env)
    return notes.setdefault(env.docname, DocumentNotes())


def purge_notes(app: Sphinx, env: BuildEnvironment, docname: str) -> None:
    """Forget a document that is read again or was removed: the event
    `env-purge-doc`.
    """
    all_notes(env).pop(docname, None)


def merge_notes(
    app: Sphinx,
    env: BuildEnvironment,
    docnames: Collection[str],
    other: BuildEnvironment,
) -> None:
    """Add the notes of another process that has read documents: the event
    `env-merge-info`.
    """
    notes = all_notes(env)
    for docname, others in all_notes(other).items():
        if docname in docnames:
            notes[docname] = others
