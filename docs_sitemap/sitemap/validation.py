"""Check sitemaps against the rules of the format: values of entries, repeated and
foreign URLs.
"""

import re
from collections.abc import Mapping, Set
from datetime import UTC, datetime, timedelta
from typing import BinaryIO, NamedTuple

import msgspec

from docs_sitemap.diagnostics import Diagnostic
from docs_sitemap.tools.printing import shorten

from . import protocol
from .hosts import LOCAL_ADDRESS, check_origin
from .language_tags import X_DEFAULT, check_hreflang
from .reader import ALTERNATE_INVALID, SitemapEntry, SitemapReader, read_chunks
from .rules import FileDiagnostics, Rule, UnusableFileError, error, warning
from .urls import LOC_NOT_ASCII, NormalizedUrl, check_url

_CHANGEFREQS = frozenset(protocol.ChangeFreq)

# Clocks and time zones differ.
_TOLERANCE = timedelta(days=1)

_ESCAPED_TWICE = re.compile(r"&(?:amp|lt|gt|quot|apos|#[0-9]{1,7}|#x[0-9A-Fa-f]{1,6});")

# https://info.cern.ch: the first website. Older dates are those of programs that do not
# know the date.
_FIRST_WEBSITE = datetime(1991, 8, 6, tzinfo=UTC)


def is_future(timestamp: datetime, now: datetime) -> bool:
    """Return whether a timestamp is in the future, in all time zones."""
    return timestamp - now > _TOLERANCE


class Link(NamedTuple):
    """An alternate of an entry.

    Attributes:
        target: The URL of the translation.
        loc: The text of the `<loc>` of the entry.
        line: The line of the link.
        is_default: Whether its only language is `x-default`.
        diagnostics: Receives more diagnostics about the link.
    """

    target: NormalizedUrl
    loc: str
    line: int
    is_default: bool
    diagnostics: FileDiagnostics

    def diagnose(self, rule: Rule, message: str) -> None:
        """Add a diagnostic about a rule that the link breaks."""
        self.diagnostics.add(rule, message, self.line, self.loc)


class CheckedEntry(msgspec.Struct):
    """An entry with a `<loc>`, after the checks that need only the entry.

    Attributes:
        entry: The entry.
        loc: The text of `<loc>`.
        diagnostics: Receives more diagnostics about the entry.
        url: The normalized URL; `None` if `<loc>` is not a valid URL.
        lastmod: The time of the last change, in UTC; `None` if it is missing or
            invalid.
        links: The alternates, one for each target.
    """

    entry: SitemapEntry
    loc: str
    diagnostics: FileDiagnostics
    url: NormalizedUrl | None = None
    lastmod: datetime | None = None
    links: tuple[Link, ...] = ()

    def diagnose(
        self, rule: Rule, message: str, field: str = "loc", *, cause: str = ""
    ) -> None:
        """Add a diagnostic about a rule that a field of the entry breaks.

        Args:
            rule: The rule.
            message: What is wrong.
            field: The field.
            cause: What other entries have in common with this one.
        """
        line = self.entry.fields[field].line
        self.diagnostics.add(rule, message, line, self.loc, cause=cause)


ALTERNATE_NOT_RECIPROCAL = error(
    "alternate-not-reciprocal",
    "a translation does not link back",
    "add the other link",
)


class Inventory(msgspec.Struct):
    """What one sitemap lists, or several together.

    Attributes:
        urls: The time of last change of each URL of a page, in seconds; a day without a
            time starts at midnight.
        one_sided: The links whose targets do not link back, as far as the sitemaps were
            read, by their URL and target.
        files_by_host: The diagnostics about local addresses and those of examples, by
            the start of the URL: all sitemaps of a site have one address.
    """

    urls: dict[NormalizedUrl, int | None] = {}
    one_sided: dict[tuple[str, str], Link] = {}
    files_by_host: dict[str, FileDiagnostics] = {}

    def add_link(self, url: str, link: Link) -> None:
        """Add an alternate. Two alternates that link to each other cancel out."""
        if self.one_sided.pop((link.target, url), None) is None:
            self.one_sided[url, link.target] = link

    def check_one_sided(self) -> list[Link]:
        """Check that the targets of alternates link back. The target of `x-default`
        need not link to all languages. Return the alternates whose targets are not
        listed.
        """
        unlisted = []
        for link in self.one_sided.values():
            if link.target not in self.urls:
                unlisted.append(link)
            elif not link.is_default:
                message = f"{shorten(link.target)} does not link back to this page"
                link.diagnose(ALTERNATE_NOT_RECIPROCAL, message)
        return unlisted


DUPLICATE = warning(
    "duplicate",
    "two entries have the same URL or open the same file",
    "list only the canonical URL",
)

OUT_OF_SCOPE = error(
    "out-of-scope",
    "a URL is on another host or not below the folder of the sitemap",
    "check the base URL; if only the folder differs, add the sitemap or its index to "
    "the robots.txt of the host, ignore this if it is there, or list the URL in "
    "another sitemap",
)


