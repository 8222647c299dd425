"""Where a site is published: what Read the Docs or the file CNAME declares.

Sources:
<https://docs.readthedocs.com/platform/stable/reference/environment-variables.html> and
<https://docs.github.com/en/pages/configuring-a-custom-domain-for-your-github-pages-site>.
"""

import os
from contextlib import suppress
from urllib.parse import urlsplit

from docs_sitemap.diagnostics import BuildCode, Diagnostics, UrlError
from docs_sitemap.sitemap.hosts import LOCAL_ADDRESS, check_origin
from docs_sitemap.sitemap.urls import BaseUrl, NormalizedUrl, parse_base_url
from docs_sitemap.tools.files import read_regular

CNAME_FILE = "CNAME"
"""The file with the domain of a site at GitHub Pages."""

MAX_CNAME = 1_024
"""In bytes: what GitHub reads of the file, and more."""


def published_url() -> BaseUrl | None:
    """Return the URL at which Read the Docs publishes this build; `None` elsewhere."""
    try:
        return parse_base_url(os.environ.get("READTHEDOCS_CANONICAL_URL", ""))
    except UrlError:
        return None


def is_preview() -> bool:
    """Return whether Read the Docs builds a preview of a pull request. It has a URL of
    its own, which no sitemap should contain.
    """
    return os.environ.get("READTHEDOCS_VERSION_TYPE") == "external"


def check_address(
    base_url: BaseUrl, out_dir: str, diagnostics: Diagnostics, *, is_chosen: bool
) -> None:
    """Report if a build is published at another URL than its base URL, which may also
    be local: Read the Docs knows the address, and elsewhere, `CNAME` in the folder of
    the site has the domain.

    Args:
        base_url: The base URL.
        out_dir: The folder of the site.
        diagnostics: Receives the diagnostic.
        is_chosen: Whether `check` accepts the base URL, whatever `CNAME` contains.
    """
    _check_host(base_url, diagnostics)
    published = published_url()
    if published is not None:
        if not is_preview() and NormalizedUrl(published) != NormalizedUrl(base_url):
            message = (
                f"the URLs of the sitemap start with {base_url}, but Read the Docs "
                f"publishes this build at {published}. Fix: take the address of the "
                "site from the environment variable READTHEDOCS_CANONICAL_URL."
            )
            diagnostics.warn(BuildCode.BASE_URL, message)
        return
    with suppress(OSError):
        path = os.path.join(out_dir, CNAME_FILE)
        published = parse_cname(read_regular(path, MAX_CNAME))
    if published is not None and not has_domain(base_url, published):
        message = (
            f"the URLs of the sitemap start with {base_url}, but the file {CNAME_FILE} "
            f"contains {published}. Fix: correct the address of the site; ignore this "
            "if the site is published elsewhere"
        )
        if not is_chosen:
            message += ", and add --base-url to docs-sitemap check"
        message += "."
        diagnostics.note(BuildCode.BASE_URL, message)


def _check_host(base_url: BaseUrl, diagnostics: Diagnostics) -> None:
    """Report if the base URL is the address of a local server, or of an example."""
    fault = check_origin(NormalizedUrl(base_url).origin)
    if fault is None:
        return
    rule, message = fault
    message += (
        ", and the URLs of the sitemap start with it. Fix: set the address of the "
        "published site"
    )
    if rule is LOCAL_ADDRESS:
        fix = "or turn docs-sitemap off if only your network reads the site"
        diagnostics.warn(BuildCode.BASE_URL, f"{message}, {fix}.")
    else:
        diagnostics.note(BuildCode.BASE_URL, f"{message}.")


def name_folder(language: str, base_url: str | None) -> str:
    """Return the name of the folder in which a site is published in a language: the
    language, but `pt-br` for `pt_BR` on Read the Docs.
    """
    published = published_url()
    if base_url is not None and published is not None:
        if NormalizedUrl(published).origin == NormalizedUrl(base_url).origin:
            return language.replace("_", "-").lower()
    return language


def serves_robots(base_url: BaseUrl) -> bool:
    """Return whether Read the Docs publishes the `robots.txt` of this build at the root
    of its host, as it does for the default version of a project.

    Source: <https://docs.readthedocs.com/platform/stable/reference/robots.html>.
    """
    published = published_url()
    return published is not None and NormalizedUrl(published) == NormalizedUrl(base_url)


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
