"""Hostile files in the place of a sitemap: no crash, no long wait, no access to other
files.
"""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from support.cli import invoke
from support.platforms import needs_posix
from support.sitemaps import (
    BASE,
    DECLARATION,
    NAMESPACES,
    Finding,
    check as check_site,
    check_data,
    index,
    links,
    page,
    summarize,
    url,
    urls,
    urlset,
    write_site,
)

from docs_sitemap import BaseUrl

ROOT = BaseUrl("https://example.org/")

LAUGHS = (
    '<!DOCTYPE lolz [<!ENTITY a "lol">'
    + "".join(f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in pairwise("abcdefghij"))
    + "]>"
)

PREFIXES = " ".join(f'xmlns:p{number}="u{number}"' for number in range(4_900))


def check(path: Path | str, base_url: str | None = None) -> list[Finding]:
    return check_site(path, base_url=base_url).diagnostics


@pytest.fixture(autouse=True)
def _limit_processor_time() -> Iterator[None]:
    start = time.process_time()
    yield
    assert time.process_time() - start < 10


def compress_bomb(text: bytes = b"") -> bytes:
    """Return a text and 100 MiB of spaces, compressed."""
    return gzip.compress(text) + gzip.compress(b" " * 2**20) * 100


def with_file_name(data: bytes, length: int) -> bytes:
    """Return a gzip file with a file name in its header."""
    return data[:3] + b"\x08" + data[4:10] + b"x" * length + b"\0" + data[10:]


FILES: dict[str, tuple[bytes, list[str]]] = {
    "billion laughs": (
        (DECLARATION + LAUGHS + urlset(url("&j;")).removeprefix(DECLARATION)).encode(),
        ["doctype@2"],
    ),
    "external entity": (
        b'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
        ["doctype@1"],
    ),
    "external document type": (
        b'<!DOCTYPE a SYSTEM "https://example.com/a.dtd"><a/>',
        ["doctype@1"],
    ),
    "parameter entity": (
        b'<!DOCTYPE a [<!ENTITY % x SYSTEM "file:///a"> %x;]><a/>',
        ["doctype@1"],
    ),
    "deep": (b"<a>" * 1_000_000, ["wrong-root@1"]),
    "deep entries": (
        f"<urlset {NAMESPACES}>{'<url>' * 100_000}".encode(),
        ["too-complex@1"],
    ),
    "deep foreign elements": (
        f'<urlset {NAMESPACES}><x xmlns="urn:x">{"<x>" * 100_000}'.encode(),
        ["too-complex@1"],
    ),
    "huge attribute": (b'<urlset a="' + b"x" * 4_000_000 + b'">', ["too-complex@1"]),
    "huge comment": (b"<!--" + b"x" * 4_000_000 + b"-->", ["too-complex@1"]),
    "huge name": (b"<" + b"x" * 4_000_000, ["too-complex@1"]),
    "huge text": (
        urlset(url(BASE + "x" * 4_000_000)).encode(),
        ["loc-too-long@3"],
    ),
    "huge text in many pieces": (
        urlset(url("x<!-- -->" * 1_000_000)).encode(),
        ["loc-too-long@3"],
    ),
    "huge CDATA": (
        urlset(f"<url><loc><![CDATA[{'x' * 4_000_000}]]></loc></url>").encode(),
        ["loc-too-long@3"],
    ),
    "larger than the limit": (urls("a/").encode() + b" " * 52_428_800, ["too-large"]),
    "many namespaces": (
        urls("a/").replace("<url>", f"<url {PREFIXES}>").encode(),
        [],
    ),
    "many unknown elements": (
        urlset(*(f"<e{number % 9_000}/>" for number in range(100_000))).encode(),
        ["unexpected-element"],
    ),
    "many names of elements": (
        urlset(*(f"<e{number}/>" for number in range(100_000))).encode(),
        ["too-complex"],
    ),
    "many names of attributes": (
        urlset(
            *(f'<x:x xmlns:x="x" a{number}=""/>' for number in range(100_000))
        ).encode(),
        ["too-complex"],
    ),
    "many prefixes": (
        urlset(*(f'<x xmlns:p{number}="x"/>' for number in range(100_000))).encode(),
        ["too-complex"],
    ),
    "many declarations of one prefix": (
        urlset(
            *('<x:x xmlns:x="x"/>' for number in range(100_000)), url(BASE)
        ).encode(),
        [],
    ),
    "only NULs": (bytes(1_000_000), ["encoding@1"]),
    "many links": (
        urlset(url(f"{BASE}a/", links(en=f"{BASE}a/") * 1_000)).encode(),
        ["alternate-invalid"],
    ),
    "too many links": (
        urlset(url(f"{BASE}a/", links(en=f"{BASE}a/") * 20_001)).encode(),
        ["too-complex@3"],
    ),
    "many wrong namespaces": (
        urlset(
            url(
                f"{BASE}a/",
                "".join(
                    f'<xhtml:link xmlns:xhtml="{"x" * n}"/>' for n in range(1, 4_000)
                ),
            )
        ).encode(),
        [],
    ),
    "escapes for a terminal": (
        urls("\u202e\u2066a/", "&#x85;&#x9b;31m/").encode(),
        ["loc-not-ascii@3", "loc-not-encoded@4"],
    ),
}


