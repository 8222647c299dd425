"""Sitemaps that belong together: an index, those that it names, and their compressed twins."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial

from docs_sitemap.check.entries import Checked
from docs_sitemap.check.files import read_chunks, same_content
from docs_sitemap.check.findings import Finding, Findings, Unusable, shorten
from docs_sitemap.check.folder import Folder
from docs_sitemap.check.locs import origin
from docs_sitemap.check.site import Site
from docs_sitemap.check.sitemap import Listing, Place, check_content, check_targets

_STEP = 1_000

# Is called with a file, how much of it is done, and how much there is, if that is known.
Progress = Callable[[str, int, int | None], None]


@dataclass(slots=True)
class _Sitemap:
    """A sitemap that was read, and its findings so far; an index has children."""

    file: str
    found: Findings
    is_index: bool = False
    children: list[Checked] = field(default_factory=list)


class Family:
    """The sitemaps of one site, or one sitemap with those that it names.

    Attributes:
        listing: what all of them list.
        files: those that were read.
        count: how many there are.
        is_whole: whether all could be read to their ends.
    """

    def __init__(
        self,
        folder: Folder,
        site: Site | None,
        now: datetime,
        tick: Progress,
    ) -> None:
        self.listing = Listing()
        self.files: set[str] = set()
        self.count = 0
        self.is_whole = True
        self._folder = folder
        self._site = site
        self._now = now
        self._tick = tick
        self._sitemaps: list[_Sitemap] = []
        self._beside: list[Finding] = []

    def check(self, file: str, place: Place | None, base_url: str | None) -> None:
        """Check a sitemap, and those that it names if it is an index.

        Args:
            file: its path relative to the folder.
            place: where it is published, if that is known.
            base_url: where the folder is published, in normal form; without it, those that an
                index names are not looked for.
        """
        home = None if base_url is None else origin(base_url)
        sitemap = self._read(file, place, home)
        covers_all = place is not None and place.covers_all
        named = {file}
        for child in sitemap.children:
            path = (child.url or "").partition("?")[0]
            if base_url is None or not path.startswith(base_url):
                self.is_whole = False
                continue
            opened = self._folder.open_url(path[len(base_url) :])
            if opened.file is not None:
                named.add(opened.file)
                self._check_child(opened.file, Place(path, covers_all), child, sitemap)
            else:
                self.is_whole = False
                if opened.is_outside:
                    code, message = "outside-site", "a link leads from it out of the folder"
                else:
                    code, message = "child-missing", f"there is no file {shorten(path)}"
                sitemap.found.add(code, message, child.line, child.loc)
        if sitemap.children and self.is_whole:
            self._check_stale(file, named)

    def check_targets(self) -> None:
        """Check the alternates that are one-sided, now that all sitemaps are known."""
        if not self.listing.one_sided:
            return
        for sitemap in self._sitemaps:
            visit = None
            if self._site is not None:
                visit = partial(self._site.check_target, found=sitemap.found)
            try:
                with self._folder.open_file(sitemap.file) as source:
                    chunks = read_chunks(source, sitemap.file)
                    check_targets(chunks, sitemap.found, self.listing, visit)
            except Unusable as fault:
                sitemap.found.only(fault)

    def findings(self) -> list[Finding]:
        """Return the findings of all files, in the order in which they were read."""
        found = [finding for sitemap in self._sitemaps for finding in sitemap.found.all()]
        return found + self._beside

    def _read(self, file: str, place: Place | None, home: str | None = None) -> _Sitemap:
        self.files.add(file)
        sitemap = _Sitemap(file, Findings(self._folder.named(file)))
        self._sitemaps.append(sitemap)
        seen = 0

        def visit(entry: Checked, is_index: bool) -> None:
            nonlocal seen
            seen += 1
            if seen % _STEP == 0:
                self._tick(sitemap.found.file, source.tell(), size)
            if is_index:
                sitemap.children.append(entry)
            elif self._site is not None:
                self._site.check_entry(entry, sitemap.found)

        try:
            with self._folder.open_file(file) as source:
                size = os.fstat(source.fileno()).st_size
                chunks = read_chunks(source, file)
                sitemap.is_index = check_content(
                    chunks, sitemap.found, self.listing, place, self._now, visit, home
                )
        except Unusable as fault:
            sitemap.found.only(fault)
            sitemap.children.clear()
            self.is_whole = False
        else:
            self._check_twin(file)
        self.count += 1
        return sitemap

    def _check_child(self, file: str, place: Place, child: Checked, parent: _Sitemap) -> None:
        sitemap = self._read(file, place)
        if sitemap.is_index:
            # What is wrong in it does not matter.
            self._sitemaps.pop()
            self.is_whole = False
            message = f"{shorten(file)} is a sitemap index, too"
            parent.found.add("child-is-index", message, child.line, child.loc)

    def _check_twin(self, file: str) -> None:
        twin = f"{file}.gz"
        if not os.path.lexists(os.path.join(self._folder.root, twin)):
            return
        found = Findings(self._folder.named(twin))
        try:
            with self._folder.open_file(file) as one, self._folder.open_file(twin) as other:
                if not same_content(one, other):
                    found.add("gzip-differs", f"it does not hold the same as {shorten(file)}")
        except Unusable as fault:
            found.only(fault)
        self._beside += found.all()

    def _check_stale(self, file: str, named: set[str]) -> None:
        """Look for parts that an index does not name."""
        folder, _, name = file.rpartition("/")
        stem = re.escape(name.removesuffix(".gz").removesuffix(".xml"))
        try:
            names = sorted(os.listdir(os.path.join(self._folder.root, folder)))
        except OSError:
            return
        known = {path.removesuffix(".gz") for path in named}
        for name in names:
            path = f"{folder}/{name}" if folder else name
            if re.fullmatch(rf"{stem}-[1-9][0-9]*\.xml", name) and path not in known:
                found = Findings(self._folder.named(path))
                found.add("stale-part", f"{shorten(file)} does not name it")
                self._beside += found.all()
