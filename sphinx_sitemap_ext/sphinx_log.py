"""Messages in the log of Sphinx."""

from collections.abc import Iterable

from sphinx.environment import BuildEnvironment
from sphinx.util.logging import getLogger

from docs_sitemap.diagnostics import Diagnostic, Severity
from docs_sitemap.tools.printing import printable

logger = getLogger("sphinx_sitemap_ext")


def log_diagnostics(diagnostics: Iterable[Diagnostic], env: BuildEnvironment) -> None:
    """Log notices as information, which does not make a strict build fail, and all
    others as warnings, with the documents that they are about.
    """
    for one in diagnostics:
        if one.severity is Severity.NOTICE:
            # Sphinx shows the origin of warnings, but not of information.
            logger.info("sitemap: %s", one.message)
        else:
            warn(one.code, one.message, env.path2doc(one.page) if one.page else None)


def warn(code: str, message: str, docname: str | None = None) -> None:
    """Log a warning that `suppress_warnings = ["sitemap.<code>"]` can hide."""
    # Sphinx does not look up a text with a colon, but any document in a tuple.
    location = (docname, None) if docname else None
    logger.warning(
        "%s", printable(message), type="sitemap", subtype=str(code), location=location
    )
