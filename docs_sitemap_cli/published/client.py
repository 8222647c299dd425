"""A polite HTTP client for other people's servers: it makes requests only to the
scheme, host, and port of the URLs that the user names, with one connection to each, a
pause between requests, and limits for everything that a server can do.

It uses no proxy.
"""

import socket
import sys
import threading
import time
from collections.abc import Iterable
from contextlib import suppress
from http.client import CONTINUE, HTTPException, HTTPResponse
from importlib.metadata import version

from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import HTTPError, NameResolutionError
from urllib3.response import BaseHTTPResponse
from urllib3.util import Retry, Url, parse_url

from docs_sitemap.tools.printing import one_line, shorten

from .http_answers import Answer, ContentError, FetchError, UnknownHostError

# All times are in seconds. The last one is for a complete request.
_CONNECT_TIMEOUT = 10.0
_READ_TIMEOUT = 20.0
_MAX_SECONDS = 60.0

# For all requests of a command, with the pauses between them.
_MAX_TOTAL_SECONDS = 3_600.0

# Between the starts of two requests.
_DELAY = 0.1

# How long to wait after HTTP 429 or 503, unless the server says it, and the longest sum
# of these times.
_PAUSES = (1.0, 5.0)
_PATIENCE = 120.0
_BUSY = (429, 503)

_MAX_REDIRECTS = 5
_MAX_PAGE = 2**21
_CHUNK = 2**16

_USER_AGENT = f"docs-sitemap/{version('docs-sitemap')}"
# urllib3 raises ValueError for a negative chunk size.
_FAILURES = (HTTPError, HTTPException, OSError, ValueError)

_PORTS = {"http": 80, "https": 443}
_Origin = tuple[str | None, str | None, int]
"""The scheme, host, and port of a URL."""


class HttpClient:
    """Requests URLs, one after the other. Close it after use.

    Attributes:
        failures: The number of requests in a row without an answer.

    Args:
        named_urls: The URLs that the user names. Requests go only to their schemes,
            hosts, and ports.
    """

    def __init__(self, named_urls: Iterable[str]) -> None:
        self.failures = 0
        self._end = time.monotonic() + _MAX_TOTAL_SECONDS
        self._next_start = 0.0
        self._patience = _PATIENCE
        self._connections: dict[_Origin, HTTPConnection] = {}
        for url in named_urls:
            with suppress(ContentError):  # `get` reports it.
                parts = _parse(url)
                self._connections[_origin(parts)] = _new_connection(parts)

    def close(self) -> None:
        for connection in self._connections.values():
            connection.close()

    def get(self, url: str, *, limit: int = _MAX_PAGE, follow: bool = False) -> Answer:
        """Request a URL. If the server is busy, wait and try again.

        Args:
            url: An absolute URL.
            limit: The bytes to read, uncompressed. A longer answer is incomplete.
            follow: Whether to follow redirects with the same scheme, host, and port.

        Raises:
            FetchError: There is no answer.
            ContentError: The URL, or one to which it redirects, may not be requested,
                or it redirects too often.
        """
        target = url
        for _ in range(_MAX_REDIRECTS + 1):
            answer = self._request("GET", target, limit, None)
            if not follow or answer.redirect is None:
                return answer
            target = answer.redirect
            if _origin(_parse(target)) != _origin(_parse(url)):
                raise ContentError(
                    url,
                    "it redirects to another scheme, host, or port: "
                    f"{shorten(target)}. Fix: pass that URL instead",
                )
        raise ContentError(url, f"it redirects more than {_MAX_REDIRECTS} times")

    def post_json(self, url: str, body: bytes) -> Answer:
        """Send a JSON document. It is sent again only if the server says when.

        Raises:
            FetchError: There is no answer.
            ContentError: The URL may not be requested.
        """
        return self._request("POST", url, _CHUNK, body)

    def _request(self, method: str, url: str, limit: int, body: bytes | None) -> Answer:
        """Make a request, again as long as the server is busy."""
        answer = self._try(method, url, limit, body)
        for pause in _PAUSES:
            if answer.status not in _BUSY:
                break
            if answer.retry_after is not None:
                pause = answer.retry_after
            elif method == "POST":
                break
            if pause > self._patience:
                break
            self._patience -= pause
            time.sleep(pause)
            answer = self._try(method, url, limit, body)
        return answer

    def _try(self, method: str, url: str, limit: int, body: bytes | None) -> Answer:
        """Make a request."""
        parts = _parse(url)
        connection = self._connections.get(_origin(parts))
        if connection is None:
            raise ContentError(
                url, "no URL that you pass has this scheme, host, and port"
            )
        if time.monotonic() > self._end:
            # Nothing is requested any more.
            self.failures = sys.maxsize
            minutes = f"{_MAX_TOTAL_SECONDS / 60:g} minutes"
            raise FetchError(url, f"all requests together have taken {minutes}")
        time.sleep(max(0.0, self._next_start - time.monotonic()))
        self._next_start = time.monotonic() + _DELAY
        headers = {
            "User-Agent": _USER_AGENT,
            "Accept-Encoding": "gzip",
            "Cache-Control": "no-cache",
        }
        if body is not None:
            headers["Content-Type"] = "application/json; charset=utf-8"
        is_reused = connection.is_connected
        try:
            if not is_reused:
                connection.timeout = _CONNECT_TIMEOUT
                connection.connect()
                connection.timeout = _READ_TIMEOUT
            connection.request(
                method, parts.request_uri, body, headers, preload_content=False
            )
            answer = _read(connection, url, limit)
        except _FAILURES as error:
            connection.close()
            # Servers close idle connections at any time.
            if is_reused and method == "GET" and isinstance(error, ConnectionError):
                return self._try(method, url, limit, body)
            self.failures += 1
            if isinstance(error, NameResolutionError):
                reason = f"the host {shorten(connection.host)} is unknown"
                raise UnknownHostError(url, reason) from None
            reason = one_line(str(error.__cause__ or error))
            raise FetchError(url, reason) from None
        self.failures = 0
        return answer


