"""Find the versions in a deployed tree: their folders, names, aliases, and sitemaps."""

from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any
from urllib.parse import unquote

import msgspec

from docs_sitemap.sitemap.urls import (
    INDEX_FILE,
    BaseUrl,
    NormalizedUrl,
    quote_path,
    strip_index,
)
from docs_sitemap_cli.published.folder import SiteFolder, join
from docs_sitemap_cli.published.sitemap_sources import SEARCH_INDEXES, USUAL_NAMES
from docs_sitemap_cli.version_names import (
    is_prerelease,
    is_version_name,
    version_order,
)

CANONICAL, ALL = "canonical", "all"
"""The words of `--versions` that are not names."""

# By this comment, the command recognizes its own sitemaps, which it may replace.
MARK = "Written by docs-sitemap index"
_START = 1_000

# A project, a language, and a version, in a folder of projects.
_MAX_DEPTH = 4
_MAX_JSON = 2**22

# Folders for the kinds of branches and tags, such as `rel/2.0`. They are no projects.
_KINDS = {
    "branches",
    "heads",
    "rel",
    "release",
    "releases",
    "tags",
    "version",
    "versions",
}


@dataclass(slots=True, eq=False)
class Deployed:
    """A version, or a site without versions.

    Attributes:
        folder: Its folder; empty for a site at the root.
        name: The name of the version; `None` for a site without versions.
        group: The folder without the name of the version: a language, a project, or
            empty.
        sitemap: The sitemap of the folder; `None` if there is none.
        aliases: The other names of the version.
        other_folders: Folders that are links to it or copies of it, or redirect to it.
        is_preferred: Whether the site declares the version as the canonical one.
        is_canonical: Whether it is the version that search engines should show.
        sitemaps: The paths of its sitemaps that were read.
        urls: The number of URLs in these sitemaps; 0 if they were not read.
        lastmod: The newest date in these sitemaps; `None` if it is unknown.
        reason: Why it is skipped; `None` if it is listed.
    """

    folder: str
    name: str | None = None
    group: str = ""
    sitemap: str | None = None
    aliases: list[str] = field(default_factory=list)
    other_folders: list[str] = field(default_factory=list)
    is_preferred: bool = False
    is_canonical: bool = False
    sitemaps: list[str] = field(default_factory=list)
    urls: int = 0
    lastmod: str | None = None
    reason: str | None = None

    @property
    def is_prerelease(self) -> bool:
        """Whether the version and all its aliases are names of unreleased versions."""
        if self.name is None:
            return False
        return all(map(is_prerelease, (self.name, *self.aliases)))

    @property
    def names(self) -> set[str]:
        """All names by which the user can select it."""
        names = (self.folder or "/", self.name, *self.aliases, *self.other_folders)
        return {*filter(None, names)}


class _NamedVersion(msgspec.Struct):
    """A version in the `versions.json` of mike."""

    version: str
    aliases: list[str] = []


