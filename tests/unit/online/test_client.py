"""The HTTP client, on servers that behave badly."""

from __future__ import annotations

import gzip
import re
import ssl
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Iterator
from email.utils import formatdate
from pathlib import Path
from typing import Any

import pytest
import trustme
from support.cli import invoke
from support.origin import (
    Origin,
    Reply,
    Request,
    always,
    endless,
    endless_header,
    endless_hints,
    hang_up,
    in_turn,
    raw,
    serve,
)
from urllib3.connection import HTTPConnection, HTTPSConnection

from docs_sitemap_cli.published import client as client_module
from docs_sitemap_cli.published.client import HttpClient
from docs_sitemap_cli.published.http_answers import Answer, FetchError


@pytest.fixture
def origin() -> Iterator[Origin]:
    with serve() as origin:
        yield origin


@pytest.fixture
def client(origin: Origin) -> Iterator[HttpClient]:
    client = HttpClient([origin.url, "http://127.0.0.1:1/", "http://none.invalid/"])
    yield client
    client.close()


def reason(client: HttpClient, url: str, *, follow: bool = False) -> str:
    with pytest.raises(FetchError) as error:
        client.get(url, follow=follow)
    message = error.value.reason
    assert message.isprintable()
    return message


def test_an_answer(client: HttpClient, origin: Origin) -> None:
    origin.replies["/"] = always(200, "ü", Content_Type="Text/HTML; charset=utf-8")
    answer = client.get(origin.url)
    assert (answer.status, answer.body) == (200, b"\xc3\xbc")
    assert answer.content_type == "text/html"
    ((_, headers),) = origin.requests
    assert re.fullmatch(r"docs-sitemap/[0-9.]+", headers["User-Agent"])
    assert headers["Host"] == origin.url.split("/")[2]


def test_urls_are_encoded(client: HttpClient, origin: Origin) -> None:
    for path in ("ü b", "a%2Fb?c=d#e", "%zz"):
        client.get(origin.url + path)
    assert origin.paths == ["/%C3%BC%20b", "/a%2Fb?c=d", "/%25zz"]


@pytest.mark.parametrize(
    "url",
    [
        "ftp://example.org/",
        "file:///etc/passwd",
        "http://u:p@example.org/",
        "http://[/",
        "x",
    ],
)
def test_other_urls_are_refused(client: HttpClient, url: str) -> None:
    assert "URL" in reason(client, url)


def test_only_named_origins_are_requested(client: HttpClient, origin: Origin) -> None:
    port = origin.url.rstrip("/").rpartition(":")[2]
    for url in (
        f"https://127.0.0.1:{port}/",
        f"http://localhost:{port}/",
        "http://127.0.0.1/",
        "http://127.0.0.1:2/",
    ):
        assert "no URL that you pass has this" in reason(client, url)
    assert origin.requests == []
    assert client.get(origin.url.replace("http", "HTTP")).status == 404


def test_ports_may_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    client = HttpClient(["http://EXAMPLE.org/a", "https://example.org:443/"])
    for kind in (HTTPConnection, HTTPSConnection):
        monkeypatch.setattr(kind, "connect", _refuse)
    for url in ("http://example.org:80/", "https://example.org/", "http://example.org"):
        assert reason(client, url) == "refused"


def _refuse(_: HTTPConnection) -> None:
    raise OSError("refused")


def test_no_server_is_waited_for_without_a_limit(
    client: HttpClient, origin: Origin, monkeypatch: pytest.MonkeyPatch
) -> None:
    timeouts: list[object] = []

    def connect(connection: HTTPConnection) -> None:
        timeouts.append(connection.timeout)
        original(connection)
        timeouts.append(connection.sock.gettimeout())

    def request(connection: HTTPConnection, *arguments: Any, **options: Any) -> None:
        send(connection, *arguments, **options)
        timeouts.append(connection.sock.gettimeout())

    original = HTTPConnection.connect
    send = HTTPConnection.request
    monkeypatch.setattr(HTTPConnection, "connect", connect)
    monkeypatch.setattr(HTTPConnection, "request", request)
    client.get(origin.url)
    assert timeouts == [10, 10, 20]


def test_an_answer_after_an_informational_one_is_not_that_of_the_next_request(
    client: HttpClient, origin: Origin
) -> None:
    hint = b"HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n"

    def reply(request: Request) -> None:
        for data in (hint, b"HTTP/1.1 102 Processing\r\n\r\n", hint):
            request.wfile.write(data)
        time.sleep(0.2)
        request.answer(200, "late")

    origin.replies |= {"/hints": reply, "/next": always(200, "next")}
    answer = client.get(f"{origin.url}hints")
    assert (answer.status, answer.body) == (200, b"late")
    assert "link" not in answer.headers
    assert client.get(f"{origin.url}next").body == b"next"


