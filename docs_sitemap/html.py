"""The `<head>` of a built page: title, robots, refresh, canonical links, and the script of a
coverage report. Robots meta elements are also found in the `<body>`, because search engines obey
them there, too.
"""

from __future__ import annotations

import codecs
import os
import re
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from html import unescape
from html.parser import HTMLParser
from typing import BinaryIO
from urllib.parse import urljoin

from docs_sitemap.files import open_regular
from docs_sitemap.sitemap.urls import same_page, same_url

# The heads of real themes are smaller. The rest of a larger head is not read.
_MAX_HEAD = 2**20
_CHUNK = 2**14
# The rest of a larger page is not searched for robots meta elements.
_MAX_PAGE = 2**21

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

# https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-inhead: any other element ends
# the head, even if its end tag is missing. The content of opaque elements is not part of it.
_OPAQUE = frozenset(("noframes", "script", "style", "template", "title"))
_IN_HEAD = _OPAQUE | {"html", "head", "base", "basefont", "bgsound", "link", "meta", "noscript"}

# https://html.spec.whatwg.org/multipage/parsing.html#comment-start-state and the following states
_COMMENT = re.compile(r"<!--(?:-?>|.*?--!?>)", re.S)

# A rule such as `max-image-preview: none` in a robots meta element.
_MAX_RULE = re.compile(r"(?<![^\s,;:])max-[^\s,;:]*\s*:\s*[^\s,;:]*")

# https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag#unavailable_after
_UNAVAILABLE_AFTER = re.compile(r"(?<![^\s,;])unavailable_after\s*:?(.*)", re.I | re.S)
_MAX_DATE = 100

# Words of a robots meta element that exclude a page.
_EXCLUDING = ("noindex", "none", "unavailable_after")

# https://html.spec.whatwg.org/multipage/semantics.html#shared-declarative-refresh-steps
_REFRESH = re.compile(
    r"""[\s]*[\d.]+ (?:[\s]*[;,][\s]*|[\s]+) (?:url[\s]*=[\s]*)?
        (?: "([^"]*) | '([^']*) | (.*) )""",
    re.I | re.X | re.S,
)

# All pages of coverage.py's reports load this script, since version 7.5.1 with a hash in its name.
# They declare neither a generator nor `noindex`.
_COVERAGE_SCRIPT = re.compile(r"coverage_html(?:_cb_[0-9a-f]{1,64})?\.js")

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


def read_head(path: str | os.PathLike[str]) -> Head:
    """Read only the head of a built page.

    Invalid markup and encodings are read as browsers read them, as far as possible.

    Raises:
        OSError: The file cannot be read, or is not a regular file.
    """
    with open_regular(path, buffering=0) as file:
        return read_head_of(file)


def read_head_of(file: BinaryIO) -> Head:
    """Read only the head of a built page that is open.

    Raises:
        OSError: The file cannot be read.
    """
    parser = _HeadParser()
    data = file.read(_CHUNK)
    decoder = codecs.getincrementaldecoder(_detect_encoding(data))("replace")
    size = total = len(data)
    # Some versions of the parser raise AssertionError; the decoder raises ValueError for some
    # bytes.
    with suppress(_EndOfHead, AssertionError, ValueError):
        while data and total <= _MAX_HEAD:
            parser.feed(decoder.decode(data))
            # The parser scans an unclosed element again with each chunk: doubling the size keeps
            # the total work linear.
            data = file.read(size)
            total += len(data)
            size *= 2
    return parser.head()


def find_noindex(path: str | os.PathLike[str]) -> str | None:
    """Return the first robots meta element of a page, in its head or body, that excludes the page
    from search indexes, as `name: content`; `None` if there is none.

    Raises:
        OSError: The file cannot be read, or is not a regular file.
    """
    with open_regular(path) as file:
        data = file.read(_MAX_PAGE)
    parser = _RobotsParser()
    with suppress(AssertionError, ValueError):  # see read_head()
        text = data.decode(_detect_encoding(data), "replace")
        # Parsing complete pages is slow, and hardly any page has such an element.
        metas = [piece.partition(">")[0] for piece in text.lower().split("<meta")[1:]]
        if any(word in meta for meta in metas for word in _EXCLUDING):
            parser.feed(text)
    return parser.head().noindex


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


class _EndOfHead(Exception):  # noqa: N818  # control flow, not an error
    pass


