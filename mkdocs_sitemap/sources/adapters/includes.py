"""Plugins and extensions that insert complete files: `mdx_include`,
`markdown_include`, mkdocs-codeinclude, and mkdocs-table-reader.
"""

import os
import sys

from docs_sitemap.page import Source
from mkdocs_sitemap.sources.adapters import Functions, Plugins, RenderedPage, Sources


def functions(plugins: Plugins) -> Functions:
    if "mdx_include.mdx_include" in sys.modules:
        yield (
            sys.modules["mdx_include.mdx_include"].IncludePreprocessor,
            "get_local_content_list",
        )
    for name in ("markdown_include.include", "codeinclude.plugin"):
        if name in sys.modules:
            yield sys.modules[name], "open"
    table_readers = sys.modules.get("mkdocs_table_reader_plugin.readers")
    for reader in getattr(table_readers, "MACROS", {}).values():
        yield reader, "func"


def sources(page: RenderedPage) -> Sources:
    for call in page.calls:
        # The first argument of a method is its object.
        path, *others = call.arguments
        if not isinstance(path, str | os.PathLike):
            path = others[0]
        yield Source(os.fspath(path))
