"""Compose the sitemaps of a deployed tree: one index, or one merged sitemap."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from pathlib import Path

from docs_sitemap.commands.index.canonical import CanonicalLinks, canonical_address, names_redirect
from docs_sitemap.commands.index.child_sitemaps import ChildReader, ChildSitemap, NewestDate
from docs_sitemap.commands.index.deployed_tree import DeployedTree
from docs_sitemap.commands.index.layout import Deployed, find_layout, find_sitemap, folder_url
from docs_sitemap.commands.index.merged_entries import MergedEntries
from docs_sitemap.commands.index.root_site import RootSite, find_root_site, has_mark
from docs_sitemap.commands.index.selection import (
    CANONICAL,
    Selection,
    Unlisted,
    VersionGroup,
    select_versions,
)
from docs_sitemap.commands.index.spooled_files import compress, write_index, write_urlsets
from docs_sitemap.commands.index.version_names import parse_version, version_order
from docs_sitemap.diagnostics import Diagnostic
from docs_sitemap.sitemap.protocol import MAX_BYTES, MAX_ENTRIES, is_part_name, part_name
from docs_sitemap.sitemap.rules import FormatRule
from docs_sitemap.sitemap.urls import BaseUrl, make_loc, normalize_url
from docs_sitemap.sitemap.validation import CheckedEntry, DateLimits
from docs_sitemap.text import count, join_some, shorten

_SITEMAP, _INDEX = "sitemap.xml", "sitemap-index.xml"
_MAX_NAMED = 20


class ComposeError(Exception):
    """The request cannot be fulfilled. The message is one line with a fix."""


class MessageKind(StrEnum):
    """How severe a message is. After an error, the command fails."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class IndexMessage:
    """Something that the user should know.

    Attributes:
        kind: `error`, `warning`, or `note`. After an error, the command exits with 1.
        text: What happened, and how to fix it, in one line.
    """

    kind: MessageKind
    text: str


