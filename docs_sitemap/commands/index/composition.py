"""Compose the sitemaps of a deployed tree: one index, or one merged sitemap."""

import gzip
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from itertools import count as count_from
from typing import NamedTuple, TypeVar

import click
import msgspec

from docs_sitemap.built.site_folder import SiteFolder
from docs_sitemap.commands.console import JSON_VERSION
from docs_sitemap.diagnostics import Diagnostic, Severity
from docs_sitemap.sitemap.protocol import (
    MAX_BYTES,
    MAX_ENTRIES,
    Url,
    newest_date,
    part_name,
)
from docs_sitemap.sitemap.render import Renderer
from docs_sitemap.sitemap.rules import FormatRule
from docs_sitemap.sitemap.split import split
from docs_sitemap.sitemap.urls import BaseUrl, make_loc, normalize_url
from docs_sitemap.sitemap.validation import DateLimits
from docs_sitemap.tools.files import compress

from . import canonical_version, versions
from .canonical_links import CanonicalLinks, PageLink
from .children import Child, ChildReader, move_url
from .merged_urls import MergedUrls
from .versions import Deployed, Layout

_Name = TypeVar("_Name")


class IndexOptions(NamedTuple):
    """The arguments of the command.

    Attributes:
        deployed: The deployed folder, or a branch and a folder in it.
        base_url: Where the tree is published.
        merge: Whether to write one sitemap instead of an index.
        versions: The versions to list: see `select_versions`.
        skip: The versions to ignore.
        output: The sitemap to write; `None` for the usual one.
        is_commit: Whether to commit the sitemap to the branch.
        is_push: Whether to push the branch.
        is_canonical: Whether to change the canonical links of other versions.
        is_dry_run: Whether to write nothing.
    """

    deployed: str
    base_url: BaseUrl
    merge: bool
    versions: tuple[str, ...]
    skip: tuple[str, ...]
    output: str | None
    is_commit: bool
    is_push: bool
    is_canonical: bool
    is_dry_run: bool

    @property
    def is_written(self) -> bool:
        """Whether to write anything into the deployed folder or branch."""
        if self.is_dry_run:
            return False
        return self.is_commit or os.path.isdir(self.deployed)

    def check(self) -> None:
        """Check that the options do not contradict each other.

        Raises:
            click.UsageError: They do.
        """
        folder, name = os.path.split(self.output or "")
        if self.output is not None and not name.endswith(".xml"):
            raise click.UsageError("--output: the name of a sitemap ends in .xml")
        if self.is_push and not self.is_commit:
            raise click.UsageError("--push needs --commit")
        if self.is_commit and folder:
            raise click.UsageError(
                "--output: with --commit, write only the name of the file"
            )
        if self.is_commit and os.path.isdir(self.deployed):
            raise click.UsageError(
                f"--commit needs a branch, and {self.deployed} is a folder"
            )


class IndexResult(msgspec.Struct, frozen=True, kw_only=True):
    """What `index --format json` prints.

    Attributes:
        version: The version of this format.
        written: The files that were written, without compressed copies.
        commit: The hash of the commit; `None` if nothing was committed.
        sitemaps: The number of sitemaps that the index lists; 0 if it is no index.
        urls: The number of URLs in all of them.
        versions: The versions and sites that are deployed.
        canonical_links: The links of the pages of other versions, with `--canonical`.
        diagnostics: The errors, warnings, and notices.
    """

    version: int = JSON_VERSION
    written: list[str]
    commit: str | None
    sitemaps: int
    urls: int
    versions: list[Deployed]
    canonical_links: list[PageLink]
    diagnostics: list[Diagnostic]


@dataclass
class Composition:
    """The sitemap of a tree.

    Attributes:
        filename: The name of the sitemap.
        versions: The versions and sites that are deployed.
        files: What returns the new content of each file in the root of the tree, the
            sitemap itself first; `None` for a part of an earlier sitemap. Empty if
            nothing is to be written.
        written: The files that were written, as the user can name them.
        commit: The hash of the commit; `None` if nothing was committed.
        sitemaps: The number of sitemaps that the index lists; 0 if it is no index.
        urls: The number of URLs in all of them.
        diagnostics: The errors, warnings, and notices.
        changed_pages: The HTML files whose canonical links are to be changed, with
            their new contents.
        canonical_links: The canonical links of pages; complete after `changed_pages`.
    """

    filename: str
    versions: Sequence[Deployed]
    files: dict[str, Callable[[], bytes] | None] = field(default_factory=dict)
    written: list[str] = field(default_factory=list)
    commit: str | None = None
    sitemaps: int = 0
    urls: int = 0
    diagnostics: list[Diagnostic] = field(default_factory=list)
    changed_pages: Iterator[tuple[str, bytes]] = field(
        default_factory=partial(iter, ())
    )
    canonical_links: list[PageLink] = field(default_factory=list)

    @property
    def names(self) -> list[str]:
        """The names of the sitemap and its parts, without compressed copies."""
        names = []
        for name, read in self.files.items():
            if read is not None and name.endswith(".xml"):
                names.append(name)
        return names

    def report(self, code: str, message: str, fix: str, severity: Severity) -> None:
        """Add a diagnostic."""
        self.diagnostics.append(Diagnostic(code, message, severity, fix))


