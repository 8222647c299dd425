"""The rules of one URL: <https://www.rfc-editor.org/rfc/rfc3986>."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from hashlib import blake2b
from ipaddress import IPv6Address

from docs_sitemap.check.findings import shorten
from docs_sitemap.loc import MAX_HOST, PLAIN_PATH, has_dot_segments, normalize_url
from docs_sitemap.model import MAX_LOC_LENGTH

# What most URLs look like: nothing can be wrong with them, and they are in normal form.
_PLAIN = re.compile(
    rf"https?://(?=[^/]{{1,{MAX_HOST}}}/)[a-z0-9-]{{1,63}}(?:\.[a-z0-9-]{{1,63}})*{PLAIN_PATH}"
)

# RFC 3986, appendix B, of URLs that have an authority.
_PARTS = re.compile(
    r"(?P<scheme>(?i:https?))://(?P<authority>[^/?#]*)(?P<path>[^?#]*)(?P<rest>.*)", re.S
)
_OTHER_SCHEME = re.compile(r"(?!https?:)[a-z][a-z0-9+.-]*://", re.I)
_AUTHORITY = re.compile(r"(?P<host>[^@:\[\]%]+|\[[0-9A-Fa-f:.]+\])(?::(?P<port>[0-9]*))?")
_HOST = re.compile(r"[A-Za-z0-9._~-]+")

_FORBIDDEN = re.compile(r"""[\x00-\x20"<>\\^`{|}\[\]\x7f-\x9f]|%(?![0-9A-Fa-f]{2})""")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")


def check_url(text: str, length: int) -> tuple[str | None, list[tuple[str, str]]]:
    """Check an absolute URL.

    Args:
        text: the URL, or the start of one that is too long.
        length: how long it is.

    Returns:
        The URL in the one form that all of its spellings have (as
        [`normalize_url`][docs_sitemap.loc.normalize_url] has it, with dot segments resolved), or
        `None` if it is no URL; and what is wrong with it, as pairs of a code and a message.
    """
    if length > MAX_LOC_LENGTH:
        return None, [("loc-too-long", f"it has {length:,} characters")]
    if _PLAIN.fullmatch(text) and "/." not in text:
        return text, []
    parts = _PARTS.fullmatch(text)
    fault = _scheme_fault(text) if parts is None else _authority_fault(parts["authority"])
    if parts is None or fault:
        return None, [("loc-invalid", f"{shorten(text)}: {fault}")]
    path = parts["path"]
    faults = list(_faults(parts["authority"], path, parts["rest"]))
    path = _without_dots(path or "/")
    text = f"{parts['scheme'].lower()}://{parts['authority']}{path}{parts['rest']}"
    return normalize_url(text), faults


def _without_dots(path: str) -> str:
    """Source: <https://www.rfc-editor.org/rfc/rfc3986#section-5.2.4>."""
    if not has_dot_segments(path):
        return path
    names: list[str] = []
    for segment in path.split("/")[1:]:
        name = re.sub("%2e", ".", segment, flags=re.I)
        if name not in (".", ".."):
            names.append(segment)
        elif name == ".." and names:
            names.pop()
    end = "/" if names and has_dot_segments(path.rpartition("/")[2]) else ""
    return f"/{'/'.join(names)}{end}"


def _scheme_fault(text: str) -> str:
    return "it is not http or https" if _OTHER_SCHEME.match(text) else "it is not absolute"


def _authority_fault(authority: str) -> str | None:
    if not authority:
        return "it has no host"
    if "@" in authority:
        return "it has a user name"
    found = _AUTHORITY.fullmatch(authority)
    if found is None:
        return "its host or port is invalid"
    if found["port"] and not 0 < int(found["port"][:9]) < 65_536:
        return "its port is not from 1 to 65535"
    return None if _is_host(found["host"]) else "its host is invalid"


@lru_cache(maxsize=256)
def _is_host(host: str) -> bool:
    if len(host) > MAX_HOST:
        return False
    try:
        if host.startswith("["):
            return bool(IPv6Address(host[1:-1]))
        # As a reader looks it up; no label is empty or has more than 63 characters.
        return bool(_HOST.fullmatch(host.encode("idna").decode("ascii")))
    except ValueError:  # UnicodeError is one, too
        return False


def _faults(authority: str, path: str, rest: str) -> Iterator[tuple[str, str]]:
    mark, fragment = rest.find("#"), ""
    query = rest
    if mark >= 0:
        query, fragment = rest[:mark], rest[mark:]
    if found := _FORBIDDEN.search(path + query):
        yield "loc-not-encoded", f"{shorten(found[0])} stands in it as it is"
    elif found := _NOT_ASCII.search(authority + path + query):
        yield "loc-not-ascii", f"{shorten(found[0])} stands in it as it is"
    if mark >= 0:
        yield "loc-fragment", f"it has the fragment {shorten(fragment)}"
    if has_dot_segments(path):
        yield "loc-dot-segments", "it has a '.' or '..' among its segments"


class Hashes:
    """Some URLs or paths, with eight bytes for each; the newest can be taken back."""

    def __init__(self) -> None:
        self._all: set[int] = set()
        self._new: list[int] = []

    def __contains__(self, text: str) -> bool:
        return url_hash(text) in self._all

    def __len__(self) -> int:
        return len(self._all)

    def add(self, text: str) -> bool:
        """Return whether it is new."""
        key = url_hash(text)
        if key in self._all:
            return False
        self._all.add(key)
        self._new.append(key)
        return True

    def settle(self) -> None:
        """Keep what was added so far."""
        self._new.clear()

    def undo(self) -> None:
        """Forget what was added since."""
        self._all.difference_update(self._new)
        self._new.clear()


def origin(url: str) -> str:
    """Return the scheme, host and port of a URL in normal form."""
    return url[: url.index("/", len("https://"))]


def url_hash(url: str) -> int:
    """Return eight bytes that stand for a URL or a path: the same in every run, and small enough
    to remember one for each page.
    """
    data = url.encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(data, digest_size=8).digest(), "big")
