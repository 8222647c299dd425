"""The date that a page shows, compared with the date in the sitemap."""

import re
from contextlib import suppress
from datetime import date, timedelta

from docs_sitemap.built.page_date import DATE_CLASS
from docs_sitemap.sitemap.validation import CheckedEntry
from docs_sitemap.tools.printing import shorten
from docs_sitemap_cli.site.page import BuiltPage

from .site_rules import SiteRule

# How pages declare their date: by Open Graph, in structured data, and in the elements
# of this project, Docusaurus, VitePress, and Starlight.
_DECLARED = (
    re.compile(rb"<meta\s[^<>]*\barticle:modified_time\b[^<>]*>"),
    re.compile(rb'"dateModified"\s*:\s*"[^"<>]*"'),
    # Minifiers remove quotes.
    re.compile(rb'<time class="?%b\b[^<>]*>[^<>]*</time>' % DATE_CLASS.encode()),
    re.compile(rb'<time\s[^<>]*itemprop="dateModified"[^<>]*>'),
    re.compile(rb"\bVPLastUpdated\b[^<>]*>[^<>]*<time\s[^<>]*>"),
    re.compile(
        rb'<footer\b[^<>]*>\s*<div class="meta\b[^<>]*>.{,2000}?<time\s[^<>]*>', re.S
    ),
)
_DATE = re.compile(rb"\d{4}-\d\d-\d\d")


def check_shown_date(entry: CheckedEntry, page: BuiltPage, name: str) -> None:
    """Check that a page shows the same day as the sitemap, in any time zone."""
    if entry.lastmod is None:
        return
    listed = entry.lastmod.date()
    for shown in _declared_days(page.data):
        if abs(shown - listed) > timedelta(days=1):
            message = f"{shorten(name)} shows {shown}, and the sitemap has {listed}"
            entry.diagnose(SiteRule.LASTMOD_NOT_SHOWN, message, "lastmod")
            return


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
