"""The pages of a Sphinx site, as the core needs them."""

import os
import posixpath
from collections.abc import Mapping
from typing import Any, TypeGuard

from sphinx.builders import Builder
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.builders.singlehtml import SingleFileHTMLBuilder
from sphinxcontrib.serializinghtml import SerializingHTMLBuilder

from docs_sitemap.built.generated_pages import is_generated_page
from docs_sitemap.config.options import Options
from docs_sitemap.page import Page, Source
from docs_sitemap.sitemap.urls import quote_path
from docs_sitemap.tools.printing import describe_error

from .metadata import read_overrides
from .sources import DocumentSources

# Lists of the computation times and of the documented objects that sphinx-gallery
# writes for developers of the project:
# https://sphinx-gallery.github.io/stable/configuration.html
_GALLERY_LISTS = ("sg_execution_times", "sg_api_usage")


def builds_website(builder: Builder) -> TypeGuard[StandaloneHTMLBuilder]:
    """Return whether a builder writes a website, and not a book, a help file, one page,
    or JSON.
    """
    return (
        isinstance(builder, StandaloneHTMLBuilder)
        and not builder.embedded
        and not isinstance(builder, (SerializingHTMLBuilder, SingleFileHTMLBuilder))
    )


def is_generator_page(builder: StandaloneHTMLBuilder, pagename: str) -> bool:
    """Return whether a page that no document describes is one of Sphinx's own."""
    for name, domain in builder.env.domains.items():
        for index in domain.indices:
            if pagename == f"{name}-{index.name}":
                return True
    return pagename in _error_pages(builder) or is_generated_page(f"{pagename}.html")


def _error_pages(builder: StandaloneHTMLBuilder) -> tuple[str, str]:
    # `notfound_pagename` is an option of https://sphinx-notfound-page.readthedocs.io/.
    return "404", getattr(builder.config, "notfound_pagename", "404")


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
        is_error_page = docname in _error_pages(builder)
        is_list = has_gallery and posixpath.basename(docname) in _GALLERY_LISTS
        files, reason = _find_sources(sources, docname)
        pages[docname] = _page(
            builder,
            docname,
            name=os.fspath(builder.env.doc2path(docname, False)),
            sources=files,
            unknown_because=reason,
            ran_code=sources.ran_code(docname),
            overrides=read_overrides(builder.env.metadata.get(docname, {})),
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
    for name in sorted(additional_pages.keys() - builder.env.found_docs):
        is_own = additional_pages[name]
        pages.append(_page(builder, name, name=name, generator_page=is_own))
    return pages


def _find_sources(
    sources: DocumentSources, docname: str
) -> tuple[tuple[Source, ...], str]:
    """Return the sources of a document, or only its own file and why the others are
    unknown.
    """
    try:
        return sources.of(docname), ""
    except Exception as error:  # Other versions of extensions may have other internals.
        reason = f"what extensions record is not as expected: {describe_error(error)}"
        return (sources.document(docname),), reason


def page_url(builder: StandaloneHTMLBuilder, pagename: str) -> str:
    """Return the URL of a page, as Sphinx writes it into the canonical link."""
    uri = builder.get_target_uri(pagename)
    # The html builder encodes its URLs, the dirhtml builder does not:
    # https://github.com/sphinx-doc/sphinx/blob/v8.2.3/sphinx/builders/dirhtml.py#L30
    if " " in builder.get_target_uri("a b"):
        return quote_path(uri)
    return uri


def _page(builder: StandaloneHTMLBuilder, pagename: str, **details: Any) -> Page:
    uri = builder.get_target_uri(pagename)
    baseurl = builder.config.html_baseurl
    canonicals = frozenset[str]()
    if baseurl:
        # The URLs that Sphinx and its themes may write into the canonical link. They
        # ignore `sitemap_url_scheme` and, before Sphinx 8.1, the URLs of dirhtml. Furo
        # adds no slash.
        file_url = posixpath.join(baseurl, pagename + builder.out_suffix)
        canonicals = frozenset((baseurl + uri, posixpath.join(baseurl, uri), file_url))
    return Page(
        url=page_url(builder, pagename),
        output=os.fspath(builder.get_outfilename(pagename)),
        canonicals=canonicals,
        **details,
    )
