"""Which of the deployed versions a sitemap lists."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fnmatch import fnmatchcase

from docs_sitemap.commands.index.tree import DeployedTree, join
from docs_sitemap.commands.index.version_names import RELEASE_NAMES, version_order
from docs_sitemap.commands.index.versions import Layout, Version, folder_of_url, folder_url
from docs_sitemap.sitemap.urls import INDEX_FILE, BaseUrl, normalize_url

CANONICAL, ALL = "canonical", "all"
_WILDCARDS = frozenset("*?[")


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

    versions: list[Version]
    canonical: Version


@dataclass(slots=True)
class Selection:
    """The versions to list.

    Attributes:
        listed: The versions and sites to list, the canonical version of each group first.
        skipped: The others by folder, each with the reason.
        groups: The groups of versions.
        unknown: The names that no version has.
    """

    listed: list[Version] = field(default_factory=list)
    skipped: dict[str, Skipped] = field(default_factory=dict)
    groups: list[VersionGroup] = field(default_factory=list)
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
    by_group: dict[str, list[Version]] = {}
    for one in layout.versions:
        if one.name:
            by_group.setdefault(one.group, []).append(one)
    by_folder = layout.by_folder()
    selection = Selection()
    for _, members in sorted(by_group.items()):
        members.sort(key=lambda one: version_order(one.name), reverse=True)
        canonical = _choose_canonical(tree, members, by_folder, base_url)
        selection.groups.append(VersionGroup(members, canonical))
    canonical_versions = {group.canonical for group in selection.groups}
    known = {name for one in layout.versions for name in one.names}
    selection.unknown = [
        name
        for name in wanted
        if name not in (CANONICAL, ALL) and not any(_matches(other, name) for other in known)
    ]
    versions = [one for group in selection.groups for one in group.versions]
    for one in [*versions, *(one for one in layout.versions if not one.name)]:
        reason = _reason(one, wanted, one in canonical_versions, prereleases=prereleases)
        if reason is None:
            selection.listed.append(one)
        else:
            selection.skipped[one.folder] = reason
    selection.listed.sort(key=lambda one: one not in canonical_versions and one.folder != "")
    return selection


def canonical_folder(tree: DeployedTree, version: Version, base_url: BaseUrl) -> str | None:
    """Return the folder that the canonical link of a version's home page names."""
    head = tree.head(join(version.folder, INDEX_FILE))
    target = head.canonical_target(folder_url(base_url, version.folder))
    return None if target is None else folder_of_url(normalize_url(target), base_url)


def _choose_canonical(
    tree: DeployedTree,
    versions: Sequence[Version],
    by_folder: dict[str, Version],
    base_url: BaseUrl,
) -> Version:
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
    named = (one for name in RELEASE_NAMES for one in versions if name in (one.name, *one.aliases))
    preferred = (one for one in versions if one.is_preferred)
    released = (one for one in versions if not one.is_prerelease)
    chosen = next((one for ones in (preferred, named, released) for one in ones), versions[0])
    folder = canonical_folder(tree, chosen, base_url)
    other = None if folder is None else by_folder.get(folder)
    if other is not None and (other in versions or other.folder == ""):
        return other
    return chosen


def _reason(
    one: Version, wanted: Sequence[str], is_canonical: bool, *, prereleases: bool
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
    if _WILDCARDS.isdisjoint(wanted):
        return name == wanted
    return fnmatchcase(name, wanted)