@dataclass(frozen=True, slots=True)
class IndexOptions:
    """What to compose.

    Attributes:
        base_url: Where the tree is published.
        versions: The versions to list: see `select_versions`.
        prereleases: Whether pre-releases are selected, too.
        keep_removed: Whether to list pages that only older versions have.
        merge: Whether to write one sitemap instead of an index.
        filename: The name of the sitemap; `None` for the usual one.
    """

    base_url: BaseUrl
    versions: tuple[str, ...] = (CANONICAL,)
    prereleases: bool = False
    keep_removed: bool = False
    merge: bool = False
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
        reason: Why it is not listed; `null` if it is.
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
        messages: What the user should know.
    """

    filename: str
    files: dict[str, Path | None] = field(default_factory=dict)
    sitemaps: int = 0
    urls: int = 0
    kept: int = 0
    duplicates: int = 0
    versions: list[IndexedVersion] = field(default_factory=list)
    metadata: str | None = None
    messages: list[IndexMessage] = field(default_factory=list)

    @property
    def names(self) -> list[str]:
        """The names of the sitemap and its parts, without compressed copies."""
        return [name for name, path in self.files.items() if path and name.endswith(".xml")]

    @property
    def has_errors(self) -> bool:
        return any(message.kind is MessageKind.ERROR for message in self.messages)


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
        with MergedEntries(DateLimits(now)) as entries:
            return _Composer(tree, target or tree, options, scratch, now, entries).compose()
    except sqlite3.OperationalError as error:
        raise OSError(errno.ENOSPC, f"a temporary file cannot be written: {error}") from None


@dataclass(slots=True)
class _Source:
    """The sitemaps of one version.

    Attributes:
        version: The version.
        children: Its sitemaps.
        move: Returns the URL at which a page is listed; `None` if the URLs stay the same, so that
            the sitemaps can be listed in an index.
    """

    version: Deployed
    children: list[ChildSitemap]
    move: Callable[[str], str] | None = None


class _Composer:
    def __init__(
        self,
        tree: DeployedTree,
        target: DeployedTree,
        options: IndexOptions,
        scratch: Path,
        now: datetime,
        entries: MergedEntries,
    ) -> None:
        self._tree = tree
        self._target = target
        self._now = now
        self._options = options
        self._base_url = options.base_url
        self._scratch = scratch
        self._reader = ChildReader(tree, options.base_url, now)
        self._entries = entries
        # By file, as several indexes may list the same sitemap.
        self._listed: dict[str, tuple[str, str | None]] = {}
        self._extensions: list[str] = []
        self._needs_folder = True
        self._result = Composition(options.filename or _SITEMAP)

    def compose(self) -> Composition:
        layout = find_layout(self._tree, self._base_url)
        for note in layout.notes:
            self._say(MessageKind.NOTE, note)
        self._result.metadata = layout.metadata
        root = find_root_site(self._tree, self._base_url, layout.deployed, self._reader)
        self._choose_filename(root)
        deployed = [*([root.deployed] if root.deployed else []), *layout.deployed]
        if not deployed:
            self._say(
                MessageKind.ERROR,
                "nothing is written: there is no folder with a sitemap. Fix: build and deploy the "
                "site with docs-sitemap, and name the folder that contains all versions",
            )
            return self._result
        selection = select_versions(
            self._tree,
            deployed,
            self._base_url,
            self._options.versions,
            prereleases=self._options.prereleases,
        )
        if selection.unknown:
            names = [one.name or one.folder for one in deployed if one.name or one.folder]
            raise ComposeError(
                f"--versions: there is no version {', '.join(map(shorten, selection.unknown))}. "
                f"Fix: use the names of versions, which are {join_some(names, _MAX_NAMED)}"
            )
        sources = self._read_sources(selection)
        if self._options.keep_removed:
            for group in selection.groups:
                self._keep_removed(group, selection)
        for group in selection.groups:
            self._check_canonical_links(group)
        self._describe(deployed, selection, sources)
        if [one.version for one in sources] == [root.deployed] and not len(self._entries):
            message = f"nothing is written: {sources[0].version.sitemap} already lists all pages"
            self._say(MessageKind.NOTE, f"{message}. Fix: list more versions with --versions")
        elif self._listed or len(self._entries):
            self._write()
            self._note_root_sitemap(root)
        else:
            self._say(MessageKind.ERROR, "nothing is written: no sitemap can be used")
        return self._result

    def _say(self, kind: MessageKind, text: str) -> None:
        self._result.messages.append(IndexMessage(kind, text))

    def _choose_filename(self, root: RootSite) -> None:
        if root.deployed is None:
            return
        own = root.deployed.sitemap or ""
        if self._options.filename in (own, own.removesuffix(".gz")):
            raise ComposeError(
                f"{own} belongs to the site at the root, and would be replaced. Fix: choose "
                "another name with --output, or omit --output"
            )
        if self._options.filename is None:
            self._result.filename = _INDEX if own.startswith(_SITEMAP) else _SITEMAP

    def _note_root_sitemap(self, root: RootSite) -> None:
        """Say what happens to the sitemap at the root."""
        name = self._result.filename
        if root.deployed is not None:
            self._say(
                MessageKind.NOTE,
                f"{root.deployed.sitemap} belongs to the site at the root, so {name} is used "
                "instead. Fix: add this line to robots.txt: "
                f"Sitemap: {make_loc(self._base_url, name)}",
            )
        elif root.replaced == name:
            self._say(MessageKind.NOTE, f"{name} is replaced: another tool wrote it")

    def _read_sources(self, selection: Selection) -> list[_Source]:
        sources = []
        # Build jobs may leave their sitemaps anywhere, but next to versions, such a sitemap is
        # probably outdated.
        self._needs_folder = not self._options.merge or bool(selection.groups)
        for version in selection.listed:
            if version.sitemap is None:
                selection.unlisted[version.folder] = Unlisted.NO_SITEMAP
                self._say(
                    MessageKind.WARNING,
                    f"{version.title} has no sitemap: it was deployed without docs-sitemap. Fix: "
                    "build and deploy this version again, or choose others with --versions",
                )
                continue
            source = self._make_source(version, version.sitemap)
            usable = [child for child in source.children if self._read(source, child)]
            if usable:
                sources.append(_Source(version, usable, source.move))
            else:
                selection.unlisted[version.folder] = Unlisted.FAULT
        return sources

    def _make_source(self, version: Deployed, sitemap: str) -> _Source:
        """Choose the address of a version: its sitemap must be in the folder of its URLs, which
        are listed as its canonical links name them.
        """
        redirect = names_redirect(self._tree, version, self._base_url)
        if redirect is not None:
            self._say(
                MessageKind.WARNING,
                f"the canonical links of {version.title} name {redirect}, which redirects back. "
                "Fix: deploy the alias as a link or a copy (alias_type in mike)",
            )
        if not version.copies:
            return _Source(version, self._reader.find(sitemap))
        folders = [version.folder, *version.copies]
        covered = {folder: self._reader.covers(sitemap, folder) for folder in folders}
        folder = max(folders, key=lambda one: covered[one])
        address = canonical_address(self._tree, version, self._base_url)
        children = self._reader.find(find_sitemap(self._tree, folder) or sitemap)
        if address == folder or not covered[folder]:
            return _Source(version, children)
        before, after = (folder_url(self._base_url, one) for one in (folder, address))

        def move(url: str) -> str:
            normalized = normalize_url(url)
            if not normalized.startswith(before):
                return url
            return after + normalized.removeprefix(before)

        return _Source(version, children, move)

    def _read(self, source: _Source, child: ChildSitemap) -> bool:
        """Read a sitemap of a version. Return whether it is listed or merged."""
        is_merged = self._options.merge or source.move is not None
        move = source.move or str
        self._entries.begin()
        is_usable = self._reader.read(
            child, (lambda entry: self._entries.add(entry, move)) if is_merged else lambda _: None
        )
        if is_usable and not child.urls_in_folder and self._needs_folder:
            folder = child.loc.rpartition("/")[0]
            message = f"it lists no URL below {folder}/, but URLs such as {child.first_url}"
            child.fault = FormatRule.OUT_OF_SCOPE.diagnostic(message, child.file)
        self._report(child)
        if child.fault is not None:
            self._entries.roll_back()
            return False
        self._entries.commit()
        if child.has_extensions and is_merged:
            self._extensions.append(child.file)
        if not is_merged and child.file not in self._listed:
            self._listed[child.file] = (child.loc, child.newest.text)
            self._result.urls += child.urls
        return True

    def _report(self, child: ChildSitemap) -> None:
        """Report what is wrong with a sitemap: one line for each code."""
        if child.fault is not None:
            fix = child.fault.fix
            if child.fault.code in ("host-differs", "out-of-scope"):
                fix = "build it for the address at which it is published, or correct --base-url"
            where = _where(child.fault)
            text = f"{where}: {child.fault.code}: {child.fault.message}"
            self._say(MessageKind.ERROR, f"{text}. It is left out. Fix: {fix}")
            return
        by_code: dict[str, list[Diagnostic]] = {}
        for finding in child.findings:
            by_code.setdefault(finding.code, []).append(finding)
        for code, findings in by_code.items():
            more = f" (and {len(findings) - 1:,} more)" if len(findings) > 1 else ""
            text = f"{_where(findings[0])}: {code}: {findings[0].message}{more}"
            self._say(MessageKind.WARNING, f"{text}. Fix: {findings[0].fix}")

    def _keep_removed(self, group: VersionGroup, selection: Selection) -> None:
        """Add the pages that only older versions have, each from the newest of them."""
        canonical = group.canonical
        if canonical not in selection.listed or canonical.sitemap is None:
            return
        self._entries.forget_pages()
        folders = (canonical.folder, *canonical.copies)
        starts = tuple(folder_url(self._base_url, folder) for folder in folders)
        for url in self._reader.urls(canonical.sitemap):
            start = next(filter(url.startswith, starts), None)
            if start is not None:
                self._entries.add_page(url.removeprefix(start))
        for version in _older_versions(group):
            start = folder_url(self._base_url, version.folder)

            def accept(entry: CheckedEntry, start: str = start, own: Deployed = version) -> None:
                if entry.url is None or not entry.url.startswith(start):
                    return
                path = entry.url.removeprefix(start)
                is_new = self._entries.add_page(path)
                if is_new and not self._opens(canonical, path) and self._opens(own, path):
                    self._result.kept += 1
                    self._entries.add(entry)

            for child in self._reader.find(version.sitemap or ""):
                self._entries.begin()
                if self._reader.read(child, accept):
                    self._entries.commit()
                else:
                    self._entries.roll_back()
                    self._report(child)

    def _opens(self, version: Deployed, path: str) -> bool:
        start = folder_url(self._base_url, version.folder)
        url = f"{start}{path}".removeprefix(normalize_url(self._base_url))
        return self._tree.open_url(url) is not None

    def _check_canonical_links(self, group: VersionGroup) -> None:
        links = CanonicalLinks()
        for version in group.versions:
            if version is not group.canonical:
                links.read(self._tree, version, group.canonical, self._base_url)
        first = "" if links.is_complete else "the first "
        share = f"of {first}{count(links.pages, 'page')}"
        title = group.canonical.title
        if links.own:
            self._say(
                MessageKind.WARNING,
                f"{links.own:,} {share} in other versions than {title} declare themselves as "
                f"canonical or declare nothing, such as {links.own_example}: they compete with "
                f"{title} in search results. Fix: build all versions with the canonical address "
                "(canonical_version in mike, html_baseurl in Sphinx)",
            )
        if links.missing_example is not None:
            page, url = links.missing_example
            self._say(
                MessageKind.WARNING,
                f"{links.missing:,} {share} in other versions than {title} declare a canonical URL "
                f"that does not exist, such as {page} -> {url}. Fix: add a redirect to {title}",
            )

    def _describe(
        self, deployed: list[Deployed], selection: Selection, sources: list[_Source]
    ) -> None:
        canonical = [group.canonical for group in selection.groups]
        by_version = {source.version.folder: source for source in sources}
        for one in deployed:
            source = by_version.get(one.folder)
            children = [] if source is None else source.children
            newest = NewestDate()
            for child in children:
                newest.add(child.newest.text)
            self._result.versions.append(
                IndexedVersion(
                    folder=one.folder,
                    name=one.name or None,
                    aliases=tuple(one.aliases),
                    is_canonical=one in canonical,
                    sitemaps=tuple(child.file for child in children),
                    urls=sum(child.urls for child in children),
                    lastmod=newest.text,
                    reason=selection.unlisted.get(one.folder),
                )
            )

    def _write(self) -> None:
        """Write the files, the sitemap itself first."""
        result, entries = self._result, self._entries
        parts = write_urlsets(entries, self._scratch, has_alternates=entries.has_alternates())
        result.urls += len(entries)
        result.duplicates = entries.duplicates
        names: dict[str, Path] = {}
        if self._options.merge and len(parts) == 1:
            sitemap = parts[0].path
        else:
            for number, part in enumerate(parts, start=1):
                name = part_name(result.filename, number)
                if self._target.is_file(name) and not has_mark(self._target, name):
                    raise ComposeError(
                        f"{name} would be replaced, but another tool wrote it. Fix: choose another "
                        "name with --output"
                    )
                names[name] = part.path
                self._listed[name] = (make_loc(self._base_url, name), part.lastmod)
            result.sitemaps = len(self._listed)
            sitemap = self._scratch / "index.xml"
            write_index(self._listed.values(), sitemap)
            if result.sitemaps > MAX_ENTRIES or sitemap.stat().st_size > MAX_BYTES:
                raise ComposeError(
                    f"the index would list {result.sitemaps:,} sitemaps, and the protocol allows "
                    f"{MAX_ENTRIES:,} in {MAX_BYTES:,} bytes: an index cannot be split. Fix: use "
                    "--merge, or name fewer versions with --versions"
                )
        for name, path in {result.filename: sitemap, **names}.items():
            result.files |= {name: path, f"{name}.gz": compress(path)}
        for name in self._old_parts():
            result.files.setdefault(name, None)
            result.files.setdefault(f"{name}.gz", None)
        if self._extensions:
            self._say(
                MessageKind.WARNING,
                f"the images, videos, and news in {join_some(self._extensions, 3)} are not part of "
                "the merged sitemap. Fix: omit --merge",
            )

    def _old_parts(self) -> Iterator[str]:
        """Yield the names of the parts that this command wrote earlier."""
        filename = self._result.filename
        if not (self._target.is_file(filename) and has_mark(self._target, filename)):
            return
        for child in ChildReader(self._target, self._base_url, self._now).find(filename):
            if is_part_name(filename, child.file):
                yield child.file


def _older_versions(group: VersionGroup) -> Iterator[Deployed]:
    """Yield the released versions before the canonical one, the newest first."""
    order = version_order(group.canonical.name)
    for version in group.versions:
        if version is group.canonical or version.is_prerelease or version.sitemap is None:
            continue
        # Names such as `stable` have no order, and `latest` may be newer.
        is_number = parse_version(version.name) is not None
        is_canonical_number = parse_version(group.canonical.name) is not None
        if is_number and (not is_canonical_number or version_order(version.name) < order):
            yield version


def _where(finding: Diagnostic) -> str:
    return finding.file or "" if finding.line is None else f"{finding.file}:{finding.line}"
