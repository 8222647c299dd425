"""The pages of a Sphinx site, as the core needs them."""

import os
import posixpath
from collections.abc import Mapping
from dataclasses import replace

from sphinx.builders.html import StandaloneHTMLBuilder

from docs_sitemap.config.options import Options
from docs_sitemap.page import Page, Source
from docs_sitemap.sitemap.urls import quote_path
from docs_sitemap.sources.page_templates import PageTemplates
from docs_sitemap.tools.printing import describe_error

from .builders import error_pages
from .metadata import read_front_matter, read_overrides
from .sources import DocumentSources

# Lists of the computation times and of the documented objects that sphinx-gallery
# writes for developers of the project:
# https://sphinx-gallery.github.io/stable/configuration.html
_GALLERY_LISTS = ("sg_execution_times", "sg_api_usage")


def read_documents(
    builder: StandaloneHTMLBuilder,
    additional_pages: Mapping[str, bool],
    options: Options,
) -> dict[str, Page]:
    """Return the pages of all documents by their names, whether this build writes them
    or an earlier one did.

    Args:
        builder: The builder, after it has read all documents.
        additional_pages: The names of the pages that are not built from documents, and
            whether they are Sphinx's own. Before pages are written, none are known.
        options: The options of the sitemap.
    """
    sources = DocumentSources(builder, detect_dependencies=options.lastmod)
    has_gallery = "sphinx_gallery.gen_gallery" in builder.config.extensions
    pages = {}
    for docname in sorted(builder.env.found_docs):  # the order in which Sphinx writes
        # For example, Sphinx overwrites a document named `search` with its search page.
        is_overwritten = additional_pages.get(docname, False)
        is_error_page = docname in error_pages(builder)
        is_list = has_gallery and posixpath.basename(docname) in _GALLERY_LISTS
        front_matter = read_front_matter(builder.env.metadata.get(docname, {}))
        reason = ""
        try:
            files = sources.of(docname)
        # Other versions of extensions may have other internals.
        except Exception as error:
            files = (sources.document(docname),)
            reason = (
                f"what extensions record is not as expected: {describe_error(error)}"
            )
        pages[docname] = replace(
            _page(builder, docname),
            name=os.fspath(builder.env.doc2path(docname, False)),
            sources=files,
            unknown_because=reason,
            ran_code=sources.ran_code(docname),
            overrides=read_overrides(front_matter),
            front_matter=front_matter,
            generator_page=is_overwritten or is_error_page or is_list,
        )
    return pages


def read_additional_pages(
    builder: StandaloneHTMLBuilder, additional_pages: Mapping[str, bool]
) -> list[Page]:
    """Return the pages that are not built from documents.

    Args:
        builder: The builder, after the build.
        additional_pages: The names of these pages, and whether they are Sphinx's own.
    """
    pages = []
    templates = _find_templates(builder)
    configured = builder.config.html_additional_pages
    for name in sorted(additional_pages.keys() - builder.env.found_docs):
        paths = templates.find(configured[name]) if name in configured else []
        page = replace(
            _page(builder, name),
            generator_page=additional_pages[name],
            sources=tuple(map(Source, paths)),
        )
        pages.append(page)
    return pages


def _find_templates(builder: StandaloneHTMLBuilder) -> PageTemplates:
    """Return the templates in `templates_path` that only some pages use."""
    folders = []
    for name in builder.config.templates_path:
        folders.append(os.path.join(builder.confdir, name))
    theme = map(os.fspath, builder.theme.get_theme_dirs())
    return PageTemplates(folders, list(theme), ["page.html"])


def _page(builder: StandaloneHTMLBuilder, pagename: str) -> Page:
    uri = builder.get_target_uri(pagename)
    url = uri
    # The html builder encodes its URLs, the dirhtml builder does not:
    # https://github.com/sphinx-doc/sphinx/blob/v8.2.3/sphinx/builders/dirhtml.py#L30
    if " " in builder.get_target_uri("a b"):
        url = quote_path(uri)
    baseurl = builder.config.html_baseurl
    canonicals = frozenset[str]()
    if baseurl:
        # The URLs that Sphinx and its themes may write into the canonical link. They
        # ignore `sitemap_url_scheme` and, before Sphinx 8.1, the URLs of dirhtml. Furo
        # adds no slash.
        file_url = posixpath.join(baseurl, pagename + builder.out_suffix)
        canonicals = frozenset((baseurl + uri, posixpath.join(baseurl, uri), file_url))
    return Page(
        url=url,
        name=pagename,
        output=os.fspath(builder.get_outfilename(pagename)),
        canonicals=canonicals,
    )
