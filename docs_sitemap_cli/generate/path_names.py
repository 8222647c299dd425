"""The names in the paths of pages and sources, in one form that generators do not
change. Languages, versions, and dates are names like others.
"""

from __future__ import annotations

import posixpath
import re
import unicodedata
from collections import Counter
from functools import cache
from posixpath import splitext
from typing import NamedTuple

from docs_sitemap.tools.files import compose_letters

_DOCUMENTS = "mdx?|markdown|rst|txt|adoc|asciidoc|org|textile|rdoc|ipynb|[qr]md|x?html?"
DOCUMENT = re.compile(rf"\.(?:{_DOCUMENTS})\Z", re.I)
"""The suffixes of usual documents."""

# The suffixes of documents and templates that the usual generators turn into pages.
_SOURCE = re.compile(
    r"\.(?:(?:html|md)\.(?:md|erb|haml|njk)|11ty\.js|njk|liquid|hbs|ejs|pug|haml|astro"
    rf"|vue|svelte|[jt]sx|{_DOCUMENTS})\Z",
    re.I,
)
_PAGE = re.compile(r"\.x?html?\Z", re.I)

# The files that become the page of their folder.
_FOLDER_PAGES = {"index", "_index", "readme", "__init__", "contents", "+page", "page"}

# `2012-10-04-name` and `2012/10/04/name` have the same names.
_DATE = re.compile(r"(?<![^/])(\d{4})[-/](\d\d?)(?:[-/](\d\d?))?(?:[-_/]|\Z)")
_DATE_MARK = "@"
# `version-1.2` and `v1.2` are `1.2`.
_VERSION = re.compile(r"(?<![^/])(?:version[-_.]?)?v?(?=\d)", re.I)
# Folders of Next.js and SvelteKit that are no part of URLs.
_GROUP = re.compile(r"(?<![^/])\([^/]*\)/")

_LANGUAGE_FOLDER = re.compile(r"(?<![^/])[a-z]{2}(?:[-_][a-z]{2,4})?/", re.I)
# `install.fr` is a translation.
_LANGUAGE = re.compile(r"\.([a-z]{2}(?:[-_][a-z]{2,4})?)\Z", re.I)

Names = tuple[str, ...]


class Folders(NamedTuple):
    """The names that only a page or only its document has, such as `guide` and
    `content`, `posts`. Other pages of the same kind have the same ones.
    """

    page: Names
    document: Names


class PathNames(NamedTuple):
    """The names in a path.

    Attributes:
        names: The folders, and the name of the file.
        own: The names in the name of the file; for the page of a folder, the folder.
        written: The name of the file, or of its folder, as it is written.
        index_name: How a source that is the page of its folder is called; empty for
            others.
    """

    names: Names
    own: Names
    written: str
    index_name: str = ""

    @property
    def section(self) -> Names:
        """The part of a site that a page belongs to, such as a version."""
        return self.names[: min(1, len(self.names) - 1)]

    def common(self, page: PathNames) -> Counter[str]:
        """Return the names of a page that its source has."""
        return Counter(self._named_like(page)) & Counter(page.names)

    def agreement(self, page: PathNames) -> float:
        """Return the share of the names of a page that its source has. A home page
        needs an index file.
        """
        if not page.names:
            return float(bool(self.index_name))
        common = float(self.common(page).total())
        is_index = self.index_name in page.own
        if self.has_name(page) and self.written != page.written and not is_index:
            common -= 0.5  # such as `Guide` and `guide`
        return common / len(page.names)

    def has_name(self, page: PathNames) -> bool:
        """Return whether a source has the name of its page in its path."""
        if not page.own:
            return bool(self.index_name)
        return not set(page.own).isdisjoint(self._named_like(page))

    def folders(self, page: PathNames) -> Folders:
        """Return the names that a source does not share with its page."""
        common = self.common(page)
        of_page = Counter(page.names) - common
        of_source = Counter(self._named_like(page)) - common
        if not self.has_name(page):
            # The slug of a page can have nothing to do with the name of its source.
            of_page -= Counter(page.own)
            of_source -= Counter(self.own)
        return Folders(_sort_names(of_page), _sort_names(of_source))

    @property
    def with_index(self) -> Names:
        """The names with the one of an index file, which some pages have."""
        return (*self.names, self.index_name) if self.index_name else self.names

    def _named_like(self, page: PathNames) -> Names:
        return self.with_index if self.index_name in page.own else self.names


