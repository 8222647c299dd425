"""Where a hosting service publishes the site of this build."""

from __future__ import annotations

import os

from docs_sitemap.errors import UrlError
from docs_sitemap.sitemap.urls import BaseUrl, parse_base_url, same_url


def published_elsewhere(base_url: BaseUrl) -> BaseUrl | None:
    """Return the URL at which Read the Docs publishes this build, if it is not the base URL.

    Previews of pull requests have URLs of their own, which no sitemap should contain.

    Source: <https://docs.readthedocs.com/platform/stable/reference/environment-variables.html>.
    """
    if os.environ.get("READTHEDOCS_VERSION_TYPE") == "external":
        return None
    try:
        published = parse_base_url(os.environ.get("READTHEDOCS_CANONICAL_URL", ""))
    except UrlError:
        return None
    return None if same_url(published, base_url) else published
