"""One run of `docs-sitemap submit`: find what changed, check that the sitemap, the key
file, and each page are live, and send it.
"""

import os
import time
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING
from urllib.parse import urljoin

import click

from docs_sitemap.built.verdict import judge
from docs_sitemap.diagnostics import ExclusionReason
from docs_sitemap.sitemap.urls import NormalizedUrl
from docs_sitemap.tools.printing import count, shorten
from docs_sitemap_cli.console import print_line, shell_word, with_progress
from docs_sitemap_cli.published.http_answers import (
    MAX_FAILURES,
    Answer,
    FetchError,
    UnknownHostError,
    describe_status,
)
from docs_sitemap_cli.published.read_sitemaps import read_entries, read_live_dates
from docs_sitemap_cli.published.redirects import MAX_HOPS

from . import RefusedError, TemporaryError
from .changes import (
    Dates,
    by_url,
    find_changes_from,
    find_changes_since,
    find_removed,
    read_start,
    refuse_build_dates,
    refuse_other_origin,
)
from .indexnow import MAX_KEY_FILE, MAX_URLS, IndexNowKey, explain_answer, read_key

if TYPE_CHECKING:
    from docs_sitemap_cli.published.client import HttpClient

# The text shows this many pages of each kind.
_MAX_SHOWN = 20

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
    ExclusionReason.COVERAGE_REPORT: "it is part of a report of coverage.py and loads",
}


@dataclass(frozen=True, slots=True)
class Submission:
    """One run of the command, with its options.

    Attributes:
        client: Makes all requests.
    """

    client: "HttpClient"
    sitemap: str
    since: str | None
    previous: str | None
    site: str | None
    key_file: str | None
    key_location: str | None
    endpoint: str
    send: bool
    after: str | None
    allow_same_dates: bool

    def run(self) -> int:
        """Submit what changed, and return the exit code.

        Raises:
            FetchError: A server does not answer.
            click.ClickException: Something else keeps the command from its work.
        """
        key = self._read_key()
        start = None if self.since is None else read_start(self.since)
        dates = self._read_dates(self._newest_sitemap())
        changed, removed = self._find_changes(dates, start)
        _print_list("removed", dict.fromkeys(removed))
        if not changed and not removed:
            return 0
        if not self.allow_same_dates:
            refuse_build_dates(len(dates), changed)
        if self.site is not None:
            wait_for_sitemap(self.client, self.sitemap, dates)
        if key is not None:
            check_key(self.client, key)
        scope = key or IndexNowKey("", self.sitemap)
        left_out = {}
        valid = []
        for url in with_progress(self._skip([*changed, *removed]), "Pages"):
            fault = scope.find_url_fault(url)
            if fault is None:
                is_removed = url not in changed
                fault = find_fault(self.client, url, is_removed=is_removed)
            if fault is None:
                valid.append(url)
            else:
                left_out[url] = fault
        _print_list("left out", left_out)
        self._send(valid, key)
        return 1 if left_out else 0

    def _read_key(self) -> IndexNowKey | None:
        if self.key_file is None:
            return None
        name = os.path.basename(self.key_file)
        location = self.key_location or urljoin(self.sitemap, name)
        return IndexNowKey(read_key(self.key_file), location)

    def _newest_sitemap(self) -> str:
        """Return the sitemap in the folder of the built site, or else the live one."""
        if self.site is None:
            return self.sitemap
        file = os.path.join(self.site, self.sitemap.rpartition("/")[2])
        return file if os.path.isfile(file) else self.site

    def _read_dates(self, path: str) -> Dates:
        """Return the dates of all pages in the sitemaps at a URL, or in a folder or
        file.
        """
        if "://" in path:
            return read_live_dates(self.client, path)
        _, _, entries = read_entries(path)
        return {loc: entry.lastmod for loc, entry in entries.items()}

    def _find_changes(
        self, dates: Dates, start: datetime | None
    ) -> tuple[Dates, list[str]]:
        """Return the pages that changed, with their dates, and those that are gone.

        Args:
            dates: The dates of all pages.
            start: The value of `--since`.
        """
        removed = []
        if start is None:
            since = self.previous or ""
            previous = self._read_dates(since)
            refuse_other_origin(previous, dates)
            changed = find_changes_from(previous, dates)
            removed = find_removed(previous, dates)
        else:
            changed = find_changes_since(start, dates)
            since = f"{start.isoformat()} ({self.since})"
        total = count(len(dates), "page")
        _print_urls(f"{len(changed):,} of {total} changed since {since}", changed)
        if self.previous is None:
            print_line(
                "Moved and removed pages are not included: no date shows them. "
                "Fix: use --previous"
            )
        return changed, removed

    def _skip(self, urls: list[str]) -> list[str]:
        """Return the URLs that an earlier run has not sent."""
        if self.after is None:
            return urls
        # Messages show other spellings.
        known = list(map(NormalizedUrl, urls))
        after = NormalizedUrl(self.after)
        if after not in known:
            raise click.UsageError(
                f"--after: {self.after} is not one of the pages to send. Fix: copy it "
                "from the message and use the same --since or --previous"
            )
        return urls[known.index(after) + 1 :]

    def _send(self, urls: list[str], key: IndexNowKey | None) -> None:
        """Send URLs, or say what is missing."""
        if not urls:
            print_line("There is nothing to send.")
        elif key is None:
            print_line("Nothing was sent. Add --key-file and --send to tell IndexNow.")
        elif not self.send:
            print_line("Nothing was sent. Add --send to tell IndexNow.")
        else:
            for start in range(0, len(urls), MAX_URLS):
                try:
                    self._send_part(urls[start : start + MAX_URLS], key)
                except (FetchError, click.ClickException, KeyboardInterrupt):
                    if start:
                        print_line(
                            f"Note: {start:,} of {len(urls):,} URLs were sent. Fix: "
                            "run the same command again with --after "
                            f"{shell_word(urls[start - 1])}",
                            stderr=True,
                        )
                    raise

    def _send_part(self, urls: list[str], key: IndexNowKey) -> None:
        """Send as many URLs as one request may contain."""
        answer = self.client.post_json(self.endpoint, key.request_body(urls))
        meaning = explain_answer(answer)
        print_line(f"Sent {count(len(urls), 'URL')} to {self.endpoint}: {meaning}")


