"""`docs-sitemap check https://…`: the rules of `check` on a deployed site."""

from __future__ import annotations

import gzip
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.cli import COMMAND, Done, invoke
from support.origin import (
    Origin,
    Reply,
    Request,
    always,
    endless,
    endless_header,
    hang_up,
    serve,
)
from support.sitemaps import index, page, url, urlset, write_site

XML = "application/xml"
TOO_LARGE = gzip.compress(b" " * 52_428_801, 1)


@pytest.fixture
def origin(tmp_path: Path) -> Iterator[Origin]:
    with serve(tmp_path) as origin:
        yield origin


def check(address: str, *options: str) -> Done:
    return invoke("check", address, *options)


def publish(origin: Origin, *paths: str, rest: str = "", **files: str) -> None:
    """Publish pages, a sitemap that lists them, and a robots.txt that names it."""
    assert origin.folder is not None
    lines = [url(origin.url + path, rest) for path in paths]
    write_site(
        origin.folder,
        {
            **{f"{path}index.html": page() for path in paths},
            "sitemap.xml": urlset(*lines),
            "robots.txt": f"Sitemap: {origin.url}sitemap.xml",
            **files,
        },
    )


def codes(done: Done) -> list[str]:
    """Return the code and path of each diagnostic, except that there are no dates."""
    result = []
    (path,) = done.json()["paths"]
    for one in path["diagnostics"]:
        place = (one["url"] or one["file"]).split("/", 3)[3]
        result.append(f"{one['code']} {place}".strip())
    return result


def test_a_good_site(origin: Origin) -> None:
    publish(origin, "", "guide/", "ü/".encode().hex() + "/", "a%20b/")
    (origin.folder or Path()).joinpath("a%20b").rename(
        (origin.folder or Path()) / "a b"
    )
    done = check(origin.url)
    assert "1 sitemap, 4 URLs" in done.out
    assert done.code == 0
    assert done.err == ""
    # Each page once, and never an image or a script.
    assert origin.paths[:3] == ["/robots.txt", "/sitemap.xml", "/"]
    assert len(origin.paths) == 6


@pytest.mark.parametrize(
    ("reply", "code", "message"),
    [
        (always(404), "not-found", "the server answers HTTP 404"),
        (always(410), "not-found", "HTTP 410"),
        (always(403), "no-answer", "HTTP 403"),
        (always(500), "no-answer", "HTTP 500"),
        (always(429, Retry_After="9999"), "no-answer", "HTTP 429"),
        (hang_up, "no-answer", "Remote end closed"),
        (always(301, Location="/b/"), "redirect", "/b/ (HTTP 301)"),
        (always(302, Location="/a/"), "redirect", "/a/ (HTTP 302)"),
        (
            always(
                200,
                page(head='<meta http-equiv=refresh content="0;url=/">'),
                Content_Type="text/html",
            ),
            "redirect",
            "'/a/' redirects to",
        ),
        (
            always(200, page(), X_Robots_Tag="noindex", Content_Type="text/html"),
            "noindex",
            "'/a/' declares 'X-Robots-Tag: noindex'",
        ),
        (
            always(
                200,
                b"%PDF",
                X_Robots_Tag="googlebot: none",
                Content_Type="application/pdf",
            ),
            "noindex",
            "googlebot: none",
        ),
        (
            always(
                200,
                page(head="<meta name=robots content=noindex>"),
                Content_Type="text/html",
            ),
            "noindex",
            "robots: noindex",
        ),
        (
            always(
                200,
                page(head="<link rel=canonical href=https://example.org/>"),
                Content_Type="text/html",
            ),
            "canonical",
            "https://example.org/",
        ),
        (
            always(
                200, page(head="<link rel=canonical href=/>"), Content_Type="text/html"
            ),
            "canonical",
            "declares the canonical URL",
        ),
        (
            always(
                200,
                page(head="<link rel=canonical href=/none/>"),
                Content_Type="text/html",
            ),
            "canonical",
            "/none/",
        ),
        (
            always(
                200,
                page(head="<link rel=canonical href=index.html>"),
                Content_Type="text/html",
            ),
            "canonical-form",
            "index.html",
        ),
    ],
)
def test_what_servers_answer(
    origin: Origin, reply: Reply, code: str, message: str
) -> None:
    publish(origin, "", "a/", "c/")
    if code == "canonical-form":
        write_site(origin.folder or Path(), {"a/index.html": page()})
        origin.replies["/a/index.html"] = reply
    origin.replies["/a/"] = reply
    done = check(origin.url, "--format", "json")
    assert codes(done) == [f"{code} a/"], done
    assert message in done.out
    assert done.code == (0 if code.startswith("canonical-") else 1)


