"""Valid values from the sitemaps of versions, which other tools may have written."""

from datetime import datetime

from docs_sitemap.sitemap.protocol import parse_w3c_datetime
from docs_sitemap.sitemap.urls import NormalizedUrl, check_url
from docs_sitemap.sitemap.validation import is_future


def valid_url(text: str) -> str:
    """Return a URL as it is written, or its normalized form if that has faults."""
    return str(NormalizedUrl(text)) if check_url(text).faults else text


def past_date(lastmod: str | None, now: datetime) -> str | None:
    """Return a date as it is written if it is valid, and not in the future."""
    try:
        timestamp = parse_w3c_datetime(lastmod or "")
    except ValueError:
        return None
    return None if is_future(timestamp, now) else lastmod
