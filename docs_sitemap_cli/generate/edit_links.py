"""The edit links and source links of pages, and the file of the project that each of
them opens at a hosting service.
"""

from __future__ import annotations

import posixpath
import re
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from docs_sitemap.built.html import parse_html

from .project_files import ProjectFiles

# What is between the repository and the branch in the URLs of GitHub, GitLab,
# Bitbucket, Gitea, Forgejo, and sourcehut.
_KIND = "(?:-/)?(?:edit|_edit|blob|blame|raw|tree|src)/"
_KIND_OF_REF = re.compile(rf"\A{_KIND}(?:(?:branch|commit|tag|refs/\w+)/)?", re.I)

_EDIT_URL = re.compile(r"/_?edit/|[?&]mode=edit")
# The words in the texts, titles, or classes of such links. Classes are English even on
# translated pages.
_EDIT_WORDS = re.compile(
    r"(?<![a-z])edit(?![a-z])|improve this|suggest (?:an )?(?:edit|change)"
)
_SOURCE_WORDS = re.compile(r"(?<![a-z])source")
_LABELS = ("rel", "title", "aria-label", "class", "id")

# What TypeDoc and pkgdown write before a link, and between several of them.
_DEFINED = (b"Defined in ", b"Source: ")
_NEXT = b"</a>, "
_FIRST_OF_SEVERAL = re.compile(rb"(?:Defined in|Source:) <a .*\Z")

# The longest link, in bytes.
_MAX_LINK = 2**12

# What browsers show as text, or not at all: the start, and the end.
_TEXTS = {
    b"<!--": b"-->",
    b"<script": b"</script",
    b"<template": b"</template",
    b"<textarea": b"</textarea",
    b"<": b">",
}


class LinkedFile(NamedTuple):
    """A tracked file that a link opens.

    Attributes:
        path: The path below the top level.
        ref: The branch, tag, or commit that the link names; empty if it names none.
    """

    path: str
    ref: str = ""


class SourceLink(NamedTuple):
    """A link to the source of a page.

    Attributes:
        target: The file.
        is_edit: Whether it opens the file for editing.
        form: Its class or, without one, its text. All pages of a site repeat it.
    """

    target: LinkedFile
    is_edit: bool
    form: str


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

    def read(self, data: bytes) -> list[SourceLink]:
        """Return the links of a page that open tracked files for editing, or as the
        sources of the page.
        """
        links: list[SourceLink] = []
        searched = dict.fromkeys(_TEXTS, 0)
        for mark in self._mark.finditer(data.lower()):
            end = mark.start()
            start = data.rfind(b"<", max(0, end - _MAX_LINK), end)
            link = self._read_link(data, start)
            if link is not None and not _is_in_text(data, start, searched):
                links.append(link)
        return links

    def _read_link(self, data: bytes, start: int) -> SourceLink | None:
        """Return the link whose tag starts at a position of a page, if the tracked file
        that it opens may be a source of the page.
        """
        # The text of a link may repeat its URL.
        if data[start : start + 2].lower() not in (b"<a", b"<l"):
            return None
        # Parsing complete pages is slow.
        text = data[start : start + _MAX_LINK].partition(b"</a>")[0]
        node = parse_html(text).css_first("a[href], link[href][rel~=edit]")
        if node is None:
            return None
        url = node.attributes.get("href") or ""
        file = self.find_file(url)
        if file is None:
            return None
        texts = [node.attributes.get(name) for name in _LABELS]
        texts.append(node.text())
        label = " ".join(filter(None, texts)).lower()
        is_edit = bool(_EDIT_URL.search(url) or _EDIT_WORDS.search(label))
        is_source = _SOURCE_WORDS.search(label) or _is_defined_at(data, start)
        if not is_edit and not is_source:
            return None
        form = node.attributes.get("class") or node.text()
        return SourceLink(file, is_edit, form)

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
        file = self._project.find(rest)
        if file is None and rest in self._project.files_at(ref):
            file = rest
        if file is None:
            return None
        return LinkedFile(file, ref)


def _is_defined_at(data: bytes, start: int) -> bool:
    """Return whether the text before a link says that it opens a source."""
    if data.endswith(_NEXT, 0, start):
        return bool(_FIRST_OF_SEVERAL.search(data, max(0, start - _MAX_LINK), start))
    return data.endswith(_DEFINED, 0, start)


def _is_in_text(data: bytes, start: int, searched: dict[bytes, int]) -> bool:
    """Return whether browsers show a position of a page as text, or not at all.

    Args:
        data: The page.
        start: The position. It is not before the one of the last call.
        searched: The positions from which each of `_TEXTS` is searched. They are moved
            forward: pages can have many links.
    """
    for opened, closed in _TEXTS.items():
        position = data.rfind(opened, searched[opened], start)
        searched[opened] = start if position < 0 else position
        if position >= 0 and data.find(closed, position, start) < 0:
            return True
    return False
