"""What the index lists: the sitemaps of the versions, if it may list them."""

import os
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime

import click

from docs_sitemap.diagnostics import Diagnostic, Severity
from docs_sitemap.sitemap.protocol import (
    MAX_BYTES,
    MAX_ENTRIES,
    Url,
)
from docs_sitemap.sitemap.reader import EMPTY, UNREADABLE, WRONG_ROOT
from docs_sitemap.sitemap.rules import UnusableFileError
from docs_sitemap.sitemap.urls import NormalizedUrl, check_url, quote_path
from docs_sitemap.sitemap.validation import OUT_OF_SCOPE, is_future
from docs_sitemap.sitemap.writer import Renderer
from docs_sitemap_cli.published.folder import (
    ADDRESS_OPTIONS,
    SiteFolder,
    find_generator,
)
from docs_sitemap_cli.published.lastmods import newest_date, parse_lastmod
from docs_sitemap_cli.published.sitemap_sources import FolderSitemaps
from docs_sitemap_cli.published.sitemaps import Sitemap, Skip, walk_sitemaps

from .canonical_version import canonical_folder
from .deployed_versions import MARK, Deployed, Layout, find_sitemap

_SCOPE_FIX = "correct --base-url or deploy the version again with that address"


class SitemapIndex:
    """The index of the sitemaps of the listed versions.

    Attributes:
        sitemaps: The newest date of each sitemap by its URL.
        urls: The number of URLs in all sitemaps.
        diagnostics: What is wrong with the sitemaps.

    Args:
        layout: What is deployed.
    """

    def __init__(self, layout: Layout) -> None:
        self.sitemaps: dict[NormalizedUrl, str | None] = {}
        self.urls = 0
        self.diagnostics: list[Diagnostic] = []
        self._layout = layout
        self._now = datetime.now(UTC)

    def add(self, version: Deployed) -> str | None:
        """Add the sitemaps of a version. Return why it is not listed."""
        if version.sitemap is None:
            self.diagnostics.append(
                Diagnostic(
                    "no-sitemap",
                    f"{version.folder} was deployed without a sitemap",
                    Severity.WARNING,
                    _explain_generate(self._layout, version),
                )
            )
            return "no sitemap"
        dates = []
        for part in _read_parts(self._layout, version, version.sitemap):
            if part.fault is not None:
                fix = f"{part.fault.fix}; or leave the version out with --skip"
                self.diagnostics.append(replace(part.fault, fix=fix))
                continue
            version.sitemaps.append(part.file)
            version.urls += len(part.dates)
            lastmod = self._newest_date(part)
            dates.append(lastmod)
            # Several indexes of versions may list the same sitemap.
            if part.loc not in self.sitemaps:
                self.sitemaps[part.loc] = lastmod
                self.urls += len(part.dates)
        version.lastmod = newest_date(dates)
        if not version.sitemaps:
            return "no usable sitemap"
        self._compare_with_links(version)
        return None

    def _newest_date(self, part: "_Part") -> str | None:
        """Return the newest date of a sitemap that is valid, and not in the future."""
        past = []
        # Most pages share their dates with others.
        for text in dict.fromkeys(part.dates.values()):
            date = parse_lastmod(text)
            if date is not None and not is_future(date, self._now):
                past.append(text)
        return newest_date(past)

    def _compare_with_links(self, version: Deployed) -> None:
        """Report that the canonical links of a version name an alias with pages of its
        own, and not the pages in its sitemap.
        """
        start = self._layout.url_of(version.folder)
        alias = canonical_folder(self._layout, version)
        is_listed = any(loc.startswith(start) for loc in self.sitemaps)
        if alias not in version.other_folders or not is_listed:
            return
        # An alias that redirects has no sitemap.
        if find_sitemap(self._layout.tree, alias) is not None:
            text = (
                f"{version.sitemap} lists pages below {version.folder}, but their "
                f"canonical links lead to pages below {alias}"
            )
            fix = (
                f"point these links to {start} with canonical_version in mike or "
                "html_baseurl in Sphinx, then deploy the version again"
            )
            self.diagnostics.append(Diagnostic("canonical", text, Severity.NOTICE, fix))

    def render(self) -> bytes:
        """Return the content of the index.

        Raises:
            click.UsageError: An index cannot list so many sitemaps.
        """
        sitemaps = [Url(loc, lastmod) for loc, lastmod in self.sitemaps.items()]
        content = Renderer().index(sitemaps, comment=MARK)
        number = len(sitemaps)
        if number > MAX_ENTRIES or len(content) > MAX_BYTES:
            raise click.UsageError(
                f"the index would list {number:,} sitemaps, but the protocol allows "
                f"{MAX_ENTRIES:,} in {MAX_BYTES:,} bytes. Fix: list fewer versions"
            )
        return content


@dataclass(slots=True)
class _Part:
    """A sitemap of a version.

    Attributes:
        file: Its path in the tree.
        loc: Its URL.
        dates: The dates of the entries on the host of the base URL, as written, by
            their normalized URL.
        fault: Why it cannot be listed; `None` if it can.
    """

    file: str
    loc: NormalizedUrl
    dates: dict[NormalizedUrl, str | None]
    fault: Diagnostic | None = None


