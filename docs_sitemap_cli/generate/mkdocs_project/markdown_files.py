"""The Markdown file of each page, by the paths of both:
<https://www.mkdocs.org/user-guide/writing-your-docs/#file-layout>.
"""

import os
import posixpath
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache

from docs_sitemap.sitemap.urls import is_index
from docs_sitemap.tools.files import list_names, read_start

from .blogs.post_files import PostFiles
from .project import MkDocsProject

# https://github.com/mkdocs/mkdocs/blob/master/mkdocs/utils/__init__.py
_SUFFIXES = (".md", ".markdown", ".mdown", ".mkdn", ".mkd")

INDEX_NAMES = ("index", "README")
"""The names of the files that become the page of their folder."""

_PAGE_SUFFIX = ".html"


class MarkdownFiles:
    """Finds the Markdown files of pages.

    Args:
        project: The project.
    """

    def __init__(self, project: MkDocsProject) -> None:
        self._project = project
        self._posts = PostFiles(project)
        self._names_in = cache(list_names)

    def find(self, page: str) -> str | None:
        """Return the absolute path of the Markdown file of a page; `None` if there is
        none, or several of them would be written to the same file.

        Args:
            page: The path of the HTML file below the site, with `/` as separator.
        """
        translations = self._project.translations
        locale, path = translations.split_page(page)
        found = self._find_in(path, locale)
        fallback = translations.fallback(locale)
        if not found and fallback is not None:
            found = self._find_in(path, fallback)
        if not found:
            return self._posts.find(page)
        return found[0] if len(found) == 1 else None

    def _find_in(self, path: str, locale: str) -> list[str]:
        """Return the Markdown files of a page in a language, by its path below the
        folder of the language.
        """
        found = []
        for stems in self._stems(path):
            spelled: list[str] = []
            for stem in stems:
                spelled.extend(self._project.translations.spell(stem, locale))
            # Of both names of an index, MkDocs and Zensical use the first.
            found += next(filter(None, map(self._files_of, spelled)), [])
        return found

    def name_list(self, page: str, *, has_posts: bool) -> str | None:
        """Return the absolute path that the Markdown file of a generated list of posts
        would have; `None` if the page is not such a list.

        Args:
            page: See `PostFiles.is_list`.
            has_posts: The same.
        """
        if not self._posts.is_list(page, has_posts=has_posts):
            return None
        stem = page.removesuffix(_PAGE_SUFFIX)
        if self._project.use_directory_urls:
            stem = stem.removesuffix("/index")
        return os.path.join(self._project.docs_dir, f"{stem}{_SUFFIXES[0]}")

    def find_copied(self, name: str, data: bytes) -> str | None:
        """Return the absolute path of the file among the Markdown files that was copied
        to a file of the site; `None` if none was.

        Args:
            name: The path of the file below the site, with `/` as separator.
            data: The start of its content.
        """
        path = os.path.join(self._project.docs_dir, *name.split("/"))
        with suppress(OSError, ValueError):
            if read_start(path, len(data)) == data:
                return path
        return None

    def _stems(self, page: str) -> Iterator[Sequence[str]]:
        """Yield the paths that the Markdown file of a page can have, without suffix:
        each time those in one folder, the one that is used first.
        """
        folder, name = posixpath.split(page)
        is_nested = self._project.use_directory_urls
        if is_index(name):
            yield [posixpath.join(folder, name) for name in INDEX_NAMES]
            # The page of an index is in the folder of its file.
            is_own = posixpath.basename(folder) not in ("", *INDEX_NAMES)
            if is_own and is_nested:
                yield [folder]
        elif not is_nested and page.endswith(_PAGE_SUFFIX):
            yield [page.removesuffix(_PAGE_SUFFIX)]

    def _files_of(self, stem: str) -> list[str]:
        """Return the Markdown files with a path below `docs_dir`, without suffix."""
        folder, name = posixpath.split(stem)
        path = os.path.normpath(os.path.join(self._project.docs_dir, folder))
        names = [f"{name}{suffix}" for suffix in _SUFFIXES]
        return [
            os.path.join(path, name) for name in names if name in self._names_in(path)
        ]
