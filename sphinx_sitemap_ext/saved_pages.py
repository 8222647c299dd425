"""Save the pages that are not built from documents from one build to the next.

Not every build writes all of these pages. Before Sphinx 8.2, a build writes none of
them if no document has changed. Extensions such as `sphinx.ext.viewcode` skip pages
that exist.
"""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from msgspec import Meta
from sphinx.builders.html import StandaloneHTMLBuilder

from docs_sitemap.tools.json_store import JsonStore

from .builders import is_generator_page

# Sphinx percent-encodes the names of pages, and cannot encode surrogates.
_PageName = Annotated[str, Meta(pattern=r"\A[^\0\ud800-\udfff]*\Z")]


@dataclass(frozen=True)
class AdditionalPages:
    """The additional pages of an earlier build: their names, and whether they are
    Sphinx's own.
    """

    pages: dict[_PageName, bool]


def recall_pages(
    builder: StandaloneHTMLBuilder, written: Iterable[str], *, is_fresh: bool
) -> dict[str, bool]:
    """Return the names of all additional pages, and whether they are Sphinx's own. The
    core checks whether their files still exist.

    Args:
        builder: The builder, after the build.
        written: The names of the additional pages that this build wrote.
        is_fresh: Whether this build started without the environment of an earlier
            build, or with another configuration. Extensions then wrote all their pages.
    """
    path = Path(builder.doctreedir, f"sitemap-{builder.name}.json")
    store = JsonStore(path, AdditionalPages, version=1)
    configured = builder.config.html_additional_pages
    saved = store.load() or AdditionalPages({})
    pages = {}
    for name, is_own in saved.pages.items():
        if is_own or not is_fresh:
            pages[name] = is_own
    for name in set(written).difference(configured):
        pages[name] = is_generator_page(builder, name)
    with suppress(OSError):  # Only an incremental build needs the file.
        store.save(AdditionalPages(dict(sorted(pages.items()))))
    # The current configuration names these pages, so they are not saved.
    for name in configured:
        pages[name] = is_generator_page(builder, name)
    return pages
