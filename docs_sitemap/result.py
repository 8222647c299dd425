"""What a build returns: listed and excluded pages, dates, problems."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from pathlib import Path

from docs_sitemap.page import Page
from docs_sitemap.shown import COMPLETE_FILE, SourceView
from docs_sitemap.sitemap.protocol import Alternate, Url
from docs_sitemap.text import count, printable


class DateStatus(StrEnum):
    """Where the date of a page comes from, or why it is unknown."""

    COMMIT = "commit"
    COMPARISON_LIMIT = "comparison-limit"
    RECORD = "record"
    BUILT_COMMIT = "built-commit"
    FRONT_MATTER = "front-matter"
    HOOK = "hook"
    DISABLED = "disabled"
    NO_SOURCE = "no-source"
    UNKNOWN_SOURCES = "unknown-sources"
    UNTRACKED = "untracked"
    IGNORED = "git-ignored"
    SHALLOW = "shallow"
    NO_REPOSITORY = "no-repository"
    INVALID_DATE = "invalid-date"
    GIT_FAILED = "git-failed"

    @property
    def meaning(self) -> str:
        """Return one line for people."""
        return _DATE_STATUS_MEANINGS[self]


_DATE_STATUS_MEANINGS = {
    DateStatus.COMMIT: "the newest commit to a source file has this date",
    DateStatus.COMPARISON_LIMIT: "the date may be too new: the newest 200 commits to a source file "
    "changed nothing that the page shows, and older commits are not compared",
    DateStatus.RECORD: "the main content has not changed since the date in the content record",
    DateStatus.BUILT_COMMIT: "the main content is new or has changed since the content record, "
    "and no newer commit to a source file is known; the commit that was built has this date",
    DateStatus.FRONT_MATTER: "the page sets lastmod itself",
    DateStatus.HOOK: "the hook for entries set the date",
    DateStatus.DISABLED: "the option lastmod is off",
    DateStatus.NO_SOURCE: "the page has no source file",
    DateStatus.UNKNOWN_SOURCES: "not all source files of the page are known",
    DateStatus.UNTRACKED: "a source file is not committed",
    DateStatus.IGNORED: "git ignores a source file",
    DateStatus.SHALLOW: "the shallow clone does not contain the commit",
    DateStatus.NO_REPOSITORY: "the source file is not in a git repository",
    DateStatus.INVALID_DATE: "the commit has an invalid date",
    DateStatus.GIT_FAILED: "git is missing, failed, timed out, or does not trust the repository",
}


class DateFallback(StrEnum):
    """What to use as the date of a page if it is unknown."""

    BUILD = "build"
    MTIME = "mtime"


@dataclass(frozen=True, slots=True)
class Lastmod:
    """The last-modified date of a page, and where it comes from.

    Attributes:
        status: Where the date comes from, or why it is unknown.
        value: The day, or the timestamp in UTC; `None` if there is no date.
        commit: The full name of the commit, if the date comes from one.
        source: The absolute path of the source file that determines the date, or that has no date.
        fallback: Where `value` comes from instead, if the date is unknown.
        authored: The author date of the commit, in UTC.
    """

    status: DateStatus
    value: date | datetime | None = None
    commit: str | None = None
    source: str | None = None
    fallback: DateFallback | None = None
    authored: datetime | None = None

    def __str__(self) -> str:
        words: list[str] = [self.status]
        if self.commit is not None:
            words.append(self.commit)
        if self.source is not None:
            words.append(self.source)
        if self.fallback is not None:
            words.append(f"(fallback: {self.fallback})")
        return f"{self.value or 'no date'}: {' '.join(words)}"


@dataclass(frozen=True, slots=True)
class SourceDate:
    """The date of a source file of a page.

    Attributes:
        path: The absolute path.
        status: `commit`, `comparison-limit`, or why the date is unknown.
        commit: The full name of the newest commit that counts.
        value: The date of that commit in UTC.
        view: What the page shows of the file.
        passed: The number of newer commits to the file that do not count.
        newest: The full name of the newest of these commits; `None` if there are none.
        newest_ignored: Whether that commit is ignored. If not, it changed nothing that the page
            shows.
    """

    path: str
    status: DateStatus
    commit: str | None = None
    value: datetime | None = None
    view: SourceView = COMPLETE_FILE
    passed: int = 0
    newest: str | None = None
    newest_ignored: bool = False


@dataclass(frozen=True, slots=True)
class Listed:
    """A page in the sitemap.

    Attributes:
        page: The page.
        url: The entry.
        lastmod: The date, and where it comes from.
        sources: The absolute paths of all source files: those of the page, without the ones that
            options leave out, and those that options name.
        source_dates: The dates of the source files that git was asked for, in the same order.
    """

    page: Page
    url: Url
    lastmod: Lastmod
    sources: tuple[str, ...] = ()
    source_dates: tuple[SourceDate, ...] = ()


class ExclusionReason(StrEnum):
    """Why a page is not in the sitemap. If several reasons apply, the first is reported."""

    FRONT_MATTER = "front-matter"
    GENERATOR_PAGE = "generator-page"
    EXCLUDE_PATTERN = "exclude-pattern"
    NOT_WRITTEN = "not-written"
    INVALID_URL = "invalid-url"
    REDIRECT = "redirect"
    NOINDEX = "noindex"
    CANONICAL = "canonical"
    COVERAGE_REPORT = "coverage-report"
    DUPLICATE_URL = "duplicate-url"
    HOOK = "hook"
    TEMPLATE = "template"

    @property
    def meaning(self) -> str:
        """Return one line for people."""
        return _EXCLUSION_MEANINGS[self]


_EXCLUSION_MEANINGS = {
    ExclusionReason.FRONT_MATTER: "the front matter or metadata of the page excludes it",
    ExclusionReason.GENERATOR_PAGE: "the generator writes the page for its own use",
    ExclusionReason.EXCLUDE_PATTERN: "a pattern of the option exclude matches the page",
    ExclusionReason.NOT_WRITTEN: "the build did not write the page",
    ExclusionReason.INVALID_URL: "the page has no valid URL",
    ExclusionReason.REDIRECT: "the page redirects to another URL",
    ExclusionReason.NOINDEX: "the page declares noindex",
    ExclusionReason.CANONICAL: "the canonical link of the page names another URL",
    ExclusionReason.COVERAGE_REPORT: "the page is part of a report of coverage.py",
    ExclusionReason.DUPLICATE_URL: "another page has the same URL",
    ExclusionReason.HOOK: "the hook for entries excludes the page",
    ExclusionReason.TEMPLATE: "the custom template leaves the page out",
}

# The reasons that exclude even pages that are requested.
FIRM_REASONS = frozenset(
    (
        ExclusionReason.FRONT_MATTER,
        ExclusionReason.NOT_WRITTEN,
        ExclusionReason.INVALID_URL,
        ExclusionReason.DUPLICATE_URL,
        ExclusionReason.HOOK,
        ExclusionReason.TEMPLATE,
    )
)

# Every entry needs a valid URL, the protocol allows each URL once, and hooks and templates decide
# last.
_NEVER_IGNORED = frozenset(
    (
        ExclusionReason.INVALID_URL,
        ExclusionReason.DUPLICATE_URL,
        ExclusionReason.HOOK,
        ExclusionReason.TEMPLATE,
    )
)
IGNORABLE_REASONS = tuple(reason for reason in ExclusionReason if reason not in _NEVER_IGNORED)

# The reasons that follow from the `<head>` of a built page.
HEAD_REASONS = frozenset(
    (
        ExclusionReason.REDIRECT,
        ExclusionReason.NOINDEX,
        ExclusionReason.CANONICAL,
        ExclusionReason.COVERAGE_REPORT,
    )
)


@dataclass(frozen=True, slots=True)
class Excluded:
    """A page that is not in the sitemap.

    Attributes:
        page: The page.
        reason: Why it is excluded.
        detail: The pattern, the file, the fault of the URL, the content of the robots meta
            element, the target of the redirect or canonical link, the script of the coverage
            report, or the name of the other page.
    """

    page: Page
    reason: ExclusionReason
    detail: str = ""


class ProblemKind(StrEnum):
    """The subject of a problem. Sphinx users can name it in `suppress_warnings`."""

    BASE_URL = "base_url"
    CHECK = "check"
    CONFLICT = "conflict"
    DEPENDENCY = "dependency"
    DUPLICATE = "duplicate"
    EMPTY = "empty"
    GIT = "git"
    HOOK = "hook"
    OPTION = "option"
    PAGE = "page"
    PATTERN = "pattern"
    RECORD = "record"
    ROBOTS = "robots"
    TEMPLATE = "template"
    URL = "url"
    WRITE = "write"

    @property
    def meaning(self) -> str:
        """Return one line for people."""
        return _PROBLEM_MEANINGS[self]


_PROBLEM_MEANINGS = {
    ProblemKind.BASE_URL: "The address of the site is invalid, or differs from the canonical "
    "links.",
    ProblemKind.CHECK: "A custom template rendered a sitemap that breaks a rule of the protocol.",
    ProblemKind.CONFLICT: "The sitemap replaces a file of your own.",
    ProblemKind.DEPENDENCY: "A path or pattern of `dependencies` matches no file.",
    ProblemKind.DUPLICATE: "Two pages have the same URL.",
    ProblemKind.EMPTY: "No page is listed.",
    ProblemKind.GIT: "Git has no date for some pages, or for all.",
    ProblemKind.HOOK: "The hook for entries failed, or returned an invalid entry.",
    ProblemKind.OPTION: "An option is misspelled.",
    ProblemKind.PAGE: "A page has an invalid value in its metadata, or cannot be read.",
    ProblemKind.PATTERN: "A pattern or selector of an option matches no page.",
    ProblemKind.RECORD: "The content record is damaged.",
    ProblemKind.ROBOTS: "The sitemap cannot be added to `robots.txt`.",
    ProblemKind.TEMPLATE: "The template failed, or did not render a sitemap.",
    ProblemKind.URL: "A page has no valid URL.",
    ProblemKind.WRITE: "A file cannot be written.",
}


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem that did not stop the build.

    Attributes:
        kind: The subject.
        message: One printable line with what happened, why, and how to fix it. It names options as
            `the option lastmod`, with their names in [`Options`][docs_sitemap.Options].
        is_notice: Whether to log the problem as information, not as a warning. Notices do not make
            a strict build fail.
        page: The name of the page that the problem is about, if it is about one page.
    """

    kind: ProblemKind
    message: str
    is_notice: bool = False
    page: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "message", printable(self.message))


