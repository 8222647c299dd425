"""Built HTML pages: read once, and parsed by lexbor as browsers parse them.

The head has all that decides whether a page is listed, so only the head is parsed, unless something
needs the complete page.
"""

from __future__ import annotations

import codecs
import os
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, BinaryIO
from urllib.parse import urljoin

from docs_sitemap.files import open_regular
from docs_sitemap.sitemap.urls import same_page, same_url

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

# The heads of real themes are smaller. The rest of a larger head is not read.
_MAX_HEAD = 2**20
_MAX_HEAD_TAGS = 2_000
_CHUNK = 2**16
# The rest of a larger page is not read. Real pages are smaller than 8 MiB.
_MAX_PAGE = 2**26
# The rest of a larger page is not searched for robots meta elements.
_MAX_SEARCHED = 2**21

# Lexbor needs quadratic time for nested elements, and for the attributes of one element. Real pages
# have fewer of both.
_MAX_DEPTH = 10_000
_MAX_ATTRIBUTES = 50_000
_ATTRIBUTE = re.compile(r"[\s/][^\s/]")
_TAG = re.compile(r"</?[a-z][^\s/>]*", re.I)
# Elements that are empty, or that end where the next one starts.
_NOT_NESTED = frozenset(
    (
        *("<area", "<base", "<br", "<circle", "<col", "<dd", "<dt", "<embed", "<hr", "<img"),
        *("<input", "<li", "<line", "<link", "<meta", "<option", "<p", "<path", "<rect"),
        *("<source", "<td", "<th", "<tr", "<track", "<wbr"),
    )
)

# https://www.rfc-editor.org/rfc/rfc9110#section-4.1: longer URLs need not work, and are ignored.
_MAX_URL = 8_000
# More canonical links than any page has are ignored: each is resolved and compared.
_MAX_CANONICALS = 20

# The names of robots meta elements: `robots` itself, and the crawlers of search engines.
CRAWLERS = frozenset(
    (
        *("robots", "applebot", "baiduspider", "bingbot", "duckduckbot", "googlebot", "msnbot"),
        *("petalbot", "seznambot", "slurp", "yandex", "yandexbot", "yeti"),
    )
)

# Finds pages that may have a robots meta element that excludes them.
_EXCLUDING_META = re.compile(rb"<meta\s[^<>]*(?:noindex|none|unavailable_after)", re.I)

# A rule such as `max-image-preview: none` in a robots meta element.
_MAX_RULE = re.compile(r"(?<![^\s,;:])max-[^\s,;:]*\s*:\s*[^\s,;:]*")

# https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag#unavailable_after
_UNAVAILABLE_AFTER = re.compile(r"(?<![^\s,;])unavailable_after\s*:?(.*)", re.I | re.S)
_MAX_DATE = 100

# https://html.spec.whatwg.org/multipage/semantics.html#shared-declarative-refresh-steps
_REFRESH = re.compile(
    r"""[\s]*[\d.]+ (?:[\s]*[;,][\s]*|[\s]+) (?:url[\s]*=[\s]*)?
        (?: "([^"]*) | '([^']*) | (.*) )""",
    re.I | re.X | re.S,
)

# All pages of coverage.py's reports load this script, since version 7.5.1 with a hash in its name.
# They declare neither a generator nor `noindex`.
_COVERAGE_SCRIPT = re.compile(r"coverage_html(?:_cb_[0-9a-f]{1,64})?\.js")

_BODY = re.compile(rb"<body[\s>/]", re.I)
# Replaces the start tag of the body, to see whether the parser found the body there.
_BODY_MARK = "docs-sitemap-body"

# https://html.spec.whatwg.org/multipage/parsing.html#prescan-a-byte-stream-to-determine-its-encoding
_CHARSET = re.compile(rb"""<meta\s[^>]*?charset\s*=\s*(?:["']\s*)?([A-Za-z0-9_:.-]+)""", re.I)
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# The codecs of Python that browsers also support. Some of the other codecs do not decode text.
_ENCODINGS = re.compile(r"ascii|big5|cp(?:8|9|12)|euc|gb|iso|koi8|mac|shift_jis|utf-8$")


