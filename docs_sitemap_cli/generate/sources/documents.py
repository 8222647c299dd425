"""The files of a project that may be the documents of pages."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from functools import cache, lru_cache
from itertools import islice

from docs_sitemap_cli.project_files import TESTS, ProjectFiles

from .document_pairs import Document
from .fingerprints import NO_TEXT, Fingerprint, read_document_text
from .includes import Includes
from .path_names import is_component, is_page_file, is_usual, page_names, source_names

_TEMPLATE_SUFFIXES = (".html", ".njk", ".liquid", ".hbs")
_TEMPLATE_CODE = re.compile(rb"\{[{%]")
_LOOP = re.compile(rb"\{%-?\s*for\s|\{\{-?\s*range\s|\{\{#each\s")

# The page shows what these directives find in modules. Searching for the text that all
# of them contain is much faster.
_OBJECTS = re.compile(rb"^ *\.\. (?:py:)?auto|\{auto", re.M)
_OBJECTS_HINT = b"auto"

# Other files with the names of pages that are no documents.
_DATA = re.compile(
    r"\.(?:bib|conf|css|csv|ini|json|lock|po|svg|toml|xml|ya?ml)\Z", re.I
)

# Folders whose files have the names of pages, but are not their documents.
_OTHER_FILES = re.compile(
    rf"(?:^|/)(?:{TESTS}|examples?|vendor|node_modules)(?:/|$)", re.I
)

# The words of so many included files say enough: code can import all of a project.
_MAX_INCLUDED = 100


class DocumentReader:
    """Reads the documents of a project.

    Attributes:
        includes: Finds what they include.
        read: Returns a document by its path, with the text of what it includes.

    Args:
        project: The files that git tracks.
    """

    def __init__(self, project: ProjectFiles) -> None:
        # A file is read for its words, and then for what it includes.
        self._read_file = lru_cache(1)(project.read_file)
        self.includes = Includes(project, self._read_file)
        self._read_own_text = cache(self._read_text)
        # Pages with an edit link, or a new document, are compared with it, too.
        self.read = cache(self._read_document)

    def read_all(
        self, paths: Iterable[str], pages: Collection[str]
    ) -> dict[str, Document]:
        """Return the documents among some files: those that the usual generators turn
        into pages, and all others with the names of pages.

        Args:
            paths: The files.
            pages: The pages whose documents are wanted.
        """
        own_names = set[str]()
        for page in pages:
            own_names.update(page_names(page).own or ["index"])
        documents = {}
        for path in paths:
            names = source_names(path)
            is_named = not own_names.isdisjoint((*names.own, names.index_name))
            is_likely = is_named and not _DATA.search(path)
            if (is_usual(path) or is_likely) and not self.is_list(path):
                documents[path] = self.read(path)
        return documents

    def _read_document(self, path: str) -> Document:
        data = self._read_file(path)
        text = self._read_own_text(path)
        included = self.includes.included_by(path).files
        documents = islice(filter(is_usual, included), _MAX_INCLUDED)
        text = text.join(map(self._read_own_text, documents))
        is_template = path.endswith(_TEMPLATE_SUFFIXES) and _TEMPLATE_CODE.search(data)
        is_page = is_page_file(path)
        # Other code has the names of pages that are about it.
        is_shown = is_page and is_component(path)
        is_unusual = not is_usual(path)
        is_other = is_unusual or _OTHER_FILES.search(path)
        has_objects = _OBJECTS_HINT in data and _OBJECTS.search(data) is not None
        return Document(
            text,
            frozenset(included),
            is_code=is_shown or has_objects,
            is_page=is_page,
            is_usual=not is_unusual,
            needs_words=bool(is_template or is_other),
        )

    def is_list(self, path: str) -> bool:
        """Return whether a file is the template of a list of other pages."""
        if not path.endswith(_TEMPLATE_SUFFIXES):
            return False
        return _LOOP.search(self._read_file(path)) is not None

    def _read_text(self, path: str) -> Fingerprint:
        data = self._read_file(path)
        return NO_TEXT if b"\0" in data else read_document_text(data)
