"""Material's blog: the posts that an index, an archive, or a category shows."""

from typing import Any

from docs_sitemap import COMPLETE_FILE, Shown, ShownKind, Source, selected_lines
from mkdocs_sitemap.sources.adapter import Functions, Plugins, RenderedPage, Sources


def functions(plugins: Plugins) -> Functions:
    yield from ()


def sources(page: RenderedPage) -> Sources:
    view: Any = page.page
    posts = getattr(view, "posts", ())
    for plugin in page.plugins.values():  # There can be several blogs.
        blog = getattr(plugin, "blog", None)
        if not posts or posts[0] not in getattr(blog, "posts", ()):
            continue
        config = plugin.config
        size = getattr(plugin, "_config_pagination_per_page", None)
        size = config.pagination_per_page if size is None else size(view)
        start = view.pages.index(view) * size if view.pages else 0
        selection = selected_lines(text=True, end_before=config.post_excerpt_separator)
        for post in posts[start : start + size] if view.pages else posts:
            if post.file.abs_src_path is not None:
                shows = COMPLETE_FILE
                if config.post_excerpt_separator in post.markdown:
                    shows = Shown(ShownKind.LINES, (selection,))
                yield Source(post.file.abs_src_path, shows=shows)
