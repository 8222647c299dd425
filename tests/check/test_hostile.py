"""What somebody may put in a sitemap's place to harm the one who checks it."""

from __future__ import annotations

import gzip
import os
import resource
import time
import zlib
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from support.checks import (
    BASE,
    DECLARATION,
    NAMESPACES,
    NOW,
    index,
    links,
    page,
    told,
    url,
    urls,
    urlset,
    write_site,
)

from docs_sitemap.check import Finding, check_sitemap
from docs_sitemap.check.folder import Folder
from docs_sitemap.check.paths import check_paths

ROOT = "https://example.org/"

LAUGHS = (
    '<!DOCTYPE lolz [<!ENTITY a "lol">'
    + "".join(f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in pairwise("abcdefghij"))
    + "]>"
)

PREFIXES = " ".join(f'xmlns:p{number}="u{number}"' for number in range(9_999))


def check(path: Path, base_url: str | None = None) -> list[Finding]:
    return check_paths([str(path)], now=NOW, base_url=base_url).findings


@pytest.fixture(autouse=True)
def _in_a_few_seconds() -> Iterator[None]:
    start = time.process_time()
    yield
    assert time.process_time() - start < 10


def bomb(head: bytes = b"") -> bytes:
    """100 MiB of spaces."""
    packer = zlib.compressobj(wbits=31)
    parts = [packer.compress(head), *(packer.compress(b" " * 2**20) for _ in range(100))]
    return b"".join([*parts, packer.flush()])


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
    "parameter entity": (b'<!DOCTYPE a [<!ENTITY % x SYSTEM "file:///a"> %x;]><a/>', ["doctype@1"]),
    "deep": (b"<a>" * 1_000_000, ["wrong-root@1"]),
    "deep entries": (
        f"<urlset {NAMESPACES}>{'<url>' * 100_000}".encode(),
        ["too-complex@1"],
    ),
    "deep foreign elements": (
        f'<urlset {NAMESPACES}><x xmlns="urn:x">{"<x>" * 100_000}'.encode(),
        ["too-complex@1"],
    ),
    "huge attribute": (b'<urlset a="' + b"x" * 40_000_000 + b'">', ["too-complex@1"]),
    "huge comment": (b"<!--" + b"x" * 40_000_000 + b"-->", ["too-complex@1"]),
    "huge name": (b"<" + b"x" * 40_000_000, ["too-complex@1"]),
    "huge text": (
        urlset(url(BASE + "x" * 40_000_000)).encode(),
        ["loc-too-long@3"],
    ),
    "huge text in many pieces": (
        urlset(url("x<!-- -->" * 1_000_000)).encode(),
        ["loc-too-long@3"],
    ),
    "huge CDATA": (
        urlset(f"<url><loc><![CDATA[{'x' * 40_000_000}]]></loc></url>").encode(),
        ["loc-too-long@3"],
    ),
    "larger than the limit": (urls("a/").encode() + b" " * 52_428_800, ["too-large"]),
    "many namespaces": (
        urls("a/").replace("<url>", f"<url {PREFIXES}>").encode(),
        [],
    ),
    "many unknown elements": (
        urlset(*(f"<e{number}/>" for number in range(500_000))).encode(),
        ["unknown-element"],
    ),
    "only NULs": (bytes(1_000_000), ["not-well-formed@1"]),
    "many links": (
        urlset(url(f"{BASE}a/", links(en=f"{BASE}a/") * 1_000)).encode(),
        ["alternate-invalid"],
    ),
    "too many links": (
        urlset(url(f"{BASE}a/", links(en=f"{BASE}a/") * 1_001)).encode(),
        ["too-complex@3"],
    ),
    "many origins": (
        urlset(*(url(f"https://h{number}.example/") for number in range(40_000))).encode(),
        ["host-differs"],
    ),
    "escapes for a terminal": (
        urls("\u202e\u2066a/", "&#x85;&#x9b;31m/").encode(),
        ["loc-not-ascii@3", "loc-not-encoded@4"],
    ),
}