class _HeadParser(HTMLParser):
    # The only markup in these elements is character references in some of them:
    # https://html.spec.whatwg.org/multipage/syntax.html#escapable-raw-text-elements
    CDATA_CONTENT_ELEMENTS = (  # type: ignore[misc]
        *("script", "style", "title", "noframes"),
        *("iframe", "noembed", "textarea", "xmp"),
    )

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._open_opaque: list[str] = []
        self._in_noscript = False
        self._title: list[str] = []
        self._noindex: str | None = None
        self._refresh: str | None = None
        self._canonicals: list[str] = []
        self._base: str | None = None
        self._coverage_script: str | None = None

    def head(self) -> Head:
        title = "".join(self._title)
        with suppress(ValueError):  # a character reference with thousands of digits
            title = unescape(title)
        return Head(
            " ".join(title.split()),
            self._noindex,
            self._refresh,
            tuple(self._canonicals),
            self._base,
            self._coverage_script,
        )

    def updatepos(self, i: int, j: int) -> int:
        return j  # Line numbers are not used, and counting them takes a tenth of the time.

    def parse_comment(self, i: int, report: bool = True) -> int:
        comment = _COMMENT.match(self.rawdata, i)
        return -1 if comment is None else comment.end()

    def parse_marked_section(self, i: int, report: bool = True) -> int:
        return self.parse_bogus_comment(i, report)  # as browsers do

    def parse_starttag(self, i: int) -> int:
        try:
            return super().parse_starttag(i)
        except ValueError:  # a character reference with thousands of digits
            return self.check_for_whole_start_tag(i)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self._open_opaque:
            if tag == "template" and self._open_opaque[-1] == "template":
                self._open_opaque.append(tag)
        elif tag not in _IN_HEAD:
            # A tracking image in <noscript> does not end the head.
            if not self._in_noscript:
                raise _EndOfHead
        elif tag == "noscript":
            # Pages that redirect by script repeat the redirect here for clients without scripts.
            self._in_noscript = True
        elif tag in _OPAQUE:
            if tag == "script":
                self._read_script({name: value or "" for name, value in reversed(attrs)})
            self._open_opaque.append(tag)
        else:
            # If an attribute is repeated, the first one counts.
            attributes = {name: value or "" for name, value in reversed(attrs)}
            if tag == "meta":
                self._read_robots(attributes)
                self._read_refresh(attributes)
            elif tag == "link":
                self._read_link(attributes)
            elif tag == "base" and self._base is None:
                self._base = _url(attributes.get("href", ""))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)  # HTML ignores the slash

    def handle_endtag(self, tag: str) -> None:
        if self._open_opaque:
            if tag == self._open_opaque[-1]:
                self._open_opaque.pop()
        elif tag == "noscript":
            self._in_noscript = False
        elif tag in ("body", "html", "br"):
            raise _EndOfHead

    def handle_data(self, data: str) -> None:
        if self._open_opaque == ["title"]:
            self._title.append(data)
        elif not self._open_opaque and not self._in_noscript and data.strip("\ufeff \t\n\r\f"):
            raise _EndOfHead

    def _read_robots(self, attributes: dict[str, str]) -> None:
        name = attributes.get("name", "").strip().lower()
        content = attributes.get("content", "")
        if name in CRAWLERS and self._noindex is None and _has_noindex(content):
            self._noindex = f"{name}: {' '.join(content.split())}"

    def _read_refresh(self, attributes: dict[str, str]) -> None:
        if self._refresh is None and attributes.get("http-equiv", "").strip().lower() == "refresh":
            match = _REFRESH.match(attributes.get("content", ""))
            if match is not None:
                self._refresh = _url(match[1] or match[2] or match[3] or "")

    def _read_script(self, attributes: dict[str, str]) -> None:
        script = _COVERAGE_SCRIPT.fullmatch(attributes.get("src", "").strip())
        if script is not None:
            self._coverage_script = script[0]

    def _read_link(self, attributes: dict[str, str]) -> None:
        href = _url(attributes.get("href", ""))
        # A link with one of these attributes is about another language or device:
        # https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls
        is_plain = attributes.keys().isdisjoint(("hreflang", "lang", "media", "type"))
        is_canonical = "canonical" in attributes.get("rel", "").lower().split()
        if href and is_plain and is_canonical and len(self._canonicals) < _MAX_CANONICALS:
            self._canonicals.append(href)


def _url(value: str) -> str | None:
    """Return the URL in an attribute; `None` if there is none."""
    url = value.strip()
    return url if 0 < len(url) <= _MAX_URL else None


class _RobotsParser(_HeadParser):
    """Reads the robots meta elements of a complete page."""

    def __init__(self) -> None:
        super().__init__()
        self._open_templates = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "template":
            self._open_templates += 1
        elif tag == "meta" and self._open_templates == 0:
            self._read_robots({name: value or "" for name, value in reversed(attrs)})

    def handle_endtag(self, tag: str) -> None:
        if tag == "template" and self._open_templates > 0:
            self._open_templates -= 1

    def handle_data(self, data: str) -> None:
        pass


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
    for parse in (datetime.fromisoformat, parsedate_to_datetime):
        with suppress(ValueError, OverflowError):
            date = parse(text)
            return date if date.tzinfo is not None else date.replace(tzinfo=UTC)
    return None
