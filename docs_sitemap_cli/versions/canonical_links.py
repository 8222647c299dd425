"""Canonical links from the pages of other versions to the canonical version."""

import html
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from enum import StrEnum
from functools import cache
from itertools import islice

import msgspec

from docs_sitemap.built.html import MAX_HEAD, parse_head
from docs_sitemap.built.verdict import Head, judge
from docs_sitemap.diagnostics import Diagnostic, ExclusionReason
from docs_sitemap.sitemap.urls import NormalizedUrl, check_url, page_url
from docs_sitemap.tools.files import walk_html_files
from docs_sitemap.tools.printing import count
from docs_sitemap_cli.console import with_progress
from docs_sitemap_cli.published.folder import SiteFolder, join
from docs_sitemap_cli.published.page import is_generated_by

from .canonical_version import VersionGroup, other_versions
from .deployed_versions import Layout

# Redirects to redirects.
_MAX_STEPS = 5

# The pages whose links are checked. Reading a page takes less than a millisecond.
_MAX_CHECKED = 20_000

_HREF = re.compile(rb"""\bhref\s*=\s*(?:"([^"<>]*)"|'([^'<>]*)'|([^\s"'<>]+))""", re.I)
# A new link is in front of the title: every document has one in its head.
_TITLE = re.compile(rb"<title[\s>]", re.I)
# Comments and scripts can contain texts that look like tags.
_MAX_PLACES = 20


class LinkStatus(StrEnum):
    """What happens to the canonical link of a page."""

    CHANGED = "changed"
    UNCHANGED = "unchanged"
    NO_COUNTERPART = "no-counterpart"
    CORRECTED = "corrected"
    FAILED = "failed"


class PageLink(msgspec.Struct):
    """The canonical link of a page.

    Attributes:
        file: The HTML file below the deployed folder.
        version: The folder of its version.
        canonical: The folder of the canonical version; empty for the site at the root.
        status: `changed` or `unchanged` if the link leads to the counterpart of the
            page, `corrected` if there is none and the link led nowhere or to a
            redirect, so that it now leads to the page itself, `no-counterpart` if the
            page stays as it is, and `failed` if the link cannot be changed safely.
        url: The URL of the canonical link; `None` if the page stays as it is.
    """

    file: str
    version: str
    canonical: str
    status: LinkStatus
    url: str | None

    @property
    def is_changed(self) -> bool:
        """Whether the page gets another link."""
        return self.status in (LinkStatus.CHANGED, LinkStatus.CORRECTED)


def find_links(layout: Layout, groups: Sequence[VersionGroup]) -> Iterator[PageLink]:
    """Yield the link that each page of other versions should have: to its counterpart,
    the page at the same path in the canonical version.

    Args:
        layout: What is deployed.
        groups: The versions.
    """
    finder = _LinkFinder(layout)
    pages = []
    for group in groups:
        canonical = group.canonical.folder
        for version in (*other_versions(group), group.canonical):
            for folder in (version.folder, *version.other_folders):
                if folder == canonical or folder in layout.links:
                    continue
                for name in walk_html_files(os.path.join(layout.tree.root, folder)):
                    pages.append((join(folder, name), folder, canonical))
    for page in with_progress(pages, "Canonical links"):
        link = finder.find_link(*page)
        if link is not None:
            yield link


def check_links(links: Iterable[PageLink]) -> Iterator[Diagnostic]:
    """Yield a warning if pages of other versions do not point to their counterparts."""
    changed = []
    unchanged = 0
    for link in islice(links, _MAX_CHECKED):
        if link.status is LinkStatus.CHANGED:
            changed.append(link)
        elif link.status is LinkStatus.UNCHANGED:
            unchanged += 1
    if changed:
        total = count(len(changed) + unchanged, "page")
        text = (
            f"the canonical version competes in search results with {len(changed):,} "
            f"of {total} in other versions, such as {changed[0].file}, because no "
            "canonical link points to it"
        )
        fix = (
            "run this command with --canonical, or --skip the versions that should "
            "stay in search results"
        )
        yield Diagnostic("canonical", text, fix=fix)


def change_page(tree: SiteFolder, link: PageLink) -> bytes | None:
    """Return the new content of a page; `None` if it stays as it is. If its link cannot
    be changed safely, the link gets the status `failed`.

    Args:
        tree: The tree.
        link: The link that the page should have.
    """
    if link.url is None or link.status is LinkStatus.UNCHANGED:
        return None
    changed = None
    with suppress(OSError), tree.open_file(link.file) as source:
        changed = set_canonical_link(source.read(), link.url)
    if changed is None:
        link.status = LinkStatus.FAILED
    return changed