def page_names(page: str) -> PathNames:
    """Return the names in the path of an HTML file, or in a URL."""
    folder, _, name = _PAGE.sub("", page).rpartition("/")
    return _read_names(folder, "" if name == "index" else name)


def untranslated_names(page: str) -> Names:
    """Return the names in the path of an HTML file, without those of languages."""
    return page_names(_LANGUAGE_FOLDER.sub("", page)).names


def source_names(path: str) -> PathNames:
    """Return the names in the path of a source."""
    folder, _, name = path.rpartition("/")
    stem = _SOURCE.sub("", name)
    if stem == name:
        stem = splitext(name)[0]
    first, _, rest = stem.partition(".")
    if first.lower() in _FOLDER_PAGES:  # also `index.de.md`
        return _read_names(folder, rest)._replace(index_name=_fold(first))
    return _read_names(folder, _LANGUAGE.sub(r"/\1", stem))


def has_same_name(page: str, path: str) -> bool:
    """Return whether a source may become a page with the name of an HTML file."""
    source, own = source_names(path), page_names(page).own
    return own in (source.own, source.with_index[-1:])


def is_readme(path: str) -> bool:
    """Return whether a file describes its folder, and so may be no page of the site."""
    return posixpath.basename(path).lower().startswith("readme")


def is_usual(path: str) -> bool:
    """Return whether the usual generators turn a file into a page."""
    if is_component(path) and path.endswith((".js", ".ts")):
        return is_page_file(path)
    return _SOURCE.search(path) is not None


# Code that is a page in Next.js, SvelteKit, Docusaurus, Gatsby, and Astro.
_COMPONENT = re.compile(r"\.(?:[jt]sx?|astro|vue|svelte)\Z")


def is_component(path: str) -> bool:
    """Return whether a file is code that shows a page."""
    return _COMPONENT.search(path) is not None


def is_page_file(path: str) -> bool:
    """Return whether a file is a page by its name or folder."""
    name = posixpath.basename(path).partition(".")[0]
    return name in ("page", "+page") or "/pages/" in f"/{path}"


def is_home_file(path: str) -> bool:
    """Return whether a file is the home page by its name and folder."""
    names = source_names(path)
    return bool(names.index_name) and names.own in (("app",), ("pages",), ("routes",))


def _read_names(folder: str, stem: str) -> PathNames:
    path = _GROUP.sub("", f"{folder}/")
    folders, own = _split(path), _split(stem)
    written = compose_letters(_DATE.sub("", stem) or posixpath.basename(folder))
    return PathNames((*folders, *own), own or folders[-1:], written)


def _split(path: str) -> Names:
    path = _VERSION.sub("", _DATE.sub(_mark_date, path))
    names = []
    for part in path.split("/"):
        if part.startswith(_DATE_MARK):
            names.append(part)
        elif part:
            names.append(_fold(part))
    return tuple(names)


def _mark_date(match: re.Match[str]) -> str:
    numbers = [f"{_DATE_MARK}{int(number)}" for number in match.groups() if number]
    return "/".join([*numbers, ""])


def _sort_names(names: Counter[str]) -> Names:
    """Return names without dates, which hardly any other page has."""
    return tuple(sorted(name for name in names.elements() if name[0] != _DATE_MARK))


@cache
def _fold(name: str) -> str:
    letters = unicodedata.normalize("NFKD", name.casefold())
    return "".join(filter(str.isalnum, letters)) or name
