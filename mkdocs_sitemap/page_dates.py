"""Show the dates of pages, in the fields that themes read."""

from datetime import datetime
from functools import partial

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page

from docs_sitemap.built.page_date import DATE_CLASS
from docs_sitemap.diagnostics import Diagnostics
from docs_sitemap.page_dates import (
    FormatDate,
    correct_dates,
    find_page_dates,
    make_page_date,
)
from docs_sitemap.result import BuildResult
from docs_sitemap.site import Site

from .languages import theme_language
from .pages import REVISION_DATE, page_url

# The fields of mkdocs-git-revision-date-localized-plugin, which many themes read.
_FIELDS = "git_revision_date_localized"

# These themes show no date of a page.
_THEMES_WITHOUT_DATE = ("mkdocs", "readthedocs")


class ShownDates:
    """The dates that the pages of all builds of a site show."""

    def __init__(self) -> None:
        self._shown: dict[str, tuple[str, FormatDate]] = {}  # by HTML file

    def show(self, files: Files, site: Site, config: MkDocsConfig) -> Diagnostics:
        """Set the fields of all pages. A date that the author has set stays."""
        diagnostics = Diagnostics()
        dates = find_page_dates(site, diagnostics)
        format_date = partial(_format, theme_language(config))
        for file in files.documentation_pages():
            lastmod = dates.get(page_url(file))
            if lastmod is None:
                continue
            self._shown[file.abs_dest_path] = lastmod, format_date
            if file.page is not None and REVISION_DATE not in file.page.meta:
                _set_fields(file.page, lastmod, format_date)
        return diagnostics

    def correct(self, result: BuildResult) -> None:
        """Write the dates of the sitemap into pages that show others.

        Raises:
            OSError: A page cannot be read or written.
        """
        correct_dates(result.listed + result.excluded, self._shown)


def _set_fields(page: Page, lastmod: str, format_date: FormatDate) -> None:
    shown = make_page_date(lastmod, format_date)
    if shown is None:
        return
    page.meta[REVISION_DATE] = page.meta[_FIELDS] = shown.element
    page.meta[f"{_FIELDS}_raw_iso_date"] = shown.day
    page.meta[f"{_FIELDS}_raw_iso_datetime"] = shown.timestamp


def _format(language: str, date: datetime) -> str:
    """Return a date in a language, such as May 31, 2026. Without Babel, which Material
    for MkDocs installs, it is the same in all languages.
    """
    try:
        from babel import Locale, UnknownLocaleError
        from babel.dates import format_date

        locale = Locale.parse(language.replace("-", "_"))
        return format_date(date, format="long", locale=locale)
    except (ImportError, UnknownLocaleError, ValueError):
        return date.date().isoformat()


def add_to_content(page: Page, config: MkDocsConfig) -> None:
    """Show the date below the text of a page, if the theme itself does not show it."""
    if REVISION_DATE in page.meta and config.theme.name in _THEMES_WITHOUT_DATE:
        date = page.meta[REVISION_DATE]
        page.content = (
            f'{page.content}<p class="{DATE_CLASS}"><small>{date}</small></p>'
        )
