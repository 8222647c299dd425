"""robots.txt, and the rules for it: <https://www.rfc-editor.org/rfc/rfc9309>."""

from __future__ import annotations

import codecs
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from docs_sitemap.commands.check.codes import Code
from docs_sitemap.commands.check.finding import FileFindings, UnusableFileError
from docs_sitemap.commands.check.sitemap_rules import SitemapLocation
from docs_sitemap.site_folder import OpenedFile, SiteFolder
from docs_sitemap.sitemap.chunks import open_file
from docs_sitemap.sitemap.urls import BaseUrl, check_url, normalize_url, origin
from docs_sitemap.text import shorten

if TYPE_CHECKING:
    from protego import Protego

ROBOTS_FILE = "robots.txt"

# https://developers.google.com/crawling/docs/robots-txt/robots-txt-spec#file-format
_MAX_BYTES = 500 * 1024
# Each rule applies to each crawler: with more lines, a hostile file could take minutes.
_MAX_LINES = 2_000
# Each wildcard is compared with each URL. Without this limit, a hostile file could take hours.
_MAX_COMPARISONS = 50_000_000

# The crawlers of search engines that use sitemaps. For others, the general rules are checked.
_CRAWLERS = ("Googlebot", "Bingbot")

# Crawlers accept both spellings.
_SITEMAP_FIELDS = ("sitemap", "site-map")

# How the lines start that define groups and rules, with the usual typing errors. Other lines do not
# end a group: <https://www.rfc-editor.org/rfc/rfc9309#section-2.2.4>.
_RULE_FIELDS = ("user", "allow", "disa", "diss", "dias")
# Bing also uses these lines, so for Bing they end a group.
_DELAY_FIELDS = ("crawl-delay", "crawl delay")

# The name of a crawler without its version: <https://www.rfc-editor.org/rfc/rfc9309#section-2.2.1>.
_AGENT = re.compile(r"user[ -]?agent\s*:\s*[a-z_-]+", re.I)


class RobotsTxt:
    """A robots.txt.

    Attributes:
        has_bom: Whether it starts with a byte order mark.
        is_too_long: Whether its last rules are ignored.
        is_incomplete: Whether its rules were not applied to all URLs.
        sitemaps: The URLs of the sitemaps that it lists, as written.
        sitemap_urls: The valid ones of these URLs, normalized and without queries.
    """

    def __init__(self, data: bytes) -> None:
        text = data[:_MAX_BYTES].decode("utf-8-sig", "replace")
        lines = [line.partition("#")[0].strip() for line in re.split(r"[\r\n]+", text)]
        lines = [line for line in lines if line]
        sitemap_lines = [line for line in lines if line.lower().startswith(_SITEMAP_FIELDS)]
        self.has_bom = data.startswith(codecs.BOM_UTF8)
        self.is_too_long = len(data) > _MAX_BYTES or len(lines) > _MAX_LINES
        self.is_incomplete = False
        self.sitemaps = tuple(_parse(sitemap_lines).sitemaps)
        urls = [check_url(text).normalized for text in self.sitemaps]
        self.sitemap_urls = {url.partition("?")[0] for url in urls if url is not None}
        lines = lines[:_MAX_LINES]
        self._rules = _parse_rules(lines)
        self._wildcards = sum(line.count("*") + line.count("$") for line in lines)
        self._comparisons = 0

    def disallowed_crawlers(self, url: str) -> str | None:
        """Return a phrase for the crawlers that may not read a URL; `None` if the crawlers of all
        search engines may, or after too many comparisons.
        """
        self._comparisons += self._wildcards * len(self._rules)
        if self._comparisons > _MAX_COMPARISONS:
            self.is_incomplete = True
            return None
        allowed = {name: rules.can_fetch(url, name) for name, rules in self._rules.items()}
        disallowed = [name for name in _CRAWLERS if not allowed.get(name, allowed["*"])]
        if not disallowed:
            return None
        if allowed["*"]:
            return " and ".join(disallowed)
        if len(disallowed) == len(_CRAWLERS):
            return "all crawlers"
        named = [name for name in disallowed if name in allowed]
        return " and ".join([*named, "crawlers that it does not name"])