@pytest.mark.parametrize("start", ["/", "http://["])
def test_a_long_redirect_is_shortened(origin: Origin, start: str) -> None:
    publish(origin, "a/")
    origin.replies["/a/"] = always(301, Location=start + "a" * 60_000)
    done = check(origin.url)
    assert "error redirect: it redirects to " in done.out
    assert "aaa… (HTTP 301)" in done.out
    assert max(map(len, done.out.splitlines())) < 1_000


SLOW_OR_LARGE = {
    "slow header": endless_header,
    "slow page": endless(pause=0.1),
    "large page": always(200, "<p a=b>" * 290_000, Content_Type="text/html"),
}


@pytest.mark.parametrize("reply", SLOW_OR_LARGE.values(), ids=SLOW_OR_LARGE)
def test_an_interrupt_does_not_wait_for_a_server_or_a_page(
    origin: Origin, reply: Reply
) -> None:
    publish(origin, *(f"{number}/" for number in range(200)))
    waiting = threading.Event()

    def answer(request: Request) -> None:
        waiting.set()
        reply(request)

    for number in range(200):
        origin.replies[f"/{number}/"] = answer
    with subprocess.Popen(
        [*COMMAND, "check", origin.url],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert waiting.wait(20)
        time.sleep(0.5)  # The page is being read.
        process.send_signal(signal.SIGINT)
        start = time.monotonic()
        out, err = process.communicate()
    assert time.monotonic() - start < 5
    assert (process.returncode, err) == (1, "")
    assert "interrupted: this is what was found before" in out


def test_a_page_shows_another_date(origin: Origin) -> None:
    publish(origin, "", rest="<lastmod>2024-01-01</lastmod>")
    head = '<meta property="article:modified_time" content="2020-01-01">'
    write_site(origin.folder or Path(), {"index.html": page(head=head)})
    assert codes(check(origin.url, "--format", "json")) == ["lastmod-not-shown"]


def test_all_dates_are_those_of_the_build(origin: Origin) -> None:
    publish(origin, "", *"abcde", rest="<lastmod>2024-01-01</lastmod>")
    (origin.folder or Path()).joinpath("aindex.html").unlink()
    for name in "abcde":
        origin.replies[f"/{name}"] = always(200)
    assert codes(check(origin.url, "--format", "json")) == [
        "lastmod-all-same sitemap.xml"
    ]


def test_sitemaps_are_found(origin: Origin) -> None:
    publish(origin, "")
    folder = origin.folder or Path()
    (folder / "robots.txt").unlink()
    (folder / "sitemap.xml").rename(folder / "sitemap_index.xml")
    # A server may send a page for each URL.
    origin.replies["/sitemap.xml"] = always(200, page(), Content_Type="text/html")
    assert check(origin.url).code == 0
    assert check(f"{origin.url}sitemap_index.xml").code == 0
    (folder / "sitemap_index.xml").unlink()
    assert codes(check(origin.url, "--format", "json")) == ["no-sitemap"]
    # The host has another site.
    publish(origin, "docs/", "blog/")
    write_site(folder, {"docs/sitemap.xml": urlset(url(f"{origin.url}docs/"))})
    done = check(f"{origin.url}docs", "--format", "json")
    assert codes(done) == []
    assert done.json()["paths"][0]["urls"] == 1


def test_the_reason_why_there_is_no_sitemap(origin: Origin) -> None:
    assert "HTTP 404" in check(origin.url).out
    with serve() as www:
        for path in ("robots.txt", "sitemap.xml"):
            origin.replies[f"/{path}"] = always(301, Location=f"{www.url}{path}")
        done = check(origin.url)
        assert "no-sitemap: robots.txt lists none, and for sitemap.xml, it " in done.out
        assert f"'{www.url}sitemap.xml'" in done.out
        assert www.requests == []
    origin.replies["/sitemap.xml"] = always(200, page(), Content_Type="text/html")
    assert "sends a web page" in check(origin.url).out


def test_an_index_and_its_sitemaps(origin: Origin) -> None:
    folder = origin.folder or Path()
    names = (
        "sitemap.xml",
        "1.xml",
        "2.xml.gz",
        "page.html",
        "3.xml",
        "none.xml",
        "moved.xml",
    )
    locs = [origin.url + name for name in names]
    publish(origin, "a/", "b/", "c/")
    write_site(
        folder,
        {
            "sitemap.xml": index(*locs, "https://example.com/1.xml"),
            "1.xml": urlset(url(f"{origin.url}a/")),
            "2.xml.gz": urlset(url(f"{origin.url}b/")),
            "page.html": page(),
            "3.xml": index(f"{origin.url}4.xml"),
        },
    )
    origin.replies["/moved.xml"] = always(301, Location="https://example.com/")
    done = check(origin.url, "--format", "json")
    assert sorted(codes(done)) == [
        "child-not-sitemap 3.xml",
        "child-not-sitemap sitemap.xml",
        "no-answer moved.xml",
        "no-answer none.xml",
        "out-of-scope 1.xml",
        "wrong-root page.html",
    ]
    assert done.json()["paths"][0]["urls"] == 2
    assert origin.paths.count("/sitemap.xml") == 1


def test_a_compressed_copy_in_an_index_is_not_read(origin: Origin) -> None:
    publish(origin, "a/", "b/")
    sitemap = urlset(url(f"{origin.url}a/"), url(f"{origin.url}b/"))
    locs = [f"{origin.url}1.xml", f"{origin.url}1.xml.gz"]
    write_site(
        origin.folder or Path(),
        {"sitemap.xml": index(*locs), "1.xml": sitemap, "1.xml.gz": sitemap},
    )
    assert codes(check(origin.url, "--format", "json")) == []
    assert "/1.xml.gz" not in origin.paths


@pytest.mark.parametrize(
    ("robots", "expected"),
    [
        ("Sitemap: {}sitemap.xml", []),
        ("User-agent: *", ["out-of-scope", "robots-no-sitemap robots.txt"]),
    ],
)
def test_a_sitemap_of_a_language_below_its_pages(
    origin: Origin, robots: str, expected: list[str]
) -> None:
    publish(origin, "", "a/")
    files = {
        "en/sitemap.xml": urlset(url(origin.url), url(f"{origin.url}a/")),
        "sitemap.xml": index(f"{origin.url}en/sitemap.xml"),
        "robots.txt": robots.format(origin.url),
    }
    write_site(origin.folder or Path(), files)
    assert sorted(codes(check(origin.url, "--format", "json"))) == expected


def test_a_template_with_the_canonical_link_of_the_home_page(origin: Origin) -> None:
    publish(origin, "", "a/", "b/")
    link = f'<link rel="canonical" href="{origin.url}">'
    pages = {f"{name}/index.html": page(head=link) for name in "ab"}
    write_site(origin.folder or Path(), pages)
    found = codes(check(origin.url, "--format", "json"))
    assert sorted(found) == ["canonical a/", "canonical b/", "canonical-shared"]


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        (always(200, b"\xff\xfe", Content_Type=XML), ["not-well-formed"]),
        (always(200, urlset(), Content_Type="text/html"), ["content-type", "empty"]),
        (always(200, gzip.compress(urlset().encode()), Content_Type=XML), ["empty"]),
        (always(200, b"\x1f\x8b", Content_Type=XML), ["gzip-broken"]),
        (always(200, TOO_LARGE, Content_Type=XML), ["too-large"]),
        (
            always(200, TOO_LARGE, Content_Type=XML, Content_Encoding="gzip"),
            ["too-large"],
        ),
        (always(500), ["no-answer"]),
        (always(302, Location="http://169.254.169.254/"), ["no-answer"]),
        (always(302, Location="/sitemap.xml"), ["no-answer"]),
    ],
)
def test_sitemaps_that_are_not_right(
    origin: Origin, reply: Reply, expected: list[str]
) -> None:
    publish(origin, "")
    origin.replies["/sitemap.xml"] = reply
    done = check(origin.url, "--format", "json")
    assert sorted(code.split()[0] for code in codes(done)) == expected
    assert done.code == 1


