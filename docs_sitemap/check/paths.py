"""What the command does: checks built sites and sitemaps, by their paths."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from docs_sitemap.check.family import Family, Progress
from docs_sitemap.check.findings import CODES, MAX_EACH, Finding, Findings, Unusable, shorten, some
from docs_sitemap.check.folder import Folder
from docs_sitemap.check.locate import NAMES, find_below, find_sitemaps, guess_base_url
from docs_sitemap.check.locs import check_url, origin
from docs_sitemap.check.result import Part, Result
from docs_sitemap.check.robots import Robots, read_robots
from docs_sitemap.check.site import Site
from docs_sitemap.check.sitemap import Listing, Place
from docs_sitemap.loc import check_base_url, normalize_url, quote_path

# From how many dates on it is no chance that all are of one day.
_MANY = 10
_DAY = timedelta(days=1)

# Of sitemaps in a folder's folders, a message names so many.
_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Known:
    """What the build of a site told about it.

    Attributes:
        files: the sitemap's files relative to the site's folder, the sitemap itself first.
        excluded: the pages that are left out on purpose, relative to the site's folder.
        base_url: where the site is published.
        dates_known: whether the dates are those of commits.
    """

    files: tuple[str, ...] = ()
    excluded: frozenset[str] = frozenset()
    base_url: str | None = None
    dates_known: bool = False


def check_paths(
    paths: Sequence[str],
    *,
    now: datetime,
    base_url: str | None = None,
    known: Mapping[str, Known] | None = None,
    progress: Progress | None = None,
) -> Result:
    """Check built sites and sitemaps.

    Args:
        paths: folders of built sites, which their sitemaps are held against, and sitemaps, which
            are checked by themselves, with those that they name.
        now: the time, with its zone.
        base_url: where each of them is published; by default, what fits the URLs and files.
        known: what builds told about some of the folders, by path.
        progress: is called now and then with the file at hand; how much is done, in bytes or,
            without the third, in pages; and how much there is, if that is known.

    Raises:
        UrlError: the base URL is no base URL.
    """
    base_url = None if base_url is None else check_base_url(base_url)
    tick = progress or (lambda what, done, total: None)
    parts = []
    for path in paths:
        if os.path.isdir(path):
            told = (known or {}).get(path, Known())
            parts.append(_check_folder(path, base_url or told.base_url, told, now, tick))
        else:
            parts.append(_check_file(path, base_url, now, tick))
    return Result(tuple(parts))


def _check_file(path: str, base_url: str | None, now: datetime, tick: Progress) -> Part:
    """Check a sitemap by itself: its URLs are held against each other, and not against files."""
    above, name = os.path.split(path)
    folder = Folder(above, chosen=name)
    base = guess_base_url(folder, [name]) if base_url is None else normalize_url(base_url)
    family = Family(folder, None, now, tick)
    place = None if base_url is None else Place.at(base_url + quote_path(name))
    family.check({name: place}, base)
    family.check_targets()
    part = _part(path, family, Known())
    part.findings += _check_dates(folder, name, family.listing, now)
    part.is_placed = family.is_placed
    return part


def _check_folder(
    path: str, base_url: str | None, known: Known, now: datetime, tick: Progress
) -> Part:
    folder = Folder(path)
    beside = Findings(os.path.join(path, "robots.txt"))
    robots = _read_robots(folder, beside)
    tops = find_sitemaps(folder, known.files, robots.sitemaps if robots else ())
    if not tops:
        return Part(path, [*_check_nothing(folder), *beside.all()])
    assumed = guess_base_url(folder, tops) if base_url is None else None
    base_url = base_url or assumed
    base = None if base_url is None else normalize_url(base_url)
    if robots is not None and (base is None or base != f"{origin(base)}/"):
        robots = None  # it counts only at the top of an origin
        beside = Findings(beside.file)
    places = _places(tops, base, robots)
    site = None if base is None else Site(folder, base, robots)
    family = Family(folder, site, now, tick)
    family.check({top: places.get(top) for top in tops}, base)
    family.check_targets()
    part = _part(path, family, known)
    part.assumed = assumed
    if not known.dates_known:
        part.findings += _check_dates(folder, tops[0], family.listing, now)
    if robots is not None:
        _check_robots(robots, folder, places, beside)
    part.findings += beside.all()
    if site is not None:
        if family.is_whole:
            part.findings += _check_missing(site, folder, known, family.files, tick)
        part.pages = site.pages
        part.apart = [*site.apart]
    part.is_placed = site is not None
    return part


def _check_nothing(folder: Folder) -> list[Finding]:
    message = f"it holds none of {', '.join(NAMES)}"
    if below := find_below(folder):
        named = some([*map(shorten, below)], _SHOWN)
        message += f"; check the folder{'s' if len(below) > 1 else ''} of {named}"
    found = Findings(folder.path)
    found.add("no-sitemap", message)
    return found.all()


def _part(path: str, family: Family, known: Known) -> Part:
    # What git knows can be older than sitemaps are.
    right = {CODES["lastmod-old"]} if known.dates_known else set()
    findings = [found for found in family.findings() if found.code not in right]
    return Part(path, findings, family.count, family.listing.urls)


def _places(tops: Sequence[str], base: str | None, robots: Robots | None) -> dict[str, Place]:
    if base is None:
        return {}
    named = {url for url, _ in _named(robots)}
    places = {}
    for top in tops:
        url = normalize_url(base + quote_path(top))
        places[top] = Place(url, covers_all=not named.isdisjoint((url, f"{url}.gz")))
    return places


def _named(robots: Robots | None) -> Iterator[tuple[str | None, str]]:
    """Yield the sitemaps that robots.txt names, in normal form and without query, with the URL for
    messages; `None`, with the fault, for what is no URL.
    """
    for text in dict.fromkeys(() if robots is None else robots.sitemaps):
        url, faults = check_url(text, len(text))
        if url is None:
            yield None, faults[0][1]
        else:
            yield url.partition("?")[0], shorten(text)


def _read_robots(folder: Folder, found: Findings) -> Robots | None:
    if not os.path.lexists(os.path.join(folder.root, "robots.txt")):
        return None
    try:
        with folder.open_file("robots.txt") as file:
            return read_robots(file)
    except Unusable as fault:
        found.only(fault)
        return None


def _check_robots(
    robots: Robots, folder: Folder, places: Mapping[str, Place], found: Findings
) -> None:
    if robots.has_mark:
        found.add("robots-bom", "it starts with a byte order mark", 1)
    if robots.is_cut:
        found.add("robots-too-long", "its last rules are not checked")
    for place in places.values():
        if who := robots.forbids(place.url):
            found.add("robots-disallow", f"it forbids the sitemap to {who}", None, place.url)
    root = f"{origin(next(iter(places.values())).url)}/"
    for url, text in _named(robots):
        if url is None:
            found.add("robots-sitemap-not-found", text)
        elif (opened := folder.open_below(root, url)) is not None and opened.file is None:
            found.add("robots-sitemap-not-found", f"there is no file for {text}")
    if not any(place.covers_all for place in places.values()):
        own = next(iter(places.values())).url
        others = f"names {shorten(robots.sitemaps[0])} only" if robots.sitemaps else "names none"
        found.add("robots-no-sitemap", f"it {others}; add the line Sitemap: {own}")


def _check_dates(folder: Folder, name: str, listing: Listing, now: datetime) -> list[Finding]:
    """A day that all pages share is no date of theirs if the site was built on it."""
    if listing.dated < _MANY or len(listing.days) != 1:
        return []
    (day,) = listing.days
    try:
        written = os.stat(folder.named(name)).st_mtime
        builds = [now.astimezone(UTC).date(), datetime.fromtimestamp(written, UTC).date()]
    except (OSError, ValueError, OverflowError):
        return []
    if not any(abs(date.fromisoformat(day) - build) <= _DAY for build in builds):
        return []
    found = Findings(folder.named(name))
    found.add(
        "lastmod-all-same", f"all {listing.dated:,} dates are of {day}, within a day of the build"
    )
    return found.all()


def _check_missing(
    site: Site, folder: Folder, known: Known, sitemaps: Set[str], tick: Progress
) -> list[Finding]:
    findings: list[Finding] = []
    more = 0
    for path, url in site.missing(known.excluded, sitemaps, tick):
        if len(findings) == MAX_EACH:
            more += 1
            continue
        found = Findings(folder.named(path))
        found.add("missing", "it is in no sitemap", None, url)
        findings += found.all()
    if more:
        findings.append(Finding.of_more("missing", more, folder.path))
    return findings
