"""`pymdownx.snippets`: the files, sections, and lines that a page inserts."""

import os
import sys

from docs_sitemap.sources.included_text import Selection
from docs_sitemap.sources.snippet_statements import read_statements, snippet_sources
from mkdocs_sitemap.sources.adapters import Functions, Plugins, RenderedPage, Sources


def functions(plugins: Plugins) -> Functions:
    if "pymdownx.snippets" in sys.modules:
        # The extension calls it for the Markdown of a page, and of each inserted file.
        yield sys.modules["pymdownx.snippets"].SnippetPreprocessor, "parse_snippets"


def sources(page: RenderedPage) -> Sources:
    inserted: list[tuple[str, Selection]] = []
    texts = []
    for call in page.calls:
        preprocessor, lines = call.arguments[:2]
        texts.append("\n".join(lines))
        for statement in read_statements(lines):
            path = preprocessor.get_snippet_path(statement.name)
            # The path of an empty line, with some versions and options, is the base
            # folder.
            if path is not None and os.path.isfile(path):
                inserted.append((path, statement.selection))
    return snippet_sources(inserted, texts, page.html)
