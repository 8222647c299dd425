"""The address of the published site: `site_url`, or the address of the version that
mike deploys.
"""

import os
from urllib.parse import urljoin

from mkdocs.config.defaults import MkDocsConfig

from docs_sitemap.diagnostics import BuildCode, Diagnostic, Severity

# mike sets this variable for the build of a version.
_VERSION_VARIABLE = "MIKE_DOCS_VERSION"

# The usual names that follow the newest version.
_ALIASES = ("latest", "stable")


def published_url(config: MkDocsConfig) -> str:
    """Return the address at which a build is published; empty if it is unknown.

    With the option `canonical_version`, mike sets `site_url` to the address of that
    version, so that the canonical links of all versions name it. Each version still has
    its own address.
    """
    site_url = config.site_url or ""
    plugin = config.plugins.get("mike")
    version = os.environ.get(_VERSION_VARIABLE)
    if plugin is None or not version:
        return site_url
    canonical = plugin.config.get("canonical_version")
    if not canonical or not site_url.rstrip("/").endswith(f"/{canonical}"):
        return site_url
    return urljoin(site_url.rstrip("/"), version)


def find_alias(config: MkDocsConfig) -> list[Diagnostic]:
    """Return a notice if `site_url` ends in an alias, below which mike publishes no
    versions.
    """
    plugin = config.plugins.get("mike")
    version = os.environ.get(_VERSION_VARIABLE)
    if plugin is None or not version:
        return []
    url = published_url(config)
    for alias in (*_ALIASES, plugin.config.get("canonical_version")):
        if alias and url.rstrip("/").endswith(f"/{alias}/{version}"):
            message = (
                f"the URLs of the sitemap start with {url}, because mike adds the "
                f"version to site_url, which ends in the alias {alias}. Fix: remove "
                f"{alias} from the end of site_url."
            )
            return [Diagnostic(BuildCode.BASE_URL, message, Severity.NOTICE)]
    return []
