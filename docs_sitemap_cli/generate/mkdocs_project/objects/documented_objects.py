"""The objects of Python that a page documents with mkdocstrings."""

import re
from collections.abc import Iterable, Iterator, Mapping, Set
from types import MappingProxyType
from typing import Any

from docs_sitemap.page import Source
from docs_sitemap.sources.mkdocstrings_blocks import has_only_blocks
from docs_sitemap.sources.python_objects import (
    DocumentedObject,
    find_ids,
    object_sources,
)
from docs_sitemap.tools.printing import describe_error
from docs_sitemap_cli.generate.mkdocs_project.inclusions.docstring_snippets import (
    docstring_sources,
)
from docs_sitemap_cli.generate.mkdocs_project.markdown_page import MarkdownPage

from .object_blocks import ObjectBlock, read_blocks
from .object_tree import UnknownPackageError

_HEADING = re.compile(r'id="([\w.]{1,255})" class="doc doc-heading[" ]')

# Options that show only what has an `id` on the page.
_SHOWN_BY_ID: Mapping[str, Any] = MappingProxyType({"members": []})


def sources(page: MarkdownPage) -> Iterable[Source]:
    """Return the modules that define the objects on a page."""
    try:
        return _find_sources(page)
    # Modules and options can contain anything, and files may be unreadable.
    except Exception as error:
        reason = describe_error(error)
        page.unknown_because = (
            f"the files that mkdocstrings includes are unknown: {reason}"
        )
        return ()


def _find_sources(page: MarkdownPage) -> list[Source]:
    handler = page.python_handler
    documented = []
    found = []
    for block in _find_blocks(page):
        try:
            root = handler.tree.find(block.name)
            _ = root.final_target
        except UnknownPackageError:
            continue
        except (LookupError, OSError, ValueError, RecursionError):
            # An extension of Griffe may have added it, in an unknown way.
            path = handler.tree.find_module(block.name)
            if path is not None:
                found.append(Source(path, is_optional=True))
        else:
            documented.append(DocumentedObject(root, handler.option(block)))
    if documented:
        found += object_sources(documented, page.html, is_custom=handler.is_custom)
        found += list(docstring_sources(page, tuple(found)))
    if found and has_only_blocks(page.text):
        page.is_optional = True
    return found


def _find_blocks(page: MarkdownPage) -> Iterator[ObjectBlock]:
    """Yield the blocks that a page shows. Others are in comments or in code."""
    handler = page.python_handler
    if not handler.is_enabled:
        return
    # Objects are shown with their own path, or only with those of their members.
    shown = set[str]()
    for path in find_ids(page.html):
        shown.update((path, path.rpartition(".")[0]))
    names = set[str]()
    for text in page.texts:
        for block in read_blocks(text):
            names.add(block.name)
            is_shown = block.name in shown or handler.hides_name(block)
            if is_shown and handler.handles(block):
                yield block
    for name in _find_others(page.html, names):
        yield ObjectBlock(name, "", _SHOWN_BY_ID)


def _find_others(html: str, names: Set[str]) -> Iterator[str]:
    """Yield the names of the objects on a page that its blocks do not show: a docstring
    or a macro has written their blocks, for example.

    Args:
        html: The HTML of the page.
        names: The names of the objects of all blocks.
    """
    known = ""
    # Members follow their module or class.
    for path in sorted(set(_HEADING.findall(html))):
        parts = path.split(".")
        paths = {".".join(parts[:number]) for number in range(1, len(parts) + 1)}
        if known not in paths and names.isdisjoint(paths):
            known = path
            yield path
