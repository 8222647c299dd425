"""The HTML files of a built site, and what they say about their URLs and sources."""

import os
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from docs_sitemap.built.generated_pages import is_search_page
from docs_sitemap.built.verdict import Head
from docs_sitemap.tools.files import walk_html_files
from docs_sitemap_cli.published.page import is_generated_by, read_page

from .edit_links import LinkedFile, LinkReader, SourceLink
from .project_files import ProjectFiles
from .recorded_sources import find_recorded
from .source_paths import DOCUMENT, has_same_name
from .words import Words, page_words

# The number of pages, and the share of those with edit links, that have one of the same
# form. Others are part of the text of a page. Languages can have forms of their own.
_MIN_PAGES = 3
_MIN_FORM = 0.1
# The class of posts in the lists of Zensical and Material for MkDocs.
_EXCERPT = b"md-post--excerpt"


@dataclass(frozen=True, eq=False)
class BuiltFile:
    """An HTML file of a site, without its content.

    Attributes:
        name: The path relative to the folder of the site, with `/` as separator.
        path: The absolute path.
        head: What its head declares.
        edited: The tracked files that its edit links open.
        elsewhere: The file that its only edit link opens, if the link names another
            branch than those of most pages.
        same: The tracked files with the same content.
        words: The words of the page, unless it names its own source.
        linked: The tracked files that its source links open.
        recorded: The source files that the generator recorded, as it wrote them.
        is_fragment: Whether the file has no title, and is not a complete document with
            text.
        is_list: Whether the page shows the newest posts of a blog.
    """

    name: str
    path: str
    head: Head
    edited: tuple[str, ...] = ()
    linked: tuple[str, ...] = ()
    recorded: tuple[str, ...] = ()
    is_fragment: bool = False
    is_list: bool = False
    elsewhere: LinkedFile | None = None
    same: tuple[str, ...] = ()
    words: Words | None = None

    @property
    def is_generated(self) -> bool:
        """Whether the generator wrote the file for its own use."""
        return is_generated_by(self.name, self.head.generator)

    @property
    def may_be_page(self) -> bool:
        """Whether the file only has the name of a search page."""
        return is_search_page(self.name)

    def read_words(self) -> Words:
        """Return the words of any page."""
        if self.words is not None:
            return self.words
        return page_words(read_page(self.path).document)


def read_built_files(folder: str, project: ProjectFiles) -> list[BuiltFile]:
    """Return the HTML files of a site in the order of their names.

    Args:
        folder: The absolute path of the site.
        project: The files that links may open.

    Raises:
        OSError: A file cannot be read.
    """
    reader = LinkReader(project)
    files: list[BuiltFile] = []
    links: list[list[SourceLink]] = []
    for name in walk_html_files(folder):
        path = os.path.join(folder, *name.split("/"))
        page = read_page(path)
        recorded = find_recorded(folder, name, page.head.generator)
        is_list = _EXCERPT in page.data
        opened = reader.read(page)
        file = BuiltFile(
            name,
            path,
            page.head,
            recorded=recorded,
            is_fragment=page.is_fragment,
            is_list=is_list,
            same=tuple(project.find_same(page.raw)),
        )
        is_edited = any(link.is_edit for link in opened)
        if not is_edited and not recorded and page.head.refresh is None:
            file = replace(file, words=page_words(page.document))
        files.append(file)
        links.append(opened)
    edited = _find_edit_links(links)
    linked = _find_source_links(files, links)
    edit_refs = _built_refs(edited, project)
    source_refs = _built_refs(linked, project)
    for number, file in enumerate(files):
        own = _paths_in(edited[number], edit_refs)
        elsewhere = None
        if not own and len(set(edited[number])) == 1:
            elsewhere = edited[number][0]
        sources = _paths_in(linked[number], source_refs)
        files[number] = replace(file, edited=own, linked=sources, elsewhere=elsewhere)
    return files


def _find_edit_links(links: Sequence[Sequence[SourceLink]]) -> list[list[LinkedFile]]:
    """Return the files that the edit links of each page open: links of a form that
    opens files for editing or, whatever their labels say, a document of its own on each
    page. Other links are part of the text of pages.
    """
    opened: Counter[tuple[str, LinkedFile]] = Counter()
    for page in links:
        opened.update({(link.form, link.target) for link in page})
    forms: Counter[str] = Counter()
    pages = 0
    edit_links = []
    for page in links:
        targets = defaultdict[str, set[LinkedFile]](set)
        for link in page:
            targets[link.form].add(link.target)
        edits = []
        for link in page:
            is_own = len(targets[link.form]) == opened[link.form, link.target] == 1
            is_document = DOCUMENT.search(link.target.path) is not None
            if link.is_edit or (is_own and is_document and not link.is_source):
                edits.append(link)
        forms.update({link.form for link in edits})
        if edits:
            pages += 1
        edit_links.append(edits)
    # Themes repeat their links.
    least = max(_MIN_FORM * pages, min(_MIN_PAGES, len(links)))
    edited = []
    for edits in edit_links:
        kept = [link for link in edits if forms[link.form] >= least]
        edited.append([link.target for link in kept])
    return edited


def _find_source_links(
    files: Sequence[BuiltFile], links: Sequence[Sequence[SourceLink]]
) -> list[list[LinkedFile]]:
    """Return the files that the source links of each page open. If several pages have a
    link to the same file, it dates only the page with its name: lists repeat the link
    of the page that contains them.
    """
    source_links = []
    for page in links:
        named = [link for link in page if link.is_source and not link.is_edit]
        source_links.append(named)
    pages: Counter[LinkedFile] = Counter()
    for named in source_links:
        pages.update({link.target for link in named if not link.is_part})
    linked = []
    for file, named in zip(files, source_links, strict=True):
        kept = []
        for link in named:
            is_own = pages[link.target] == 1 or has_same_name(
                file.name, link.target.path
            )
            if link.is_part or is_own:
                kept.append(link.target)
        linked.append(kept)
    return linked


def _built_refs(
    links: Iterable[Iterable[LinkedFile]], project: ProjectFiles
) -> set[str]:
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


def _paths_in(links: Iterable[LinkedFile], refs: Collection[str]) -> tuple[str, ...]:
    """Return the different files that links with some refs open."""
    paths = [link.path for link in links if link.ref in refs]
    return tuple(dict.fromkeys(paths))
