"""What the options of sphinx-sitemap mean here, where that differs.

Source: <https://sphinx-sitemap.readthedocs.io/en/v2.9.0/configuration-values.html>.
"""

import json
from dataclasses import replace
from importlib.util import find_spec

from sphinx.config import Config

from docs_sitemap.config.languages import language_folder, page_base_url
from docs_sitemap.config.options import Options
from docs_sitemap.diagnostics import BuildCode
from docs_sitemap.result import BuildResult
from docs_sitemap.tools.printing import printable

from .sphinx_log import logger, warn

_EARLIER_SCHEME = "{lang}{version}{link}"


def check_changed_urls(options: Options, config: Config, result: BuildResult) -> None:
    """Log a warning if sphinx-sitemap has written other URLs with the same `conf.py`.
    It is a notice if no option shows that the project used sphinx-sitemap, but it is
    installed.
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
