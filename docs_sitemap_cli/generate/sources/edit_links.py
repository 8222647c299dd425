"""The edit links and source links of pages, and the file of the project that each of
them opens at a hosting service.
"""

from __future__ import annotations

import posixpath
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple
from urllib.parse import unquote

from docs_sitemap_cli.project_files import ProjectFiles
from docs_sitemap_cli.published.page import BuiltPage

from .path_names import DOCUMENT, has_same_name

# What is between the repository and the path in the URLs of GitHub, GitLab, Bitbucket,
# Gitea, Forgejo, and sourcehut.
_KIND = "/(?:-/)?(?:edit|_edit|blob|blame|raw|tree|src)/"
_KIND_OF_REF = r"(?:(?:branch|commit|tag|refs/\w+)/)?"
_EDIT_URL = re.compile(r"/_?edit/|[?&]mode=edit")

# The words in the texts, titles, or classes of such links, and of links to sources.
# Classes are English even on translated pages.
_EDIT_WORD = re.compile(r"(?<![a-z])edit(?![a-z])")
_SOURCE_WORD = re.compile(r"(?<![a-z])source")
_LABELS = ("rel", "title", "aria-label", "class", "id")

# What TypeDoc and pkgdown write before links.
_DEFINED = ("Defined in ", "Source: ")

# So many pages, or all of a smaller site, have the edit links of a theme. Others are
# part of the text of a page.
_MIN_PAGES = 3


class LinkedFile(NamedTuple):
    """A tracked file that a link opens.

    Attributes:
        path: The path below the top level.
        ref: The branch, tag, or commit that the link names; empty if it names none.
    """

    path: str
    ref: str = ""


PageLink = tuple[str, LinkedFile]
"""The name of a page, and the target of one of its links."""


class SourceLink(NamedTuple):
    """A link to a tracked file.

    Attributes:
        target: The file.
        form: Its class or, without one, its text. All pages of a site repeat it.
        is_edit: Whether it says that it opens the file for editing.
        is_part: Whether it says that it opens the definition of an object. Other pages
            may show the other parts of the file.
    """

    target: LinkedFile
    form: str
    is_edit: bool
    is_part: bool


@dataclass
class PageLinks:
    """The tracked files to which the links of a page lead.

    Attributes:
        has_label: Whether a link says that it opens a file for editing.
        edited: The file that its only edit link opens, unless other pages have the same
            link: they link to a template, or have no translation.
        elsewhere: The file that its only edit link opens, if the link names another
            branch than those of most pages.
        linked: The files that its source links open.
    """

    has_label: bool = False
    edited: str | None = None
    elsewhere: LinkedFile | None = None
    linked: list[str] = field(default_factory=list)


class LinkReader:
    """Reads the links of pages to the files of a project.

    Args:
        project: The files that links may open.
    """

    def __init__(self, project: ProjectFiles) -> None:
        self._project = project
        repositories = []
        for name in sorted(project.repositories):
            host, _, path = name.partition("/")
            repositories.append(rf"{re.escape(host)}(?::\d+)?/{re.escape(path)}")
        # Links to a hosting service name no user, and without repositories, none match.
        names = "|".join(repositories) or "(?!)"
        start = rf"//(?:www\.)?(?:{names}){_KIND}"
        self._mark = re.compile(start.encode(), re.I)
        self._url = re.compile(rf"\s*(?:https?:)?{start}{_KIND_OF_REF}([^?#]+)", re.I)

    def read(self, page: BuiltPage) -> list[SourceLink]:
        """Return the links of a page that open tracked files."""
        # Parsing is slow, and most pages of many sites have no such link.
        if self._mark.search(page.data) is None:
            return []
        links = []
        for node in page.document.css("a[href], link[href][rel~=edit]"):
            # The links of pictures have the name `xlink:href`.
            url = node.attributes.get("href") or ""
            file = self.find_file(url)
            if file is None:
                continue
            texts = [node.attributes.get(name) for name in _LABELS]
            label = " ".join(filter(None, [*texts, node.text()])).lower()
            form = node.attributes.get("class") or node.text()
            is_edit = bool(_EDIT_URL.search(url) or _EDIT_WORD.search(label))
            is_part = "#" in url and _SOURCE_WORD.search(label) is not None
            # Some elements contain several links.
            parent = node.parent
            if parent is not None:
                text = parent.text(deep=False).lstrip()
                is_part = is_part or text.startswith(_DEFINED)
            links.append(SourceLink(file, form, is_edit, is_part))
        return links

    def find_file(self, url: str) -> LinkedFile | None:
        """Return the tracked file that a URL at the hosting service opens or edits;
        `None` for other URLs.
        """
        match = self._url.match(url)
        if match is None:
            return None
        # Browsers resolve `..`, too.
        path = posixpath.normpath(unquote(match[1].strip()))
        ref = path.partition("/")[0]
        # The names of branches can contain slashes.
        for end in re.finditer("/", path):
            if path[: end.start()] in self._project.refs:
                ref = path[: end.start()]
        rest = path[len(ref) + 1 :].removeprefix("item/")
        file = self._project.tracked(rest)
        if file is None and rest in self._project.files_at(ref):
            file = rest
        if file is None:
            file = self._project.uncommitted.get(rest)
        if file is None or ref == "..":
            return None
        return LinkedFile(file, ref)


