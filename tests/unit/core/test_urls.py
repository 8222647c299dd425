"""URLs: encode, parse, validate, normalize, and compare."""

from __future__ import annotations

import os
from urllib.parse import unquote_to_bytes, urlsplit

import pytest
from hypothesis import given, strategies as st
from support.readers import SCHEMA

from docs_sitemap import UrlError, quote_path
from docs_sitemap.sitemap.urls import NormalizedUrl, make_loc, parse_base_url

BASE = parse_base_url("https://example.org/docs/")

# File systems allow any bytes except NUL and the slash. Python decodes them to text.
file_names = st.binary(min_size=1, max_size=60).map(
    lambda raw: os.fsdecode(raw.replace(b"\0", b"").replace(b"/", b"") or b"x")
)


@given(st.lists(file_names, min_size=1, max_size=4))
def test_every_file_name_is_encoded_once_and_can_be_decoded(names: list[str]) -> None:
    path = "/".join(f"-{name}" for name in names)  # without dot segments
    loc = make_loc(BASE, quote_path(path))
    assert loc.isascii()
    assert not set(loc) & set('"<>\\^`{|} \n')
    assert unquote_to_bytes(urlsplit(loc).path.removeprefix("/docs/")) == os.fsencode(
        path
    )
    assert urlsplit(loc).query == urlsplit(loc).fragment == ""


@given(st.text(max_size=80))
def test_any_text_gives_a_valid_url_or_one_error(url: str) -> None:
    try:
        loc = make_loc(BASE, url)
    except UrlError:
        return
    assert loc.isascii()
    assert loc.startswith(BASE)
    assert make_loc(BASE, loc.removeprefix(BASE)) == loc, (
        "encoding twice changes nothing"
    )


@pytest.mark.parametrize(
    ("url", "loc"),
    [
        ("", BASE),
        ("a/b.html", BASE + "a/b.html"),
        ("a%20b/", BASE + "a%20b/"),
        ("a%2520b/", BASE + "a%2520b/"),
        ("a b/", BASE + "a%20b/"),
        ("100%/", BASE + "100%25/"),
        ("é/", BASE + "%C3%A9/"),
        ("a&b'<c>\"/", BASE + "a&b'%3Cc%3E%22/"),
        ("a\0\x1f\ufffe/", BASE + "a%00%1F%EF%BF%BE/"),
        ("\udcff/", BASE + "%FF/"),
        ("q/?a=1&b=/../", BASE + "q/?a=1&b=/../"),
        ("%7Ea/%2f", BASE + "%7Ea/%2f"),
        ("a...b/", BASE + "a...b/"),
    ],
)
def test_invalid_characters_are_encoded_and_encoded_ones_stay(
    url: str, loc: str
) -> None:
    assert make_loc(BASE, url) == loc


@pytest.mark.parametrize(
    "url",
    [
        "https://evil.example/",
        "//evil.example/",
        "/absolute/",
        "javascript:alert(1)",
        "../up/",
        "a/../../up/",
        "./",
        "a#b",
        "%2e%2E/up/",
        "\ud800",
    ],
)
def test_a_url_outside_the_site_is_an_error(url: str) -> None:
    with pytest.raises(UrlError):
        make_loc(BASE, url)


def test_the_longest_url_has_2047_characters() -> None:
    longest = "x" * (2047 - len(BASE))
    assert len(make_loc(BASE, longest)) == 2047
    with pytest.raises(UrlError, match="2,048 characters"):
        make_loc(BASE, longest + "x")


def test_the_longest_host_has_253_characters() -> None:
    longest = ".".join(["x" * 61] * 4) + ".abcde"
    assert len(parse_base_url(f"https://{longest}/")) == len("https:///") + 253
    with pytest.raises(UrlError, match="host is too long"):
        parse_base_url(f"https://{longest}f/")


@pytest.mark.parametrize(
    ("text", "base"),
    [
        ("https://example.org", "https://example.org/"),
        ("https://example.org/a", "https://example.org/a/"),
        ("https://example.org//a///b//", "https://example.org/a/b/"),
        (" HTTPS://Example.org:8080/a b/\n", "https://example.org:8080/a%20b/"),
        ("http://127.0.0.1:8000/", "http://127.0.0.1:8000/"),
        ("http://[::1]:8000", "http://[::1]:8000/"),
        ("https://bücher.example/ä", "https://xn--bcher-kva.example/%C3%A4/"),
        ("https://example.org/v1.0", "https://example.org/v1.0/"),
        ("https://example.org/a.html/", "https://example.org/a.html/"),
        ("https://straße.example/", "https://xn--strae-oqa.example/"),
    ],
)
def test_a_base_url_is_normalized(text: str, base: str) -> None:
    assert parse_base_url(text) == base


@pytest.mark.parametrize(
    "text",
    [
        "",
        "/",
        "example.org",
        "//example.org/",
        "ftp://example.org/",
        "https:///path",
        "https://user:password@example.org/",
        "https://example.org/?q",
        "https://example.org/#f",
        "https://example.org:port/",
        "https://exa mple.org/",
        "https://[::1/",
        "https://a..b/",
        "https://<example>/",
        "https://example.org/a/../b/",
        "https://example.org/#",
        "https://example.org/docs/index.html",
        "https://example.org/index.html/",
        "https://example.org/home.htm",
    ],
)
def test_an_invalid_base_url_is_an_error_that_quotes_it(text: str) -> None:
    with pytest.raises(UrlError) as raised:
        parse_base_url(text)
    assert repr(text.replace("user:password", "***")) in str(raised.value)


