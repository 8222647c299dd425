"""Where a hosting service publishes the site of this build."""

import os

from docs_sitemap.diagnostics import BuildCode, Diagnostics
from docs_sitemap.sitemap.urls import BaseUrl, origin, same_url


def name_folder(language: str, base_url: str | None) -> str:
    """Return the name of the folder in which a site is published in a language: the
    language, but `pt-br` for `pt_BR` on Read the Docs.
    """
    published = os.environ.get("READTHEDOCS_CANONICAL_URL", "")
    if base_url is not None and published.startswith(f"{origin(base_url)}/"):
        return language.replace("_", "-").lower()
    return language


def serves_robots(base_url: BaseUrl) -> bool:
    """Return whether Read the Docs publishes the `robots.txt` of this build at the root
    of its host, as it does for the default version of a project.

    Source: <https://docs.readthedocs.com/platform/stable/reference/robots.html>.
    """
    published = os.environ.get("READTHEDOCS_CANONICAL_URL", "")
    return same_url(f"{published.rstrip('/')}/", base_url)


def check_address(base_url: BaseUrl, diagnostics: Diagnostics) -> None:
    """Report if Read the Docs publishes this build at another URL than the base URL.

    Previews of pull requests have URLs of their own, which no sitemap should contain.

    Source:
    <https://docs.readthedocs.com/platform/stable/reference/environment-variables.html>.
    """
    published = os.environ.get("READTHEDOCS_CANONICAL_URL")
    if not published or os.environ.get("READTHEDOCS_VERSION_TYPE") == "external":
        return
    if not same_url(f"{published.rstrip('/')}/", base_url):
        message = (
            f"the URLs of the sitemap start with {base_url}, but Read the Docs "
            f"publishes this build at {published}. Fix: take the address of the site "
            "from the environment variable READTHEDOCS_CANONICAL_URL."
        )
        diagnostics.warn(BuildCode.BASE_URL, message)
