"""Where a project of Zensical or MkDocs says that its site is published."""

from collections.abc import Iterable, Mapping
from urllib.parse import urljoin

from docs_sitemap.config.mkdocs_settings import (
    find_alias,
    find_languages,
    mike_version,
)
from docs_sitemap.config.typed_values import as_mapping, as_text
from docs_sitemap.diagnostics import Diagnostic, OptionError, UrlError
from docs_sitemap.sitemap.urls import BaseUrl, parse_base_url

from .project import MkDocsProject
from .project_file import locate


def project_address(project: MkDocsProject) -> BaseUrl | None:
    """Return the address of the site; `None` if it is not set. mike adds the version
    that it builds to `site_url`.

    Raises:
        OptionError: `site_url` is invalid.
    """
    return _version_address(project, mike_version())


def canonical_address(project: MkDocsProject) -> BaseUrl | None:
    """Return the address of the version that canonical links name, if it is another
    version of mike than the one of the site.

    Raises:
        OptionError: `site_url` is invalid.
    """
    canonical = _canonical_version(project)
    if not mike_version() or not canonical:
        return None
    return _version_address(project, canonical)


def check_alias(project: MkDocsProject) -> Iterable[Diagnostic]:
    """Return a notice if `site_url` ends in an alias of mike.

    Raises:
        OptionError: `site_url` is invalid.
    """
    if not mike_version():
        return []
    return find_alias(project_address(project) or "", _canonical_version(project))


def project_languages(
    project: MkDocsProject, base_url: BaseUrl, urls: Iterable[str]
) -> Mapping[str, BaseUrl] | None:
    """Return the address of the site in each language; `None` if it follows from the
    options.

    Args:
        project: The project.
        base_url: The URL that the URLs of all pages start with.
        urls: The URLs of all pages relative to it.
    """
    alternates = as_mapping(project.values.get("extra")).get("alternate")
    i18n = project.plugin("i18n")
    languages = find_languages(base_url, i18n, alternates)
    if i18n is None or languages is None:
        return languages
    # Zensical does not run mkdocs-static-i18n, and builds none of these folders.
    built = {}
    pages = [f"{base_url}{url}" for url in urls]
    for code, address in languages.items():
        if any(page.startswith(address) for page in pages):
            built[code] = address
    return built


def _canonical_version(project: MkDocsProject) -> str:
    return as_text((project.plugin("mike") or {}).get("canonical_version"))


def _version_address(project: MkDocsProject, version: str) -> BaseUrl | None:
    if not project.site_url:
        return None
    try:
        url = parse_base_url(project.site_url)
        return parse_base_url(urljoin(url, version)) if version else url
    except UrlError as error:
        raise OptionError([(locate(project.name, "site_url"), str(error))]) from None
