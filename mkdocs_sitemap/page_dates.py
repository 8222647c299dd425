"""Show the dates of pages, in the fields that themes read."""

from collections.abc import Sequence
from datetime import datetime
from functools import partial

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File
from mkdocs.structure.pages import Page

from docs_sitemap.built.page_date import make_page_date, make_paragraph
from docs_sitemap.entry import Entry

from .languages import theme_language
from .pages import REVISION_DATE

# The fields of mkdocs-git-revision-date-localized-plugin, which many themes read.
_FIELDS = "git_revision_date_localized"

# These themes show no date of a page.
_THEMES_WITHOUT_DATE = ("mkdocs", "readthedocs")


def show_dates(
    files: Sequence[File], entries: Sequence[Entry], config: MkDocsConfig
) -> None:
    """Set the fields of pages that have a date. A date that the author has set stays.

    Args:
        files: The files of the pages.
        entries: The entries of the same pages.
        config: The configuration of MkDocs.
    """
    format_date = partial(_format, theme_language(config))
    for file, entry in zip(files, entries, strict=True):
        page = file.page
        if page is None or REVISION_DATE in page.meta:
            continue
        page_date = make_page_date(entry.shown_lastmod, format_date)
        if page_date is not None:
            page.meta[REVISION_DATE] = page.meta[_FIELDS] = page_date.element
            page.meta[f"{_FIELDS}_raw_iso_date"] = page_date.day
            page.meta[f"{_FIELDS}_raw_iso_datetime"] = page_date.timestamp


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
        page.content = f"{page.content}{make_paragraph(page.meta[REVISION_DATE])}"
