"""Canonical links from the pages of other versions to the canonical version."""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache

import msgspec

from docs_sitemap.built.canonical_link import set_canonical_link
from docs_sitemap.built.generated_pages import is_generated_page
from docs_sitemap.built.html import BuiltPage
from docs_sitemap.built.site_folder import join
from docs_sitemap.sitemap.urls import page_url, same_url
from docs_sitemap.tools.printing import Described, count, join_some

from .canonical_version import VersionGroup, other_versions
from .children import ChildReader, valid_url
from .versions import Deployed, Layout, find_sitemap

# Redirects to redirects, and canonical links of their targets.
_MAX_STEPS = 5
_MAX_NAMED = 3


class LinkStatus(Described):
    """What happens to the canonical link of a page, and how often."""

    CHANGED = "changed"
    UNCHANGED = "unchanged", "{:,} already did"
    NO_COUNTERPART = "no-counterpart", "no counterpart for {:,}"
    CORRECTED = "corrected", "{:,} now name themselves instead of missing pages"
    FAILED = "failed", "no safe change for {:,}"


class PageLink(msgspec.Struct, frozen=True):
    """The canonical link of a page.

    Attributes:
        file: The HTML file below the deployed folder.
        version: The folder of its version.
        canonical: The folder of the canonical version; empty for the site at the root.
        status: `changed` or `unchanged` if the link names the counterpart of the page,
            `corrected` if there is none and the link led nowhere, so that it now names
            the page itself, `no-counterpart` if the page stays as it is, and `failed`
            if the link cannot be changed safely.
        url: The URL that the canonical link names; `None` if the page stays as it is.
    """

    file: str
    version: str
    canonical: str
    status: LinkStatus
    url: str | None


class CanonicalLinks:
    """Links the pages of other versions to their counterparts: the pages at the same
    paths in the canonical version.

    Attributes:
        links: The links of the pages that were read so far.

    Args:
        layout: What is deployed.
        groups: The versions.
        reader: Reads the sitemaps of versions.
    """

    def __init__(
        self, layout: Layout, groups: Sequence[VersionGroup], reader: ChildReader
    ) -> None:
        self.links: list[PageLink] = []
        self._layout = layout
        self._groups = groups
        self._reader = reader
        self._address = cache(self._find_address)

    def change(self) -> Iterator[tuple[str, bytes]]:
        """Yield the files to change, with their new contents. Each page is read when it
        is needed.
        """
        for group in self._groups:
            for version in (*other_versions(group), group.canonical):
                for folder in (version.folder, *version.other_folders):
                    if folder == group.canonical.folder or folder in self._layout.links:
                        continue
                    for file in self._pages(version, folder):
                        yield from self._change_page(file, folder, group.canonical)

    def _pages(self, version: Deployed, folder: str) -> Iterator[str]:
        """Yield the pages of a version, without other sites in its folder."""
        own: set[str | None] = {None}
        if version.sitemap is not None:
            own |= {child.file for child in self._reader.read(version.sitemap)}
        for file in self._layout.tree.html_files(folder):
            parent = file.rpartition("/")[0]
            while parent != folder and find_sitemap(self._layout.tree, parent) in own:
                parent = parent.rpartition("/")[0]
            if parent == folder:
                yield file

    def _change_page(
        self, file: str, folder: str, canonical: Deployed
    ) -> Iterator[tuple[str, bytes]]:
        data = b""
        with suppress(OSError), self._layout.tree.open_file(file) as source:
            data = source.read()
        page = BuiltPage(data)
        path = file.removeprefix(f"{folder}/")
        url = self._layout.base_url + page_url(file)
        if not _is_document(page, path, url):
            return
        declared = page.head.canonical_target(url) or ""
        target = self._address(join(canonical.folder, path))
        status = LinkStatus.CHANGED
        if target is None:
            status = LinkStatus.NO_COUNTERPART
            if self._is_missing(declared):
                status = LinkStatus.CORRECTED
                target = url
        elif same_url(declared, target):
            status = LinkStatus.UNCHANGED
        if target is not None and status is not LinkStatus.UNCHANGED:
            changed = set_canonical_link(data, target)
            if changed is None:
                status = LinkStatus.FAILED
            else:
                yield file, changed
        link = PageLink(file, folder, canonical.folder, status, target)
        self.links.append(link)

    def _find_address(self, file: str) -> str | None:
        """Return the URL under which the canonical version shows a page; `None` if it
        does not show it.
        """
        url = self._layout.base_url + page_url(file)
        for _ in range(_MAX_STEPS):
            opened = self._layout.open_url(url)
            if opened is None:
                return None
            head = self._layout.tree.head(opened)
            target = head.redirect_target(url)
            if target is None:
                target = head.canonical_target(url) or url
                if self._is_missing(target) or self._redirects(target):
                    target = url
            if head.noindex is not None:
                return None
            if same_url(target, url):
                return valid_url(url)
            url = target
        return None

    def _is_missing(self, url: str) -> bool:
        """Return whether a URL is below the base URL and opens no file."""
        is_below = self._layout.path_of(url) is not None
        return is_below and self._layout.open_url(url) is None

    def _redirects(self, url: str) -> bool:
        """Return whether a URL opens a page that redirects, such as an alias."""
        opened = self._layout.open_url(url)
        if opened is None:
            return False
        return self._layout.tree.head(opened).redirect_target(url) is not None


def _is_document(page: BuiltPage, path: str, url: str) -> bool:
    """Return whether search engines may show a page.

    Args:
        page: The page.
        path: Its path below the folder of its version.
        url: Its URL.
    """
    head = page.head
    if not head.title or is_generated_page(path, head.generator):
        return False
    if head.coverage_script or head.redirect_target(url):
        return False
    return page.complete_head.noindex is None


def describe_links(links: Sequence[PageLink], *, is_written: bool) -> str:
    """Return a line about all pages."""
    numbers = Counter(link.status for link in links)
    versions = [*dict.fromkeys(link.version for link in links)]
    targets = [*dict.fromkeys(link.canonical or "the root" for link in links)]
    text = "changed" if is_written else "would change"
    text += f" {count(numbers[LinkStatus.CHANGED], 'page')} of "
    text += f"{join_some(versions, _MAX_NAMED)} to point to "
    text += join_some(targets, _MAX_NAMED)
    for status in LinkStatus:
        if status.meaning and numbers[status]:
            text += f", {status.meaning.format(numbers[status])}"
    return text


def describe_first_links(links: Sequence[PageLink]) -> Iterator[str]:
    """Yield a line for each version and status, with the first page."""
    by_status: dict[str, list[PageLink]] = {}
    for link in links:
        by_status.setdefault(f"{link.version}: {link.status}", []).append(link)
    for title, pages in by_status.items():
        first = pages[0]
        text = f"{title}, {count(len(pages), 'page')}, such as {first.file}"
        yield text if first.url is None else f"{text} to {first.url}"
