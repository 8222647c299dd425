"""How to list a page, and how to date it."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from glob import escape

from docs_sitemap.date_status import DateStatus
from docs_sitemap.entry import ExclusionReason
from docs_sitemap.git.shallow import full_history_advice
from docs_sitemap.options import OPTIONS
from docs_sitemap.report import SavedPage
from docs_sitemap.site_folder import is_error_page
from docs_sitemap.text import shell_word

# For these reasons, there is one fix for every page.
_FIXES = {
    ExclusionReason.INVALID_URL: "rename the page",
    ExclusionReason.DUPLICATE_URL: "give one of the two pages another URL",
    ExclusionReason.HOOK: "change the hook for entries",
    ExclusionReason.TEMPLATE: "change the custom template",
}


class Advice:
    """Advice for the pages of one site, with the option names of its generator.

    Args:
        user_path: Returns the path of a source file relative to the current folder.
        in_sphinx: Whether Sphinx built the site.
    """

    def __init__(self, user_path: Callable[[str], str], *, in_sphinx: bool) -> None:
        self._user_path = user_path
        self._in_sphinx = in_sphinx

    def to_list(
        self, build: SavedPage | None, page: SavedPage, declared: Sequence[ExclusionReason]
    ) -> str:
        """Return how to list a page, or why not to list it.

        Args:
            build: The page in the report of the build; `None` if it is not part of the build.
            page: The page.
            declared: The exclusion reasons that the `<head>` of the page declares now.
        """
        reason = None if build is None else build.reason
        if ExclusionReason.REDIRECT in (reason, *declared):
            return "do not list it: search engines drop redirects from sitemaps; list the target"
        if is_error_page(page.output or page.url):
            return "do not list it: error pages do not belong in search results"
        if ExclusionReason.COVERAGE_REPORT in (reason, *declared):
            return "do not list it: coverage reports do not belong in search results"
        if reason in _FIXES:
            return _FIXES[reason]
        pattern = json.dumps([escape(page.name)], ensure_ascii=False)
        include = f"add it to the option `include`: include: {pattern}"
        ignore = f"ignore the reason for all pages: ignore_reasons: [{reason}]"
        if self._in_sphinx:
            include = f"add it to sitemap_include in conf.py: sitemap_include = {pattern}"
            ignore = f'ignore the reason for all pages: sitemap_ignore_reasons = ["{reason}"]'
        if build is None:
            return f"{include}; if an earlier build wrote it, clean the output folder instead"
        if reason is ExclusionReason.NOT_WRITTEN:
            return f"change the build so that it writes the page, or {ignore}"
        # Fields in reStructuredText start with a colon, the front matter of Markdown does not.
        is_field = self._in_sphinx and not page.name.endswith(".md")
        setting = ":sitemap:" if is_field else "sitemap:"
        if reason is ExclusionReason.FRONT_MATTER:
            place = "the front matter or metadata of the page"
            return f"remove `{setting} false` from {place}, or {ignore}"
        if page.document is None:
            return f"{include}, or {ignore}"
        return f"set `{setting} true` in the page, {include}, or {ignore}"

    def to_date(self, page: SavedPage) -> str | None:
        """Return how to date a page, even if a fallback has dated it; `None` if it has a date."""
        if page.date_status is None:
            return None
        in_page = "set `lastmod` below `sitemap` in the front matter of the page"
        if page.document is not None and page.document.endswith(".rst"):
            in_page = "add the field `:sitemap-lastmod:` with a date to the top of the page"
        file = "FILE" if page.source is None else shell_word(self._user_path(page.source))
        option = self._option
        if_generated = (
            "if the file is generated, name the files that it is generated from in the option "
            f"{option('dependencies')}"
        )
        fixes = {
            DateStatus.DISABLED: f"set the option {option('lastmod')} to true",
            DateStatus.NO_SOURCE: "name the files from which the page is generated in the option "
            f"{option('dependencies')}",
            DateStatus.UNKNOWN_SOURCES: f"build the site without --dirty, or {in_page}",
            DateStatus.UNTRACKED: f"commit the file: git add {file} && git commit; or "
            f"{if_generated}",
            DateStatus.IGNORED: f"{if_generated}; if it is not generated, commit it: git add "
            f"--force {file} && git commit",
            DateStatus.SHALLOW: f"{full_history_advice()}, or set the option "
            f"{option('shallow')} to `fetch`",
            DateStatus.NO_REPOSITORY: "build from a clone of the git repository, or name the "
            f"repository in the option {option('repository')}",
            DateStatus.INVALID_DATE: in_page,
            DateStatus.GIT_FAILED: "build the site again, and follow the warning about git",
        }
        return fixes.get(page.date_status)

    def _option(self, name: str) -> str:
        """Return the name of an option in the generator that built the site."""
        (option,) = (option for option in OPTIONS if option.name == name)
        return f"`{option.sphinx if self._in_sphinx else option.mkdocs}`"