class SitemapChecker(msgspec.Struct):
    """Checks the entries of one sitemap or sitemap index.

    Attributes:
        diagnostics: Receives the diagnostics.
        scope: The URL of the folder with the file, below which all URLs must be; `None`
            if it is unknown.
        now: The current time with its zone; `None` if dates in the future, and those
            older than the web, are not reported.
        inventory: What the file lists, and the sitemaps before it.
        is_published: Whether the addresses of local servers are mistakes, and those of
            examples. Previews have such addresses.
    """

    diagnostics: FileDiagnostics
    scope: str | None
    now: datetime | None
    inventory: Inventory = msgspec.field(default_factory=Inventory)
    is_published: bool = False
    _children: dict[NormalizedUrl, int | None] = {}
    # The start of the last URL whose host has no fault. Most sitemaps have one host.
    _reachable: tuple[str, ...] = ()

    def check(self, entry: SitemapEntry, *, is_index: bool) -> CheckedEntry | None:
        """Check an entry, and add it to the inventory. Return `None` if it has no
        `<loc>`, or if its URL is already listed.

        Args:
            entry: The entry.
            is_index: Whether the file is a sitemap index.
        """
        checked = check_entry(entry, self.diagnostics, self.now)
        if checked is None or checked.url is None:
            return checked
        url = checked.url
        is_reachable = True
        if self.is_published and (checked.links or not url.startswith(self._reachable)):
            is_reachable = self._check_hosts(checked, url)
        if is_reachable and self.scope is not None and not url.startswith(self.scope):
            # In other folders of the host, one line in robots.txt allows all URLs.
            message = f"it is not below {shorten(self.scope)}"
            checked.diagnose(OUT_OF_SCOPE, message, cause=url.origin)
        # The sitemaps that an index lists are not pages: they are only compared with
        # each other.
        listed = self._children if is_index else self.inventory.urls
        if url in listed:
            checked.diagnose(DUPLICATE, "it is already listed")
            return None
        listed[url] = None
        if checked.lastmod is not None:
            listed[url] = int(checked.lastmod.timestamp())
        for link in checked.links:
            if link.target != url:
                self.inventory.add_link(url, link)
        return checked

    def _check_hosts(self, entry: CheckedEntry, url: NormalizedUrl) -> bool:
        """Check the hosts of an entry and of its alternates. Return False if the host
        of the entry is local.
        """
        own = url.origin
        is_reachable = True
        for origin in sorted({own, *(link.target.origin for link in entry.links)}):
            fault = check_origin(origin)
            if fault is None:
                self._reachable = (f"{origin}/",)
                continue
            files = self.inventory.files_by_host
            first = files.setdefault(origin, self.diagnostics)
            line = entry.entry.fields["loc"].line
            first.add(*fault, line, entry.loc, cause=origin)
            if origin == own:
                is_reachable = fault[0] is not LOCAL_ADDRESS
        return is_reachable


def check_sitemap(
    file: BinaryIO, name: str, scope: str | None = None, now: datetime | None = None
) -> list[Diagnostic]:
    """Check one sitemap or sitemap index, without the site.

    Args:
        file: The open file.
        name: The name of the file in diagnostics. If it ends in `.gz`, the content is
            compressed.
        scope: The URL of the folder in which the file will be published, which ends in
            a slash. The file may list only URLs below it.
        now: The current time with its zone; `None` if dates in the future, and those
            older than the web, are not reported.

    Returns:
        The diagnostics in the order of their lines. A file that is not a sitemap has
        only one.
    """
    diagnostics = FileDiagnostics(name)
    checker = SitemapChecker(diagnostics, scope, now)
    reader = SitemapReader(diagnostics)
    try:
        for entry in reader.entries(read_chunks(file, name)):
            checker.check(entry, is_index=reader.is_index)
    except UnusableFileError as error:
        diagnostics.add_only(error)
    else:
        # Nothing is known about URLs that are not listed.
        checker.inventory.check_one_sided()
    return diagnostics.sorted()


LOC_MISSING = error(
    "loc-missing",
    "an entry has no <loc> or an empty one",
    "add the URL or remove the entry",
)


def check_entry(
    entry: SitemapEntry, diagnostics: FileDiagnostics, now: datetime | None
) -> CheckedEntry | None:
    """Check one entry. Without a `<loc>`, return `None`: there is nothing else to
    check.
    """
    loc = entry.text("loc")
    if not loc:
        diagnostics.add(LOC_MISSING, "the entry has no URL", entry.line)
        return None
    checked = CheckedEntry(entry, loc, diagnostics)
    result = check_url(loc)
    checked.url = result.normalized
    for rule, message in result.faults:
        checked.diagnose(rule, message)
    if "&" in loc:
        _check_escapes(loc, diagnostics, entry.fields["loc"].line, loc)
    if "lastmod" in entry.fields:
        _check_lastmod(checked, entry.fields["lastmod"].text, now)
    if "changefreq" in entry.fields:
        _check_changefreq(checked, entry.fields["changefreq"].text)
    if "priority" in entry.fields:
        _check_priority(checked, entry.fields["priority"].text)
    if entry.links:
        _check_links(checked)
    return checked


