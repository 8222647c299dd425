"""What lists of Material's blog show of posts, and posts and lists of their authors."""

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from docs_sitemap.page import Source
from docs_sitemap.shown import Shown, ShownKind, selected_lines

# What lists show of the authors of their posts.
_LISTED_FIELDS = ("avatar", "name")


class BlogPost(msgspec.Struct, frozen=True):
    """A post of a blog.

    Attributes:
        path: The absolute path of its file; `None` if a plugin generates it.
        markdown: Its text.
        authors: The names of its authors in the file of authors.
    """

    path: str | None
    markdown: str
    authors: Sequence[str]


def list_sources(
    posts: Iterable[BlogPost],
    *,
    separator: str,
    max_authors: int,
    author_file: str | None,
    profiles: Iterable[str] = (),
) -> Iterator[Source]:
    """Yield what a list shows of posts and their authors.

    Args:
        posts: The posts on the page.
        separator: What follows the excerpt in posts.
        max_authors: How many authors of a post the list shows.
        author_file: See `author_sources`.
        profiles: The authors whose profile the list is.
    """
    listed: set[str] = set()
    for post in posts:
        listed.update(post.authors[:max_authors])
        if post.path is not None:
            # A post with the separator is shown as its excerpt.
            end = separator if separator in post.markdown else ""
            yield Source(post.path, shows=Shown(ShownKind.TEXT, end=end))
    shown = set(profiles)
    yield from author_sources(author_file, shown=shown, listed=listed - shown)


def author_sources(
    author_file: str | None, *, shown: Iterable[str], listed: Iterable[str] = ()
) -> Iterator[Source]:
    """Yield what a page shows of the file of authors.

    Args:
        author_file: The absolute path of the file; `None` if the blog shows no authors.
        shown: The names of the authors that the page describes.
        listed: The names of others that it lists.
    """
    parts = [selected_lines(author=name) for name in shown]
    for name in listed:
        for field in _LISTED_FIELDS:
            parts.append(selected_lines(author=name, field=field))
    if author_file is not None and parts:
        yield Source(author_file, shows=Shown(ShownKind.LINES, tuple(sorted(parts))))
