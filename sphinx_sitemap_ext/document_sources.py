"""The source files of documents: their own files, and files that they include or document."""

from __future__ import annotations

import filecmp
import os
import sysconfig
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from docs_sitemap import Shown, Source, SourceRole
from sphinx_sitemap_ext.document_notes import all_notes
from sphinx_sitemap_ext.document_views import DocumentViews, unite
from sphinx_sitemap_ext.generated_documents import GeneratedDocuments

if TYPE_CHECKING:
    from sphinx.builders import Builder


class DocumentSources:
    """Finds the source files of documents, from what Sphinx recorded while it read them: included
    files, images, downloads, and the modules that autodoc documents. Translations are noted by
    this extension.

    Files that the build itself writes do not count. Files of installed packages count only if the
    project contains the original: a file with the same path and content.

    Args:
        builder: The builder, after the build.
        detect_dependencies: Whether files other than the documents themselves count.
    """

    def __init__(self, builder: Builder, *, detect_dependencies: bool) -> None:
        self._builder = builder
        self._detect_dependencies = detect_dependencies
        names = ("purelib", "platlib", "stdlib")
        self._libraries = [Path(sysconfig.get_path(name)).resolve() for name in names]
        # Extensions save generated files, such as plots, next to the doctrees.
        doctrees = Path(builder.doctreedir)
        self._output = [
            folder.resolve()
            for folder in (Path(builder.outdir), doctrees, doctrees.parent)
            if not Path(builder.srcdir).is_relative_to(folder)
        ]
        self._generated = GeneratedDocuments(builder)
        self._views = DocumentViews(builder.env, self._generated)
        self._project_file = cache(self._find_project_file)

    def of(self, docnames: Sequence[str]) -> tuple[Source, ...]:
        """Return the source files of a page: its documents, and what they show of other files."""
        own = [os.fspath(self._builder.env.doc2path(docname)) for docname in docnames]
        generated = self._generated_documents(docnames)
        sources = [Source(path, SourceRole.DOCUMENT, is_optional=path in generated) for path in own]
        views = dict[str, Shown]()
        for docname in docnames if self._detect_dependencies else ():
            for path in sorted(self._detected_files(docname)):
                file = self._project_file(path)
                if file is not None and file not in own:
                    view = self._views.of(docname, path)
                    views[file] = unite(views[file], view) if file in views else view
        return (*sources, *(Source(path, shows=view) for path, view in views.items()))

    def _detected_files(self, docname: str) -> set[str]:
        paths = {*self._recorded_files(docname), *self._generated.originals(docname)}
        notes = all_notes(self._builder.env)
        return paths | notes[docname].sources if docname in notes else paths

    def _generated_documents(self, docnames: Sequence[str]) -> frozenset[str]:
        """Return the absolute paths of documents that need not be in git: their content is from
        their other sources.
        """
        if not self._detect_dependencies:
            return frozenset()
        documents = filter(self._generated.is_generated, docnames)
        return frozenset(os.fspath(self._builder.env.doc2path(docname)) for docname in documents)

    def _recorded_files(self, docname: str) -> Iterator[str]:
        env = self._builder.env
        # Sphinx records this configuration file for every document, so that all are read again.
        configuration = os.path.abspath(self._builder.confdir / "docutils.conf")
        for recorded in env.dependencies.get(docname, ()):
            # Paths are relative to the sources or, since Sphinx 9, absolute with "..".
            path = os.path.abspath(env.srcdir / recorded)
            # Sphinx records the compiled catalog of a translation only from the second build on.
            if path != configuration and not path.endswith(".mo"):
                yield path

    def _find_project_file(self, path: str) -> str | None:
        """Return the path or, for an installed file, the path of its original; `None` if the
        project does not contain the file.
        """
        real = Path(path).resolve()
        if any(map(real.is_relative_to, self._output)):
            return None
        # Some extensions remove a file that they have generated. The core finds no commit of it, so
        # the page has no date, which would be incorrect.
        if not os.path.isfile(path):
            return None if os.path.lexists(path) else path
        for folder in self._libraries:
            if real.is_relative_to(folder):
                return self._find_original(real, real.relative_to(folder))
        return None if "site-packages" in real.parts else path

    def _find_original(self, installed: Path, module: Path) -> str | None:
        confdir = Path(os.path.abspath(self._builder.confdir))
        for folder in (confdir, *confdir.parents):
            for candidate in (folder / module, folder / "src" / module):
                if candidate.is_file() and filecmp.cmp(candidate, installed, shallow=False):
                    return os.fspath(candidate)
        return None
