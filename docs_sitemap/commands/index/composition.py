"""Compose the sitemaps of a deployed tree: one index, or one merged sitemap."""

import os
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from itertools import count as count_from, takewhile
from typing import NamedTuple

import click

from docs_sitemap.commands.index import selection, versions
from docs_sitemap.commands.index.children import (
    Child,
    ChildReader,
    find_dead_links,
    move_url,
    without_links,
)
from docs_sitemap.commands.index.tree import DeployedTree
from docs_sitemap.commands.index.versions import Deployed, Layout
from docs_sitemap.diagnostics import Diagnostic, Severity
from docs_sitemap.files import compress
from docs_sitemap.printing import count, join_some, shorten
from docs_sitemap.sitemap.protocol import MAX_BYTES, MAX_ENTRIES, Url, newest_date, part_name
from docs_sitemap.sitemap.render import Renderer
from docs_sitemap.sitemap.rules import FormatRule
from docs_sitemap.sitemap.split import split
from docs_sitemap.sitemap.urls import BaseUrl, check_url, make_loc, normalize_url
from docs_sitemap.sitemap.validation import DateLimits

_MAX_NAMED = 20
_UNUSABLE = "its sitemap cannot be used"


class IndexOptions(NamedTuple):
    """The arguments of the command.

    Attributes:
        deployed: The deployed folder, or a branch and a folder in it.
        base_url: Where the tree is published.
        merge: Whether to write one sitemap instead of an index.
        versions: The versions to list: see `select_versions`.
        skip: The versions to ignore.
        external: The URLs of sitemaps to list that the tree does not contain.
        root_version: The name of the version at the root; empty if a site there has no versions.
        prereleases: Whether pre-releases are selected, too.
        prune_alternates: Whether to leave out links to languages that lead nowhere. It merges.
        output: The sitemap to write; `None` for the usual one.
        is_commit: Whether to commit the sitemap to the branch.
        message: The message of the commit.
        is_push: Whether to push the branch.
    """

    deployed: str
    base_url: BaseUrl
    merge: bool
    versions: tuple[str, ...]
    skip: tuple[str, ...]
    external: tuple[str, ...]
    root_version: str
    prereleases: bool
    prune_alternates: bool
    output: str | None
    is_commit: bool
    message: str
    is_push: bool

    def check(self) -> None:
        """Check that the options do not contradict each other.

        Raises:
            click.UsageError: They do.
        """
        folder, name = os.path.split(self.output or "")
        if self.is_commit and os.path.isdir(self.deployed):
            raise click.UsageError(f"--commit needs a branch, and {self.deployed} is a folder")
        if self.is_push and not self.is_commit:
            raise click.UsageError("--push needs --commit")
        if self.output is not None and not name.endswith(".xml"):
            raise click.UsageError("--output: the name of a sitemap ends in .xml")
        base = normalize_url(self.base_url)
        for url in self.external:
            if not (check_url(url).normalized or "").startswith(base):
                raise click.UsageError(f"--external: {shorten(url)} is not a URL below {base}")
        if self.is_commit and folder:
            raise click.UsageError("--output: with --commit, write only the name of the file")


