"""Why a page is not in the sitemap."""

from .described import Described


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
        "the page has no title, and is not a complete document with text",
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
    CANONICAL = "canonical", "the canonical link of the page names another URL"
    COVERAGE_REPORT = "coverage-report", "the page is part of a report of coverage.py"
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
