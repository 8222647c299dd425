"""Whether the address of a site is the one in its file `CNAME`."""

import os
from contextlib import suppress
from urllib.parse import urlsplit

from docs_sitemap.config.read_the_docs import published_url
from docs_sitemap.diagnostics import BuildCode, Diagnostics, UrlError
from docs_sitemap.site import Site
from docs_sitemap.sitemap.urls import BaseUrl, parse_base_url
from docs_sitemap.tools.files import read_regular

CNAME_FILE = "CNAME"
"""The file with the domain of a site at GitHub Pages."""

MAX_CNAME = 1_024
"""In bytes: what GitHub reads of the file, and more."""


def check_published_address(site: Site, diagnostics: Diagnostics) -> None:
    """Report if the address of a site has another domain than `CNAME`."""
    # Read the Docs knows the address, and the address of a preview is a local one.
    if site.is_preview or published_url() is not None:
        return
    published = None
    with suppress(OSError):
        path = os.path.join(site.out_dir, CNAME_FILE)
        published = parse_cname(read_regular(path, MAX_CNAME))
    if published is None or has_domain(site.base_url, published):
        return
    message = (
        f"the URLs of the sitemap start with {site.base_url}, but the file "
        f"{CNAME_FILE} names {published}. Fix: correct the address of the site; ignore "
        "this if the site is published elsewhere."
    )
    diagnostics.note(BuildCode.BASE_URL, message)


def parse_cname(data: bytes) -> BaseUrl | None:
    """Return the address in the file `CNAME`; `None` if it contains no domain.

    Source:
    <https://docs.github.com/en/pages/configuring-a-custom-domain-for-your-github-pages-site/troubleshooting-custom-domains-and-github-pages>.
    """
    domain = data.decode("utf-8", "replace").strip()
    if "." in domain and not {*"/:"} & {*domain}:
        with suppress(UrlError):
            return parse_base_url(f"https://{domain}/")
    return None


def has_domain(base_url: str, url: str) -> bool:
    """Return whether two URLs have the same domain. GitHub Pages redirects to or from
    `www.`.
    """
    domains = {urlsplit(one).netloc.removeprefix("www.") for one in (base_url, url)}
    return len(domains) == 1
