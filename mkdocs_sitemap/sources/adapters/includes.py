"""mkdocs-include-markdown and `mdx_include`: the files that a page inserts."""

import sys

from docs_sitemap import Source
from mkdocs_sitemap.sources.adapter import Functions, Plugins, RenderedPage, Sources


def functions(plugins: Plugins) -> Functions:
    if "include-markdown" in plugins:
        yield sys.modules["mkdocs_include_markdown_plugin.process"], "read_file"
    if "mdx_include.mdx_include" in sys.modules:
        yield sys.modules["mdx_include.mdx_include"].IncludePreprocessor, "get_local_content_list"


def sources(page: RenderedPage) -> Sources:
    for call in page.calls:
        # The first argument of a method is its object.
        yield Source(next(value for value in call.arguments if isinstance(value, str)))
