"""The rules that need only one entry of a sitemap."""

from __future__ import annotations

import re
from collections.abc import Mapping, Set
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

from docs_sitemap.commands.check.codes import Code
from docs_sitemap.commands.check.finding import FileFindings
from docs_sitemap.languages import check_hreflang
from docs_sitemap.sitemap.protocol import ChangeFreq, parse_w3c_datetime
from docs_sitemap.sitemap.reader import FieldText, RawEntry, RawExtension
from docs_sitemap.sitemap.urls import NormalizedUrl, UrlFault, check_url
from docs_sitemap.text import shorten

_URL_CODES = {
    UrlFault.TOO_LONG: Code.LOC_TOO_LONG,
    UrlFault.INVALID: Code.LOC_INVALID,
    UrlFault.NOT_ENCODED: Code.LOC_NOT_ENCODED,
    UrlFault.NOT_ASCII: Code.LOC_NOT_ASCII,
    UrlFault.ENCODED_TWICE: Code.LOC_ENCODED_TWICE,
    UrlFault.FRAGMENT: Code.LOC_FRAGMENT,
    UrlFault.DOT_SEGMENTS: Code.LOC_DOT_SEGMENTS,
}

# https://googleblog.blogspot.com/2005/06/webmaster-friendly.html
_PROTOCOL_PUBLISHED = datetime(2005, 6, 2, tzinfo=UTC)
# Clocks and time zones differ.
_TOLERANCE = timedelta(days=1)

_CHANGEFREQS = frozenset(ChangeFreq)
_DECIMAL = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)")
_DEFAULT_LANGUAGE = "x-default"


@dataclass(frozen=True, slots=True)
class DateLimits:
    """The dates that a `<lastmod>` may have.

    Attributes:
        now: The current time with its zone; `None` if dates in the future are not reported.
        is_exact: Whether all dates come from commits or front matter, so that old dates are
            accurate.
    """

    now: datetime | None = None
    is_exact: bool = False

    def is_future(self, timestamp: datetime) -> bool:
        """Return whether a timestamp is in the future, in all time zones."""
        return self.now is not None and timestamp - self.now > _TOLERANCE


class AlternateTarget(NamedTuple):
    """The target of an alternate.

    Attributes:
        url: Its URL.
        line: The line of the link.
        is_default: Whether the only language for which the page links to it is `x-default`.
    """

    url: NormalizedUrl
    line: int
    is_default: bool


@dataclass(frozen=True, slots=True)
class CheckedEntry:
    """The values of an entry, as far as they are valid.

    Attributes:
        loc: The text of `<loc>`.
        line: The line of `<loc>`.
        url: The URL; `None` if it is invalid.
        day: The day of the last change in UTC.
        targets: The targets of the alternates, each once.
        findings: The findings of the file.
        raw: The entry as it is written.
    """

    loc: str
    line: int
    url: NormalizedUrl | None
    day: date | None
    targets: tuple[AlternateTarget, ...]
    findings: FileFindings
    raw: RawEntry

    def report(self, code: Code, message: str) -> None:
        """Add a finding about this entry."""
        self.findings.add(code, message, self.line, self.loc)


def check_entry(entry: RawEntry, findings: FileFindings, dates: DateLimits) -> CheckedEntry | None:
    """Check one entry. Without a `<loc>`, return `None`: there is nothing else to check."""
    loc = entry.fields.get("loc")
    if loc is None:
        findings.add(Code.LOC_MISSING, "the entry has no <loc>", entry.line)
        return None
    if not loc.value and loc.is_plain:
        findings.add(Code.LOC_MISSING, "the <loc> is empty", loc.line)
        return None
    url = _check_loc(loc, findings)
    day = _check_lastmod(entry, loc.value, findings, dates)
    _check_hints(entry, loc.value, findings)
    targets = _check_links(entry, loc.value, url, findings)
    for extension in entry.extensions:
        _check_extension(extension, loc.value, findings)
    return CheckedEntry(loc.value, loc.line, url, day, targets, findings, entry)


def _check_loc(loc: FieldText, findings: FileFindings) -> NormalizedUrl | None:
    if not loc.is_plain:
        return None
    checked = check_url(loc.value, loc.length)
    for fault, message in checked.faults:
        findings.add(_URL_CODES[fault], message, loc.line, loc.value)
    return checked.normalized


def _plain_field(entry: RawEntry, name: str) -> FieldText | None:
    field = entry.fields.get(name)
    return field if field is not None and field.is_plain else None


