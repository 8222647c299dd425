"""The HTML files of a built site, and what they and the data of the generator say about
their URLs and sources.
"""

import json
import os
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from docs_sitemap.built.generated_pages import is_search_page
from docs_sitemap.built.html import parse_html
from docs_sitemap.built.verdict import Head
from docs_sitemap.tools.files import read_regular, walk_html_files
from docs_sitemap_cli.published.page import is_generated_by, read_page

from .edit_links import LinkedFile, LinkReader, SourceLink
from .project_files import ProjectFiles
from .source_paths import DOCUMENT, has_same_name
from .source_words import Words, page_words

# The number of pages, and the share of those with edit links, that have one of the same
# form. Others are part of the text of a page. Languages can have forms of their own.
_MIN_PAGES = 3
_MIN_FORM = 0.1
# The class of posts in the lists of Zensical and Material for MkDocs.
_EXCERPT = b"md-post--excerpt"

# In bytes. Larger files describe more than one page.
_MAX_FILE = 2**24


@dataclass(eq=False)
class BuiltFile:
    """An HTML file of a site, without its content.

    Attributes:
        name: The path relative to the folder of the site, with `/` as separator.
        path: The absolute path.
        head: What its head declares.
        is_fragment: Whether the file has no title, and is not a complete document with
            text.
        is_list: Whether the page shows the newest posts of a blog.
        links: Its links to tracked files.
        recorded: The source files that the generator recorded, as it wrote them.
        same: The tracked files with the same content.
        words: The words of the page, unless it names its own source.
        edited: The tracked files that its edit links open.
        elsewhere: The file that its only edit link opens, if the link names another
            branch than those of most pages.
        linked: The tracked files that its source links open.
    """

    name: str
    path: str
    head: Head
    is_fragment: bool
    is_list: bool
    links: Sequence[SourceLink]
    recorded: Sequence[str]
    same: Sequence[str]
    words: Words | None = None
    edited: Sequence[str] = ()
    elsewhere: LinkedFile | None = None
    linked: Sequence[str] = ()

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
    files = []
    for name in walk_html_files(folder):
        path = os.path.join(folder, *name.split("/"))
        html = read_page(path)
        links = reader.read(html)
        recorded = _find_recorded(folder, name, html.head.generator)
        file = BuiltFile(
            name,
            path,
            html.head,
            html.is_fragment,
            is_list=_EXCERPT in html.data,
            links=links,
            recorded=recorded,
            same=project.find_same(html.raw),
        )
        is_edited = any(link.is_edit for link in links)
        if not is_edited and not recorded and html.head.refresh is None:
            file.words = page_words(html.document)
        files.append(file)
    edited = _find_edit_links(files)
    edit_refs = _built_refs(edited, project)
    linked = _find_source_links(files)
    source_refs = _built_refs(linked, project)
    for file, edits, sources in zip(files, edited, linked, strict=True):
        file.edited = _paths_in(edits, edit_refs)
        if not file.edited and len(set(edits)) == 1:
            file.elsewhere = edits[0]
        file.linked = _paths_in(sources, source_refs)
    return files


def _find_edit_links(files: Sequence[BuiltFile]) -> list[list[LinkedFile]]:
    """Return the files that the edit links of each page open: links of a form that
    opens files for editing or, whatever their labels say, a document of its own on each
    page. Other links are part of the text of pages.
    """
    opened: Counter[tuple[str, LinkedFile]] = Counter()
    for file in files:
        opened.update({(link.form, link.target) for link in file.links})
    edit_links = [_select_edit_links(file.links, opened) for file in files]
    forms: Counter[str] = Counter()
    for edits in edit_links:
        forms.update({link.form for link in edits})
    # Themes repeat their links.
    pages = sum(map(bool, edit_links))
    least = max(_MIN_FORM * pages, min(_MIN_PAGES, len(files)))
    edited = []
    for edits in edit_links:
        kept = [link for link in edits if forms[link.form] >= least]
        edited.append([link.target for link in kept])
    return edited


