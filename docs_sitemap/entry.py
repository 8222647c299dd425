"""The value of each page that goes through the steps of a build."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime

from docs_sitemap.date_status import DateStatus
from docs_sitemap.page import Page, Rule
from docs_sitemap.result import (
    Alternate,
    Excluded,
    ExclusionReason,
    Lastmod,
    SourceDate,
)
from docs_sitemap.sitemap.protocol import ChangeFreq


@dataclass(frozen=True, slots=True)
class Overrides:
    """The validated sitemap settings of a page; `None` where the page sets nothing.

    Attributes:
        exclude: Whether to exclude the page; `False` includes a page that would be excluded.
        lastmod: The last-modified date: a day, or a timestamp in UTC.
        changefreq: How often the page is likely to change.
        priority: The priority within the site, from 0.0 to 1.0.
        dependencies: More source files: paths or patterns, relative to the folder of the
            configuration file.
        ignore_dependencies: Detected source files that do not count, in the same form.
    """

    exclude: bool | None = None
    lastmod: date | datetime | None = None
    changefreq: ChangeFreq | None = None
    priority: float | None = None
    dependencies: tuple[str, ...] = ()
    ignore_dependencies: tuple[str, ...] = ()


NO_OVERRIDES = Overrides()


@dataclass(frozen=True, slots=True)
class Dependency:
    """Files that the option `dependencies` names for a page.

    Attributes:
        pattern: The path or pattern of the files.
        template: The same with `{name}`, if the name of the page replaced it. Such a file need not
            exist for every page.
    """

    pattern: str
    template: str | None = None


@dataclass(slots=True)
class Candidate:
    """A page that may be listed, with the results of the steps of the build.

    Attributes:
        page: The page as the generator integration provides it.
        overrides: What the page sets in its front matter or metadata. Set by `match`, like the
            next four.
        included_by: The first pattern of the option `include` that matches the page.
        excluded_by: The first pattern of the option `exclude` that matches the page.
        rule: The first rule that matches the page.
        dependencies: The files that the option `dependencies` names for the page.
        loc: The absolute URL; empty if the page has no valid URL. Set by `select`.
        exclusion: Why the page is excluded; `None` if it is listed. Set by `select`.
        sources: The absolute paths of all source files. Set by `sources`, like the next one.
        optional_sources: The sources that do not count if they are not in git.
        lastmod: The date. Set by `lastmod`, like the next one.
        source_dates: The dates of the sources.
        alternates: The same page in all languages. Set by `alternates`.
    """

    page: Page
    overrides: Overrides = NO_OVERRIDES
    included_by: str | None = None
    excluded_by: str | None = None
    rule: Rule | None = None
    dependencies: Sequence[Dependency] = ()
    loc: str = ""
    exclusion: Excluded | None = None
    sources: tuple[str, ...] = ()
    optional_sources: frozenset[str] = frozenset()
    lastmod: Lastmod = field(default=Lastmod(DateStatus.DISABLED))
    source_dates: tuple[SourceDate, ...] = ()
    alternates: tuple[Alternate, ...] = ()

    @property
    def is_requested(self) -> bool:
        """Whether the page itself or the option `include` requests that the page is listed."""
        return self.overrides.exclude is False or self.included_by is not None

    def exclude(self, reason: ExclusionReason, detail: str = "") -> None:
        """Exclude the page."""
        self.exclusion = Excluded(self.page, reason, detail)
