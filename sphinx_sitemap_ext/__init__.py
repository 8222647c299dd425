"""The Sphinx extension: `extensions = ["sphinx_sitemap_ext"]`."""

from importlib.metadata import version
from typing import TypeGuard

from sphinx.application import Sphinx
from sphinx.builders import Builder
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.builders.singlehtml import SingleFileHTMLBuilder
from sphinx.errors import ExtensionError
from sphinx.extension import Extension
from sphinx.util.typing import ExtensionMetadata
from sphinxcontrib.serializinghtml import SerializingHTMLBuilder

from .config import URL_EVENT, add_config_values, check_config
from .sources.catalogs import NoteTranslations
from .sources.directives import NoteDefinitions, watch_directives
from .sources.noted_files import ENV_VERSION, merge_notes, purge_notes
from .sources.objects import note_shown_objects, watch_autodoc


def setup(app: Sphinx) -> ExtensionMetadata:
    app.require_sphinx("7.4")
    # sphinx_sitemap defines the same configuration values. It may be loaded earlier or
    # later.
    if "sphinx_sitemap" in app.config.extensions or "sphinx_sitemap" in app.extensions:
        raise ExtensionError(
            "sphinx_sitemap_ext and sphinx_sitemap cannot be used together: they "
            "define the same configuration values. Fix: remove 'sphinx_sitemap' from "
            "extensions in conf.py. If another extension loads it, put "
            "'sphinx_sitemap_ext' before that extension."
        )
    add_config_values(app)
    app.add_event(URL_EVENT)
    # Later than the default priority, 500, at which sphinx-multiversion reads the
    # version to build. Before 800, at which Sphinx checks the types of all values and
    # logs only warnings.
    app.connect("config-inited", check_config, priority=600)
    # Late: other extensions may replace the directives, and connect a handler at the
    # default priority, 500.
    app.connect("builder-inited", watch_directives, priority=900)
    app.connect("builder-inited", connect_sitemap)
    app.connect("env-purge-doc", purge_notes)
    app.connect("env-merge-info", merge_notes)
    app.connect("doctree-read", note_shown_objects)
    app.connect("config-inited", watch_autodoc)
    app.add_transform(NoteDefinitions)
    app.add_transform(NoteTranslations)
    metadata: ExtensionMetadata = {
        "version": version("docs-sitemap"),
        "env_version": ENV_VERSION,
        "parallel_read_safe": True,
        "parallel_write_safe": True,
    }
    # Some themes load sphinx_sitemap. Sphinx loads no extension twice.
    app.extensions["sphinx_sitemap"] = Extension("sphinx_sitemap", None, **metadata)
    return metadata


def connect_sitemap(app: Sphinx) -> None:
    """Connect what writes the sitemap and the dates of pages: the event
    `builder-inited`.
    """
    if not builds_website(app.builder):
        return
    # Builders of books and others do not need what it loads.
    from .events import SitemapExtension

    extension = SitemapExtension(app, app.builder)
    app.connect("env-updated", extension.date_documents)
    # Late, after other extensions have read the text of the page.
    app.connect("html-page-context", extension.note_page, priority=900)
    # Late: other extensions write redirects and further pages at the default priority,
    # 500.
    app.connect("build-finished", extension.write_sitemap, priority=900)


def builds_website(builder: Builder) -> TypeGuard[StandaloneHTMLBuilder]:
    """Return whether a builder writes a website, and not a book, a help file, one page,
    or JSON.
    """
    return (
        isinstance(builder, StandaloneHTMLBuilder)
        and not builder.embedded
        and not isinstance(builder, (SerializingHTMLBuilder, SingleFileHTMLBuilder))
    )