@pytest.mark.parametrize(("data", "expected"), FILES.values(), ids=FILES)
def test_hostile_file_has_a_finding(data: bytes, expected: list[str]) -> None:
    findings = check_data(data)
    if len(findings) > 10:
        assert len(findings) <= 1_001
        assert [*{finding.code for finding in findings}] == expected
    else:
        assert summarize(findings) == expected


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (compress_bomb(), ["too-large"]),
        (compress_bomb(urls("a/").encode()), ["too-large"]),
        (compress_bomb(b"x"), ["not-well-formed@1"]),
        (gzip.compress(compress_bomb()), ["encoding@1"]),
        (gzip.compress(urls("a/").encode())[:-4], ["gzip-broken"]),
        (gzip.compress(urls("a/").encode())[:20], ["gzip-broken"]),
        (gzip.compress(urls("a/").encode())[:-8] + bytes(8), ["gzip-broken"]),
        (gzip.compress(urls("a/").encode()) + b"garbage", ["gzip-broken"]),
        (gzip.compress(urls("a/").encode()) + bytes(512), ["gzip-broken"]),
        (gzip.compress(b"") * 250_000, ["not-well-formed@1"]),
        (gzip.compress(urls("a/").encode()) + gzip.compress(b"") * 250_000, []),
        (gzip.compress(urls("a/").encode()) + bytes(5_000_000), ["gzip-broken"]),
        (with_file_name(gzip.compress(urls("a/").encode()), 5_000_000), []),
        (with_file_name(gzip.compress(urls("a/").encode()), 100), []),
        (gzip.compress(urls("a/").encode() + b" " * 5_000_000, 0), []),
        (gzip.compress(b" " * 400) * 10_000, ["not-well-formed@1"]),
        (b"\x1f\x8b", ["gzip-broken"]),
        (b"", ["gzip-broken"]),
    ],
    ids=[
        "bomb",
        "bomb after a sitemap",
        "bomb after text",
        "bomb in a bomb",
        "no checksum",
        "truncated",
        "wrong checksum",
        "garbage after the end",
        "padding after the end",
        "empty members",
        "empty members after the end",
        "much padding after the end",
        "long file name",
        "file name",
        "not compressed",
        "small members",
        "only the first two bytes",
        "empty",
    ],
)
def test_hostile_compressed_file_has_a_finding(
    data: bytes, expected: list[str]
) -> None:
    assert summarize(check_data(data, "sitemap.xml.gz")) == expected


MEASURE_MEMORY = """
import resource, sys
from docs_sitemap.sitemap.validation import check_sitemap

def peak():
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit

before = peak()
with open(sys.argv[1], "rb") as file:
    check_sitemap(file, sys.argv[1])
print(peak() - before)
"""

