"""Find the versions in a deployed tree: their folders, names, aliases, and sitemaps."""

from contextlib import suppress
from dataclasses import dataclass, field
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
from docs_sitemap_cli.version_names import is_prerelease, is_version_name

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
        deployed: All versions and sites, each once, sorted by folder.
        by_folder: The version or site that each folder shows.
        root_sitemap: The sitemap of the site at the root; `None` if there is none.
        links: The folders that are symbolic links, with their targets.
        unnamed: The folders next to the versions that mike records which it does not
            record, such as an experiment.

    Args:
        tree: The tree.
        base_url: Where it is published.
    """

    def __init__(self, tree: SiteFolder, base_url: BaseUrl) -> None:
        self.tree = tree
        self.base_url = base_url
        self.links: dict[str, str] = {}
        self.unnamed: set[str] = set()
        self.by_folder: dict[str, Deployed] = {}
        self._found: dict[str, Deployed] = {}
        self.root_sitemap = _find_root_sitemap(tree)
        if self.root_sitemap is not None:
            self._found[""] = Deployed("", sitemap=self.root_sitemap)
        self._find_folders()
        self._read_versions_file()
        for folder, target in self.links.items():
            if target in self._found:
                self._found[target].other_folders.append(folder)
                self._found[target].aliases.append(folder.rpartition("/")[2])
        self.deployed = [self._found[folder] for folder in sorted(self._found)]
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
            if sitemap or (is_version_name(name) and self._is_documentation(folder)):
                self._found[folder] = _describe(folder, sitemap)
            elif depth < _MAX_DEPTH:
                self._find_folders(folder, depth + 1)

    def _is_documentation(self, folder: str) -> bool:
        """Return whether a folder is a build without a sitemap."""
        files = (join(folder, name) for name in SEARCH_INDEXES)
        return any(map(self.tree.is_file, files))

    def _read_versions_file(self) -> None:
        """Read the versions and aliases that mike records."""
        items = self._read_names()
        names = {item.version for item in items}
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
        if not names.isdisjoint(self._found):
            siblings = {folder for folder in self._found if "/" not in folder}
            self.unnamed = siblings - names - {""}

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
