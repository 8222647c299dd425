"""Web servers on this machine, which behave like GitHub Pages, or badly."""

from __future__ import annotations

import gzip
import json
import mimetypes
import ssl
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote

Reply = Callable[["Request"], None]
"""Answers one request."""


class Request(BaseHTTPRequestHandler):
    """A request, which the replies of its origin answer."""

    protocol_version = "HTTP/1.1"
    server: Server
    body: bytes

    def do_GET(self) -> None:
        origin = self.server.origin
        origin.requests.append((self.path, dict(self.headers)))
        # The next request on the connection starts after the body.
        self.body = self.rfile.read(int(self.headers["Content-Length"] or 0))
        path = self.path.partition("?")[0]
        reply = origin.replies.get(path)
        if reply is not None:
            reply(self)
        elif origin.folder is not None:
            self._send_file(origin.folder, path.removeprefix(origin.prefix))
        else:
            self.answer(404)

    do_POST = do_GET  # noqa: N815

    def answer(self, status: int, body: bytes | str = b"", **headers: str) -> None:
        """Answer with a status, and with headers whose names have underscores."""
        data = body.encode() if isinstance(body, str) else body
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _send_file(self, folder: Path, path: str) -> None:
        """Send a file like GitHub Pages: folders need a slash, suffixes do not."""
        file = folder / unquote(path)
        if path.endswith("/") or not path:
            file /= "index.html"
        elif file.is_dir():
            self.answer(301, Location=f"{self.path}/")
            return
        elif not file.exists():
            file = file.with_name(f"{file.name}.html")
        status = 200
        if not file.is_file():
            status, file = 404, folder / "404.html"
        kind = mimetypes.guess_type(file)[0] or "application/octet-stream"
        if kind in ("text/html", "text/plain"):
            kind += "; charset=utf-8"
        data = file.read_bytes() if file.exists() else b"Not found"
        headers = {"Content_Type": kind, "Cache_Control": "max-age=600"}
        if "gzip" in self.headers.get("Accept-Encoding", ""):
            headers["Content_Encoding"] = "gzip"
            data = gzip.compress(data)
        self.answer(status, data, **headers)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Print nothing."""


class Server(ThreadingHTTPServer):
    daemon_threads = True
    origin: Origin

    def handle_error(self, *_: object) -> None:
        """Collect errors, except that clients hang up."""
        error = sys.exception()
        if not isinstance(error, ConnectionError | ssl.SSLError):
            self.origin.errors.append(error)


@dataclass
class Origin:
    """A web server.

    Attributes:
        url: Its address, with a slash at the end.
        folder: The files to serve; `None` for none.
        prefix: The path at which they are served.
        replies: What answers the requests for some paths, before the files.
        requests: The paths and headers of all requests so far.
        errors: What failed in the server itself.
    """

    url: str
    folder: Path | None = None
    prefix: str = "/"
    replies: dict[str, Reply] = field(default_factory=dict)
    requests: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    errors: list[BaseException | None] = field(default_factory=list)

    @property
    def paths(self) -> list[str]:
        return [path for path, _ in self.requests]


@contextmanager
def serve(
    folder: Path | None = None,
    prefix: str = "/",
    context: ssl.SSLContext | None = None,
    host: str = "127.0.0.1",
) -> Iterator[Origin]:
    """Run a web server on a free port."""
    with Server(("127.0.0.1", 0), Request) as server:
        scheme = "http"
        if context is not None:
            scheme = "https"
            server.socket = context.wrap_socket(
                server.socket, server_side=True, do_handshake_on_connect=False
            )
        url = f"{scheme}://{host}:{server.server_port}/"
        server.origin = Origin(url, folder, prefix)
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield server.origin
        finally:
            server.shutdown()
            thread.join()
        assert server.origin.errors == []


def always(status: int, body: bytes | str = b"", **headers: str) -> Reply:
    """Return a reply that is always the same."""

    def reply(request: Request) -> None:
        request.answer(status, body, **headers)

    return reply


def in_turn(*replies: Reply) -> Reply:
    """Return a reply that uses others one after the other, and then the last one."""
    left = [*replies]

    def reply(request: Request) -> None:
        (left.pop(0) if len(left) > 1 else left[0])(request)

    return reply


def endless(chunk: bytes = b"x", pause: float = 0.0) -> Reply:
    """Return a reply whose body never ends."""

    def reply(request: Request) -> None:
        request.send_response(200)
        request.send_header("Content-Type", "text/html")
        request.end_headers()
        while True:
            request.wfile.write(chunk)
            time.sleep(pause)

    return reply


def endless_header(request: Request) -> None:
    """Send a header, byte by byte, without an end."""
    request.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
    while True:
        request.wfile.write(b"x")
        time.sleep(0.01)


def endless_hints(request: Request) -> None:
    while True:
        request.wfile.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        request.wfile.write(b"HTTP/1.1 103 Early Hints\r\n\r\n")


def raw(data: bytes) -> Reply:
    """Return a reply that sends some bytes and hangs up."""

    def reply(request: Request) -> None:
        request.wfile.write(data)
        request.close_connection = True

    return reply


def hang_up(request: Request) -> None:
    request.close_connection = True


@dataclass
class IndexNow:
    """An endpoint that checks each request as the protocol says:
    <https://www.indexnow.org/documentation>.

    Attributes:
        read: Returns the content of a URL.
        urls: The URLs of all requests that were accepted.
    """

    read: Callable[[str], str]
    urls: list[str] = field(default_factory=list)

    def __call__(self, request: Request) -> None:
        kind = request.headers["Content-Type"]
        if request.command != "POST" or kind != "application/json; charset=utf-8":
            request.answer(400, "not JSON")
            return
        request.answer(self._check(json.loads(request.body)))

    def _check(self, document: dict[str, Any]) -> int:
        if document.keys() != {"host", "key", "keyLocation", "urlList"}:
            return 400
        key, location = document["key"], document["keyLocation"]
        if not 8 <= len(key) <= 128 or not 0 < len(document["urlList"]) <= 10_000:
            return 422
        if self.read(location).strip() != key:
            return 403
        folder = location.rpartition("/")[0]
        host = f"//{document['host']}/"
        for url in [location, *document["urlList"]]:
            if host not in url or not url.startswith(f"{folder}/"):
                return 422
        self.urls += document["urlList"]
        return 200
