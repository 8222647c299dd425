"""The Sphinx extension: `extensions = ["sphinx_sitemap_ext"]`."""

from __future__ import annotations

from importlib.metadata import version
from typing import TYPE_CHECKING

from sphinx.errors import ExtensionError

from sphinx_sitemap_ext.config import add_config_values
from sphinx_sitemap_ext.events import Sitemap, check_config

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata


def setup(app: Sphinx) -> ExtensionMetadata:
    # Whichever comes first: both define the same configuration values.
    if "sphinx_sitemap" in app.config.extensions or "sphinx_sitemap" in app.extensions:
        raise ExtensionError(
            "sphinx_sitemap_ext replaces sphinx_sitemap and reads its configuration values; "
            "remove 'sphinx_sitemap' from extensions in conf.py"
        )
    add_config_values(app)
    sitemap = Sitemap()
    # Before Sphinx' own check of the types (800), which would warn of what is an error here.
    app.connect("config-inited", check_config)
    app.connect("env-before-read-docs", sitemap.note_reading)
    app.connect("html-page-context", sitemap.note_page)
    # Late: other extensions write further pages at 500.
    app.connect("build-finished", sitemap.write, priority=900)
    return {
        "version": version("docs-sitemap"),
        "parallel_read_safe": True,
        "parallel_write_safe": True,
    }
