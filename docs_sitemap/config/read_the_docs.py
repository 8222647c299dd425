"""Where Read the Docs publishes the site of this build.

Source:
<https://docs.readthedocs.com/platform/stable/reference/environment-variables.html>.
"""

import os

from docs_sitemap.diagnostics import BuildCode, Diagnostics, UrlError
from docs_sitemap.sitemap.urls import BaseUrl, NormalizedUrl, parse_base_url


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


def check_address(base_url: BaseUrl, diagnostics: Diagnostics) -> None:
    """Report if Read the Docs publishes a build at another URL than its base URL."""
    published = published_url()
    if published is None or is_preview():
        return
    if NormalizedUrl(published) != NormalizedUrl(base_url):
        message = (
            f"the URLs of the sitemap start with {base_url}, but Read the Docs "
            f"publishes this build at {published}. Fix: take the address of the site "
            "from the environment variable READTHEDOCS_CANONICAL_URL."
        )
        diagnostics.warn(BuildCode.BASE_URL, message)


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