@dataclass(frozen=True, slots=True)
class Report:
    """The result of a build. Each page is either in `listed` or in `excluded`.

    Attributes:
        listed: The pages in the sitemap, in its order.
        excluded: The other pages, sorted by name.
        files: The absolute paths of the files of the sitemap, `filename` first. Empty if no
            sitemap was written.
        problems: The warnings and notices, in the order of the steps of the build.
    """

    listed: tuple[Listed, ...] = ()
    excluded: tuple[Excluded, ...] = ()
    files: tuple[Path, ...] = ()
    problems: tuple[Problem, ...] = ()

    @property
    def summary(self) -> str:
        """Return one line for the log: the numbers of listed, dated, and excluded pages."""
        if not self.files:
            return "no sitemap was written"
        lastmods = [listed.lastmod for listed in self.listed]
        dated = sum(lastmod.value is not None for lastmod in lastmods)
        recorded = sum(lastmod.status is DateStatus.RECORD for lastmod in lastmods)
        built = sum(lastmod.status is DateStatus.BUILT_COMMIT for lastmod in lastmods)
        origins = ", ".join(
            f"{number:,} {origin}"
            for number, origin in (
                (recorded, "from the content record"),
                (built, "of the built commit"),
            )
            if number
        )
        fallbacks = sum(lastmod.fallback is not None for lastmod in lastmods)
        undated = Counter(
            lastmod.status.value
            for lastmod in lastmods
            if lastmod.value is None and lastmod.status is not DateStatus.DISABLED
        )
        reasons = Counter(excluded.reason.value for excluded in self.excluded)
        return (
            f"{self.files[0].name}: {count(len(self.listed), 'URL')}, {dated:,} with lastmod"
            f"{f' ({origins})' if origins else ''}"
            f"{f' ({fallbacks:,} from the option lastmod_fallback)' if fallbacks else ''}"
            f"{f' (others: {_most_common(undated)})' if undated else ''}, "
            f"{count(len(self.excluded), 'page')} excluded"
            f"{f' ({_most_common(reasons)})' if reasons else ''}"
        )

    @property
    def details(self) -> Iterator[str]:
        """Yield one line per page for the verbose log: its date, or why it is excluded."""
        for listed in self.listed:
            yield printable(f"{listed.url.loc} ({listed.page.name}): {listed.lastmod}")
        for excluded in self.excluded:
            detail = f" ({excluded.detail})" if excluded.detail else ""
            yield printable(f"excluded: {excluded.page.name}: {excluded.reason.meaning}{detail}")


def _most_common(counter: Counter[str]) -> str:
    return ", ".join(f"{number:,} {name}" for name, number in counter.most_common())
