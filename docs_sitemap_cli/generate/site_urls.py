"""The URLs of a site of any generator: its address, and the URL of each page."""

from collections.abc import Iterable, Mapping, Sequence

from docs_sitemap.config.mkdocs_settings import mike_version
from docs_sitemap.diagnostics import BuildCode, Diagnostics, OptionError
from docs_sitemap.sitemap.hosts import is_local
from docs_sitemap.sitemap.urls import BaseUrl, NormalizedUrl, is_index, page_url
from docs_sitemap_cli.published.address import Address, Origin, find_address
from docs_sitemap_cli.published.folder import SiteFolder
from docs_sitemap_cli.published.sitemap_sources import FolderSitemaps, find_other_site
from docs_sitemap_cli.published.sitemaps import read_pages

from .built_files import BuiltFile
from .config_file import ProjectOptions
from .mkdocs_project.project import MkDocsProject
from .mkdocs_project.project_address import project_address


def require_address(
    settings: ProjectOptions,
    files: Sequence[BuiltFile],
    folder: SiteFolder,
    sitemaps: Sequence[str],
    notes: Diagnostics,
) -> BaseUrl:
    """Return the URL of a site: the option, the one in the configuration of its
    generator, or the one that the site itself names, if nothing contradicts it.

    Args:
        settings: The options.
        files: The HTML files.
        folder: The folder of the site.
        sitemaps: The sitemaps of the generator.
        notes: Receives a notice if only the file `CNAME` names the URL, or if canonical
            links name another one than the configuration.

    Raises:
        OptionError: The site names no URL, a local server, or several addresses.
    """
    heads = (file.head for file in files)
    option = settings.options.base_url
    address = find_address(folder, sitemaps, option=option, heads=heads)
    if option is None and settings.project is not None:
        configured = project_address(settings.project)
        if configured is not None and not is_local(configured):
            return _confirm_address(configured, address, settings.project, notes)
    if address is not None and address.origin is Origin.OPTION:
        return address.base_url
    if address is None or address.origin is Origin.CNAME:
        _refuse_local_links(files)
    if address is None:
        other = find_other_site(folder.path)
        if other is not None:
            message = f"it has no sitemap, but {other} has one. Fix: pass {other}"
            raise OptionError([(folder.path, message)])
        raise _unknown_address(
            "no sitemap lists URLs, and no canonical link fits its page"
        )
    base_url = address.base_url
    if address.contradictions or is_local(base_url):
        named = " and ".join(map(str, [address.evidence[0], *address.contradictions]))
        raise _unknown_address(f"the site declares {named}")
    if address.origin is Origin.CNAME:
        message = (
            f"the URL of the site is assumed to be {base_url}, because of "
            f"{address.origin}. Fix: set --base-url if this is incorrect"
        )
        notes.note(BuildCode.BASE_URL, message)
    return base_url


def _confirm_address(
    configured: BaseUrl,
    address: Address | None,
    project: MkDocsProject,
    notes: Diagnostics,
) -> BaseUrl:
    """Return the address in the configuration of a generator, or the one in the
    canonical links, which it wrote when it built the site.
    """
    if address is None:
        return configured
    for evidence in address.evidence:
        is_links = evidence.origin is Origin.CANONICAL_LINKS
        # For a version of mike, they can name another version.
        if is_links and evidence.contradicts(configured) and not mike_version():
            message = (
                f"the URLs start with {evidence.url}, because of {evidence.origin}, "
                f"although site_url in {project.name} is {configured}. Fix: build the "
                "site again, or set --base-url"
            )
            notes.note(BuildCode.BASE_URL, message)
            return evidence.url
    return configured


def _refuse_local_links(files: Sequence[BuiltFile]) -> None:
    """Raise an error if all canonical links lead to a local server. They would leave
    out the pages, whatever the URL of the site is.
    """
    linking = [file for file in files if file.head.canonicals]
    links = [link for file in linking for link in file.head.canonicals]
    if links and all(map(is_local, links)):
        raise _unknown_address(
            f"canonical links lead to a local server, as in {linking[0].name}",
            "set the address of the published site in the configuration of the "
            "generator, then build again",
        )


def _unknown_address(
    reason: str, fix: str = "set it, as in --base-url https://example.org/docs/"
) -> OptionError:
    message = f"the URL of the site is unknown: {reason}. Fix: {fix}"
    return OptionError([("--base-url", message)])


def find_listed(
    folder: SiteFolder, sitemaps: Sequence[str], base_url: BaseUrl
) -> dict[str, str]:
    """Return the files that the sitemaps of the generator list, each with its first URL
    relative to the base URL.

    Args:
        folder: The folder of the site.
        sitemaps: The sitemaps.
        base_url: The URL of the site.
    """
    start = NormalizedUrl(base_url)
    listed: dict[str, str] = {}
    for entry in read_pages(FolderSitemaps(folder, base_url), sitemaps):
        file = folder.file_at(start, entry.url)
        if file is not None:
            listed.setdefault(file, entry.url.removeprefix(start))
    return listed


def find_urls(
    files: Iterable[BuiltFile],
    folder: SiteFolder,
    listed: Mapping[str, str],
    base_url: BaseUrl,
    *,
    clean_urls: bool,
) -> dict[str, str]:
    """Return the URL of each HTML file relative to the base URL: the one in its
    canonical link, in a sitemap, or the one of its path.

    Args:
        files: The HTML files.
        folder: The folder of the site.
        listed: The URLs in the sitemaps of the generator, by their files.
        base_url: The URL of the site.
        clean_urls: Whether the URL of the path `guide.html` is `guide`.
    """
    start = NormalizedUrl(base_url)
    urls = {}
    for file in files:
        path = page_url(file.name)
        canonical = NormalizedUrl(file.head.canonical_target(f"{start}{path}") or "")
        if "?" not in canonical and folder.file_at(start, canonical) == file.name:
            urls[file.name] = canonical.removeprefix(start)
            continue
        # An earlier sitemap of docs-sitemap may contain the path.
        named = listed.get(file.name) or str(path)
        if clean_urls and named == path and not is_index(file.name):
            named = named.removesuffix(".html")
        urls[file.name] = named
    return urls
