"""Compose the sitemap of a deployed tree, and write it with the canonical links of its
pages.
"""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import click
import msgspec

from docs_sitemap.diagnostics import Diagnostic, Severity
from docs_sitemap.sitemap.urls import BaseUrl, make_loc
from docs_sitemap.tools.files import compress, lock_folder, replace_files
from docs_sitemap_cli.console import JSON_VERSION
from docs_sitemap_cli.published.folder import SiteFolder
from docs_sitemap_cli.published.sitemap_sources import INDEX_OF_BUILDS

from .canonical_links import PageLink, change_page, check_links, find_links
from .canonical_version import select_versions
from .deployed_versions import Deployed, Layout, is_own
from .possible_versions import find_possible_versions
from .sitemap_index import SitemapIndex


class IndexOptions(NamedTuple):
    """The arguments of the command.

    Attributes:
        deployed: The deployed folder, or a branch and a folder in it.
        base_url: Where the tree is published.
        versions: The versions to list: see `select_versions`.
        skip: The versions to ignore.
        output: The name of the sitemap; `None` for the usual one.
        is_commit: Whether to commit the sitemap to the branch.
        is_canonical: Whether to change the canonical links of other versions.
        is_dry_run: Whether to write nothing.
    """

    deployed: str
    base_url: BaseUrl
    versions: tuple[str, ...]
    skip: tuple[str, ...]
    output: str | None
    is_commit: bool
    is_canonical: bool
    is_dry_run: bool

    @property
    def is_written(self) -> bool:
        """Whether the sitemap is written to the folder, or committed to the branch."""
        return not self.is_dry_run and (self.is_commit or os.path.isdir(self.deployed))

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
        if self.is_commit and os.path.isdir(self.deployed):
            raise click.UsageError(
                f"--commit needs a branch, but {self.deployed} is a folder"
            )


class IndexResult(msgspec.Struct, kw_only=True):
    """What `index --format json` prints.

    Attributes:
        version: The version of this format.
        written: The files that were written, without compressed copies.
        commit: The hash of the commit; `None` if nothing was committed.
        sitemaps: The number of sitemaps that the index lists.
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


@dataclass
class Composition:
    """The sitemap of a tree.

    Attributes:
        result: What the command prints.
        filename: The name of the sitemap.
        content: Its content; `None` if there is none to write.
    """

    result: IndexResult
    filename: str
    content: bytes | None = None


def compose(tree: SiteFolder, options: IndexOptions) -> Composition:
    """Compose the sitemap of a tree, and find the canonical links of its pages.

    Args:
        tree: The tree.
        options: What to compose.

    Raises:
        click.UsageError: The options do not fit the tree.
    """
    layout = Layout(tree, options.base_url, options.versions)
    groups, selected = select_versions(layout, options.versions, options.skip)
    index = SitemapIndex(layout)
    for version in selected:
        version.reason = index.add(version)
    result = IndexResult(versions=layout.deployed, diagnostics=index.diagnostics)
    links = find_links(layout, groups)
    if options.is_canonical:
        result.canonical_links = list(links)
    else:
        result.diagnostics += check_links(links)
    if not options.versions:
        result.diagnostics += find_possible_versions(layout, options.skip)
    composition = Composition(result, options.output or "sitemap.xml")
    empty = _why_empty(layout, options)
    if empty is not None:
        result.diagnostics.append(empty)
        return composition
    result.urls = index.urls
    result.sitemaps = len(index.sitemaps)
    composition.content = index.render()
    if layout.root_sitemap is not None:
        _keep_root_sitemap(composition, layout, layout.root_sitemap, options)
    _check_name(tree, composition.filename)
    return composition


def _keep_root_sitemap(
    composition: Composition, layout: Layout, root_sitemap: str, options: IndexOptions
) -> None:
    """Choose another name than the one of the sitemap of the site at the root, and
    report which of the two to list.
    """
    if not options.output and root_sitemap.startswith(composition.filename):
        composition.filename = INDEX_OF_BUILDS
    filename = composition.filename
    text = f"{root_sitemap} belongs to the site at the root, so {filename} is written"
    loc = make_loc(layout.base_url, filename)
    fix = f"in robots.txt, list it instead: Sitemap: {loc}"
    composition.result.diagnostics.append(
        Diagnostic("root-site", text, Severity.NOTICE, fix)
    )


def _check_name(tree: SiteFolder, name: str) -> None:
    """Check that no file of another tool has the name of the sitemap.

    Raises:
        click.UsageError: One has.
    """
    is_used = tree.exists(name) or tree.exists(f"{name}.gz")
    if is_used and not is_own(tree, name):
        raise click.UsageError(
            f"{name} would be replaced, but another tool wrote it. Fix: choose "
            "another name with --output"
        )


def _why_empty(layout: Layout, options: IndexOptions) -> Diagnostic | None:
    """Return why there is nothing to write; `None` if there is something."""
    used = [one.folder for one in layout.deployed if one.sitemaps]
    severity = Severity.NOTICE
    if used == [""]:
        text = f"{layout.root_sitemap} already lists all pages"
        fix = "list more versions"
    elif not used:
        text = "no version has one that can be used"
        fix = "write the sitemaps first, or pass the folder that contains all versions"
        severity = Severity.ERROR
        # The links are complete anyway.
        if options.is_canonical:
            severity = Severity.WARNING
    else:
        return None
    return Diagnostic("empty", f"no sitemap is written: {text}", severity, fix)


def write(tree: SiteFolder, composition: Composition) -> list[str]:
    """Write the pages, and then the sitemap. Return the files that were written,
    relative to the tree.

    Raises:
        OSError: A file cannot be written.
    """
    root = Path(tree.root)
    written = []
    with lock_folder(root):
        for link in composition.result.canonical_links:
            page = change_page(tree, link)
            if page is not None:
                replace_files({root / link.file: page}, root)
                written.append(link.file)
        content = composition.content
        if content is not None:
            name = composition.filename
            files = {f"{name}.gz": compress(content), name: content}
            replace_files({root / file: data for file, data in files.items()})
            written += files
            composition.result.written = [name]
    return written
