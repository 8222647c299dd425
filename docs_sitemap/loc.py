"""Base URL and page URL to an absolute, percent-encoded, checked `<loc>`.

The protocol asks for URLs that follow RFC 3986 and RFC 3987:
<https://www.sitemaps.org/protocol.html#escaping>.
"""

from __future__ import annotations

import re
from functools import lru_cache
from urllib.parse import quote, unquote_to_bytes, urlsplit

from docs_sitemap.errors import UrlError
from docs_sitemap.model import MAX_LOC_LENGTH

# RFC 3986, section 2: unreserved, sub-delims, and what else may stand in a path or a query.
_URL_SAFE = "!$&'()*+,;=:@/?"
_CLEAN = re.compile(r"(?:[A-Za-z0-9._~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*")
_STRAY_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")
# https://www.rfc-editor.org/rfc/rfc1123#section-2.1: 255 bytes with the dots and the length; the
# codec takes long for long ones.
MAX_HOST = 253
# Paths that are in normal form, as most are; some that are match none of this.
PLAIN_PATH = r"/(?:[A-Za-z0-9._~/-]|%(?:20|[89A-F][0-9A-F]))*"
_NORMAL = re.compile(rf"https?://[a-z0-9.-]+{PLAIN_PATH}")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_HOST = re.compile(r"[A-Za-z0-9._~-]+|\[[0-9A-Fa-f:.]+\]")


def quote_path(path: str | bytes) -> str:
    """Percent-encode a raw path, such as a file name, for use as a page's `url`.

    Everything but unreserved characters and `/` is encoded, `%`, `?` and `#` too: call it
    exactly once. File names that are no UTF-8 are encoded byte by byte.

    Args:
        path: the path with `/` between its parts; `str` may hold surrogate escapes (PEP 383).

    Raises:
        UrlError: the text holds a surrogate that stands for no byte.
    """
    return quote(path if isinstance(path, bytes) else _to_bytes(path), safe="/")


def check_base_url(text: str) -> str:
    """Return the base URL in normal form: ASCII, with a trailing slash.

    Args:
        text: an absolute `http` or `https` URL; an internationalised host and other characters
            outside ASCII are encoded.

    Raises:
        UrlError: it is not absolute, or has a part that no base URL may have.
    """
    text = text.strip()
    try:
        parts = urlsplit(text)
        port = parts.port
        host = _ascii_host(parts.hostname or "")
    except ValueError as error:  # UnicodeError is one, too
        raise UrlError(f"{text!r} is not a valid URL ({error})") from None
    if parts.scheme not in ("http", "https") or not host:
        raise UrlError(
            f"{text!r} is not an absolute URL: it should look like https://example.org/docs/"
        )
    if parts.username is not None or "?" in text or "#" in text:
        raise UrlError(f"{text!r} may have no user name, query or fragment")
    if has_dot_segments(parts.path):
        raise UrlError(f"{text!r} has a '.' or '..' among its segments")
    host = f"[{host}]" if ":" in host else host
    if not _HOST.fullmatch(host):
        raise UrlError(f"{text!r} has a character in its host that no host name may have")
    netloc = host if port is None else f"{host}:{port}"
    path = re.sub("/{2,}", "/", _encode(parts.path))  # as tools do that join it to paths
    return f"{parts.scheme}://{netloc}{path}" + ("" if path.endswith("/") else "/")


def make_loc(base_url: str, url: str) -> str:
    """Return the `<loc>` of a page: ASCII, percent-encoded exactly once.

    Args:
        base_url: as [`check_base_url`][docs_sitemap.loc.check_base_url] returns it.
        url: the page's URL relative to the base URL.

    Raises:
        UrlError: the URL leaves the base URL's host or directory, or is too long.
    """
    encoded = url if _CLEAN.fullmatch(url) else _encode(url)
    if encoded.startswith("/") or _SCHEME.match(encoded):
        raise UrlError(f"{url!r} is not relative to the base URL")
    if has_dot_segments(encoded.partition("?")[0]):
        raise UrlError(f"{url!r} has a '.' or '..' among its segments")
    loc = base_url + encoded
    if len(loc) > MAX_LOC_LENGTH:
        raise UrlError(
            f"the URL has {len(loc)} characters, {MAX_LOC_LENGTH} are allowed: {loc[:60]}…"
        )
    return loc


def same_url(one: str, other: str) -> bool:
    """Whether two absolute URLs are the same but for how they are written: upper and lower case
    in scheme and host, the default port, percent-encoding. Fragments do not count.

    Source: <https://www.rfc-editor.org/rfc/rfc3986#section-6.2>.
    """
    return one == other or normalize_url(one) == normalize_url(other)


def same_page(one: str, other: str) -> bool:
    """Whether two absolute URLs name the same file of a site: they are the same, or differ in an
    `index.html` that servers add by themselves.
    """
    return one == other or same_url(_without_index(one), _without_index(other))


def _without_index(url: str) -> str:
    path, mark, rest = re.match(r"([^?#]*)([?#]?)(.*)", url, re.S).groups()  # type: ignore[union-attr]
    return (
        f"{path.removesuffix('index.html') if path.endswith('/index.html') else path}{mark}{rest}"
    )


def normalize_url(url: str) -> str:
    """Return an absolute URL in the one form that all of its spellings have; a text that is no
    valid URL is left as it is.
    """
    if _NORMAL.fullmatch(url):
        return url
    try:
        parts = urlsplit(url.strip())
        host = _ascii_host((parts.hostname or "").lower())
        port = parts.port
        # Servers decode the whole of a segment, sub-delims too.
        segments = [quote(unquote_to_bytes(segment), safe="") for segment in parts.path.split("/")]
    except ValueError:
        return url
    if not parts.scheme or not host:
        return url
    default = {"http": 80, "https": 443}.get(parts.scheme)
    host = f"[{host}]" if ":" in host else host
    netloc = host if port in (None, default) else f"{host}:{port}"
    query = f"?{parts.query}" if parts.query else ""
    return f"{parts.scheme}://{netloc}{'/'.join(segments) or '/'}{query}"


@lru_cache(maxsize=256)
def _ascii_host(host: str) -> str:
    if len(host) > MAX_HOST:
        raise ValueError(f"its host has more than {MAX_HOST} characters")
    encoded = host.encode("idna").decode("ascii")
    # The codec knows IDNA 2003 only, in which some hosts turn into others.
    if not host.isascii() and encoded.encode("ascii").decode("idna") != host:
        raise ValueError("write its host in the form that starts with xn--")
    return encoded


def has_dot_segments(path: str) -> bool:
    """Whether a `.` or `..` is among the segments of a path, percent-encoded or not."""
    if "." not in path and "%2" not in path:
        return False
    return not {".", ".."}.isdisjoint(re.sub("%2e", ".", path, flags=re.I).split("/"))


def _encode(url: str) -> str:
    if "#" in url:
        raise UrlError(f"{url!r} has a fragment; a '#' in a file name must be written %23")
    return quote(_to_bytes(_STRAY_PERCENT.sub("%25", url)), safe=_URL_SAFE + "%")


def _to_bytes(text: str) -> bytes:
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        raise UrlError(f"{text!a} cannot be encoded in UTF-8") from None
