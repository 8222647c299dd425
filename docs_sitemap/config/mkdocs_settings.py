"""What settings of MkDocs and Zensical mean for addresses and languages: those of the
theme, of mike, of mkdocs-static-i18n, and of the language selector. Files of the user
with the name of the sitemap.
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any
from urllib.parse import urljoin

from docs_sitemap.diagnostics import BuildCode, Diagnostic, Severity
from docs_sitemap.sitemap.urls import BaseUrl, parse_base_url

from .options import OPTION_NAMES, Options
from .typed_values import as_list

# The usual names that follow the newest version.
_ALIASES = ("latest", "stable")

# Links that are no languages. mkdocs-static-i18n writes the last of these.
_NO_LANGUAGES = (None, "", "null")

# The template in the theme of MkDocs and Zensical.
_TEMPLATE = "sitemap.xml"


def mike_version() -> str:
    """Return the version that mike builds; empty if it builds none. Only mike sets this
    variable.
    """
    return os.environ.get("MIKE_DOCS_VERSION", "")


def find_alias(url: str, canonical_version: str | None) -> list[Diagnostic]:
    """Return a notice if `site_url` ends in an alias, below which mike publishes no
    versions.

    Args:
        url: The address of the version that mike builds.
        canonical_version: The option of mike with this name.
    """
    version = mike_version()
    for alias in (*_ALIASES, canonical_version):
        if version and alias and url.rstrip("/").endswith(f"/{alias}/{version}"):
            message = (
                f"the URLs of the sitemap start with {url}, because mike adds the "
                f"version to site_url, which ends in the alias {alias}. Fix: remove "
                f"{alias} from the end of site_url."
            )
            return [Diagnostic(BuildCode.BASE_URL, message, Severity.NOTICE)]
    return []


def find_languages(
    base_url: BaseUrl, i18n: Mapping[str, Any] | None, alternates: object
) -> dict[str, BaseUrl] | None:
    """Return the address of the site in each language; `None` if it follows from the
    options.

    Args:
        base_url: The URL that the URLs of all pages start with.
        i18n: The options of mkdocs-static-i18n, if the site uses it.
        alternates: The value of `extra.alternate`.
    """
    languages: dict[str, BaseUrl] = {}
    links = list(_plugin_links(i18n or {}))
    if not links:
        links = list(_selector_links(as_list(alternates)))
    for code, link in links:
        with suppress(ValueError):  # mailto:, a page with a query, …
            url = urljoin(base_url, link).removesuffix("index.html")
            languages.setdefault(code, parse_base_url(url))
    return languages or None


def _plugin_links(options: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the languages that mkdocs-static-i18n builds, and their folders."""
    for language in as_list(options.get("languages")):
        if isinstance(language, Mapping) and language.get("build", True):
            code = _text(language.get("locale"))
            folder = code
            if language.get("default"):
                folder = ""
            yield code, folder


def _selector_links(alternates: Iterable[object]) -> Iterator[tuple[str, str]]:
    """Yield the items of `extra.alternate` that have a language and a link."""
    for item in alternates:
        if isinstance(item, Mapping) and item.get("lang") not in _NO_LANGUAGES:
            yield _text(item["lang"]), _text(item.get("link", ""))


def _text(value: object) -> str:
    """Return the text of a scalar, such as `False` for the language `no`; empty for a
    list or mapping, which could be endless.
    """
    return str(value) if isinstance(value, (str, bool)) else ""


def theme_language(theme: Mapping[str, Any]) -> str:
    """Return the language of Material for MkDocs or Zensical, or the locale of another
    theme.
    """
    return str(theme.get("language") or theme.get("locale") or "en")


def find_conflicts(
    options: Options, *, place: str | None, custom_dir: str | None
) -> Iterator[Diagnostic]:
    """Yield a warning for each file of the user that would become the sitemap, but is
    not used.

    Args:
        options: The options of the sitemap.
        place: Where the sitemap replaces a file with its name; `None` for nowhere.
        custom_dir: The folder with templates of the project; `None` if there is none.
    """
    names = OPTION_NAMES
    if place is not None:
        yield Diagnostic(
            BuildCode.CONFLICT,
            f"your own {options.filename} is replaced: docs-sitemap writes a file with "
            f"this name. Fix: remove it from {place}, or set {names['filename']}.",
        )
    if custom_dir is None or options.template is not None:
        return
    template = os.path.join(custom_dir, _TEMPLATE)
    if os.path.isfile(template):
        yield Diagnostic(
            BuildCode.CONFLICT,
            f"{template} is not used: docs-sitemap has its own template. Fix: remove "
            f"the file, or adapt it and set {names['template']} to its path.",
        )
