"""The edit links and source links of pages, and the file of the project that each of
them opens at a hosting service.
"""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote, urlsplit

from docs_sitemap_cli.published.page import BuiltPage

from .project_files import ProjectFiles

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

# What is between the repository and the branch in the URLs of GitHub, GitLab,
# Bitbucket, Gitea, Forgejo, and sourcehut.
_KIND = "(?:-/)?(?:edit|_edit|blob|blame|raw|tree|src)/"
_KIND_OF_REF = re.compile(rf"\A{_KIND}(?:(?:branch|commit|tag|refs/\w+)/)?", re.I)

_EDIT_URL = re.compile(r"/_?edit/|[?&]mode=edit")
# The words in the texts, titles, or classes of such links, and of links to sources.
# Classes are English even on translated pages.
_EDIT_WORD = re.compile(r"(?<![a-z])edit(?![a-z])")
_SOURCE_WORDS = re.compile(r"(?<![a-z])source")
_LABELS = ("rel", "title", "aria-label", "class", "id")

# What TypeDoc and pkgdown write before a link.
_DEFINED = ("Defined in ", "Source: ")


class LinkedFile(NamedTuple):
    """A tracked file that a link opens.

    Attributes:
        path: The path below the top level.
        ref: The branch, tag, or commit that the link names; empty if it names none.
    """

    path: str
    ref: str = ""


class SourceLink(NamedTuple):
    """A link to a tracked file.

    Attributes:
        target: The file.
        form: Its class or, without one, its text. All pages of a site repeat it.
        is_edit: Whether it opens the file for editing.
        is_source: Whether it says that it opens the source of the page.
        is_part: Whether it opens a part of the file, such as the definition of an
            object. Other pages may show the other parts.
    """

    target: LinkedFile
    form: str
    is_edit: bool
    is_source: bool
    is_part: bool


class LinkReader:
    """Reads the links of pages to the files of a project.

    Args:
        project: The files that links may open.
    """

    def __init__(self, project: ProjectFiles) -> None:
        self._project = project
        # The URLs for `find_file` contain one of these, in lower case.
        paths = {name.partition("/")[2] for name in project.repositories}
        names = "|".join(re.escape(path) for path in sorted(paths))
        self._mark = re.compile(f"(?:{names})/{_KIND}".encode())

    def read(self, page: BuiltPage) -> list[SourceLink]:
        """Return the links of a page that open tracked files."""
        # Parsing is slow, and most pages of many sites have no such link.
        if self._mark.search(page.data.lower()) is None:
            return []
        links = []
        for node in page.document.css("a[href], link[href][rel~=edit]"):
            # The links of pictures have the name `xlink:href`.
            url = node.attributes.get("href") or ""
            if self._mark.search(url.lower().encode()) is None:
                continue
            file = self.find_file(url)
            if file is None:
                continue
            texts = [node.attributes.get(name) for name in _LABELS]
            texts.append(node.text())
            label = " ".join(filter(None, texts)).lower()
            form = node.attributes.get("class") or node.text()
            is_definition = _is_definition(node)
            is_source = is_definition or bool(_SOURCE_WORDS.search(label))
            is_edit = bool(_EDIT_URL.search(url) or _EDIT_WORD.search(label))
            is_part = is_definition or "#" in url
            links.append(SourceLink(file, form, is_edit, is_source, is_part))
        return links

    def find_file(self, url: str) -> LinkedFile | None:
        """Return the tracked file that a URL at the hosting service opens or edits;
        `None` for other URLs.
        """
        try:
            parts = urlsplit(url.strip())
        except ValueError:
            return None
        if parts.scheme not in ("", "http", "https"):
            return None
        # Browsers read a backslash as a slash. Links to a hosting service name no user.
        if "@" in parts.netloc or "\\" in parts.netloc:
            return None
        # Browsers resolve `..`, too.
        path = posixpath.normpath(unquote(parts.path))
        host = (parts.hostname or "").removeprefix("www.")
        address = f"{host}{path}"
        for repository in self._project.repositories:
            start = f"{repository}/"
            if not address.lower().startswith(start):
                continue
            rest = address[len(start) :]
            kind = _KIND_OF_REF.match(rest)
            if kind is not None:
                return self._find_on_branch(rest[kind.end() :])
        return None

    def _find_on_branch(self, path: str) -> LinkedFile | None:
        """Return the tracked file in a path that starts with the name of a branch."""
        ref = path.partition("/")[0]
        for end in re.finditer("/", path):
            if path[: end.start()] in self._project.refs:
                ref = path[: end.start()]
        rest = path[len(ref) + 1 :].removeprefix("item/")
        file = self._project.tracked(rest)
        if file is None and rest in self._project.files_at(ref):
            file = rest
        if file is None:
            file = self._project.uncommitted.get(rest)
        if file is None:
            return None
        return LinkedFile(file, ref)


def _is_definition(link: LexborNode) -> bool:
    """Return whether the text before a link, or before several of them, says that it
    opens a definition.
    """
    before = link.prev
    while before is not None and before.is_text_node:
        text = before.text()
        if text.endswith(_DEFINED):
            return True
        if text != ", " or before.prev is None:
            return False
        before = before.prev.prev
    return False
