"""What pages of blogs show: lists of posts, and the authors of posts."""

import posixpath
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from urllib.parse import unquote, urlsplit

from docs_sitemap.built.html import parse_html
from docs_sitemap.config.typed_values import as_mapping, as_texts
from docs_sitemap.page import Source
from docs_sitemap.sources.blog_posts import BlogPost, author_sources, list_sources
from docs_sitemap.tools.files import read_text_file
from docs_sitemap.tools.front_matter import SplitDocument, split_document
from docs_sitemap.tools.printing import shorten
from docs_sitemap_cli.generate.mkdocs_project.markdown_page import MarkdownPage

from .blog_options import Blog, read_blogs

# The links of a list to its posts, in Zensical and Material.
_POSTS = ".md-post--excerpt .toclink"
_EXCERPT = "md-post--excerpt"

# The number of a page of a list.
_CURRENT = re.compile(r"class=\"md-pagination__current\">\s*(\d+)")

# The links of a list that a template of the project writes in its own way.
_ALL_LINKS = "main a"


def sources(page: MarkdownPage) -> Iterator[Source]:
    """Yield what a page shows of posts and their authors."""
    for blog in read_blogs(page.project):
        if page.document.startswith(blog.posts):
            authors = as_texts(page.project.metadata.read(page.document).get("authors"))
            yield from author_sources(blog.author_file, shown=authors)
        elif blog.name_page(page.name) is not None:
            yield from _list_sources(page, blog)


def _list_sources(page: MarkdownPage, blog: Blog) -> Iterator[Source]:
    """Yield what a list shows of posts and their authors."""
    current = _CURRENT.search(page.html)
    if current is not None and current[1] != "1":
        page.is_generated = True
    posts = []
    for path in _find_posts(page, blog):
        text = split_document(read_text_file(path)).body
        authors = as_texts(page.project.metadata.read(path).get("authors"))
        posts.append(BlogPost(path, text, authors))
    if posts:
        page.is_optional = True
        yield from list_sources(
            posts,
            separator=blog.separator,
            max_authors=blog.max_authors,
            author_file=blog.author_file,
            profiles=_find_profiles(page, blog),
        )


def _find_posts(page: MarkdownPage, blog: Blog) -> Iterable[str]:
    """Return the files of the posts on a page."""
    is_list = _EXCERPT in page.html
    has_address = blog.is_index(page.document) or blog.is_list(page.name)
    if not is_list and not has_address:
        return ()
    links = _POSTS if is_list else _ALL_LINKS
    posts: dict[str, None] = {}
    for node in parse_html(page.html.encode()).css(links):
        target = _find_target(page.name, node.attributes.get("href") or "")
        path = page.find_document(target)
        if path is not None and path.startswith(blog.posts):
            posts[path] = None
        elif is_list:
            page.unknown_because = f"the file of the post {shorten(target)} is unknown"
    return posts


def _find_target(page: str, link: str) -> str:
    """Return the path of the page that a link in another page opens."""
    path = ""
    with suppress(ValueError):  # `https://[`
        path = unquote(urlsplit(link).path)
    target = posixpath.join(posixpath.dirname(page), path)
    if not target.endswith(".html"):
        target = posixpath.join(target, "index.html")
    return posixpath.normpath(target)


def _find_profiles(page: MarkdownPage, blog: Blog) -> Iterator[str]:
    """Yield the names of the authors whose profile a page is."""
    if blog.author_file is None:
        return
    with suppress(OSError, ValueError):  # The generator reports invalid ones.
        values = SplitDocument(read_text_file(blog.author_file), "").read_values()
        for name, author in as_mapping(values.get("authors")).items():
            profile = blog.name_profile(name, as_mapping(author))
            if profile == blog.name_page(page.name):
                yield name
