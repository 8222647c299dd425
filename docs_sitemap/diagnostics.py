"""What a build reports: diagnostics, exclusion reasons, date statuses, and errors."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from .tools.printing import printable


class Described(StrEnum):
    """A set of slugs, each with its meaning in one line for people. It names an option
    as `{lastmod}`: `OptionNames.describe` writes what the reader types.
    """

    meaning: str

    def __new__(cls, slug: str, meaning: str = "") -> Self:
        member = str.__new__(cls, slug)
        member._value_ = slug
        member.meaning = meaning
        return member


# A longer URL has a diagnostic of its own, for which the start is enough.
_MAX_URL = 2_100


class Severity(StrEnum):
    """How serious a diagnostic is. Notices never make a strict build fail."""

    ERROR = "error"
    WARNING = "warning"
    NOTICE = "notice"


class BuildCode(Described):
    """The subject of a diagnostic of a build. Sphinx users can name it in
    `suppress_warnings`.
    """

    BASE_URL = (
        "base_url",
        "The address of the site is invalid or contradicts canonical links, the file "
        "`CNAME`, or mike.",
    )
    CHECK = (
        "check",
        "A custom template rendered a sitemap that breaks a rule of the protocol.",
    )
    CONFLICT = "conflict", "The sitemap replaces a file of your own."
    DEPENDENCY = "dependency", "A path or pattern of `dependencies` matches no file."
    DUPLICATE = "duplicate", "Two pages have the same URL."
    EMPTY = "empty", "No page is listed."
    GIT = "git", "Git has no date for some or all pages."
    HOOK = "hook", "The hook for entries failed or returned an invalid entry."
    OPTION = "option", "An option is misspelled or has no effect."
    PAGE = (
        "page",
        "A page has an invalid value in its metadata or cannot be read, or most "
        "pages have the same canonical link.",
    )
    PATTERN = "pattern", "A pattern or selector of an option matches no page."
    ROBOTS = "robots", "The sitemap cannot be added to `robots.txt`."
    TEMPLATE = "template", "The template failed or did not render a sitemap."
    URL = "url", "A page has no valid URL."
    WRITE = "write", "A file cannot be written."


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """Something that a person should know. All texts are single lines.

    Attributes:
        code: What it is about, such as `git` or, for `check`, `not-found`.
        message: What happened and why. Builds add how to fix it.
        severity: How serious it is.
        fix: How to fix it, if `message` does not say so.
        page: The name of the page, if it is about one page of a build.
        file: The file, as the user passed it or below the folder that the user passed.
        line: The line in the file, from 1.
        url: The URL, if it is about one.
    """

    code: str
    message: str
    severity: Severity = Severity.WARNING
    fix: str = ""
    page: str | None = None
    file: str | None = None
    line: int | None = None
    url: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "message", printable(self.message))
        if self.file is not None:
            object.__setattr__(self, "file", printable(self.file))
        if self.url is not None:
            object.__setattr__(self, "url", printable(self.url[:_MAX_URL]))

    @property
    def place(self) -> str:
        """The file and the line, as editors open them; empty if it is about no file."""
        if self.line is None:
            return self.file or ""
        return f"{self.file}:{self.line}"


class Diagnostics(list[Diagnostic]):
    """What a build reports, in the order of its steps."""

    def warn(self, code: BuildCode, message: str, *, page: str | None = None) -> None:
        """Add a warning."""
        self.append(Diagnostic(code, message, page=page))

    def note(self, code: BuildCode, message: str, *, page: str | None = None) -> None:
        """Add a notice."""
        self.append(Diagnostic(code, message, Severity.NOTICE, page=page))


class ExclusionReason(Described):
    """Why a page is not in the sitemap. If several reasons apply, the first is
    reported.
    """

    FRONT_MATTER = (
        "front-matter",
        "the front matter or metadata of the page excludes it",
    )
    GENERATOR_PAGE = (
        "generator-page",
        "search, indexes, source code, and other generated pages",
    )
    NO_TITLE = (
        "no-title",
        "the page has no title and is not a complete document with text",
    )
    APP_SHELL = (
        "app-shell",
        "an empty page that scripts fill: the fallback of an application or one of "
        "several equal pages",
    )
    EXCLUDE_PATTERN = (
        "exclude-pattern",
        "a pattern of {exclude} matches the page",
    )
    NOT_WRITTEN = "not-written", "the build did not write the page"
    INVALID_URL = "invalid-url", "the page has no valid URL"
    UNTRANSLATED = (
        "untranslated",
        "the page is an untranslated copy of a page in another language",
    )
    REDIRECT = "redirect", "the page redirects to another URL"
    NOINDEX = "noindex", "the page declares noindex"
    CANONICAL = "canonical", "the canonical link of the page leads to another URL"
    COVERAGE_REPORT = "coverage-report", "the page is part of a report of coverage.py"
    DUPLICATE_CONTENT = "duplicate-content", "the index page has the same content"
    DUPLICATE_URL = "duplicate-url", "another page has the same URL"
    HOOK = "hook", "the hook for entries excludes the page"
    TEMPLATE = "template", "the custom template leaves the page out"


# Every entry needs a valid URL, the protocol allows each URL once, and hooks and
# templates decide last.
_NEVER_IGNORED = {
    ExclusionReason.INVALID_URL,
    ExclusionReason.DUPLICATE_URL,
    ExclusionReason.HOOK,
    ExclusionReason.TEMPLATE,
}

FIRM_REASONS = _NEVER_IGNORED | {
    ExclusionReason.FRONT_MATTER,
    ExclusionReason.NOT_WRITTEN,
}
"""The reasons that exclude even pages that are requested."""

IGNORABLE_REASONS = tuple(
    reason for reason in ExclusionReason if reason not in _NEVER_IGNORED
)
"""The reasons that the option `ignore_reasons` can name."""


class CommitDate(StrEnum):
    """Which date of a commit is the date of a change."""

    MERGED = "merged"
    COMMITTED = "committed"
    AUTHORED = "authored"


class DateStatus(Described):
    """Where the date of a page comes from, or why it is unknown."""

    COMMIT = "commit", "the newest change to a source file has this date"
    FRONT_MATTER = "front-matter", "the page sets the date itself"
    HOOK = "hook", "the hook for entries set or removed the date"
    DISABLED = "disabled", "{lastmod} is off"
    NO_SOURCE = "no-source", "the page has no source file"
    UNKNOWN_SOURCES = "unknown-sources", "not all source files of the page are known"
    UNTRACKED = "untracked", "a source file is not committed"
    IGNORED = "git-ignored", "git ignores a source file"
    SHALLOW = "shallow", "the shallow clone does not contain the commit"
    NO_REPOSITORY = "no-repository", "the source file is not in a git repository"
    INVALID_DATE = "invalid-date", "the commit has an invalid date"
    FUTURE_DATE = (
        "future-date",
        "the commit is dated after the built commit: a clock was wrong",
    )
    GIT_FAILED = (
        "git-failed",
        "git is missing, failed, or cannot use the repository",
    )


NOT_IN_GIT = (DateStatus.UNTRACKED, DateStatus.IGNORED, DateStatus.NO_REPOSITORY)
"""Why a file has no commit."""


class SitemapError(Exception):
    """The sitemap cannot be built. The message is one line with the reason."""


class OptionError(SitemapError):
    """Some options are invalid. The error lists all of them.

    Attributes:
        errors: For each invalid option, its name in `Options`, and the reason why its
            value is invalid.
    """

    def __init__(self, errors: Sequence[tuple[str, str]]) -> None:
        self.errors = tuple(errors)
        texts = [f"{name}: {message.removesuffix('.')}" for name, message in errors]
        super().__init__("; ".join(texts))


class UrlError(SitemapError, ValueError):
    """A text is not valid as a base URL or as the URL of a page."""


class ShallowError(SitemapError):
    """The shallow clone does not contain the commit of a page, and `shallow` is
    `error`.
    """


class TemplateError(SitemapError):
    """A template is missing, invalid, or does not render a sitemap."""
