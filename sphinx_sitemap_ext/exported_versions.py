"""Versions that sphinx-multiversion or sphinx-polyversion exports to a folder without
`.git`.
"""

import os
from typing import NamedTuple

from sphinx.application import Sphinx


class ExportedVersion(NamedTuple):
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
    """Return the version that another tool builds, if it does."""
    return _multiversion(app) or _polyversion(app)


def _multiversion(app: Sphinx) -> ExportedVersion | None:
    """Return the version of sphinx-multiversion, which builds all versions with the
    `conf.py` of the work tree.

    Source: <https://holzhaus.github.io/sphinx-multiversion/master/configuration.html>.
    """
    name = getattr(app.config, "smv_current_version", None)
    version = getattr(app.config, "smv_metadata", {}).get(name)
    if version is None:
        return None
    # A branch and a tag may have the same name, so the ref is the full name.
    ref = f"refs/{version['source']}/{version['name']}"
    return ExportedVersion(os.fspath(app.confdir), ref, version["confdir"])


def _polyversion(app: Sphinx) -> ExportedVersion | None:
    """Return the version of sphinx-polyversion, if `conf.py` calls `load(globals())`.
    The current folder usually is in the repository, but need not be.

    Source: <https://real-yfprojects.github.io/sphinx-polyversion/>.
    """
    # A `GitRef`, which names no commit in local previews.
    commit = getattr(app.config.html_context.get("current"), "obj", None)
    if "POLYVERSION_DATA" not in os.environ or not commit:
        return None
    return ExportedVersion(os.getcwd(), commit, os.fspath(app.srcdir))
