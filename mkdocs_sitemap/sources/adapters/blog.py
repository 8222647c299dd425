"""Material's blog: the posts that an index, an archive, or a category shows, and the
authors of posts.
"""

from typing import Any

from mkdocs.structure.pages import Page

from docs_sitemap.sources.blog_posts import BlogPost, author_sources, list_sources
from mkdocs_sitemap.sources.adapters import Functions, Plugins, RenderedPage, Sources


def functions(plugins: Plugins) -> Functions:
    return ()


def sources(page: RenderedPage) -> Sources:
    view: Any = page.page
    if type(view) is Page:  # neither a post nor a list
        return
    posts = getattr(view, "posts", ())
    for plugin in page.plugins.values():  # There can be several blogs.
        all_posts = getattr(getattr(plugin, "blog", None), "posts", ())
        if view in all_posts:
            shown = view.config.authors
            yield from author_sources(_author_file(plugin), shown=shown)
        elif posts and posts[0] in all_posts:
            yield from _listed(plugin, view)


def _listed(plugin: Any, view: Any) -> Sources:
    """Yield what a list shows of posts and their authors."""
    posts = []
    for post in _posts_on_page(plugin, view):
        path = post.file.abs_src_path
        posts.append(BlogPost(path, post.markdown, post.config.authors))
    profiles = set()
    if type(view).__name__ == "Profile":  # The title is the name of the author.
        for name, author in plugin.authors.items():
            if author.name == view.title:
                profiles.add(name)
    return list_sources(
        posts,
        separator=plugin.config.post_excerpt_separator,
        max_authors=plugin.config.post_excerpt_max_authors,
        author_file=_author_file(plugin),
        profiles=profiles,
    )


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


def _author_file(plugin: Any) -> str | None:
    """Return the file of authors; `None` if the blog shows no authors."""
    if plugin.config.authors:
        for author in plugin.authors.values():
            return str(author.config_file_path)
    return None