@dataclass(frozen=True, slots=True)
class Head:
    """What the head of a page declares.

    Attributes:
        title: The text of `<title>`, with white space collapsed.
        noindex: The first robots meta element that excludes the page from search indexes, because
            of `noindex`, `none`, or a date in the past in `unavailable_after`, as `name: content`;
            `None` if there is none.
        refresh: The target of `<meta http-equiv="refresh">`, as written; `None` if there is none.
        canonicals: The targets of all `<link rel="canonical">`, as written.
        base: The target of `<base>`, to which the others are relative.
        coverage_script: The script that makes the page a part of a report of coverage.py; `None` if
            it loads no such script.
    """

    title: str = ""
    noindex: str | None = None
    refresh: str | None = None
    canonicals: tuple[str, ...] = ()
    base: str | None = None
    coverage_script: str | None = None

    def redirect_target(self, url: str) -> str | None:
        """Return the URL to which the page at `url` redirects; `None` if it does not, or only
        reloads itself.
        """
        target = None if self.refresh is None else self._resolve(url, self.refresh)
        return None if target is None or same_page(target, url) else target

    def canonical_target(self, url: str) -> str | None:
        """Return the canonical URL that the page at `url` declares; `None` if it declares none.
        Canonical links that contradict each other are ignored, as search engines do.

        Source: <https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls>.
        """
        targets = [self._resolve(url, href) for href in self.canonicals]
        first = targets[0] if targets else None
        if first is None:
            return None
        is_unique = all(target is not None and same_url(first, target) for target in targets)
        return first if is_unique else None

    def _resolve(self, url: str, href: str) -> str | None:
        try:
            base = url if self.base is None else urljoin(url, self.base)
            return urljoin(base, href)
        except ValueError:  # not a URL: browsers ignore it, too
            return None


class BuiltPage:
    """A built page.

    Args:
        data: The bytes of the file, or at least those of the head.
    """

    def __init__(self, data: bytes) -> None:
        self._data = data

    @cached_property
    def head(self) -> Head:
        """What the head declares."""
        start = self._data[:_MAX_HEAD]
        body = _BODY.search(start)
        document = None
        if body is not None:
            document = self._parse_head(start[: body.start()])
            # A script, a comment, or a template can also contain the text `<body>`.
            if document.body is None or document.body.id != _BODY_MARK:
                document = None
        document = document or self._parse_head(start)
        return _read_head(document.head.iter() if document.head is not None else ())

    def _parse_head(self, data: bytes) -> LexborHTMLParser:
        tags = self._decode(data).split("<", _MAX_HEAD_TAGS)[:_MAX_HEAD_TAGS]
        return _parse(f"{'<'.join(tags)}<body id={_BODY_MARK}>")

    def parse(self) -> LexborHTMLParser:
        """Parse the complete page."""
        return _parse(self._decode(self._data))

    def find_noindex(self) -> str | None:
        """Return the first robots meta element, in the head or body, that excludes the page from
        search indexes, as `name: content`; `None` if there is none.
        """
        if self.head.noindex is not None:
            return self.head.noindex
        data = self._data[:_MAX_SEARCHED]
        # Parsing complete pages is slow, and hardly any page has such an element.
        if _EXCLUDING_META.search(data) is not None:
            return _read_head(_parse(self._decode(data)).css("meta")).noindex
        return None

    def _decode(self, data: bytes) -> str:
        with suppress(ValueError):  # Some codecs raise it in spite of the argument.
            return data.decode(_detect_encoding(self._data), "replace")
        return data.decode("utf-8", "replace")


def read_page(path: str | os.PathLike[str], *, only_head: bool = False) -> BuiltPage:
    """Read a built page.

    Args:
        path: The HTML file. The rest of a file that is too large is not read.
        only_head: Whether to read not much more than the head.

    Raises:
        OSError: The file cannot be read, or is not a regular file.
    """
    with open_regular(path, buffering=0) as file:
        if only_head:
            return BuiltPage(_read_start(file))
        return BuiltPage(file.read(_MAX_PAGE))


def read_head(path: str | os.PathLike[str]) -> Head:
    """Read only the head of a built page.

    Raises:
        OSError: The file cannot be read, or is not a regular file.
    """
    return read_page(path, only_head=True).head


def read_head_of(file: BinaryIO) -> Head:
    """Read only the head of a built page that is open.

    Raises:
        OSError: The file cannot be read.
    """
    return BuiltPage(_read_start(file)).head


def is_selector(text: str) -> bool:
    """Return whether a text is a CSS selector."""
    try:
        _parse("<p>").css(text)
    except Exception:  # Which exception selectolax raises depends on its version.
        return False
    return True


def _read_start(file: BinaryIO) -> bytes:
    data = file.read(_CHUNK)
    return data if _BODY.search(data) else data + file.read(_MAX_HEAD - _CHUNK)


def _parse(html: str) -> LexborHTMLParser:
    # Only builds that read HTML load the parser.
    from selectolax.lexbor import LexborHTMLParser

    # Search engines run scripts, so the content of <noscript> does not end the head.
    return LexborHTMLParser(_simple_part(html), scripting=True)


