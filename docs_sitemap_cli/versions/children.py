"""Read the sitemaps of a version, and check that an index may list them."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from docs_sitemap.diagnostics import Diagnostic
from docs_sitemap.sitemap.format_rules import FormatRule, UnusableFileError
from docs_sitemap.sitemap.reader import SitemapEntry
from docs_sitemap.sitemap.urls import NormalizedUrl, check_url, quote_path
from docs_sitemap_cli.published.folder import SiteFolder
from docs_sitemap_cli.published.sitemap_sources import FolderSitemaps
from docs_sitemap_cli.published.sitemaps import Sitemap, Skip, walk_sitemaps

from .moved_urls import Move
from .valid_values import valid_url


@dataclass(slots=True)
class Child:
    """A sitemap of a version.

    Attributes:
        sitemap: The sitemap in the tree.
        loc: Its URL.
        dates: The dates of the entries on the host of the base URL, as written, by
            their normalized URL.
        fault: Why it cannot be listed; `None` if it can.
    """

    sitemap: Sitemap
    loc: str
    dates: dict[NormalizedUrl, str | None] = field(default_factory=dict)
    fault: Diagnostic | None = None


def read_children(
    tree: SiteFolder, base_url: NormalizedUrl, file: str, move: Move | None
) -> Iterator[Child]:
    """Read a sitemap, or the sitemaps that it lists if it is an index, one after the
    other. Those that cannot be used have a fault. Sitemaps on other hosts, feeds, and
    compressed copies are skipped.

    Args:
        tree: The tree.
        base_url: Where it is published.
        file: The sitemap in the tree.
        move: How to change the URLs; `None` to keep them.
    """
    host = f"{base_url.origin}/"
    source = FolderSitemaps(tree, base_url)
    for sitemap in walk_sitemaps(source, [file], nested=False):
        is_start = sitemap.parent is None
        loc = str(sitemap.url or "")
        if is_start:
            loc = base_url + quote_path(file)
        if not loc.startswith(host):
            continue
        child = Child(sitemap, valid_url(loc) if move is None else move.url(loc))
        for url, entry in entries_on(host, sitemap):
            if move is not None:
                url = move.normalized(url)
            child.dates.setdefault(url, entry.text("lastmod"))
        is_copy = sitemap.skip is Skip.REPEATED and not sitemap.is_index
        if is_copy or sitemap.is_feed:
            continue
        child.fault = _find_fault(child, host)
        # The sitemaps of an index are listed in its place.
        if not is_start or not sitemap.is_index or child.fault is not None:
            yield child


def entries_on(
    host: str, sitemap: Sitemap
) -> Iterator[tuple[NormalizedUrl, SitemapEntry]]:
    """Yield the entries of a sitemap on a host, with their normalized URLs.

    Args:
        host: The URL of the root of the host.
        sitemap: The sitemap.
    """
    for entry in sitemap.entries():
        url = check_url(entry.text("loc") or "").normalized
        if url is not None and url.startswith(host):
            yield url, entry


def _find_fault(child: Child, host: str) -> Diagnostic | None:
    """Return why an index cannot list a sitemap that was read."""
    sitemap = child.sitemap
    file = sitemap.name
    if isinstance(sitemap.error, UnusableFileError):
        return sitemap.error.diagnostic(file)
    if sitemap.is_index and sitemap.parent is not None:
        text = f"{sitemap.parent.name} is a sitemap index, and lists another one"
        return FormatRule.WRONG_ROOT.diagnostic(text, file)
    if sitemap.skip is Skip.PAGE:
        return FormatRule.WRONG_ROOT.diagnostic("it is a page", file)
    if sitemap.skip is not None:
        return FormatRule.UNREADABLE.diagnostic(sitemap.skip.value, file)
    if not child.dates:
        text = f"it lists no valid URL that starts with {host.removesuffix('/')}"
        return FormatRule.OUT_OF_SCOPE.diagnostic(text, file)
    folder = f"{child.loc.rpartition('/')[0]}/"
    in_folder = any(url.startswith(folder) for url in child.dates)
    if not sitemap.is_index and not in_folder:
        first = next(iter(child.dates))
        text = f"it lists no URL below {folder}, but URLs such as {first}"
        fault = FormatRule.OUT_OF_SCOPE.diagnostic(text, file)
        alias = _find_alias(folder, first)
        if alias is not None:
            fix = (
                f"remove {alias} from the end of site_url, and deploy the version again"
            )
            fault = replace(fault, fix=fix)
        return fault
    return None


def _find_alias(folder: str, url: str) -> str | None:
    """Return the alias at the end of the address of a site, to which mike adds the
    version; `None` if there is none.

    Args:
        folder: The URL of the folder of a version.
        url: The URL of a page of this version.
    """
    parent, _, version = folder.removesuffix("/").rpartition("/")
    alias, _, rest = url.removeprefix(f"{parent}/").partition("/")
    return alias if rest.startswith(f"{version}/") and alias != version else None
