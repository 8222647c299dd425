"""Which builders write a website, and which pages are Sphinx's own."""

from typing import TypeGuard

from sphinx.builders import Builder
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.builders.singlehtml import SingleFileHTMLBuilder
from sphinxcontrib.serializinghtml import SerializingHTMLBuilder

from docs_sitemap.built.generated_pages import is_generated_page


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
    return pagename in error_pages(builder) or is_generated_page(f"{pagename}.html")


def error_pages(builder: StandaloneHTMLBuilder) -> tuple[str, str]:
    """Return the names that the page for missing URLs may have."""
    # `notfound_pagename` is an option of https://sphinx-notfound-page.readthedocs.io/.
    return "404", getattr(builder.config, "notfound_pagename", "404")
