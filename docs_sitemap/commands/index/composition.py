"""Compose the sitemaps of a deployed tree: one index, or one merged sitemap."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from itertools import count as count_from
from pathlib import Path

import msgspec

from docs_sitemap.commands.console import JSON_VERSION
from docs_sitemap.commands.index.children import Child, ChildReader
from docs_sitemap.commands.index.entries import MergedEntries, make_url
from docs_sitemap.commands.index.selection import (
    CANONICAL,
    Skipped,
    VersionGroup,
    canonical_folder,
    check_canonical_links,
    select_versions,
)
from docs_sitemap.commands.index.tree import DeployedTree
from docs_sitemap.commands.index.versions import (
    MARK,
    Deployed,
    Layout,
    find_sitemap,
    folder_url,
    is_own,
    parse_version,
    version_order,
)
from docs_sitemap.diagnostics import Diagnostic, Severity
from docs_sitemap.files import compress_file
from docs_sitemap.sitemap.protocol import MAX_BYTES, MAX_ENTRIES, NewestDate, Url, part_name
from docs_sitemap.sitemap.render import Renderer
from docs_sitemap.sitemap.rules import FormatRule
from docs_sitemap.sitemap.split import write_parts
from docs_sitemap.sitemap.urls import BaseUrl, make_loc, normalize_url
from docs_sitemap.sitemap.validation import CheckedEntry, DateLimits
from docs_sitemap.text import count, join_some, shorten

_MAX_NAMED = 20


class ComposeError(Exception):
    """The request cannot be fulfilled. The message is one line with a fix."""


@dataclass(frozen=True, slots=True)
class IndexOptions:
    """What to compose.

    Attributes:
        base_url: Where the tree is published.
        versions: The versions to list: see `select_versions`.
        root_version: The name of the version at the root; empty if a site there has no versions.
        prereleases: Whether pre-releases are selected, too.
        keep_removed: Whether to list pages that only older versions have.
        merge: Whether to write one sitemap instead of an index.
        prune_alternates: Whether to leave out links to languages that lead nowhere.
        filename: The name of the sitemap; `None` for the usual one.
    """

    base_url: BaseUrl
    versions: tuple[str, ...] = (CANONICAL,)
    root_version: str = ""
    prereleases: bool = False
    keep_removed: bool = False
    merge: bool = False
    prune_alternates: bool = False
    filename: str | None = None


@dataclass(frozen=True, slots=True)
class IndexedVersion:
    """A version, or a site without versions.

    Attributes:
        folder: Its folder; empty for a site at the root.
        name: The name of the version; `null` for a site without versions.
        aliases: The other names of the version.
        is_canonical: Whether it is the version that search engines should show.
        sitemaps: The paths of its sitemaps that were read.
        urls: The number of URLs in these sitemaps; 0 if they were not read.
        lastmod: The newest date in these sitemaps; `null` if it is unknown.
        reason: Why it is skipped; `null` if it is listed.
    """

    folder: str
    name: str | None
    aliases: tuple[str, ...]
    is_canonical: bool
    sitemaps: tuple[str, ...]
    urls: int
    lastmod: str | None
    reason: str | None


class IndexJson(msgspec.Struct, kw_only=True):
    """The document that `docs-sitemap index --format json` prints.

    Attributes:
        version: The version of this format.
        files: The sitemap and its parts that were written; empty if nothing was written.
        commit: The hash of the commit; `null` if nothing was committed.
        sitemaps: The number of sitemaps that the index lists; 0 if it is no index.
        urls: The number of URLs in all of them.
        kept: The number of these URLs that only older versions have.
        duplicates: The number of entries that were omitted, because their URLs were already listed.
        metadata: The file that names the versions; `null` if there is none.
        versions: The versions and sites that are deployed.
        diagnostics: The errors, warnings, and notices.
    """

    version: int = JSON_VERSION
    files: list[str] = []
    commit: str | None = None
    sitemaps: int = 0
    urls: int = 0
    kept: int = 0
    duplicates: int = 0
    metadata: str | None = None
    versions: list[IndexedVersion] = []
    diagnostics: list[Diagnostic] = []


@dataclass(slots=True)
class Composition:
    """What was composed. The files are temporary.

    Attributes:
        filename: The name of the sitemap.
        files: The new content of each file in the root of the tree, the sitemap itself first;
            `None` for a part of an earlier sitemap. Empty if nothing is to be written.
        document: What the user should know.
    """

    filename: str
    files: dict[str, Path | None] = field(default_factory=dict)
    document: IndexJson = field(default_factory=IndexJson)

    @property
    def names(self) -> list[str]:
        """The names of the sitemap and its parts, without compressed copies."""
        return [name for name, path in self.files.items() if path and name.endswith(".xml")]


def compose_sitemaps(
    tree: DeployedTree,
    options: IndexOptions,
    scratch: Path,
    now: datetime,
    target: DeployedTree | None = None,
) -> Composition:
    """Compose the sitemaps of a tree.

    Args:
        tree: The tree.
        options: What to compose.
        scratch: An empty folder for the files.
        now: The current time.
        target: The folder in which the files are going to be written; `None` for the tree.

    Raises:
        ComposeError: The options do not fit the tree.
        OSError: The temporary files cannot be written.
    """
    try:
        with closing(MergedEntries()) as entries:
            composer = _Composer(tree, options, DateLimits(now), entries)
            composer.collect()
            if composer.is_needed():
                composer.write(scratch, target or tree)
            return composer.result
    except sqlite3.OperationalError as error:
        raise OSError(errno.ENOSPC, f"a temporary file cannot be written: {error}") from None


class _Composer:
    def __init__(
        self, tree: DeployedTree, options: IndexOptions, dates: DateLimits, entries: MergedEntries
    ) -> None:
        self._tree = tree
        self._options = options
        self._dates = dates
        self._entries = entries
        self._base_url = base_url = options.base_url
        self._layout = layout = Layout(tree, base_url, options.root_version)
        root = layout.deployed[0] if layout.deployed else Deployed("/")
        self._root_sitemap = "" if root.folder else str(root.sitemap)
        if options.root_version and root.folder:
            raise ComposeError(
                "--root-version: there is no sitemap at the root. Fix: deploy the version there "
                "with docs-sitemap, or omit the option"
            )
        is_used = self._root_sitemap.startswith("sitemap.xml")
        usual = "sitemap-index.xml" if is_used else "sitemap.xml"
        self.result = Composition(options.filename or usual)
        self.result.document.metadata = layout.metadata
        self.result.document.diagnostics = layout.diagnostics
        self._selection = select_versions(
            tree, layout, base_url, options.versions, prereleases=options.prereleases
        )
        # Build jobs may leave their sitemaps anywhere, but next to versions, such a sitemap is
        # probably outdated.
        needs_folder = not options.merge or bool(self._selection.groups)
        self._reader = ChildReader(tree, base_url, dates, needs_folder=needs_folder)
        # By file, as several indexes may list the same sitemap.
        self._listed: dict[str, Child] = {}
        self._children: dict[Deployed, list[Child]] = {}
        self._moves: dict[Deployed, tuple[str, str]] = {}

    def collect(self) -> None:
        """Read the sitemaps of the selected versions, and list or merge them."""
        selection, document = self._selection, self.result.document
        if selection.unknown and self._layout.deployed:
            names = [one.name or one.folder or "/" for one in self._layout.deployed]
            raise ComposeError(
                f"--versions: there is no version {', '.join(map(shorten, selection.unknown))}. "
                f"Fix: use the names of versions, which are {join_some(names, _MAX_NAMED)}"
            )
        sitemaps = {one: self._choose_sitemap(one) for one in selection.listed}
        for version, sitemap in sitemaps.items():
            reason = self._read(version, sitemap)
            if reason is not None:
                selection.skipped[version.folder] = reason
        for group in selection.groups:
            if self._options.keep_removed and group.canonical in self._children:
                self._keep_removed(group)
            document.diagnostics += check_canonical_links(self._tree, group, self._base_url)
        if self._options.prune_alternates:
            self._prune()
        document.versions = [*map(self._describe, self._layout.deployed)]

    def is_needed(self) -> bool:
        """Return whether there is anything to write, and report why not."""
        text, fix, severity = "no sitemap can be used", "", Severity.ERROR
        if not self._layout.deployed:
            text = "there is no folder with a sitemap"
            fix = "build and deploy the site with docs-sitemap, and name the folder that contains "
            fix += "all versions"
        elif not len(self._entries) and [one.folder for one in self._children] == [""]:
            text, fix = f"{self._root_sitemap} already lists all pages", "list more versions"
            severity = Severity.NOTICE
        elif self._listed or len(self._entries):
            return True
        self._report("empty", f"nothing is written: {text}", severity, fix)
        return False

    def write(self, scratch: Path, target: DeployedTree) -> None:
        """Write the files, the sitemap itself first."""
        document, entries, name = self.result.document, self._entries, self.result.filename
        parts = write_parts(entries, scratch, comment=MARK)
        files = {part_name(name, number): part for number, part in enumerate(parts, start=1)}
        document.urls = sum(child.urls for child in self._listed.values()) + len(entries)
        document.duplicates = entries.duplicates
        paths = {name: scratch / "index.xml"} | {one: part.path for one, part in files.items()}
        if self._options.merge and len(parts) == 1:
            paths = {name: parts[0].path}
        else:
            sitemaps = [Url(child.loc, child.newest.text) for child in self._listed.values()]
            sitemaps += [Url(make_loc(self._base_url, n), p.lastmod) for n, p in files.items()]
            document.sitemaps = len(sitemaps)
            size = paths[name].write_bytes(Renderer().index(sitemaps, comment=MARK))
            if len(sitemaps) > MAX_ENTRIES or size > MAX_BYTES:
                raise ComposeError(
                    f"the index would list {len(sitemaps):,} sitemaps, and the protocol allows "
                    f"{MAX_ENTRIES:,} in {MAX_BYTES:,} bytes: an index cannot be split. Fix: use "
                    "--merge, or name fewer versions with --versions"
                )
        for one, path in paths.items():
            is_foreign = target.is_file(one) and not is_own(target, one)
            if is_foreign or one == self._root_sitemap.removesuffix(".gz"):
                raise ComposeError(
                    f"{one} would be replaced, but another tool wrote it. Fix: choose another name "
                    "with --output"
                )
            self.result.files |= {one: path, f"{one}.gz": _compress(path)}
        for old in (part_name(name, number) for number in count_from(len(paths))):
            if not target.is_file(old) or not is_own(target, old):
                break
            self.result.files |= {old: None, f"{old}.gz": None}
        if self._root_sitemap:
            text = f"{self._root_sitemap} belongs to the site at the root, so {name} is written"
            fix = f"add this line to robots.txt: Sitemap: {make_loc(self._base_url, name)}"
            self._report("root-site", text, Severity.NOTICE, fix)

    def _report(self, code: str, message: str, severity: Severity, fix: str) -> None:
        self.result.document.diagnostics.append(Diagnostic(code, message, severity, fix))

    def _choose_sitemap(self, version: Deployed) -> str | None:
        """Return the sitemap of a version. Its URLs are listed in the folder that its canonical
        links name, whether the sitemap of that folder lists them there, or in the other folder.
        """
        named = canonical_folder(self._tree, version, self._base_url) or ""
        sitemap = find_sitemap(self._tree, named) if named in version.other_folders else None
        first = next(self._reader.entries(sitemap), None) if sitemap else None
        if first is None:
            return version.sitemap
        before, after = (folder_url(self._base_url, one) for one in (version.folder, named))
        if not str(first.url).startswith(before):
            return sitemap
        self._moves[version] = before, after
        return version.sitemap

    def _move(self, url: str) -> str:
        """Return the URL at which a page is listed."""
        for before, after in self._moves.values():
            normalized = normalize_url(url)
            if normalized.startswith(before):
                return after + normalized.removeprefix(before)
        return url

    def _read(self, version: Deployed, sitemap: str | None) -> Skipped | None:
        """Read the sitemaps of a version. Return why it is not listed."""
        if sitemap is None:
            text = f"{version.title} has no sitemap: it was deployed without docs-sitemap"
            fix = "build and deploy this version again, or choose others with --versions"
            self._report("no-sitemap", text, Severity.WARNING, fix)
            return Skipped.NO_SITEMAP
        is_merged = self._options.merge or version in self._moves
        children = self._reader.read(sitemap, self._add if is_merged else _discard)
        if all(self._is_copy(version, child) for child in children):
            return Skipped.NOT_CANONICAL
        used = []
        for child in children:
            self._report_child(child, can_list=not is_merged)
            if child.fault is None:
                used.append(child)
                if is_merged:
                    self._note_extensions(child, "omit --merge")
                else:
                    self._listed.setdefault(child.file, child)
        if not used:
            return Skipped.UNUSABLE
        self._children[version] = used
        return None

    def _add(self, entries: Iterable[CheckedEntry]) -> int:
        return self._entries.add(make_url(one, self._move, self._dates) for one in entries)

    def _is_copy(self, version: Deployed, child: Child) -> bool:
        """Return whether a sitemap lists only the pages of another version."""
        if child.fault is None or child.fault.code != FormatRule.OUT_OF_SCOPE.slug:
            return False
        folders = self._layout.by_folder()
        others = (folder for folder, one in folders.items() if folder and one is not version)
        return child.first_url.startswith(tuple(folder_url(self._base_url, one) for one in others))

    def _report_child(self, child: Child, *, can_list: bool = False) -> None:
        """Report what is wrong with a sitemap: one line for each code."""
        diagnostics = self.result.document.diagnostics
        if child.fault is not None:
            is_listed = child.is_unread and can_list
            text = f"{child.fault.message}. It is {'listed as it is' if is_listed else 'left out'}"
            severity = Severity.WARNING if is_listed else Severity.ERROR
            diagnostics.append(replace(child.fault, message=text, severity=severity))
            child.fault = None if is_listed else child.fault
            return
        by_code: dict[str, list[Diagnostic]] = {}
        for one in child.diagnostics:
            by_code.setdefault(one.code, []).append(one)
        for first, *others in by_code.values():
            text = first.message + (f" (and {len(others):,} more)" if others else "")
            diagnostics.append(replace(first, message=text, severity=Severity.WARNING))

    def _note_extensions(self, child: Child, fix: str) -> None:
        if child.has_extensions:
            text = f"the images, videos, and news in {child.file} are left out"
            self._report("extensions", text, Severity.WARNING, fix)

    def _keep_removed(self, group: VersionGroup) -> None:
        """Add the pages that only older versions have, each from the newest of them."""
        known: set[str] = set()
        before = len(self._entries)
        for version in _older_versions(group):
            use = partial(self._add_removed, version, group.canonical, known)
            for child in self._reader.read(str(version.sitemap), use):
                if child.file not in self._listed:
                    self._report_child(child)
        self.result.document.kept += len(self._entries) - before

    def _add_removed(
        self,
        version: Deployed,
        canonical: Deployed,
        known: set[str],
        entries: Iterator[CheckedEntry],
    ) -> None:
        def is_removed(entry: CheckedEntry) -> bool:
            _, start, path = str(entry.url).partition(folder_url(self._base_url, version.folder))
            is_new = bool(start) and path not in known
            known.add(path)
            return is_new and not self._opens(canonical, path) and self._opens(version, path)

        self._add(filter(is_removed, entries))

    def _opens(self, version: Deployed, path: str) -> bool:
        url = f"{folder_url(self._base_url, version.folder)}{path}"
        return self._tree.open_url(url.removeprefix(normalize_url(self._base_url))) is not None

    def _prune(self) -> None:
        """Merge the sitemaps with links to languages that lead nowhere, without these links."""
        replaced: list[str] = []
        base = normalize_url(self._base_url)
        unread = tuple(child.folder for child in self._listed.values() if child.is_unread)
        while True:
            files = (
                (file, (make_url(one, str, self._dates) for one in self._reader.entries(file)))
                for file in self._listed
            )
            counts = self._entries.drop_dead_links(files, base, unread)
            dead = [file for file in counts if file]
            if not dead:
                break
            for file in dead:
                self._add(self._reader.entries(file))
                self._note_extensions(self._listed.pop(file), "omit --prune-alternates")
            replaced += dead
        if counts[""]:
            text = f"{count(counts[''], 'link')} to other languages left out: the targets are not "
            text += "listed, or do not link back"
            if replaced:
                name = part_name(self.result.filename, 1)
                text += f". {name} lists the pages of {join_some(replaced, _MAX_NAMED)} instead"
            self._report("alternates", text, Severity.NOTICE, "")

    def _describe(self, version: Deployed) -> IndexedVersion:
        children = self._children.get(version, ())
        newest = NewestDate()
        for child in children:
            newest.add(child.newest.text)
        return IndexedVersion(
            folder=version.folder,
            name=version.name or None,
            aliases=tuple(version.aliases),
            is_canonical=any(group.canonical is version for group in self._selection.groups),
            sitemaps=tuple(child.file for child in children),
            urls=sum(child.urls for child in children),
            lastmod=newest.text,
            reason=self._selection.skipped.get(version.folder),
        )


def _discard(entries: Iterable[CheckedEntry]) -> None:
    for _ in entries:
        pass  # The reader counts them.


def _compress(path: Path) -> Path:
    """Write a compressed copy of a file next to it. Equal files have equal copies."""
    copy = path.with_name(f"{path.name}.gz")
    with path.open("rb") as source, copy.open("wb") as target:
        compress_file(source, target)
    return copy


def _older_versions(group: VersionGroup) -> Iterator[Deployed]:
    """Yield the released versions before the canonical one, the newest first."""
    order, canonical = version_order(group.canonical.name), parse_version(group.canonical.name)
    for one in group.versions:
        # Names such as `stable` have no order, and `latest` may be newer.
        is_number = parse_version(one.name) is not None and one is not group.canonical
        is_older = canonical is None or version_order(one.name) < order
        if one.sitemap and is_number and is_older and not one.is_prerelease:
            yield one
