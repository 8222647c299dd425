"""The rules of one sitemap, and of several that belong together."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import BinaryIO

from docs_sitemap.check.entries import Checked, Target, check_entry
from docs_sitemap.check.files import read_chunks
from docs_sitemap.check.findings import MAX_EACH, Finding, Findings, Unusable, shorten
from docs_sitemap.check.locs import Hashes, check_url, origin, url_hash
from docs_sitemap.check.parse import Reader
from docs_sitemap.errors import UrlError

# Enough for all but hostile sites; what comes later is not compared any more.
_MAX_REMEMBERED = 2_000_000
_MASK = 2**64 - 1

# Takes an entry, and whether it is one of a sitemap index.
Visit = Callable[[Checked, bool], None]


@dataclass(slots=True)
class Listing:
    """What is known of all URLs that some sitemaps list, with eight bytes for each.

    Attributes:
        urls: how many entries there are.
        days: the days of the first dates, as long as there is only one.
        dated: how many entries have a date.
        seen: all URLs.
        one_sided: hashes of the pairs of a page and an alternate that has not named it in turn.
    """

    urls: int = 0
    dated: int = 0
    days: set[str] = field(default_factory=set)
    seen: Hashes = field(default_factory=Hashes)
    one_sided: set[int] = field(default_factory=set)
    _dates: tuple[int, set[str]] = (0, set())

    def add(self, url: str) -> bool:
        """Whether a URL is new."""
        if len(self.seen) >= _MAX_REMEMBERED:
            return url not in self.seen
        return self.seen.add(url)

    def settle(self) -> None:
        """Keep what is known so far."""
        self.seen.settle()
        self._dates = (self.dated, {*self.days})

    def undo(self) -> None:
        """Forget what was added since: the sitemap that said so breaks off."""
        self.seen.undo()
        self.dated, self.days = self._dates

    def note_date(self, moment: datetime) -> None:
        self.dated += 1
        if len(self.days) < 2:
            self.days.add(moment.date().isoformat())

    def note_targets(self, entry: Checked) -> None:
        if entry.url is None:
            return
        here = url_hash(entry.url)
        for target in entry.targets:
            there = url_hash(target.url)
            if (back := _pair(there, here)) in self.one_sided:
                self.one_sided.remove(back)
            elif here != there and len(self.one_sided) < _MAX_REMEMBERED:
                self.one_sided.add(_pair(here, there))

    def is_one_sided(self, url: str, target: str) -> bool:
        """Whether a page names another that has not named it in turn."""
        return _pair(url_hash(url), url_hash(target)) in self.one_sided


def _pair(one: int, other: int) -> int:
    return (one * 0x9E3779B97F4A7C15 + other) & _MASK


@dataclass(frozen=True, slots=True)
class Place:
    """Where a sitemap is published.

    Attributes:
        url: its URL in normal form.
        covers_all: whether it may list URLs outside its folder, for robots.txt names it.
    """

    url: str
    covers_all: bool = False

    @classmethod
    def at(cls, url: str, *, covers_all: bool = False) -> Place:
        """Return the place that a URL names.

        Raises:
            UrlError: it is not absolute.
        """
        normal, _ = check_url(url, len(url))
        if normal is None:
            raise UrlError(f"{url!r} is not an absolute URL of a sitemap")
        return cls(normal, covers_all)

    @property
    def folder(self) -> str:
        return self.url[: self.url.rindex("/") + 1]


def check_content(
    chunks: Iterable[bytes],
    found: Findings,
    listing: Listing,
    place: Place | None,
    now: datetime | None,
    visit: Visit | None = None,
    home: str | None = None,
) -> bool:
    """Check a sitemap or a sitemap index; return whether it is an index.

    Args:
        chunks: its bytes.
        found: takes the findings.
        listing: what is known of the other sitemaps; takes what this one lists.
        place: where it is published, if that is known.
        now: the time, if that is known.
        visit: is called with each entry whose URL is not listed before.
        home: the origin that is right if others are as common, where nobody knows the place.

    Raises:
        Unusable: it can be read no further.
    """
    reader = Reader(found)
    origins = _Origins(home)
    own = Listing()  # the sitemaps of an index are no pages
    for raw in reader.entries(chunks):
        known = own if reader.is_index else listing
        entry = check_entry(raw, found, now)
        if entry is None:
            continue
        if entry.lastmod is not None:
            known.note_date(entry.lastmod)
        if entry.url is not None:
            _check_place(entry, entry.url, found, place, origins)
            if not known.add(entry.url):
                # That a fragment makes the same URL of two is said already.
                if "#" not in entry.loc:
                    found.add("duplicate", "it is listed before", entry.line, entry.loc)
                continue
            known.note_targets(entry)
        if visit is not None:
            visit(entry, reader.is_index)
    if not reader.is_index:
        listing.urls += reader.count
    if place is None:
        origins.report(found)
    return reader.is_index


def check_targets(
    chunks: Iterable[bytes],
    found: Findings,
    listing: Listing,
    visit_unlisted: Callable[[Checked, Target], None] | None = None,
) -> None:
    """Look in a sitemap that was checked for the alternates that do not name the page in turn,
    once all sitemaps are known.

    Args:
        chunks: its bytes.
        found: takes the findings.
        listing: what is known of all sitemaps.
        visit_unlisted: is called with each alternate that is in no sitemap.

    Raises:
        Unusable: the file is another by now.
    """
    known = Findings(found.file)
    for raw in Reader(known).entries(chunks):
        if not raw.links or (entry := check_entry(raw, known, None)) is None or entry.url is None:
            continue
        for target in entry.targets:
            if not listing.is_one_sided(entry.url, target.url):
                continue
            if target.url not in listing.seen:
                if visit_unlisted is not None:
                    visit_unlisted(entry, target)
            elif not target.is_default:
                message = f"{shorten(target.url)} does not name this page in turn"
                found.add("alternate-not-reciprocal", message, target.line, entry.loc)


def _check_place(
    entry: Checked, url: str, found: Findings, place: Place | None, origins: _Origins
) -> None:
    if place is None:
        origins.add(entry, url)
    elif (own := origin(url)) != (expected := origin(place.url)):
        found.add("host-differs", _differs(own, expected), entry.line, entry.loc)
    elif not place.covers_all and not url.startswith(place.folder):
        message = f"it is not below {shorten(place.folder)}"
        found.add("out-of-scope", message, entry.line, entry.loc)


def _differs(own: str, expected: str) -> str:
    return f"{shorten(own)} is not {shorten(expected)}"


class _Origins:
    """The schemes and hosts of a sitemap of which nobody knows where it is published: the most
    common one is taken to be right.
    """

    _MAX = 20

    def __init__(self, home: str | None) -> None:
        self._home = home
        self._counts: Counter[str] = Counter()
        self._first: dict[str, list[tuple[int, str]]] = {}
        self._others = 0

    def add(self, entry: Checked, url: str) -> None:
        own = origin(url)
        if own not in self._counts and len(self._counts) == self._MAX:
            self._others += 1
            return
        self._counts[own] += 1
        if self._counts[own] <= MAX_EACH:
            self._first.setdefault(own, []).append((entry.line, entry.loc))

    def report(self, found: Findings) -> None:
        counts = self._counts
        usual = max(counts, key=lambda own: (counts[own], own == self._home), default="")
        for own in counts:
            if own == usual:
                continue
            message = _differs(own, usual)
            for line, loc in self._first[own]:
                found.add("host-differs", message, line, loc)
            found.add_more("host-differs", counts[own] - len(self._first[own]))
        found.add_more("host-differs", self._others)


def check_sitemap(
    data: bytes | BinaryIO, file: str, *, url: str | None = None, now: datetime | None = None
) -> list[Finding]:
    """Check one sitemap or sitemap index by itself: what can be known without the site.

    Args:
        data: its content, or an open file that can be read twice.
        file: what it is called in the findings; one whose name ends in `.gz` is compressed.
        url: where it will be published; it may list only what is below that folder.
        now: the time, with its zone, beyond which no date can lie.

    Returns:
        What is wrong, in the order of the lines; a file that is no sitemap has one finding.

    Raises:
        UrlError: `url` is not the absolute URL of a file.
    """
    place = None if url is None else Place.at(url)
    found = Findings(file)
    source = io.BytesIO(data) if isinstance(data, bytes) else data
    listing = Listing()
    try:
        check_content(read_chunks(source, file), found, listing, place, now)
        if listing.one_sided:
            source.seek(0)
            check_targets(read_chunks(source, file), found, listing)
    except Unusable as fault:
        found.only(fault)
    return found.all()
