"""The address of the published site."""

import json

from sphinx.config import Config

from docs_sitemap.address import Address, Evidence, Origin
from docs_sitemap.config.languages import page_base_url
from docs_sitemap.config.options import Options
from docs_sitemap.config.read_the_docs import published_url
from docs_sitemap.configure import with_address
from docs_sitemap.diagnostics import BuildCode
from docs_sitemap.errors import UrlError
from docs_sitemap.sitemap.urls import BaseUrl, parse_base_url

from .sphinx_log import warn

# The customary values for builds that are not published.
_NO_ADDRESS = (None, "", "/")


def find_address(config: Config) -> Address | None:
    """Return the address of the published site; `None` if it is not set.

    Raises:
        UrlError: The setting that decides is invalid.
    """
    evidence: list[Evidence] = []
    for origin, value in (
        (Origin.SITE_URL, config.site_url),
        (Origin.HTML_BASEURL, config.html_baseurl),
        (Origin.READ_THE_DOCS, published_url()),
    ):
        if value in _NO_ADDRESS:
            continue
        try:
            evidence.append(Evidence(origin, parse_base_url(str(value))))
        except UrlError:
            if not evidence:
                raise
    if not evidence:
        return None
    return Address(BaseUrl(evidence[0].url), tuple(evidence))


def with_base_url(options: Options, config: Config) -> Options:
    """Return the options with the address of the published site.

    Raises:
        UrlError: The address is not set, or is invalid.
        OptionError: Other options do not fit the address.
    """
    address = find_address(config)
    if address is None:
        raise UrlError("html_baseurl is not set to an absolute URL")
    return with_address(options, address.base_url)


def has_address(config: Config) -> bool:
    """Return whether an address is set, although it may be invalid."""
    try:
        return find_address(config) is not None
    except UrlError:
        return True


def check_canonical_links(options: Options, config: Config) -> None:
    """Warn if the canonical links of the pages contain another URL than the sitemap."""
    address = find_address(config)
    if address is None:
        return
    listed = page_base_url(options)
    for one in address.evidence:
        if one.origin is Origin.HTML_BASEURL and one.contradicts(listed):
            warn(
                BuildCode.BASE_URL,
                "the sitemap differs from the canonical links of the pages: its URLs "
                f"start with {listed}, the canonical links with {one.url}, and search "
                "engines may ignore URLs that are not canonical. Fix: set html_baseurl "
                f"= {json.dumps(listed)} in conf.py, and remove site_url and "
                "sitemap_url_scheme.",
            )
