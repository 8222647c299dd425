"""The pages of a MkDocs site, as the core sees them."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.utils import meta

from docs_sitemap import Page

DependenciesOf = Callable[[File], tuple[str, ...] | None]


def read_pages(
    files: Files, config: MkDocsConfig, dependencies_of: DependenciesOf
) -> list[tuple[Page, File]]:
    """Return every page of the published site, with the file that MkDocs knows it by.

    Drafts are no part of it, not even while `mkdocs serve` shows them; pages that are not in
    the navigation are.

    Args:
        files: those of the site.
        config: the configuration of the site.
        dependencies_of: returns what a page is made from besides its source, `None` if that is
            not known.
    """
    project = os.path.dirname(config.config_file_path or "")
    return [
        (_page(file, project, dependencies_of(file)), file) for file in files.documentation_pages()
    ]


def _page(file: File, project: str, dependencies: tuple[str, ...] | None) -> Page:
    is_further = _is_further_page(file)
    return Page(
        url=_url(file),
        name=file.src_uri,
        output=file.abs_dest_path,
        sources=_sources(file, project, dependencies or ()),
        sources_known=dependencies is not None,
        # What it says, it has from the first page.
        overrides=None if is_further else _meta(file).get("sitemap"),
        utility=is_further or _is_error_page(file),
        lang=_lang(file),
        alternates={lang: _url(other) for lang, other in _alternates(file).items()},
    )


def _url(file: File) -> str:
    return "" if file.url in (".", "./") else file.url


def _sources(file: File, project: str, dependencies: tuple[str, ...]) -> tuple[str, ...]:
    path = file.abs_src_path
    # A plugin makes a page of a file of the project, or of one that it wrote into a folder for
    # temporary files.
    made = file.generated_by is not None
    if path is None or (made and not path.startswith(os.path.join(project, ""))):
        return dependencies if _is_stub(file) else ()
    # A page of a blog shows what its posts begin with.
    posts = [post.file.abs_src_path for post in getattr(file.page, "posts", None) or ()]
    return tuple(dict.fromkeys([path, *filter(None, posts), *dependencies]))


def _is_stub(file: File) -> bool:
    """Whether a page says nothing itself but headings, and leaves the rest to mkdocstrings: its
    lines are `# Title` and `::: package.module`, with options below.
    """
    text, _ = meta.get_data(file.content_string)
    block = False
    for line in filter(str.strip, text.splitlines()):
        block = block or line.startswith("::: ")
        if not line.startswith(("#", "::: ") if not block else ("#", "::: ", " ", "\t")):
            return False
    return block


def _meta(file: File) -> Mapping[str, Any]:
    page = file.page
    if page is not None and page.markdown is not None:
        return page.meta
    # `mkdocs build --dirty` does not read pages that have not changed.
    try:
        return meta.get_data(file.content_string)[1]
    except (OSError, ValueError):
        return {}


def _alternates(file: File) -> Mapping[str, File]:
    """The page in all languages, as mkdocs-static-i18n notes it on the file."""
    alternates: Mapping[str, File] = getattr(file, "alternates", {})
    return alternates


def _lang(file: File) -> str | None:
    """The language that mkdocs-static-i18n builds the page for, be it written in it or not."""
    return getattr(file, "locale_alternate_of", None)


def _is_further_page(file: File) -> bool:
    """Whether this is the second page or a later one of a view of Material's blog."""
    return any(file.page is page for page in getattr(file.page, "pages", ())[1:])


def _is_error_page(file: File) -> bool:
    path = file.dest_uri.removeprefix(f"{_lang(file)}/")
    return path in ("404.html", "404/index.html")
