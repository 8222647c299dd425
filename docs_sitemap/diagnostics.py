"""Diagnostics: what a person should know about a build, a sitemap, or a site."""

from dataclasses import dataclass
from enum import StrEnum

from .described import Described
from .tools.printing import printable

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
        "The address of the site is invalid, or contradicts canonical links, the file "
        "`CNAME`, the git remote, or mike.",
    )
    CHECK = (
        "check",
        "A custom template rendered a sitemap that breaks a rule of the protocol.",
    )
    CONFLICT = "conflict", "The sitemap replaces a file of your own."
    DEPENDENCY = "dependency", "A path or pattern of `dependencies` matches no file."
    DUPLICATE = "duplicate", "Two pages have the same URL."
    EMPTY = "empty", "No page is listed."
    GIT = "git", "Git has no date for some pages, or for all."
    HOOK = "hook", "The hook for entries failed, or returned an invalid entry."
    OPTION = "option", "An option is misspelled, or has no effect."
    PAGE = "page", "A page has an invalid value in its metadata, or cannot be read."
    PATTERN = "pattern", "A pattern or selector of an option matches no page."
    ROBOTS = "robots", "The sitemap cannot be added to `robots.txt`."
    TEMPLATE = "template", "The template failed, or did not render a sitemap."
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
        file: The file, as the user named it or below the folder that the user named.
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


class Diagnostics(list[Diagnostic]):
    """What a build reports, in the order of its steps."""

    def warn(self, code: BuildCode, message: str, *, page: str | None = None) -> None:
        """Add a warning."""
        self.append(Diagnostic(code, message, page=page))

    def note(self, code: BuildCode, message: str, *, page: str | None = None) -> None:
        """Add a notice."""
        self.append(Diagnostic(code, message, Severity.NOTICE, page=page))
