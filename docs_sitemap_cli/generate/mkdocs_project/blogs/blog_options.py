"""The options of a blog, and the addresses that follow from them:
<https://squidfunk.github.io/mkdocs-material/plugins/blog/>.
"""

import os
import posixpath
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from docs_sitemap.config.typed_values import as_text, as_texts
from docs_sitemap_cli.generate.mkdocs_project.project import MkDocsProject

_DATE = re.compile(r"(\d{4})-(\d\d?)-(\d\d?)")

# The options with the addresses of lists below the blog, and their defaults.
_LISTS = {
    "archive_url_format": "archive/{date}",
    "categories_url_format": "category/{slug}",
    "authors_profiles_url_format": "author/{slug}",
}

# The fields of a date in the patterns of Unicode, and texts between quotation marks.
_DATE_FIELD = re.compile(r"'([^']*)'|([yMd])\2*")

# The attributes of a heading, and a link.
_ATTRIBUTES = re.compile(r"\{[^{}]*\}$")
_LINK = re.compile(r"\[([^\[\]]*)\]\([^()]*\)")


@dataclass(frozen=True)
class Blog:
    """A blog of a project.

    Attributes:
        project: The project.
        options: The options of the blog.
    """

    project: MkDocsProject
    options: Mapping[str, Any]

    @cached_property
    def folder(self) -> str:
        """The path of the blog below the site, with `/` as separator."""
        return posixpath.normpath(self._text("blog_dir", "blog"))

    @cached_property
    def posts(self) -> str:
        """The absolute path that the files of posts start with."""
        return self._path("post_dir", "{blog}/posts")

    def is_index(self, document: str) -> bool:
        """Return whether a file is the index of the blog."""
        index = os.path.join(self.project.docs_dir, self.folder, "index.md")
        return document == os.path.normpath(index)

    def is_list(self, page: str) -> bool:
        """Return whether a page has the address of an archive, a category, or the
        profile of an author.

        Args:
            page: The path of its HTML file below the site.
        """
        stem = self._stem_of(page) or ""
        for option, default in _LISTS.items():
            form = self._text(option, default).strip("/")
            start, end = form.partition("{")[0], form.rpartition("}")[2]
            # `{slug}` alone could be a post whose file is unknown.
            is_longer = len(stem) > len(start) + len(end) > 0
            if is_longer and stem.startswith(start) and stem.endswith(end):
                return True
        return False

    @cached_property
    def author_file(self) -> str | None:
        """The absolute path of the file of authors; `None` if there is none, or the
        blog shows no authors.
        """
        if self.options.get("authors") is False:
            return None
        path = self._path("authors_file", "{blog}/.authors.yml")
        return path if os.path.isfile(path) else None

    @cached_property
    def separator(self) -> str:
        """The text below the excerpt of a post."""
        return self._text("post_excerpt_separator", "<!-- more -->")

    @cached_property
    def max_authors(self) -> int:
        """How many authors of a post lists show."""
        return self._number("post_excerpt_max_authors")

    def name_post(self, metadata: Mapping[str, Any], text: str, path: str) -> str:
        """Return the letters and digits in the address of a post below the blog.

        Args:
            metadata: Its front matter.
            text: Its text.
            path: The path of its file.
        """
        stem = os.path.splitext(os.path.basename(path))[0]
        slug = as_text(metadata.get("slug")) or as_text(metadata.get("title"))
        slug = slug or _find_heading(text) or stem
        categories = as_texts(metadata.get("categories"))
        shown = categories[: self._number("post_url_max_categories")]
        fields = {
            "categories": "/".join(shown),
            "date": self._write_date(metadata.get("date")),
            "file": stem,
            "slug": slug,
        }
        return fold(_fill(self._text("post_url_format", "{date}/{slug}"), fields))

    def name_profile(self, author: str, values: Mapping[str, Any]) -> str:
        """Return the letters and digits in the address of an author's profile below
        the blog.

        Args:
            author: The name of the author in the file of authors.
            values: What the file says about the author.
        """
        slug = as_text(values.get("slug")) or author
        fields = {"slug": slug, "name": as_text(values.get("name"))}
        option = "authors_profiles_url_format"
        form = self._text(option, _LISTS[option])
        return fold(_fill(form, fields))

    def name_page(self, page: str) -> str | None:
        """Return the letters and digits in the address of a page below the blog; `None`
        if it is elsewhere.

        Args:
            page: The path of its HTML file below the site.
        """
        stem = self._stem_of(page)
        return None if stem is None else fold(stem)

    def _stem_of(self, page: str) -> str | None:
        """Return the path of a page below the blog; `None` if it is elsewhere."""
        stem = page.removesuffix(".html").removesuffix("/index")
        start = "" if self.folder == "." else f"{self.folder}/"
        if not f"{stem}/".startswith(start):
            return None
        return stem[len(start) :]

    def _write_date(self, date: object) -> str:
        """Return a date in the form that addresses have; empty if it is invalid."""
        if isinstance(date, Mapping):
            date = date.get("created")
        match = _DATE.match(as_text(date))
        if match is None:
            return ""
        year, month, day = match.groups()
        numbers = {"y": year, "M": month, "d": day}
        form = self._text("post_url_date_format", "yyyy/MM/dd")
        return _DATE_FIELD.sub(partial(_write_field, numbers), form)

    def _text(self, option: str, default: str) -> str:
        return as_text(self.options.get(option), default)

    def _number(self, option: str) -> int:
        value = self.options.get(option)
        return value if isinstance(value, int) else 1  # the default of both

    def _path(self, option: str, default: str) -> str:
        path = _fill(self._text(option, default), {"blog": self.folder})
        return os.path.normpath(os.path.join(self.project.docs_dir, path))


def read_blogs(project: MkDocsProject) -> list[Blog]:
    """Return the blogs of a project."""
    return [Blog(project, options) for options in project.instances("blog")]


def fold(text: str) -> str:
    """Return the letters and digits of a text, without case and accents: most functions
    that make slugs keep them.
    """
    letters = unicodedata.normalize("NFKD", text).casefold()
    return "".join(filter(str.isalnum, letters))


def _write_field(numbers: Mapping[str, str], field: re.Match[str]) -> str:
    """Return a field of a date, or the text between quotation marks.

    Args:
        numbers: The year, the month, and the day, by the letters of their fields.
        field: The match of `_DATE_FIELD`.
    """
    if field[1] is not None:
        return field[1]
    number = numbers[field[2]]
    if field[0] == "yy":
        return number[2:]
    return number.lstrip("0").zfill(len(field[0]))


def _find_heading(text: str) -> str:
    """Return the text of the first heading, if nothing comes before it."""
    line = text.lstrip().partition("\n")[0].strip()
    if not line.startswith("# "):
        return ""
    return _LINK.sub(r"\1", _ATTRIBUTES.sub("", line))


def _fill(form: str, fields: Mapping[str, str]) -> str:
    """Return a text with values in place of the names in braces."""
    for name, value in fields.items():
        form = form.replace(f"{{{name}}}", value)
    return form
