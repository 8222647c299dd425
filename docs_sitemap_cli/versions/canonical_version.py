"""Which of the deployed versions a sitemap lists, and whether the others point to
them.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import click

from docs_sitemap.sitemap.urls import INDEX_FILE
from docs_sitemap_cli.console import describe_unknown
from docs_sitemap_cli.published.folder import join
from docs_sitemap_cli.version_names import RELEASE_NAMES

from .deployed_versions import ALL, CANONICAL, Deployed, Layout, matches

_RELEASED = 98
"""The rank of a released version that nothing else makes canonical."""


class VersionGroup(NamedTuple):
    """The versions of one language or project.

    Attributes:
        versions: The versions, the newest first.
        canonical: The version that search engines should show. It can be the site at
            the root, which may have no versions.
    """

    versions: list[Deployed]
    canonical: Deployed


def select_versions(
    layout: Layout, wanted: Sequence[str], skipped: Sequence[str]
) -> tuple[list[VersionGroup], list[Deployed]]:
    """Select versions. The others receive a reason.

    Args:
        layout: All versions, and the sites without versions.
        wanted: `canonical`, `all`, names, aliases, folders, and patterns with `*`, `?`,
            or `[`.
        skipped: The names and patterns of versions to treat as if they were not
            deployed.

    Returns:
        The groups of versions, and the versions and sites to list.

    Raises:
        click.UsageError: No version has one of the names.
    """
    wanted = wanted or (CANONICAL,)
    _check_names(layout, (*wanted, *skipped))
    if layout.is_declared and ALL not in wanted:
        # The words say which folders are versions.
        wanted = (CANONICAL,)
    by_group: dict[str, list[Deployed]] = {}
    sites = []
    for deployed in layout.deployed:
        if matches(deployed.names, skipped):
            deployed.reason = "left out by --skip"
        elif deployed.folder in layout.unnamed:
            if matches(deployed.names, wanted):
                sites.append(deployed)
            else:
                deployed.reason = "not in versions.json"
        elif deployed.name:
            by_group.setdefault(deployed.group, []).append(deployed)
        else:
            sites.append(deployed)
    groups = []
    ordered: list[Deployed] = []
    for _, versions in sorted(by_group.items()):
        canonical = _choose_canonical(layout, versions)
        canonical.is_canonical = True
        groups.append(VersionGroup(versions, canonical))
        ordered += versions
    listed = []
    for deployed in ordered + sites:
        deployed.reason = _reason(deployed, wanted)
        if deployed.reason is None:
            listed.append(deployed)
    return groups, listed


def _check_names(layout: Layout, wanted: Sequence[str]) -> None:
    """Check that each name or pattern fits a version.

    Raises:
        click.UsageError: One does not.
    """
    known = dict.fromkeys((CANONICAL, ALL))
    for deployed in layout.deployed:
        known |= dict.fromkeys(sorted(deployed.names))
    for name in wanted:
        if not matches(known, [name]):
            names = [*(known | dict.fromkeys(layout.homes))]
            raise click.UsageError(describe_unknown("version", name, names))


def canonical_folder(layout: Layout, version: Deployed) -> str | None:
    """Return the folder that the canonical link of a version's home page names."""
    head = layout.tree.head(join(version.folder, INDEX_FILE))
    target = head.canonical_target(layout.url_of(version.folder))
    return None if target is None else layout.path_of(target)


def other_versions(group: VersionGroup) -> Iterator[Deployed]:
    """Yield the versions that search engines should not show."""
    canonical = group.canonical
    is_unreleased = canonical.is_prerelease and not canonical.is_preferred
    for version in group.versions:
        # Versions that the user lists are meant to be found.
        if version is canonical or not version.folder or version.reason is None:
            continue
        # It has a sitemap, and the released versions have none.
        if is_unreleased and not version.is_prerelease:
            continue
        yield version


def _choose_canonical(layout: Layout, versions: Sequence[Deployed]) -> Deployed:
    """Choose the version of a group that search engines should show.

    It is the one that the site declares, else `stable`, `latest`, or `current`, else
    the highest released version, else the highest version. If the canonical link of its
    home page names another version of the group, or the site at the root, it is that
    one.

    Args:
        layout: All versions and sites.
        versions: The versions of the group, the newest first.
    """
    chosen = min(versions, key=_canonical_rank)
    if _canonical_rank(chosen) == _RELEASED:
        # A newer one may have been deployed without a sitemap.
        chosen = next(version for version in versions if not version.is_prerelease)
    folder = canonical_folder(layout, chosen)
    other = layout.by_folder.get(folder or "", chosen)
    if folder is not None and (other in versions or not other.folder):
        return other
    return chosen


def _canonical_rank(version: Deployed) -> int:
    """Return how likely a version is the canonical one; 0 is the most likely."""
    if version.is_preferred:
        return 0
    if version.sitemap is None:
        return 100
    for number, name in enumerate(RELEASE_NAMES, start=1):
        if name in version.names:
            return number
    return 99 if version.is_prerelease else _RELEASED


def _reason(version: Deployed, wanted: Sequence[str]) -> str | None:
    """Return why a version is not listed; `None` if it is."""
    if not version.names.isdisjoint(wanted):
        return None
    if CANONICAL in wanted and (version.is_canonical or not version.name):
        return None
    if ALL in wanted or matches(version.names, wanted):
        if version.is_prerelease and not version.is_canonical:
            return "a pre-release"
        return None
    if CANONICAL in wanted:
        return "not the canonical version"
    return "not in --versions"
