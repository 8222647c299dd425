"""Find the versions in a deployed tree: their folders, names, aliases, and sitemaps."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TypeVar
from urllib.parse import unquote

import msgspec

from docs_sitemap.commands.index.diagnostics import IndexCode
from docs_sitemap.commands.index.tree import DeployedTree, join
from docs_sitemap.commands.index.version_names import is_prerelease, is_version_name
from docs_sitemap.diagnostics import Diagnostic, Severity
from docs_sitemap.site_sitemaps import USUAL_NAMES
from docs_sitemap.sitemap.urls import INDEX_FILE, BaseUrl, NormalizedUrl, normalize_url, quote_path
from docs_sitemap.text import join_some, shorten

# By this comment, the command recognizes its own sitemaps, which it may replace.
MARK = "Written by docs-sitemap index"
_START = 1_000

# A project, a language, and a version, in a folder of projects.
_MAX_DEPTH = 4
_MAX_FOLDERS = 100_000

_MAX_JSON = 2**22
# The names in one diagnostic.
_MAX_NAMED = 5
_VERSIONS_FILE = "versions.json"
# The folders in which pydata-sphinx-theme projects keep the newest switcher.json.
_SWITCHER_FOLDERS = ("", "_static", *(f"{n}/_static" for n in ("dev", "latest", "main", "stable")))

# Folders for the kinds of branches and tags, such as `rel/2.0`. They are no projects.
_KINDS = frozenset(
    ("branches", "heads", "rel", "release", "releases", "tags", "version", "versions")
)


@dataclass(slots=True, eq=False)
class Version:
    """A version, or a site without versions.

    Attributes:
        folder: Its folder below the tree; empty for the tree itself.
        name: The name of the version; empty if it has no versions.
        group: What has these versions: the folder without the name of the version. It is the
            language, the project, or empty.
        sitemap: The sitemap of the folder; `None` if there is none.
        aliases: Other names of the version.
        other_folders: Folders that are links to it or copies of it, or redirect to it.
        is_preferred: Whether the site declares the version as the canonical one.
    """

    folder: str
    name: str = ""
    group: str = ""
    sitemap: str | None = None
    aliases: list[str] = field(default_factory=list)
    other_folders: list[str] = field(default_factory=list)
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
    def folders(self) -> tuple[str, ...]:
        """All folders that show the version, its own first."""
        return self.folder, *self.other_folders

    @property
    def names(self) -> dict[str, None]:
        """All names by which the user can select it."""
        return dict.fromkeys((self.folder or "/", self.name, *self.aliases, *self.other_folders))


class _MikeVersion(msgspec.Struct):
    """A version in `versions.json`."""

    version: str
    aliases: list[str] = []


class _SwitcherVersion(msgspec.Struct):
    """A version in `switcher.json`."""

    version: str
    url: str
    preferred: object = False


_Item = TypeVar("_Item", _MikeVersion, _SwitcherVersion)


class Layout:
    """What is deployed.

    Args:
        tree: The tree.
        base_url: Where it is published.
        root_version: The name of the version at the root; empty if a site there has no versions.

    Attributes:
        metadata: The file that names the versions; `None` if there is none.
        diagnostics: What is unusual.
    """

    def __init__(self, tree: DeployedTree, base_url: BaseUrl, root_version: str = "") -> None:
        self.metadata: str | None = None
        self.diagnostics: list[Diagnostic] = []
        self._tree = tree
        self._base_url = base_url
        self._versions: dict[str, Version] = {}
        self._links: dict[str, str] = {}
        self._redirects: list[str] = []
        root = find_foreign_sitemap(tree)
        if root is not None:
            name = root_version
            self._versions[""] = Version("", name, sitemap=root, is_preferred=bool(name))
        self._find_folders()
        if not self._read_versions_file():
            self._read_switcher()
        for folder, target in self._links.items():
            self._add_alias(folder, self._versions.get(target))
        by_folder = self.by_folder()
        for folder in self._redirects:
            self._add_alias(folder, self._redirected_version(folder, by_folder))
        self._find_preferred(self.by_folder())
        for one in self.versions:
            one.aliases = sorted({*one.aliases} - {one.name})

    @property
    def versions(self) -> list[Version]:
        """All versions and sites, each once, sorted by folder."""
        return [self._versions[folder] for folder in sorted(self._versions)]

    def by_folder(self) -> dict[str, Version]:
        """Return the version that each folder shows."""
        versions = self._versions.values()
        others = {folder: one for one in versions for folder in one.other_folders}
        return others | self._versions

    def _find_folders(self) -> None:
        """Find the folders with a sitemap, links to folders, and folders that may redirect."""
        tree, visited = self._tree, 0
        pending = deque([("", 0)])
        while pending:
            parent, depth = pending.popleft()
            for item in tree.items(parent):
                folder, name = item.path, item.path.rpartition("/")[2]
                if not item.is_folder or name.startswith("_"):
                    continue
                visited += 1
                if visited > _MAX_FOLDERS:
                    message = f"only the first {_MAX_FOLDERS:,} folders are searched for sitemaps"
                    fix = "name a folder that contains fewer folders"
                    self._note(IndexCode.TOO_MANY_FOLDERS, message, fix)
                    return
                if item.target is not None:
                    self._links[folder] = item.target
                    continue
                sitemap = find_sitemap(tree, folder)
                if sitemap is not None:
                    self._versions[folder] = _describe(folder, sitemap)
                    continue
                if depth + 1 < _MAX_DEPTH:
                    pending.append((folder, depth + 1))
                if is_version_name(name):
                    self._redirects.append(folder)

    def _read_versions_file(self) -> bool:
        """Read the versions and aliases that mike records. Return whether there are any."""
        items = self._read_list(_VERSIONS_FILE, _MikeVersion)
        names = {item.version for item in items}
        invalid, missing = list[str](), list[str]()
        for item in items:
            name = item.version
            one = self._versions.get(name) or Version(name)
            if not _is_folder_name(name):
                invalid.append(name)
                continue
            if one.sitemap is None and not self._has_page(name):
                missing.append(name)
                continue
            self._versions[name] = one
            one.name, one.group = name, ""
            for alias in item.aliases:
                # It may be a version of its own, or the name of this one.
                if _is_folder_name(alias) and alias not in names:
                    self._versions.pop(alias, None)
                    if alias not in self._links:
                        folders = [alias] if self._has_page(alias) else []
                        one.other_folders += folders
                        one.aliases.append(alias)
                    elif self._links[alias] not in self._versions:
                        one.aliases.append(alias)
        self._note_names(f"{_VERSIONS_FILE}: ignored, because it is not a folder name: ", invalid)
        self._note_names(f"{_VERSIONS_FILE}: ignored, because it does not exist: ", missing)
        return bool(items)

    def _read_switcher(self) -> None:
        """Read the versions that the version switcher of pydata-sphinx-theme shows."""
        paths = (join(folder, "switcher.json") for folder in _SWITCHER_FOLDERS)
        path = next(filter(self._tree.is_file, paths), None)
        outside = []
        for item in () if path is None else self._read_list(path, _SwitcherVersion):
            folder = folder_of_url(normalize_url(item.url), self._base_url)
            one = None if folder is None else self._versions.get(folder)
            if folder is None:
                outside.append(item.url)
            elif one is not None:
                if not one.name:  # The folder has another name.
                    one.name, one.group = item.version, folder.rpartition("/")[0]
                one.aliases.append(item.version)
                one.is_preferred |= item.preferred is True
        text = f"{path}: ignored, because it is not below {self._base_url}: "
        self._note_names(text, outside)

    def _read_list(self, path: str, kind: type[_Item]) -> list[_Item]:
        """Return the versions that a JSON file lists; none if the file is invalid."""
        if not self._tree.is_file(path):
            return []
        items = None
        with suppress(OSError, msgspec.MsgspecError, RecursionError):
            with self._tree.open(path) as file:
                data = file.read(_MAX_JSON)
            items = msgspec.json.decode(data, type=list[kind])  # type: ignore[valid-type]
        if items is None:
            self._note(IndexCode.METADATA, f"{path} is not used: it is not a list of versions")
            return []
        if items:
            self.metadata = path
        return items

    def _add_alias(self, folder: str, version: Version | None) -> None:
        """Add another folder that shows a version."""
        if version is not None and folder not in version.folders:
            version.other_folders.append(folder)
            version.aliases.append(folder.rpartition("/")[2])

    def _find_preferred(self, by_folder: dict[str, Version]) -> None:
        """Mark the versions to which the root, or the folder of a group, redirects."""
        if not any(one.is_preferred for one in by_folder.values()):
            for group in {"", *(one.group for one in by_folder.values())}:
                version = self._redirected_version(group, by_folder)
                if version is not None and version.name:
                    version.is_preferred = True

    def _redirected_version(self, folder: str, by_folder: dict[str, Version]) -> Version | None:
        """Return the version to which the home page of a folder redirects."""
        if not self._has_page(folder):
            return None
        page = self._tree.head(join(folder, INDEX_FILE))
        target = page.redirect_target(folder_url(self._base_url, folder))
        path = "" if target is None else folder_of_url(normalize_url(target), self._base_url)
        while path:
            if path in by_folder:
                return by_folder[path]
            path = path.rpartition("/")[0]
        return None

    def _has_page(self, folder: str) -> bool:
        return self._tree.is_file(join(folder, INDEX_FILE))

    def _note(self, code: IndexCode, text: str, fix: str = "") -> None:
        self.diagnostics.append(Diagnostic(code, text, Severity.NOTICE, fix))

    def _note_names(self, text: str, names: Iterable[str]) -> None:
        """Report some names, if there are any."""
        shortened = [shorten(name) for name in dict.fromkeys(names)]
        if shortened:
            self._note(IndexCode.METADATA, text + join_some(shortened, _MAX_NAMED))


def folder_url(base_url: BaseUrl, folder: str) -> NormalizedUrl:
    """Return the URL of a folder of the tree."""
    return normalize_url(base_url + (f"{quote_path(folder)}/" if folder else ""))


def folder_of_url(url: str, base_url: BaseUrl) -> str | None:
    """Return the path of a URL below the base URL, decoded, without slashes at its end."""
    base, path = normalize_url(base_url), url.partition("?")[0]
    if not path.endswith("/"):
        path = f"{path.removesuffix(f'/{INDEX_FILE}')}/"
    if not path.startswith(base):
        return None
    return unquote(path.removeprefix(base), errors="surrogateescape").rstrip("/")


def find_sitemap(tree: DeployedTree, folder: str) -> str | None:
    """Return the sitemap of a folder."""
    paths = (join(folder, name) for name in USUAL_NAMES)
    return next(filter(tree.is_file, paths), None)


def find_foreign_sitemap(tree: DeployedTree) -> str | None:
    """Return the sitemap of a site at the root: the first that this command did not write."""
    for name in filter(tree.is_file, USUAL_NAMES):
        is_copy = name.endswith(".gz") and tree.is_file(name.removesuffix(".gz"))
        if not is_copy and not is_own(tree, name):
            return name
    return None


def is_own(tree: DeployedTree, file: str) -> bool:
    """Return whether this command wrote a file."""
    with suppress(OSError), tree.open(file) as source:
        return f"<!-- {MARK} -->".encode() in source.read(_START)
    return False


def _describe(folder: str, sitemap: str) -> Version:
    """Derive the name and the group of a version from its folder."""
    names = folder.split("/")
    for position in range(len(names) - 1, -1, -1):
        if is_version_name(names[position]):
            others = [*names[:position], *names[position + 1 :]]
            group = "/".join(name for name in others if name.lower() not in _KINDS)
            return Version(folder, names[position], group, sitemap)
    return Version(folder, sitemap=sitemap)


def _is_folder_name(name: str) -> bool:
    return (
        name not in ("", ".", "..") and name.isprintable() and {"/", "\\"}.isdisjoint(name)
    )