LARGE_FILES: dict[str, Callable[[], bytes]] = {
    "bomb.xml.gz": lambda: compress_bomb(urls("a/").encode()),
    "comment.xml": lambda: b"<!--" + b"x" * 25_000_000,
    "text.xml": lambda: urlset(url(BASE + "x" * 25_000_000)).encode(),
    "names.xml": lambda: urlset(
        *(f"<e{number}/>" for number in range(2_000_000))
    ).encode(),
    "links.xml": lambda: urlset(
        url(BASE, f'<xhtml:link href="{"x" * 1_000_000}"/>' * 25)
    ).encode(),
    "spaces.xml": lambda: urls("a/").encode() + b" " * 25_000_000,
}


@needs_posix
@pytest.mark.parametrize("name", LARGE_FILES)
def test_memory_does_not_grow_with_the_file(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(LARGE_FILES[name]())
    # The peak of a process never decreases: each file needs a process of its own.
    done = subprocess.run(
        [sys.executable, "-c", MEASURE_MEMORY, name],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        text=True,
        check=True,
    )
    assert int(done.stdout) < 20 * 2**20


def test_compressed_copy_that_is_a_bomb(tmp_path: Path) -> None:
    site = write_site(tmp_path, {"index.html": page(), "sitemap.xml": urls("")})
    (site / "sitemap.xml.gz").write_bytes(compress_bomb(urls("").encode()))
    assert summarize(check(site), site) == ["sitemap.xml.gz gzip-broken"]


def test_compressed_copy_with_much_padding(tmp_path: Path) -> None:
    site = write_site(tmp_path, {"index.html": page(), "sitemap.xml": urls("")})
    (site / "sitemap.xml.gz").write_bytes(
        gzip.compress(urls("").encode()) + bytes(50_000_000)
    )
    assert summarize(check(site), site) == ["sitemap.xml.gz gzip-broken"]


@pytest.mark.parametrize("name", ["sitemap.xml", "sitemap.xml.gz", "robots.txt"])
def test_folder_in_the_place_of_a_file(tmp_path: Path, name: str) -> None:
    site = write_site(
        tmp_path / "site", {"index.html": page(), f"{name}/index.html": page()}
    )
    if name == "robots.txt":
        write_site(site, {"sitemap.xml": urlset(url(ROOT))})
    expected = [f"{name} unreadable"]
    found = summarize(check(site, ROOT), site)
    assert [text for text in found if "missing" not in text] == expected


@needs_posix
@pytest.mark.parametrize("name", ["sitemap.xml", "sitemap.xml.gz", "robots.txt"])
def test_named_pipe_does_not_block(tmp_path: Path, name: str) -> None:
    site = write_site(tmp_path, {"index.html": page()})
    if name != "sitemap.xml":
        write_site(site, {"sitemap.xml": urlset(url(ROOT))})
    os.mkfifo(site / name)
    assert summarize(check(site), site) == [f"{name} unreadable"]
    assert summarize(check(site / name)) == ["unreadable"]


@pytest.mark.parametrize(
    "path", ["", "nothing", "a\0b", "x" * 5_000, "sitemap.xml/nothing"]
)
def test_path_that_does_not_exist(tmp_path: Path, path: str) -> None:
    write_site(tmp_path, {"sitemap.xml": urls("")})
    done = invoke("check", path, cwd=tmp_path)
    assert (done.code, done.out) == (2, "")
    assert done.err.replace("\n", "").isprintable()
    assert len(done.err) < 2_000


@needs_posix
@pytest.mark.parametrize("path", ["/dev/null", "/dev/zero"])
def test_device_in_the_place_of_a_file(path: str) -> None:
    assert summarize(check(path)) == ["unreadable"]


@needs_posix
def test_files_without_read_permission(tmp_path: Path) -> None:
    site = write_site(tmp_path, {"index.html": page(), "sitemap.xml": urls("")})
    (site / "index.html").chmod(0)
    if os.access(site / "index.html", os.R_OK):
        pytest.skip("this user can read all files")
    assert summarize(check(site), site) == ["sitemap.xml unreadable@3"]
    (site / "sitemap.xml").chmod(0)
    assert summarize(check(site), site) == ["sitemap.xml unreadable"]


@needs_posix
def test_links_out_of_the_site_are_not_followed(tmp_path: Path) -> None:
    outside = write_site(
        tmp_path / "outside", {"secret.html": page(), "d/index.html": page()}
    )
    listed = urls("", "secret.html", "d/", "d/index.html", "up/outside/secret.html")
    site = write_site(tmp_path / "site", {"index.html": page(), "sitemap.xml": listed})
    (site / "secret.html").symlink_to(outside / "secret.html")
    (site / "d").symlink_to("../outside/d")
    (site / "up").symlink_to("..")
    assert summarize(check(site, BASE), site) == [
        f"sitemap.xml not-found@{line}" for line in (4, 5, 6, 7)
    ]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("../site/a.html", "loc-invalid"),
        ("%2e%2e/site/a.html", "loc-invalid"),
        ("..%2fsite/a.html", "not-found"),
        ("..%2foutside.html", "not-found"),
    ],
)
def test_paths_do_not_leave_the_folder(
    tmp_path: Path, path: str, expected: str
) -> None:
    write_site(tmp_path, {"outside.html": page()})
    files = {"a.html": page(), "sitemap.xml": urls("a.html", path)}
    site = write_site(tmp_path / "site", files)
    assert summarize(check(site, BASE)) == [f"{expected}@4"]