@pytest.mark.parametrize(("data", "expected"), FILES.values(), ids=FILES)
def test_a_file_ends_in_a_finding(data: bytes, expected: list[str]) -> None:
    findings = check_sitemap(data, "sitemap.xml")
    if len(findings) > 10:
        assert len(findings) <= 1_001
        assert [*{finding.code.name for finding in findings}] == expected
    else:
        assert told(findings) == expected


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (bomb(), ["too-large"]),
        (bomb(urls("a/").encode()), ["too-large"]),
        (bomb(b"x"), ["not-well-formed@1"]),
        (gzip.compress(bomb()), ["not-well-formed@1"]),
        (gzip.compress(urls("a/").encode())[:-4], ["gzip-broken"]),
        (gzip.compress(urls("a/").encode())[:20], ["gzip-broken"]),
        (gzip.compress(urls("a/").encode())[:-8] + bytes(8), ["gzip-broken"]),
        (gzip.compress(urls("a/").encode()) + b"garbage", ["gzip-broken"]),
        (gzip.compress(urls("a/").encode()) + bytes(512), []),
        (b"\x1f\x8b", ["gzip-broken"]),
        (b"", ["not-well-formed"]),
    ],
    ids=[
        "bomb",
        "bomb behind a sitemap",
        "bomb behind no XML",
        "bomb in a bomb",
        "no checksum",
        "cut off",
        "wrong checksum",
        "garbage behind",
        "padding behind",
        "only the magic",
        "empty",
    ],
)
def test_compressed_data_ends_in_a_finding(data: bytes, expected: list[str]) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert told(check_sitemap(data, "sitemap.xml.gz")) == expected
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000  # kB


def test_a_bomb_beside_a_sitemap(tmp_path: Path) -> None:
    site = write_site(tmp_path, {"index.html": page(), "sitemap.xml": urls("")})
    (site / "sitemap.xml.gz").write_bytes(bomb(urls("").encode()))
    assert told(check(site), site) == ["sitemap.xml.gz gzip-differs"]


@pytest.mark.parametrize("name", ["sitemap.xml", "sitemap.xml.gz", "robots.txt"])
def test_what_is_no_file(tmp_path: Path, name: str) -> None:
    site = write_site(tmp_path / "site", {"index.html": page(), f"{name}/index.html": page()})
    if name == "robots.txt":
        write_site(site, {"sitemap.xml": urlset(url(ROOT))})
    expected = [f"{name} unreadable"]
    found = told(check(site, ROOT), site)
    assert [text for text in found if "missing" not in text] == expected
    assert told(check(site / f"{name}/nothing")) == ["unreadable"]


@pytest.mark.parametrize("name", ["sitemap.xml", "sitemap.xml.gz", "robots.txt"])
def test_a_named_pipe_is_not_waited_for(tmp_path: Path, name: str) -> None:
    site = write_site(tmp_path, {"index.html": page()})
    if name != "sitemap.xml":
        write_site(site, {"sitemap.xml": urlset(url(ROOT))})
    os.mkfifo(site / name)
    assert told(check(site), site) == [f"{name} unreadable"]
    assert told(check(site / name)) == ["unreadable"]


@pytest.mark.parametrize("path", ["", "nothing", "a\0b", "x" * 5_000, "/dev/null", "/dev/zero"])
def test_a_path_that_names_nothing(path: str) -> None:
    assert told(check_paths([path], now=NOW).findings) == ["unreadable"]


def test_files_that_may_not_be_read(tmp_path: Path) -> None:
    site = write_site(tmp_path, {"index.html": page(), "sitemap.xml": urls("")})
    (site / "index.html").chmod(0)
    if os.access(site / "index.html", os.R_OK):
        pytest.skip("this user may read everything")
    assert told(check(site), site) == ["sitemap.xml unreadable@3"]
    (site / "sitemap.xml").chmod(0)
    assert told(check(site), site) == ["sitemap.xml unreadable"]


