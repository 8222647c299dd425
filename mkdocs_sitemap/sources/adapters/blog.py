"""Material's blog: the posts that an index, an archive, or a category shows."""

from typing import Any

from docs_sitemap.page import Source
from docs_sitemap.shown import COMPLETE_FILE, Shown, ShownKind, selected_lines
from mkdocs_sitemap.sources.adapter import Functions, Plugins, RenderedPage, Sources


def functions(plugins: Plugins) -> Functions:
    return ()


def sources(page: RenderedPage) -> Sources:
    view: Any = page.page
    posts = getattr(view, "posts", ())
    if not posts:
        return
    for plugin in page.plugins.values():  # There can be several blogs.
        blog = getattr(plugin, "blog", None)
        if posts[0] in getattr(blog, "posts", ()):
            for post in _posts_on_page(plugin, view):
                path = post.file.abs_src_path
                if path is not None:
                    separator = plugin.config.post_excerpt_separator
                    yield Source(path, shows=_shown(post, separator))


def _posts_on_page(plugin: Any, view: Any) -> list[Any]:
    posts: list[Any] = view.posts
    if not view.pages:
        return posts
    size = plugin.config.pagination_per_page
    own_size = getattr(plugin, "_config_pagination_per_page", None)
    if own_size is not None:  # in newer versions
        size = own_size(view)
    start = view.pages.index(view) * size
    return posts[start : start + size]


def _shown(post: Any, separator: str) -> Shown:
    """Return what a list shows of a post: its excerpt, if it has one."""
    if separator not in post.markdown:
        return COMPLETE_FILE
    excerpt = selected_lines(text=True, end_before=separator)
    return Shown(ShownKind.LINES, (excerpt,))
