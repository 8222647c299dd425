"""What contradicts the sitemap: files that it replaces, canonical links of the pages,
and URLs that sphinx-sitemap would have written.
"""

import json
from contextlib import suppress
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.config import Config

from docs_sitemap.config.languages import language_folder, page_base_url
from docs_sitemap.config.options import Options
from docs_sitemap.diagnostics import BuildCode, UrlError
from docs_sitemap.result import BuildResult
from docs_sitemap.sitemap.urls import NormalizedUrl, parse_base_url
from docs_sitemap.tools.printing import printable

from .sphinx_log import logger, warn

_EARLIER_SCHEME = "{lang}{version}{link}"


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


def check_canonical_links(options: Options, config: Config) -> None:
    """Warn if the canonical links of the pages contain another URL than the sitemap."""
    listed = page_base_url(options)
    with suppress(UrlError):  # The value is not an absolute URL.
        canonical = parse_base_url(str(config.html_baseurl))
        if NormalizedUrl(canonical) != NormalizedUrl(listed):
            warn(
                BuildCode.BASE_URL,
                "the sitemap differs from the canonical links of the pages: its URLs "
                f"start with {listed}, the canonical links with {canonical}, and "
                "search engines may ignore URLs that are not canonical. Fix: set "
                f"html_baseurl = {json.dumps(listed)} in conf.py, and remove site_url "
                "and sitemap_url_scheme.",
            )


def check_changed_urls(options: Options, config: Config, result: BuildResult) -> None:
    """Log a warning if sphinx-sitemap has written other URLs with the same `conf.py`.
    It is a notice if no option shows that the project used sphinx-sitemap, but it is
    installed.

    Source:
    <https://sphinx-sitemap.readthedocs.io/en/v2.9.0/configuration-values.html>.
    """
    # Sphinx has no public access to the variables in `conf.py`:
    # https://github.com/sphinx-doc/sphinx/blob/v8.2.3/sphinx/config.py
    names = {*getattr(config, "_raw_config", {}), *config.overrides}
    # Here, dates are on by default.
    turns_dates_on = "sitemap_show_lastmod" in names and config.sitemap_show_lastmod
    if "sitemap_url_scheme" in names or not result.listed:
        return
    was_used = "sitemap_locales" in names or turns_dates_on
    if not was_used and find_spec("sphinx_sitemap") is None:
        return
    base_url = page_base_url(options)
    earlier_url = page_base_url(replace(options, url_scheme=_EARLIER_SCHEME))
    # With the language in `html_baseurl`, sphinx-sitemap would have listed it twice.
    if earlier_url == base_url or language_folder(options):
        return
    loc = result.listed[-1].loc
    earlier_loc = f"{earlier_url}{loc.removeprefix(base_url)}"
    address = "site_url" if config.site_url else "html_baseurl"
    message = (
        f"with this conf.py, sphinx-sitemap lists {earlier_loc}, but docs-sitemap "
        f"lists {loc}: it does not add the language and the version. Fix: to list the "
        f'second URL, set sitemap_url_scheme = "{options.url_scheme}"; to list the '
        f"first, set {address} = {json.dumps(earlier_url)}."
    )
    if was_used:
        warn(BuildCode.OPTION, message)
    else:
        logger.info("sitemap: %s", printable(message))
