"""mkdocs-include-markdown: the files that a page inserts, or the text between marks in
them.
"""

import sys

from mkdocs_sitemap.sources.adapters import (
    Functions,
    Plugins,
    RenderedPage,
    Selection,
    Sources,
    included_files,
)

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
            inserted.append((path, _between(*call.arguments[:2])))
    return included_files(inserted, texts)


def _between(start: str | None, end: str | None) -> Selection:
    """Return what selects the text between two marks."""
    marks = {}
    for name, mark in (("start", start), ("end", end)):
        if mark is not None:  # It can contain escape sequences.
            marks[name] = sys.modules[_PROCESS].interpret_escapes(mark)
    return marks