def test_mixed_hosts_are_not_requested(origin: Origin) -> None:
    publish(origin, "")
    with serve() as other:
        lines = [url(origin.url), url(other.url), url("https://example.com/")]
        write_site(origin.folder or Path(), {"sitemap.xml": urlset(*lines)})
        done = check(origin.url, "--format", "json")
        assert codes(done) == ["out-of-scope", "out-of-scope"]
        assert other.paths == []


def test_robots_txt(origin: Origin) -> None:
    publish(origin, "", "a/", "b/")
    robots = f"User-agent: docs-sitemap\nDisallow: /b/\n\nUser-agent: *\nDisallow: /a/\nSitemap: {origin.url}sitemap.xml"
    origin.replies["/robots.txt"] = always(200, robots)
    done = check(origin.url)
    assert "robots-disallow" in done.out
    assert "not requested, because of --max-pages, robots.txt, the time" in done.out
    assert "errors: 1 URL" in done.out
    assert "/b/" not in origin.paths
    origin.replies["/robots.txt"] = always(503, Retry_After="9999")
    assert "no-answer robots.txt" in codes(check(origin.url, "--format", "json"))
    origin.replies["/robots.txt"] = always(200, "")
    assert codes(check(origin.url, "--format", "json")) == [
        "robots-no-sitemap robots.txt"
    ]
    origin.replies["/robots.txt"] = endless(b"# endless\n" * 1000)
    assert "robots-too-long robots.txt" in codes(check(origin.url, "--format", "json"))


