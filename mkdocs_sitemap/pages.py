"""Convert the files of MkDocs to pages of the core."""

import os
from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.utils import meta

from docs_sitemap.page import Page
from docs_sitemap.sitemap.protocol import DAY_LENGTH

from .address import published_url
from .sources import PageSources, find_document

# The date that the author of a page shows.
REVISION_DATE = "revision_date"


def read_pages(
    files: Iterable[File],
    config: MkDocsConfig,
    sources: PageSources,
    *,
    page_dates: bool,
) -> list[Page]:
    """Return every page of the published site, including those that are not in the
    navigation. Drafts are not published, even if `mkdocs serve` shows them.

    Args:
        files: The files of the pages.
        config: The configuration of MkDocs.
        sources: The sources of the pages.
        page_dates: Whether pages show the dates of the sitemap.
    """
    pages = []
    navigation = config.plugins.get("literate-nav")
    canonical_site = _canonical_site(config)
    for file in files:
        # The second or a later page of a paginated view of Material's blog.
        later_pages = getattr(file.page, "pages", ())[1:]
        is_later_page = any(file.page is page for page in later_pages)
        front_matter = _front_matter(file)
        overrides = None
        if not is_later_page:  # Later pages of a view repeat its front matter.
            overrides = front_matter.get("sitemap")
        if page_dates:
            overrides = _use_date(front_matter.get(REVISION_DATE), overrides)
        is_navigation = _is_error_page(file)
        if navigation is not None and not is_navigation:
            is_navigation = _is_navigation(file, navigation)
        # mkdocs-static-i18n notes both. A file in the default language may be copied to
        # others.
        locale = getattr(file, "locale", None)
        is_translated = locale == getattr(file, "locale_alternate_of", None)
        parts = sources.parts_of(file, config)
        url = page_url(file)
        canonicals: frozenset[str] = frozenset()
        if canonical_site is not None:
            canonicals = frozenset([canonical_site + url])
        page = Page(
            url=url,
            name=file.src_uri,
            output=file.abs_dest_path,
            sources=parts.sources,
            overrides=overrides,
            front_matter=front_matter,
            generator_page=is_later_page or is_navigation,
            canonicals=canonicals,
            ran_code=parts.ran_code,
            unknown_because=parts.unknown_because,
            is_translated=is_translated,
        )
        pages.append(page)
    return pages


def find_originals(files: Iterable[File], config: MkDocsConfig) -> dict[str, str]:
    """Return the files that MkDocs copies, by their paths below the folder of the
    site.
    """
    originals = {}
    for file in files:
        if not file.is_documentation_page():
            original = find_document(file, config)
            if original is not None:
                originals[file.dest_uri] = original
    return originals


def _use_date(revision_date: object, overrides: object) -> object:
    """Return the settings of a page, with the date that its author shows."""
    values = overrides
    if values is None:
        values = {}
    if not isinstance(values, Mapping) or "lastmod" in values:
        return overrides
    try:
        date.fromisoformat(str(revision_date)[:DAY_LENGTH])
    except ValueError:  # not set, or a text
        return overrides
    return {**values, "lastmod": revision_date}


def page_url(file: File) -> str:
    """Return the URL of a page relative to the address of the site."""
    return "" if file.url in (".", "./") else file.url


def _canonical_site(config: MkDocsConfig) -> str | None:
    """Return the address in the canonical links that MkDocs writes, if it is the
    address of another version of mike.
    """
    site_url = config.site_url
    if not site_url or published_url(config) == site_url:
        return None
    return f"{site_url.rstrip('/')}/"


def _front_matter(file: File) -> Mapping[str, Any]:
    page = file.page
    if page is not None and page.markdown is not None:
        return page.meta
    # `mkdocs build --dirty` does not read unchanged pages.
    try:
        return meta.get_data(file.content_string)[1]
    except (OSError, ValueError):
        return {}


def _is_navigation(file: File, plugin: Any) -> bool:
    """Whether mkdocs-literate-nav reads the navigation from this page: `SUMMARY.md` by
    default. With another name, the page can also be the index of its folder.
    """
    return bool(
        file.name != "index"
        and os.path.basename(file.src_uri) == plugin.config.get("nav_file")
    )


def _is_error_page(file: File) -> bool:
    path = file.dest_uri.removeprefix(f"{getattr(file, 'locale_alternate_of', None)}/")
    return path in ("404.html", "404/index.html")


def has_own_sitemap(filename: str, files: Files, config: MkDocsConfig) -> bool:
    """Return whether MkDocs copies or renders a file of the user to the path of the
    sitemap.
    """
    own = files.get_file_from_path(filename)
    is_copied = own is not None and own.inclusion.value > InclusionLevel.DRAFT.value
    return is_copied or filename in config.extra_templates
