"""Sources that Sphinx does not record itself: noted while documents are read.

They are saved in the environment: another process, or an earlier build, may have read a document.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Set
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

# Increase this number if the saved values change: Sphinx then reads all documents again.
ENV_VERSION = 1


def note_source(env: BuildEnvironment, path: str | os.PathLike[str]) -> None:
    """Add a source file to the document that is read."""
    _noted_sources(env).setdefault(env.docname, set()).add(os.path.abspath(path))


def noted_sources(env: BuildEnvironment, docname: str) -> Set[str]:
    """Return the absolute paths of the noted source files of a document."""
    return _noted_sources(env).get(docname, frozenset())


def forget_sources(app: Sphinx, env: BuildEnvironment, docname: str) -> None:
    """Handle `env-purge-doc`: the document is read again, or was removed."""
    _noted_sources(env).pop(docname, None)


def merge_sources(
    app: Sphinx, env: BuildEnvironment, docnames: Collection[str], other: BuildEnvironment
) -> None:
    """Handle `env-merge-info`: another process has read the documents."""
    sources = _noted_sources(other)
    _noted_sources(env).update({name: sources[name] for name in docnames if name in sources})


def _noted_sources(env: BuildEnvironment) -> dict[str, set[str]]:
    sources: dict[str, set[str]] = vars(env).setdefault("sitemap_sources", {})
    return sources