def test_only_the_first_pages_of_a_large_site(origin: Origin) -> None:
    publish(origin, *(f"{number:02}/" for number in range(50)))
    done = check(origin.url, "--max-pages", "10", "--ignore", "lastmod-missing")
    assert done.code == 0
    assert "errors: 40 URLs" in done.out
    pages = [
        path for path in origin.paths if path.startswith(("/0", "/1", "/2", "/3", "/4"))
    ]
    assert pages == [f"/{number:02}/" for number in range(10)]


def test_a_server_that_fails_is_not_asked_for_each_page(origin: Origin) -> None:
    publish(origin, *(f"{number}/" for number in range(9)))
    for number in range(9):
        origin.replies[f"/{number}/"] = hang_up
    done = check(origin.url, "--ignore", "lastmod-missing")
    assert "5 errors" in done.out
    assert "errors: 4 URLs" in done.out


def test_a_server_that_fails_is_not_asked_for_each_sitemap(origin: Origin) -> None:
    publish(origin, "")
    locs = [f"{origin.url}{number}.xml" for number in range(9)]
    write_site(origin.folder or Path(), {"sitemap.xml": index(*locs)})
    for number in range(9):
        origin.replies[f"/{number}.xml"] = hang_up
    done = check(origin.url)
    assert "5 errors" in done.out
    assert "/5.xml" not in origin.paths


def test_the_url_of_a_sitemap_may_have_a_query(origin: Origin) -> None:
    publish(origin, "")
    assert check(f"{origin.url}sitemap.xml?page=1").code == 0
    assert "/sitemap.xml?page=1" in origin.paths


def test_robots_txt_may_list_a_sitemap_with_a_query(origin: Origin) -> None:
    publish(origin, "")
    line = f"Sitemap: {origin.url}sitemap.xml?page=1"
    origin.replies["/robots.txt"] = always(200, line)
    assert codes(check(origin.url, "--format", "json")) == []
    assert "/sitemap.xml?page=1" in origin.paths


def test_robots_txt_may_list_the_compressed_copy(origin: Origin) -> None:
    publish(origin, "")
    line = f"Sitemap: {origin.url}sitemap.xml.gz"
    origin.replies["/robots.txt"] = always(200, line)
    done = check(f"{origin.url}sitemap.xml", "--format", "json")
    assert codes(done) == []


def test_robots_txt_may_list_an_index_of_the_sitemap(origin: Origin) -> None:
    publish(origin, "")
    content = index(f"{origin.url}rss.xml", f"{origin.url}sitemap.xml")
    feed = '<rss version="2.0"/>'
    write_site(origin.folder or Path(), {"index.xml": content, "rss.xml": feed})
    line = f"Sitemap: {origin.url}index.xml"
    origin.replies["/robots.txt"] = always(200, line)
    for address in (origin.url, f"{origin.url}sitemap.xml"):
        assert codes(check(address, "--format", "json")) == []


def test_another_origin_is_reported_and_not_requested(origin: Origin) -> None:
    publish(origin, "")
    with serve() as other:
        origin.replies["/sitemap.xml"] = always(301, Location=f"{other.url}x.xml")
        done = check(f"{origin.url}sitemap.xml")
        assert done.code == 1
        assert "no-answer: it redirects to another scheme" in done.out
        assert other.requests == []


@pytest.mark.parametrize(
    "address",
    [
        "ftp://example.org/",
        "https://",
        "https://u@example.org/",
        "https://exa mple.org/",
    ],
)
def test_invalid_urls(address: str) -> None:
    done = check(address)
    assert done.code == 2
    assert done.err.count("\n") <= 4


