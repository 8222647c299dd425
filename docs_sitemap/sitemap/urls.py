"""URLs: encode, parse, validate, normalize, and compare them.

The protocol requires URLs that follow RFC 3986 and RFC 3987:
<https://www.sitemaps.org/protocol.html#escaping>.
"""

import re
from contextlib import suppress
from functools import lru_cache
from typing import NamedTuple, NewType
from urllib.parse import quote, unquote_to_bytes, urljoin

from docs_sitemap.diagnostics import UrlError
from docs_sitemap.tools.printing import shorten

from .protocol import MAX_LOC_LENGTH
from .rules import Rule, error, warning

BaseUrl = NewType("BaseUrl", str)
"""The absolute URL that the URLs of all pages start with: ASCII, with a trailing slash.
"""

RelativeUrl = NewType("RelativeUrl", str)
"""A percent-encoded URL relative to the base URL; empty for the home page."""

INDEX_FILE = "index.html"
_INDEX = re.compile(rf"\A([^?#]*/){re.escape(INDEX_FILE)}(?=[?#]|\Z)")

# Other suffixes may be part of the name of a page or folder, such as `v1.0`.
PAGE_SUFFIX = re.compile(r"\.(?:x?html?|shtml|php)\Z")

# RFC 3986, section 2: unreserved characters, sub-delimiters, and other characters that
# a path or a query may contain.
_SAFE = "!$&'()*+,;=:@/?"
_ENCODED = re.compile(r"(?:[A-Za-z0-9._~!$&'()*+,;=:@/?-]++|%[0-9A-Fa-f]{2})*+")
_STRAY_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")
_NOT_ALLOWED = re.compile(r"""[\x00-\x20"<>\\^`{|}\[\]\x7f-\x9f]|%(?![0-9A-Fa-f]{2})""")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")

# RFC 3986, appendix B, for URLs that have an authority.
_URL = re.compile(
    r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*)://(?P<authority>[^/?#]*)"
    r"(?P<path>[^?#]*)(?P<query>\?[^#]*)?(?P<fragment>#.*)?",
    re.S,
)
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_AUTHORITY = re.compile(
    r"(?P<host>[^@:\[\]%]+|\[[0-9A-Fa-f:.]+\])(?::(?P<port>[0-9]{1,9}))?"
)
_ASCII_HOST = re.compile(r"[A-Za-z0-9_~-]{1,63}(?:\.[A-Za-z0-9_~-]{1,63})*\.?")
# https://www.rfc-editor.org/rfc/rfc1123#section-2.1: 255 bytes with the dots and the
# length.
_MAX_HOST = 253
_DEFAULT_PORTS = {"http": 80, "https": 443}

# A shortcut for most URLs: they have no faults and are normalized.
_PLAIN = re.compile(
    rf"https?://(?=[^/]{{1,{_MAX_HOST}}}/)[a-z0-9-]{{1,63}}(?:\.[a-z0-9-]{{1,63}})*"
    r"/(?:[A-Za-z0-9._~/-]++|%(?:20|[89A-F][0-9A-F]))*+"
)


class NormalizedUrl(str):
    """An absolute URL whose spellings are all equal. It does not depend on upper and
    lower case in scheme and host, the default port, percent-encoding, and fragments.

    A text that is not a valid URL equals only itself.

    Source: <https://www.rfc-editor.org/rfc/rfc3986#section-6.2>.

    Args:
        text: The URL as written.
    """

    __slots__ = ()

    def __new__(cls, text: str) -> "NormalizedUrl":
        if isinstance(text, NormalizedUrl):
            return text
        if not _PLAIN.fullmatch(text):
            with suppress(ValueError):
                text = _normalize(_parse(text.strip()))
        return str.__new__(cls, text)

    @property
    def origin(self) -> str:
        """The scheme, host, and port of a valid URL."""
        return self[: self.index("/", len("https://"))]

    @property
    def page(self) -> "NormalizedUrl":
        """The URL without its index file, which servers add by themselves."""
        if INDEX_FILE not in self:
            return self
        return NormalizedUrl(_INDEX.sub(r"\1", self))

    @property
    def folder(self) -> str:
        """The URL of the folder that contains the URL, with a slash at its end."""
        path = self.partition("?")[0]
        return f"{path.rpartition('/')[0]}/"


def resolve(url: str, reference: str) -> str | None:
    """Return the absolute URL of a link; `None` if the link is not a URL, so that
    browsers ignore it.

    Args:
        url: The URL of the page with the link.
        reference: The link, as written.
    """
    with suppress(ValueError):
        return urljoin(url, reference)
    return None


