"""The files that the front matter of a page uses: a template, and those of the meta
plugin.
"""

from collections.abc import Iterable, Iterator
from functools import cache

import jinja2

from docs_sitemap.config.typed_values import as_text
from docs_sitemap.page import Source
from docs_sitemap.sources.meta_files import meta_sources
from docs_sitemap.sources.page_templates import PageTemplates
from docs_sitemap.tools.printing import describe_error
from docs_sitemap_cli.generate.mkdocs_project.markdown_page import MarkdownPage

from .shown_keys import custom_folder

# The partial templates of Material for MkDocs and Zensical that all pages use: those of
# a project replace them. A test compares the names.
PARTIALS = (
    "actions",
    "alternate",
    "comments",
    "consent",
    "content",
    "copyright",
    "feedback",
    "footer",
    "header",
    "icons",
    "integrations/analytics",
    "javascripts/announce",
    "javascripts/base",
    "javascripts/consent",
    "javascripts/content",
    "javascripts/outdated",
    "javascripts/palette",
    "language",
    "logo",
    "nav-item",
    "nav",
    "palette",
    "path-item",
    "path",
    "progress",
    "search",
    "social",
    "source-file",
    "source",
    "tabs-item",
    "tabs",
    "tags",
    "toc-item",
    "toc",
    "top",
)

_EXTENSIONS = ("jinja2.ext.i18n", "jinja2.ext.do", "jinja2.ext.loopcontrols")


def sources(page: MarkdownPage) -> Iterator[Source]:
    """Yield the files that the front matter of a page uses."""
    try:
        for path in _find_templates(page):
            yield Source(path)
    except (OSError, ValueError, RecursionError, jinja2.TemplateError) as error:
        page.unknown_because = f"its template cannot be read: {describe_error(error)}"
    for path in page.project.metadata.meta_files(page.document):
        yield from meta_sources(path, page.content, page.front_matter)


def _find_templates(page: MarkdownPage) -> Iterable[str]:
    """Return the templates of the project that only pages like this one use."""
    folder = custom_folder(page.project)
    if folder is None:
        return ()
    template = as_text(page.project.metadata.read(page.document).get("template"))
    return _read_templates(folder).files_of(template) if template else ()


@cache
def _read_templates(folder: str) -> PageTemplates:
    env = jinja2.Environment(extensions=_EXTENSIONS, autoescape=True)
    partials = [f"partials/{name}.html" for name in PARTIALS]
    return PageTemplates(env, [folder], [], ["main.html", "base.html", *partials])
