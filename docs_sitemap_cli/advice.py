"""What people can do about a page that is not listed, or has no date."""

import json
import os
from functools import cache
from glob import escape

from docs_sitemap.config.options import OptionNames
from docs_sitemap.diagnostics import NOT_IN_GIT, DateStatus, ExclusionReason
from docs_sitemap.result import SavedPage, describe_code
from docs_sitemap.steps.git_diagnostics import find_submodule, full_history_advice

from .dating_commits import find_git_fault

_find_git_fault = cache(find_git_fault)  # All pages have the same one.

LIST_IN_PAGE = "set `sitemap` to true in the front matter or metadata of the page"

# For these reasons, there is one fix for every page.
_FIXES_TO_LIST = {
    ExclusionReason.FRONT_MATTER: LIST_IN_PAGE,
    ExclusionReason.NO_TITLE: "give it a `<title>`",
    ExclusionReason.NOT_WRITTEN: "change the build so that it writes the page",
    ExclusionReason.INVALID_URL: "rename the page",
    ExclusionReason.REDIRECT: "list the target instead: search engines drop redirects",
    ExclusionReason.COVERAGE_REPORT: "leave it out: readers do not search coverage "
    "reports",
    ExclusionReason.DUPLICATE_CONTENT: "leave it out: search engines show only one "
    "of the two",
    ExclusionReason.DUPLICATE_URL: "give one of the two pages another URL",
    ExclusionReason.HOOK: "change the hook for entries",
    ExclusionReason.TEMPLATE: "change the custom template",
}


def fixes_to_date(names: OptionNames, submodule: str = "") -> dict[DateStatus, str]:
    """Return how to date a page, by why it has no date.

    Args:
        names: The names of options in messages.
        submodule: The submodule with the source of the page, if it is in one.
    """
    in_page = (
        "set `lastmod` below `sitemap` in the front matter (`:sitemap-lastmod:` in "
        "Sphinx)"
    )
    dependencies = (
        f"add the files it is generated from to {names[names.sources_option]}"
    )
    return {
        DateStatus.DISABLED: f"turn {names['lastmod']} on",
        DateStatus.NO_SOURCE: dependencies,
        DateStatus.UNKNOWN_SOURCES: f"{dependencies}, or {in_page}",
        DateStatus.UNTRACKED: f"commit the file; if it is generated, {dependencies}",
        DateStatus.IGNORED: f"{dependencies}; if you wrote it, commit it with git add "
        "--force",
        DateStatus.SHALLOW: f"{full_history_advice(submodule)}, or set "
        f"{names['shallow']} to `fetch`",
        DateStatus.NO_REPOSITORY: f"build from a clone, or set {names['repository']} "
        "to it",
        DateStatus.INVALID_DATE: in_page,
        DateStatus.FUTURE_DATE: in_page,
        DateStatus.GIT_FAILED: "build the site again and follow the message about git",
    }


def how_to_date(page: SavedPage, names: OptionNames, project: str) -> str | None:
    """Return how to date a page; `None` if the date is exact.

    Args:
        page: The page.
        names: The names of options in messages.
        project: The folder of the project.
    """
    submodule = ""
    if page.date_status is DateStatus.SHALLOW:
        source = os.path.realpath(os.path.join(project, page.source or ""))
        submodule = find_submodule(os.path.dirname(source), project)
    fixes = fixes_to_date(names, submodule)
    _, _, own_fix = page.detail.partition("Fix: ")
    if page.date_status is DateStatus.UNKNOWN_SOURCES and own_fix:
        return own_fix
    if page.date_status in NOT_IN_GIT and page.document is not None:
        if not os.path.lexists(os.path.join(project, page.document)):
            return (
                "if you removed the file, build again; if a plugin wrote it for the "
                f"build, {fixes[DateStatus.UNKNOWN_SOURCES]}"
            )
    if page.date_status is DateStatus.GIT_FAILED:
        return _find_git_fault(project) or fixes[DateStatus.GIT_FAILED]
    if page.date_status in fixes:
        return fixes[page.date_status]
    if page.ran_code:
        return describe_code(page.ran_code, names)
    return None


def how_to_list(page: SavedPage, names: OptionNames, *, is_built: bool) -> str:
    """Return how to list a page, or why not to list it.

    Args:
        page: The page.
        names: The names of options in messages.
        is_built: Whether it is part of the build.
    """
    pattern = json.dumps(escape(page.name), ensure_ascii=False)
    include = f"add {pattern} to {names['include']}"
    if page.document is not None and is_built:
        include = f"{LIST_IN_PAGE}, {include}"
    if page.reason is not None and (is_built or page.reason in _FIXES_TO_LIST):
        return fix_to_list(page.reason, names, include)
    if page.document is None:
        include += "; if an earlier build wrote it, clean the output folder instead"
    return include


def fix_to_list(reason: ExclusionReason, names: OptionNames, include: str) -> str:
    """Return how to list what is left out for a reason, or why not to list it.

    Args:
        reason: The reason.
        names: The names of options in messages.
        include: How to include one page.
    """
    if reason in _FIXES_TO_LIST:
        return _FIXES_TO_LIST[reason]
    ignore = f"add {reason} to {names['ignore_reasons']}"
    return f"{include}, or ignore the reason for all pages: {ignore}"
