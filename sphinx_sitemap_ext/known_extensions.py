"""Pages of other extensions that search results should not contain."""

import posixpath

from sphinx.builders import Builder

# Lists of the computation times and of the documented objects that sphinx-gallery
# writes: https://sphinx-gallery.github.io/stable/configuration.html
_GALLERY_LISTS = ("sg_execution_times", "sg_api_usage")


def is_gallery_list(builder: Builder, docname: str) -> bool:
    """Return whether sphinx-gallery wrote a document for the developers of the project."""
    is_loaded = "sphinx_gallery.gen_gallery" in builder.config.extensions
    return is_loaded and posixpath.basename(docname) in _GALLERY_LISTS
