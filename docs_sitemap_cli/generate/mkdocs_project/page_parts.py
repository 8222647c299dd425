"""What a page contains besides its own Markdown file."""

from collections.abc import Iterable
from typing import NamedTuple, Protocol

from docs_sitemap.page import Source

from . import inclusions
from .markdown_page import MarkdownPage


class PageParts(NamedTuple):
    """What a page contains besides its own Markdown file.

    Attributes:
        sources: The files that it includes or documents.
        ran_code: See `docs_sitemap.Page`.
        is_optional: Whether the Markdown file has no text of its own.
    """

    sources: tuple[Source, ...]
    ran_code: tuple[str, ...] = ()
    is_optional: bool = False


class _PartFinder(Protocol):
    """A module that finds some of the parts of pages."""

    def sources(self, page: MarkdownPage) -> Iterable[Source]:
        """Return the files that a page includes or documents."""


# The first one finds the texts that the others read.
_FINDERS: tuple[_PartFinder, ...] = (inclusions,)


def find_parts(page: MarkdownPage) -> PageParts:
    """Return what a page contains besides its own Markdown file.

    Raises:
        OSError: The page or its Markdown file cannot be read.
    """
    found: dict[tuple[str, str], Source] = {}
    for finder in _FINDERS:
        for source in finder.sources(page):
            if source.path != page.document:
                found.setdefault((source.path, source.shows.name), source)
    sources = tuple(found[key] for key in sorted(found))
    return PageParts(sources, tuple(sorted(page.ran_code)))