def select_links(
    pages: Mapping[str, Sequence[SourceLink]], project: ProjectFiles
) -> dict[str, PageLinks]:
    """Return the files that the edit links and source links of each page open.

    Args:
        pages: The links to tracked files on each page, by its name.
        project: The files that links may open.
    """
    selected = {}
    parts: list[PageLink] = []
    for page, links in pages.items():
        selected[page] = PageLinks(any(link.is_edit for link in links))
        parts += [(page, link.target) for link in links if link.is_part]
    refs = _built_refs(parts, project)
    for page, target in dict.fromkeys(parts):
        if target.ref in refs:
            selected[page].linked.append(target.path)
    _add_edit_links(selected, _find_edit_links(pages), project)
    return selected


def _add_edit_links(
    selected: Mapping[str, PageLinks], edits: Sequence[PageLink], project: ProjectFiles
) -> None:
    """Add the only edit link of each page, unless other pages have the same one."""
    refs = _built_refs(edits, project)
    links_on = Counter((page, target.ref in refs) for page, target in edits)
    pages_of = Counter(target for _, target in edits)
    for page, target in edits:
        is_built = target.ref in refs
        if links_on[page, is_built] > 1:
            continue
        is_own = pages_of[target] == 1
        # A link to other files may be part of the text.
        is_likely = DOCUMENT.search(target.path) or has_same_name(page, target.path)
        if is_built and is_own and is_likely:
            selected[page].edited = target.path
        if not is_built and not links_on[page, True]:
            selected[page].elsewhere = target


def _find_edit_links(pages: Mapping[str, Sequence[SourceLink]]) -> list[PageLink]:
    """Return the edit links of each page: links of a form that opens files for editing
    or, whatever they say, a document of its own on each page. Others are part of the
    text of pages.
    """
    forms: defaultdict[str, list[tuple[str, SourceLink]]] = defaultdict(list)
    for page, links in pages.items():
        for link in dict.fromkeys(links):
            forms[link.form].append((page, link))
    edits: list[PageLink] = []
    for opened in forms.values():
        links_on = Counter(page for page, _ in opened)
        pages_of = Counter(link.target for _, link in opened)
        found = []
        for page, link in opened:
            is_own = links_on[page] == pages_of[link.target] == 1
            is_document = DOCUMENT.search(link.target.path) is not None
            if link.is_edit or (is_own and is_document and not link.is_part):
                found.append((page, link.target))
        # Themes repeat their links.
        if len(dict(found)) >= min(_MIN_PAGES, len(pages)):
            edits += found
    return list(dict.fromkeys(edits))


def _built_refs(links: Sequence[PageLink], project: ProjectFiles) -> set[str]:
    """Return the refs in links that name the commit that is checked out: its branch or,
    if no link names this branch, the ref of most links.
    """
    refs = Counter(target.ref for _, target in links)
    built = {"HEAD", project.head}
    if refs and project.head not in refs:
        ref, number = refs.most_common(1)[0]
        if number > refs.total() / 2:
            built.add(ref)
    return built
