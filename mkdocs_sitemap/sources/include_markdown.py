"""mkdocs-include-markdown: the files of `{% include %}` and `{% include-markdown %}`."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import Any

from mkdocs.config.defaults import MkDocsConfig

from docs_sitemap import Source
from mkdocs_sitemap.sources.adapter import Call, RenderedPage


def functions(config: MkDocsConfig) -> Iterator[tuple[Any, str]]:
    if "include-markdown" in config.plugins:
        yield sys.modules["mkdocs_include_markdown_plugin.process"], "read_file"


def sources(page: RenderedPage, calls: Sequence[Call]) -> Iterator[Source]:
    for call in calls:
        yield Source(call.arguments[0])