class LazyContents(Mapping[_Name, bytes | None]):
    """The contents of files, which are uncompressed one after the other: those of a
    million URLs have 130 MiB together.

    Args:
        files: What returns the content of each file; `None` to remove a file.
    """

    def __init__(self, files: Mapping[_Name, Callable[[], bytes] | None]) -> None:
        self._files = files

    def __getitem__(self, name: _Name) -> bytes | None:
        read = self._files[name]
        return None if read is None else read()

    def __iter__(self) -> Iterator[_Name]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)


def compose(
    tree: SiteFolder, options: IndexOptions, target: SiteFolder | None = None
) -> Composition:
    """Compose the sitemaps of a tree: one index, or one merged sitemap.

    Args:
        tree: The tree.
        options: What to compose.
        target: The folder in which the files are going to be written; `None` for the
            tree.

    Raises:
        click.UsageError: The options do not fit the tree.
    """
    layout = Layout(tree, options.base_url)
    groups, selected = canonical_version.select_versions(
        layout, options.versions, options.skip
    )
    composition = Composition(_choose_name(layout, options), layout.deployed)
    # Build jobs may leave their sitemaps anywhere, but next to versions, such a sitemap
    # is probably outdated.
    needs_folder = not options.merge or bool(groups)
    dates = DateLimits(datetime.now(UTC))
    reader = ChildReader(tree, layout.url_of(""), dates, needs_folder)
    with closing(MergedUrls()) as merged:
        content = _Content(layout, reader, composition, merged)
        for version in selected:
            version.reason = content.add(version, is_merged=options.merge)
        if options.is_canonical:
            links = CanonicalLinks(layout, groups, reader)
            composition.changed_pages = links.change()
            composition.canonical_links = links.links
        else:
            for group in groups:
                warnings = canonical_version.check_canonical_links(layout, group)
                composition.diagnostics += warnings
        if content.is_needed():
            files = content.render(is_merged=options.merge)
            _add_files(composition, files, target or tree, layout.root_sitemap)
    if composition.files and layout.root_sitemap:
        name = composition.filename
        text = (
            f"{layout.root_sitemap} belongs to the site at the root, so {name} is "
            "written"
        )
        fix = (
            "in robots.txt, list it instead: Sitemap: "
            f"{make_loc(options.base_url, name)}"
        )
        composition.report("root-site", text, fix, Severity.NOTICE)
    return composition


def _choose_name(layout: Layout, options: IndexOptions) -> str:
    if options.output is not None:
        return os.path.basename(options.output)
    is_used = (layout.root_sitemap or "").startswith("sitemap.xml")
    return "sitemap-index.xml" if is_used else "sitemap.xml"


def _add_files(
    composition: Composition,
    files: Mapping[str, bytes],
    target: SiteFolder,
    root_sitemap: str | None,
) -> None:
    """Set the files to write, and the parts of an earlier sitemap to remove.

    Args:
        composition: Receives the files.
        files: The compressed content of each new file.
        target: The folder in which they are going to be written.
        root_sitemap: The sitemap of the site at the root.

    Raises:
        click.UsageError: Another tool wrote one of the files.
    """
    own = (root_sitemap or "").removesuffix(".gz")
    for name, compressed in files.items():
        if name == own or (target.is_file(name) and not versions.is_own(target, name)):
            raise click.UsageError(
                f"{name} would be replaced, but another tool wrote it. Fix: choose "
                "another name with --output"
            )
        composition.files[name] = partial(gzip.decompress, compressed)
        composition.files[f"{name}.gz"] = partial(bytes, compressed)
    for number in count_from(len(files)):
        old = part_name(composition.filename, number)
        if not versions.is_own(target, old):
            return
        composition.files |= {old: None, f"{old}.gz": None}


