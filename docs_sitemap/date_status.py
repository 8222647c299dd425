"""The words about dates: which date of a commit is used, and where the date of a page
comes from.
"""

from enum import StrEnum

from .described import Described


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
        "git is missing, failed, timed out, or does not trust the repository",
    )


NOT_IN_GIT = (DateStatus.UNTRACKED, DateStatus.IGNORED, DateStatus.NO_REPOSITORY)
"""Why a file has no commit."""
