"""Material's blog: the posts that an index, an archive, or a category shows."""

from __future__ import annotations

from docs_sitemap import Source
from mkdocs_sitemap.sources.adapter import Functions, Plugins, RenderedPage, Sources


def functions(plugins: Plugins) -> Functions:
    yield from ()


def sources(page: RenderedPage) -> Sources:
    for post in getattr(page.page, "posts", None) or ():
        if post.file.abs_src_path is not None:
            yield Source(post.file.abs_src_path)
