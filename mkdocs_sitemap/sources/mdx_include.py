"""`mdx_include`: the files that a page inserts with `{! path !}`."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import Any

from mkdocs.config.defaults import MkDocsConfig

from docs_sitemap import Source
from mkdocs_sitemap.sources.adapter import Call, RenderedPage


def functions(config: MkDocsConfig) -> Iterator[tuple[Any, str]]:
    if "mdx_include.mdx_include" in sys.modules:
        yield sys.modules["mdx_include.mdx_include"].IncludePreprocessor, "get_local_content_list"


def sources(page: RenderedPage, calls: Sequence[Call]) -> Iterator[Source]:
    for call in calls:
        _, path, *_ = call.arguments
        yield Source(path)