class Composition:
    """The sitemaps of a tree: one index, or one merged sitemap.

    Attributes:
        filename: The name of the sitemap.
        files: The new content of each file in the root of the tree, the sitemap itself first;
            `None` for a part of an earlier sitemap. Empty if nothing is to be written.
        written: The files that were written, as the user can name them.
        commit: The hash of the commit; `None` if nothing was committed.
        versions: The versions and sites that are deployed.
        sitemaps: The number of sitemaps that the index lists; 0 if it is no index.
        urls: The number of URLs in all of them.
        diagnostics: The errors, warnings, and notices.

    Args:
        tree: The tree.
        options: What to compose.
        target: The folder in which the files are going to be written; `None` for the tree.

    Raises:
        click.UsageError: The options do not fit the tree.
    """

    def __init__(
        self, tree: DeployedTree, options: IndexOptions, target: DeployedTree | None = None
    ) -> None:
        self._tree = tree
        self._options = options
        self._base_url = options.base_url
        self._layout = Layout(tree, options.base_url, options.root_version)
        self._root_sitemap = self._layout.root_sitemap or ""
        is_used = self._root_sitemap.startswith("sitemap.xml")
        self.filename = "sitemap-index.xml" if is_used else "sitemap.xml"
        if options.output is not None:
            self.filename = os.path.basename(options.output)
        self.files: dict[str, bytes | None] = {}
        self.written: list[str] = []
        self.commit: str | None = None
        self.versions = self._layout.deployed
        self.sitemaps = self.urls = 0
        self.diagnostics: list[Diagnostic] = []
        groups, selected = selection.select_versions(
            self._layout, options.versions, options.skip, prereleases=options.prereleases
        )
        # Build jobs may leave their sitemaps anywhere, but next to versions, such a sitemap is
        # probably outdated.
        needs_folder = not options.merge or bool(groups)
        dates = DateLimits(datetime.now(UTC))
        self._reader = ChildReader(tree, options.base_url, dates, needs_folder)
        # By URL, as several indexes may list the same sitemap.
        self._listed: dict[str, Child] = {}
        self._external = [*map(normalize_url, options.external)]
        self._merged: dict[str, Url] = {}
        self._stripped: list[str] = []
        for version in selected:
            version.reason = self._read(version)
        for group in groups:
            self.diagnostics += selection.check_canonical_links(self._layout, group)
        if options.prune_alternates:
            self._prune()
        for url in self._external:
            self._listed.setdefault(url, Child(url, url))
        if self._is_needed():
            self._write(target or tree)

    @property
    def names(self) -> list[str]:
        """The names of the sitemap and its parts, without compressed copies."""
        return [name for name, data in self.files.items() if data and name.endswith(".xml")]

    def _is_needed(self) -> bool:
        """Return whether there is anything to write, and report why not."""
        used = [one.folder for one in self._layout.deployed if one.sitemaps]
        text, severity = "there is no folder with a sitemap that can be used", Severity.ERROR
        fix = "build and deploy the site with docs-sitemap, and name the folder of all versions"
        if not self._merged and not self._external and used == [""]:
            text, fix = f"{self._root_sitemap} already lists all pages", "list more versions"
            severity = Severity.NOTICE
        elif used:
            return True
        self._report("empty", f"nothing is written: {text}", severity, fix)
        return False

    def _write(self, target: DeployedTree) -> None:
        """Render the files, the sitemap itself first.

        Raises:
            click.UsageError: An index cannot list so many sitemaps, or another tool wrote a file.
        """
        name = self.filename
        files = self._render()
        for one, data in files.items():
            is_foreign = target.is_file(one) and not versions.is_own(target, one)
            if is_foreign or one == self._root_sitemap.removesuffix(".gz"):
                raise click.UsageError(
                    f"{one} would be replaced, but another tool wrote it. Fix: choose another name "
                    "with --output"
                )
            self.files |= {one: data, f"{one}.gz": compress(data)}
        later_parts = (part_name(name, number) for number in count_from(len(files)))
        for old in takewhile(partial(versions.is_own, target), later_parts):
            self.files |= {old: None, f"{old}.gz": None}
        self._report_dropped(target)
        if self._stripped:
            names = join_some(self._stripped, _MAX_NAMED)
            text = f"images, videos, and news of {names} are left out"
            fix = "to keep them, omit --merge" if self._options.merge else ""
            self._report("extensions", text, Severity.NOTICE, fix)
        if self._root_sitemap:
            text = f"{self._root_sitemap} belongs to the site at the root, so {name} is written"
            fix = f"in robots.txt, list it instead: Sitemap: {make_loc(self._base_url, name)}"
            self._report("root-site", text, Severity.NOTICE, fix)

    def _report_dropped(self, target: DeployedTree) -> None:
        """Report sitemaps that the replaced index lists, and that the tree does not contain."""
        reader = replace(self._reader, tree=target)
        kept = {*self._listed, *(normalize_url(self._base_url + name) for name in self.files)}
        before = [url for url in reader.read_file(Child(self.filename, "")) if url not in kept]
        if lost := [url for url in before if not self._opens(url)]:
            text = f"{self.filename} no longer lists {join_some(lost, _MAX_NAMED)}, which does not "
            fix = f"if another repository deploys it, use --external {lost[0]}"
            self._report("dropped", f"{text}exist in the tree", Severity.WARNING, fix)

    def _render(self) -> dict[str, bytes]:
        """Return the sitemap and its parts by name."""
        name, renderer = self.filename, Renderer()
        self.urls = sum(child.count for child in self._listed.values()) + len(self._merged)
        sitemaps = [Url(child.loc, child.lastmod) for child in self._listed.values()]
        files: dict[str, bytes] = {}
        for entries, data in split(
            _pop_sorted(self._merged), partial(renderer.sitemap, comment=versions.MARK)
        ):
            part = part_name(name, len(files) + 1)
            files[part] = data
            lastmod = newest_date(url.lastmod for url in entries)
            sitemaps.append(Url(make_loc(self._base_url, part), lastmod))
        if len(sitemaps) == len(files) == 1 and self._options.merge:
            return {name: data}
        self.sitemaps = len(sitemaps)
        index = renderer.index(sitemaps, comment=versions.MARK)
        if len(sitemaps) > MAX_ENTRIES or len(index) > MAX_BYTES:
            raise click.UsageError(
                f"the index would list {len(sitemaps):,} sitemaps, and the protocol allows "
                f"{MAX_ENTRIES:,} in {MAX_BYTES:,} bytes. Fix: use --merge, or list fewer versions"
            )
        return {name: index, **files}

    def _report(self, code: str, message: str, severity: Severity, fix: str) -> None:
        self.diagnostics.append(Diagnostic(code, message, severity, fix))

    def _choose_sitemap(self, version: Deployed) -> tuple[str | None, str | None]:
        """Return the sitemap of a version, and the folder to which its URLs must be moved, if any.
        They are listed in the folder that the canonical links name, whether the sitemap of that
        folder lists them there, or in the other folder.
        """
        named = selection.canonical_folder(self._layout, version)
        if named is None or named not in version.other_folders:
            return version.sitemap, None
        sitemap = versions.find_sitemap(self._tree, named)
        before = self._layout.url_of(version.folder)
        children = self._reader.read(sitemap) if sitemap else []
        first = next((child.first for child in children if child.first), None)
        if first is None or first.startswith(before):
            return version.sitemap, first and named
        return sitemap, None

    def _read(self, version: Deployed) -> str | None:
        """Read the sitemaps of a version. Return why it is not listed."""
        sitemap, target = self._choose_sitemap(version)
        if sitemap is None:
            text = f"{version.title} has no sitemap: it was deployed without docs-sitemap"
            fix = "build and deploy this version again, or choose others with --versions"
            self._report("no-sitemap", text, Severity.WARNING, fix)
            return "it has no sitemap"
        is_merged = self._options.merge or target is not None
        children = self._reader.read(sitemap, with_entries=is_merged)
        if all(self._copied_folder(version, child) for child in children):
            return selection.NOT_CANONICAL
        used = [child for child in children if self._is_usable(child)]
        version.sitemaps = [child.file for child in used]
        version.urls = sum(child.count for child in used)
        version.lastmod = newest_date(child.lastmod for child in used)
        for child in used:
            if target is not None:
                self._move(child, version.folder, target)
            if is_merged:
                self._merge(child)
            else:
                self._listed.setdefault(child.loc, child)
        return None if used else _UNUSABLE

    def _move(self, child: Child, folder: str, target: str) -> None:
        """Move the entries of a sitemap that are in one folder to another one."""
        before, after = (self._layout.url_of(one) for one in (folder, target))
        urls = [move_url(url, before, after) for url in child.urls.values()]
        child.urls = {normalize_url(url.loc): url for url in urls}

    def _merge(self, child: Child) -> None:
        """Merge the entries of a sitemap. If a URL is already listed, the first entry stays."""
        for key, url in child.urls.items():
            self._merged.setdefault(key, url)
        if child.has_extensions:
            self._stripped.append(child.file)

    def _copied_folder(self, version: Deployed, child: Child) -> str:
        """Return the folder of another version if a sitemap lists only pages there: that version is
        the canonical one.
        """
        if child.fault is None or child.fault.code != FormatRule.OUT_OF_SCOPE.slug:
            return ""
        folder = self._layout.folder_of(child.first)
        return "" if not folder or self._layout.by_folder[folder] is version else folder

    def _is_usable(self, child: Child) -> bool:
        """Return whether a sitemap can be used, and report why not."""
        if child.fault is not None and child.loc not in self._external:
            message = f"{child.fault.message}. It is left out"
            fix = f"{child.fault.fix}, or ignore its folder with --skip"
            self.diagnostics.append(replace(child.fault, message=message, fix=fix))
        return child.fault is None

    def _opens(self, url: str) -> bool:
        return self._tree.open_url(url.removeprefix(normalize_url(self._base_url))) is not None

    def _prune(self) -> None:
        """Leave out the links to languages whose targets are not listed, or do not link back."""
        dead = find_dead_links(self._merged.values(), normalize_url(self._base_url))
        self._merged = {key: without_links(url, dead) for key, url in self._merged.items()}
        if dead:
            page, target = min(dead)
            text = f"{count(len(dead), 'link')} to other languages left out: the targets are not "
            text += f"listed, or do not link back, such as {target} in {page}"
            fix = "if a language loses all its links, correct its folder in the option locales"
            self._report("alternates", text, Severity.NOTICE, fix)


def _pop_sorted(urls: dict[str, Url]) -> Iterator[Url]:
    """Yield entries sorted by URL, and forget each: millions of them need much memory."""
    keys = sorted(urls, reverse=True)
    while keys:
        yield urls.pop(keys.pop())
