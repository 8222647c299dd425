"""What servers answer."""

from typing import NamedTuple

import msgspec

from docs_sitemap.built.html import CRAWLERS, has_noindex
from docs_sitemap.built.verdict import Head
from docs_sitemap.sitemap.urls import NormalizedUrl, resolve
from docs_sitemap.tools.printing import one_line, printable

from .page import BuiltPage, reduce_page

MAX_FAILURES = 5
"""A server that does not answer so many times in a row is not asked again."""

# https://www.rfc-editor.org/rfc/rfc9110#section-15.4
_REDIRECTS = (301, 302, 303, 307, 308)


class FetchError(Exception):
    """There is no usable answer. The message is one line without a full stop.

    Attributes:
        reason: The message without the URL.
        fix: What to do about it.
    """

    fix = "try again later"

    def __init__(self, url: str, reason: str) -> None:
        # Texts of a server, such as a URL in a sitemap, may contain line breaks.
        self.reason = printable(reason)
        super().__init__(f"{printable(url)}: {self.reason}")


class ContentError(FetchError):
    """An answer cannot be used, and probably not later, either."""


class UnknownHostError(FetchError):
    """There is no such host."""

    fix = "check the spelling of the URL and the network"


class Answer(NamedTuple):
    """The answer of a server.

    Attributes:
        url: The URL that was requested.
        status: The status code.
        headers: The values of each header, by its name in lower case.
        body: The content, uncompressed, or its start.
        retry_after: The seconds to wait before the next request, if the server names
            them.
    """

    url: str
    status: int
    headers: dict[str, list[str]]
    body: bytes
    retry_after: float | None = None

    def header(self, name: str) -> str:
        """Return the first value of a header; empty if there is none."""
        return self.headers.get(name, [""])[0]

    @property
    def content_type(self) -> str:
        """The media type in lower case; empty if there is none."""
        return self.header("content-type").partition(";")[0].strip().lower()

    @property
    def redirect(self) -> str | None:
        """The absolute URL to which the answer redirects; `None` if it does not."""
        location = self.header("location")
        if self.status not in _REDIRECTS or not location:
            return None
        return NormalizedUrl(resolve(self.url, location) or location)

    @property
    def noindex(self) -> str | None:
        """The first X-Robots-Tag that keeps the page out of search indexes.

        Source:
        <https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag>.
        """
        for value in self.headers.get("x-robots-tag", ()):
            name, colon, _ = value.partition(":")
            is_for_crawler = bool(colon) and "," not in name
            if is_for_crawler and name.strip().lower() not in CRAWLERS:
                continue
            if has_noindex(value):
                return value
        return None

    @property
    def page(self) -> BuiltPage:
        """The page; an empty one if the answer is not HTML."""
        return BuiltPage(self.body if "html" in self.content_type else b"")

    @property
    def head(self) -> Head:
        """What the page and X-Robots-Tag declare."""
        head = BuiltPage(reduce_page(self.page.data)).complete_head
        if self.noindex is None:
            return head
        return msgspec.structs.replace(head, noindex=f"X-Robots-Tag: {self.noindex}")


def describe_status(answer: Answer) -> str | None:
    """Return what an answer other than HTTP 200 says; `None` if it is HTTP 200."""
    if answer.status == 200:
        return None
    if answer.redirect is not None:
        return f"it redirects to {one_line(answer.redirect)} (HTTP {answer.status})"
    return f"the server answers HTTP {answer.status}"
