"""A page whose Markdown file is known."""

from dataclasses import dataclass, field
from functools import cached_property

from docs_sitemap.tools.files import read_text_file
from docs_sitemap.tools.front_matter import split_document

from .project import MkDocsProject


@dataclass
class MarkdownPage:
    """A page of Zensical or MkDocs, and what is found out about it.

    Attributes:
        project: The project.
        document: The absolute path of its Markdown file.
        output: The absolute path of its HTML file.
        texts: All text of which the page is made: of its Markdown file without front
            matter, and what the page inserts.
        ran_code: What ran code for the page: see `docs_sitemap.Page`.

    Raises:
        OSError: A file cannot be read.
    """

    project: MkDocsProject
    document: str
    output: str
    texts: list[str] = field(default_factory=list)
    ran_code: set[str] = field(default_factory=set)

    @cached_property
    def text(self) -> str:
        """The Markdown without front matter."""
        return split_document(read_text_file(self.document)).body

    @cached_property
    def html(self) -> str:
        """The HTML file. Most pages need only their Markdown."""
        return read_text_file(self.output)
