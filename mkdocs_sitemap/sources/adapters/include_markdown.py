"""mkdocs-include-markdown: the files that a page inserts, or the text between marks in
them.
"""

import sys

from docs_sitemap.sources.included_text import (
    Selection,
    between_marks,
    included_files,
)
from mkdocs_sitemap.sources.adapters import Functions, Plugins, RenderedPage, Sources

_PROCESS = "mkdocs_include_markdown_plugin.process"


def functions(plugins: Plugins) -> Functions:
    if "include-markdown" in plugins:
        for name in ("read_file", "filter_inclusions"):
            yield sys.modules[_PROCESS], name


def sources(page: RenderedPage) -> Sources:
    inserted: list[tuple[str, Selection]] = []
    texts = [page.page.file.content_string]
    text = None  # of the last file
    for call in page.calls:
        if len(call.arguments) == 2:  # `read_file(path, encoding)`
            inserted.append((call.arguments[0], {}))
            text = call.result
            texts.append(call.result)
            continue
        # `filter_inclusions(start, end, text)`: the text can be that of a URL, too.
        if inserted and call.arguments[2] is text:
            path, _ = inserted.pop()
            inserted.append((path, between_marks(*call.arguments[:2])))
    return included_files(inserted, texts)
