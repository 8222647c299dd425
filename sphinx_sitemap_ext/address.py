"""The address of the published site."""

import json
from contextlib import suppress

from sphinx.config import Config

from docs_sitemap.config.languages import page_base_url
from docs_sitemap.config.options import Options
from docs_sitemap.config.read_the_docs import published_url
from docs_sitemap.diagnostics import BuildCode, UrlError
from docs_sitemap.sitemap.urls import NormalizedUrl, parse_base_url

from .sphinx_log import warn

# The customary values for builds that are not published.
_NO_ADDRESS = (None, "", "/")


def find_address(config: Config) -> str | None:
    """Return the address of the published site, which may be invalid; `None` if it is
    not set.
    """
    for value in (config.site_url, config.html_baseurl, published_url()):
        if value not in _NO_ADDRESS:
            return str(value)
    return None


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
