"""`mdx_include`: the files that a page inserts with `{! path !}`."""

from __future__ import annotations

import sys

from docs_sitemap import Source
from mkdocs_sitemap.sources.adapter import Functions, Plugins, RenderedPage, Sources


def functions(plugins: Plugins) -> Functions:
    if "mdx_include.mdx_include" in sys.modules:
        yield sys.modules["mdx_include.mdx_include"].IncludePreprocessor, "get_local_content_list"


def sources(page: RenderedPage) -> Sources:
    for call in page.calls:
        _, path, *_ = call.arguments
        yield Source(path)
