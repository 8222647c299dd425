"""A file of the user that the sitemap replaces."""

from pathlib import Path

from sphinx.application import Sphinx

from docs_sitemap.config.options import Options
from docs_sitemap.diagnostics import BuildCode
from docs_sitemap.result import BuildResult

from .sphinx_log import warn


def find_copied_sitemap(app: Sphinx, options: Options) -> Path | None:
    """Return the file that `html_extra_path` copies to the path of the sitemap, if
    any.
    """
    for entry in app.config.html_extra_path:
        path = Path(app.confdir, entry)
        for candidate in (path, path / options.filename):
            if candidate.name == options.filename and candidate.is_file():
                return candidate
    return None


def check_copied_sitemap(app: Sphinx, options: Options, result: BuildResult) -> None:
    """Warn if the sitemap has replaced this file."""
    copied = find_copied_sitemap(app, options)
    if copied is not None and result.files:
        warn(
            BuildCode.CONFLICT,
            f"the sitemap replaces {copied} in the output: html_extra_path copies "
            "this file to the same path. Fix: remove the file, or set "
            "sitemap_filename.",
        )
