"""The entry of each page: what the steps of a build find out, from the generator to the
XML.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date, datetime
from operator import attrgetter
from typing import NamedTuple

import msgspec

from .config.page_settings import PageSettings
from .config.parsers import PageRule
from .diagnostics import DateStatus, ExclusionReason
from .git.history_types import FileDate
from .page import Page, Source, SourceRole
from .sitemap.protocol import Url


class Lastmod(NamedTuple):
    """The last-modified date of a page, and where it comes from.

    Attributes:
        status: Where the date comes from, or why it is unknown.
        value: The day, or the timestamp in UTC; `None` if there is no date.
        commit: The hash of the commit, if the date comes from one.
        source: The path of the source file that determines the date, or has none.
    """

    status: DateStatus
    value: date | datetime | None = None
    commit: str | None = None
    source: str | None = None

    def __str__(self) -> str:
        return " ".join(filter(None, (self.status, self.commit, self.source)))


class Dependency(msgspec.Struct, frozen=True):
    """Files that a user names as sources of a page.

    Attributes:
        pattern: The path or pattern of the files.
        template: The same with `{name}`, if the name of the page replaced it. Such a
            file need not exist for every page.
        page: The name of the page, if the page itself names the files; `None` if the
            option `dependencies` does.
    """

    pattern: str
    template: str | None = None
    page: str | None = None


class Entry(msgspec.Struct):
    """What the build found out about a page.

    Attributes:
        page: The page as you provide it.
        settings: What the page sets in its front matter or metadata.
        patterns: All patterns that match the page, each with the name of its option.
        included_by: The first pattern of the option `include` that matches the page.
        excluded_by: The first pattern of the option `exclude` that matches the page.
        rule: The first rule that matches the page.
        dependencies: The files that the page itself and the option `dependencies` name.
        missing: The dependencies that match no file.
        reason: Why the page is excluded; `None` if it is listed.
        detail: What caused the reason, such as the pattern, the file, or the target of
            the redirect. For a listed page, why its sources are unknown or missing.
        sources: The source files, without the ones that options leave out, and with
            those that options name; `None` if they are not all known.
        dates: The dates of the source files.
        lastmod: The date and where it comes from.
        loc: The absolute URL; empty if unknown.
        url: What the sitemap contains for a listed page. An excluded page has a date,
            too, for its readers.
        hook_excludes: Whether the hook excludes the page.
        hook_fault: Why the hook has no effect; empty if it has.
    """

    page: Page
    settings: PageSettings = PageSettings()
    patterns: frozenset[tuple[str, str]] = frozenset()
    included_by: str | None = None
    excluded_by: str | None = None
    rule: PageRule | None = None
    dependencies: tuple[Dependency, ...] = ()
    missing: tuple[Dependency, ...] = ()
    reason: ExclusionReason | None = None
    detail: str = ""
    sources: tuple[Source, ...] | None = ()
    dates: Mapping[Source, FileDate] = {}
    lastmod: Lastmod = Lastmod(DateStatus.DISABLED)
    loc: str = ""
    url: Url = Url("")
    hook_excludes: bool = False
    hook_fault: str = ""

    @property
    def is_requested(self) -> bool:
        """Whether the page itself or the option `include` requests that the page is
        listed.
        """
        return self.settings.exclude is False or self.included_by is not None

    @property
    def ran_code(self) -> tuple[str, ...]:
        """What ran code for the page, if the date depends on what this code read."""
        if self.lastmod.status in (DateStatus.DISABLED, DateStatus.FRONT_MATTER):
            return ()
        for source in self.sources or ():
            if source.role is SourceRole.NAMED:
                return ()
        return self.page.ran_code

    def exclude(self, reason: ExclusionReason, detail: str = "") -> None:
        """Exclude the page."""
        self.reason = reason
        self.detail = detail


def sort_listed(entries: Iterable[Entry]) -> list[Entry]:
    """Return the listed pages in the order of the sitemap."""
    listed = [entry for entry in entries if entry.reason is None]
    return sorted(listed, key=attrgetter("loc"))