def _parse_rules(lines: Sequence[str]) -> dict[str, Protego]:
    """Return the rules for all crawlers, `*`, and for each crawler that may have others."""
    # Protego compares the complete text of the line.
    lines = [match[0] if (match := _AGENT.match(line)) else line for line in lines]
    google = [line for line in lines if line.lower().startswith(_RULE_FIELDS)]
    bing = [line for line in lines if line.lower().startswith((*_RULE_FIELDS, *_DELAY_FIELDS))]
    rules = {"*": _parse(bing)}
    # Protego is slow: crawlers without rules of their own are not looked up.
    agents = " ".join(lines).lower()
    if "bingbot" in agents:
        rules["Bingbot"] = rules["*"]
    if "googlebot" in agents or google != bing:
        rules["Googlebot"] = _parse(google)
    return rules


def _parse(lines: Sequence[str]) -> Protego:
    from protego import Protego  # only needed by the command, not by builds

    return Protego.parse("\n".join(lines))


def read_robots(folder: SiteFolder) -> RobotsTxt | None:
    """Read the robots.txt of a site, as far as crawlers read it; `None` if there is none.

    Raises:
        UnusableFileError: It cannot be read.
    """
    if not folder.exists(ROBOTS_FILE):
        return None
    with open_file(folder, ROBOTS_FILE) as file:
        try:
            return RobotsTxt(file.read(_MAX_BYTES + 1))
        except OSError as error:
            raise UnusableFileError(Code.UNREADABLE, f"it cannot be read ({error})") from None


def is_robots_effective(base_url: BaseUrl) -> bool:
    """Return whether crawlers read the robots.txt of a site: only at the root of an origin.

    Source: <https://www.rfc-editor.org/rfc/rfc9309#section-2.3>.
    """
    normalized = normalize_url(base_url)
    return normalized == f"{origin(normalized)}/"


def check_robots(
    robots: RobotsTxt,
    folder: SiteFolder,
    locations: Sequence[SitemapLocation],
    findings: FileFindings,
) -> None:
    """Check the robots.txt of a site.

    Args:
        robots: The robots.txt.
        folder: The site, which is published at the root of its origin.
        locations: Where the sitemaps of the site are published.
        findings: Receives the findings.
    """
    if robots.has_bom:
        findings.add(Code.ROBOTS_BOM, "it starts with a byte order mark", 1)
    if robots.is_too_long:
        findings.add(Code.ROBOTS_TOO_LONG, "its last rules are not checked")
    if robots.is_incomplete:
        message = "it has so many wildcards that its rules are not checked for all URLs"
        findings.add(Code.ROBOTS_TOO_LONG, message)
    for location in locations:
        crawlers = robots.disallowed_crawlers(location.url)
        if crawlers is not None:
            message = f"it disallows the sitemap for {crawlers}"
            findings.add(Code.ROBOTS_DISALLOW, message, url=location.url)
    root = f"{origin(locations[0].url)}/"
    for text in dict.fromkeys(robots.sitemaps):
        checked = check_url(text)
        if checked.normalized is None:
            fault = ", ".join(message for _, message in checked.faults)
            findings.add(Code.ROBOTS_SITEMAP_NOT_FOUND, fault)
        elif folder.open_below(root, checked.normalized) == OpenedFile(None):
            message = f"there is no file for {shorten(text)}"
            findings.add(Code.ROBOTS_SITEMAP_NOT_FOUND, message)
    if not any(location.is_in_robots for location in locations):
        others = f"only {shorten(robots.sitemaps[0])}" if robots.sitemaps else "no sitemap"
        message = f"it lists {others}; add the line Sitemap: {locations[0].url}"
        findings.add(Code.ROBOTS_NO_SITEMAP, message)