def test_links_out_of_the_site_are_not_followed(tmp_path: Path) -> None:
    outside = write_site(tmp_path / "outside", {"secret.html": page(), "d/index.html": page()})
    listed = urls("", "secret.html", "d/", "d/index.html", "up/outside/secret.html")
    site = write_site(tmp_path / "site", {"index.html": page(), "sitemap.xml": listed})
    (site / "secret.html").symlink_to(outside / "secret.html")
    (site / "d").symlink_to("../outside/d")
    (site / "up").symlink_to("..")
    assert told(check(site, BASE), site) == [
        f"sitemap.xml outside-site@{line}" for line in (4, 5, 6, 7)
    ]


@pytest.mark.parametrize(
    "path", ["../site/a.html", "%2e%2e/site/a.html", "..%2fsite/a.html", "./a"]
)
def test_no_path_goes_up(tmp_path: Path, path: str) -> None:
    folder = Folder(str(write_site(tmp_path / "site", {"a.html": page()})))
    assert folder.open_url("a.html").file == "a.html"
    assert folder.open_url(path).file is None


def test_a_site_whose_name_another_one_starts_with(tmp_path: Path) -> None:
    write_site(tmp_path / "site-2", {"a.html": page()})
    files = {"index.html": page(), "sitemap.xml": urls("", "a.html")}
    site = write_site(tmp_path / "site", files)
    (site / "a.html").symlink_to("../site-2/a.html")
    assert told(check(site, BASE), site) == ["sitemap.xml outside-site@4"]


@pytest.mark.parametrize("name", ["sitemap.xml", "sitemap.xml.gz", "robots.txt", "sitemap-1.xml"])
def test_no_file_of_the_site_is_read_that_is_outside(tmp_path: Path, name: str) -> None:
    secret = write_site(tmp_path, {"secret": "password"}) / "secret"
    files = {"index.html": page()}
    if name == "sitemap-1.xml":
        files["sitemap.xml"] = index(f"{ROOT}sitemap-1.xml")
    elif name != "sitemap.xml":
        files["sitemap.xml"] = urlset(url(ROOT))
    site = write_site(tmp_path / "site", files)
    (site / name).symlink_to(secret)
    findings = check(site, ROOT)
    named = "sitemap.xml outside-site@3" if name == "sitemap-1.xml" else f"{name} outside-site"
    assert told(findings, site) == [named]
    assert "password" not in str(findings)


def test_links_within_the_site_are_followed(tmp_path: Path) -> None:
    files = {"1.0/index.html": page(), "sitemap.xml": urls("latest/")}
    site = write_site(tmp_path / "real", files)
    (site / "latest").symlink_to("1.0")
    (tmp_path / "site").symlink_to("real")
    assert check(tmp_path / "site") == []
    write_site(site, {"sitemap.xml": urls("latest/", "1.0/")})
    assert told(check(tmp_path / "site"), tmp_path / "site") == ["sitemap.xml same-page@4"]


def test_a_sitemap_that_the_user_named_may_be_a_link(tmp_path: Path) -> None:
    write_site(tmp_path, {"real/sitemap.xml": urls("", ""), "links/nothing": ""})
    (tmp_path / "links/sitemap.xml").symlink_to(tmp_path / "real/sitemap.xml")
    assert told(check(tmp_path / "links/sitemap.xml")) == ["duplicate@4"]


def test_links_that_go_round_end(tmp_path: Path) -> None:
    files = {"index.html": page(), "sitemap.xml": urls("", "a.html", "d/d/d/d/", "loop/")}
    site = write_site(tmp_path, files)
    (site / "a.html").symlink_to("b.html")
    (site / "b.html").symlink_to("a.html")
    (site / "d").symlink_to(".")
    (site / "loop").symlink_to("loop")
    assert told(check(site, BASE), site) == [
        "sitemap.xml not-found@4",
        "sitemap.xml same-page@5",
        "sitemap.xml not-found@6",
    ]
    (site / "sitemap.xml").unlink()
    (site / "sitemap.xml").symlink_to("sitemap.xml")
    assert told(check(site, BASE), site) == ["sitemap.xml unreadable"]


