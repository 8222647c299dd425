"""The files that a page inserts into its Markdown."""

from collections.abc import Iterable

from docs_sitemap.page import Source

from .markdown_page import MarkdownPage


def sources(page: MarkdownPage) -> Iterable[Source]:
    """Return the files that a page inserts, and note all its texts."""
    page.texts.append(page.text)
    return ()