class _Content:
    """What a sitemap lists.

    Args:
        layout: What is deployed.
        reader: Reads the sitemaps of versions.
        composition: Receives the numbers of sitemaps and URLs, and diagnostics.
        merged: Receives the entries of merged sitemaps.
    """

    def __init__(
        self,
        layout: Layout,
        reader: ChildReader,
        composition: Composition,
        merged: MergedUrls,
    ) -> None:
        self._layout = layout
        self._reader = reader
        self._composition = composition
        self._merged = merged
        # By URL, as several indexes may list the same sitemap.
        self._listed: dict[str, Child] = {}

    def add(self, version: Deployed, *, is_merged: bool) -> str | None:
        """Read the sitemaps of a version. Return why it is not listed."""
        sitemap, target = self._choose_sitemap(version)
        if sitemap is None:
            text = (
                f"{version.title} has no sitemap: it was deployed without docs-sitemap"
            )
            fix = (
                "build and deploy this version again, or choose others with --versions"
            )
            self._composition.report("no-sitemap", text, fix, Severity.WARNING)
            return "it has no sitemap"
        is_merged = is_merged or target is not None
        dates = []
        faults = []
        copies = []
        for child in self._reader.read(sitemap, with_entries=is_merged):
            if child.fault is not None:
                faults.append(child.fault)
                copies.append(self._is_copy(child, version))
                continue
            version.sitemaps.append(child.file)
            version.urls += child.count
            dates.append(child.lastmod)
            self._list(child, version, target, is_merged=is_merged)
        version.lastmod = newest_date(dates)
        if not version.sitemaps and all(copies):
            return canonical_version.NOT_CANONICAL
        for fault in faults:
            self._report_unusable(fault)
        return None if version.sitemaps else "its sitemap cannot be used"

    def _list(
        self, child: Child, version: Deployed, target: str | None, *, is_merged: bool
    ) -> None:
        """List a sitemap or, if it is merged, its entries, in the folder to which they
        move.
        """
        if target is not None:
            self._move(child, version.folder, target)
        if is_merged:
            self._merged.add(child.urls)
            child.urls = {}
        else:
            self._listed.setdefault(child.loc, child)

    def _choose_sitemap(self, version: Deployed) -> tuple[str | None, str | None]:
        """Return the sitemap of a version, and the folder to which its URLs must be
        moved, if any. They are listed in the folder that the canonical links name,
        whether the sitemap of that folder lists them there, or in the other folder.
        """
        named = canonical_version.canonical_folder(self._layout, version)
        if named is None or named not in version.other_folders:
            return version.sitemap, None
        sitemap = versions.find_sitemap(self._layout.tree, named)
        if sitemap is not None:
            for child in self._reader.read(sitemap):
                if child.first.startswith(self._layout.url_of(version.folder)):
                    return version.sitemap, named
                if child.first:
                    return sitemap, None
        return version.sitemap, None

    def _move(self, child: Child, folder: str, target: str) -> None:
        """Move the entries of a sitemap that are in one folder to another one."""
        before, after = self._layout.url_of(folder), self._layout.url_of(target)
        urls = [move_url(url, before, after) for url in child.urls.values()]
        child.urls = {normalize_url(url.loc): url for url in urls}

    def _is_copy(self, child: Child, version: Deployed) -> bool:
        """Return whether an unusable sitemap of a version lists only pages of another
        one, which is the canonical version.
        """
        if child.fault is None or child.fault.code != FormatRule.OUT_OF_SCOPE.slug:
            return False
        folder = self._layout.folder_of(child.first)
        return folder != "" and self._layout.by_folder[folder] is not version

    def _report_unusable(self, fault: Diagnostic) -> None:
        """Report why a sitemap cannot be used."""
        message = f"{fault.message}. It is left out"
        fix = f"{fault.fix}, or ignore its folder with --skip"
        diagnostic = replace(fault, message=message, fix=fix)
        self._composition.diagnostics.append(diagnostic)

    def is_needed(self) -> bool:
        """Return whether there is anything to write, and report why not."""
        used = [one.folder for one in self._layout.deployed if one.sitemaps]
        if used and (self._merged or used != [""]):
            return True
        if used:
            text = (
                f"nothing is written: {self._layout.root_sitemap} already lists all "
                "pages"
            )
            self._composition.report(
                "empty", text, "list more versions", Severity.NOTICE
            )
            return False
        text = "no sitemap is written: there is no folder with one that can be used"
        fix = (
            "build and deploy the site with docs-sitemap, and name the folder of all "
            "versions"
        )
        self._composition.report("empty", text, fix, Severity.ERROR)
        return False

    def render(self, *, is_merged: bool) -> dict[str, bytes]:
        """Return the sitemap and its parts by name, compressed, the sitemap itself
        first.

        Raises:
            click.UsageError: An index cannot list so many sitemaps.
        """
        name, renderer = self._composition.filename, Renderer()
        base_url = self._layout.base_url
        self._composition.urls = len(self._merged)
        sitemaps = []
        for child in self._listed.values():
            self._composition.urls += child.count
            sitemaps.append(Url(child.loc, child.lastmod))
        files: dict[str, bytes] = {}
        render = partial(renderer.sitemap, comment=versions.MARK)
        for entries, data in split(self._merged, render):
            part = part_name(name, len(files) + 1)
            files[part] = compress(data)
            lastmod = newest_date(url.lastmod for url in entries)
            sitemaps.append(Url(make_loc(base_url, part), lastmod))
            del entries, data  # Forget them before the next part is made.
        if len(sitemaps) == len(files) == 1 and is_merged:
            return {name: files[part]}
        self._composition.sitemaps = len(sitemaps)
        index = renderer.index(sitemaps, comment=versions.MARK)
        if len(sitemaps) > MAX_ENTRIES or len(index) > MAX_BYTES:
            raise click.UsageError(
                f"the index would list {len(sitemaps):,} sitemaps, and the protocol "
                f"allows {MAX_ENTRIES:,} in {MAX_BYTES:,} bytes. Fix: use --merge, or "
                "list fewer versions"
            )
        return {name: compress(index), **files}