def _print_list(what: str, urls: Dates) -> None:
    """Print what happened to some pages, if there are any."""
    if urls:
        _print_urls(f"{count(len(urls), 'page')} {what}:", urls)


def _print_urls(title: str, urls: Dates) -> None:
    """Print the first URLs, each with its date or the reason why it is left out."""
    print_line(title)
    for url, text in list(urls.items())[:_MAX_SHOWN]:
        print_line(f"  {url}  {text or ''}".rstrip())
    if len(urls) > _MAX_SHOWN:
        print_line(f"  … and {len(urls) - _MAX_SHOWN:,} more")


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
        if is_removed:
            return _find_removal_fault(client, answer)
    except FetchError as error:
        if client.failures >= MAX_FAILURES:
            raise
        return error.reason
    verdict = judge(answer.head, url)
    fault = describe_status(answer)
    if fault is None and verdict is not None:
        fault = f"{_FAULTS[verdict.reason]} {shorten(verdict.detail)}"
    return fault


def _find_removal_fault(client: "HttpClient", answer: Answer) -> str | None:
    """Return why readers of a page that was removed get no other page; `None` if
    redirects lead them to one, or the server says that it is gone.

    Raises:
        FetchError: The server does not answer.
    """
    if answer.status in _GONE:
        return None
    if _find_target(answer) is None:
        return f"it was removed, but the server answers HTTP {answer.status}"
    site = f"{NormalizedUrl(answer.url).origin}/"
    for _ in range(MAX_HOPS):
        target = _find_target(answer)
        if target is not None:
            if not target.startswith(site):
                return None
            answer = client.get(target)
    if _find_target(answer) is not None:
        return "it was removed, but its redirects never end"
    fault = describe_status(answer)
    if fault is None:
        return None
    return f"it was removed and redirects to {shorten(answer.url)}: {fault}"


def _find_target(answer: Answer) -> NormalizedUrl | None:
    target = answer.redirect or answer.head.redirect_target(answer.url)
    return None if target is None else NormalizedUrl(target)
