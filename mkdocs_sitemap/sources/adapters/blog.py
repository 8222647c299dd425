"""Material's blog: the posts that an index, an archive, or a category shows, and the
authors of posts.
"""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from mkdocs.structure.pages import Page

from docs_sitemap.page import Source
from docs_sitemap.shown import Shown, ShownKind, selected_lines
from mkdocs_sitemap.sources.adapters import Functions, Plugins, RenderedPage, Sources

# What lists show of the authors of their posts.
_LISTED_FIELDS = ("avatar", "name")


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
            yield from _authors(plugin, shown=view.config.authors)
        elif posts and posts[0] in all_posts:
            yield from _listed(plugin, view)


def _listed(plugin: Any, view: Any) -> Sources:
    """Yield what a list shows of posts and their authors."""
    separator = plugin.config.post_excerpt_separator
    max_authors = plugin.config.post_excerpt_max_authors
    listed: set[str] = set()
    for post in _posts_on_page(plugin, view):
        listed.update(post.config.authors[:max_authors])
        path = post.file.abs_src_path
        if path is not None:
            # A post with the separator is shown as its excerpt.
            end = separator if separator in post.markdown else ""
            yield Source(path, shows=Shown(ShownKind.TEXT, end=end))
    profiles = set()
    if type(view).__name__ == "Profile":  # The title is the name of the author.
        for name, author in plugin.authors.items():
            if author.name == view.title:
                profiles.add(name)
    yield from _authors(plugin, shown=profiles, listed=listed - profiles)


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


def _authors(
    plugin: Any, *, shown: Iterable[str], listed: Iterable[str] = ()
) -> Sources:
    """Yield what a page shows of the file of authors."""
    if not plugin.config.authors:
        return
    parts: defaultdict[str, set[str]] = defaultdict(set)
    for name in shown:
        path = plugin.authors[name].config_file_path
        parts[path].add(selected_lines(author=name))
    for name in listed:
        path = plugin.authors[name].config_file_path
        for field in _LISTED_FIELDS:
            parts[path].add(selected_lines(author=name, field=field))
    for path, authors in parts.items():
        yield Source(path, shows=Shown(ShownKind.LINES, tuple(sorted(authors))))
