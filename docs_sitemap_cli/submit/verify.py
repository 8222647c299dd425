"""Whether the deployment is live: its sitemap, the key file, and each page."""

import time
from typing import TYPE_CHECKING

from docs_sitemap.built.verdict import judge
from docs_sitemap.diagnostics import ExclusionReason
from docs_sitemap.tools.printing import shorten
from docs_sitemap_cli.console import print_line
from docs_sitemap_cli.network import MAX_FAILURES
from docs_sitemap_cli.published.answers import (
    FetchError,
    UnknownHostError,
    describe_status,
)
from docs_sitemap_cli.published.read_sitemaps import read_live_dates

from .changes import Dates, by_url
from .indexnow import MAX_KEY_FILE, IndexNowKey
from .stop import RefusedError, TemporaryError

if TYPE_CHECKING:
    from docs_sitemap_cli.published.client import HttpClient

# Seconds to wait for the sitemap, and between two looks at it.
_PATIENCE = 600.0
_INTERVAL = 5.0

# How a server may answer for a page that was removed, unless it redirects.
_GONE = (404, 410)

# What a page does that search engines do not show.
_FAULTS = {
    ExclusionReason.REDIRECT: "it redirects to",
    ExclusionReason.NOINDEX: "it declares",
    ExclusionReason.CANONICAL: "its canonical URL is",
    ExclusionReason.COVERAGE_REPORT: "it is part of a report of coverage.py, and loads",
}


def wait_for_sitemap(client: "HttpClient", url: str, built: Dates) -> None:
    """Wait until the live sitemap is the one that was built.

    Args:
        client: Requests the sitemap.
        url: Its URL.
        built: The dates in the built one.

    Raises:
        TemporaryError: It is another one.
        UnknownHostError: There is no such host.
    """
    print_line(f"Waiting for the deployment: {url}", stderr=True)
    end = time.monotonic() + _PATIENCE
    while True:
        difference = "its URLs or dates differ"
        try:
            if by_url(read_live_dates(client, url)) == by_url(built):
                return
        except UnknownHostError:
            raise
        except FetchError as error:
            difference = error.reason
        if time.monotonic() + _INTERVAL > end:
            raise TemporaryError(
                f"the deployment is not live after {_PATIENCE:g} seconds: {url}: "
                f"{difference}. Fix: deploy the site, or try again later"
            )
        time.sleep(_INTERVAL)


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


def find_fault(client: "HttpClient", url: str, *, is_removed: bool) -> str | None:
    """Return why a page is not as it should be; `None` if it is.

    Raises:
        FetchError: The server does not answer again and again.
    """
    try:
        answer = client.get(url)
    except FetchError as error:
        if client.failures >= MAX_FAILURES:
            raise
        return error.reason
    verdict = judge(answer.head, url)
    if is_removed:
        redirects = verdict is not None and verdict.reason is ExclusionReason.REDIRECT
        if redirects or answer.redirect is not None or answer.status in _GONE:
            return None
        return f"it was removed, but the server answers HTTP {answer.status}"
    fault = describe_status(answer)
    if fault is None and verdict is not None:
        fault = f"{_FAULTS[verdict.reason]} {shorten(verdict.detail)}"
    return fault
