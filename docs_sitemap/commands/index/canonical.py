"""Choose the canonical version, and check the canonical links of the other versions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from docs_sitemap.commands.index.deployed_tree import DeployedTree, join
from docs_sitemap.commands.index.layout import ROOT_NAME, Deployed, folder_of_url, folder_url
from docs_sitemap.commands.index.version_names import RELEASE_NAMES, version_order
from docs_sitemap.site_folder import is_error_page
from docs_sitemap.sitemap.urls import INDEX_FILE, BaseUrl, normalize_url, page_url

# The pages of all versions together whose canonical links are checked. Reading a page takes less
# than a millisecond.
_MAX_PAGES = 20_000


def choose_canonical(
    tree: DeployedTree, versions: Sequence[Deployed], base_url: BaseUrl
) -> Deployed:
    """Choose the version of a group that search engines should show.

    It is the one that the canonical links of the other versions name, else the one that the
    metadata or a redirect declares, else the site at the root, else `stable`, `latest`, or
    `current`, else the highest released version, else the highest version.

    Args:
        tree: The tree.
        versions: The versions of the group, at least one.
        base_url: Where the tree is published.
    """
    votes: Counter[str] = Counter()
    for one in versions if len(versions) > 1 else ():
        target = _canonical_folder(tree, one, base_url)
        other = None if target is None else _version_of(versions, target)
        if other is not None and other is not one:
            votes[other.folder] += 1
    ordered = sorted(versions, key=lambda one: version_order(one.name), reverse=True)
    if votes:
        highest = max(votes.values())
        return next(one for one in ordered if votes[one.folder] == highest)
    for one in ordered:
        if one.is_preferred:
            return one
    for name in (ROOT_NAME, *RELEASE_NAMES):
        for one in ordered:
            if name in (one.name, *one.aliases):
                return one
    return next((one for one in ordered if not one.is_prerelease), ordered[0])


def canonical_address(tree: DeployedTree, version: Deployed, base_url: BaseUrl) -> str:
    """Return the folder of a version that its own canonical links name. An alias that redirects
    is no address.
    """
    target = _canonical_folder(tree, version, base_url)
    return next((folder for folder in version.copies if folder == target), version.folder)


def names_redirect(tree: DeployedTree, version: Deployed, base_url: BaseUrl) -> str | None:
    """Return the alias that the canonical links of a version name, if it redirects."""
    target = _canonical_folder(tree, version, base_url) if version.redirects else None
    return target if target in version.redirects else None


def _canonical_folder(tree: DeployedTree, version: Deployed, base_url: BaseUrl) -> str | None:
    """Return the folder that the canonical link of a version's home page names."""
    head = tree.head(join(version.folder, INDEX_FILE))
    url = folder_url(base_url, version.folder)
    target = None if head is None else head.canonical_target(url)
    return None if target is None else folder_of_url(normalize_url(target), base_url)


def _version_of(versions: Sequence[Deployed], folder: str) -> Deployed | None:
    for one in versions:
        if folder in (one.folder, *one.copies, *one.redirects):
            return one
    return None


@dataclass(slots=True)
class CanonicalLinks:
    """What the pages of the other versions declare.

    Attributes:
        pages: The number of pages that were read.
        versions: The versions with such pages.
        own: The number of pages that declare their own URL, or none.
        own_example: The first of them.
        missing: The number of pages that declare a URL that does not exist.
        missing_example: The first of them, and the URL.
        is_complete: Whether all pages were read.
    """

    pages: int = 0
    versions: set[str] = field(default_factory=set)
    own: int = 0
    own_example: str = ""
    missing: int = 0
    missing_example: tuple[str, str] | None = None
    is_complete: bool = True

    def read(
        self, tree: DeployedTree, version: Deployed, canonical: Deployed, base_url: BaseUrl
    ) -> None:
        """Read the pages of a version that is not the canonical one."""
        folders = (canonical.folder, *canonical.copies, *canonical.redirects)
        starts = tuple(folder_url(base_url, folder) for folder in folders)
        base = normalize_url(base_url)
        for file in tree.html_files(version.folder):
            if self.pages >= _MAX_PAGES:
                self.is_complete = False
                return
            if is_error_page(file.removeprefix(f"{version.folder}/")):
                continue
            head = tree.head(file)
            url = normalize_url(base_url + page_url(file))
            if head is None or not head.title or head.noindex or head.redirect_target(url):
                continue
            self.pages += 1
            target = head.canonical_target(url)
            normalized = url if target is None else normalize_url(target)
            if normalized.startswith(folder_url(base_url, version.folder)):
                self.own += 1
                self.own_example = self.own_example or file
                self.versions.add(version.folder)
            elif (
                normalized.startswith(starts)
                and tree.open_url(normalized.removeprefix(base)) is None
            ):
                self.missing += 1
                self.missing_example = self.missing_example or (file, normalized)
                self.versions.add(version.folder)
