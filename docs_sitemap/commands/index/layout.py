"""Find the versions in a deployed tree: their folders, names, aliases, and sitemaps."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Container, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any
from urllib.parse import unquote

from docs_sitemap.commands.index.deployed_tree import DeployedTree, Subfolder, join
from docs_sitemap.commands.index.version_names import is_prerelease, is_version_name, parse_version
from docs_sitemap.site_sitemaps import USUAL_NAMES
from docs_sitemap.sitemap.urls import INDEX_FILE, BaseUrl, NormalizedUrl, normalize_url, quote_path
from docs_sitemap.text import join_some, shorten

# A project, a language, and a version, in a folder of projects.
_MAX_DEPTH = 4
_MAX_FOLDERS = 100_000

_CHUNK = 2**16
_MAX_JSON = 2**22
# The names in one note.
_MAX_NAMED = 5
_VERSIONS_FILE = "versions.json"
_SWITCHER_FILE = "switcher.json"
# The folders in which pydata-sphinx-theme projects keep the newest switcher.json.
_SWITCHER_FOLDERS = ("", "_static", *(f"{n}/_static" for n in ("dev", "latest", "main", "stable")))

# The name of a version at the root of the tree.
ROOT_NAME = "/"

# Folders for the kinds of branches and tags, such as `rel/2.0`. They are no projects.
_KINDS = frozenset(
    ("branches", "heads", "rel", "release", "releases", "tags", "version", "versions")
)


@dataclass(slots=True)
class Deployed:
    """A version, or a site without versions.

    Attributes:
        folder: Its folder below the tree; empty for the tree itself.
        name: The name of the version; empty if it has no versions.
        group: What has these versions: the folder without the name of the version. It is the
            language, the project, or empty.
        sitemap: The sitemap of the folder; `None` if there is none.
        aliases: Other names of the version.
        copies: Other folders that contain the same files.
        redirects: Other folders that redirect to this one.
        is_named: Whether the metadata of the site names the version.
        is_preferred: Whether the metadata of the site declares the version as the canonical one.
    """

    folder: str
    name: str = ""
    group: str = ""
    sitemap: str | None = None
    aliases: list[str] = field(default_factory=list)
    copies: list[str] = field(default_factory=list)
    redirects: list[str] = field(default_factory=list)
    is_named: bool = False
    is_preferred: bool = False

    @property
    def title(self) -> str:
        """The name for messages."""
        return self.folder or "the site at the root"

    @property
    def is_prerelease(self) -> bool:
        """Whether the version and all its aliases are names of unreleased versions."""
        return bool(self.name) and all(map(is_prerelease, (self.name, *self.aliases)))

    @property
    def names(self) -> list[str]:
        """All names by which the user can select it."""
        return [*dict.fromkeys((self.folder, self.name, *self.aliases, *self.copies))]


@dataclass(slots=True)
class Layout:
    """What is deployed.

    Attributes:
        deployed: All versions and sites, sorted by folder. Each is listed once, whatever the number
            of its aliases.
        metadata: The file that names the versions; `None` if there is none.
        notes: What is unusual, each in one line.
    """

    deployed: list[Deployed] = field(default_factory=list)
    metadata: str | None = None
    notes: list[str] = field(default_factory=list)


def find_layout(tree: DeployedTree, base_url: BaseUrl) -> Layout:
    """Find the versions and sites in a tree, without a site at its root.

    Args:
        tree: The tree.
        base_url: Where the tree is published.
    """
    layout = Layout()
    links: list[Subfolder] = []
    found = {one.folder: one for one in _find_folders(tree, links, layout.notes)}
    _read_versions_file(tree, found, layout, base_url, {link.path for link in links})
    _read_switcher(tree, found, layout, base_url)
    for link in links:
        _add_copy(found, str(link.target), link.path)
    for one in list(found.values()):
        _merge_redirect(tree, found, one, base_url)
    if layout.metadata != _VERSIONS_FILE:  # It names all aliases.
        _merge_equal(tree, found)
    _remove_pages(found)
    _find_preferred(tree, found, base_url)
    for one in found.values():
        one.aliases = sorted({*one.aliases} - {one.name})
    layout.deployed = [found[folder] for folder in sorted(found)]
    return layout


def folder_url(base_url: BaseUrl, folder: str) -> NormalizedUrl:
    """Return the URL of a folder of the tree."""
    return normalize_url(base_url + (f"{quote_path(folder)}/" if folder else ""))


def find_sitemap(tree: DeployedTree, folder: str) -> str | None:
    """Return the sitemap of a folder."""
    paths = (join(folder, name) for name in USUAL_NAMES)
    return next(filter(tree.is_file, paths), None)


def redirected_folder(tree: DeployedTree, page: str, base_url: BaseUrl) -> str | None:
    """Return the folder below the tree to which a page redirects; `None` if it does not."""
    head = tree.head(page) if tree.is_file(page) else None
    if head is None:
        return None
    url = folder_url(base_url, page.rpartition("/")[0])
    target = head.redirect_target(url)
    return None if target is None else folder_of_url(normalize_url(target), base_url)


def folder_of_url(url: str, base_url: BaseUrl) -> str | None:
    """Return the path of a URL below the base URL, decoded, without slashes at its end."""
    base, path = normalize_url(base_url), url.partition("?")[0]
    if not path.endswith("/"):
        path = f"{path.removesuffix(f'/{INDEX_FILE}')}/"
    if not path.startswith(base):
        return None
    return unquote(path.removeprefix(base), errors="surrogateescape").rstrip("/")


def _find_folders(
    tree: DeployedTree, links: list[Subfolder], notes: list[str]
) -> Iterator[Deployed]:
    """Yield the folders that contain a sitemap, and versions without a sitemap."""
    visited = 0
    pending = deque([("", 0)])
    while pending:
        folder, depth = pending.popleft()
        for subfolder in tree.subfolders(folder):
            path = subfolder.path
            visited += 1
            if visited > _MAX_FOLDERS:
                notes.append(
                    f"only the first {_MAX_FOLDERS:,} folders are searched for sitemaps. Fix: "
                    "name a folder that contains fewer files"
                )
                return
            if subfolder.target is not None:
                links.append(subfolder)
                continue
            sitemap = find_sitemap(tree, path)
            one = _describe(path, sitemap)
            if sitemap is not None:
                yield one
                continue
            if depth + 1 < _MAX_DEPTH:
                pending.append((path, depth + 1))
            # The folder of a version with languages has pages only in its subfolders.
            if one.name == path.rpartition("/")[2] and tree.is_file(join(path, INDEX_FILE)):
                yield one


def _describe(folder: str, sitemap: str | None = None) -> Deployed:
    """Derive the name and the group of a version from its folder."""
    names = folder.split("/")
    for position in range(len(names) - 1, -1, -1):
        if is_version_name(names[position]):
            others = [*names[:position], *names[position + 1 :]]
            group = "/".join(name for name in others if name.lower() not in _KINDS)
            return Deployed(folder, names[position], group, sitemap)
    return Deployed(folder, group=folder, sitemap=sitemap)


def _read_versions_file(
    tree: DeployedTree,
    found: dict[str, Deployed],
    layout: Layout,
    base_url: BaseUrl,
    links: Container[str],
) -> None:
    """Read the versions and aliases that mike records. Aliases that are links are added later."""
    items = _read_list(tree, _VERSIONS_FILE, layout, {"version": str, "aliases": list})
    names = {item["version"] for item in items}
    if items:
        layout.metadata = _VERSIONS_FILE
    invalid: list[str] = []
    missing: list[str] = []
    for item in items:
        name = item["version"]
        if not _is_folder_name(name):
            invalid.append(name)
            continue
        one = found.setdefault(name, Deployed(name, sitemap=find_sitemap(tree, name)))
        one.name, one.group, one.is_named = name, "", True
        if one.sitemap is None and not tree.is_file(f"{name}/{INDEX_FILE}"):
            missing.append(name)
            del found[name]
            continue
        for alias in filter(_is_folder_name, item.get("aliases", [])):
            if alias in names:  # It is a version of its own, or the name of this one.
                continue
            one.aliases.append(alias)
            found.pop(alias, None)
            page = join(alias, INDEX_FILE)
            if alias in links or not tree.is_file(page):
                continue
            if redirected_folder(tree, page, base_url) is None:
                one.copies.append(alias)
            else:
                one.redirects.append(alias)
    _note_names(layout, f"{_VERSIONS_FILE}: ignored, because it is not a folder name: ", invalid)
    _note_names(layout, f"{_VERSIONS_FILE}: ignored, because it does not exist: ", missing)


def _read_switcher(
    tree: DeployedTree, found: dict[str, Deployed], layout: Layout, base_url: BaseUrl
) -> None:
    """Read the versions that the version switcher of pydata-sphinx-theme shows."""
    paths = (join(folder, _SWITCHER_FILE) for folder in _SWITCHER_FOLDERS)
    path = next(filter(tree.is_file, paths), None)
    if path is None or layout.metadata is not None:
        return
    outside: list[str] = []
    for item in _read_list(tree, path, layout, {"version": str, "url": str}):
        name, url = item["version"], item["url"]
        layout.metadata = path
        folder = folder_of_url(normalize_url(url), base_url)
        if folder is None:
            outside.append(url)
        elif folder in found:
            found[folder].name = found[folder].name or name
            found[folder].aliases.append(name)
            found[folder].is_named = True
            if found[folder].group == folder:  # The name does not look like a version.
                found[folder].group = folder.rpartition("/")[0]
            found[folder].is_preferred |= item.get("preferred") is True
    _note_names(layout, f"{path}: ignored, because it is not below {base_url}: ", outside)


def _note_names(layout: Layout, text: str, names: Iterable[str]) -> None:
    """Add a note about some names, if there are any."""
    shortened = [shorten(name) for name in dict.fromkeys(names)]
    if shortened:
        layout.notes.append(text + join_some(shortened, _MAX_NAMED))


def _read_list(
    tree: DeployedTree, path: str, layout: Layout, types: dict[str, type]
) -> list[dict[str, Any]]:
    """Return the versions that a JSON file lists; none if the file is invalid.

    Args:
        tree: The tree.
        path: The file.
        layout: Receives a note about an invalid file.
        types: The keys that each version has, with the types of their values.
    """
    if not tree.is_file(path):
        return []
    try:
        data = json.loads(tree.read(path, _MAX_JSON) or b"")
    except (OSError, ValueError, RecursionError):
        data = None
    if not isinstance(data, list) or not all(_has_types(item, types) for item in data):
        layout.notes.append(f"{path} is not used: it is not a list of versions")
        return []
    return data


def _has_types(item: object, types: dict[str, type]) -> bool:
    # Lists can be omitted.
    return isinstance(item, dict) and all(isinstance(item.get(k, []), types[k]) for k in types)


def _is_folder_name(name: object) -> bool:
    if not isinstance(name, str) or name in ("", ".", ".."):
        return False
    return "/" not in name and "\\" not in name and name.isprintable()


def _add_copy(found: dict[str, Deployed], target: str, folder: str) -> None:
    """Add another folder with the files of a version."""
    one = found.get(target)
    if one is not None:
        one.copies.append(folder)
        one.aliases.append(folder.rpartition("/")[2])


def _merge_redirect(
    tree: DeployedTree, found: dict[str, Deployed], one: Deployed, base_url: BaseUrl
) -> None:
    """Merge a folder that only redirects with the version to which it redirects."""
    if one.sitemap is not None:
        return
    target = redirected_folder(tree, join(one.folder, INDEX_FILE), base_url)
    other = None if target is None else _containing(found, target)
    if other is not None and other is not one:
        other.redirects.append(one.folder)
        other.aliases.append(one.name)
        del found[one.folder]


def _merge_equal(tree: DeployedTree, found: dict[str, Deployed]) -> None:
    """Merge versions of the same group with the same sitemap and home page: they are copies."""
    first: dict[tuple[str, bytes], Deployed] = {}
    versions = [one for one in found.values() if one.name and one.sitemap is not None]
    # A number stays the name of a version. Other names move to the next version.
    versions.sort(key=lambda one: (parse_version(one.name) is None, one.folder))
    for one in versions:
        digest = _digest(tree, (str(one.sitemap), join(one.folder, INDEX_FILE)))
        original = first.setdefault((one.group, digest), one)
        if original is not one:
            original.copies += [one.folder, *one.copies]
            original.aliases += [one.name, *one.aliases]
            original.is_preferred |= one.is_preferred
            del found[one.folder]


def _digest(tree: DeployedTree, files: Iterable[str]) -> bytes:
    digest = sha256()
    for path in files:
        with suppress(OSError), tree.open(path) as file:
            while chunk := file.read(_CHUNK):
                digest.update(chunk)
    return digest.digest()


def _remove_pages(found: dict[str, Deployed]) -> None:
    """Remove folders without a sitemap that are probably pages, such as `changelog/2.0` and `404`,
    and versions with languages, whose sitemaps are in their subfolders.
    """
    groups = {one.group for one in found.values() if one.name and one.sitemap is not None}
    for folder, one in list(found.items()):
        if one.sitemap is not None or one.is_named:
            continue
        is_parent = any(other.startswith(f"{folder}/") for other in found)
        if is_parent or one.group not in groups or one.name.isdecimal():
            del found[folder]


def _find_preferred(tree: DeployedTree, found: dict[str, Deployed], base_url: BaseUrl) -> None:
    """Mark the versions to which the root, or the folder of a group, redirects."""
    if any(one.is_preferred for one in found.values()):
        return
    for group in sorted({"", *(one.group for one in found.values() if one.name)}):
        target = redirected_folder(tree, join(group, INDEX_FILE), base_url)
        one = None if target is None else _containing(found, target)
        if one is not None and one.name:
            one.is_preferred = True


def _containing(found: dict[str, Deployed], path: str) -> Deployed | None:
    """Return the version or site that contains a path, also by one of its other folders."""
    by_folder = {folder: one for one in found.values() for folder in (one.folder, *one.copies)}
    by_folder |= {folder: one for one in found.values() for folder in one.redirects}
    while path:
        if path in by_folder:
            return by_folder[path]
        path = path.rpartition("/")[0]
    return None