class Layout:
    """What is deployed.

    Attributes:
        tree: The tree.
        base_url: Where it is published.
        deployed: All versions and sites, each once, by group, the newest version first.
        by_folder: The version or site that each folder shows.
        root_sitemap: The sitemap of the site at the root; `None` if there is none.
        links: The folders that are symbolic links, with their targets.
        has_versions_file: Whether `versions.json` decides which folders at the top are
            versions.
        unnamed: The folders next to these versions that are not in `versions.json`,
            such as an experiment.
        homes: The folders at the top that have a home page, but not the name of a
            version.
        is_declared: Whether folders are versions because the user says so.

    Args:
        tree: The tree.
        base_url: Where it is published.
        wanted: The value of `--versions`.
    """

    def __init__(
        self, tree: SiteFolder, base_url: BaseUrl, wanted: Sequence[str] = ()
    ) -> None:
        self.tree = tree
        self.base_url = base_url
        self.links: dict[str, str] = {}
        self.unnamed: set[str] = set()
        self.homes: list[str] = []
        self.by_folder: dict[str, Deployed] = {}
        self._found: dict[str, Deployed] = {}
        self.root_sitemap = _find_root_sitemap(tree)
        if self.root_sitemap is not None:
            self._found[""] = Deployed("", sitemap=self.root_sitemap)
        self._find_folders()
        self._places = self._read_versions_file()
        self.has_versions_file = not self._places.keys().isdisjoint(self._found)
        self.is_declared = False
        if CANONICAL not in wanted and not self.has_versions_file:
            self._declare(wanted)
        for folder, target in self.links.items():
            if target in self._found:
                self._found[target].other_folders.append(folder)
                self._found[target].aliases.append(folder.rpartition("/")[2])
        newest_first = sorted(self._found.values(), key=self._order, reverse=True)
        self.deployed = sorted(
            newest_first, key=lambda one: one.folder if one.name is None else one.group
        )
        for deployed in self.deployed:
            deployed.aliases = sorted({*deployed.aliases} - {deployed.name})
            folders = (deployed.folder, *deployed.other_folders)
            self.by_folder |= dict.fromkeys(folders, deployed)
        self._find_preferred()

    def url_of(self, folder: str) -> NormalizedUrl:
        """Return the URL of a folder of the tree."""
        path = f"{quote_path(folder)}/" if folder else ""
        return NormalizedUrl(self.base_url + path)

    def path_of(self, url: str) -> str | None:
        """Return the path of a URL below the base URL, decoded, without slashes at its
        end.
        """
        root = self.url_of("")
        path = strip_index(NormalizedUrl(url).partition("?")[0])
        path = f"{path.rstrip('/')}/"
        if not path.startswith(root):
            return None
        name = path.removeprefix(root).rstrip("/")
        return unquote(name, errors="surrogateescape")

    def file_of_url(self, url: str) -> str | None:
        """Return the file that a URL opens; `None` if there is none below the base
        URL.
        """
        return self.tree.file_at(self.url_of(""), NormalizedUrl(url))

    def _find_folders(self, parent: str = "", depth: int = 1) -> None:
        """Find the folders with a sitemap, and links to folders."""
        for item in self.tree.items(parent):
            folder = item.path
            name = folder.rpartition("/")[2]
            if not item.is_folder or name.startswith("_"):
                continue
            if item.target is not None:
                self.links[folder] = item.target
                continue
            sitemap = find_sitemap(self.tree, folder)
            is_version = is_version_name(name)
            if not parent and not is_version and self._has_page(folder):
                self.homes.append(folder)
            if sitemap or (is_version and self._is_documentation(folder)):
                self._found[folder] = _describe(folder, sitemap)
            elif depth < _MAX_DEPTH:
                self._find_folders(folder, depth + 1)

    def _is_documentation(self, folder: str) -> bool:
        """Return whether a folder is a build without a sitemap."""
        files = (join(folder, name) for name in SEARCH_INDEXES)
        return any(map(self.tree.is_file, files))

    def _read_versions_file(self) -> dict[str, int]:
        """Read the versions and aliases that mike records. Return their order."""
        items = self._read_names()
        names = {item.version: place for place, item in enumerate(items)}
        for item in items:
            name = item.version
            version = self._found.get(name) or Deployed(name)
            if version.sitemap is None and not self._has_page(name):
                continue
            version.name, version.group = name, ""
            self._found[name] = version
            for alias in item.aliases:
                # An alias may be a version of its own, or the name of this one.
                if alias not in names:
                    self._add_alias(version, alias)
        if not names.keys().isdisjoint(self._found):
            siblings = {folder for folder in self._found if "/" not in folder}
            self.unnamed = siblings - names.keys() - {""}
        return names

    def _declare(self, wanted: Sequence[str]) -> None:
        """Make versions of the folders at the top that the user lists, the canonical
        one first.
        """
        versions = []
        for version in self._found.values():
            if version.name is not None and "/" not in version.folder:
                versions.append(version.folder)
        listed: dict[str, None] = {}
        for word in wanted:
            named = [name for name in versions if matches([name], [word])]
            named = named or [name for name in self.homes if matches([name], [word])]
            listed |= dict.fromkeys(sorted(named, key=version_order, reverse=True))
        if listed.keys().isdisjoint(self.homes):
            return
        self.is_declared = True
        for place, name in enumerate(listed):
            sitemap = find_sitemap(self.tree, name)
            self._found[name] = Deployed(name, name, sitemap=sitemap)
            self._places[name] = place
        self._found[next(iter(listed))].is_preferred = True

    def _order(self, version: Deployed) -> tuple[Any, ...]:
        """Return a key that sorts versions: by their numbers, and those without a
        number as the user or `versions.json` lists them.
        """
        name = version.name or ""
        place = -self._places.get(name, len(self._places))
        is_released, number, parts = version_order(name)
        return is_released, number, place, parts

    def _add_alias(self, version: Deployed, alias: str) -> None:
        """Add another name of a version, and its folder."""
        if not _is_folder_name(alias):
            return
        version.aliases.append(alias)
        self._found.pop(alias, None)
        if alias not in self.links and self._has_page(alias):
            version.other_folders.append(alias)

    def _read_names(self) -> list[_NamedVersion]:
        """Return the versions that mike records; none if the file is missing or
        invalid.
        """
        data = self.tree.read("versions.json", _MAX_JSON)
        with suppress(msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
            return msgspec.json.decode(data, type=list[_NamedVersion])
        return []

    def _find_preferred(self) -> None:
        """Mark the versions to which the root, or the folder of a group, redirects."""
        if self.is_declared:
            return
        groups = {deployed.group for deployed in self.deployed}
        for group in {"", *groups}:
            page = self.tree.head(join(group, INDEX_FILE))
            target = page.redirect_target(self.url_of(group))
            path = self.path_of(target or "") or ""
            while path and path not in self.by_folder:
                path = path.rpartition("/")[0]
            if path:
                self.by_folder[path].is_preferred = True

    def _has_page(self, folder: str) -> bool:
        return _is_folder_name(folder) and self.tree.is_file(join(folder, INDEX_FILE))


def matches(names: Collection[str], wanted: Sequence[str]) -> bool:
    """Return whether one of the names is wanted, by name or by pattern."""
    for pattern in wanted:
        if pattern in names or any(fnmatchcase(name, pattern) for name in names):
            return True
    return False


def find_sitemap(tree: SiteFolder, folder: str) -> str | None:
    """Return the sitemap of a folder."""
    paths = (join(folder, name) for name in USUAL_NAMES)
    return next(filter(tree.is_file, paths), None)


def is_own(tree: SiteFolder, file: str) -> bool:
    """Return whether this command wrote a file."""
    return f"<!-- {MARK} -->".encode() in tree.read(file, _START)


def _find_root_sitemap(tree: SiteFolder) -> str | None:
    """Return the sitemap of a site at the root: the first that this command did not
    write.
    """
    for name in filter(tree.is_file, USUAL_NAMES):
        if not is_own(tree, name.removesuffix(".gz")):
            return name
    return None


def _describe(folder: str, sitemap: str | None) -> Deployed:
    """Derive the name and the group of a version from its folder."""
    names = folder.split("/")
    for name in reversed(names):
        if is_version_name(name):
            others = []
            for other in names:
                if other != name and other.lower() not in _KINDS:
                    others.append(other)
            return Deployed(folder, name, "/".join(others), sitemap)
    return Deployed(folder, sitemap=sitemap)


def _is_folder_name(name: str) -> bool:
    if not name.strip(".") or not name.isprintable():
        return False
    return "/" not in name and "\\" not in name
