"""The HTML files of a built site, and what they say about their URLs and sources."""

import os
import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from docs_sitemap.built.generated_pages import is_generated_page
from docs_sitemap.built.head import Head
from docs_sitemap.built.html import BuiltPage, read_page
from docs_sitemap.tools.files import walk_html_files

from .project_files import Linked, ProjectFiles
from .recorded_sources import SourceRecords

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
# The share of the pages with edit links that have one of the same form. Others are part
# of the text of a page. Languages can have forms of their own.
_MIN_FORM = 0.1
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
_EDIT_URL = re.compile(r"/_?edit/|[?&]mode=edit")

# The class of posts in the lists of Zensical and Material for MkDocs.
_EXCERPT = b"md-post--excerpt"


class BuiltFile(NamedTuple):
    """An HTML file of a site, without its content.

    Attributes:
        name: The path relative to the folder of the site, with `/` as separator.
        path: The absolute path.
        head: What its head declares.
        edited: The tracked files that its edit links open.
        elsewhere: The file that its only edit link opens, if the link names another
            branch than those of most pages.
        linked: The tracked files that its source links open.
        recorded: The source files that the generator recorded, as it wrote them.
        is_list: Whether the page shows the newest posts of a blog.
    """

    name: str
    path: str
    head: Head
    edited: tuple[str, ...] = ()
    linked: tuple[str, ...] = ()
    recorded: tuple[str, ...] = ()
    is_list: bool = False
    elsewhere: Linked | None = None

    @property
    def is_generated(self) -> bool:
        """Whether the generator wrote the file for its own use, or as a part of pages:
        generators give each page a title.
        """
        if not self.head.title:
            return True
        return is_generated_page(self.name, self.head.generator)


class _SourceLink(NamedTuple):
    """A link to the source of a page.

    Attributes:
        target: The file.
        is_edit: Whether it opens the file for editing.
        form: Its class or, without one, its text. All pages of a site repeat it.
    """

    target: Linked
    is_edit: bool
    form: str


def read_built_files(folder: str, project: ProjectFiles) -> list[BuiltFile]:
    """Return the HTML files of a site in the order of their names.

    Args:
        folder: The absolute path of the site.
        project: The files that links may open.

    Raises:
        OSError: A file cannot be read.
    """
    records = SourceRecords(folder)
    files: list[BuiltFile] = []
    edit_links: list[list[_SourceLink]] = []
    linked: list[list[Linked]] = []
    for name in walk_html_files(folder):
        path = os.path.join(folder, *name.split("/"))
        page = read_page(path)
        recorded = tuple(records.find(page, name))
        is_list = _EXCERPT in page.data
        file = BuiltFile(name, path, page.head, recorded=recorded, is_list=is_list)
        files.append(file)
        links = _read_links(page.data, project)
        edit_links.append([link for link in links if link.is_edit])
        linked.append([link.target for link in links if not link.is_edit])
    edited = _without_links_in_text(edit_links)
    edit_refs = _built_refs(edited, project)
    source_refs = _built_refs(linked, project)
    for number, file in enumerate(files):
        own = _paths_in(edited[number], edit_refs)
        elsewhere = None
        if not own and len(set(edited[number])) == 1:
            elsewhere = edited[number][0]
        sources = _paths_in(linked[number], source_refs)
        files[number] = file._replace(edited=own, linked=sources, elsewhere=elsewhere)
    return files


def _read_links(data: bytes, project: ProjectFiles) -> list[_SourceLink]:
    """Return the links of a page to tracked files."""
    links: list[_SourceLink] = []
    searched = dict.fromkeys(_TEXTS, 0)
    for mark in project.link_mark.finditer(data.lower()):
        end = mark.start()
        start = data.rfind(b"<", max(0, end - _MAX_LINK), end)
        link = _read_link(data, start, project)
        if link is not None and not _is_in_text(data, start, searched):
            links.append(link)
    return links


def _read_link(data: bytes, start: int, project: ProjectFiles) -> _SourceLink | None:
    """Return a link of a page, if the tracked file that it opens may be a source of the
    page.

    Args:
        data: The page.
        start: The position of the tag that may be the link.
        project: The files that links may open.
    """
    # The text of a link may repeat its URL.
    if data[start : start + 2].lower() not in (b"<a", b"<l"):
        return None
    # Parsing complete pages is slow.
    text = data[start : start + _MAX_LINK].partition(b"</a>")[0]
    node = BuiltPage(text).parse().css_first("a[href], link[href][rel~=edit]")
    if node is None:
        return None
    url = node.attributes.get("href") or ""
    file = project.find_linked(url)
    if file is None:
        return None
    texts = [*map(node.attributes.get, _LABELS), node.text()]
    label = " ".join(filter(None, texts)).lower()
    is_edit = bool(_EDIT_URL.search(url) or _EDIT_WORDS.search(label))
    is_source = _SOURCE_WORDS.search(label) or _is_defined_at(data, start)
    if not is_edit and not is_source:
        return None
    form = node.attributes.get("class") or node.text()
    return _SourceLink(file, is_edit, form)


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


def _without_links_in_text(
    edit_links: Sequence[Sequence[_SourceLink]],
) -> list[list[Linked]]:
    """Return the files that the edit links of each page open, without the links in the
    text of pages.
    """
    forms: Counter[str] = Counter()
    pages = 0
    for links in edit_links:
        forms.update({link.form for link in links})
        if links:
            pages += 1
    edited = []
    for links in edit_links:
        kept = [link for link in links if forms[link.form] >= _MIN_FORM * pages]
        edited.append([link.target for link in kept])
    return edited


def _built_refs(links: Iterable[Iterable[Linked]], project: ProjectFiles) -> set[str]:
    """Return the refs in links that name the commit that is checked out: its branch or,
    if no link names this branch, the ref of most links.
    """
    refs: Counter[str] = Counter()
    for page in links:
        refs.update(link.ref for link in page)
    del refs[""]
    built = {"", "HEAD", project.head}
    if refs and project.head not in refs:
        ref, number = refs.most_common(1)[0]
        if number > refs.total() / 2:
            built.add(ref)
    return built


def _paths_in(links: Iterable[Linked], refs: Collection[str]) -> tuple[str, ...]:
    """Return the different files that links with some refs open."""
    paths = [link.path for link in links if link.ref in refs]
    return tuple(dict.fromkeys(paths))
