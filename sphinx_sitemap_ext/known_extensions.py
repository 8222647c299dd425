"""Pages of other extensions that search results should not contain."""

import posixpath
from collections.abc import Set
from datetime import datetime, timedelta

from sphinx.builders import Builder

# Lists of the computation times and of the documented objects that sphinx-gallery writes:
# https://sphinx-gallery.github.io/stable/configuration.html
_GALLERY_LISTS = ("sg_execution_times", "sg_api_usage")


def is_gallery_list(builder: Builder, docname: str) -> bool:
    """Return whether sphinx-gallery wrote a document for the developers of the project."""
    is_loaded = "sphinx_gallery.gen_gallery" in builder.config.extensions
    return is_loaded and posixpath.basename(docname) in _GALLERY_LISTS


def drafts_page(builder: Builder) -> str | None:
    """Return the name of the page on which ABlog lists drafts; `None` without ABlog.

    Source: <https://ablog.readthedocs.io/en/stable/manual/posting-and-listing.html>.
    """
    if "ablog" not in builder.config.extensions:
        return None
    return posixpath.join(builder.config.blog_path, "drafts")


def draft_posts(builder: Builder) -> Set[str]:
    """Return the documents that are drafts in ABlog: posts without a date, or with a future one.

    Source: <https://ablog.readthedocs.io/en/stable/manual/posting-and-listing.html>.
    """
    tomorrow = datetime.now() + timedelta(days=1)
    midnight = tomorrow.replace(hour=0, minute=0, second=0, microsecond=0)
    return {
        docname
        for docname, posts in getattr(builder.env, "ablog_posts", {}).items()
        if all(post["date"] is None or post["date"] >= midnight for post in posts)
    }