@needs_posix
def test_link_to_a_site_whose_name_starts_with_the_same_name(tmp_path: Path) -> None:
    write_site(tmp_path / "site-2", {"a.html": page()})
    files = {"index.html": page(), "sitemap.xml": urls("", "a.html")}
    site = write_site(tmp_path / "site", files)
    (site / "a.html").symlink_to("../site-2/a.html")
    assert summarize(check(site, BASE), site) == ["sitemap.xml not-found@4"]


@needs_posix
@pytest.mark.parametrize(
    "name", ["sitemap.xml", "sitemap.xml.gz", "robots.txt", "sitemap-1.xml"]
)
def test_files_outside_the_site_are_not_read(tmp_path: Path, name: str) -> None:
    secret = write_site(tmp_path, {"secret": "password"}) / "secret"
    files = {"index.html": page()}
    if name == "sitemap-1.xml":
        files["sitemap.xml"] = index(f"{ROOT}sitemap-1.xml")
    elif name != "sitemap.xml":
        files["sitemap.xml"] = urlset(url(ROOT))
    site = write_site(tmp_path / "site", files)
    (site / name).symlink_to(secret)
    findings = check(site, ROOT)
    named = f"{name} unreadable"
    if name == "sitemap-1.xml":
        named = "sitemap.xml part-not-found@3"
    assert summarize(findings, site) == [named]
    assert "password" not in str(findings)


@needs_posix
def test_links_within_the_site_are_followed(tmp_path: Path) -> None:
    files = {"1.0/index.html": page(), "sitemap.xml": urls("latest/")}
    site = write_site(tmp_path / "real", files)
    (site / "latest").symlink_to("1.0")
    (tmp_path / "site").symlink_to("real")
    assert check(tmp_path / "site") == []
    write_site(site, {"sitemap.xml": urls("latest/", "1.0/")})
    assert summarize(check(tmp_path / "site"), tmp_path / "site") == [
        "sitemap.xml duplicate@4"
    ]


@needs_posix
def test_sitemap_that_the_user_named_is_in_its_folder(tmp_path: Path) -> None:
    write_site(tmp_path, {"real/sitemap.xml": urls("", ""), "links/nothing": ""})
    (tmp_path / "links/sitemap.xml").symlink_to(tmp_path / "real/sitemap.xml")
    assert summarize(check(tmp_path / "links/sitemap.xml")) == ["unreadable"]


@needs_posix
def test_circular_links(tmp_path: Path) -> None:
    files = {
        "index.html": page(),
        "sitemap.xml": urls("", "a.html", "d/d/d/d/", "loop/"),
    }
    site = write_site(tmp_path, files)
    (site / "a.html").symlink_to("b.html")
    (site / "b.html").symlink_to("a.html")
    (site / "d").symlink_to(".")
    (site / "loop").symlink_to("loop")
    assert summarize(check(site, BASE), site) == [
        "sitemap.xml not-found@4",
        "sitemap.xml duplicate@5",
        "sitemap.xml not-found@6",
    ]
    (site / "sitemap.xml").unlink()
    (site / "sitemap.xml").symlink_to("sitemap.xml")
    assert summarize(check(site, BASE), site) == ["sitemap.xml unreadable"]