def _simple_part(html: str) -> str:
    """Return a page up to the first element that has too many attributes or parents."""
    pieces = html.split("<")
    if max(map(len, pieces)) > 2 * _MAX_ATTRIBUTES:
        for number, piece in enumerate(pieces):
            is_tag = not piece.startswith(("script", "style"))
            if is_tag and len(_ATTRIBUTE.findall(piece)) > _MAX_ATTRIBUTES:
                return "<".join(pieces[:number])
    tags = _TAG.findall(html) if len(pieces) > _MAX_DEPTH else []
    is_open = Counter[str]()
    for first in range(0, len(tags), _MAX_DEPTH):
        # Counting is much faster than following each tag, and may overlook one more such group.
        is_open.update(tags[first : first + _MAX_DEPTH])
        is_open = Counter(
            {
                tag: number - is_open[f"</{tag[1:]}"]
                for tag, number in is_open.items()
                if tag[1] != "/" and tag not in _NOT_NESTED
            }
        )
        is_open = +is_open
        if is_open.total() > _MAX_DEPTH:
            return html[: next(islice(_TAG.finditer(html), first, None)).start()]
    return html


def _detect_encoding(start: bytes) -> str:
    for mark, encoding in _BYTE_ORDER_MARKS:
        if start.startswith(mark):
            return encoding
    declared = _CHARSET.search(start[:1024])
    if declared is not None:
        with suppress(LookupError):
            name = codecs.lookup(declared[1].decode()).name
            if _ENCODINGS.match(name):
                return name
    return "utf-8"


def _read_head(nodes: Iterable[LexborNode]) -> Head:
    """Return what the elements of a head declare."""
    title: str | None = None
    noindex = refresh = base = script = None
    canonicals: list[str] = []
    pending = [*reversed([*nodes])]
    while pending:
        node = pending.pop()
        tag = node.tag
        if tag == "title" and title is None:
            title = " ".join(node.text().split())
        elif tag == "noscript":
            # Pages that redirect by script repeat the redirect here for clients without scripts.
            pending += reversed(_parse(node.text()).css("meta, link"))
        elif tag in ("meta", "link", "base", "script"):
            attributes = node.attributes
            if tag == "meta":
                noindex = noindex or _excluding_robots(attributes)
                refresh = refresh or _refresh_target(attributes)
            elif tag == "link" and len(canonicals) < _MAX_CANONICALS:
                canonicals += filter(None, [_canonical_link(attributes)])
            elif tag == "base":
                base = base or _url(attributes.get("href"))
            elif match := _COVERAGE_SCRIPT.fullmatch((attributes.get("src") or "").strip()):
                script = match[0]
    return Head(title or "", noindex, refresh, tuple(canonicals), base, script)


# The values of attributes are `None` if they are empty.
_Attributes = Mapping[str, str | None]


def _excluding_robots(attributes: _Attributes) -> str | None:
    name = (attributes.get("name") or "").strip().lower()
    content = attributes.get("content") or ""
    if name in CRAWLERS and _has_noindex(content):
        return f"{name}: {' '.join(content.split())}"
    return None


def _refresh_target(attributes: _Attributes) -> str | None:
    if (attributes.get("http-equiv") or "").strip().lower() != "refresh":
        return None
    match = _REFRESH.match(attributes.get("content") or "")
    return None if match is None else _url(match[1] or match[2] or match[3])


def _canonical_link(attributes: _Attributes) -> str | None:
    if "canonical" not in (attributes.get("rel") or "").lower().split():
        return None
    # A link with one of these attributes is about another language or device:
    # https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls
    is_plain = attributes.keys().isdisjoint(("hreflang", "lang", "media", "type"))
    return _url(attributes.get("href")) if is_plain else None


def _url(value: str | None) -> str | None:
    """Return the URL in an attribute; `None` if there is none."""
    url = (value or "").strip()
    return url if 0 < len(url) <= _MAX_URL else None


def _has_noindex(content: str) -> bool:
    """Return whether the content of a robots meta element contains `noindex`, `none`, or a date in
    the past in `unavailable_after`. `none` is also a value of `max-image-preview`.

    Source: <https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag>.
    """
    words = re.split(r"[\s,;:]+", _MAX_RULE.sub("", content.lower()))
    return "noindex" in words or "none" in words or _is_unavailable(content)


def _is_unavailable(content: str) -> bool:
    match = _UNAVAILABLE_AFTER.search(content)
    if match is None:
        return False
    # A date may contain a comma, and rules may follow after another one.
    first, *others = match[1].split(",", 2)
    texts = (first, ",".join((first, *others[:1])))
    dates = [_parse_date(text.strip()) for text in texts if len(text) <= _MAX_DATE]
    return any(date is not None and date < datetime.now(UTC) for date in dates)


def _parse_date(text: str) -> datetime | None:
    """Parse a date in the form of ISO 8601, RFC 822, or RFC 850; in UTC if it has no time zone."""
    from email.utils import parsedate_to_datetime  # Hardly any page needs it.

    for parse in (datetime.fromisoformat, parsedate_to_datetime):
        with suppress(ValueError, OverflowError):
            date = parse(text)
            return date if date.tzinfo is not None else date.replace(tzinfo=UTC)
    return None
