"""The pages of a Sphinx site, as the core needs them: documents with their settings,
and pages that are not built from documents.
"""

import json
import os
import posixpath
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import jinja2
from msgspec import Meta
from sphinx.application import Sphinx
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.jinja2glue import BuiltinTemplateLoader

from docs_sitemap.built.generated_pages import is_generated_page
from docs_sitemap.config.options import Options
from docs_sitemap.config.parsers import parse_bool
from docs_sitemap.page import Page, Source
from docs_sitemap.shown.front_matter import (
    names_in_code,
    names_in_module,
    names_in_templates,
)
from docs_sitemap.sitemap.urls import quote_path
from docs_sitemap.sources.page_templates import PageTemplates
from docs_sitemap.tools.json_store import JsonStore
from docs_sitemap.tools.printing import describe_error

from .sources import DocumentSources

_PREFIX = "sitemap-"

# Sphinx percent-encodes the names of pages, and cannot encode surrogates.
_PageName = Annotated[str, Meta(pattern=r"\A[^\0\ud800-\udfff]*\Z")]

# Lists of the computation times and of the documented objects that sphinx-gallery
# writes for developers of the project:
# https://sphinx-gallery.github.io/stable/configuration.html
_GALLERY_LISTS = ("sg_execution_times", "sg_api_usage")

# Sphinx and this extension read only keys that no page shows.
_OWN_PACKAGES = ("sphinx", "sphinx_sitemap_ext")


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
        pages[docname] = _page(builder, docname)._replace(
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
        paths = []
        reason = ""
        if name in configured:
            try:
                paths = templates.files_of(configured[name])
            except (OSError, jinja2.TemplateError) as error:
                reason = f"its templates are unknown: {describe_error(error)}"
        page = _page(builder, name)._replace(
            generator_page=additional_pages[name],
            sources=tuple(map(Source, paths)),
            unknown_because=reason,
        )
        pages.append(page)
    return pages


def find_words(app: Sphinx) -> set[str]:
    """Return the names in the templates and extensions of a site, and in `conf.py`."""
    words = names_in_code(os.path.join(app.confdir, "conf.py"))
    own_folders = [os.path.join(app.confdir, one) for one in app.config.templates_path]
    templates = app.builder.templates
    if isinstance(templates, BuiltinTemplateLoader):
        for folder in map(os.fspath, templates.pathchain):
            is_theme = folder not in own_folders
            words |= names_in_templates(folder, is_theme=is_theme)
    for extension in app.extensions:
        if extension.partition(".")[0] not in _OWN_PACKAGES:
            words |= names_in_module(extension)
    return words


def _find_templates(builder: StandaloneHTMLBuilder) -> PageTemplates:
    """Return the templates in `templates_path` that only some pages use."""
    folders = []
    for name in builder.config.templates_path:
        folders.append(os.path.join(builder.confdir, name))
    theme = map(os.fspath, builder.theme.get_theme_dirs())
    templates = builder.templates
    env = jinja2.Environment(autoescape=True)  # only to parse
    if isinstance(templates, BuiltinTemplateLoader):
        env = templates.environment
    return PageTemplates(env, folders, list(theme), ["page.html"])


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


@dataclass(frozen=True)
class AdditionalPages:
    """The additional pages of an earlier build: their names, and whether they are
    Sphinx's own.
    """

    pages: dict[_PageName, bool]


def recall_pages(
    builder: StandaloneHTMLBuilder, written: Iterable[str], *, is_fresh: bool
) -> dict[str, bool]:
    """Return the names of all additional pages, and whether they are Sphinx's own. The
    core checks whether their files still exist.

    Not every build writes all of these pages, so they are saved from one build to the
    next. Before Sphinx 8.2, a build writes none of them if no document has changed.
    Extensions such as `sphinx.ext.viewcode` skip pages that exist.

    Args:
        builder: The builder, after the build.
        written: The names of the additional pages that this build wrote.
        is_fresh: Whether this build started without the environment of an earlier
            build, or with another configuration. Extensions then wrote all their pages.
    """
    path = Path(builder.doctreedir, f"sitemap-{builder.name}.json")
    store = JsonStore(path, AdditionalPages, version=1, is_private=True)
    configured = builder.config.html_additional_pages
    saved = store.load() or AdditionalPages({})
    pages = {}
    for name, is_own in saved.pages.items():
        if is_own or not is_fresh:
            pages[name] = is_own
    for name in set(written).difference(configured):
        pages[name] = is_generator_page(builder, name)
    with suppress(OSError):  # Only an incremental build needs the file.
        store.save(AdditionalPages(dict(sorted(pages.items()))))
    # The current configuration names these pages, so they are not saved.
    for name in configured:
        pages[name] = is_generator_page(builder, name)
    return pages


def is_generator_page(builder: StandaloneHTMLBuilder, pagename: str) -> bool:
    """Return whether a page that no document describes is one of Sphinx's own."""
    for name, domain in builder.env.domains.items():
        for index in domain.indices:
            if pagename == f"{name}-{index.name}":
                return True
    return pagename in error_pages(builder) or is_generated_page(f"{pagename}.html")


def error_pages(builder: StandaloneHTMLBuilder) -> tuple[str, str]:
    """Return the names that the page for missing URLs may have."""
    # `notfound_pagename` is an option of https://sphinx-notfound-page.readthedocs.io/.
    return "404", getattr(builder.config, "notfound_pagename", "404")


def read_front_matter(metadata: Mapping[Any, object]) -> dict[str, object]:
    """Return the file-wide metadata of a document. All values are text, except for the
    mappings of MyST.
    """
    values = {}
    for name, value in metadata.items():
        if isinstance(value, str) and (value == "null" or value.startswith("{")):
            with suppress(ValueError, RecursionError):  # It is text.
                value = json.loads(value)
        values[str(name)] = value
    return values


def read_overrides(front_matter: Mapping[str, object]) -> object:
    """Return the settings of a document, not yet validated.

    `sitemap` is a boolean or, from MyST, a mapping. Fields such as `sitemap-priority`
    set one value each.
    """
    entry = front_matter.get("sitemap")
    fields = {}
    for name, value in front_matter.items():
        if name.startswith(_PREFIX):
            fields[name.removeprefix(_PREFIX)] = value
    if not fields:
        return entry
    if entry is None:
        return fields
    if isinstance(entry, dict):
        return entry | fields
    with suppress(ValueError):
        return {"exclude": not parse_bool(entry)} | fields
    return entry