def _select_edit_links(
    links: Sequence[SourceLink], opened: Mapping[tuple[str, LinkedFile], int]
) -> list[SourceLink]:
    """Return the links of a page that may be edit links.

    Args:
        links: All links of the page.
        opened: The number of pages with a link of the same form to the same file.
    """
    targets = defaultdict[str, set[LinkedFile]](set)
    for link in links:
        targets[link.form].add(link.target)
    edits = []
    for link in links:
        is_own = len(targets[link.form]) == opened[link.form, link.target] == 1
        is_document = DOCUMENT.search(link.target.path) is not None
        if link.is_edit or (is_own and is_document and not link.is_source):
            edits.append(link)
    return edits


def _find_source_links(files: Sequence[BuiltFile]) -> list[list[LinkedFile]]:
    """Return the files that the source links of each page open. If several pages have a
    link to the same file, it dates only the page with its name: lists repeat the link
    of the page that contains them.
    """
    source_links = []
    for file in files:
        named = [link for link in file.links if link.is_source and not link.is_edit]
        source_links.append(named)
    pages: Counter[LinkedFile] = Counter()
    for named in source_links:
        pages.update({link.target for link in named if not link.is_part})
    linked = []
    for file, named in zip(files, source_links, strict=True):
        kept = []
        for link in named:
            target = link.target
            is_own = pages[target] == 1 or has_same_name(file.name, target.path)
            if link.is_part or is_own:
                kept.append(target)
        linked.append(kept)
    return linked


def _built_refs(
    linked: Iterable[Iterable[LinkedFile]], project: ProjectFiles
) -> set[str]:
    """Return the refs in links that name the commit that is checked out: its branch or,
    if no link names this branch, the ref of most links.
    """
    refs: Counter[str] = Counter()
    for targets in linked:
        refs.update(target.ref for target in targets)
    del refs[""]
    built = {"", "HEAD", project.head}
    if refs and project.head not in refs:
        ref, number = refs.most_common(1)[0]
        if number > refs.total() / 2:
            built.add(ref)
    return built


def _paths_in(targets: Iterable[LinkedFile], refs: Collection[str]) -> list[str]:
    """Return the different files that links with some refs open."""
    return list(dict.fromkeys(file.path for file in targets if file.ref in refs))


def _find_recorded(folder: str, name: str, generator: str) -> tuple[str, ...]:
    """Return the sources of a page as its generator wrote them: absolute, or relative
    to a folder of sources, which is unknown.

    Args:
        folder: The absolute path of the site.
        name: The path of the page below the site.
        generator: The generator that the page names.
    """
    stem = os.path.splitext(name)[0]
    if generator.startswith("Doxygen"):
        # The XML file of the home page has another name.
        file = "indexpage" if stem == "index" else stem
        return _read_doxygen(
            _read_data(os.path.join(folder, "..", "xml", f"{file}.xml"))
        )
    data = _read_data(os.path.join(folder, f"{stem.removesuffix('/index')}.json"))
    return _read_myst(data)


def _read_doxygen(data: bytes) -> tuple[str, ...]:
    """Return the files in the XML of Doxygen that declare or define a page."""
    paths = []
    for node in parse_html(data).css("location[file]"):
        for attribute in ("file", "bodyfile", "declfile"):
            paths.append(node.attributes.get(attribute))
    return tuple(filter(None, paths))


def _read_myst(data: bytes) -> tuple[str, ...]:
    """Return the file in the JSON of MyST; none if it describes no page of MyST."""
    with suppress(ValueError, RecursionError):
        record = json.loads(data)
        if isinstance(record, dict) and record.keys() >= {"kind", "mdast"}:
            return (str(record.get("location")).lstrip("/"),)
    return ()


def _read_data(path: str) -> bytes:
    with suppress(OSError):
        return read_regular(path, _MAX_FILE)
    return b""