class _FinalResponse(HTTPResponse):
    """A response that skips all informational ones before it, such as 103 Early Hints:
    <https://www.rfc-editor.org/rfc/rfc9110#section-15.2>.
    """

    def _read_status(self) -> tuple[str, int, str]:
        version, status, reason = super()._read_status()  # type: ignore[misc]
        # The base class skips only this one.
        if status in range(102, 200):
            status = CONTINUE
        return version, status, reason


def _new_connection(parts: Url) -> HTTPConnection:
    """Return a connection that is not open yet."""
    host = (parts.host or "").strip("[]")
    kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
    connection = kind(host, parts.port)
    connection.response_class = _FinalResponse
    return connection


def _read(connection: HTTPConnection, url: str, limit: int) -> Answer:
    """Read the answer to a request."""
    end = time.monotonic() + _MAX_SECONDS
    content = bytearray()
    # A server that sends a byte from time to time never exceeds the time of a read.
    timer = threading.Timer(_MAX_SECONDS, _shut_down, [connection.sock])
    timer.daemon = True
    timer.start()
    is_read = False
    try:
        response = connection.getresponse()
        if response.status != 200:  # Only the start of an error page is read.
            limit = min(limit, _CHUNK)
        for chunk in response.stream(_CHUNK):
            content += chunk
            if len(content) > limit:
                break
        else:
            is_read = True
    except _FAILURES:
        if time.monotonic() < end:
            raise
    finally:
        timer.cancel()
        if not is_read:
            connection.close()
    if time.monotonic() >= end:
        raise TimeoutError(f"it takes more than {_MAX_SECONDS:g} seconds")
    headers: dict[str, list[str]] = {}
    for name, value in response.headers.iteritems():
        headers.setdefault(name.lower(), []).append(value)
    return Answer(url, response.status, headers, bytes(content), _retry_after(response))


def _retry_after(response: BaseHTTPResponse) -> float | None:
    """Return the seconds to wait before the next request, if the server names them.

    Source: <https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3>.
    """
    # Other texts, and dates that do not exist, are ignored.
    with suppress(HTTPError, ValueError, OverflowError):
        return Retry().get_retry_after(response)
    return None


def _origin(parts: Url) -> _Origin:
    return parts.scheme, parts.host, parts.port or _PORTS[parts.scheme or ""]


def _parse(url: str) -> Url:
    """Split a URL, and encode what cannot be sent as it is."""
    try:
        parts = parse_url(url)
    except HTTPError:
        raise ContentError(shorten(url), "it is not a valid URL") from None
    if parts.scheme not in ("http", "https") or parts.auth is not None:
        raise ContentError(shorten(url), "it is not an http or https URL")
    return parts


def _shut_down(sock: socket.socket) -> None:
    with suppress(OSError):
        sock.shutdown(socket.SHUT_RDWR)
