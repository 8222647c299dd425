"""Which of the deployed versions a sitemap lists, and whether the others point to them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fnmatch import fnmatchcase

from docs_sitemap.commands.index.tree import DeployedTree, join
from docs_sitemap.commands.index.versions import (
    RELEASE_NAMES,
    Deployed,
    Layout,
    folder_of_url,
    folder_url,
    version_order,
)
from docs_sitemap.diagnostics import Diagnostic
from docs_sitemap.site_folder import is_error_page
from docs_sitemap.sitemap.urls import INDEX_FILE, BaseUrl, normalize_url, page_url
from docs_sitemap.text import count

CANONICAL, ALL = "canonical", "all"
_WILDCARDS = frozenset("*?[")

# The pages of all versions together that are read. Reading a page takes less than a millisecond.
_MAX_PAGES = 20_000


class Skipped(StrEnum):
    """Why a version is not listed."""

    NOT_CANONICAL = "not the canonical version"
    PRERELEASE = "a pre-release"
    NOT_NAMED = "--versions does not name it"
    NO_SITEMAP = "it has no sitemap"
    UNUSABLE = "its sitemap cannot be used"


@dataclass(slots=True)
class VersionGroup:
    """The versions of one language or project.

    Attributes:
        versions: The versions, the newest first.
        canonical: The version that search engines should show. It can be the site at the root,
            which may have no versions.
    """

    versions: list[Deployed]
    canonical: Deployed


@dataclass(slots=True)
class Selection:
    """The versions to list.

    Attributes:
        groups: The groups of versions.
        listed: The versions and sites to list, the canonical version of each group first.
        skipped: The others by folder, each with the reason.
        unknown: The names that no version has.
    """

    groups: list[VersionGroup]
    listed: list[Deployed] = field(default_factory=list)
    skipped: dict[str, Skipped] = field(default_factory=dict)
    unknown: list[str] = field(default_factory=list)


def select_versions(
    tree: DeployedTree,
    layout: Layout,
    base_url: BaseUrl,
    wanted: Sequence[str],
    *,
    prereleases: bool,
) -> Selection:
    """Select versions.

    Args:
        tree: The tree.
        layout: All versions, and the sites without versions.
        base_url: Where the tree is published.
        wanted: `canonical`, `all`, names, aliases, folders, and patterns with `*`, `?`, or `[`.
        prereleases: Whether `all` and patterns select pre-releases, too.
    """
    by_group: dict[str, list[Deployed]] = {}
    for one in layout.deployed:
        if one.name:
            by_group.setdefault(one.group, []).append(one)
    selection, by_folder = Selection([]), layout.by_folder()
    for _, versions in sorted(by_group.items()):
        versions.sort(key=lambda one: version_order(one.name), reverse=True)
        canonical = _choose_canonical(tree, versions, by_folder, base_url)
        selection.groups.append(VersionGroup(versions, canonical))
    chosen = {group.canonical for group in selection.groups}
    known = {name for one in layout.deployed for name in one.names} | {CANONICAL, ALL}
    selection.unknown = [name for name in wanted if not any(_matches(one, name) for one in known)]
    ordered = [one for group in selection.groups for one in group.versions]
    for one in [*ordered, *(one for one in layout.deployed if not one.name)]:
        reason = _reason(one, wanted, is_canonical=one in chosen, prereleases=prereleases)
        if reason is None:
            selection.listed.append(one)
        else:
            selection.skipped[one.folder] = reason
    selection.listed.sort(key=lambda one: one not in chosen and bool(one.folder))
    return selection


def canonical_folder(tree: DeployedTree, one: Deployed, base_url: BaseUrl) -> str | None:
    """Return the folder that the canonical link of a version's home page names."""
    head = tree.head(join(one.folder, INDEX_FILE))
    target = head.canonical_target(folder_url(base_url, one.folder))
    return None if target is None else folder_of_url(normalize_url(target), base_url)


def check_canonical_links(
    tree: DeployedTree, group: VersionGroup, base_url: BaseUrl
) -> Iterator[Diagnostic]:
    """Yield warnings about pages of other versions that point to no other version, or to a page
    that does not exist.
    """
    title, base = group.canonical.title, normalize_url(base_url)
    starts = tuple(folder_url(base_url, folder) for folder in group.canonical.folders)
    own, missing, pages = list[str](), list[str](), 0
    for start, file, target in _read_targets(tree, group, base_url):
        pages += 1
        if target.startswith(start):
            own.append(file)
        elif target.startswith(starts) and tree.open_url(target.removeprefix(base)) is None:
            missing.append(f"{file} -> {target}")
        if pages == _MAX_PAGES:
            break
    share = f"of {'the first ' if pages == _MAX_PAGES else ''}{count(pages, 'page')}"
    if own:
        text = f"{len(own):,} {share} in other versions do not point to {title}, such as {own[0]}: "
        text += f"they compete with {title} in search results"
        fix = "build all versions with the canonical address (canonical_version in mike, "
        yield Diagnostic("canonical", text, fix=f"{fix}html_baseurl in Sphinx)")
    if missing:
        text = f"{len(missing):,} {share} in other versions point to a page of {title} that does "
        text += f"not exist, such as {missing[0]}"
        yield Diagnostic("canonical", text, fix=f"add redirects to {title}")


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
                yield start, file, normalize_url(head.canonical_target(url) or url)


def _choose_canonical(
    tree: DeployedTree,
    versions: Sequence[Deployed],
    by_folder: dict[str, Deployed],
    base_url: BaseUrl,
) -> Deployed:
    """Choose the version of a group that search engines should show.

    It is the one that the site declares, else `stable`, `latest`, or `current`, else the highest
    released version, else the highest version. If the canonical link of its home page names
    another version of the group, or the site at the root, it is that one.

    Args:
        tree: The tree.
        versions: The versions of the group, the newest first.
        by_folder: The version that each folder shows.
        base_url: Where the tree is published.
    """
    preferred = [one for one in versions if one.is_preferred]
    named = [one for name in RELEASE_NAMES for one in versions if name in one.names]
    released = [one for one in versions if not one.is_prerelease]
    chosen = [*preferred, *named, *released, *versions][0]
    folder = canonical_folder(tree, chosen, base_url)
    other = None if folder is None else by_folder.get(folder)
    return other if other is not None and (other in versions or not other.folder) else chosen


def _reason(
    one: Deployed, wanted: Sequence[str], *, is_canonical: bool, prereleases: bool
) -> Skipped | None:
    """Return why a version is not listed; `None` if it is."""
    if any(name in one.names for name in wanted):
        return None
    if CANONICAL in wanted and (is_canonical or not one.name):
        return None
    if ALL in wanted or any(_matches(name, other) for other in wanted for name in one.names):
        is_allowed = prereleases or is_canonical or not one.is_prerelease
        return None if is_allowed else Skipped.PRERELEASE
    return Skipped.NOT_CANONICAL if CANONICAL in wanted else Skipped.NOT_NAMED


def _matches(name: str, wanted: str) -> bool:
    return name == wanted or (not _WILDCARDS.isdisjoint(wanted) and fnmatchcase(name, wanted))
