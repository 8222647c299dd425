"""Convert the files of MkDocs to pages of the core."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.utils import meta

from docs_sitemap import COMPLETE_FILE, Page, Shown, Source, SourceRole
from mkdocs_sitemap.mike_version import published_url
from mkdocs_sitemap.project import project_folder
from mkdocs_sitemap.tracking import SourceTracker

# The pages that MkDocs and its themes write for their own use, without `.html`.
GENERATOR_PAGES = ("404", "search")


def read_pages(files: Files, config: MkDocsConfig, tracker: SourceTracker | None) -> list[Page]:
    """Return every page of the published site, including those that are not in the navigation.
    Drafts are not published, even if `mkdocs serve` shows them.
    """
    pages = []
    for file in files.documentation_pages():
        read_files = () if tracker is None else tracker.sources_of(file)
        views = {} if tracker is None else tracker.views_of(file)
        pages.append(_make_page(file, config, read_files, views))
    return pages


def _make_page(
    file: File,
    config: MkDocsConfig,
    read_files: tuple[str, ...] | None,
    views: Mapping[str, Shown],
) -> Page:
    is_later_page = _is_later_page(file)
    own = _own_source(file, config)
    return Page(
        url=_url(file),
        name=file.src_uri,
        output=file.abs_dest_path,
        sources=None if read_files is None else _sources(file, config, own, read_files, views),
        # Later pages of a view repeat the front matter of its first page.
        overrides=None if is_later_page else _front_matter(file).get("sitemap"),
        generator_page=is_later_page or _is_error_page(file) or _is_navigation(file, config),
        canonicals=_canonicals(file, config),
        # mkdocs-static-i18n sets these. The page is for readers of this language, even if its
        # text is not translated.
        lang=getattr(file, "locale_alternate_of", None),
        alternates={lang: _url(other) for lang, other in getattr(file, "alternates", {}).items()},
    )


def _url(file: File) -> str:
    return "" if file.url in (".", "./") else file.url


def _canonicals(file: File, config: MkDocsConfig) -> frozenset[str]:
    """Return the canonical link that MkDocs writes, if it names another version of mike."""
    if not config.site_url or published_url(config) == config.site_url:
        return frozenset()
    return frozenset([f"{config.site_url.rstrip('/')}/{_url(file)}"])


def _sources(
    file: File,
    config: MkDocsConfig,
    own: str | None,
    read_files: tuple[str, ...],
    views: Mapping[str, Shown],
) -> tuple[Source, ...]:
    posts, is_stub = _posts(file), _is_api_stub(file)
    if own is None and not posts:
        parts = read_files if is_stub else ()
        return tuple(Source(path, shows=views.get(path, COMPLETE_FILE)) for path in parts)
    # Many projects generate these files before the build, and git ignores them.
    is_optional = own is None or (is_stub and bool(read_files))
    document = own or _unwritten_source(file, config)
    sources = [Source(document, SourceRole.DOCUMENT, is_optional=is_optional)]
    sources += [
        Source(path, shows=views.get(path, COMPLETE_FILE))
        for path in dict.fromkeys((*posts, *read_files))
        if path != document
    ]
    return tuple(sources)


def _own_source(file: File, config: MkDocsConfig) -> str | None:
    """Return the Markdown file of a page; `None` if a plugin generates the page."""
    path = file.abs_src_path
    # Plugins generate pages from files of the project or from temporary files.
    if path is not None and file.generated_by is None:
        return path
    if path is not None and path.startswith(os.path.join(project_folder(config), "")):
        return path
    # mkdocs-gen-files copies a file of the project to append text to it.
    original = _unwritten_source(file, config)
    try:
        with open(original, encoding="utf-8-sig") as opened:
            text = opened.read().rstrip()
        return original if text and file.content_string.startswith(text) else None
    except (OSError, ValueError):
        return None


def _unwritten_source(file: File, config: MkDocsConfig) -> str:
    """Return the path that the file of a generated page would have in `docs_dir`."""
    return os.path.normpath(os.path.join(config.docs_dir, file.src_uri))


def _posts(file: File) -> list[str]:
    """Return the files of the posts whose beginnings a page of Material's blog shows: the index,
    an archive, or a category.
    """
    posts = [post.file.abs_src_path for post in getattr(file.page, "posts", None) or ()]
    return [path for path in posts if path is not None]


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
