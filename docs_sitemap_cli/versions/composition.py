"""Compose the sitemaps of a deployed tree: one index, or one merged sitemap."""

import gzip
import os
import sqlite3
from collections import UserDict
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from itertools import count as count_from
from pathlib import Path
from typing import NamedTuple

import click
import msgspec

from docs_sitemap.diagnostics import Diagnostic, Severity
from docs_sitemap.sitemap.protocol import (
    MAX_BYTES,
    MAX_ENTRIES,
    Url,
    newest_date,
    part_name,
)
from docs_sitemap.sitemap.render import Renderer
from docs_sitemap.sitemap.split import split
from docs_sitemap.sitemap.urls import BaseUrl, make_loc
from docs_sitemap.sitemap.validation import DateLimits
from docs_sitemap.tools.files import compress
from docs_sitemap_cli.console import JSON_VERSION
from docs_sitemap_cli.site.folder import SiteFolder

from .canonical_links import PageLink, change_links, check_links, find_links
from .canonical_version import canonical_folder, select_versions
from .children import ChildReader
from .merged_urls import add_urls, open_database, read_urls
from .versions import MARK, Deployed, Layout, find_sitemap, is_own


class IndexOptions(NamedTuple):
    """The arguments of the command.

    Attributes:
        deployed: The deployed folder, or a branch and a folder in it.
        base_url: Where the tree is published.
        merge: Whether to write one sitemap instead of an index.
        versions: The versions to list: see `select_versions`.
        skip: The versions to ignore.
        output: The name of the sitemap; `None` for the usual one.
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

    def check(self) -> None:
        """Check that the options do not contradict each other.

        Raises:
            click.UsageError: They do.
        """
        name = self.output or "sitemap.xml"
        if not name.endswith(".xml") or os.path.basename(name) != name:
            raise click.UsageError(
                "--output is not the name of a sitemap. Fix: write a name that ends in "
                ".xml, without a folder"
            )
        if self.is_push and not self.is_commit:
            raise click.UsageError("--push needs --commit")
        if self.is_commit and os.path.isdir(self.deployed):
            raise click.UsageError(
                f"--commit needs a branch, and {self.deployed} is a folder"
            )


class IndexResult(msgspec.Struct, kw_only=True):
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
    written: list[str] = []
    commit: str | None = None
    sitemaps: int = 0
    urls: int = 0
    versions: list[Deployed]
    canonical_links: list[PageLink] = []
    diagnostics: list[Diagnostic] = []

    def report(self, code: str, message: str, fix: str, severity: Severity) -> None:
        """Add a diagnostic."""
        self.diagnostics.append(Diagnostic(code, message, severity, fix))


class LazyFiles(UserDict[Path, bytes]):
    """The compressed contents of files, which are uncompressed when they are read:
    those of a million URLs have 130 MiB together.
    """

    def __getitem__(self, path: Path) -> bytes:
        data = self.data[path]
        return data if path.suffix == ".gz" else gzip.decompress(data)


@dataclass
class Composition:
    """The sitemap of a tree.

    Attributes:
        filename: The name of the sitemap.
        result: What the command prints. The links are complete after `changed_pages`.
        files: The compressed content of each file in the root of the tree by name, the
            sitemap itself first. Empty if nothing is to be written.
        old_files: The parts of an earlier sitemap, which are to be removed after that.
        changed_pages: The HTML files whose canonical links are to be changed, with
            their new contents.
        is_written: Whether there is anything to write or commit, and the user wants
            that.
    """

    filename: str
    result: IndexResult
    files: dict[str, bytes] = field(default_factory=dict)
    old_files: list[str] = field(default_factory=list)
    changed_pages: Iterable[tuple[str, bytes]] = ()
    is_written: bool = False

    def files_in(self, folder: Path) -> LazyFiles:
        """Return the files in a folder, with compressed copies, the sitemap itself
        last.
        """
        files = LazyFiles()
        for name, data in reversed(self.files.items()):
            files |= {folder / f"{name}.gz": data, folder / name: data}
        return files


def compose(tree: SiteFolder, options: IndexOptions) -> Composition:
    """Compose the sitemaps of a tree: one index, or one merged sitemap.

    Args:
        tree: The tree.
        options: What to compose.

    Raises:
        click.UsageError: The options do not fit the tree.
    """
    layout = Layout(tree, options.base_url)
    groups, selected = select_versions(layout, options.versions, options.skip)
    result = IndexResult(versions=layout.deployed)
    composition = Composition(_choose_name(layout, options), result)
    # Build jobs may leave their sitemaps anywhere, but next to versions, such a sitemap
    # is probably outdated.
    needs_folder = not options.merge or bool(groups)
    reader = ChildReader(
        tree,
        layout.url_of(""),
        DateLimits(datetime.now(UTC)),
        needs_folder,
        options.merge,
    )
    with closing(open_database()) as database:
        content = _Content(layout, options, composition, database)
        for version in selected:
            version.reason = content.add(version, reader)
        links = find_links(layout, groups)
        if options.is_canonical:
            composition.changed_pages = change_links(
                tree, links, result.canonical_links
            )
        else:
            result.diagnostics += check_links(links)
        if content.is_needed():
            content.render()
    if not options.is_dry_run:
        composition.is_written = options.is_canonical or bool(composition.files)
    return composition


def _choose_name(layout: Layout, options: IndexOptions) -> str:
    if options.output:
        return options.output
    is_used = (layout.root_sitemap or "").startswith("sitemap.xml")
    return "sitemap-index.xml" if is_used else "sitemap.xml"


class _Content:
    """What a sitemap lists.

    Args:
        layout: What is deployed.
        options: What to compose.
        composition: Receives the files and the result.
        database: Receives the entries of merged sitemaps.
    """

    def __init__(
        self,
        layout: Layout,
        options: IndexOptions,
        composition: Composition,
        database: sqlite3.Connection,
    ) -> None:
        self._layout = layout
        self._options = options
        self._composition = composition
        self._result = composition.result
        self._database = database
        # By URL, as several indexes may list the same sitemap.
        self._listed: dict[str, Url] = {}

    def add(self, version: Deployed, reader: ChildReader) -> str | None:
        """Read the sitemaps of a version. Return why it is not listed."""
        if version.sitemap is None:
            text = f"{version.folder} has no sitemap: it was deployed without one"
            fix = "build and deploy it again, or choose others with --versions"
            self._result.report("no-sitemap", text, fix, Severity.WARNING)
            return "it has no sitemap"
        folder = self._find_address(version)
        if folder is not None:
            before = self._layout.url_of(version.folder)
            after = self._layout.url_of(folder)
            reader = reader._replace(is_merged=True, before=before, after=after)
        dates = []
        for child in reader.read(version.sitemap):
            if child.fault is not None:
                fix = f"{child.fault.fix}, or ignore its folder with --skip"
                self._result.diagnostics.append(replace(child.fault, fix=fix))
                continue
            version.sitemaps.append(child.file)
            version.urls += len(child.dates)
            lastmod = reader.newest_date(child)
            dates.append(lastmod)
            if reader.is_merged:
                add_urls(self._database, child.urls)
            elif child.loc not in self._listed:
                self._listed[child.loc] = Url(child.loc, lastmod)
                self._result.urls += len(child.dates)
        version.lastmod = newest_date(dates)
        return None if version.sitemaps else "its sitemap cannot be used"

    def _find_address(self, version: Deployed) -> str | None:
        """Return the folder in which the canonical links of a version name its pages;
        `None` if that is no link to the version, and no copy of it.
        """
        folder = canonical_folder(self._layout, version)
        if folder not in version.other_folders:
            return None
        # An alias that redirects has no sitemap.
        if find_sitemap(self._layout.tree, folder) is None:
            return None
        return folder

    def is_needed(self) -> bool:
        """Return whether there is anything to write, and report why not."""
        used = [one.folder for one in self._layout.deployed if one.sitemaps]
        severity = Severity.NOTICE
        if used == [""]:
            text = f"{self._layout.root_sitemap} already lists all pages"
            fix = "list more versions"
        elif not used:
            text = "there is no folder with a sitemap that can be used"
            fix = (
                "build and deploy the site with docs-sitemap, and name the folder of "
                "all versions"
            )
            severity = Severity.ERROR
            # The links are complete anyway.
            if self._options.is_canonical:
                severity = Severity.WARNING
        else:
            return True
        self._result.report("empty", f"nothing is written: {text}", fix, severity)
        return False

    def render(self) -> None:
        """Render the sitemap and its parts.

        Raises:
            click.UsageError: An index cannot list so many sitemaps, or another tool
                wrote one of the files.
        """
        name = self._composition.filename
        renderer = Renderer()
        self._result.urls += self._database.total_changes
        sitemaps = [*self._listed.values()]
        parts: dict[str, bytes] = {}
        render = partial(renderer.sitemap, comment=MARK)
        for entries, data in split(read_urls(self._database), render):
            part = part_name(name, len(parts) + 1)
            parts[part] = compress(data)
            lastmod = newest_date(url.lastmod for url in entries)
            loc = make_loc(self._layout.base_url, part)
            sitemaps.append(Url(loc, lastmod))
            del entries, data  # Forget them before the next part is made.
        if len(sitemaps) == len(parts) == 1 and self._options.merge:
            self._add_files({name: parts[part]})
            return
        self._result.sitemaps = len(sitemaps)
        index = renderer.index(sitemaps, comment=MARK)
        if len(sitemaps) > MAX_ENTRIES or len(index) > MAX_BYTES:
            raise click.UsageError(
                f"the index would list {len(sitemaps):,} sitemaps, and the protocol "
                f"allows {MAX_ENTRIES:,} in {MAX_BYTES:,} bytes. Fix: use --merge, or "
                "list fewer versions"
            )
        self._add_files({name: compress(index), **parts})

    def _add_files(self, files: dict[str, bytes]) -> None:
        """Set the files to write, and the parts of an earlier sitemap to remove.

        Args:
            files: The compressed content of each sitemap by name.

        Raises:
            click.UsageError: Another tool wrote one of the files.
        """
        tree = self._layout.tree
        composition = self._composition
        for name in files:
            is_used = tree.is_file(name) or tree.is_file(f"{name}.gz")
            if is_used and not is_own(tree, name):
                raise click.UsageError(
                    f"{name} would be replaced, but another tool wrote it. Fix: choose "
                    "another name with --output"
                )
        composition.files = files
        for number in count_from(len(files)):
            old = part_name(composition.filename, number)
            if not is_own(tree, old):
                break
            composition.old_files += [old, f"{old}.gz"]
        root = self._layout.root_sitemap
        if root is not None:
            loc = make_loc(self._layout.base_url, composition.filename)
            text = (
                f"{root} belongs to the site at the root, so {composition.filename} is "
                "written"
            )
            fix = f"in robots.txt, list it instead: Sitemap: {loc}"
            self._result.report("root-site", text, fix, Severity.NOTICE)
