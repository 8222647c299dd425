"""URLs that are probably percent-encoded twice."""

import re

from docs_sitemap.sitemap.format_rules import FormatRule
from docs_sitemap.sitemap.validation import CheckedEntry
from docs_sitemap.tools.printing import shorten
from docs_sitemap_cli.published.sitemaps import read_alternates

_ENCODED_TWICE = re.compile(r"%25[0-9A-Fa-f]{2}")


def check_double_encoding(entry: CheckedEntry) -> None:
    """Check the URLs of an entry, unless it is known that they open a page: the name of
    a file may contain `%20` itself.
    """
    urls = [entry.loc]
    for alternate in read_alternates(entry.entry):
        urls.append(alternate.href)
    for url in urls:
        # In a query, a URL may be encoded as often as it is nested.
        match = _ENCODED_TWICE.search(url.partition("?")[0])
        if match is not None:
            message = f"{shorten(url)} contains {shorten(match[0])}"
            entry.diagnose(FormatRule.LOC_ENCODED_TWICE, message)
            return
