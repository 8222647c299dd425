"""The Markdown files of the posts of blogs. The address of a post does not follow from
the path of its file, but from its front matter and its title.
"""

import os
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property

from docs_sitemap.tools.files import read_text_file, walk_files
from docs_sitemap.tools.front_matter import split_document
from docs_sitemap_cli.generate.mkdocs_project.project import MkDocsProject

from .blog_options import Blog, read_blogs

_SUFFIX = ".md"


class PostFiles:
    """Finds the Markdown files of posts.

    Args:
        project: The project.
    """

    def __init__(self, project: MkDocsProject) -> None:
        self._blogs = read_blogs(project)

    def find(self, page: str) -> str | None:
        """Return the absolute path of the Markdown file of a post; `None` if there is
        none, or several posts have the same address.

        Args:
            page: The path of the HTML file below the site, with `/` as separator.
        """
        for number, blog in enumerate(self._blogs):
            name = blog.name_page(page)
            files = self._by_name[number].get(name, ()) if name else ()
            if len(files) == 1:
                return files[0]
        return None

    def is_list(self, page: str, *, has_posts: bool) -> bool:
        """Return whether a page without a Markdown file is a list of posts.

        Args:
            page: The path of the HTML file below the site, with `/` as separator.
            has_posts: Whether the page shows posts, as it does with most templates.
        """
        for blog in self._blogs:
            is_below = blog.name_page(page) is not None
            if blog.is_list(page) or (has_posts and is_below):
                return True
        return False

    @cached_property
    def _by_name(self) -> Sequence[Mapping[str, Sequence[str]]]:
        """The files of the posts of each blog by their names."""
        return [_read_posts(blog) for blog in self._blogs]


def _read_posts(blog: Blog) -> Mapping[str, Sequence[str]]:
    """Return the files of the posts of a blog by the names in their addresses."""
    posts = defaultdict[str, list[str]](list)
    folder = os.path.dirname(blog.posts)
    if blog.project.name_of(blog.posts) is None:
        return {}
    for name in walk_files(folder):
        path = os.path.join(folder, *name.split("/"))
        if not path.startswith(blog.posts) or not path.endswith(_SUFFIX):
            continue
        try:
            text = split_document(read_text_file(path)).body
        except OSError:
            continue
        metadata = blog.project.metadata.read(path)
        posts[blog.name_post(metadata, text, path)].append(path)
    return posts
