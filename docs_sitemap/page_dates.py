"""The dates that pages show: found before the pages are written, and the same as in the
sitemap.
"""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from .build import make_url
from .built.page_date import PageDate
from .diagnostics import Diagnostics
from .entry import Entry
from .errors import UrlError
from .site import Site
from .sitemap.protocol import Url
from .sitemap.urls import make_loc
from .steps.dates import date_entries
from .steps.match import match_pages
from .steps.sources import find_sources
from .steps.url_hook import edit_entries
from .tools.files import replace_files

FormatDate = Callable[[datetime], str]
"""Returns a date in the language of a page."""


def find_page_dates(site: Site, diagnostics: Diagnostics) -> dict[str, str]:
    """Return the W3C datetime of each page that has a date, by its URL, before pages
    are written. To read the history once, pass the same `history` to `build_sitemap`.

    Args:
        site: The site.
        diagnostics: Receives what git reports, which `build_sitemap` does not repeat.
    """
    again = Diagnostics()  # what `build_sitemap` repeats
    entries = []
    for entry in match_pages(site, again):
        with suppress(UrlError):
            entry.url = Url(make_loc(site.base_url, entry.page.url))
            entries.append(entry)
    find_sources(entries, site, again)
    date_entries(entries, site, diagnostics)
    for entry in entries:
        entry.url = make_url(entry, site.options)
    edit_entries(entries, site, again)
    dates = {}
    for entry in entries:
        if entry.url.lastmod is not None:
            dates[entry.page.url] = entry.url.lastmod
    return dates


def make_page_date(lastmod: str, format_date: FormatDate) -> PageDate | None:
    """Return the date that a page shows; `None` if it is not a complete date.

    Args:
        lastmod: The W3C datetime.
        format_date: Returns the date in the language of the page.
    """
    try:
        date = datetime.fromisoformat(lastmod)
    except ValueError:
        return None
    if date.tzinfo is None:  # It is only a day.
        date = date.replace(tzinfo=UTC)
    return PageDate(format_date(date), lastmod[:10], lastmod)


def correct_dates(
    entries: Iterable[Entry], shown: Mapping[str, tuple[str, FormatDate]]
) -> None:
    """Write the dates of the sitemap into pages that show others.

    Args:
        entries: The entries of all pages, from the report of the build.
        shown: For each HTML file that shows a date, the W3C datetime to use if the
            sitemap has none for it, and how to format it.

    Raises:
        OSError: A page cannot be read or written.
    """
    for entry in entries:
        output = entry.page.output
        if output is None or output not in shown:
            continue
        provisional, format_date = shown[output]
        page_date = make_page_date(entry.url.lastmod or provisional, format_date)
        if page_date is not None:
            old = Path(output).read_bytes()
            new = page_date.write_into(old)
            if new != old:
                replace_files({Path(output): new})
