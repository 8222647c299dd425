"""The files that docstrings insert with `pymdownx.snippets`."""

from collections.abc import Iterable, Iterator
from inspect import cleandoc

from docs_sitemap.page import Source
from docs_sitemap.shown.python_blocks import parse_module
from docs_sitemap.shown.python_modules import Module
from docs_sitemap.shown.shown_objects import Extent, ShownObject
from docs_sitemap.sources.snippet_statements import MARKER, snippet_sources
from docs_sitemap.tools.files import MAX_TEXT, read_regular
from docs_sitemap_cli.generate.mkdocs_project.markdown_page import MarkdownPage

from .inserted_snippets import EXTENSION, Snippets


def docstring_sources(
    page: MarkdownPage, documented: Iterable[Source]
) -> Iterator[Source]:
    """Yield the files that the docstrings on a page insert.

    Args:
        page: The page.
        documented: The modules of the objects that it documents.

    Raises:
        OSError: A file cannot be read.
        ValueError: A module cannot be parsed.
    """
    options = page.project.extension(EXTENSION)
    if options is None:
        return
    snippets = Snippets(page, options)
    for source in documented:
        content = read_regular(source.path, MAX_TEXT)
        if MARKER.encode() in content:
            # With custom templates, a page can show all of the module.
            objects = source.shows.objects or [ShownObject()]
            for doc in _find_docstrings(parse_module(content), objects):
                snippets.expand(doc)
    if snippets.files:
        yield from snippet_sources(snippets.files, snippets.texts, page.html)


def _find_docstrings(module: Module, objects: Iterable[ShownObject]) -> Iterator[str]:
    """Yield the docstrings of some objects of a module, and of their members."""
    for item in objects:
        if item.extent is Extent.EXPORTS:
            continue
        if not item.name:
            yield cleandoc(module.doc)
        for name, definitions in module.definitions.items():
            is_member = not item.name or name.startswith(f"{item.name}.")
            if name == item.name or (is_member and item.extent is Extent.ALL):
                for definition in definitions:
                    yield from map(cleandoc, definition.docs)
