"""Material's blog: the posts that an index, an archive, or a category shows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from mkdocs.config.defaults import MkDocsConfig

from docs_sitemap import Source
from mkdocs_sitemap.sources.adapter import Call, RenderedPage


def functions(config: MkDocsConfig) -> Iterator[tuple[Any, str]]:
    yield from ()


def sources(page: RenderedPage, calls: Sequence[Call]) -> Iterator[Source]:
    for post in getattr(page.page, "posts", None) or ():
        if post.file.abs_src_path is not None:
            yield Source(post.file.abs_src_path)
