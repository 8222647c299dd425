"""The files that a page inserts into its Markdown.

Plugins change the Markdown first, then the extensions do, in this order. Each module
reads the texts of the page, replaces inclusions in them by what they insert, and adds
other texts.
"""

from collections.abc import Iterator

from docs_sitemap.page import Source
from docs_sitemap.tools.printing import describe_error
from docs_sitemap_cli.generate.mkdocs_project.markdown_page import MarkdownPage

from . import (
    brace_inclusions,
    click_commands,
    code_blocks,
    data_tables,
    inserted_snippets,
    jinja_templates,
    marked_inclusions,
)

# By the names that users know.
_FINDERS = {
    "include-markdown": marked_inclusions,
    "macros": jinja_templates,
    "table-reader": data_tables,
    "mdx_include": brace_inclusions,
    "snippets": inserted_snippets,
    "mkdocs-click": click_commands,
    "markdown-exec": code_blocks,
}


def sources(page: MarkdownPage) -> Iterator[Source]:
    """Yield the files that a page inserts, and note all its texts."""
    page.texts.append(page.text)
    for name, finder in _FINDERS.items():
        try:
            yield from list(finder.sources(page))
        # Authors and options can contain anything, and files may be unreadable.
        except Exception as error:
            reason = describe_error(error)
            page.unknown_because = (
                f"the files that {name} includes are unknown: {reason}"
            )