@needs_posix
def test_unusual_file_names(tmp_path: Path) -> None:
    names = [
        b"a\nb",
        b"\x1b[31mred",
        b"\xff\xfe",
        b"-rf",
        b"%2e%2e",
        "\u202eevil".encode(),
        b" ",
    ]
    for name in names:
        path = os.path.join(os.fsencode(tmp_path), name + b".html")
        with open(path, "wb") as file:
            file.write(page().encode())
    write_site(tmp_path, {"index.html": page(), "sitemap.xml": urls("")})
    findings = check(tmp_path)
    assert summarize(findings) == ["missing"] * len(
        names
    )  # summarize() asserts that all text is printable
    listed = urls(
        "", *(finding.url.removeprefix(BASE) for finding in findings if finding.url)
    )
    write_site(tmp_path, {"sitemap.xml": listed})
    assert summarize(check(tmp_path)) == []


@needs_posix
def test_folder_with_an_unusual_name(tmp_path: Path) -> None:
    folder = write_site(tmp_path / "a\n\x1b[31m", {"sitemap.xml": urls("a/")})
    assert summarize(check(folder, BASE)) == ["not-found@3"]
    done = invoke("check", folder / "nothing\n")
    assert (done.code, done.out) == (2, "")
    assert done.err.replace("\n", "").isprintable()


def test_many_origins(tmp_path: Path) -> None:
    listed = urlset(*(url(f"https://h{number}.example/") for number in range(40_000)))
    found = summarize(
        check(write_site(tmp_path, {"sitemap.xml": listed}) / "sitemap.xml")
    )
    assert {text.partition("@")[0] for text in found} == {"out-of-scope"}


def test_huge_robots_txt(tmp_path: Path) -> None:
    files = {"index.html": page(), "sitemap.xml": urlset(url(ROOT))}
    site = write_site(tmp_path, files)
    agents = "".join(f"User-agent: {number}\n" for number in range(20_000))
    for robots in (
        "x" * 10_000_000,
        agents + "Disallow: /\n" * 20_000,
        "User-agent: *\nAllow: /" + "*a" * 300_000,
        "User-agent: *\n" + "Disallow: /*?*=*&*/$\n" * 20_000,
        "User-agent: *\n" + "Disallow: /a$\n" * 501,
        "\0" * 1_000_000,
        "#\n" * 1_000_000,
    ):
        (site / "robots.txt").write_text(robots)
        assert summarize(check(site), site) == [
            "robots.txt robots-too-long",
            "robots.txt robots-no-sitemap",
        ]


def test_robots_txt_with_many_wildcards(tmp_path: Path) -> None:
    agents = "User-agent: *\nUser-agent: Googlebot\nUser-agent: Bingbot\n"
    rules = "".join(f"Disallow: /{'*a' * 120}{n}\n" for n in range(1_990))
    listed = urlset(*(url(f"{ROOT}?some-page-{n}") for n in range(20_000)))
    files = {"index.html": page(), "sitemap.xml": listed}
    site = write_site(
        tmp_path, {**files, "robots.txt": f"{agents}{rules}Sitemap: {ROOT}sitemap.xml"}
    )
    assert summarize(check(site), site) == ["robots.txt robots-too-long"]


def test_findings_are_limited_per_file(tmp_path: Path) -> None:
    names = [f"sitemap-{number}.xml" for number in range(1, 21)]
    site = write_site(
        tmp_path, {"sitemap.xml": index(*(f"{BASE}{name}" for name in names))}
    )
    write_site(site, {name: urlset(*[url("x")] * 200) for name in names})
    assert len(check(site / "sitemap.xml", BASE)) == 20 * 200
    write_site(site, {"sitemap-1.xml": urlset(*[url("x")] * 1_001)})
    result = check_site(site / "sitemap.xml", base_url=BASE)
    assert len(result.diagnostics) == 1_000 + 19 * 200
    assert result.truncated_files == [str(site / "sitemap-1.xml")]


