"""Pages of other extensions that search results should not contain."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Set
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sphinx.application import Sphinx
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


@dataclass(frozen=True)
class ExportedVersion:
    """A version of the project that another tool exported to a folder without `.git`.

    Attributes:
        repository: A folder that is probably in the repository of the project.
        ref: The commit of the version, or the full name of its branch or tag.
        confdir: The folder of the version that contains its `conf.py`.
    """

    repository: str
    ref: str
    confdir: str


def find_exported_version(app: Sphinx) -> ExportedVersion | None:
    """Return the version that Sphinx builds; `None` if no known tool exported it."""
    return _multiversion(app) or _polyversion(app)


def _multiversion(app: Sphinx) -> ExportedVersion | None:
    """Return the version of sphinx-multiversion, which builds all versions with the `conf.py` of
    the work tree.

    Source: <https://holzhaus.github.io/sphinx-multiversion/master/configuration.html>.
    """
    name = getattr(app.config, "smv_current_version", None)
    versions = getattr(app.config, "smv_metadata", {})
    if not name or name not in versions:
        return None
    version = versions[name]
    # A branch and a tag may have the same name, so the ref is the full name.
    ref = f"refs/{version['source']}/{version['name']}"
    return ExportedVersion(os.fspath(app.confdir), ref, version["confdir"])


def _polyversion(app: Sphinx) -> ExportedVersion | None:
    """Return the version of sphinx-polyversion, if `conf.py` calls `load(globals())`. The current
    folder usually is in the repository, but need not be.

    Source: <https://real-yfprojects.github.io/sphinx-polyversion/>.
    """
    if "POLYVERSION_DATA" not in os.environ:
        return None
    # A `GitRef`, which names no commit in local previews.
    commit = getattr(app.config.html_context.get("current"), "obj", None)
    folders = (app.srcdir, *app.srcdir.parents)
    if not commit or any((folder / ".git").exists() for folder in folders):
        return None
    return ExportedVersion(os.getcwd(), commit, os.fspath(app.srcdir))