def test_file_names_of_all_kinds(tmp_path: Path) -> None:
    names = [b"a\nb", b"\x1b[31mred", b"\xff\xfe", b"-rf", b"%2e%2e", "\u202eevil".encode(), b" "]
    for name in names:
        path = os.path.join(os.fsencode(tmp_path), name + b".html")
        with open(path, "wb") as file:
            file.write(page().encode())
    write_site(tmp_path, {"index.html": page(), "sitemap.xml": urls("")})
    findings = check(tmp_path)
    assert told(findings) == ["missing"] * len(names)  # told() holds that all is printable
    listed = urls("", *(finding.url.removeprefix(BASE) for finding in findings if finding.url))
    write_site(tmp_path, {"sitemap.xml": listed})
    assert check(tmp_path) == []


def test_a_folder_with_a_strange_name(tmp_path: Path) -> None:
    folder = write_site(tmp_path / "a\n\x1b[31m", {"sitemap.xml": urls("a/")})
    assert told(check(folder, BASE)) == ["not-found@3"]
    assert told(check(folder / "nothing\n")) == ["unreadable"]


def test_a_huge_robots_txt(tmp_path: Path) -> None:
    files = {"index.html": page(), "sitemap.xml": urlset(url(ROOT))}
    site = write_site(tmp_path, files)
    agents = "".join(f"User-agent: {number}\n" for number in range(20_000))
    for robots in (
        "x" * 10_000_000,
        agents + "Disallow: /\n" * 20_000,
        "User-agent: *\nAllow: /" + "*a" * 300_000,
        "User-agent: *\n" + "Disallow: /*?*=*&*/$\n" * 20_000,
        "\0" * 1_000_000,
        "#\n" * 1_000_000,
    ):
        (site / "robots.txt").write_text(robots)
        assert told(check(site), site) == [
            "robots.txt robots-too-long",
            "robots.txt robots-no-sitemap",
        ]


def test_what_is_wrong_in_many_files_is_held_for_few(tmp_path: Path) -> None:
    names = [f"sitemap-{number}.xml" for number in range(1, 21)]
    site = write_site(tmp_path, {"sitemap.xml": index(*(f"{BASE}{name}" for name in names))})
    write_site(site, {name: urlset(*[url("x")] * 200) for name in names})
    findings = check(site / "sitemap.xml", BASE)
    assert sum(finding.number for finding in findings) == 20 * 200
    assert sum(not finding.more for finding in findings) == 1_000


def test_what_is_wrong_in_a_nested_index_hides_nothing(tmp_path: Path) -> None:
    files = {
        "sitemap.xml": index(f"{BASE}2.xml", f"{BASE}1.xml"),
        "2.xml": index(*["x"] * 2_000),
        "1.xml": urlset(url("y")),
    }
    found = told(check(write_site(tmp_path, files) / "sitemap.xml", BASE), tmp_path)
    assert found == ["sitemap.xml child-is-index@3", "1.xml loc-invalid@3"]


def test_what_is_wrong_in_a_file_that_breaks_off_hides_nothing(tmp_path: Path) -> None:
    files = {
        "sitemap.xml": index(f"{BASE}1.xml", f"{BASE}2.xml"),
        "1.xml": urlset(*[url("x")] * 2_000).replace("</urlset>", ""),
        "2.xml": urlset(url("y")),
    }
    found = told(check(write_site(tmp_path, files) / "sitemap.xml", BASE), tmp_path)
    assert [text.partition("@")[0] for text in found] == [
        "1.xml not-well-formed",
        "2.xml loc-invalid",
    ]


def test_pages_that_are_deep_down(tmp_path: Path) -> None:
    deep = "a/" * 200
    files = {f"{deep}{number}.html": page() for number in range(300)}
    site = write_site(tmp_path, {"sitemap.xml": urls(""), "index.html": page(), **files})
    assert told(check(site)) == ["missing"] * 300


def test_an_index_of_many_sitemaps_that_are_one(tmp_path: Path) -> None:
    names = [f"{BASE}sitemap-{number}.xml" for number in range(1, 200)]
    site = write_site(tmp_path, {"sitemap.xml": index(*names), "sitemap-1.xml": urls("")})
    write_site(site, {"index.html": page()})
    for number in range(2, 200):
        (site / f"sitemap-{number}.xml").symlink_to("sitemap.xml")
    found = told(check(site), site)
    assert found == [f"sitemap.xml child-is-index@{line}" for line in range(4, 202)]
