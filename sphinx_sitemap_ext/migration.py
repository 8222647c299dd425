"""What the options of sphinx-sitemap mean here, where that differs.

Source: <https://sphinx-sitemap.readthedocs.io/en/v2.9.0/configuration-values.html>.
"""

import json
from dataclasses import replace

from sphinx.config import Config

from docs_sitemap import Options, Report

_EARLIER_SCHEME = "{lang}{version}{link}"


def changed_urls(options: Options, config: Config, report: Report) -> str | None:
    """Return a warning if sphinx-sitemap has written other URLs with the same
    `conf.py`.
    """
    # Sphinx has no public access to the variables in `conf.py`:
    # https://github.com/sphinx-doc/sphinx/blob/v8.2.3/sphinx/config.py
    names = {*getattr(config, "_raw_config", {}), *config.overrides}
    # Here, dates are on by default.
    turns_dates_on = "sitemap_show_lastmod" in names and config.sitemap_show_lastmod
    if "sitemap_url_scheme" in names or not report.listed:
        return None
    if "sitemap_locales" not in names and not turns_dates_on:
        return None
    base_url = options.page_base_url()
    earlier_url = replace(options, url_scheme=_EARLIER_SCHEME).page_base_url()
    # With the language in `html_baseurl`, sphinx-sitemap would have listed it twice.
    if earlier_url == base_url or options.language_folder():
        return None
    loc = report.listed[-1].loc
    earlier_loc = f"{earlier_url}{loc.removeprefix(base_url)}"
    return (
        f"with this conf.py, sphinx-sitemap lists {earlier_loc}, but docs-sitemap "
        f"lists {loc}: it does not add the language and the version. Fix: to list the "
        "second URL, set "
        f'sitemap_url_scheme = "{options.url_scheme}"; to list the first, set '
        f"{'site_url' if config.site_url else 'html_baseurl'} = {json.dumps(earlier_url)}."
    )
