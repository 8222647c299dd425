"""The HTML files of a built site, and what they contain about their URLs and sources."""

import os
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from docs_sitemap.built.generated_pages import is_generated_page
from docs_sitemap.built.html import BuiltPage, Head, read_page
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
# What TypeDoc and pkgdown write before a link.
_DEFINED = (b"Defined in ", b"Source: ")
# The share of the pages with edit links that have one of the same form. Others are part
# of the text of a page. Languages can have forms of their own.
_MIN_FORM = 0.1
# The longest link, in bytes.
_MAX_LINK = 2**12
# What browsers show as text, or not at all: the start, and the end.
_TEXTS = (
    *((b"<!--", b"-->"), (b"<script", b"</script"), (b"<template", b"</template")),
    *((b"<textarea", b"</textarea"), (b"<", b">")),
)
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
    def is_generator_page(self) -> bool:
        """Whether the generator wrote the file for its own use, or it is only a part of
        a page.
        """
        return not self.head.title or is_generated_page(self.name, self.head.generator)


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
    # Each link to a tracked file contains one of these texts.
    names = [path.partition("/")[2] for path in project.repositories]
    mark = re.compile("|".join(map(re.escape, [*names, "file:///"])).encode())
    records = SourceRecords(folder)
    files: list[BuiltFile] = []
    links: list[list[_SourceLink]] = []
    for name in walk_html_files(folder):
        path = os.path.join(folder, *name.split("/"))
        page = read_page(path)
        links.append([*_read_links(page.data, mark, project)])
        recorded = tuple(records.find(page, name))
        is_list = _EXCERPT in page.data
        files.append(
            BuiltFile(name, path, page.head, recorded=recorded, is_list=is_list)
        )
    edited = _edit_links(links)
    linked = [[link.target for link in page if not link.is_edit] for page in links]
    edit_refs, source_refs = _built_refs(edited, project), _built_refs(linked, project)
    for number, file in enumerate(files):
        own = _paths_in(edited[number], edit_refs)
        elsewhere = None
        if len({*edited[number]}) == 1 and not own:
            elsewhere = edited[number][0]
        sources = _paths_in(linked[number], source_refs)
        files[number] = file._replace(edited=own, linked=sources, elsewhere=elsewhere)
    return files


def _read_links(
    data: bytes, mark: re.Pattern[bytes], project: ProjectFiles
) -> Iterator[_SourceLink]:
    """Yield the links of a page to tracked files."""
    for match in mark.finditer(data.lower()):
        link = _read_link(data, match.start(), project)
        if link is not None:
            yield link


def _edit_links(links: Iterable[Iterable[_SourceLink]]) -> list[list[Linked]]:
    """Return the edit links of each page, without those in its text."""
    forms: Counter[str] = Counter()
    pages = []
    for page in links:
        targets: dict[str, list[Linked]] = {}
        for link in page:
            if link.is_edit:
                targets.setdefault(link.form, []).append(link.target)
        forms.update([*targets])
        pages.append(targets)
    least = _MIN_FORM * len([*filter(None, pages)])
    edited = []
    for targets in pages:
        found: list[Linked] = []
        for form in targets:
            if forms[form] >= least:
                found += targets[form]
        edited.append(found)
    return edited


def _paths_in(links: Iterable[Linked], refs: Collection[str]) -> tuple[str, ...]:
    """Return the different files that links with some refs open."""
    paths = [link.path for link in links if link.ref in refs]
    return tuple(dict.fromkeys(paths))


def _built_refs(links: Iterable[Iterable[Linked]], project: ProjectFiles) -> set[str]:
    """Return the refs in links that name the commit that is checked out: its branch or,
    if no link names this branch, the ref of most links.
    """
    refs: Counter[str] = Counter()
    for page in links:
        refs.update(link.ref for link in page)
    del refs[""]
    built = {"", "HEAD", project.head}
    for ref, number in refs.most_common(1):
        if project.head not in refs and number > refs.total() / 2:
            built.add(ref)
    return built


def _read_link(data: bytes, position: int, project: ProjectFiles) -> _SourceLink | None:
    """Return the link at a position of a page, if the tracked file that it opens may be
    a source of the page.
    """
    start = data.rfind(b"<", max(0, position - _MAX_LINK), position)
    # Texts may repeat the mark.
    if data[start : start + 2].lower() not in (b"<a", b"<l") or _is_in_text(
        data, start
    ):
        return None
    # Parsing complete pages is slow.
    html = BuiltPage(data[start : position + _MAX_LINK].partition(b"</a>")[0])
    node = html.parse().css_first("a[href], link[href][rel~=edit]")
    if node is None:
        return None
    url = node.attributes.get("href") or ""
    file = project.find_linked(url)
    texts = [*map(node.attributes.get, _LABELS), node.text()]
    label = " ".join(filter(None, texts)).lower()
    is_edit = bool(_EDIT_URL.search(url) or _EDIT_WORDS.search(label))
    is_source = data[:start].endswith(_DEFINED) or _SOURCE_WORDS.search(label)
    if file is None or not (is_edit or is_source):
        return None
    return _SourceLink(file, is_edit, node.attributes.get("class") or node.text())


def _is_in_text(data: bytes, start: int) -> bool:
    """Return whether browsers show a position of a page as text, or not at all."""
    for opened, closed in _TEXTS:
        if data.rfind(opened, 0, start) > data.rfind(closed, 0, start):
            return True
    return False