@given(st.text(max_size=40), st.text(max_size=40))
def test_any_text_gives_a_valid_base_url_or_one_error(host: str, path: str) -> None:
    try:
        base = parse_base_url(f"https://{host}/{path}")
    except UrlError:
        return
    assert base.isascii()
    assert base.endswith("/")
    assert parse_base_url(base) == base


def test_the_schema_of_the_tests_rejects_invalid_urls() -> None:
    from lxml import etree

    root = etree.fromstring(
        b'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url>'
        b"<loc>https://example.org/a b</loc></url></urlset>"
    )
    assert not SCHEMA.validate(root)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("https://EXAMPLE.org:443/A%7e", "HTTPS://example.org/A~#part", True),
        ("http://example.org:80", "http://example.org/", True),
        ("https://[::1]:443/", "https://[::1]/", True),
        ("https://ex.org/(a),b", "https://ex.org/%28a%29%2Cb", True),
        ("https://ex.org/é", "https://ex.org/%c3%a9", True),
        ("https://ex.org/a%2Fb", "https://ex.org/a/b", False),
        ("https://ex.org/a%3Fb", "https://ex.org/a?b", False),
        ("https://ex.org/a", "https://ex.org/a/", False),
        ("https://ex.org/a", "https://ex.org/A", False),
        ("https://ex.org/a?b=1", "https://ex.org/a", False),
        ("https://ex.org/a?", "https://ex.org/a", True),
        ("http://ex.org/", "https://ex.org/", False),
        ("https://ex.org:8443/", "https://ex.org/", False),
        ("https://[", "https://[", True),
    ],
)
def test_spellings_of_the_same_url(one: str, other: str, same: bool) -> None:
    assert (NormalizedUrl(one) == NormalizedUrl(other)) is same
    assert (len({NormalizedUrl(one), NormalizedUrl(other)}) == 1) is same


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("https://ex.org/a/index.html", "https://ex.org/a/", True),
        ("https://ex.org/index.html?b", "https://ex.org/?b", True),
        ("https://ex.org/a/index.html#b", "https://ex.org/a/", True),
        ("https://ex.org/a/index.html#b?c", "https://ex.org/a/", True),
        ("https://ex.org/a-index.html", "https://ex.org/a-", False),
        ("https://ex.org/a/index.html", "https://ex.org/a", False),
    ],
)
def test_an_index_file_is_the_page_of_its_folder(
    one: str, other: str, same: bool
) -> None:
    assert (NormalizedUrl(one).page == NormalizedUrl(other).page) is same


@given(st.text(max_size=30))
def test_a_normalized_url_stays_the_same(text: str) -> None:
    for start in ("", "https://", "https://ex.org/", "HTTP://EX.org:80/a/index.html"):
        url = NormalizedUrl(start + text)
        assert NormalizedUrl(url) is url
        assert NormalizedUrl(str(url)) == url
        assert url.page.page == url.page
        assert hash(url) == hash(NormalizedUrl(f"{start}{text}"))


@given(
    scheme=st.sampled_from(["http", "HTTPS", "Https"]),
    host=st.sampled_from(["ex.org", "EX.org", "b\u00fccher.example", "[::1]"]),
    port=st.sampled_from(["", ":80", ":443", ":8080"]),
    path=st.text(st.sampled_from("/aA~%(é.@;+"), max_size=8),
    end=st.sampled_from(["", "?", "?q=1", "#part", "?#"]),
)
def test_parts_of_a_normalized_url(
    scheme: str, host: str, port: str, path: str, end: str
) -> None:
    url = NormalizedUrl(f"{scheme}://{host}{port}/{path}{end}")
    assert url.isascii()
    assert url.startswith(url.origin)
    assert url.origin == url.origin.lower()
    default = {"http": ":80", "https": ":443"}[scheme.lower()]
    assert not url.origin.endswith(default)
    assert url.folder.endswith("/")
    assert url.folder.count("/") == url.count("/")
    assert NormalizedUrl(f"{url}#fragment") == url
    # All encoded spellings of the path are the same URL.
    spelled = quote_path(path).replace("%25", "%")
    if "%" not in path:
        assert NormalizedUrl(f"{url.origin}/{spelled}{end}") == url


@given(st.binary(max_size=30))
def test_all_spellings_of_a_path_are_normalized_to_one(path: bytes) -> None:
    encoded = "".join(f"%{byte:02X}" for byte in path)
    spellings = {encoded, encoded.lower()}
    if b"/" not in path:
        spellings.add(quote_path(path))
    assert len({NormalizedUrl(f"https://ex.org/{path}") for path in spellings}) == 1


@pytest.mark.parametrize("text", ["", "a", "mailto:a@b", "https://[", "ftp://a/b"])
def test_an_invalid_url_equals_only_itself(text: str) -> None:
    assert NormalizedUrl(text) == text
    assert NormalizedUrl(text) != NormalizedUrl(f"{text}#a")