def test_redirects_stay_on_the_origin(client: HttpClient, origin: Origin) -> None:
    origin.replies |= {
        "/a": always(301, Location="b"),
        "/b": always(308, Location="/c"),
        "/c": always(200, "c"),
        "/loop": always(302, Location="/loop"),
        "/away": always(302, Location="http://169.254.169.254/latest/meta-data/"),
        "/port": always(302, Location="http://127.0.0.1:1/"),
        "/scheme": always(302, Location=origin.url.replace("http", "https")),
        "/file": always(302, Location="file:///etc/passwd"),
        "/broken": always(302, Location="http://[x/"),
        "/none": always(302),
    }
    assert client.get(f"{origin.url}a").redirect == f"{origin.url}b"
    assert client.get(f"{origin.url}a", follow=True).body == b"c"
    assert "more than 5 times" in reason(client, f"{origin.url}loop", follow=True)
    for path in ("away", "port", "scheme"):
        message = reason(client, origin.url + path, follow=True)
        assert "it redirects to another scheme, host, or port: 'http" in message
        assert "Fix: pass that URL" in message
    assert "not an http" in reason(client, f"{origin.url}file", follow=True)
    assert "not a valid URL" in reason(client, f"{origin.url}broken", follow=True)
    assert client.get(f"{origin.url}none", follow=True).status == 302


def test_limits_of_the_size(client: HttpClient, origin: Origin) -> None:
    bomb = gzip.compress(bytes(200_000_000), 9)
    origin.replies |= {
        "/bomb": always(200, bomb, Content_Encoding="gzip"),
        "/twice": always(200, gzip.compress(bomb), Content_Encoding="gzip, gzip"),
        "/endless": endless(b"x" * 10_000),
        "/headers": always(200, **{f"X-{number}": "x" for number in range(200)}),
    }
    origin.replies["/error"] = always(404, "x" * 1_000_000)
    assert len(client.get(f"{origin.url}error").body) < 200_000
    tracemalloc.start()
    for path in ("bomb", "twice", "endless"):
        answer = client.get(origin.url + path, limit=100_000)
        assert 100_000 < len(answer.body) < 200_000
    assert tracemalloc.get_traced_memory()[1] < 10_000_000
    tracemalloc.stop()
    assert "100 headers" in reason(client, f"{origin.url}headers")


@pytest.mark.parametrize("reply", [endless(b"x", 0.01), endless_header, endless_hints])
def test_limits_of_the_time(
    client: HttpClient, origin: Origin, monkeypatch: pytest.MonkeyPatch, reply: Reply
) -> None:
    monkeypatch.setattr(client_module, "_MAX_SECONDS", 0.3)
    origin.replies["/"] = reply
    start = time.monotonic()
    assert reason(client, origin.url) == "it takes more than 0.3 seconds"
    assert time.monotonic() - start < 2


