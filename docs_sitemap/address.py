"""Where a site is published: its address, and the evidence for it."""

from enum import StrEnum
from typing import NamedTuple
from urllib.parse import urlsplit

from .config.read_the_docs import is_preview, published_url
from .diagnostics import BuildCode, Diagnostics
from .sitemap.urls import BaseUrl, NormalizedUrl


class Origin(StrEnum):
    """Where evidence for the address of a site comes from, in the words of messages."""

    OPTION = "the option base_url"
    SITE_URL = "site_url"
    HTML_BASEURL = "html_baseurl"
    READ_THE_DOCS = "Read the Docs"
    REPORT = "the report of the build"
    SITEMAP = "the sitemap"
    CANONICAL_LINKS = "the canonical links"
    CNAME = "the file CNAME"
    ASSETS = "the paths of stylesheets and scripts"
    REMOTE = "the remote of the git repository"


class Evidence(NamedTuple):
    """What one origin says about the address of a site.

    Attributes:
        origin: The origin.
        url: The base URL. Assets know only its path, such as `/docs/`, and a remote
            only the address of the hosting service, which the site need not use.
    """

    origin: Origin
    url: str

    def __str__(self) -> str:
        return f"{self.url} ({self.origin})"

    def contradicts(self, base_url: BaseUrl) -> bool:
        """Return whether a site cannot be published at a base URL if the evidence is
        accurate.
        """
        if self.origin is Origin.REMOTE:
            return False
        if self.origin is Origin.ASSETS:
            return urlsplit(base_url).path != self.url
        if self.origin is Origin.CNAME:  # It does not know the scheme.
            return base_url.partition("://")[2] != self.url.partition("://")[2]
        return NormalizedUrl(base_url) != NormalizedUrl(self.url)


def check_address(base_url: BaseUrl, diagnostics: Diagnostics) -> None:
    """Report if Read the Docs publishes a build at another URL than its base URL."""
    published = published_url()
    if published is None or is_preview():
        return
    if Evidence(Origin.READ_THE_DOCS, published).contradicts(base_url):
        message = (
            f"the URLs of the sitemap start with {base_url}, but Read the Docs "
            f"publishes this build at {published}. Fix: take the address of the site "
            "from the environment variable READTHEDOCS_CANONICAL_URL."
        )
        diagnostics.warn(BuildCode.BASE_URL, message)
