"""Messages in the log of Sphinx."""

from __future__ import annotations

from sphinx.util.logging import getLogger

from docs_sitemap import ProblemKind

logger = getLogger("sphinx_sitemap_ext")


def warn(kind: ProblemKind, message: str) -> None:
    """Log a warning that `suppress_warnings = ["sitemap.<kind>"]` can hide."""
    logger.warning("%s", message, type="sitemap", subtype=kind.value)
