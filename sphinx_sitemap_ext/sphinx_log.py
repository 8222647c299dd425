"""Messages in the log of Sphinx."""

from sphinx.util.logging import getLogger

from docs_sitemap.diagnostics import BuildCode, Diagnostic, Severity

logger = getLogger("sphinx_sitemap_ext")


def warn(code: BuildCode, message: str) -> None:
    """Log a warning that `suppress_warnings = ["sitemap.<code>"]` can hide."""
    log_diagnostic(Diagnostic(code, message))


def log_diagnostic(diagnostic: Diagnostic, docname: str | None = None) -> None:
    """Log a notice as information, which does not make a strict build fail, or else a
    warning.

    Args:
        diagnostic: The diagnostic.
        docname: The document that it is about, if any.
    """
    message = diagnostic.message
    if diagnostic.severity is Severity.NOTICE:
        # Sphinx shows the origin of warnings, but not of information.
        logger.info("sitemap: %s", message)
    else:
        # Sphinx does not look up a text with a colon, but any document in a tuple.
        location = (docname, None) if docname else None
        logger.warning(
            "%s",
            message,
            type="sitemap",
            subtype=str(diagnostic.code),
            location=location,
        )
