"""Files of the user that Sphinx copies, and that the sitemap replaces."""

from pathlib import Path

from sphinx.application import Sphinx

from docs_sitemap.config.options import Options
from docs_sitemap.diagnostics import BuildCode
from docs_sitemap.result import BuildResult

from .sphinx_log import warn


def find_copied_file(app: Sphinx, name: str) -> Path | None:
    """Return the file that `html_extra_path` copies to a path below the output folder,
    if any. Of several files, Sphinx keeps the last one.
    """
    for entry in reversed(app.config.html_extra_path):
        path = Path(app.confdir, entry)
        if path.name == name and path.is_file():
            return path
        if (path / name).is_file():
            return path / name
    return None


def check_copied_sitemap(app: Sphinx, options: Options, result: BuildResult) -> None:
    """Warn if the sitemap has replaced this file."""
    copied = find_copied_file(app, options.filename)
    if copied is not None and result.files:
        warn(
            BuildCode.CONFLICT,
            f"the sitemap replaces {copied} in the output: html_extra_path copies "
            "this file to the same path. Fix: remove the file, or set "
            "sitemap_filename.",
        )
