"""A page whose Markdown file is known."""

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

from docs_sitemap.shown.front_matter import FrontMatterKeys
from docs_sitemap.tools.files import read_text_file
from docs_sitemap.tools.front_matter import split_document

from .objects.python_handler import PythonHandler
from .project import MkDocsProject

# What the themes of Zensical and Material for MkDocs write before the content. Before
# that is the navigation, which can be many times larger.
_CONTENT = 'data-md-component="content"'


@dataclass
class MarkdownPage:
    """A page of Zensical or MkDocs, and what is found out about it.

    Attributes:
        project: The project.
        document: The absolute path of its Markdown file.
        output: The absolute path of its HTML file.
        name: The path of its HTML file below the site, with `/` as separator.
        front_matter: Decides which keys of front matter the pages show.
        python_handler: Finds the objects of Python that the page documents.
        find_document: Returns the absolute path of the Markdown file of another page,
            by the path of its HTML file below the site.
        texts: All text of the page: its Markdown file without front matter, and what it
            inserts.
        ran_code: What ran code for the page: see `docs_sitemap.Page`.
        unknown_because: Why other sources are unknown: see `docs_sitemap.Page`.
        is_optional: Whether the page has sources if its Markdown file is not in git.
        is_generated: Whether the page only serves navigation.

    Raises:
        OSError: A file cannot be read.
    """

    project: MkDocsProject
    document: str
    output: str
    name: str
    front_matter: FrontMatterKeys
    python_handler: PythonHandler
    find_document: Callable[[str], str | None]
    texts: list[str] = field(default_factory=list)
    ran_code: set[str] = field(default_factory=set)
    unknown_because: str = ""
    is_optional: bool = False
    is_generated: bool = False

    @cached_property
    def text(self) -> str:
        """The Markdown without front matter; empty if the page has no such file."""
        return split_document(self.content).body

    @cached_property
    def content(self) -> str:
        """The Markdown file; empty if the page has no such file."""
        if not os.path.isfile(self.document):
            return ""
        return read_text_file(self.document)

    @cached_property
    def html(self) -> str:
        """The content of the HTML file, or all of it if its theme does not mark the
        content. Most pages need only their Markdown.
        """
        text = read_text_file(self.output)
        return text[max(0, text.find(_CONTENT)) :]