class _LinkFinder:
    """Finds the counterparts of pages.

    Args:
        layout: What is deployed.
    """

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._find_counterpart = cache(self._read_counterpart)

    def find_link(self, file: str, folder: str, canonical: str) -> PageLink | None:
        """Return the link that a page should have; `None` if search engines do not show
        the page.

        Args:
            file: The HTML file.
            folder: The folder of its version.
            canonical: The folder of the canonical version.
        """
        head = self._layout.tree.head(file)
        path = file.removeprefix(f"{folder}/")
        if not head.title or is_generated_by(path, head.generator):
            return None
        url = self._layout.base_url + page_url(file)
        # The canonical link is what may change.
        if judge(head, url, ignored={ExclusionReason.CANONICAL}) is not None:
            return None
        declared = head.canonical_target(url) or url
        target = self._find_counterpart(join(canonical, path))
        status = LinkStatus.CHANGED
        if target is not None:
            if NormalizedUrl(declared) == NormalizedUrl(target):
                status = LinkStatus.UNCHANGED
        elif self._is_broken(declared):
            status = LinkStatus.CORRECTED
            target = url
        else:
            status = LinkStatus.NO_COUNTERPART
        return PageLink(file, folder, canonical, status, target)

    def _read_counterpart(self, file: str) -> str | None:
        """Return the URL under which the canonical version shows a file; `None` if it
        does not show it.
        """
        url = self._layout.base_url + page_url(file)
        for _ in range(_MAX_STEPS):
            opened = self._layout.file_of_url(url)
            if opened is None:
                return None
            head = self._layout.tree.head(opened)
            verdict = judge(head, url, ignored={ExclusionReason.CANONICAL})
            if verdict is None:
                declared = head.canonical_target(url)
                if declared is None or self._is_broken(declared):
                    declared = url
                # Another tool may have written it.
                faults = check_url(declared).faults
                return str(NormalizedUrl(declared)) if faults else declared
            if verdict.reason is not ExclusionReason.REDIRECT:
                return None
            url = verdict.detail
        return None

    def _is_broken(self, url: str) -> bool:
        """Return whether a URL is invalid, or is below the base URL and opens no page
        or one that redirects, such as an alias.
        """
        if check_url(url).normalized is None:
            return True
        if self._layout.path_of(url) is None:
            return False
        opened = self._layout.file_of_url(url)
        if opened is None:
            return True
        return self._layout.tree.head(opened).redirect_target(url) is not None


def describe_links(links: Sequence[PageLink]) -> str:
    """Return the numbers of pages by status, the largest first."""
    numbers = Counter(link.status for link in links)
    texts = [f"{number:,} {status}" for status, number in numbers.most_common()]
    return ", ".join(texts) or "no pages of other versions"


def set_canonical_link(page: bytes, url: str) -> bytes | None:
    """Replace the canonical links in the head of a page, or add one. The parser checks
    each change, because comments, scripts, and attributes can contain texts that look
    like tags.

    Args:
        page: The complete HTML file.
        url: The canonical URL.

    Returns:
        The new content; `None` if the parser does not read it as intended, for example
        because the page is in UTF-16.
    """
    value = html.escape(url).encode()
    head = parse_head(page)
    places = list(islice(_find_targets(page, head), _MAX_PLACES))
    for start, end in reversed(places):
        changed = page[:start] + value + page[end:]
        new_head = parse_head(changed)
        if _gains_link(head, new_head, url):
            page = changed
            head = new_head
    if head.canonicals:
        return page if set(head.canonicals) == {url} else None
    element = b'<link rel="canonical" href="%b" />' % value
    for match in islice(_TITLE.finditer(page, 0, MAX_HEAD), _MAX_PLACES):
        place = match.start()
        changed = page[:place] + element + page[place:]
        if _gains_link(head, parse_head(changed), url):
            return changed
    return None


def _find_targets(page: bytes, head: Head) -> Iterator[tuple[int, int]]:
    """Yield the start and end of attributes with the targets of canonical links."""
    for match in _HREF.finditer(page, 0, MAX_HEAD):
        group = match.lastindex or 0
        target = match[group].decode("utf-8", "backslashreplace")
        if html.unescape(target).strip() in head.canonicals:
            yield match.span(group)


def _gains_link(old: Head, new: Head, url: str) -> bool:
    """Return whether a head has one more canonical link to a URL than before."""
    return new.canonicals.count(url) == old.canonicals.count(url) + 1
