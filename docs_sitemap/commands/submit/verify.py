"""Whether the deployment is live: its sitemap, the key file, and each page."""

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from docs_sitemap.built.html import BuiltPage
from docs_sitemap.commands.console import print_line
from docs_sitemap.commands.network import MAX_FAILURES, with_progress
from docs_sitemap.online.answers import FetchError, describe_status
from docs_sitemap.online.live_sitemaps import read_live_dates
from docs_sitemap.tools.printing import count, shorten

from .changes import Dates
from .indexnow import MAX_KEY_FILE, IndexNowKey
from .stop import RefusedError, TemporaryError

if TYPE_CHECKING:
    from docs_sitemap.online.client import HttpClient

# Seconds between two looks at the sitemap.
_INTERVAL = 5.0

# How a server may answer for a page that was removed.
_GONE = (301, 302, 307, 308, 404, 410)


def wait_for_sitemap(
    client: "HttpClient", url: str, built: Dates, timeout: float
) -> None:
    """Wait until the live sitemap is the one that was built.

    Args:
        client: Requests the sitemap.
        url: Its URL.
        built: The dates in the built one.
        timeout: The seconds to wait.

    Raises:
        TemporaryError: It is another one.
    """
    end = time.monotonic() + timeout
    shown = ""
    while True:
        try:
            difference = _compare(built, read_live_dates(client, url))
        except FetchError as error:
            difference = error.reason
        if not difference:
            return
        if difference != shown:
            shown = difference
            text = f"Waiting for the deployment: {url}: {difference}"
            print_line(text, stderr=True)
        if time.monotonic() + _INTERVAL > end:
            raise TemporaryError(
                f"the deployment is not live after {timeout:g} seconds. Fix: deploy "
                "the site, or set a longer --wait"
            )
        time.sleep(_INTERVAL)


def _compare(built: Dates, live: Dates) -> str:
    """Return how many URLs and dates of two sitemaps differ; empty if none do."""
    urls = len(built.keys() ^ live.keys())
    dates = 0
    for loc in built.keys() & live.keys():
        if built[loc] != live[loc]:
            dates += 1
    if not urls and not dates:
        return ""
    return f"{count(urls, 'URL')} and {count(dates, 'date')} differ"


def check_key(client: "HttpClient", key: IndexNowKey) -> None:
    """Check the live key file.

    Raises:
        FetchError: There is no answer.
        RefusedError: The key is not in the file.
    """
    answer = client.get(key.location, limit=MAX_KEY_FILE)
    fault = describe_status(answer)
    if fault is None:
        text = answer.body.decode("utf-8-sig", "replace").strip()
        if text == key.key:
            return
        fault = "it does not contain the key"
    raise RefusedError(
        f"the key file {key.location}: {fault}. Fix: publish --key-file there, or set "
        "--key-location"
    )


def find_page_fault(client: "HttpClient", url: str) -> str | None:
    """Return why search engines would not index a page; `None` if they would.

    Raises:
        FetchError: There is no answer.
    """
    answer = client.get(url)
    fault = describe_status(answer)
    if fault is not None:
        return fault
    if answer.noindex is not None:
        return f"the header X-Robots-Tag contains {shorten(answer.noindex)}"
    if "html" not in answer.content_type:
        return None
    head = BuiltPage(answer.body).head
    target = head.redirect_target(url)
    if head.noindex is not None:
        return f"it declares {shorten(head.noindex)}"
    if target is not None:
        return f"it redirects to {shorten(target)}"
    return None


def find_removal_fault(client: "HttpClient", url: str) -> str | None:
    """Return why a removed page is not gone; `None` if it is.

    Raises:
        FetchError: There is no answer.
    """
    answer = client.get(url)
    if answer.status in _GONE:
        return None
    if "html" in answer.content_type:
        if BuiltPage(answer.body).head.redirect_target(url) is not None:
            return None
    return f"it was removed, but the server answers HTTP {answer.status}"


def find_faults(
    client: "HttpClient",
    urls: Sequence[str],
    find_fault: Callable[["HttpClient", str], str | None],
) -> dict[str, str | None]:
    """Return what is wrong with each page; `None` if nothing is.

    Raises:
        FetchError: The server does not answer again and again.
    """
    faults: dict[str, str | None] = {}
    for url in with_progress(urls, "Pages"):
        try:
            faults[url] = find_fault(client, url)
        except FetchError as error:
            if client.failures >= MAX_FAILURES:
                raise
            faults[url] = error.reason
    return faults
