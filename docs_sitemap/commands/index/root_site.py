"""Find out whether the sitemap at the root of a tree belongs to a site there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from docs_sitemap.commands.index.child_sitemaps import ChildReader
from docs_sitemap.commands.index.deployed_tree import DeployedTree
from docs_sitemap.commands.index.layout import (
    ROOT_NAME,
    Deployed,
    find_sitemap,
    folder_url,
    redirected_folder,
)
from docs_sitemap.commands.index.spooled_files import MARK
from docs_sitemap.sitemap.urls import INDEX_FILE, BaseUrl, normalize_url

_START = 1_000
# The number of pages of a version that are searched in the site at the root.
_SAMPLE = 100


@dataclass(frozen=True, slots=True)
class RootSite:
    """The root of a tree.

    Attributes:
        deployed: The site at the root; `None` if there is no site with a sitemap.
        replaced: A sitemap at the root that another tool wrote, and that belongs to no site there;
            `None` if there is none.
    """

    deployed: Deployed | None = None
    replaced: str | None = None


def find_root_site(
    tree: DeployedTree, base_url: BaseUrl, deployed: Sequence[Deployed], reader: ChildReader
) -> RootSite:
    """Find the site at the root of a tree.

    Its sitemap lists pages that are not in the folder of a version or another site.

    Args:
        tree: The tree.
        base_url: Where it is published.
        deployed: The versions and sites below the root.
        reader: Reads sitemaps.
    """
    sitemap = find_sitemap(tree, "")
    if sitemap is None:
        return RootSite()
    if has_mark(tree, sitemap):
        # Another sitemap at the root may belong to a site there.
        others = (name for name in ("sitemap.xml", "sitemap-index.xml") if name != sitemap)
        other = next((name for name in others if tree.is_file(name)), None)
        if other is None or has_mark(tree, other):
            return RootSite()
        sitemap = other
    folders = [folder for one in deployed for folder in (one.folder, *one.copies, *one.redirects)]
    starts = tuple(folder_url(base_url, folder) for folder in folders)
    base = normalize_url(base_url)
    index = tree.is_file(INDEX_FILE) and redirected_folder(tree, INDEX_FILE, base_url) is None
    is_readable = False
    for url in reader.urls(sitemap):
        is_readable = True
        if url.startswith(base) and not url.startswith(starts):
            file = tree.open_url(url.removeprefix(base))
            if file is not None and (file != INDEX_FILE or index):
                return RootSite(_describe(tree, base_url, sitemap, deployed, reader))
    if not is_readable and index:
        return RootSite(_describe(tree, base_url, sitemap, deployed, reader))
    return RootSite(replaced=sitemap)


def has_mark(tree: DeployedTree, sitemap: str) -> bool:
    """Return whether this command wrote a sitemap."""
    try:
        with tree.open(sitemap) as file:
            return MARK.strip().encode() in file.read(_START)
    except OSError:
        return False


def _describe(
    tree: DeployedTree,
    base_url: BaseUrl,
    sitemap: str,
    deployed: Sequence[Deployed],
    reader: ChildReader,
) -> Deployed:
    """Describe the site at the root. It is a version if it has at least half of the pages of
    another version.
    """
    for one in deployed:
        if not one.name or one.group or one.sitemap is None:
            continue
        own = folder_url(base_url, one.folder)
        urls = islice(reader.urls(one.sitemap), _SAMPLE)
        paths = [url.removeprefix(own) for url in urls if url.startswith(own)]
        paths = [*filter(None, paths)] or paths  # Every site has a home page.
        same = sum(tree.open_url(path) is not None for path in paths)
        if paths and same * 2 >= len(paths):
            return Deployed("", ROOT_NAME, sitemap=sitemap)
    return Deployed("", sitemap=sitemap)
