"""The source files of documents, and what the documents show of them."""

import os
import re
import sysconfig
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from sphinx.builders import Builder

from docs_sitemap.page import Source, SourceRole
from docs_sitemap.shown import COMPLETE_FILE, PRESENCE, Shown, ShownKind, selected_lines
from docs_sitemap.shown.shown_objects import Extent, ShownObject
from docs_sitemap.sources.installed import import_names, module_path
from docs_sitemap.tools.files import MAX_TEXT, read_regular, read_text_file

from .directives import ALL_LINES
from .generated import GeneratedDocuments
from .noted_files import DocumentNotes, all_notes

# The file that Doxygen names for an object in its XML.
_LOCATION = re.compile(r'<location file="([^"]+)"')


class DocumentSources:
    """Finds the source files of documents, from what Sphinx recorded while it read
    them: included files, images, downloads, and the modules that autodoc documents.
    Translations and objects are noted by this extension.

    Files that the build itself writes are ignored.

    Args:
        builder: The builder, after the build.
        detect_dependencies: Whether to find other files than the documents themselves.
    """

    def __init__(self, builder: Builder, *, detect_dependencies: bool) -> None:
        self._env = builder.env
        self._confdir = Path(os.path.abspath(builder.confdir))
        self._configuration = os.fspath(self._confdir / "docutils.conf")
        self._detect_dependencies = detect_dependencies
        self._notes = all_notes(builder.env)
        self._generated = GeneratedDocuments(builder)
        # Extensions save generated files, such as plots, next to the doctrees.
        doctrees = Path(builder.doctreedir)
        stdlib = sysconfig.get_path("stdlib")
        self._excluded = []
        for folder in (stdlib, builder.outdir, doctrees, doctrees.parent):
            if not self._env.srcdir.is_relative_to(folder):
                self._excluded.append(Path(folder).resolve())
        self._project_file = cache(self._find_project_file)
        self._documented_files = cache(self._find_documented_files)
        # A page can show lines of a file, and the complete file as an image or a
        # download.
        self._assets: set[tuple[str, str]] = set()
        for assets in (self._env.images, self._env.dlfiles):
            for path, (docnames, *_) in assets.items():
                real_path = os.path.realpath(self._env.srcdir / path)
                for docname in docnames:
                    self._assets.add((docname, real_path))

    def of(self, docname: str) -> tuple[Source, ...]:
        """Return the sources of the page of a document: its own file first."""
        document = self.document(docname)
        if not self._detect_dependencies:
            return (document,)
        notes = self._notes_of(docname)
        paths = set(self._recorded_files(docname))
        paths.update(self._generated.originals(docname))
        paths.update(notes.sources)
        # What extensions generate from the other sources need not be in git.
        is_generated = self._generated.is_generated(docname)
        sources = {document.path: document._replace(is_optional=is_generated)}
        for path in sorted(paths):
            file = self._project_file(path)
            shown = self._shown(docname, path, notes)
            if file is None or shown is None:
                continue
            known = sources.setdefault(file, Source(file, shows=shown))
            if known.shows != shown:
                sources[file] = known._replace(shows=COMPLETE_FILE)
        if is_generated:
            for path in self._generated.listed_modules(docname):
                file = self._project_file(path)
                if file is not None:
                    listed = Source(file, shows=PRESENCE, is_optional=True)
                    sources.setdefault(file, listed)
        return (*sources.values(), *self._entry(docname))

    def _entry(self, docname: str) -> Iterator[Source]:
        """Yield the file that lists a document of autosummary: the page is not older
        than its entry there.
        """
        path, name = self._generated.stubs.get(docname, ("", ""))
        shown = Shown(ShownKind.LINES, (selected_lines(entry=name),))
        # Other extensions generate tables.
        if os.path.isfile(path):
            content = read_regular(path, MAX_TEXT)
            if shown.digest(content) is not None:
                yield Source(path, shows=shown, is_optional=True)

    def document(self, docname: str) -> Source:
        """Return the own file of a document."""
        path = os.fspath(self._env.doc2path(docname))
        return Source(path, SourceRole.DOCUMENT)

    def ran_code(self, docname: str) -> tuple[str, ...]:
        """Return the directives that ran code of the project for a document."""
        return tuple(sorted(self._notes_of(docname).ran_code))

    def _notes_of(self, docname: str) -> DocumentNotes:
        return self._notes.get(docname, DocumentNotes())

    def _recorded_files(self, docname: str) -> Iterator[str]:
        for recorded in self._env.dependencies.get(docname, ()):
            # Paths are relative to the sources or, since Sphinx 9, absolute with "..".
            path = os.path.abspath(self._env.srcdir / recorded)
            if not os.path.lexists(path):
                # Some extensions start at the folder of the document.
                folder = Path(self._env.doc2path(docname)).parent
                beside = folder / os.path.relpath(path, self._env.srcdir)
                if beside.is_file():
                    path = os.path.abspath(beside)
            # Sphinx records this configuration file for every document, so that all
            # are read again, and the compiled catalog of a translation only from the
            # second build on.
            if path != self._configuration and not path.endswith(".mo"):
                yield path
        # Breathe records the XML of Doxygen, which is usually not in git.
        for xml, (_, docnames) in getattr(self._env, "breathe_file_state", {}).items():
            if docname in docnames:
                yield from self._documented_files(xml)

    def _find_documented_files(self, xml: str) -> list[str]:
        """Return the files that a file of Doxygen documents."""
        files: list[str] = []
        if not os.path.isfile(xml):
            return files
        for name in set(_LOCATION.findall(read_text_file(xml))):
            # Doxygen removes the first folders from paths.
            for folder in (self._confdir, *self._confdir.parents):
                if (folder / name).is_file():
                    files.append(os.fspath(folder / name))
        return files

    def _shown(self, docname: str, path: str, notes: DocumentNotes) -> Shown | None:
        """Return what a document shows of a file; `None` if it shows nothing."""
        real_path = os.path.realpath(path)
        if (docname, real_path) in self._assets:
            return COMPLETE_FILE
        inclusions = notes.inclusions.get(real_path, set())
        if real_path in notes.inclusions and not inclusions:
            return None
        parts = []
        if inclusions:
            lines = tuple(sorted(inclusions))
            parts.append(Shown(ShownKind.LINES, lines))
        objects = self._objects(docname, path, notes)
        if objects:
            parts.append(Shown(ShownKind.PYTHON, objects=objects))
        messages = notes.messages.get(path)
        if messages is not None:
            parts.append(Shown(ShownKind.MESSAGES, messages))
        if not parts and path.endswith(".py") and real_path in notes.imported:
            return self._shown_import(path, notes)
        if len(parts) != 1 or ALL_LINES in inclusions:
            return COMPLETE_FILE
        return parts[0]

    def _objects(
        self, docname: str, path: str, notes: DocumentNotes
    ) -> tuple[ShownObject, ...]:
        """Return the objects of a module that a document shows."""
        real_path = os.path.realpath(path)
        objects = set(notes.objects.get(real_path, ()))
        objects.update(self._generated.objects(docname).get(path, ()))
        if docname in self._generated.stubs:
            for item in list(objects):
                if not item.name:  # Its template lists the members of the module.
                    objects.add(item._replace(extent=Extent.ALL))
        return tuple(sorted(objects))

    def _shown_import(self, path: str, notes: DocumentNotes) -> Shown | None:
        """Return what a document shows of a module in which it finds no object. autodoc
        also reads such modules in the packages of the objects, for example those of
        base classes.
        """
        package = import_names(path)[0]
        for module in notes.objects:
            if import_names(module)[0] == package:
                return None
        return COMPLETE_FILE

    def _find_project_file(self, path: str) -> str | None:
        """Return the path; `None` for files of Python, and for those that the build
        writes.
        """
        real_path = os.path.realpath(path)
        # The core finds the originals of installed files, which can be below Python's
        # own files.
        if module_path(real_path):
            return real_path
        # Some extensions remove a file that they have generated. The core finds no
        # commit of it, so the page has no date, which would be incorrect.
        if os.path.isdir(path):
            return None
        for folder in self._excluded:
            if Path(real_path).is_relative_to(folder):
                return None
        return path