def test_sitemaps_after_too_many_bytes_are_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("docs_sitemap_cli.published.sitemaps._MAX_TOTAL_BYTES", 800)
    names = [f"sitemap-{number}.xml" for number in range(1, 5)]
    write_site(tmp_path, {"sitemap.xml": index(*(f"{BASE}{name}" for name in names))})
    write_site(tmp_path, {name: urls(f"{name}/a/", f"{name}/b/") for name in names})
    result = check_site(tmp_path / "sitemap.xml", base_url=BASE)
    assert result.diagnostics == []
    assert result.truncated_files == [str(tmp_path / name) for name in names[2:]]
    assert (result.sitemaps, result.urls) == (3, 4)


def test_findings_of_a_nested_index_hide_no_others(tmp_path: Path) -> None:
    files = {
        "sitemap.xml": index(f"{BASE}2.xml", f"{BASE}1.xml"),
        "2.xml": index(*["x"] * 2_000),
        "1.xml": urlset(url("y")),
    }
    found = summarize(
        check(write_site(tmp_path, files) / "sitemap.xml", BASE), tmp_path
    )
    assert found[0] == "sitemap.xml child-not-sitemap@3"
    assert found[-1] == "1.xml loc-invalid@3"


def test_findings_of_an_incomplete_file_hide_no_others(tmp_path: Path) -> None:
    files = {
        "sitemap.xml": index(f"{BASE}1.xml", f"{BASE}2.xml"),
        "1.xml": urlset(*[url("x")] * 2_000).replace("</urlset>", ""),
        "2.xml": urlset(url("y")),
    }
    found = summarize(
        check(write_site(tmp_path, files) / "sitemap.xml", BASE), tmp_path
    )
    assert [text.partition("@")[0] for text in found] == [
        "1.xml not-well-formed",
        "2.xml loc-invalid",
    ]


def test_deeply_nested_pages(tmp_path: Path) -> None:
    deep = "a/" * 200
    files = {f"{deep}{number}.html": page() for number in range(300)}
    site = write_site(
        tmp_path, {"sitemap.xml": urls(""), "index.html": page(), **files}
    )
    (found,) = check(site)
    assert (found.code, "300 pages" in found.message) == ("missing", True)


@needs_posix
def test_index_that_lists_many_links_to_itself(tmp_path: Path) -> None:
    names = [f"{BASE}sitemap-{number}.xml" for number in range(1, 200)]
    site = write_site(
        tmp_path, {"sitemap.xml": index(*names), "sitemap-1.xml": urls("")}
    )
    write_site(site, {"index.html": page()})
    for number in range(2, 200):
        (site / f"sitemap-{number}.xml").symlink_to("sitemap.xml")
    found = summarize(check(site), site)
    assert found == [f"sitemap.xml child-not-sitemap@{line}" for line in range(4, 202)]


@pytest.fixture
def recursion_limit() -> Iterator[None]:
    limit = sys.getrecursionlimit()
    yield
    sys.setrecursionlimit(limit)


@needs_posix
@pytest.mark.usefixtures("recursion_limit")
def test_a_long_chain_of_links_is_a_finding(tmp_path: Path) -> None:
    write_site(tmp_path, {"index.html": page(), "sitemap.xml": urls("")})
    links = tmp_path / ".links"  # Otherwise, all of them would be followed.
    links.mkdir()
    target = "../index.html"
    for number in range(1_500):
        (links / f"link{number}").symlink_to(target)
        target = f"link{number}"
    (tmp_path / "robots.txt").symlink_to(f".links/{target}")
    (tmp_path / "sitemap.xml.gz").symlink_to(f".links/{target}")
    # Python needs one level of recursion for each link.
    for limit in (1_000, 10_000):
        sys.setrecursionlimit(limit)
        assert summarize(check(tmp_path), tmp_path) == ["sitemap.xml.gz unreadable"]
