"""The pages of a Sphinx site, as the core sees them."""

from __future__ import annotations

import json
import os
import posixpath
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeGuard

from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.builders.singlehtml import SingleFileHTMLBuilder
from sphinxcontrib.serializinghtml import SerializingHTMLBuilder

from docs_sitemap import Page, quote_path
from docs_sitemap.values import check_bool
from sphinx_sitemap_ext.dependencies import Dependencies

if TYPE_CHECKING:
    from sphinx.builders import Builder
    from sphinx.environment import BuildEnvironment

_ERROR_PAGE = "404"


def makes_web_pages(builder: Builder) -> TypeGuard[StandaloneHTMLBuilder]:
    """Whether the builder makes a site for the web: not a book, a help file or JSON, which are
    made by subclasses of the HTML builder too.
    """
    return (
        isinstance(builder, StandaloneHTMLBuilder)
        and not builder.embedded
        and not isinstance(builder, SerializingHTMLBuilder)
    )


def is_single_page(builder: StandaloneHTMLBuilder) -> bool:
    """Whether the builder puts all documents into one page."""
    return isinstance(builder, SingleFileHTMLBuilder)


def read_pages(
    builder: StandaloneHTMLBuilder, generated: Mapping[str, bool], *, with_dependencies: bool
) -> Iterator[Page]:
    """Yield every page that the site has now, whether this build wrote it or an earlier one.

    Args:
        builder: the builder, after the build.
        generated: the names of the pages that are made of no document, and whether they are
            Sphinx' own.
        with_dependencies: whether what a document includes or documents is a source of its page.
    """
    # The builders do not agree on who has to quote: html does it, dirhtml does not.
    quoted = " " not in builder.get_target_uri("a b")
    dependencies = Dependencies(builder) if with_dependencies else None
    docnames = builder.env.found_docs
    if is_single_page(builder):
        docnames = {builder.config.root_doc}
    for docname in sorted(docnames):  # the order in which Sphinx writes them
        yield Page(
            url=_url(builder, docname, quoted),
            name=os.fspath(builder.env.doc2path(docname, False)),
            output=os.fspath(builder.get_outfilename(docname)),
            canonicals=_canonicals(builder, docname),
            sources=(sources := _sources(builder, docname, dependencies)),
            optional=dependencies.stubs(sources) if dependencies else frozenset(),
            overrides=read_overrides(builder.env.metadata.get(docname, {})),
            # The search page, say, is written over a document of that name.
            utility=_is_error_page(builder, docname) or generated.get(docname, False),
        )
    for pagename in sorted(generated.keys() - docnames):
        yield Page(
            url=_url(builder, pagename, quoted),
            name=pagename,
            output=os.fspath(builder.get_outfilename(pagename)),
            canonicals=_canonicals(builder, pagename),
            utility=generated[pagename],
        )


def _url(builder: StandaloneHTMLBuilder, pagename: str, quoted: bool) -> str:
    """The page's URL relative to the base URL: the one that Sphinx puts into the canonical link."""
    if is_single_page(builder) and pagename == builder.config.root_doc:
        return "" if pagename == "index" else quote_path(pagename) + builder.link_suffix
    uri = builder.get_target_uri(pagename)
    return uri if quoted else quote_path(uri)


def _canonicals(builder: StandaloneHTMLBuilder, pagename: str) -> frozenset[str]:
    """The canonical links that Sphinx and its themes give a page: they know nothing of
    `sitemap_url_scheme` and, before Sphinx 8.1, not all of dirhtml.
    """
    baseurl = builder.config.html_baseurl
    if not baseurl:
        return frozenset()
    uri = builder.get_target_uri(pagename)
    names = (uri, pagename + builder.out_suffix)
    # Furo joins without a slash.
    return frozenset((baseurl + uri, *(posixpath.join(baseurl, name) for name in names)))


def _sources(
    builder: StandaloneHTMLBuilder, docname: str, dependencies: Dependencies | None
) -> tuple[str, ...]:
    docnames = [docname]
    if is_single_page(builder):
        docnames = _assembled(builder.env, docname)
    sources = [os.fspath(builder.env.doc2path(name)) for name in docnames]
    if dependencies is not None:
        for name in docnames:
            sources += dependencies.of(name)
    return tuple(dict.fromkeys(sources))


def is_utility(builder: StandaloneHTMLBuilder, pagename: str) -> bool:
    """Whether a page that is made of no document is one of Sphinx' own."""
    return (
        pagename in ("genindex", "search")
        or pagename.startswith(("_modules/", "genindex-"))
        or pagename in (index[0] for index in builder.domain_indices)
        or _is_error_page(builder, pagename)
    )


def _is_error_page(builder: StandaloneHTMLBuilder, pagename: str) -> bool:
    return pagename in (_ERROR_PAGE, getattr(builder.config, "notfound_pagename", _ERROR_PAGE))


def read_overrides(metadata: Mapping[str, Any]) -> object:
    """Put together what the file-wide metadata of a document says of its entry.

    `:sitemap:` is a boolean (or, from MyST's front matter, a mapping as JSON), and
    `:sitemap-priority:` and the like set a value each.
    """
    fields = {
        key.removeprefix("sitemap-"): value
        for key, value in metadata.items()
        if key.startswith("sitemap-")
    }
    if isinstance(files := fields.get("dependencies"), str):
        fields["dependencies"] = _read_list(files)
    whole = metadata.get("sitemap")
    if isinstance(whole, str) and (whole == "null" or whole.startswith("{")):
        try:
            whole = json.loads(whole)
        except (ValueError, RecursionError):
            return whole
    if not fields or whole is None:
        return fields or whole
    if isinstance(whole, dict):
        return {**whole, **fields}
    try:
        return {"exclude": not check_bool(whole), **fields}
    except ValueError:
        return {"exclude": whole, **fields}


def _read_list(text: str) -> object:
    """Read file names: between commas or, from MyST's front matter, as JSON."""
    if text.startswith("["):
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            return text
    return [name.strip() for name in text.split(",") if name.strip()]


def _assembled(env: BuildEnvironment, docname: str) -> list[str]:
    """Return the documents that one page of all is put together from, the first one first."""
    found = {docname: None}
    ahead = [docname]
    while ahead:
        for name in env.toctree_includes.get(ahead.pop(), ()):
            if name not in found and name in env.found_docs:
                found[name] = None
                ahead.append(name)
    return list(found)
