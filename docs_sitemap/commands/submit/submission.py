"""One run of `docs-sitemap submit`: find what changed, check that it is live, and send
it.
"""

import os
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from docs_sitemap.commands.console import print_line
from docs_sitemap.commands.read_sitemaps import read_entries
from docs_sitemap.online.live_sitemaps import read_live_dates
from docs_sitemap.tools.printing import count

from .changes import (
    ChangedPages,
    Dates,
    find_changes_from,
    find_changes_since,
    refuse_build_dates,
)
from .indexnow import CONTENT_TYPE, MAX_URLS, IndexNowKey, explain_answer, read_key
from .verify import (
    check_key,
    find_faults,
    find_page_fault,
    find_removal_fault,
    wait_for_sitemap,
)

if TYPE_CHECKING:
    from docs_sitemap.online.client import HttpClient

# The text shows this many pages of each kind.
_MAX_SHOWN = 20


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
    wait: float
    key_file: str | None
    key_location: str | None
    endpoint: str
    send: bool
    allow_same_dates: bool

    def run(self) -> int:
        """Submit what changed, and return the exit code.

        Raises:
            FetchError: A server does not answer.
            click.ClickException: Something else keeps the command from its work.
        """
        key = self._read_key()
        dates = self._read_dates(self._built_sitemap() or self.sitemap)
        pages = self._find_changes(dates)
        total = count(len(dates), "page")
        title = f"{len(pages.dates):,} of {total} changed since {pages.since}"
        _print_urls(title, pages.dates)
        _print_list("removed", dict.fromkeys(pages.removed))
        if not pages.dates and not pages.removed:
            return 0
        if not self.allow_same_dates:
            refuse_build_dates(dates, pages.dates)
        if self.site is not None:
            wait_for_sitemap(self.client, self.sitemap, dates, self.wait)
        if key is not None:
            check_key(self.client, key)
        faults = self._find_faults(pages, key)
        left_out = {url: fault for url, fault in faults.items() if fault}
        _print_list("left out", left_out)
        self._send([url for url in faults if url not in left_out], key)
        return 1 if left_out else 0

    def _read_key(self) -> IndexNowKey | None:
        if self.key_file is None:
            return None
        name = os.path.basename(self.key_file)
        location = self.key_location or urljoin(self.sitemap, name)
        return IndexNowKey(read_key(self.key_file), location)

    def _built_sitemap(self) -> str | None:
        """Return the file that is deployed as the sitemap, or else the folder of the
        built site.
        """
        if self.site is None:
            return None
        file = os.path.join(self.site, self.sitemap.rpartition("/")[2])
        return file if os.path.isfile(file) else self.site

    def _read_dates(self, path: str) -> Dates:
        """Return the dates of all pages in the sitemaps at a URL, in a folder or file,
        or on a branch.
        """
        if "://" in path:
            return read_live_dates(self.client, path)
        with ExitStack() as stack:
            _, _, entries = read_entries(path, stack)
            return {loc: entry.lastmod for loc, entry in entries.items()}

    def _find_changes(self, dates: Dates) -> ChangedPages:
        if self.previous is None:
            return find_changes_since(self.since or "", dates)
        previous = self._read_dates(self.previous)
        return find_changes_from(self.previous, previous, dates)

    def _find_faults(
        self, pages: ChangedPages, key: IndexNowKey | None
    ) -> dict[str, str | None]:
        """Return why pages are left out; `None` for those to send."""
        scope = key or IndexNowKey("", self.sitemap)
        faults: dict[str, str | None] = {}
        for url in [*pages.dates, *pages.removed]:
            faults[url] = scope.find_url_fault(url)
        for urls, find_fault in (
            (pages.dates, find_page_fault),
            (pages.removed, find_removal_fault),
        ):
            valid = [url for url in urls if faults[url] is None]
            faults |= find_faults(self.client, valid, find_fault)
        return faults

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
                part = urls[start : start + MAX_URLS]
                body = key.request_body(part)
                answer = self.client.post(self.endpoint, body, CONTENT_TYPE)
                meaning = explain_answer(answer)
                print_line(
                    f"Sent {count(len(part), 'URL')} to {self.endpoint}: {meaning}"
                )


def _print_list(what: str, urls: Dates) -> None:
    """Print what happened to some pages, if there are any."""
    if urls:
        _print_urls(f"{count(len(urls), 'page')} {what}:", urls)


def _print_urls(title: str, urls: Dates) -> None:
    """Print the first URLs, each with its date or the reason why it is left out."""
    print_line(title)
    for url, text in [*urls.items()][:_MAX_SHOWN]:
        print_line(f"  {url}  {text or ''}".rstrip())
    if len(urls) > _MAX_SHOWN:
        print_line(f"  … and {len(urls) - _MAX_SHOWN:,} more")
