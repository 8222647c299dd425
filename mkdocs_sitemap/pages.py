"""Convert the files of MkDocs to pages of the core."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.utils import meta

from docs_sitemap import Page
from mkdocs_sitemap.project import project_folder
from mkdocs_sitemap.tracking import SourceTracker

# The pages that MkDocs and its themes write for their own use, without `.html`.
GENERATOR_PAGES = ("404", "search")


def read_pages(files: Files, config: MkDocsConfig, tracker: SourceTracker | None) -> list[Page]:
    """Return every page of the published site, including those that are not in the navigation.
    Drafts are not published, even if `mkdocs serve` shows them.
    """
    project = project_folder(config)
    pages = []
    for file in files.documentation_pages():
        read_files = () if tracker is None else tracker.sources_of(file)
        pages.append(_make_page(file, config, project, read_files))
    return pages


def _make_page(
    file: File, config: MkDocsConfig, project: str, read_files: tuple[str, ...] | None
) -> Page:
    is_later_page = _is_later_page(file)
    return Page(
        url=_url(file),
        name=file.src_uri,
        output=file.abs_dest_path,
        sources=_sources(file, project, read_files or ()),
        sources_known=read_files is not None,
        # Many projects generate these files before the build, and git ignores them.
        optional=_generated_sources(file, read_files or ()),
        # Later pages of a view repeat the front matter of its first page.
        overrides=None if is_later_page else _front_matter(file).get("sitemap"),
        generator_page=is_later_page or _is_error_page(file) or _is_navigation(file, config),
        # mkdocs-static-i18n sets these. The page is for readers of this language, even if its
        # text is not translated.
        lang=getattr(file, "locale_alternate_of", None),
        alternates={lang: _url(other) for lang, other in getattr(file, "alternates", {}).items()},
    )


def _url(file: File) -> str:
    return "" if file.url in (".", "./") else file.url


def _sources(file: File, project: str, read_files: tuple[str, ...]) -> tuple[str, ...]:
    path = file.abs_src_path
    # Plugins generate pages from files of the project or from temporary files.
    is_generated = file.generated_by is not None
    if path is None or (is_generated and not path.startswith(os.path.join(project, ""))):
        return read_files if _is_api_stub(file) else ()
    # A page of Material's blog shows the beginnings of its posts.
    posts = [post.file.abs_src_path for post in getattr(file.page, "posts", None) or ()]
    return tuple(dict.fromkeys([path, *filter(None, posts), *read_files]))


def _generated_sources(file: File, read_files: tuple[str, ...]) -> frozenset[str]:
    """Return the page's own file if it only names the modules that the page documents."""
    if not read_files or file.abs_src_path is None or not _is_api_stub(file):
        return frozenset()
    return frozenset((file.abs_src_path,))


def _is_api_stub(file: File) -> bool:
    """Whether a page has no text of its own: only headings and blocks of mkdocstrings, which are
    a line `::: package.module` with indented options.
    """
    text, _ = meta.get_data(file.content_string)
    allowed: tuple[str, ...] = ("#", "::: ")
    has_block = False
    for line in filter(str.strip, text.splitlines()):
        if line.startswith("::: "):
            has_block = True
            allowed = ("#", "::: ", " ", "\t")
        if not line.startswith(allowed):
            return False
    return has_block


def _front_matter(file: File) -> Mapping[str, Any]:
    page = file.page
    if page is not None and page.markdown is not None:
        return page.meta
    # `mkdocs build --dirty` does not read unchanged pages.
    try:
        return meta.get_data(file.content_string)[1]
    except (OSError, ValueError):
        return {}


def _is_later_page(file: File) -> bool:
    """Whether this is the second or a later page of a paginated view of Material's blog."""
    return any(file.page is page for page in getattr(file.page, "pages", ())[1:])


def _is_navigation(file: File, config: MkDocsConfig) -> bool:
    """Whether mkdocs-literate-nav reads the navigation from this page: `SUMMARY.md` by default.
    With another name, the page can also be the index of its folder.
    """
    plugin = config.plugins.get("literate-nav")
    if plugin is None or file.name == "index":
        return False
    return bool(os.path.basename(file.src_uri) == plugin.config.get("nav_file"))


def _is_error_page(file: File) -> bool:
    path = file.dest_uri.removeprefix(f"{getattr(file, 'locale_alternate_of', None)}/")
    return path in ("404.html", "404/index.html")
