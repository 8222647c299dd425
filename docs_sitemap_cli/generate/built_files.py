"""The HTML files of a built site, and what they and the data of the generator say about
their URLs and sources.
"""

import json
import os
import posixpath
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from docs_sitemap.built.generated_pages import is_search_page
from docs_sitemap.built.html import parse_html
from docs_sitemap.built.verdict import Head
from docs_sitemap.tools.files import read_regular, relative_path, walk_html_files
from docs_sitemap_cli.project_files import ProjectFiles
from docs_sitemap_cli.published.app_shells import find_shells
from docs_sitemap_cli.published.page import is_generated_by, read_page

from .mkdocs_project.markdown_files import MarkdownFiles
from .sources.edit_links import LinkReader, PageLinks, SourceLink, select_links
from .sources.fingerprints import NO_TEXT, Fingerprint, read_page_text

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
        is_shell: Whether the page is empty before its scripts run, and is a fallback or
            one of several equal ones.
        is_list: Whether the page shows the newest posts of a blog.
        recorded: The tracked files that the generator recorded as sources.
        same: The tracked files with the same content.
        markdown: The Markdown file at its path, below the top level of the repository.
        text: What readers see on the page, if it does not redirect, and this file is
            unknown.
        links: The tracked files to which its links lead.
    """

    name: str
    path: str
    head: Head
    is_fragment: bool
    is_shell: bool
    is_list: bool
    recorded: Sequence[str]
    same: Sequence[str]
    text: Fingerprint
    markdown: str | None = None
    links: PageLinks = field(default_factory=PageLinks)

    @property
    def is_generated(self) -> bool:
        """Whether the generator wrote the file for its own use."""
        return is_generated_by(self.name, self.head.generator)

    @property
    def may_be_page(self) -> bool:
        """Whether the file only has the name of a search page."""
        return is_search_page(self.name)


def read_built_files(
    folder: str, project: ProjectFiles, markdown_files: MarkdownFiles | None
) -> list[BuiltFile]:
    """Return the HTML files of a site in the order of their names.

    Args:
        folder: The absolute path of the site.
        project: The files that links may open.
        markdown_files: Finds the Markdown files at the paths of pages; `None` if
            another generator than Zensical or MkDocs built the site.

    Raises:
        OSError: A file cannot be read.
    """
    reader = LinkReader(project)
    files = []
    links: dict[str, Sequence[SourceLink]] = {}
    names = list(walk_html_files(folder))
    shells = find_shells(folder, names)
    for name in names:
        path = os.path.join(folder, *name.split("/"))
        html = read_page(path)
        markdown = None
        is_list = _EXCERPT in html.data
        if markdown_files is not None:
            # MkDocs lists only pages, and no files that it copies.
            copied = markdown_files.find_copied(name, html.raw)
            if copied is not None and not os.path.samefile(copied, path):
                continue
            markdown = _find_markdown(name, markdown_files, project, is_list=is_list)
        if markdown is None:
            # The page is parsed once, and its head is not parsed again.
            document = html.document
        file = BuiltFile(
            name,
            path,
            html.head,
            html.is_fragment,
            is_shell=name in shells,
            is_list=is_list,
            recorded=_find_recorded(folder, name, html.head.generator, project),
            same=project.find_same(html.raw),
            text=NO_TEXT,
            markdown=markdown,
        )
        files.append(file)
        if markdown is None:
            links[name] = reader.read(html)
            if html.head.refresh is None:
                file.text = read_page_text(document)
    if any(links.values()):
        # Only links that most pages have are edit links.
        for file in files:
            if file.markdown is not None:
                links[file.name] = reader.read(read_page(file.path))
    selected = select_links(links, project)
    for file in files:
        if file.markdown is None:
            file.links = selected[file.name]
    return files


def _find_markdown(
    name: str, markdown_files: MarkdownFiles, project: ProjectFiles, *, is_list: bool
) -> str | None:
    """Return the Markdown file at the path of a page, below the top level of the
    repository, as git writes it if it is tracked. Lists of posts need none.
    """
    path = markdown_files.find(name)
    if path is None:
        path = markdown_files.name_list(name, has_posts=is_list)
    if path is None:
        return None
    below = relative_path(path, project.top)
    return project.tracked(below) or below


def _find_recorded(
    folder: str, name: str, generator: str, project: ProjectFiles
) -> Sequence[str]:
    """Return the tracked files that a generator recorded as sources of a page: absolute
    paths or, below a folder that is unknown, the nearest ones to the page.
    """
    found: dict[str, None] = {}
    for path in _read_recorded(folder, name, generator):
        if path.startswith("/"):
            real = relative_path(os.path.realpath(path), project.top)
            files = list(filter(None, [project.tracked(real)]))
        else:
            page = f"{project.folder_below(folder) or ''}{name}"
            files = project.find_nearest(posixpath.normpath(path), page)
        if len(files) == 1:
            found[files[0]] = None
    return list(found)


def _read_recorded(folder: str, name: str, generator: str) -> Sequence[str]:
    """Return the sources of a page as its generator wrote them: the files that declare
    or define it for Doxygen, and the document for MyST.

    Args:
        folder: The absolute path of the site.
        name: The path of the page below the site.
        generator: The generator that the page names.
    """
    stem = os.path.splitext(name)[0]
    if not generator.startswith("Doxygen"):
        return _read_myst(os.path.join(folder, f"{stem.removesuffix('/index')}.json"))
    # The XML file of the home page has another name.
    file = "indexpage" if stem == "index" else stem
    data = _read_data(os.path.join(folder, "..", "xml", f"{file}.xml"))
    paths = []
    for node in parse_html(data).css("location[file]"):
        for attribute in ("file", "bodyfile", "declfile"):
            paths.append(node.attributes.get(attribute))
    return list(filter(None, paths))


def _read_myst(path: str) -> Sequence[str]:
    """Return the file in the JSON of MyST; none if it describes no page of MyST."""
    with suppress(ValueError, RecursionError):
        record = json.loads(_read_data(path))
        if isinstance(record, dict) and record.keys() >= {"kind", "mdast"}:
            return (str(record.get("location")).lstrip("/"),)
    return ()


def _read_data(path: str) -> bytes:
    with suppress(OSError):
        return read_regular(path, _MAX_FILE)
    return b""