LOC_ENCODED_TWICE = warning(
    "loc-encoded-twice",
    "a URL is probably percent-encoded or escaped twice",
    "encode and escape it once: a space is %20 in a URL, and & is &amp; in XML",
)


def _check_escapes(url: str, diagnostics: FileDiagnostics, line: int, loc: str) -> None:
    """Check whether a URL is escaped twice in XML.

    Args:
        url: The text of a `<loc>`, or the `href` of an alternate.
        diagnostics: Receives the diagnostic.
        line: The line of the URL.
        loc: The text of the `<loc>` of its entry.
    """
    match = _ESCAPED_TWICE.search(url)
    if match is not None:
        message = f"{shorten(url)} contains {shorten(match[0])}"
        diagnostics.add(LOC_ENCODED_TWICE, message, line, loc)


LASTMOD_INVALID = error(
    "lastmod-invalid",
    "a <lastmod> is not a W3C datetime",
    "write it as 2026-05-31",
)

LASTMOD_FUTURE = error(
    "lastmod-future",
    "a <lastmod> is in the future",
    "set it to the last change of the page",
)

LASTMOD_OLD = warning(
    "lastmod-old",
    "a <lastmod> is older than the web: programs write 1970-01-01, for example, if "
    "they do not know a date",
    "set it to the last change of the page or omit it",
)


def _check_lastmod(checked: CheckedEntry, text: str, now: datetime | None) -> None:
    try:
        timestamp = protocol.parse_w3c_datetime(text)
    except ValueError as error:
        message = f"{shorten(text)}: {error}"
        checked.diagnose(LASTMOD_INVALID, message, "lastmod")
        return
    checked.lastmod = timestamp
    if now is None:
        return
    if is_future(timestamp, now):
        checked.diagnose(LASTMOD_FUTURE, f"{text} is in the future", "lastmod")
    elif timestamp < _FIRST_WEBSITE:
        message = f"{text} is older than the web"
        checked.diagnose(LASTMOD_OLD, message, "lastmod")


CHANGEFREQ_INVALID = error(
    "changefreq-invalid",
    "a <changefreq> is not an allowed value",
    "omit it or use always, hourly, daily, weekly, monthly, yearly, or never",
)


def _check_changefreq(checked: CheckedEntry, text: str) -> None:
    if text not in _CHANGEFREQS:
        message = f"the changefreq {shorten(text)} is not an allowed value"
        checked.diagnose(CHANGEFREQ_INVALID, message, "changefreq")


PRIORITY_INVALID = error(
    "priority-invalid",
    "a <priority> is not a number from 0.0 to 1.0",
    "correct or omit it",
)


def _check_priority(checked: CheckedEntry, text: str) -> None:
    if not protocol.is_priority(text):
        message = f"the priority {shorten(text)} is not a number from 0.0 to 1.0"
        checked.diagnose(PRIORITY_INVALID, message, "priority")


ALTERNATE_NO_SELF = error(
    "alternate-no-self",
    "the alternates do not include the page itself",
    "add it as well",
)


def _check_links(checked: CheckedEntry) -> None:
    links: dict[NormalizedUrl, Link] = {}
    languages: set[str] = set()
    diagnostics = checked.diagnostics
    loc = checked.loc
    for link in checked.entry.links:
        try:
            target = _check_alternate(link.attributes, languages)
        except ValueError as error:
            diagnostics.add(ALTERNATE_INVALID, str(error), link.line, loc)
            continue
        if target is None:
            continue
        language = link.attributes["hreflang"].lower()
        languages.add(language)
        _check_escapes(link.attributes["href"], diagnostics, link.line, loc)
        if target not in links or links[target].is_default:
            is_default = language == X_DEFAULT
            links[target] = Link(target, loc, link.line, is_default, diagnostics)
    if links and checked.url is not None and checked.url not in links:
        message = "its alternates do not include the page itself"
        diagnostics.add(ALTERNATE_NO_SELF, message, checked.entry.line, loc)
    checked.links = tuple(links.values())


def _check_alternate(
    attributes: Mapping[str, str], languages: Set[str]
) -> NormalizedUrl | None:
    """Return the target of an alternate; `None` if the link is about something else,
    such as a feed or a mobile page.

    Args:
        attributes: The attributes of the link.
        languages: The languages of the alternates before it, in lower case.

    Raises:
        ValueError: The link is invalid. The message is the reason.
    """
    relations = protocol.link_relations(attributes)
    if "alternate" not in relations:
        if relations and "hreflang" not in attributes:
            return None
        raise ValueError('it has no rel="alternate"')
    if "hreflang" not in attributes:
        if "media" in attributes or "type" in attributes:
            return None
        raise ValueError("it has no hreflang")
    hreflang = attributes["hreflang"]
    check_hreflang(hreflang)
    if hreflang.lower() in languages:
        raise ValueError(f"there is more than one link for {shorten(hreflang)}")
    checked = check_url(attributes.get("href", "").strip())
    for rule, message in checked.faults:
        if rule is not LOC_NOT_ASCII:
            raise ValueError(f"the href for {shorten(hreflang)}: {message}")
    return NormalizedUrl(checked.normalized or "")
