"""Messages in the log of Sphinx."""

from __future__ import annotations

from sphinx.util.logging import getLogger

from docs_sitemap import BuildCode
from docs_sitemap.options import use_sphinx_names

logger = getLogger("sphinx_sitemap_ext")


def warn(kind: BuildCode, message: str, *, docname: str | None = None) -> None:
    """Log a warning that `suppress_warnings = ["sitemap.<kind>"]` can hide.

    Args:
        kind: The subject.
        message: The warning, with the options named as in the core.
        docname: The document that the warning is about, if any.
    """
    # Sphinx does not look up a text with a colon, but any document in a tuple.
    location = (docname, None) if docname else None
    logger.warning(
        "%s", use_sphinx_names(message), type="sitemap", subtype=kind.value, location=location
    )


def notice(message: str) -> None:
    """Log information, which does not make a strict build fail.

    Args:
        message: The information, with the options named as in the core.
    """
    # Sphinx shows the origin of warnings, but not of information.
    logger.info("sitemap: %s", use_sphinx_names(message))