def _check_lastmod(
    entry: RawEntry, loc: str, findings: FileFindings, dates: DateLimits
) -> date | None:
    field = _plain_field(entry, "lastmod")
    if field is None:
        return None
    try:
        timestamp, in_schema = parse_w3c_datetime(field.value)
    except ValueError as error:
        message = f"{shorten(field.value)}: {error}"
        findings.add(Code.LASTMOD_INVALID, message, field.line, loc)
        return None
    if not in_schema:
        message = f"{shorten(field.value)} is not a complete date, or has a time without seconds"
        findings.add(Code.LASTMOD_FORM, message, field.line, loc)
    elif dates.is_future(timestamp):
        findings.add(Code.LASTMOD_FUTURE, f"{field.value} is in the future", field.line, loc)
    elif timestamp < _PROTOCOL_PUBLISHED and not dates.is_exact:
        message = f"{field.value} is older than the sitemap protocol"
        findings.add(Code.LASTMOD_OLD, message, field.line, loc)
    return timestamp.date()


def _check_hints(entry: RawEntry, loc: str, findings: FileFindings) -> None:
    changefreq, priority = _plain_field(entry, "changefreq"), _plain_field(entry, "priority")
    if changefreq is not None and changefreq.value not in _CHANGEFREQS:
        message = f"{shorten(changefreq.value)} is not one of {', '.join(ChangeFreq)}"
        findings.add(Code.CHANGEFREQ_INVALID, message, changefreq.line, loc)
    if priority is not None and not is_priority(priority.value):
        message = f"{shorten(priority.value)} is not a number from 0.0 to 1.0"
        findings.add(Code.PRIORITY_INVALID, message, priority.line, loc)


def is_priority(text: str) -> bool:
    """Return whether a text is a number from 0.0 to 1.0."""
    return bool(_DECIMAL.fullmatch(text)) and 0.0 <= float(text) <= 1.0


def _check_links(
    entry: RawEntry, loc: str, url: NormalizedUrl | None, findings: FileFindings
) -> tuple[AlternateTarget, ...]:
    targets: dict[NormalizedUrl, AlternateTarget] = {}
    languages: set[str] = set()
    has_invalid_links = False
    for link in entry.links:
        if "rel" in link.attributes and not is_alternate(link.attributes):
            continue
        try:
            target = _check_alternate(link.attributes, languages)
        except ValueError as error:
            findings.add(Code.ALTERNATE_INVALID, str(error), link.line, loc)
            has_invalid_links = True
            continue
        language = link.attributes["hreflang"].lower()
        languages.add(language)
        if target not in targets or targets[target].is_default:
            is_default = language == _DEFAULT_LANGUAGE
            targets[target] = AlternateTarget(target, link.line, is_default)
    if targets and not has_invalid_links and url is not None and url not in targets:
        message = "its alternates do not include the page itself"
        findings.add(Code.ALTERNATE_NO_SELF, message, entry.line, loc)
    return tuple(targets.values())


def is_alternate(attributes: Mapping[str, str]) -> bool:
    """Return whether a link is about a language. Links to feeds and mobile pages are not."""
    if "alternate" not in attributes.get("rel", "").lower().split():
        return False
    return "hreflang" in attributes or attributes.keys().isdisjoint(("media", "type"))


def _check_alternate(attributes: Mapping[str, str], languages: Set[str]) -> NormalizedUrl:
    """Return the target of an alternate.

    Args:
        attributes: The attributes of the link.
        languages: The languages of the alternates before it, in lower case.

    Raises:
        ValueError: The link is invalid. The message is the reason.
    """
    if "rel" not in attributes:
        raise ValueError("the link has no rel")
    hreflang = attributes.get("hreflang")
    if hreflang is None:
        raise ValueError("the link has no hreflang")
    check_hreflang(hreflang)
    href = attributes.get("href", "").strip()
    if not href:
        raise ValueError(f"the link for {shorten(hreflang)} has no href")
    if hreflang.lower() in languages:
        raise ValueError(f"there is more than one link for {shorten(hreflang)}")
    checked = check_url(href)
    faults = dict(checked.faults)
    if checked.normalized is None:
        raise ValueError(f"the href for {shorten(hreflang)}: {', '.join(faults.values())}")
    if UrlFault.NOT_ENCODED in faults:
        fault = faults[UrlFault.NOT_ENCODED]
        raise ValueError(f"percent-encode the href for {shorten(hreflang)}: {fault}")
    return checked.normalized


def _check_extension(raw: RawExtension, loc: str, findings: FileFindings) -> None:
    name = raw.extension.name
    present = {path for path, field in raw.fields.items() if field.value or not field.is_plain}
    required = {path for paths in raw.extension.required for path in paths}
    missing = [
        " or ".join(f"<{name}:{path.rpartition('/')[2]}>" for path in paths)
        for paths in raw.extension.required
        if present.isdisjoint(paths)
    ]
    if missing:
        message = f"<{name}:{name}> has no {', '.join(missing)}"
        findings.add(Code.EXTENSION_INCOMPLETE, message, raw.line, loc)
    for path, check in raw.extension.values.items():
        field = raw.fields.get(path)
        if field is None or not field.is_plain or (path in required and path not in present):
            continue
        try:
            check(field.value)
        except ValueError as error:
            message = f"<{name}:{path.rpartition('/')[2]}> is {shorten(field.value)}: {error}"
            findings.add(Code.EXTENSION_INVALID, message, field.line, loc)
