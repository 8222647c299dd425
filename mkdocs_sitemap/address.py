"""The address of the published site: `site_url`, or the address of the version that
mike deploys. The languages of the site, and of each page.
"""

import re
from urllib.parse import urljoin

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File

from docs_sitemap.config import mkdocs_settings
from docs_sitemap.config.languages import page_base_url
from docs_sitemap.config.mkdocs_settings import mike_version
from docs_sitemap.config.options import Options
from docs_sitemap.diagnostics import Diagnostic
from docs_sitemap.sitemap.urls import BaseUrl


def published_url(config: MkDocsConfig) -> str:
    """Return the address at which a build is published; empty if it is unknown.

    With the option `canonical_version`, mike sets `site_url` to the address of that
    version, so that the canonical links of all versions name it. Each version still has
    its own address.
    """
    site_url = config.site_url or ""
    canonical = _canonical_version(config)
    if not canonical or not site_url.rstrip("/").endswith(f"/{canonical}"):
        return site_url
    return urljoin(site_url.rstrip("/"), mike_version())


def _canonical_version(config: MkDocsConfig) -> str | None:
    """Return the option of mike with this name; `None` if mike builds no version."""
    plugin = config.plugins.get("mike")
    if plugin is None or not mike_version():
        return None
    version: str | None = plugin.config.get("canonical_version")
    return version


def find_alias(config: MkDocsConfig) -> list[Diagnostic]:
    """Return a notice if `site_url` ends in an alias of mike."""
    if "mike" not in config.plugins:
        return []
    return mkdocs_settings.find_alias(published_url(config), _canonical_version(config))


def find_languages(options: Options, config: MkDocsConfig) -> dict[str, BaseUrl] | None:
    """Return the address of the site in each language; `None` if it follows from the
    options.
    """
    i18n = config.plugins.get("i18n")
    return mkdocs_settings.find_languages(
        page_base_url(options),
        None if i18n is None else i18n.config,
        config.extra.get("alternate"),
    )


def theme_language(config: MkDocsConfig) -> str:
    """Return the language of the theme."""
    return mkdocs_settings.theme_language(config.theme)


def page_language(file: File, language: str) -> str:
    """Return the language of a page: of the theme, unless mkdocs-static-i18n builds the
    page in another language. It adapts only some themes.

    Args:
        file: The file of the page.
        language: The language of the theme.
    """
    built = getattr(file, "locale_alternate_of", None)
    if not built or _main_language(built) == _main_language(language):
        return language
    return str(built)


def _main_language(language: str) -> str:
    """Return the language without its script and region."""
    return re.split("[-_]", language)[0].lower()