def test_a_server_that_does_not_answer(
    client: HttpClient, origin: Origin, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client_module, "_READ_TIMEOUT", 0.1)
    origin.replies |= {"/": lambda _: time.sleep(0.5), "/hang-up": hang_up}
    assert reason(client, origin.url) == "timed out"
    assert "Remote end closed" in reason(client, f"{origin.url}hang-up")
    origin.replies["/short"] = raw(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort")
    assert "5 bytes read, 4 more expected" in reason(client, f"{origin.url}short")
    origin.replies["/no-http"] = raw(b"SSH-2.0\r\n\r\n")
    assert "SSH-2.0" in reason(client, f"{origin.url}no-http")
    origin.replies["/no-gzip"] = always(200, "x" * 99, Content_Encoding="gzip")
    assert "header check" in reason(client, f"{origin.url}no-gzip")
    chunked = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    origin.replies["/negative"] = raw(chunked + b"-5\r\nabcde")
    assert "non-negative" in reason(client, f"{origin.url}negative")


def test_refused_connection(client: HttpClient) -> None:
    assert "Connection refused" in reason(client, "http://127.0.0.1:1/")
    assert (
        reason(client, "http://none.invalid/") == "the host 'none.invalid' is unknown"
    )


def test_a_connection_is_used_again(client: HttpClient, origin: Origin) -> None:
    """Servers close a connection that is idle, or do so while a request is sent."""
    closing: Reply = in_turn(always(200), hang_up, always(200, "again"))
    origin.replies["/"] = closing
    assert client.get(origin.url).status == 200
    assert client.get(origin.url).body == b"again"
    assert len(origin.requests) == 3


def test_a_document_is_sent_once_if_the_connection_breaks(
    client: HttpClient, origin: Origin
) -> None:
    """The server may have received it before."""
    origin.replies |= {"/": always(200), "/send": in_turn(hang_up, always(200))}
    assert client.get(origin.url).status == 200
    with pytest.raises(FetchError):
        client.post_json(f"{origin.url}send", b"{}")
    assert origin.paths == ["/", "/send"]


def test_a_new_connection_that_breaks_is_no_answer(
    client: HttpClient, origin: Origin
) -> None:
    origin.replies["/"] = in_turn(hang_up, always(200))
    with pytest.raises(FetchError):
        client.get(origin.url)
    assert (len(origin.requests), client.failures) == (1, 1)


def test_a_busy_server(
    client: HttpClient, origin: Origin, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float] = []
    monkeypatch.setattr(time, "sleep", lambda s: waits.append(s) if s else None)
    done = always(200)
    origin.replies["/"] = in_turn(always(503), always(429, Retry_After="7"), done)
    assert client.get(origin.url).status == 200
    assert waits == [1.0, 7.0]
    soon = formatdate(time.time() + 20, usegmt=True)
    origin.replies["/"] = in_turn(always(429, Retry_After=soon), done)
    assert client.get(origin.url).status == 200
    assert 15 < waits[-1] <= 20
    # The patience is limited, for one wait and for all.
    for retry_after in (
        "100",
        "86400",
        "9" * 30,
        "Fri, 99 Foo",
        "Wed, 31 Dec 9999 23:59:59 GMT",
    ):
        origin.replies["/"] = always(429, Retry_After=retry_after)
        assert client.get(origin.url).status == 429
    assert sum(waits) <= 120


def test_requests_have_a_pause(
    client: HttpClient, origin: Origin, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client_module, "_DELAY", 0.05)
    start = time.monotonic()
    for _ in range(4):
        client.get(origin.url)
    assert time.monotonic() - start > 0.15


def get_status(url: str) -> int:
    client = HttpClient([url])
    try:
        return client.get(url).status
    finally:
        client.close()


def get_reason(url: str) -> str:
    client = HttpClient([url])
    try:
        return reason(client, url)
    finally:
        client.close()


def make_context(authority: trustme.CA, *names: str) -> ssl.SSLContext:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    authority.issue_cert(*names).configure_cert(context)
    return context


def test_certificates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    authority = trustme.CA()
    authority.cert_pem.write_to_path(tmp_path / "ca.pem")
    with serve(
        context=make_context(authority, "localhost"), host="localhost"
    ) as origin:
        assert "self-signed" in get_reason(origin.url) or "issuer" in get_reason(
            origin.url
        )
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
        assert get_status(origin.url) == 404
        by_address = origin.url.replace("localhost", "127.0.0.1")
        assert "IP address mismatch" in get_reason(by_address)
    with serve(
        context=make_context(authority, "example.org"), host="localhost"
    ) as origin:
        assert "Hostname mismatch" in get_reason(origin.url)
    with serve(context=make_context(authority, "127.0.0.1")) as origin:
        assert get_status(origin.url) == 404
    with serve() as origin:
        url = origin.url.replace("http:", "https:")
        assert "" in get_reason(url)


@pytest.mark.parametrize(
    ("values", "excludes"),
    [
        ([], False),
        (["noindex"], True),
        (["NoIndex, nofollow"], True),
        (["none"], True),
        (["index", "googlebot: noindex"], True),
        (["otherbot: noindex"], False),
        (["max-image-preview: none"], False),
        (["noindex, unavailable_after: 25 Jun 2010 15:00:00 PST"], True),
    ],
)
def test_robots_headers(values: list[str], excludes: bool) -> None:
    answer = Answer("https://example.org/", 200, {"x-robots-tag": values}, b"")
    assert (answer.noindex is not None) == excludes


@pytest.mark.parametrize(
    ("module", "unused"),
    [
        ("docs_sitemap.build", "docs_sitemap_cli.published"),
        ("docs_sitemap_cli.root", "docs_sitemap_cli.published.client"),
        ("docs_sitemap_cli.root", "urllib3"),
    ],
)
def test_builds_and_other_commands_do_not_load_the_client(
    module: str, unused: str
) -> None:
    script = f"import sys, {module}; sys.exit({unused!r} in sys.modules)"
    subprocess.run([sys.executable, "-c", script], check=True)


@pytest.mark.parametrize(
    "command", [["submit", "--since", "2024-01-01"], ["check"]], ids=["submit", "check"]
)
def test_the_client_is_not_installed(
    monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    monkeypatch.setitem(sys.modules, "docs_sitemap_cli.published.client", None)
    done = invoke(*command, "https://example.org/sitemap.xml")
    assert done.code == 2
    assert "pip install 'docs-sitemap[online]'" in done.err
