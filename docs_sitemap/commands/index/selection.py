"""Which of the deployed versions a sitemap lists, and whether the others point to them."""

from collections.abc import Collection, Iterator, Sequence
from fnmatch import fnmatchcase
from itertools import islice
from typing import NamedTuple

import click

from docs_sitemap.built.generated_pages import is_error_page
from docs_sitemap.diagnostics import Diagnostic
from docs_sitemap.sitemap.urls import INDEX_FILE, normalize_url, page_url
from docs_sitemap.tools.printing import count, join_some, shorten

from .tree import join
from .versions import RELEASE_NAMES, Deployed, Layout, version_order

CANONICAL, ALL = "canonical", "all"
_MAX_NAMED = 20

NOT_CANONICAL = "not the canonical version"

# The pages of all versions together that are read. Reading a page takes less than a millisecond.
_MAX_PAGES = 20_000


class VersionGroup(NamedTuple):
    """The versions of one language or project.

    Attributes:
        versions: The versions, the newest first.
        canonical: The version that search engines should show. It can be the site at the root,
            which may have no versions.
    """

    versions: list[Deployed]
    canonical: Deployed


def select_versions(
    layout: Layout, wanted: Sequence[str], skipped: Sequence[str]
) -> tuple[list[VersionGroup], list[Deployed]]:
    """Select versions. The others receive a reason.

    Args:
        layout: All versions, and the sites without versions.
        wanted: `canonical`, `all`, names, aliases, folders, and patterns with `*`, `?`, or `[`.
        skipped: The names and patterns of versions to treat as if they were not deployed.

    Returns:
        The groups of versions, and the versions and sites to list, canonical versions first.

    Raises:
        click.UsageError: No version has one of the names.
    """
    wanted = wanted or (CANONICAL,)
    _check_names(layout, (*wanted, *skipped))
    by_group: dict[str, list[Deployed]] = {}
    sites = []
    for one in layout.deployed:
        if _matches(one.names, skipped):
            one.reason = "--skip names it"
        elif one.name:
            by_group.setdefault(one.group, []).append(one)
        else:
            sites.append(one)
    groups = []
    ordered: list[Deployed] = []
    for _, versions in sorted(by_group.items()):
        versions.sort(key=lambda one: version_order(one.name or ""), reverse=True)
        canonical = _choose_canonical(layout, versions)
        canonical.is_canonical = True
        groups.append(VersionGroup(versions, canonical))
        ordered += versions
    listed = []
    for one in ordered + sites:
        one.reason = _reason(one, wanted)
        if one.reason is None:
            listed.append(one)
    return groups, sorted(listed, key=lambda one: not one.is_canonical and bool(one.folder))


def _check_names(layout: Layout, wanted: Sequence[str]) -> None:
    """Check that each name or pattern fits a version.

    Raises:
        click.UsageError: One does not.
    """
    known = {CANONICAL, ALL}.union(*(one.names for one in layout.deployed))
    unknown = [name for name in wanted if not _matches(known, [name])]
    if unknown and layout.deployed:
        names = [one.name or one.folder or "/" for one in layout.deployed]
        raise click.UsageError(
            f"there is no version {', '.join(map(shorten, unknown))}. Fix: use the names of "
            f"versions, which are {join_some(names, _MAX_NAMED)}"
        )


def canonical_folder(layout: Layout, one: Deployed) -> str | None:
    """Return the folder that the canonical link of a version's home page names."""
    head = layout.tree.head(join(one.folder, INDEX_FILE))
    target = head.canonical_target(layout.url_of(one.folder))
    return None if target is None else layout.path_of(target)


def check_canonical_links(layout: Layout, group: VersionGroup) -> Iterator[Diagnostic]:
    """Yield a warning if pages of other versions point to no other version."""
    title, pages = group.canonical.title, [*islice(_read_targets(layout, group), _MAX_PAGES)]
    own = [file for file, is_own in pages if is_own]
    if own:
        text = f"{len(own):,} of {count(len(pages), 'page')} in other versions do not point to "
        text += f"{title}, such as {own[0]}: they compete with {title} in search results"
        fix = "build all versions with the canonical address (canonical_version in mike, the same "
        fix += "html_baseurl in Sphinx), or --skip the versions that you cannot build again"
        yield Diagnostic("canonical", text, fix=fix)


def _read_targets(layout: Layout, group: VersionGroup) -> Iterator[tuple[str, bool]]:
    """Yield the pages of the versions that are not canonical, and whether the canonical URL of each
    is in its version. A page without a canonical link is its own.
    """
    for version in group.versions:
        # Versions that the user lists are meant to be found.
        if version is group.canonical or not version.folder or version.reason is None:
            continue
        start = layout.url_of(version.folder)
        for file in layout.tree.html_files(version.folder):
            head, url = layout.tree.head(file), normalize_url(layout.base_url + page_url(file))
            is_page = head.title and not head.noindex and not head.redirect_target(url)
            if is_page and not is_error_page(file.removeprefix(f"{version.folder}/")):
                target = normalize_url(head.canonical_target(url) or url)
                yield file, target.startswith(start)


def _choose_canonical(layout: Layout, versions: Sequence[Deployed]) -> Deployed:
    """Choose the version of a group that search engines should show.

    It is the one that the site declares, else `stable`, `latest`, or `current`, else the highest
    released version, else the highest version. If the canonical link of its home page names
    another version of the group, or the site at the root, it is that one.

    Args:
        layout: All versions and sites.
        versions: The versions of the group, the newest first.
    """
    preferred = [one for one in versions if one.is_preferred]
    named = [one for name in RELEASE_NAMES for one in versions if name in one.names]
    released = [one for one in versions if not one.is_prerelease]
    chosen = [*preferred, *named, *released, *versions][0]
    folder = canonical_folder(layout, chosen)
    other = None if folder is None else layout.by_folder.get(folder)
    return other if other is not None and (other in versions or not other.folder) else chosen


def _reason(one: Deployed, wanted: Sequence[str]) -> str | None:
    """Return why a version is not listed; `None` if it is."""
    if not one.names.isdisjoint(wanted):
        return None
    if CANONICAL in wanted and (one.is_canonical or not one.name):
        return None
    if ALL in wanted or _matches(one.names, wanted):
        is_left_out = one.is_prerelease and not one.is_canonical
        return "a pre-release" if is_left_out else None
    return NOT_CANONICAL if CANONICAL in wanted else "--versions does not name it"


def _matches(names: Collection[str], wanted: Sequence[str]) -> bool:
    """Return whether one of the names is wanted, by name or by pattern."""
    return any(name == one or fnmatchcase(name, one) for one in wanted for name in names)
