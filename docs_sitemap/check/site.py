"""The rules that hold a sitemap against the built site that it lists."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Set
from functools import lru_cache, partial
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from docs_sitemap.check.entries import Checked, Target
from docs_sitemap.check.findings import Findings, shorten
from docs_sitemap.check.folder import Folder, Opened
from docs_sitemap.check.locate import own_sitemap
from docs_sitemap.check.locs import Hashes, origin
from docs_sitemap.head import Head, read_head
from docs_sitemap.loc import normalize_url, same_url
from docs_sitemap.site import page_url, walk_pages

if TYPE_CHECKING:  # it needs a library that builds do without
    from docs_sitemap.check.robots import Robots

_PAGE = re.compile(r".*\.x?html?", re.I | re.S)

# In other folders than those of languages, it may be about the error.
_ERROR_PAGE = re.compile(r"(?:[a-z]{2}(?:[-_]\w{2,4})?/)?404(?:\.x?html?|/index\.html)", re.I)

# Pages that generators make for themselves, which no reader looks for.
_UTILITY = re.compile(
    r"""(?:.*/)? (?:404 | genindex[^/]* | (?:[^/]*-)?modindex) (?:\.html?|/index\.html)
        | (?:[^/]+/)? search (?:\.html?|/index\.html)
        | (?:.*/)? _(?:modules|static|sources|images|downloads)/ .*""",
    re.X | re.S,
)


class Site:
    """A built site, and which of its pages are listed.

    Attributes:
        pages: how many pages were read.
        apart: the folders in it that are not checked, for they have sitemaps of their own; each
            once, and in order.
    """

    def __init__(self, folder: Folder, base_url: str, robots: Robots | None) -> None:
        self.pages = 0
        self.apart: dict[str, None] = {}
        self._folder = folder
        self._base = normalize_url(base_url)
        self._robots = robots
        # Files of one folder follow each other.
        self._own_sitemap = lru_cache(maxsize=1024)(partial(own_sitemap, folder))
        self._listed = Hashes()
        self._misnamed = Hashes()

    def settle(self) -> None:
        """Keep what is known of listed pages so far."""
        self._listed.settle()
        self._misnamed.settle()

    def undo(self) -> None:
        """Forget what was learnt since: the sitemap that said so breaks off."""
        self._listed.undo()
        self._misnamed.undo()

    def check_entry(self, entry: Checked, found: Findings) -> None:
        """Hold one entry against the file that its URL opens."""
        opened = None if entry.url is None else self._folder.open_below(self._base, entry.url)
        if opened is None or entry.url is None:
            self._note_misnamed(entry)
            return
        path = entry.url.removeprefix(self._base).partition("?")[0]
        if opened.file is not None:
            self._check_file(entry, entry.url, opened.file, found)
        elif opened.is_outside:
            message = f"a link leads from {shorten(path)} out of the site"
            found.add("outside-site", message, entry.line, entry.loc)
        else:
            message = f"there is no file for {shorten(path)}" if path else "there is no index.html"
            found.add("not-found", message, entry.line, entry.loc)
        self.check_robots(entry, found)

    def check_robots(self, entry: Checked, found: Findings) -> None:
        """Look whether crawlers may read what an entry names."""
        if self._robots is not None and (who := self._robots.forbids(entry.loc)):
            message = f"robots.txt forbids it to {who}"
            found.add("robots-disallow", message, entry.line, entry.loc)

    def check_target(self, entry: Checked, target: Target, found: Findings) -> None:
        """Look for the file of an alternate that is in no sitemap."""
        opened = self._folder.open_below(self._base, target.url)
        if opened is not None and opened.file is None:
            message = f"there is no file for {shorten(target.url)}"
            found.add("alternate-not-found", message, target.line, entry.loc)

    def missing(
        self,
        excluded: frozenset[str],
        sitemaps: Set[str],
        tick: Callable[[str, int, None], None],
    ) -> Iterator[tuple[str, str]]:
        """Yield the pages that nothing lists, each with its URL.

        Args:
            excluded: the files that are left out on purpose.
            sitemaps: the site's own sitemaps.
            tick: is called with each page, and how many there were.
        """
        for number, path in enumerate(walk_pages(self._folder.root), start=1):
            tick(self._folder.named(path), number, None)
            if path in self._listed or path in self._misnamed or path in excluded:
                continue
            if _UTILITY.fullmatch(path):
                continue
            if (apart := self._apart(path, sitemaps)) is not None:
                self.apart[apart] = None
                continue
            url = self._base + page_url(path)
            if self._wants_readers(path, url):
                yield path, url

    def _note_misnamed(self, entry: Checked) -> None:
        """A URL that is wrong already still says which page is meant."""
        try:
            url = normalize_url(urljoin(self._base, entry.url or entry.loc))
        except ValueError:
            return
        own = origin(self._base)
        home = self._base[len(own) :]
        found = re.match(rf"https?://[^/]*{re.escape(home)}([^?]*)", url)
        # Some tools lose the path of the base URL.
        found = found or re.match(rf"{re.escape(own)}/([^?]*)", url)
        if found and (file := self._folder.open_url(found[1]).file) is not None:
            self._misnamed.add(file)

    def _check_file(self, entry: Checked, url: str, file: str, found: Findings) -> None:
        if not self._listed.add(file):
            if "?" not in url:
                message = f"it opens {shorten(file)}, as another URL does"
                found.add("same-page", message, entry.line, entry.loc)
            return
        if not _PAGE.fullmatch(file):
            return
        head = self._read(file)
        if head is None:
            found.add("unreadable", f"{shorten(file)} cannot be read", entry.line, entry.loc)
        elif (target := self._redirect(head, url, file)) is not None:
            message = f"{shorten(file)} sends its readers to {shorten(target)}"
            found.add("redirect", message, entry.line, entry.loc)
        elif head.noindex is not None:
            message = f"{shorten(file)} says {shorten(head.noindex)}"
            found.add("noindex", message, entry.line, entry.loc)
        elif _ERROR_PAGE.fullmatch(file):
            found.add("error-page", f"{shorten(file)} is no page to find", entry.line, entry.loc)
        elif (target := head.canonical(url)) is not None and not same_url(target, url):
            code = "canonical-form" if self._opens(target) == file else "canonical"
            gone = ", which does not exist here" if self._is_gone(target) else ""
            message = f"{shorten(file)} names {shorten(target)}{gone}"
            found.add(code, message, entry.line, entry.loc)

    def _wants_readers(self, path: str, url: str) -> bool:
        head = self._read(path)
        if head is None or not head.title or head.noindex is not None:
            return False
        if self._redirect(head, url, path) is not None:
            return False
        target = head.canonical(url)
        return target is None or same_url(target, url) or self._opens(target) == path

    def _redirect(self, head: Head, url: str, file: str) -> str | None:
        target = head.redirect(url)
        return None if target is None or self._opens(target) == file else target

    def _opens(self, url: str) -> str | None:
        opened = self._folder.open_below(self._base, normalize_url(url))
        return None if opened is None else opened.file

    def _is_gone(self, url: str) -> bool:
        return self._folder.open_below(self._base, normalize_url(url)) == Opened(None)

    def _read(self, file: str) -> Head | None:
        self.pages += 1
        try:
            return read_head(os.path.join(self._folder.root, file))
        except (OSError, ValueError):
            return None

    def _apart(self, path: str, sitemaps: Set[str]) -> str | None:
        """Return the folder of a page that is a site within the site: another language or
        version, whose sitemap the site's own do not name.
        """
        folder = path.rpartition("/")[0]
        while folder:
            own = self._own_sitemap(folder)
            if own is not None and sitemaps.isdisjoint((own, f"{own}.gz")):
                return folder
            folder = folder.rpartition("/")[0]
        return None
