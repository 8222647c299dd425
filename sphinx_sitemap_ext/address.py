"""The address of the published site."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from typing import TYPE_CHECKING

from docs_sitemap import OptionError, Options, UrlError
from docs_sitemap.hosting import published_elsewhere
from docs_sitemap.sitemap.urls import parse_base_url
from sphinx_sitemap_ext.config import NO_ADDRESS, config_error

if TYPE_CHECKING:
    from sphinx.config import Config


def find_address(options: Options, config: Config) -> str | None:
    """Return the address of the published site, not yet validated; `None` if it is not set."""
    # https://docs.readthedocs.com/platform/stable/reference/environment-variables.html
    hosted = os.environ.get("READTHEDOCS_CANONICAL_URL")
    address = options.base_url or config.html_baseurl or hosted
    return None if address in NO_ADDRESS else str(address)


def with_base_url(options: Options, config: Config) -> Options:
    """Return the options with the address of the published site.

    Raises:
        UrlError: The address is not set, or is invalid.
        ConfigError: Other options do not fit the address.
    """
    address = find_address(options, config)
    if address is None:
        raise UrlError("html_baseurl is not set to an absolute URL")
    base_url = parse_base_url(address)
    try:
        return replace(options, base_url=base_url)
    except OptionError as error:
        raise config_error(error.errors) from None


def contradicting_address(options: Options, config: Config) -> str | None:
    """Return a warning if the site is published at another URL than the one in the sitemap, or if
    the canonical links of its pages contain another one.
    """
    listed = options.page_base_url()
    published = published_elsewhere(listed)
    if published is not None:
        return (
            f"the URLs of the sitemap start with {listed}, but Read the Docs publishes this build "
            f"at {published}. Fix: set "
            'html_baseurl = os.environ.get("READTHEDOCS_CANONICAL_URL", "") in conf.py'
            f"{_and_remove(options, config)}, or build the sitemap only for the version at "
            f"{listed}."
        )
    try:
        canonical = parse_base_url(config.html_baseurl) if config.html_baseurl else listed
    except UrlError:
        return None
    if canonical == listed:
        return None
    return (
        f"the sitemap differs from the canonical links of the pages: its URLs start with {listed}, "
        f"the canonical links with {canonical}, and search engines may ignore URLs that are not "
        f"canonical. Fix: set html_baseurl = {json.dumps(listed)} in conf.py"
        f"{_and_remove(options, config)}."
    )


def _and_remove(options: Options, config: Config) -> str:
    """Return the advice to remove the settings that change the URL of `html_baseurl`."""
    names = []
    if options.url_scheme != Options().url_scheme:
        names.append("sitemap_url_scheme")
    if config.site_url:
        names.append("site_url")
    return f", and remove {' and '.join(names)}" if names else ""
