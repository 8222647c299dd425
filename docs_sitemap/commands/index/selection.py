"""Which of the deployed versions a sitemap index lists."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fnmatch import fnmatchcase

from docs_sitemap.commands.index.canonical import choose_canonical
from docs_sitemap.commands.index.deployed_tree import DeployedTree
from docs_sitemap.commands.index.layout import Deployed
from docs_sitemap.commands.index.version_names import version_order
from docs_sitemap.sitemap.urls import BaseUrl

CANONICAL, ALL = "canonical", "all"
_WILDCARDS = frozenset("*?[")


class Unlisted(StrEnum):
    """Why a version is not listed."""

    NOT_CANONICAL = "another version is the canonical one"
    PRERELEASE = "it is a pre-release"
    NOT_NAMED = "--versions does not name it"
    NO_SITEMAP = "it has no sitemap"
    FAULT = "its sitemap cannot be used"


@dataclass(slots=True)
class VersionGroup:
    """The versions of one language or project.

    Attributes:
        name: The group; empty if there is only one.
        versions: The versions, the newest first.
        canonical: The version that search engines should show.
    """

    name: str
    versions: list[Deployed]
    canonical: Deployed


@dataclass(slots=True)
class Selection:
    """The versions to list.

    Attributes:
        listed: The versions and sites to list, the canonical version of each group first.
        unlisted: The others by folder, each with the reason.
        groups: The groups of versions.
        unknown: The names that no version has.
    """

    listed: list[Deployed] = field(default_factory=list)
    unlisted: dict[str, Unlisted] = field(default_factory=dict)
    groups: list[VersionGroup] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)


def select_versions(
    tree: DeployedTree,
    deployed: Sequence[Deployed],
    base_url: BaseUrl,
    wanted: Sequence[str],
    *,
    prereleases: bool,
) -> Selection:
    """Select versions.

    Args:
        tree: The tree.
        deployed: All versions, and the sites without versions.
        base_url: Where the tree is published.
        wanted: `canonical`, `all`, names, aliases, folders, and patterns with `*`, `?`, or `[`.
        prereleases: Whether `all` and patterns select pre-releases, too.
    """
    selection = Selection(groups=_group(tree, deployed, base_url))
    canonical = [group.canonical for group in selection.groups]
    known = {name for one in deployed for name in one.names}
    selection.unknown = [
        name
        for name in wanted
        if name not in (CANONICAL, ALL) and not any(_matches(other, name) for other in known)
    ]
    in_order = [one for group in selection.groups for one in group.versions]
    for one in [*in_order, *(one for one in deployed if one not in in_order)]:
        reason = _reason(one, wanted, is_canonical=one in canonical, prereleases=prereleases)
        if reason is None:
            selection.listed.append(one)
        else:
            selection.unlisted[one.folder] = reason
    selection.listed.sort(key=lambda one: one not in canonical)
    return selection


def _group(
    tree: DeployedTree, deployed: Iterable[Deployed], base_url: BaseUrl
) -> list[VersionGroup]:
    versions: dict[str, list[Deployed]] = {}
    for one in deployed:
        if one.name:
            versions.setdefault(one.group, []).append(one)
    groups = []
    for name in sorted(versions):
        members = versions[name]
        members.sort(key=lambda one: version_order(one.name), reverse=True)
        groups.append(VersionGroup(name, members, choose_canonical(tree, members, base_url)))
    return groups


def _reason(
    one: Deployed, wanted: Sequence[str], *, is_canonical: bool, prereleases: bool
) -> Unlisted | None:
    """Return why a version is not listed; `None` if it is."""
    if any(name in one.names for name in wanted):
        return None
    if CANONICAL in wanted and (is_canonical or not one.name):
        return None
    is_matched = ALL in wanted or any(_matches(name, w) for w in wanted for name in one.names)
    if is_matched:
        is_allowed = prereleases or is_canonical or not one.is_prerelease
        return None if is_allowed else Unlisted.PRERELEASE
    return Unlisted.NOT_CANONICAL if CANONICAL in wanted else Unlisted.NOT_NAMED


def _matches(name: str, wanted: str) -> bool:
    if _WILDCARDS.isdisjoint(wanted):
        return name == wanted
    return fnmatchcase(name, wanted)
