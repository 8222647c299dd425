"""The date that a page shows, compared with the date in the sitemap."""

import re
from contextlib import suppress
from datetime import date, timedelta

from docs_sitemap.built.page_date import DATE_CLASS
from docs_sitemap.sitemap.validation import CheckedEntry
from docs_sitemap.tools.files import read_start
from docs_sitemap.tools.front_matter import split_document
from docs_sitemap.tools.printing import shorten
from docs_sitemap_cli.published.page import BuiltPage

from .site_rules import SiteRule

# How pages declare their date: by Open Graph, in structured data, and in the elements
# of this project, Docusaurus, VitePress, and Starlight. Tags without an end are not
# searched again and again.
_DECLARED = (
    re.compile(rb"<meta\s(?>[^<>]*?\barticle:modified_time\b)[^<>]*+>"),
    re.compile(rb'"dateModified"\s*:\s*"[^"<>]*"'),
    # Minifiers remove quotes.
    re.compile(rb'<time class="?%b\b[^<>]*>[^<>]*</time>' % DATE_CLASS.encode()),
    re.compile(rb'<time\s(?>[^<>]*?itemprop="dateModified")[^<>]*+>'),
    re.compile(rb"<\w++\s(?>[^<>]*?\bVPLastUpdated\b)[^<>]*+>[^<>]*+<time\s[^<>]*+>"),
    re.compile(
        rb'<footer\b[^<>]*>\s*<div class="meta\b[^<>]*>.{,2000}?<time\s[^<>]*>', re.S
    ),
)
_DATE = re.compile(rb"\d{4}-\d\d-\d\d")

# In different time zones, one time can be on two days.
_ONE_DAY = timedelta(days=1)

# In bytes: front matter is shorter.
_MAX_START = 2**16

# When a page was published, in all generators.
_PUBLICATION = re.compile(r"^:?date\b.*", re.M)


def check_shown_date(
    entry: CheckedEntry, page: BuiltPage, name: str, document: str | None = None
) -> None:
    """Check that a page shows the same day as the sitemap, or one that its author set,
    in any time zone.

    Args:
        entry: The entry of the page.
        page: The page.
        name: Its name in messages.
        document: The path of its document; `None` if it is unknown.
    """
    if entry.lastmod is None:
        return
    listed = entry.lastmod.date()
    for shown in _declared_days(page.data):
        if abs(shown - listed) > _ONE_DAY and not _is_set_by_author(shown, document):
            message = f"{shorten(name)} shows {shown}, and the sitemap has {listed}"
            entry.diagnose(SiteRule.LASTMOD_NOT_SHOWN, message, "lastmod")
            return


def _is_set_by_author(day: date, document: str | None) -> bool:
    """Return whether the front matter of a document, or the fields at its start,
    contain a day.
    """
    text = ""
    if document is not None:
        with suppress(OSError):
            text = read_start(document, _MAX_START).decode("utf-8", "replace")
    front_matter = split_document(text).front_matter
    if text.startswith(":"):
        front_matter = text.partition("\n\n")[0]
    dates = _PUBLICATION.sub("", front_matter)
    return any(str(near) in dates for near in (day - _ONE_DAY, day, day + _ONE_DAY))


def _declared_days(page: bytes) -> list[date]:
    """Return the days on which a page says that it was changed last, one for each way
    to declare it. Lists of other pages declare several in the same way.
    """
    days = []
    for pattern in _DECLARED:
        declared = set(pattern.findall(page))
        if len(declared) != 1:
            continue
        dates = _DATE.findall(declared.pop())
        if dates:
            with suppress(ValueError):
                days.append(date.fromisoformat(dates[-1].decode()))
    return days
