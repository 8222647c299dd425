"""Compose the sitemap of a deployed tree: an index, and what it changes."""

import os
from dataclasses import dataclass, field
from itertools import count as count_from
from typing import NamedTuple

import click
import msgspec

from docs_sitemap.diagnostics import Diagnostic, Severity
from docs_sitemap.sitemap.protocol import part_name
from docs_sitemap.sitemap.urls import BaseUrl, make_loc
from docs_sitemap_cli.console import JSON_VERSION
from docs_sitemap_cli.published.folder import SiteFolder
from docs_sitemap_cli.published.sitemap_sources import INDEX_OF_BUILDS

from .canonical_links import PageLink, check_links, find_links
from .canonical_version import select_versions
from .layout import Deployed, Layout, is_own
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
                f"--commit needs a branch, and {self.deployed} is a folder"
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
        files: The content of each file in the root of the tree by name, the sitemap
            itself first. Empty if nothing is to be written.
        old_files: The parts of an earlier sitemap, which are to be removed after that.
    """

    result: IndexResult
    files: dict[str, bytes] = field(default_factory=dict)
    old_files: list[str] = field(default_factory=list)


def compose(tree: SiteFolder, options: IndexOptions) -> Composition:
    """Compose the sitemap of a tree, and find the canonical links of its pages.

    Args:
        tree: The tree.
        options: What to compose.

    Raises:
        click.UsageError: The options do not fit the tree.
    """
    layout = Layout(tree, options.base_url)
    groups, selected = select_versions(layout, options.versions, options.skip)
    filename = options.output or "sitemap.xml"
    # The site at the root keeps its sitemap.
    if not options.output and (layout.root_sitemap or "").startswith(filename):
        filename = INDEX_OF_BUILDS
    index = SitemapIndex(layout, filename)
    for version in selected:
        version.reason = index.add(version)
    result = IndexResult(versions=layout.deployed, diagnostics=index.diagnostics)
    composition = Composition(result)
    links = find_links(layout, groups)
    if options.is_canonical:
        result.canonical_links = list(links)
    else:
        result.diagnostics += check_links(links)
    reason = _why_empty(layout, options)
    if reason is not None:
        result.diagnostics.append(reason)
        return composition
    result.urls = index.urls
    result.sitemaps = len(index.sitemaps)
    composition.files = index.render()
    for name in composition.files:
        is_used = tree.exists(name) or tree.exists(f"{name}.gz")
        if is_used and not is_own(tree, name):
            raise click.UsageError(
                f"{name} would be replaced, but another tool wrote it. Fix: choose "
                "another name with --output"
            )
    for number in count_from(len(composition.files)):
        old = part_name(filename, number)
        if not is_own(tree, old):
            break
        composition.old_files += [old, f"{old}.gz"]
    if layout.root_sitemap is not None:
        loc = make_loc(layout.base_url, filename)
        text = (
            f"{layout.root_sitemap} belongs to the site at the root, so {filename} is "
            "written"
        )
        fix = f"in robots.txt, list it instead: Sitemap: {loc}"
        notice = Diagnostic("root-site", text, Severity.NOTICE, fix)
        result.diagnostics.append(notice)
    return composition


def _why_empty(layout: Layout, options: IndexOptions) -> Diagnostic | None:
    """Return why there is nothing to write; `None` if there is something."""
    used = [one.folder for one in layout.deployed if one.sitemaps]
    severity = Severity.NOTICE
    if used == [""]:
        text = f"{layout.root_sitemap} already lists all pages"
        fix = "list more versions"
    elif not used:
        text = "there is no folder with a sitemap that can be used"
        fix = (
            "build and deploy the site with docs-sitemap, and name the folder of all "
            "versions"
        )
        severity = Severity.ERROR
        # The links are complete anyway.
        if options.is_canonical:
            severity = Severity.WARNING
    else:
        return None
    return Diagnostic("empty", f"nothing is written: {text}", severity, fix)
