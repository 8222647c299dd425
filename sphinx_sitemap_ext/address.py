"""The address of the published site."""

import json
import os

from sphinx.config import Config

from docs_sitemap.config.languages import page_base_url
from docs_sitemap.config.options import Options
from docs_sitemap.configure import with_address
from docs_sitemap.diagnostics import BuildCode
from docs_sitemap.errors import UrlError
from docs_sitemap.sitemap.urls import parse_base_url

from .sphinx_log import warn

# The customary values for builds that are not published.
_NO_ADDRESS = (None, "", "/")


def find_address(config: Config) -> str | None:
    """Return the address of the published site, not yet validated; `None` if it is not
    set.
    """
    # https://docs.readthedocs.com/platform/stable/reference/environment-variables.html
    hosted = os.environ.get("READTHEDOCS_CANONICAL_URL")
    for address in (config.site_url, config.html_baseurl, hosted):
        if address not in _NO_ADDRESS:
            return str(address)
    return None


def with_base_url(options: Options, config: Config) -> Options:
    """Return the options with the address of the published site.

    Raises:
        UrlError: The address is not set, or is invalid.
        OptionError: Other options do not fit the address.
    """
    address = find_address(config)
    if address is None:
        raise UrlError("html_baseurl is not set to an absolute URL")
    return with_address(options, parse_base_url(address))


def check_canonical_links(options: Options, config: Config) -> None:
    """Warn if the canonical links of the pages contain another URL than the sitemap."""
    listed = page_base_url(options)
    try:
        canonical = parse_base_url(config.html_baseurl or "")
    except UrlError:  # The pages have no canonical links.
        return
    if canonical != listed:
        warn(
            BuildCode.BASE_URL,
            "the sitemap differs from the canonical links of the pages: its URLs start "
            f"with {listed}, the canonical links with {canonical}, and search engines "
            "may ignore URLs that are not canonical. Fix: set html_baseurl = "
            f"{json.dumps(listed)} in conf.py, and remove site_url and "
            "sitemap_url_scheme.",
        )
