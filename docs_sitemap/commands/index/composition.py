"""Compose the sitemaps of a deployed tree: one index, or one merged sitemap."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import count as count_from
from pathlib import Path

from docs_sitemap.commands.index.canonical_links import check_canonical_links
from docs_sitemap.commands.index.children import Child, ChildReader
from docs_sitemap.commands.index.diagnostics import IndexCode
from docs_sitemap.commands.index.entries import MergedEntries, make_url
from docs_sitemap.commands.index.selection import (
    CANONICAL,
    Selection,
    Skipped,
    VersionGroup,
    canonical_folder,
    select_versions,
)
from docs_sitemap.commands.index.tree import DeployedTree
from docs_sitemap.commands.index.version_names import parse_version, version_order
from docs_sitemap.commands.index.versions import (
    MARK,
    Layout,
    Version,
    find_sitemap,
    folder_url,
    is_own,
)
from docs_sitemap.diagnostics import Diagnostic, Severity
from docs_sitemap.files import compress_file
from docs_sitemap.sitemap.protocol import MAX_BYTES, MAX_ENTRIES, NewestDate, Url, part_name
from docs_sitemap.sitemap.render import Renderer
from docs_sitemap.sitemap.rules import FormatRule
from docs_sitemap.sitemap.urls import BaseUrl, NormalizedUrl, make_loc, normalize_url
from docs_sitemap.sitemap.validation import CheckedEntry, DateLimits
from docs_sitemap.sitemap.writer import write_parts
from docs_sitemap.text import count, join_some, shorten

_SITEMAP, _INDEX = "sitemap.xml", "sitemap-index.xml"
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


@dataclass(slots=True)
class Composition:
    """What was composed. The files are temporary.

    Attributes:
        filename: The name of the sitemap.
        files: The new content of each file in the root of the tree, the sitemap itself first;
            `None` for a part of an earlier sitemap. Empty if nothing is to be written.
        sitemaps: The number of sitemaps that the sitemap lists; 0 if it lists URLs.
        urls: The number of URLs in all of them.
        kept: The number of these URLs that only older versions have.
        duplicates: The number of entries that were already listed.
        versions: What is deployed.
        metadata: The file that names the versions; `None` if there is none.
        diagnostics: What the user should know.
    """

    filename: str
    files: dict[str, Path | None] = field(default_factory=dict)
    sitemaps: int = 0
    urls: int = 0
    kept: int = 0
    duplicates: int = 0
    versions: list[IndexedVersion] = field(default_factory=list)
    metadata: str | None = None
    diagnostics: list[Diagnostic] = field(default_factory=list)

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
        with MergedEntries() as entries:
            composer = _Composer(tree, target or tree, options, DateLimits(now), entries)
            return composer.compose(scratch)
    except sqlite3.OperationalError as error:
        raise OSError(errno.ENOSPC, f"a temporary file cannot be written: {error}") from None


class _Composer:
    def __init__(
        self,
        tree: DeployedTree,
        target: DeployedTree,
        options: IndexOptions,
        dates: DateLimits,
        entries: MergedEntries,
    ) -> None:
        self._tree = tree
        self._target = target
        self._options = options
        self._base_url = options.base_url
        self._dates = dates
        self._entries = entries
        self._layout = Layout(tree, options.base_url, options.root_version)
        self._selection = self._select()
        # Build jobs may leave their sitemaps anywhere, but next to versions, such a sitemap is
        # probably outdated.
        needs_folder = not options.merge or bool(self._selection.groups)
        self._reader = ChildReader(tree, options.base_url, dates, needs_folder=needs_folder)
        # By file, as several indexes may list the same sitemap.
        self._listed: dict[str, Child] = {}
        self._children: dict[Version, list[Child]] = {}
        self._moves: dict[Version, tuple[NormalizedUrl, NormalizedUrl]] = {}
        self._result = Composition(self._choose_filename())
        self._result.metadata = self._layout.metadata
        self._result.diagnostics += self._layout.diagnostics

    def compose(self, scratch: Path) -> Composition:
        """Run all steps."""
        sitemaps = {one: self._choose_address(one) for one in self._selection.listed}
        for version, sitemap in sitemaps.items():
            self._read(version, sitemap)
        for group in self._selection.groups:
            if self._options.keep_removed:
                self._keep_removed(group)
            found = check_canonical_links(self._tree, group, self._base_url)
            self._result.diagnostics += found
        if self._options.prune_alternates:
            self._prune()
        self._result.versions = [*map(self._describe, self._layout.versions)]
        if self._is_needed():
            self._write(scratch)
        return self._result

    def _report(self, code: str, message: str, severity: Severity, fix: str = "") -> None:
        self._result.diagnostics.append(Diagnostic(code, message, severity, fix))

    def _select(self) -> Selection:
        options, versions = self._options, self._layout.versions
        if options.root_version and (not versions or versions[0].folder):
            raise ComposeError(
                "--root-version: there is no sitemap at the root. Fix: deploy the version there "
                "with docs-sitemap, or omit the option"
            )
        selection = select_versions(
            self._tree,
            self._layout,
            self._base_url,
            options.versions,
            prereleases=options.prereleases,
        )
        if selection.unknown and versions:
            names = [one.name or one.folder or "/" for one in versions]
            raise ComposeError(
                f"--versions: there is no version {', '.join(map(shorten, selection.unknown))}. "
                f"Fix: use the names of versions, which are {join_some(names, _MAX_NAMED)}"
            )
        return selection

    def _choose_filename(self) -> str:
        """Return a name that no site at the root uses."""
        root = next((one for one in self._layout.versions if not one.folder), None)
        own = "" if root is None else str(root.sitemap)
        if self._options.filename is None:
            return _INDEX if own.startswith(_SITEMAP) else _SITEMAP
        if self._options.filename in (own, own.removesuffix(".gz")):
            raise ComposeError(
                f"{own} belongs to the site at the root, and would be replaced. Fix: choose "
                "another name with --output, or remove the file if there is no such site"
            )
        return self._options.filename

    def _choose_address(self, version: Version) -> str | None:
        """Return the sitemap of a version: the one in the folder of its URLs. They are listed as
        its canonical links name them.
        """
        sitemap = version.sitemap
        copies = {folder: find_sitemap(self._tree, folder) for folder in version.other_folders}
        copies = {version.folder: sitemap} | {one: file for one, file in copies.items() if file}
        if sitemap is None or len(copies) == 1:
            return sitemap
        first = self._reader.first_url(sitemap)
        urls = {one: folder_url(self._base_url, one) for one in copies}
        folder = max((one for one in copies if first.startswith(urls[one])), key=len, default=None)
        if folder is None:
            return sitemap
        named = canonical_folder(self._tree, version, self._base_url)
        address = named if named in copies else version.folder
        if address != folder:
            self._moves[version] = urls[folder], urls[address]
        return copies[folder]

    def _move(self, url: str) -> str:
        """Return the URL at which a page is listed."""
        for before, after in self._moves.values():
            normalized = normalize_url(url)
            if normalized.startswith(before):
                return after + normalized.removeprefix(before)
        return url

    def _read(self, version: Version, sitemap: str | None) -> None:
        """Read the sitemaps of a version, and list or merge them."""
        if sitemap is None:
            self._selection.skipped[version.folder] = Skipped.NO_SITEMAP
            text = f"{version.title} has no sitemap: it was deployed without docs-sitemap"
            fix = "build and deploy this version again, or choose others with --versions"
            self._report(IndexCode.NO_SITEMAP, text, Severity.WARNING, fix)
            return
        is_merged = self._options.merge or version in self._moves
        children = self._reader.read(sitemap, self._add if is_merged else _discard)
        if self._points_elsewhere(version, children):
            self._selection.skipped[version.folder] = Skipped.NOT_CANONICAL
            return
        self._children[version] = []
        for child in children:
            if child.is_unread and not is_merged:
                self._result.diagnostics.append(child.as_unread())
            elif child.fault is not None:
                self._result.diagnostics.append(_left_out(child.fault))
                continue
            self._result.diagnostics += _summarize(child.diagnostics)
            self._children[version].append(child)
            if is_merged:
                self._note_extensions(child, "omit --merge")
            else:
                self._listed.setdefault(child.file, child)
        if not self._children[version]:
            self._selection.skipped[version.folder] = Skipped.UNUSABLE

    def _add(self, entries: Iterable[CheckedEntry]) -> int:
        return self._entries.add(make_url(one, self._move, self._dates) for one in entries)

    def _points_elsewhere(self, version: Version, children: list[Child]) -> bool:
        """Return whether a version lists, and points to, the pages of another version."""
        faults = [child.fault for child in children]
        if not all(fault and fault.code == FormatRule.OUT_OF_SCOPE.slug for fault in faults):
            return False
        folder = canonical_folder(self._tree, version, self._base_url)
        return folder not in (None, *version.folders) and folder in self._layout.by_folder()

    def _note_extensions(self, child: Child, fix: str) -> None:
        if child.has_extensions:
            text = f"the images, videos, and news in {child.file} are left out"
            self._report(IndexCode.EXTENSIONS, text, Severity.WARNING, fix)

    def _keep_removed(self, group: VersionGroup) -> None:
        """Add the pages that only older versions have, each from the newest of them."""
        canonical = group.canonical
        starts = tuple(folder_url(self._base_url, folder) for folder in canonical.folders)
        known: set[str] = set()
        for child in self._children.get(canonical, ()):
            for entry in self._reader.entries(child):
                start = next(filter(str(entry.url).startswith, starts), None)
                if start is not None:
                    known.add(str(entry.url).removeprefix(start))
        for version in _older_versions(group) if known else ():
            self._result.kept += self._keep_pages(version, canonical, known)

    def _keep_pages(self, version: Version, canonical: Version, known: set[str]) -> int:
        start = folder_url(self._base_url, version.folder)
        kept = 0

        def select(entries: Iterator[CheckedEntry]) -> Iterator[CheckedEntry]:
            for entry in entries:
                path = str(entry.url).removeprefix(start)
                if path == entry.url or path in known:
                    continue
                known.add(path)
                if not self._opens(canonical, path) and self._opens(version, path):
                    yield entry

        def add(entries: Iterator[CheckedEntry]) -> None:
            nonlocal kept
            kept += self._add(select(entries))

        for child in self._reader.read(str(version.sitemap), add):
            found = [_left_out(child.fault)] if child.fault else _summarize(child.diagnostics)
            self._result.diagnostics += (one for one in found if one not in self._result.diagnostics)
        return kept

    def _opens(self, version: Version, path: str) -> bool:
        url = f"{folder_url(self._base_url, version.folder)}{path}"
        return self._tree.open_url(url.removeprefix(normalize_url(self._base_url))) is not None

    def _prune(self) -> None:
        """Merge the sitemaps with links to languages that lead nowhere, without these links."""
        replaced: list[str] = []
        while True:
            files = (
                (file, (make_url(one, str, self._dates) for one in self._reader.entries(child)))
                for file, child in self._listed.items()
                if not child.is_unread
            )
            unread = tuple(child.folder for child in self._listed.values() if child.is_unread)
            base = normalize_url(self._base_url)
            counts = self._entries.drop_dead_links(files, base, unread)
            dead = [file for file in counts if file]
            if not dead:
                break
            for file in dead:
                child = self._listed.pop(file)
                self._add(self._reader.entries(child))
                self._note_extensions(child, "omit --prune-alternates")
            replaced += dead
        if counts[""]:
            text = f"{count(counts[''], 'link')} to other languages left out: the targets are not "
            text += "listed, or do not link back"
            if replaced:
                name = part_name(self._result.filename, 1)
                text += f". {name} lists the pages of {join_some(replaced, _MAX_NAMED)} instead"
            self._report(IndexCode.ALTERNATES, text, Severity.NOTICE)

    def _describe(self, version: Version) -> IndexedVersion:
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

    def _is_needed(self) -> bool:
        """Return whether there is anything to write, and report why not."""
        if not self._layout.versions:
            text = "nothing is written: there is no folder with a sitemap"
            fix = "build and deploy the site with docs-sitemap, and name the folder that contains "
            self._report(IndexCode.EMPTY, text, Severity.ERROR, f"{fix}all versions")
        elif not self._listed and not len(self._entries):
            text = "nothing is written: no sitemap can be used"
            self._report(IndexCode.EMPTY, text, Severity.ERROR)
        elif not len(self._entries) and [one.folder for one in self._children] == [""]:
            root = self._layout.versions[0].sitemap
            text, fix = f"nothing is written: {root} already lists all pages", "list more versions"
            self._report(IndexCode.EMPTY, text, Severity.NOTICE, f"{fix} with --versions")
        else:
            return True
        return False

    def _write(self, scratch: Path) -> None:
        """Write the files, the sitemap itself first."""
        result, entries = self._result, self._entries
        parts = write_parts(entries, scratch, alternates=entries.has_alternates, comment=MARK)
        result.urls = sum(child.urls for child in self._listed.values()) + len(entries)
        result.duplicates = entries.duplicates
        names = {part_name(result.filename, n): part for n, part in enumerate(parts, start=1)}
        if self._options.merge and len(parts) == 1:
            sitemap = parts[0].path
            names = {}
        else:
            sitemaps = [Url(child.loc, child.newest.text) for child in self._listed.values()]
            sitemaps += [Url(make_loc(self._base_url, n), one.lastmod) for n, one in names.items()]
            result.sitemaps = len(sitemaps)
            sitemap = scratch / "index.xml"
            sitemap.write_bytes(Renderer().index(sitemaps, comment=MARK))
            if result.sitemaps > MAX_ENTRIES or sitemap.stat().st_size > MAX_BYTES:
                raise ComposeError(
                    f"the index would list {result.sitemaps:,} sitemaps, and the protocol allows "
                    f"{MAX_ENTRIES:,} in {MAX_BYTES:,} bytes: an index cannot be split. Fix: use "
                    "--merge, or name fewer versions with --versions"
                )
        for name, path in {result.filename: sitemap, **{n: p.path for n, p in names.items()}}.items():
            if self._target.is_file(name) and not is_own(self._target, name):
                raise ComposeError(
                    f"{name} would be replaced, but another tool wrote it. Fix: choose another "
                    "name with --output"
                )
            result.files |= {name: path, f"{name}.gz": _compress(path)}
        for number in count_from(len(names) + 1):
            name = part_name(result.filename, number)
            if not self._target.is_file(name) or not is_own(self._target, name):
                break
            result.files |= {name: None, f"{name}.gz": None}
        self._note_root_site()

    def _note_root_site(self) -> None:
        """Say which file search engines need."""
        root = self._layout.versions[0]
        if not root.folder:
            name = self._result.filename
            text = f"{root.sitemap} belongs to the site at the root, so {name} is used instead"
            fix = f"add this line to robots.txt: Sitemap: {make_loc(self._base_url, name)}"
            self._report(IndexCode.ROOT_SITE, text, Severity.NOTICE, fix)


def _discard(entries: Iterable[CheckedEntry]) -> None:
    for _ in entries:
        pass  # The reader counts them.


def _left_out(fault: Diagnostic) -> Diagnostic:
    return replace(fault, message=f"{fault.message}. It is left out", severity=Severity.ERROR)


def _summarize(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return one diagnostic for each code, with the number of the others."""
    by_code: dict[str, list[Diagnostic]] = {}
    for one in diagnostics:
        by_code.setdefault(one.code, []).append(one)
    summary = []
    for first, *others in by_code.values():
        more = f" (and {len(others):,} more)" if others else ""
        text = first.message + more
        summary.append(replace(first, message=text, severity=Severity.WARNING))
    return summary


def _compress(path: Path) -> Path:
    """Write a compressed copy of a file next to it. Equal files have equal copies."""
    copy = path.with_name(f"{path.name}.gz")
    with path.open("rb") as source, copy.open("wb") as target:
        compress_file(source, target)
    return copy


def _older_versions(group: VersionGroup) -> Iterator[Version]:
    """Yield the released versions before the canonical one, the newest first."""
    order, canonical = version_order(group.canonical.name), parse_version(group.canonical.name)
    for version in group.versions:
        # Names such as `stable` have no order, and `latest` may be newer.
        is_number = parse_version(version.name) is not None
        is_older = canonical is None or version_order(version.name) < order
        if version.sitemap and is_number and is_older and not version.is_prerelease:
            if version is not group.canonical:
                yield version