class CheckedUrl(NamedTuple):
    """The result of [`check_url`][docs_sitemap.sitemap.urls.check_url].

    Attributes:
        normalized: The normalized URL; `None` if the URL is invalid.
        faults: The rule that it breaks, with a message; empty if it breaks none.
    """

    normalized: NormalizedUrl | None
    faults: tuple[tuple[Rule, str], ...] = ()


class _UrlParts(NamedTuple):
    """The parts of an absolute URL: scheme and host in lower case, the rest as
    written.
    """

    scheme: str
    host: str
    port: int | None
    path: str
    query: str
    fragment: str

    @property
    def origin(self) -> str:
        if self.port in (None, _DEFAULT_PORTS[self.scheme]):
            return f"{self.scheme}://{self.host}"
        return f"{self.scheme}://{self.host}:{self.port}"


def quote_path(path: str | bytes) -> RelativeUrl:
    """Percent-encode a raw path, such as a file name, for use as the `url` of a page.

    Call it once: `%`, `?`, and `#` are encoded, too. File names that are not UTF-8 are
    encoded byte by byte.

    Args:
        path: The path with `/` as separator. A `str` may contain surrogate escapes (PEP
            383).

    Raises:
        UrlError: The text contains a surrogate that does not represent a byte.
    """
    if isinstance(path, str):
        path = _to_bytes(path)
    return RelativeUrl(quote(path, safe="/"))


def page_url(path: str) -> RelativeUrl:
    """Return the URL of an HTML file of a site: an index file has the URL of its
    folder. Generators do not encode the `@` in the names of JavaScript packages.

    Args:
        path: The path relative to the site's folder, with `/` as separator.
    """
    return RelativeUrl(quote_path(strip_index(path)).replace("%40", "@"))


def is_index(path: str) -> bool:
    """Return whether a path or URL names an index file, which servers send for its
    folder.
    """
    return path == INDEX_FILE or path.endswith(f"/{INDEX_FILE}")


def strip_index(path: str) -> str:
    """Return a path or URL without its index file."""
    return path.removesuffix(INDEX_FILE) if is_index(path) else path


def parse_base_url(text: str) -> BaseUrl:
    """Validate the address of a site, and encode it.

    Args:
        text: An absolute `http` or `https` URL. Characters outside ASCII are encoded,
            also in the host, and a missing trailing slash is added.

    Raises:
        UrlError: The URL is not absolute, or has a part that a base URL cannot have.
    """
    text = text.strip()
    try:
        parts = _parse(text)
        if parts.query or parts.fragment:
            raise ValueError("it has a query or a fragment")
        if has_dot_segments(parts.path):
            raise ValueError("it has a '.' or '..' segment")
        # MkDocs adds a slash to the address that the user sets.
        if PAGE_SUFFIX.search(parts.path) or is_index(parts.path.rstrip("/")):
            raise ValueError("it leads to a file, not a folder")
        path = re.sub("/{2,}", "/", _encode(parts.path)).removesuffix("/")
        port = "" if parts.port is None else f":{parts.port}"
        base_url = f"{parts.scheme}://{parts.host}{port}{path}/"
    except ValueError as error:
        raise UrlError(f"{shorten(text)} is not a valid base URL: {error}") from None
    return BaseUrl(base_url)


def make_loc(base_url: BaseUrl, url: str) -> str:
    """Return the `<loc>` of a page: ASCII, percent-encoded exactly once.

    Args:
        base_url: The base URL.
        url: The URL of the page relative to the base URL.

    Raises:
        UrlError: The URL leaves the host or directory of the base URL, or is too long.
    """
    encoded = url if _ENCODED.fullmatch(url) else _encode(url)
    if encoded.startswith("/") or (":" in encoded and _SCHEME.match(encoded)):
        raise UrlError(f"{shorten(url)} is not relative to the base URL")
    if has_dot_segments(encoded.partition("?")[0]):
        raise UrlError(f"{shorten(url)} has a '.' or '..' segment")
    loc = base_url + encoded
    if len(loc) > MAX_LOC_LENGTH:
        raise UrlError(
            f"the URL has {len(loc):,} characters, but the protocol allows "
            f"{MAX_LOC_LENGTH:,}: {loc[:60]}…"
        )
    return loc


LOC_INVALID = error(
    "loc-invalid",
    "a <loc> is not an absolute URL, or has a fragment or a '.' or '..' segment",
    "use a URL such as https://example.org/docs/",
)

