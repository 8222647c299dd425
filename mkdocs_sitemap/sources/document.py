"""The page's own file, also if a plugin such as mkdocs-gen-files generates the page."""

import os
from collections.abc import Sequence

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File
from mkdocs.utils import meta

from docs_sitemap.page import Source, SourceRole
from mkdocs_sitemap.project import project_folder


def add_document(
    file: File, parts: Sequence[Source], config: MkDocsConfig
) -> tuple[Source, ...]:
    """Return all sources of a page; nothing if its text is generated from unknown
    files.

    Args:
        file: The page.
        parts: The files that the page includes.
        config: The configuration of MkDocs.
    """
    document = find_document(file, config)
    # The own file of such a page contributes nothing. Often, git ignores it.
    # A view of Material's blog lists posts: the index, an archive, or a category.
    is_view = bool(getattr(file.page, "posts", None))
    is_optional = bool(parts) and (is_view or _is_api_stub(file))
    if document is None:
        if not is_optional:
            return ()
        # The path that the file of a generated page would have.
        document = os.path.normpath(os.path.join(config.docs_dir, file.src_uri))
    return (
        Source(document, SourceRole.DOCUMENT, is_optional=is_optional),
        *parts,
    )


def find_document(file: File, config: MkDocsConfig) -> str | None:
    """Return the source file of a page or of another file; `None` if a plugin generates
    it.
    """
    path = file.abs_src_path
    if path is None or file.generated_by is None:
        return path
    # Plugins generate pages from files of the project or from temporary files.
    project = os.path.join(project_folder(config), "")
    if path.startswith(project):
        return path
    return None


def _is_api_stub(file: File) -> bool:
    """Whether a page has no text of its own: only headings and blocks of mkdocstrings,
    which are a line `::: package.module` with indented options.
    """
    # MkDocs reads the file again each time it is asked for the content.
    markdown = None if file.page is None else file.page.markdown
    if markdown is not None and "::: " not in markdown:
        return False
    content = file.content_string
    if "::: " not in content:
        return False
    text, _ = meta.get_data(content)
    has_block = False
    for line in text.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        is_block = line.startswith("::: ")
        is_option = has_block and line[0].isspace()
        if not is_block and not is_option:
            return False
        has_block = True
    return has_block
