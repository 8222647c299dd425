"""Check that the pages of other versions point to the canonical version."""

from __future__ import annotations

from collections.abc import Iterator

from docs_sitemap.commands.index.diagnostics import IndexCode
from docs_sitemap.commands.index.selection import VersionGroup
from docs_sitemap.commands.index.tree import DeployedTree
from docs_sitemap.commands.index.versions import folder_url
from docs_sitemap.diagnostics import Diagnostic
from docs_sitemap.site_folder import is_error_page
from docs_sitemap.sitemap.urls import BaseUrl, normalize_url, page_url
from docs_sitemap.text import count

# The pages of all versions together that are read. Reading a page takes less than a millisecond.
_MAX_PAGES = 20_000


def check_canonical_links(
    tree: DeployedTree, group: VersionGroup, base_url: BaseUrl
) -> Iterator[Diagnostic]:
    """Yield warnings about pages of other versions that point to no other version, or to a page
    that does not exist.
    """
    canonical, base = group.canonical, normalize_url(base_url)
    starts = tuple(folder_url(base_url, folder) for folder in canonical.folders)
    own: list[str] = []
    missing: list[str] = []
    pages = 0
    for start, file, target in _read_targets(tree, group, base_url):
        if pages == _MAX_PAGES:
            break
        pages += 1
        if target.startswith(start):
            own.append(file)
        elif target.startswith(starts) and tree.open_url(target.removeprefix(base)) is None:
            missing.append(f"{file} -> {target}")
    share = f"of {'the first ' if pages == _MAX_PAGES else ''}{count(pages, 'page')}"
    if own:
        yield Diagnostic(
            IndexCode.CANONICAL,
            f"{len(own):,} {share} in other versions do not point to {canonical.title}, such as "
            f"{own[0]}: they compete with {canonical.title} in search results",
            fix="build all versions with the canonical address (canonical_version in mike, "
            "html_baseurl in Sphinx)",
        )
    if missing:
        yield Diagnostic(
            IndexCode.CANONICAL,
            f"{len(missing):,} {share} in other versions point to a page of {canonical.title} that "
            f"does not exist, such as {missing[0]}",
            fix=f"add redirects to {canonical.title}",
        )


def _read_targets(
    tree: DeployedTree, group: VersionGroup, base_url: BaseUrl
) -> Iterator[tuple[str, str, str]]:
    """Yield the URL of the version, the file, and the canonical URL of each page of the versions
    that are not canonical. A page without a canonical link is its own.
    """
    for version in group.versions:
        if version is group.canonical or not version.folder:
            continue
        start = folder_url(base_url, version.folder)
        for file in tree.html_files(version.folder):
            head, url = tree.head(file), normalize_url(base_url + page_url(file))
            is_page = head.title and not head.noindex and not head.redirect_target(url)
            if is_page and not is_error_page(file.removeprefix(f"{version.folder}/")):
                target = head.canonical_target(url)
                yield start, file, url if target is None else normalize_url(target)
