"""The rules of one entry of a sitemap, by its own text alone."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from docs_sitemap.check.dates import parse_datetime
from docs_sitemap.check.findings import Findings, shorten
from docs_sitemap.check.locs import check_url
from docs_sitemap.check.parse import Entry, Link, Text
from docs_sitemap.model import ChangeFreq

# When the first version of the protocol was published:
# https://googleblog.blogspot.com/2005/06/webmaster-friendly.html
_FIRST = datetime(2005, 6, 2, tzinfo=UTC)
# Clocks and time zones differ.
_TOLERANCE = timedelta(days=1)

_CHANGEFREQS = {*ChangeFreq}
_DECIMAL = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)")

# The shape of a language tag (BCP 47); whether a language exists is not for us to say.
_HREFLANG = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8})*|x-default", re.I)


@dataclass(frozen=True, slots=True)
class Target:
    """A page in another language, or the page itself.

    Attributes:
        url: its URL in normal form.
        line: where it is named.
        is_default: whether it is only the one for all other languages.
    """

    url: str
    line: int
    is_default: bool


@dataclass(frozen=True, slots=True)
class Checked:
    """What an entry says, as far as it can be understood.

    Attributes:
        loc: the text of its `<loc>`, cut if it is too long.
        line: where that is.
        url: the same in normal form, with what it leads to if it is only badly written; `None`
            if it is no URL.
        is_plain_url: whether nothing is wrong with how it is written.
        lastmod: its date.
        targets: where its alternates lead, each place once.
    """

    loc: str
    line: int
    url: str | None
    is_plain_url: bool
    lastmod: datetime | None
    targets: tuple[Target, ...]


def check_entry(entry: Entry, found: Findings, now: datetime | None) -> Checked | None:
    """Check one entry; without a `<loc>`, there is nothing that it is about."""
    loc = entry.texts.get("loc")
    if loc is None or (not loc.value and loc.is_plain):
        message = "the entry has no <loc>" if loc is None else "its <loc> is empty"
        found.add("loc-missing", message, (loc or entry).line)
        return None
    text = loc.value
    url, faults = check_url(text, loc.length) if loc.is_plain else (None, [])
    for code, message in faults:
        found.add(code, message, loc.line, text)
    lastmod = _value(entry, "lastmod")
    moment = None if lastmod is None else _check_lastmod(lastmod, found, text, now)
    if (changefreq := _value(entry, "changefreq")) and changefreq.value not in _CHANGEFREQS:
        message = f"{shorten(changefreq.value)} is none of {', '.join(ChangeFreq)}"
        found.add("changefreq-invalid", message, changefreq.line, text)
    if (priority := _value(entry, "priority")) and not _is_priority(priority):
        message = f"{shorten(priority.value)} is no number from 0.0 to 1.0"
        found.add("priority-invalid", message, priority.line, text)
    targets = _check_links(entry, text, url, found) if entry.links else ()
    return Checked(text, loc.line, url, not faults, moment, targets)


def _value(entry: Entry, name: str) -> Text | None:
    text = entry.texts.get(name)
    return text if text is not None and text.is_plain else None


def _check_lastmod(text: Text, found: Findings, url: str, now: datetime | None) -> datetime | None:
    try:
        moment, in_schema = parse_datetime(text.value)
    except ValueError as error:
        found.add("lastmod-invalid", f"{shorten(text.value)}: {error}", text.line, url)
        return None
    if not in_schema:
        forms = "neither a day, such as 2026-05-31, nor a time with its seconds"
        found.add("lastmod-form", f"{shorten(text.value)} is {forms}", text.line, url)
    elif now is not None and moment - now > _TOLERANCE:
        found.add("lastmod-future", f"{text.value} lies in the future", text.line, url)
    elif moment < _FIRST:
        found.add("lastmod-old", f"{text.value} is older than sitemaps are", text.line, url)
    return moment


def _is_priority(text: Text) -> bool:
    return bool(_DECIMAL.fullmatch(text.value)) and 0.0 <= float(text.value) <= 1.0


def _check_links(entry: Entry, loc: str, url: str | None, found: Findings) -> tuple[Target, ...]:
    targets: dict[str, Target] = {}
    languages: set[str] = set()
    is_whole = True
    for link in entry.links:
        fault = _link_fault(link)
        hreflang = link.attributes.get("hreflang", "")
        href = link.attributes.get("href", "").strip()
        if fault is None and hreflang.lower() in languages:
            fault = f"the language {shorten(hreflang)} stands twice"
        target, faults = check_url(href, len(href))
        if fault is None and _is_alternate(link):
            if target is None:
                fault = f"the href of the language {shorten(hreflang)}: {faults[0][1]}"
            elif faults and faults[0][0] == "loc-not-encoded":
                language = shorten(hreflang)
                fault = f"percent-encode the href of the language {language}: {faults[0][1]}"
        if fault is not None:
            found.add("alternate-invalid", fault, link.line, loc)
            is_whole = False
        elif _is_alternate(link) and target is not None:
            languages.add(hreflang.lower())
            is_default = hreflang.lower() == "x-default"
            if target not in targets or targets[target].is_default:
                targets[target] = Target(target, link.line, is_default)
    if targets and is_whole and url is not None and url not in targets:
        message = "none of its alternates is the page itself"
        found.add("alternate-no-self", message, entry.line, loc)
    return tuple(targets.values())


def _is_alternate(link: Link) -> bool:
    """Whether it is about a language: links to feeds or pages for small screens are not."""
    return "alternate" in link.attributes.get("rel", "").lower().split() and (
        "hreflang" in link.attributes or not {"media", "type"} & link.attributes.keys()
    )


def _link_fault(link: Link) -> str | None:
    attributes = link.attributes
    if "rel" not in attributes:
        return "it has no rel"
    if not _is_alternate(link):
        return None
    if "hreflang" not in attributes:
        return "it has no hreflang"
    if not _HREFLANG.fullmatch(attributes["hreflang"]):
        return f"hreflang {shorten(attributes['hreflang'])} is no language tag"
    if not attributes.get("href", "").strip():
        return "it has no href"
    return None
