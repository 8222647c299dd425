"""What a page contains besides its own Markdown file."""

import os
from collections.abc import Iterable
from typing import NamedTuple, Protocol

from docs_sitemap.page import Source

from . import inclusions
from .blogs import blog_lists
from .markdown_files import INDEX_NAMES
from .markdown_page import MarkdownPage
from .metadata import front_matter_files
from .objects import documented_objects


class PageParts(NamedTuple):
    """What a page contains besides its own Markdown file.

    Attributes:
        sources: The files that it includes or documents.
        ran_code: See `docs_sitemap.Page`.
        is_optional: Whether the page has sources if its Markdown file does not exist,
            or is not in git.
        is_generated: Whether the page only serves navigation.
        unknown_because: See `docs_sitemap.Page`.
    """

    sources: tuple[Source, ...]
    ran_code: tuple[str, ...] = ()
    is_optional: bool = False
    is_generated: bool = False
    unknown_because: str = ""


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


def find_parts(page: MarkdownPage) -> PageParts:
    """Return what a page contains besides its own Markdown file.

    Raises:
        OSError: The page or its Markdown file cannot be read.
    """
    page.is_generated = _is_navigation(page)
    found: dict[tuple[str, str], Source] = {}
    for finder in _FINDERS:
        for source in finder.sources(page):
            if source.path != page.document:
                found.setdefault((source.path, source.shows.name), source)
    sources = tuple(found[key] for key in sorted(found))
    return PageParts(
        sources,
        tuple(sorted(page.ran_code)),
        is_optional=page.is_optional,
        is_generated=page.is_generated,
        unknown_because=page.unknown_because,
    )


def _is_navigation(page: MarkdownPage) -> bool:
    """Whether mkdocs-literate-nav reads the navigation from this page: `SUMMARY.md` by
    default. With another name, the page can also be the index of its folder.
    """
    options = page.project.plugin("literate-nav")
    name = os.path.basename(page.document)
    if options is None or os.path.splitext(name)[0] in INDEX_NAMES:
        return False
    navigation: object = options.get("nav_file", _NAVIGATION)
    return name == navigation