def _read_parts(layout: Layout, version: Deployed, file: str) -> Iterator[_Part]:
    """Read a sitemap, or the sitemaps that it lists if it is an index, one after the
    other. Those that cannot be used have a fault. Sitemaps on other hosts, feeds, and
    compressed copies are skipped.

    Args:
        layout: What is deployed.
        version: The version.
        file: Its sitemap in the tree.
    """
    base_url = layout.url_of("")
    host = f"{base_url.origin}/"
    source = FolderSitemaps(layout.tree, base_url)
    for sitemap in walk_sitemaps(source, [file], nested=False):
        is_start = sitemap.parent is None
        if sitemap.url is None or not sitemap.url.startswith(host):
            continue
        part = _Part(sitemap.name, sitemap.url, _read_dates(sitemap, host))
        is_copy = sitemap.skip is Skip.REPEATED and not sitemap.is_index
        if is_copy or sitemap.is_feed:
            continue
        if is_start:
            part.loc = _find_loc(layout, version, part)
        part.fault = _find_fault(layout, version, sitemap, part)
        # The sitemaps of an index are listed in its place.
        if not is_start or not sitemap.is_index or part.fault is not None:
            yield part


def _read_dates(sitemap: Sitemap, host: str) -> dict[NormalizedUrl, str | None]:
    """Return the dates in a sitemap, as written, by the URLs on a host."""
    dates: dict[NormalizedUrl, str | None] = {}
    for page in sitemap.pages:
        url = check_url(page.loc).normalized
        if url is not None and url.startswith(host):
            dates.setdefault(url, page.lastmod)
    for child in sitemap.children:
        if child.url is not None and child.url.startswith(host):
            dates[child.url] = None
    return dates


def _find_loc(layout: Layout, version: Deployed, part: _Part) -> NormalizedUrl:
    """Return the URL of a sitemap in the folder of its URLs, which may be an alias."""
    if not _is_in_scope(part):
        for folder in version.other_folders:
            file = f"{folder}{part.file.removeprefix(version.folder)}"
            other = replace(part, loc=NormalizedUrl(layout.base_url + quote_path(file)))
            if _is_in_scope(other) and layout.tree.is_file(file):
                return other.loc
    return part.loc


def _is_in_scope(part: _Part) -> bool:
    """Return whether a sitemap lists a URL below its own folder."""
    return any(url.startswith(part.loc.folder) for url in part.dates)


def _find_fault(
    layout: Layout, version: Deployed, sitemap: Sitemap, part: _Part
) -> Diagnostic | None:
    """Return why an index cannot list a sitemap of a version that was read."""
    file = part.file
    if isinstance(sitemap.error, UnusableFileError):
        return sitemap.error.diagnostic(file)
    if sitemap.is_index and sitemap.parent is not None:
        text = f"{sitemap.parent.name} is a sitemap index and lists another one"
        return WRONG_ROOT.diagnostic(text, file)
    if sitemap.skip is Skip.PAGE:
        return WRONG_ROOT.diagnostic("it is a page", file)
    if sitemap.skip is not None:
        return UNREADABLE.diagnostic(sitemap.skip.value, file)
    if not part.dates:
        locs = [page.loc for page in sitemap.pages]
        locs += [child.name for child in sitemap.children]
        for loc in locs:
            url = check_url(loc).normalized
            if url is not None:
                text = f"its URLs, such as {url}, are not on {part.loc.origin}"
                return replace(OUT_OF_SCOPE.diagnostic(text, file), fix=_SCOPE_FIX)
        return _explain_empty(layout, version, file)
    if sitemap.is_index or _is_in_scope(part):
        return None
    folder = part.loc.folder
    first = next(iter(part.dates))
    text = f"its URLs, such as {first}, are not below {folder}"
    fix = _SCOPE_FIX
    alias = _find_alias(folder, first)
    if alias is not None:
        fix = f"remove {alias} from the end of site_url and deploy the version again"
    return replace(OUT_OF_SCOPE.diagnostic(text, file), fix=fix)


def _explain_empty(layout: Layout, version: Deployed, file: str) -> Diagnostic:
    """Return the fault of a sitemap without absolute URLs. Generators write it if they
    do not know the address of the site; some versions of MkDocs list `None`.
    """
    folder = SiteFolder(os.path.join(layout.tree.root, version.folder))
    option = ADDRESS_OPTIONS.get(find_generator(folder), "its address")
    text = f"it lists no absolute URL, because the version was built without {option}"
    generate = _explain_generate(layout, version)
    fix = f"set {option} for new versions; for this one, {generate}"
    return replace(EMPTY.diagnostic(text, file), fix=fix)


def _explain_generate(layout: Layout, version: Deployed) -> str:
    """Return how to write the sitemap of a version that is deployed."""
    path = layout.tree.user_path(version.folder)
    start = ""
    if not os.path.isdir(layout.tree.path):
        # The path of a branch starts with its name.
        path = f"../{path}"
        branch = layout.tree.path.partition("/")[0]
        add = ["git", "worktree", "add", f"../{branch}", branch]
        start = f"{shlex.join(add)} && "
    url = layout.url_of(version.folder)
    generate = ["docs-sitemap", "generate", path, "--base-url", url]
    return f"run {start}{shlex.join(generate)}"


def _find_alias(folder: str, url: str) -> str | None:
    """Return the alias at the end of the address of a site, to which mike adds the
    version; `None` if there is none.

    Args:
        folder: The URL of the folder of a version.
        url: The URL of a page of this version.
    """
    parent, _, version = folder.removesuffix("/").rpartition("/")
    alias, _, rest = url.removeprefix(f"{parent}/").partition("/")
    return alias if rest.startswith(f"{version}/") and alias != version else None