LOC_TOO_LONG = error(
    "loc-too-long",
    "a <loc> has 2,048 characters or more",
    "shorten or remove the URL",
)

LOC_NOT_ENCODED = error(
    "loc-not-encoded",
    "a <loc> has an invalid character",
    "percent-encode it: a space is %20",
)

LOC_NOT_ASCII = warning(
    "loc-not-ascii",
    "a <loc> contains a non-ASCII character, which crawlers may encode differently",
    "percent-encode it; write internationalized hosts in the form that "
    "starts with xn--",
)


def check_url(text: str) -> CheckedUrl:
    """Check an absolute `http` or `https` URL against RFC 3986 and the protocol.

    Args:
        text: The URL, or the start of one that is too long.
    """
    if len(text) > MAX_LOC_LENGTH:
        message = f"it has more than {MAX_LOC_LENGTH:,} characters"
        return CheckedUrl(None, ((LOC_TOO_LONG, message),))
    if _PLAIN.fullmatch(text) and "/." not in text:
        return CheckedUrl(str.__new__(NormalizedUrl, text))
    try:
        parts = _parse(text)
        if parts.fragment:
            raise ValueError("it has a fragment, which search engines ignore")
        if has_dot_segments(parts.path):
            raise ValueError("it has a '.' or '..' segment")
    except ValueError as error:
        return CheckedUrl(None, ((LOC_INVALID, f"{shorten(text)}: {error}"),))
    normalized = NormalizedUrl(_normalize(parts))
    rule = LOC_NOT_ENCODED
    character = _NOT_ALLOWED.search(parts.path + parts.query)
    if character is None:
        rule = LOC_NOT_ASCII
        character = _NOT_ASCII.search(text)
    if character is None:
        return CheckedUrl(normalized)
    message = f"it contains {shorten(character[0])} unencoded"
    return CheckedUrl(normalized, ((rule, message),))


def has_dot_segments(path: str) -> bool:
    """Return whether a path has a `.` or `..` segment, percent-encoded or not."""
    segments = path.replace("%2e", ".").replace("%2E", ".").split("/")
    return "." in segments or ".." in segments


def _parse(text: str) -> _UrlParts:
    """Split an absolute `http` or `https` URL.

    Raises:
        ValueError: It is not a valid URL. The message is the reason.
    """
    match = _URL.fullmatch(text)
    if match is None:
        raise ValueError("it is not absolute")
    scheme = match["scheme"].lower()
    if scheme not in _DEFAULT_PORTS:
        raise ValueError("it is not http or https")
    authority = _AUTHORITY.fullmatch(match["authority"])
    if authority is None:
        raise ValueError("its host or port is invalid, or it has a user name")
    port = None
    if authority["port"]:
        port = int(authority["port"])
        if not 0 < port < 65_536:
            raise ValueError("its port is not from 1 to 65535")
    return _UrlParts(
        scheme,
        _encode_host(authority["host"]),
        port,
        match["path"],
        match["query"] or "",
        match["fragment"] or "",
    )


@lru_cache(maxsize=256)
def _encode_host(host: str) -> str:
    """Return a host in ASCII and lower case.

    Raises:
        ValueError: It is not a valid host.
    """
    if len(host) > _MAX_HOST:
        raise ValueError("its host is too long")
    if host.startswith("["):  # an IPv6 address
        return host.lower()
    if not host.isascii():
        import idna  # Few hosts need it.

        try:
            host = idna.encode(host, uts46=True).decode("ascii")
        except idna.IDNAError:
            raise ValueError(
                "its host is not a valid internationalized domain name"
            ) from None
    if not _ASCII_HOST.fullmatch(host):
        raise ValueError("its host is invalid")
    return host.lower()


def _normalize(parts: _UrlParts) -> str:
    # Servers decode each segment completely, including sub-delimiters.
    segments = []
    for segment in parts.path.encode("utf-8", "surrogatepass").split(b"/"):
        segments.append(quote(unquote_to_bytes(segment), safe=""))
    query = "" if parts.query == "?" else parts.query
    return f"{parts.origin}{'/'.join(segments) or '/'}{query}"


def _encode(url: str) -> str:
    if "#" in url:
        raise UrlError(
            f"{shorten(url)} has a fragment; write a '#' in a file name as %23"
        )
    return quote(_to_bytes(_STRAY_PERCENT.sub("%25", url)), safe=_SAFE + "%")


def _to_bytes(text: str) -> bytes:
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        raise UrlError(f"{shorten(text)} cannot be encoded in UTF-8") from None
