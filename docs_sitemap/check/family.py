"""Sitemaps that belong together: an index, those that it names, and their compressed twins."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial

from docs_sitemap.check.entries import Checked
from docs_sitemap.check.files import read_chunks, same_content
from docs_sitemap.check.findings import Finding, Findings, Unusable, shorten
from docs_sitemap.check.folder import Folder, Opened
from docs_sitemap.check.locs import origin
from docs_sitemap.check.site import Site
from docs_sitemap.check.sitemap import Listing, Place, check_content, check_targets
from docs_sitemap.write import is_part_name

_STEP = 1_000

# Is called with a file, how much of it is done, and how much there is, if that is known.
Progress = Callable[[str, int, int | None], None]


@dataclass(slots=True)
class _Sitemap:
    """A sitemap that was read, and its findings so far; an index has children."""

    file: str
    found: Findings
    place: Place | None
    children: list[Checked] = field(default_factory=list)


class Family:
    """The sitemaps of one site, or one sitemap with those that it names.

    Attributes:
        listing: what all of them list.
        files: those that were read, and their twins.
        count: how many were read.
        is_placed: whether it is known where those are that an index names.
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
        self.is_placed = True
        self._folder = folder
        self._site = site
        self._now = now
        self._tick = tick
        self._sitemaps: list[_Sitemap] = []
        self._beside: list[Finding] = []
        self._held: Counter[str] = Counter()
        self._indexes: set[str] = set()
        self._unusable: set[str] = set()
        self._lacks_children = False

    @property
    def is_whole(self) -> bool:
        """Whether all of them, or their twins, could be read to their ends."""
        readable = self.files - self._unusable
        return not self._lacks_children and all(_twin(file) in readable for file in self._unusable)

    def check(self, places: Mapping[str, Place | None], base_url: str | None) -> None:
        """Check sitemaps, and those that they name if they are indexes.

        Args:
            places: their paths relative to the folder, and where each is published, if that is
                known.
            base_url: where the folder is published, in normal form; without it, those that an
                index names are not looked for. It is a guess where a place is not known.
        """
        home = None if base_url is None else origin(base_url)
        for file, place in places.items():
            if not self._is_known(file):
                self._read(file, place, home)
        indexes = [sitemap for sitemap in self._sitemaps if sitemap.children]
        whole = [sitemap.file for sitemap in indexes if self._check_children(sitemap, base_url)]
        for file in whole:
            self._check_stale(file)

    def _check_children(self, sitemap: _Sitemap, base_url: str | None) -> bool:
        """Return whether all children are there, and sitemaps."""
        children = [(child, self._open(child, base_url)) for child in sitemap.children]
        there = [opened is not None and opened.file is not None for _, opened in children]
        self._lacks_children = self._lacks_children or not all(there)
        if sitemap.place is None and not any(there):
            self.is_placed = False
            return False
        named: set[str] = set()
        for child, opened in children:
            if opened is None:
                continue
            if self._site is not None:
                self._site.check_robots(child, sitemap.found)
            if opened.file is not None:
                self._check_child(opened.file, child, sitemap, named)
                named.add(opened.file)
            else:
                if opened.is_outside:
                    code, message = "outside-site", "a link leads from it out of the folder"
                else:
                    code, message = "child-missing", f"there is no file {shorten(child.loc)}"
                sitemap.found.add(code, message, child.line, child.loc)
        return all(there) and named.isdisjoint(self._indexes)

    def _open(self, child: Checked, base_url: str | None) -> Opened | None:
        """Return what a child's URL opens, `None` if it is not one of the folder."""
        if base_url is None or child.url is None:
            return None
        return self._folder.open_below(base_url, child.url)

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

    def _is_known(self, file: str) -> bool:
        """Whether a file was read, or its compressed twin."""
        if file in self.files:
            return True
        twin = _twin(file)
        if twin not in self.files or twin in self._unusable:
            return False
        if twin.endswith(".gz"):
            self._check_twin(file)
        if twin in self._indexes:
            self._indexes.add(file)
        self.files.add(file)
        return True

    def _read(self, file: str, place: Place | None, home: str | None = None) -> None:
        self.files.add(file)
        self.listing.settle()
        if self._site is not None:
            self._site.settle()
        sitemap = _Sitemap(file, Findings(self._folder.named(file), self._held), place)
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
                is_index = check_content(
                    chunks, sitemap.found, self.listing, place, self._now, visit, home
                )
                if is_index:
                    self._indexes.add(file)
        except Unusable as fault:
            sitemap.found.only(fault)
            sitemap.children.clear()
            self._unusable.add(file)
            self.listing.undo()
            if self._site is not None:
                self._site.undo()
        else:
            if not file.endswith(".gz"):
                self._check_twin(file)
        self.count += 1

    def _check_child(self, file: str, child: Checked, parent: _Sitemap, named: Set[str]) -> None:
        if not self._is_known(file):
            covers_all = parent.place is not None and parent.place.covers_all
            self._read(file, Place((child.url or "").partition("?")[0], covers_all))
            if file in self._indexes:
                self._sitemaps.pop().found.clear()  # what is wrong in it does not matter
        elif file in named and file not in self._indexes:
            message = f"it opens {shorten(file)}, as another URL does"
            parent.found.add("same-page", message, child.line, child.loc)
        if file in self._indexes:
            self._lacks_children = True
            message = f"{shorten(file)} is a sitemap index, too"
            parent.found.add("child-is-index", message, child.line, child.loc)

    def _check_twin(self, file: str) -> None:
        twin = _twin(file)
        if twin in self._unusable or not os.path.lexists(os.path.join(self._folder.root, twin)):
            return
        found = Findings(self._folder.named(twin))
        try:
            with self._folder.open_file(file) as one, self._folder.open_file(twin) as other:
                if not same_content(one, other):
                    found.add("gzip-differs", f"it does not hold the same as {shorten(file)}")
        except Unusable as fault:
            found.only(fault)
        self._beside += found.all()

    def _check_stale(self, file: str) -> None:
        """Look for parts that neither an index nor robots.txt names."""
        folder, _, top = file.removesuffix(".gz").rpartition("/")
        try:
            names = sorted(os.listdir(os.path.join(self._folder.root, folder)))
        except OSError:
            return
        known = {path.removesuffix(".gz") for path in self.files}
        for name in names:
            path = f"{folder}/{name}" if folder else name
            if is_part_name(top, name) and path not in known:
                found = Findings(self._folder.named(path), self._held)
                found.add("stale-part", f"{shorten(file)} does not name it")
                self._beside += found.all()


def _twin(file: str) -> str:
    return file.removesuffix(".gz") if file.endswith(".gz") else f"{file}.gz"
