"""The address of the published site: `site_url`, or the address of the version that
mike deploys.
"""

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from urllib.parse import urljoin

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File

from docs_sitemap.config.languages import page_base_url
from docs_sitemap.config.options import Options
from docs_sitemap.diagnostics import BuildCode, Diagnostic, Severity
from docs_sitemap.sitemap.urls import BaseUrl, parse_base_url

# mike sets this variable for the build of a version.
_VERSION_VARIABLE = "MIKE_DOCS_VERSION"

# The usual names that follow the newest version.
_ALIASES = ("latest", "stable")

# Links that are no languages. mkdocs-static-i18n writes the last of these.
_NO_LANGUAGES = (None, "", "null")


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


def find_languages(options: Options, config: MkDocsConfig) -> dict[str, BaseUrl] | None:
    """Return the address of the site in each language; `None` if it follows from the
    options.
    """
    base_url = page_base_url(options)
    languages: dict[str, BaseUrl] = {}
    links = list(_plugin_links(config))
    if not links:
        links = list(_selector_links(config))
    for code, link in links:
        with suppress(ValueError):  # mailto:, a page with a query, …
            url = urljoin(base_url, link).removesuffix("index.html")
            languages.setdefault(code, parse_base_url(url))
    return languages or None


def _plugin_links(config: MkDocsConfig) -> Iterator[tuple[str, str]]:
    """Yield the languages that mkdocs-static-i18n builds, and their folders."""
    plugin = config.plugins.get("i18n")
    if plugin is None:
        return
    for language in plugin.config.get("languages") or ():
        code = language["locale"]
        if not language["build"]:
            continue
        if language["default"]:
            yield code, ""
        else:
            yield code, code


def _selector_links(config: MkDocsConfig) -> Iterator[tuple[str, str]]:
    """Yield the items of `extra.alternate` that have a language and a link."""
    alternates = config.extra.get("alternate")
    if not isinstance(alternates, list):
        return
    for item in alternates:
        if not isinstance(item, Mapping):
            continue
        code = item.get("lang")
        if code not in _NO_LANGUAGES:
            yield str(code), str(item.get("link", ""))


def theme_language(config: MkDocsConfig) -> str:
    """Return the language of Material for MkDocs, or the locale of another theme."""
    theme = config.theme
    return str(theme.get("language") or theme.get("locale") or "en")


def page_language(file: File, config: MkDocsConfig) -> str:
    """Return the language of a page: of the theme, unless mkdocs-static-i18n builds the
    page in another language. It adapts only some themes.
    """
    language = theme_language(config)
    built = str(getattr(file, "locale_alternate_of", None) or language)
    if _main_language(built) == _main_language(language):
        return language
    return built


def _main_language(language: str) -> str:
    """Return the language without its script and region."""
    return re.split("[-_]", language)[0].lower()
