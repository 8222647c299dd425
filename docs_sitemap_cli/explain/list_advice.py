"""How to list a page."""

import json
from glob import escape

from docs_sitemap.config.options import OptionNames
from docs_sitemap.diagnostics import ExclusionReason
from docs_sitemap.result import SavedPage

_IN_PAGE = "set `sitemap` to true in the front matter or metadata of the page"

# For these reasons, there is one fix for every page.
_FIXES = {
    ExclusionReason.FRONT_MATTER: _IN_PAGE,
    ExclusionReason.NO_TITLE: "give it a `<title>`",
    ExclusionReason.NOT_WRITTEN: "change the build so that it writes the page",
    ExclusionReason.INVALID_URL: "rename the page",
    ExclusionReason.REDIRECT: "list the target instead: search engines drop redirects",
    ExclusionReason.COVERAGE_REPORT: "leave it out: readers do not search coverage "
    "reports",
    ExclusionReason.DUPLICATE_URL: "give one of the two pages another URL",
    ExclusionReason.HOOK: "change the hook for entries",
    ExclusionReason.TEMPLATE: "change the custom template",
}


def how_to_list(page: SavedPage, names: OptionNames, *, is_built: bool) -> str:
    """Return how to list a page, or why not to list it.

    Args:
        page: The page.
        names: The names of options in messages.
        is_built: Whether it is part of the build.
    """
    if page.reason in _FIXES:
        return _FIXES[page.reason]
    pattern = json.dumps(escape(page.name), ensure_ascii=False)
    include = f"add {pattern} to {names['include']}"
    if not is_built:
        return (
            f"{include}; if an earlier build wrote it, clean the output folder instead"
        )
    if page.document is not None:
        include = f"{_IN_PAGE}, {include}"
    ignore = f"add {page.reason} to {names['ignore_reasons']}"
    return f"{include}, or ignore the reason for all pages: {ignore}"