HOSTILE_PAGES = {
    "attributes": "<html " + " ".join(f"a{number}" for number in range(100_000)),
    "quoted attributes": "<meta " + "".join(f"a{n}='<>'" for n in range(100_000)),
    "elements in each other": "<div>" * 300_000,
    "restored elements": "".join(f"<b a={number}><p>" for number in range(20_000)),
    "two roots": "".join(f"<html a{number}>" for number in range(60_000)),
    "metadata": "<meta article:modified_time" + " article:modified_time" * 20_000,
    "structured data": '"dateModified"' * 30_000,
    "microdata": '<time itemprop="dateModified"' + ' itemprop="dateModified"' * 20_000,
    "VitePress": "VPLastUpdated " * 30_000,
    "VitePress in tags": "<p VPLastUpdated " * 30_000,
    "Starlight": '<footer><div class="meta">' * 20_000,
    "robots": "<meta name=robots content='" + "max- " * 100_000,
}


@pytest.mark.parametrize("content", HOSTILE_PAGES.values(), ids=HOSTILE_PAGES)
def test_hostile_pages_take_no_time(origin: Origin, content: str) -> None:
    publish(origin, "a/", rest="<lastmod>2026-05-31</lastmod>")
    origin.replies["/a/"] = always(200, content, Content_Type="text/html")
    start = time.process_time()
    assert check(origin.url).code == 0
    assert time.process_time() - start < 3


def test_pages_are_read_as_in_a_folder(origin: Origin) -> None:
    """What the head declares, although most of the page is not parsed."""
    noscript = "<noscript><meta http-equiv=refresh content='0;url=/x/'></noscript>"
    publish(
        origin,
        *("code/", "comment/", "late/", "noscript/", "robots/", "script/"),
        **{
            "code/index.html": page(
                head="</head><pre>&lt;meta name=robots content=none></pre>"
            ),
            "comment/index.html": page(head="<!-- <meta name=robots content=none> -->"),
            "late/index.html": page(head="<div><link rel=canonical href=/x/>"),
            "noscript/index.html": page(head=noscript),
            "robots/index.html": page(
                head="<div a='>'><META NAME=robots CONTENT=none>"
            ),
            "script/index.html": page(
                head="<script>'<link rel=canonical href=/x/>'</script>"
            ),
        },
    )
    found = codes(check(origin.url, "--format=json", "--ignore=lastmod-missing"))
    assert sorted(found) == ["noindex robots/", "redirect noscript/"]


def test_the_time_of_all_requests_is_limited(
    origin: Origin, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("docs_sitemap_cli.published.client._MAX_TOTAL_SECONDS", 0.3)
    publish(origin, "a/", "b/", "c/")

    def answer_late(request: Request) -> None:
        time.sleep(0.5)
        request.answer(200)

    origin.replies["/a/"] = answer_late
    done = check(origin.url)
    assert "error no-answer: all requests together" in done.out
    assert "not requested" in done.out
    assert origin.paths[-1] == "/a/"


def test_what_servers_send_in_place_of_sitemaps_is_limited(
    origin: Origin, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("docs_sitemap_cli.published.sitemaps._MAX_TOTAL_BYTES", 250_000)
    names = [f"{number}.xml" for number in range(6)]
    robots = "".join(f"Sitemap: {origin.url}{name}\n" for name in names)
    files = dict.fromkeys(names, "<!DOCTYPE x>" + " " * 100000)
    publish(origin, **{"robots.txt": robots, **files})
    done = check(origin.url)
    assert "3 errors in 3 sitemaps" in done.out
    assert origin.paths == ["/robots.txt", "/0.xml", "/1.xml", "/2.xml"]


@pytest.mark.parametrize("finds", [True, False])
def test_an_interrupted_check_fails_and_shows_what_it_found(
    origin: Origin, finds: bool
) -> None:
    publish(origin, "a/", "b/", "c/")
    if finds:
        origin.replies["/a/"] = always(404)
    waiting = threading.Event()

    def wait(request: Request) -> None:
        waiting.set()
        time.sleep(1)

    origin.replies["/b/"] = wait
    with subprocess.Popen(
        [*COMMAND, "check", origin.url, f"{origin.url}c/"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert waiting.wait(20)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
    assert process.returncode == 1
    assert ("error not-found: " in out) is finds
    assert "interrupted" in out
    assert "/c/sitemap.xml" not in origin.paths
    assert err == ""
