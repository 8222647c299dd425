"""What contradicts the sitemap: files that it replaces, and canonical links of the
pages.
"""

import json
from contextlib import suppress
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.config import Config

from docs_sitemap.config.languages import page_base_url
from docs_sitemap.config.options import Options
from docs_sitemap.diagnostics import BuildCode, UrlError
from docs_sitemap.result import BuildResult
from docs_sitemap.sitemap.urls import NormalizedUrl, parse_base_url

from .sphinx_log import warn

# Where Sphinx copies the files in `html_static_path`.
_STATIC = "_static/"


def find_copied_file(app: Sphinx, name: str) -> Path | None:
    """Return the file that `html_extra_path` or `html_static_path` copies to a path
    below the output folder, if any. Of several files, Sphinx keeps the last one.
    """
    entries = app.config.html_extra_path
    if name.startswith(_STATIC):
        name = name.removeprefix(_STATIC)
        entries = app.config.html_static_path
    for entry in reversed(entries):
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


def check_canonical_links(options: Options, config: Config) -> None:
    """Warn if the canonical links of the pages contain another URL than the sitemap."""
    listed = page_base_url(options)
    with suppress(UrlError):  # The value is not an absolute URL.
        canonical = parse_base_url(str(config.html_baseurl))
        if NormalizedUrl(canonical) != NormalizedUrl(listed):
            warn(
                BuildCode.BASE_URL,
                f"the URLs of the sitemap start with {listed}, but the canonical "
                f"links of the pages with {canonical}, so search engines may ignore "
                "the sitemap. Fix: in conf.py, remove site_url and "
                "sitemap_url_scheme; if the URLs of the sitemap are correct, also "
                f"set html_baseurl = {json.dumps(listed)}.",
            )
