"""The sources of pages of Zensical and MkDocs, starting with their Markdown files."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol

from docs_sitemap.page import Page, Source, SourceRole
from docs_sitemap.shown.front_matter import FrontMatterKeys
from docs_sitemap.tools.files import relative_path

from . import inclusions
from .blogs import blog_lists
from .markdown_files import INDEX_NAMES
from .markdown_page import MarkdownPage
from .metadata import front_matter_files
from .objects import documented_objects
from .objects.python_handler import PythonHandler
from .project import MkDocsProject


class _PartFinder(Protocol):
    """A module that finds some of the parts of pages."""

    def sources(self, page: MarkdownPage) -> Iterable[Source]:
        """Return the files that a page includes or documents."""


# https://oprypin.github.io/mkdocs-literate-nav/reference.html
_NAVIGATION = "SUMMARY.md"

# The first one finds the texts that the others read.
_FINDERS: tuple[_PartFinder, ...] = (
    inclusions,
    front_matter_files,
    blog_lists,
    documented_objects,
)


class PageParts:
    """Finds what pages contain.

    Args:
        project: The project.
        keys: Decides which keys of front matter the pages show.
        find_packages: Returns the folders with the code of a package in git.
        find_document: Returns the absolute path of the Markdown file of another page,
            by the path of its HTML file below the site.
    """

    def __init__(
        self,
        project: MkDocsProject,
        keys: FrontMatterKeys,
        find_packages: Callable[[str], Sequence[str]],
        find_document: Callable[[str], str | None],
    ) -> None:
        self._project = project
        self._keys = keys
        self._python_handler = PythonHandler(project, find_packages)
        self._find_document = find_document

    def knows(self, document: str) -> bool:
        """Return whether a file is in the folder with the Markdown files."""
        return self._project.name_of(document) is not None

    def add_to(self, page: Page, document: str) -> Page:
        """Return a page with all its sources, named after its Markdown file.

        Args:
            page: The page, named after its HTML file.
            document: The absolute path of its Markdown file.
        """
        shown = MarkdownPage(
            self._project,
            document,
            page.output or "",
            page.name,
            self._keys,
            self._python_handler,
            self._find_document,
        )
        name = self._project.name_of(document) or page.name
        try:
            parts = _find_parts(shown)
        except OSError as error:
            file = relative_path(str(error.filename), os.getcwd())
            reason = f"{file} cannot be read: {error.strerror}"
            return page._replace(name=name, sources=None, unknown_because=reason)
        own = []
        if os.path.isfile(document):  # Plugins generate lists of posts.
            is_optional = shown.is_optional
            own.append(Source(document, SourceRole.DOCUMENT, is_optional=is_optional))
        is_generated = shown.is_generated or _is_navigation(shown)
        return page._replace(
            name=name,
            sources=(*own, *parts),
            ran_code=tuple(sorted(shown.ran_code)),
            unknown_because=shown.unknown_because,
            generator_page=page.generator_page or is_generated,
            is_translated=self._project.translations.is_translated(page.name, name),
        )

    def read_metadata(self, document: str) -> Mapping[str, Any] | None:
        """Return the metadata of a page; `None` if only its Markdown file has any."""
        metadata = self._project.metadata
        if any(metadata.meta_files(document)):
            return metadata.read(document)
        return None


def _find_parts(page: MarkdownPage) -> Iterable[Source]:
    """Return what a page contains besides its own Markdown file.

    Raises:
        OSError: The page or its Markdown file cannot be read.
    """
    found: dict[tuple[str, str], Source] = {}
    for finder in _FINDERS:
        for source in finder.sources(page):
            if source.path != page.document:
                found.setdefault((source.path, source.shows.name), source)
    return [found[key] for key in sorted(found)]


def _is_navigation(page: MarkdownPage) -> bool:
    """Return whether mkdocs-literate-nav reads the navigation from this page:
    `SUMMARY.md` by default. With another name, it can also be the index of its folder.
    """
    options = page.project.plugin("literate-nav")
    name = os.path.basename(page.document)
    if options is None or os.path.splitext(name)[0] in INDEX_NAMES:
        return False
    navigation: object = options.get("nav_file", _NAVIGATION)
    return name == navigation
