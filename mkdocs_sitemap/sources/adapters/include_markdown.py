"""mkdocs-include-markdown: the files of `{% include %}` and `{% include-markdown %}`."""

from __future__ import annotations

import sys

from docs_sitemap import Source
from mkdocs_sitemap.sources.adapter import Functions, Plugins, RenderedPage, Sources


def functions(plugins: Plugins) -> Functions:
    if "include-markdown" in plugins:
        yield sys.modules["mkdocs_include_markdown_plugin.process"], "read_file"


def sources(page: RenderedPage) -> Sources:
    for call in page.calls:
        yield Source(call.arguments[0])
