"""The names in the paths of pages and sources, in one form that generators do not
change. Languages, versions, and dates are names like others.
"""

from __future__ import annotations

import posixpath
import re
import unicodedata
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

Names = frozenset[str]


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
        section: The first folder, such as a language or a version; empty if there is
            none.
        written: The name of the file, or of its folder, as it is written.
        index_name: How a source that is the page of its folder is called; empty for
            others.
    """

    names: Names
    own: Names
    section: str
    written: str
    index_name: str = ""

    def agreement(self, page: PathNames) -> float:
        """Return the share of the names of a page that its source has. A home page
        needs an index file.
        """
        if not page.names:
            return 1.0 if self.index_name else 0.0
        common = float(len(page.names & self.named_like(page)))
        is_index = self.index_name in page.own
        if self.has_name(page) and self.written != page.written and not is_index:
            common -= 0.5  # such as `Guide` and `guide`
        return common / len(page.names)

    def has_name(self, page: PathNames) -> bool:
        """Return whether a source has the name of its page in its path."""
        if not page.own:
            return bool(self.index_name)
        return not page.own.isdisjoint(self.named_like(page))

    def folders(self, page: PathNames) -> Folders:
        """Return the names that a source does not share with its page, without dates,
        which hardly any other page has.
        """
        names = self.named_like(page)
        of_page, of_source = page.names - names, names - page.names
        if not self.has_name(page):
            # The slug of a page can have nothing to do with the name of its source.
            of_page, of_source = of_page - page.own, of_source - self.own
        return Folders(leave_out_dates(of_page), leave_out_dates(of_source))

    def named_like(self, page: PathNames) -> Names:
        """Return the names, with that of an index file if its page has it."""
        if self.index_name in page.own:
            return self.names | {self.index_name}
        return self.names


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
    return own == source.own or own == {source.index_name}


def is_readme(path: str) -> bool:
    """Return whether a file describes its folder, and so may be no page of the site."""
    return posixpath.basename(path).lower().startswith("readme")


def is_usual(path: str) -> bool:
    """Return whether the usual generators turn a file into a page."""
    return is_component(path) or _SOURCE.search(path) is not None


# Code that shows a page in Next.js, SvelteKit, Gatsby, and Astro. Others are pages by
# their names or folders.
_COMPONENT = re.compile(r"\.(?:[jt]sx|astro|vue|svelte)\Z")


def is_component(path: str) -> bool:
    """Return whether a file is code that shows a page."""
    if path.endswith((".js", ".ts")):
        return is_page_file(path)
    return _COMPONENT.search(path) is not None


def is_page_file(path: str) -> bool:
    """Return whether a file is a page by its name or folder."""
    name = posixpath.basename(path).partition(".")[0]
    return name in ("page", "+page") or "/pages/" in f"/{path}"


def is_home_file(path: str) -> bool:
    """Return whether a file is the home page by its name and folder."""
    names = source_names(path)
    return bool(names.index_name) and names.own <= {"app", "pages", "routes"}


def _read_names(folder: str, stem: str) -> PathNames:
    folders, own = _split(_GROUP.sub("", f"{folder}/")), _split(stem)
    names = [*folders, *own]
    section = names[0] if len(names) > 1 else ""
    written = compose_letters(_DATE.sub("", stem) or posixpath.basename(folder))
    own_names = frozenset(own or folders[-1:])
    return PathNames(frozenset(names), own_names, section, written)


def _split(path: str) -> list[str]:
    path = _VERSION.sub("", _DATE.sub(_mark_date, path))
    names = []
    for part in path.split("/"):
        if part.startswith(_DATE_MARK):
            names.append(part)
        elif part:
            names.append(_fold(part))
    return names


def _mark_date(match: re.Match[str]) -> str:
    numbers = [f"{_DATE_MARK}{int(number)}" for number in match.groups() if number]
    return "/".join([*numbers, ""])


def leave_out_dates(names: Names) -> Names:
    """Return names without those of dates."""
    return frozenset(name for name in names if name[0] != _DATE_MARK)


@cache
def _fold(name: str) -> str:
    letters = unicodedata.normalize("NFKD", name.casefold())
    return "".join(filter(str.isalnum, letters)) or name
